"""Extracts candidate triples from question banks and other texts.

Mentions are those that ``kg.linking`` links. In a sentence, two of them with a cue
between (``cues.yaml``) are a candidate with the confidence

    score(head) · score(tail) · weight(cue) · case · 0.95 ** words

``score`` is the linker's, ``case`` the cue's factor for sentences on one patient (1 for
others), ``words`` the number of words between the cue and the two mentions. A question is read
with its right answer in the place of the blank. Where it asks for a diagnosis, each finding of
the case is a candidate with ``score(head) · score(tail) · weight(question)``. A triple found
several times has its best confidence.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from cypher.translation import translate
from ingest.extraction.answers import answered, case_findings
from ingest.extraction.cues import MENTIONED, Cues
from ingest.extraction.questions import Broken, Passage, Question, read_questions
from ingest.extraction.sentences import Extraction, Sentence
from kg.linking.linker import Linker, LinkOptions
from kg.linking.mention import Mention
from kg.progress import Progress
from kg.text.sentences import sentences
from kg.vocabulary import RELATION_TYPES

OPTIONS = LinkOptions(types=MENTIONED, limit=1)
"""Options of the linker to use."""


@dataclass
class Triple:
    """A candidate, from all sentences that state it."""

    head_id: str
    head: str
    head_type: str
    relation: str
    tail_id: str
    tail: str
    tail_type: str
    confidence: float = 0
    cue: str = ""
    """The cue with the highest confidence."""
    places: dict[str, None] = field(default_factory=dict)
    """Question, field and sentence of each, the highest confidence first:
    ``<id>/<field>#char=<start>,<end>``."""
    questions: dict[str, None] = field(default_factory=dict)


@dataclass
class Extracted:
    """What was found in all files."""

    triples: list[Triple]
    """The highest confidence first."""
    questions: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    """Number of pairs that match a cue and are not used, by reason."""
    broken: list[Broken] = field(default_factory=list)


def extract(
    paths: Iterable[Path], linker: Linker, cues: Cues, progress: Progress, encoding: str = "utf-8"
) -> Extracted:
    """Find the candidates of all files.

    Args:
        paths: question banks or texts, as ``read_questions`` takes them.
        linker: with ``OPTIONS``, of the graph whose names are searched for.
        cues: the table.
        progress: a step a file.
        encoding: of the files.

    Raises:
        SourceError: a file cannot be read.
    """
    result = Extracted([])
    triples: dict[tuple[str, str, str], Triple] = {}
    for path in paths:
        with progress.step(translate("Reading {file}", file=path.name)) as advance:
            for item in read_questions(path, encoding):
                advance(1)
                if isinstance(item, Broken):
                    result.broken.append(item)
                    continue
                result.questions += 1
                for passage, extraction in _extractions(item, linker, cues, result.dropped):
                    _add(triples, item, passage, extraction)
    result.triples = sorted(
        triples.values(), key=lambda t: (-t.confidence, t.relation, t.head_id, t.tail_id)
    )
    return result


def _extractions(
    question: Question, linker: Linker, cues: Cues, dropped: Counter[str]
) -> Iterator[tuple[Passage, Extraction]]:
    linked: list[tuple[Passage, list[Mention]]] = []
    for passage in question.passages:
        mentions = _mentions(linker, passage.text, cues)
        linked.append((passage, mentions))
        for extraction in _of_text(passage.text, mentions, cues, dropped):
            yield passage, extraction
        for each in answered(question, passage, cues):
            filled = _of_text(each.text, _mentions(linker, each.text, cues), cues, dropped)
            for extraction in filled:
                yield passage, _moved(extraction, each.start, each.end)
    yield from case_findings(question, linked, linker, cues, dropped)


def _mentions(linker: Linker, text: str, cues: Cues) -> list[Mention]:
    """The linked mentions, without entities that are too broad to be of use."""
    return [
        mention
        for mention in linker.link(text)
        if mention.linked and mention.candidates[0].name not in cues.too_broad
    ]


def _of_text(
    text: str, mentions: list[Mention], cues: Cues, dropped: Counter[str]
) -> Iterator[Extraction]:
    if len(mentions) < 2:  # noqa: PLR2004 -- the ends of a relation
        return
    for start, end in sentences(text):
        inside = [m for m in mentions if start <= m.start and m.end <= end]
        if not text[start:end].rstrip().endswith(("?", "？")):
            yield from Sentence(text, start, end, inside).extractions(cues, dropped)


def _moved(extraction: Extraction, start: int, end: int) -> Extraction:
    ends = (extraction.head, extraction.tail, extraction.confidence)
    return Extraction(
        extraction.relation, *ends, start, end, f"{extraction.cue} (with the answer)"
    )


def _add(
    triples: dict[tuple[str, str, str], Triple],
    question: Question,
    passage: Passage,
    extraction: Extraction,
) -> None:
    head, tail = extraction.head, extraction.tail
    if RELATION_TYPES[extraction.relation].symmetric and head.id > tail.id:
        head, tail = tail, head
    triple = triples.setdefault(
        (extraction.relation, head.id, tail.id),
        Triple(head.id, head.name, head.type, extraction.relation, tail.id, tail.name, tail.type),
    )
    place = f"{question.id}/{passage.field}#char={extraction.start},{extraction.end}"
    triple.places.setdefault(place)
    if extraction.confidence > triple.confidence:
        triple.confidence, triple.cue = extraction.confidence, " ".join(extraction.cue.split())
        triple.places = {place: None, **triple.places}
    triple.questions[question.id] = None

"""Statements of a question with its right answer filled in, and findings of its case."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from ingest.extraction.cues import Cues, QuestionType
from ingest.extraction.questions import Passage, Question
from ingest.extraction.sentences import Extraction
from kg.linking.linker import Linker
from kg.linking.mention import Candidate, Mention
from kg.text import normalise
from kg.text.sentences import sentences

_RELIABLE_METHODS: frozenset[str] = frozenset({"exact", "abbreviation", "spelling", "word order"})


@dataclass(frozen=True)
class Answered:
    """A question with an answer filled in."""

    text: str
    start: int
    """Offsets of the sentence in the passage, before the answer was filled in."""
    end: int


def answered(question: Question, passage: Passage, cues: Cues) -> Iterator[Answered]:
    """The asking sentence of a passage, with each right answer in the place of the blank.

    A question for an exception ("all but …") states nothing.
    """
    if not question.answers or not passage.text.rstrip().endswith(question.asks.rstrip()):
        return
    spans = sentences(passage.text)
    if not spans:
        return
    start, end = spans[-1]
    sentence = passage.text[start:end].strip()
    if cues.matches("no_answer", sentence):
        return
    for answer in question.answers:
        filled = _filled(sentence, answer.strip().rstrip("."), cues)
        if filled is not None:
            yield Answered(filled, start, end)


def _filled(sentence: str, answer: str, cues: Cues) -> str | None:
    blank = cues.blank.search(sentence)
    if blank:
        return sentence[: blank.start()] + answer + sentence[blank.end() :].rstrip("?？ ")
    if cues.matches("open_ends", sentence.rstrip("?？。. ")):
        return f"{sentence.rstrip('?？。. :：')} {answer}"
    return None


def case_findings(
    question: Question,
    linked: list[tuple[Passage, list[Mention]]],
    linker: Linker,
    cues: Cues,
    dropped: Counter[str],
) -> Iterator[tuple[Passage, Extraction]]:
    """Findings of a case as triples with the answer to its question.

    Args:
        question: with its answers.
        linked: its passages, each with the mentions that are linked.
        linker: for the answers.
        cues: the table.
        dropped: counts mentions that are not used, by reason.
    """
    for question_type in cues.questions:
        if not question_type.pattern.search(question.asks):
            continue
        for answer in question.answers:
            entity = _entity(answer, question_type, linker)
            if entity is None:
                continue
            for passage, mentions in linked:
                if not cues.matches("past_fields", passage.field):
                    usable = _usable(mentions, dropped)
                    for extraction in _extractions(passage, usable, entity, question_type, cues):
                        yield passage, extraction


def _entity(answer: str, question_type: QuestionType, linker: Linker) -> Candidate | None:
    mention = linker.resolve(answer.strip().rstrip("."), (question_type.head,))
    return mention.entity if mention.method in _RELIABLE_METHODS else None


def _extractions(
    passage: Passage,
    mentions: list[Mention],
    entity: Candidate,
    question_type: QuestionType,
    cues: Cues,
) -> Iterator[Extraction]:
    spans = sentences(passage.text)
    for mention in mentions:
        finding = mention.candidates[0]
        if finding.type != question_type.tail or _same(finding, entity):
            continue
        start, end = next(
            ((s, e) for s, e in spans if s <= mention.start < e), (0, len(passage.text))
        )
        if not cues.matches("past", passage.text[start:end]):
            confidence = entity.score * finding.score * question_type.weight
            yield Extraction(
                question_type.relation, entity, finding, confidence, start, end, "case and answer"
            )


def _same(finding: Candidate, entity: Candidate) -> bool:
    """Whether a finding is the disease itself under its type of a finding, or nearly so."""
    names = {normalise(name) for name in (entity.name, entity.matched)}
    return bool(names & {normalise(finding.name), normalise(finding.matched)})


def _usable(mentions: list[Mention], dropped: Counter[str]) -> list[Mention]:
    """The mentions that are neither negated nor about relatives; the others are counted."""
    kept = []
    for mention in mentions:
        if mention.family:
            dropped["said of a relative"] += 1
        elif mention.negated:
            dropped["denied"] += 1
        else:
            kept.append(mention)
    return kept

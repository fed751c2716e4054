"""Assertions from a MedQuAD document, row by row."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Self

from ingest.assertions import Assertion, Quarantined
from ingest.identity import mint
from ingest.sources.medquad.documents import Document, Pair
from ingest.sources.medquad.focus import FocusTypes
from ingest.sources.relations import RelationMap
from ingest.sources.writing import Row, record_json
from kg.tables import SEPARATOR
from kg.text import normalise

NO_TYPE: Final = "no type of question"
"""``original_relation`` of a pair that has none."""

_WITHOUT_ANSWERS: Final = ("ADAM", "MPlusDrugs", "MPlusHerbsSupplements")
_REMOVED: Final = "MedQuAD's authors removed the answers of this collection for copyright"
_CUI: Final = re.compile(r"C\d{7}")


@dataclass(frozen=True)
class Statements:
    """Reads documents with what is known of all of them."""

    relations: RelationMap
    types: FocusTypes
    type_of: Mapping[str, str]
    """Node type by the normalised name of a focus."""

    @classmethod
    def on(cls, documents: list[Document]) -> Self:
        """Ready to read these documents."""
        types = FocusTypes.of_package()
        relations = RelationMap.of("ingest.sources.medquad")
        return cls(relations, types, types.by_name(documents))

    def rows(self, file: str, document: Document) -> Iterator[Row]:
        """The focus, its concepts, its synonyms, the pairs; their numbers are put in later."""
        node_type = self.type_of.get(normalise(document.focus))
        if node_type is None:
            reason = self.types.why_none(document) if document.focus else "the file names no focus"
            yield from (
                (Quarantined(file, 0, word, reason, record_json(record)),)
                for word, record in _records(document)
            )
            return
        focus = _Focus(file, document, node_type)
        yield (focus.assertion("focus", "HAS_NAME", value=document.focus),)
        for cui in document.cuis:
            yield (focus.concept(cui),)
        for synonym in document.synonyms:
            yield (focus.assertion("synonym", "HAS_SYNONYM", value=synonym),)
        for pair in document.pairs:
            yield self._pair(focus, pair)

    def _pair(self, focus: "_Focus", pair: Pair) -> Row:
        original = pair.type[:100] or NO_TYPE
        reason = self._why_no_section(focus.document, pair)
        if reason is None:
            return focus.section(original, pair)
        record = record_json(_pair_record(focus.document, pair))
        return (Quarantined(focus.file, 0, original, reason, record),)

    def _why_no_section(self, document: Document, pair: Pair) -> str | None:
        if not pair.type:
            return "the question has no type (qtype)"
        if pair.type not in self.relations.relations:
            return self.relations.why_not(pair.type)
        if not pair.question:
            return "the pair has no question"
        if not pair.answer:
            return _REMOVED if document.collection in _WITHOUT_ANSWERS else "no answer"
        return None


@dataclass(frozen=True)
class _Focus:
    """Makes assertions on the focus of a document."""

    file: str
    document: Document
    type: str

    def assertion(self, original: str, relation: str, **fields: Any) -> Assertion:  # noqa: ANN401 -- fields of Assertion
        head = (self.file, 0, original, None, self.type, self.document.focus)
        return Assertion(*head, relation, **fields)

    def concept(self, cui: str) -> Assertion:
        problem = None if _CUI.fullmatch(cui) else f"'{cui[:100]}' is no concept of UMLS"
        end = {"tail": f"UMLS:{cui}", "tail_type": "Concept", "problem": problem}
        return self.assertion("CUI", "HAS_CUI", **end)

    def section(self, original: str, pair: Pair) -> Row:
        document = self.document
        section = section_id(document, pair)
        edge = self.assertion(
            original,
            "HAS_SECTION",
            tail=section,
            tail_type="Section",
            tail_name=pair.question,
            publications=document.url.replace(SEPARATOR, "%7C") or None,
        )
        section_head = (self.file, 0, original, section, "Section", pair.question)
        return (
            edge,
            Assertion(*section_head, "HAS_NAME", value=pair.question),
            Assertion(*section_head, "HAS_TEXT", value=pair.answer),
        )


def section_id(document: Document, pair: Pair) -> str:
    """The id of the Section that an answer is."""
    # the question too: some files share the numbers of another one
    words = (document.collection, document.id, pair.id, pair.question)
    return str(mint("Section", " ".join(words)))


def _records(document: Document) -> Iterator[tuple[str, dict[str, object]]]:
    """Every row of a document as a record, with its original relation."""
    focus: dict[str, object] = {"focus": document.focus}
    yield "focus", focus | {"categories": document.categories, "url": document.url}
    yield from (("CUI", focus | {"CUI": cui}) for cui in document.cuis)
    yield from (("synonym", focus | {"synonym": name}) for name in document.synonyms)
    for pair in document.pairs:
        yield pair.type[:100] or NO_TYPE, _pair_record(document, pair)


def _pair_record(document: Document, pair: Pair) -> dict[str, object]:
    return {
        "focus": document.focus,
        "url": document.url,
        "qid": pair.id,
        "qtype": pair.type,
        "question": pair.question,
        "answer": pair.answer,
    }

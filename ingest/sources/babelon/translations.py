"""Assertions from the rows of a translation file and of a table of layperson's words."""

import re
from typing import Final

from ingest.assertions import Assertion
from ingest.equivalence import prefix
from ingest.sources.curies import Curies
from ingest.sources.formats.identifiers import Identifiers, is_iri
from ingest.sources.formats.obo import unescape
from ingest.sources.formats.tab_lines import Line
from ingest.sources.ontology.record import Statement
from ingest.sources.ontology.terms import Term, Terms
from ingest.sources.ontology.types import ROOTS, TermTypes
from ingest.sources.relations import RelationMap
from ingest.sources.writing import Row
from kg.vocabulary import LANGUAGES

COLUMNS: Final = (
    *("subject_id", "predicate_id", "translation_language", "translation_value"),
    "translation_status",
)
TERM: Final = "?term"
WORDING: Final = "?layperson"
"""Columns of the table of layperson's words: the answer to a SPARQL query, in which an id
is ``<http://…>`` and a text ``"…"``, perhaps with its language: ``"…"@en``."""

_ACCEPTED: Final = "OFFICIAL"
_PROPOSED: Final = ("CANDIDATE", "UNDER_REVIEW")
_LAYPERSON: Final = "layperson"
_LITERAL: Final = re.compile(r'"((?:[^"\\]|\\.)*)"(?:@(?P<language>[A-Za-z]+)[A-Za-z0-9-]*)?')


class Translations:
    """Makes the assertions of rows.

    Args:
        words: the relation map.
        terms: of the ontology, if its file is given.
        types: by prefix, if it is not.
    """

    def __init__(self, words: RelationMap, terms: Terms | None, types: TermTypes) -> None:
        self._words = words
        self._terms = terms
        self._types = types
        self._identifiers = Identifiers()
        self._curies = Curies()

    def translated(self, line: Line) -> Row:
        """A row of a translation file: one name, synonym or definition."""
        word = self._word(line["predicate_id"])
        attribute, reason = self._attribute(line, word)
        language = line["translation_language"].partition("-")[0].casefold()
        if language not in LANGUAGES:
            reason = f"the graph keeps names in {' and '.join(LANGUAGES)} only"
        if not line["translation_value"]:
            reason = "the row has no translation"
        if reason:
            return line.refused(word, reason)
        statement = Statement(word, line["translation_value"])
        return self._row(line, line["subject_id"], statement, attribute, language)

    def in_lay_words(self, line: Line) -> Row:
        """A row of the table of layperson's words: one synonym."""
        literal = _LITERAL.fullmatch(line[WORDING])
        if not literal or not literal[1].strip():
            return line.refused(_LAYPERSON, "the row has no layperson's word in quotes")
        if (literal["language"] or "en").casefold() not in LANGUAGES:
            return line.refused(
                _LAYPERSON, f"the graph keeps names in {' and '.join(LANGUAGES)} only"
            )
        statement = Statement(_LAYPERSON, unescape(literal[1]).strip())
        identifier = line[TERM].removeprefix("<").removesuffix(">")
        attribute = self._words.attributes[_LAYPERSON]
        return self._row(
            line, identifier, statement, attribute, (literal["language"] or "en").casefold()
        )

    def _word(self, predicate: str) -> str:
        return self._identifiers.compact(predicate) if is_iri(predicate) else predicate or "none"

    def _attribute(self, line: Line, word: str) -> tuple[str, str | None]:
        """What a row's word means for this translation, or why it means nothing."""
        attribute = self._words.attributes.get(word)
        if attribute is None:
            return "", self._words.why_not(word)
        status = line["translation_status"] or "none"
        if status not in (_ACCEPTED, *_PROPOSED):
            return "", f"the status of the translation is {status[:100]}"
        precision = line["translation_precision"] or "EXACT"
        if precision in ("BROADER", "NARROWER"):
            return "", f"the translation is {precision.casefold()} than what is translated"
        if status == _ACCEPTED and precision == "EXACT":
            return attribute, None
        if attribute == "HAS_DEFINITION":
            return "", "the translation of the definition is not accepted or not exact"
        return "HAS_RELATED_SYNONYM", None

    def _row(
        self, line: Line, written: str, statement: Statement, attribute: str, language: str
    ) -> Row:
        end = self._end(self._identifiers.spelled(written))
        if isinstance(end, str):
            return line.refused(statement.word, end)
        problem = self._curies.problem(end.id)
        head = (line.file, line.row, statement.word, end.id, end.type, end.name or None)
        return (
            Assertion(*head, attribute, value=statement.value, language=language, problem=problem),
        )

    def _end(self, identifier: str) -> Term | str:
        """The term of an id, or the reason why it has none."""
        if not identifier:
            return "the row names no term"
        if self._terms:
            why = self._terms.unusable.get(identifier, "it is not in the ontology's file")
            return self._terms.find(identifier) or f"{identifier} is not a term in use: {why}"
        node_type = self._types.of_id(identifier)
        return Term(identifier, "", node_type) if node_type else _why_untyped(identifier)


def _why_untyped(identifier: str) -> str:
    if identifier in ROOTS:
        return "the root of all terms is above every node type"
    return f"no node type for the prefix {prefix(identifier)[:100]}; add it to 'types'"

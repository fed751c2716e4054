"""Assertions from each record of an ontology."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from ingest.assertions import Assertion, Quarantined
from ingest.equivalence import prefix
from ingest.sources.curies import Curies
from ingest.sources.ontology.cross_references import AssertionHead, cross_reference
from ingest.sources.ontology.record import Record, Statement
from ingest.sources.ontology.terms import Term, Terms
from ingest.sources.ontology.types import TermTypes
from ingest.sources.relations import Mapped, RelationMap
from ingest.sources.writing import record_json
from kg.vocabulary import RELATION_TYPES

_Item = Assertion | Quarantined
_NAMELESS = "the file does not name it"
_IDS = frozenset({"HAS_XREF", "HAS_EXACT_MATCH", "HAS_FORMER_ID"})


_RECORD_TAGS: Final = frozenset(
    {
        *("namespace", "consider", "subset", "comment", "created_by", "creation_date"),
        *("is_anonymous", "builtin"),
    }
)
_RECORD_PREFIXES: Final = frozenset(
    {"dc", "dcterms", "dc11", "dct", "terms", "rdfs", "foaf", "schema"}
)
_RECORD_PROPERTIES: Final = frozenset(
    {
        *("oboInOwl:created_by", "oboInOwl:creation_date", "oboInOwl:id", "oboInOwl:inSubset"),
        *("oboInOwl:date", "oboInOwl:shorthand", "seeAlso"),
        *("IAO:0000114", "IAO:0000116", "IAO:0000117", "IAO:0000119"),  # status, notes, editor
        *("IAO:0000231", "IAO:0000232", "IAO:0000233", "IAO:0000234"),  # why obsolete, tracker
    }
)
"""Words about the record of a term only: who wrote it, when, in which subset."""


class _End(NamedTuple):
    id: str
    type: str
    name: str | None


class Statements:
    """Turns the records of one file into assertions, and counts them.

    Args:
        file: its name.
        terms: in use.
        types: of terms of other ontologies.
        words: the relation map.
    """

    def __init__(self, file: str, terms: Terms, types: TermTypes, words: RelationMap) -> None:
        self.rows: Counter[str] = Counter()
        """Records by original relation: a term counts once for each of its words, or
        once as a whole if it is not in use."""
        self._file = file
        self._terms = terms
        self._types = types
        self._words = words
        self._curies = Curies()

    def of(self, records: Iterable[Record]) -> Iterator[_Item]:
        """The assertions of all records, in file order."""
        for record in records:
            if reason := self._why_unusable(record):
                yield from self._unusable(record, reason)
            else:
                yield from self._usable(record)

    def _why_unusable(self, record: Record) -> str | None:
        if record.broken:
            return record.broken
        if record.fragment and not self._is_mapped(record.kind):
            return self._words.why_not(record.kind)
        if not (record.fragment or record.is_term):
            return f"a {record.kind} defines no entity"
        if record.id in self._terms.in_use:
            return None
        unusable = self._terms.unusable.get(record.id or "")
        if not record.fragment:
            return unusable or "the term has no id or no name"
        return f"{record.id or 'no id'} is not a term in use: {unusable or _NAMELESS}"

    def _is_mapped(self, word: str) -> bool:
        return word in self._words.attributes or word in self._words.relations

    def _unusable(self, record: Record, reason: str) -> Iterator[_Item]:
        """A former id of the term that replaces it, else one quarantined record."""
        replacement = self._terms.find(record.id or "")
        if record.obsolete and record.id and replacement:
            head = self._head(record.row, "replaced_by", replacement)
            yield from cross_reference(head, record.id, self._curies, "HAS_FORMER_ID")
            self.rows["replaced_by"] += 1
        else:
            statements = [(each.word, each.value) for each in record.statements]
            text = record_json({"kind": record.kind, "id": record.id, "said": statements})
            yield Quarantined(self._file, record.row, record.kind, reason, text)
            self.rows[record.kind] += 1

    def _usable(self, record: Record) -> Iterator[_Item]:
        term = self._terms.in_use[record.id or ""]
        by_word: dict[str, list[Statement]] = {}
        for statement in record.statements:
            if not _is_about_record(statement.word):
                by_word.setdefault(statement.word, []).append(statement)
        for word, statements in by_word.items():
            self.rows[word] += 1
            head = self._head(record.row, word, term)
            if attribute := self._words.attributes.get(word):
                for statement in statements:
                    yield from self._attribute(head, attribute, statement)
            elif mapped := self._words.relations.get(word):
                yield from (self._edge(head, mapped, term, statement) for statement in statements)
            else:
                reason = self._words.why_not(word)
                values = {
                    "id": term.id,
                    "name": term.name,
                    word: [each.value for each in statements],
                }
                yield Quarantined(self._file, record.row, word, reason, record_json(values))

    def _head(self, row: int, word: str, term: Term) -> AssertionHead:
        return AssertionHead(self._file, row, word, term.id, term.type, term.name)

    def _attribute(
        self, head: AssertionHead, attribute: str, statement: Statement
    ) -> Iterator[Assertion]:
        problem = statement.problem or self._curies.problem(head.id)
        if attribute not in _IDS:
            yield Assertion(*head, attribute, value=statement.value, problem=problem)
            return
        if attribute == "HAS_FORMER_ID" and statement.value in self._terms.in_use:
            problem = f"{statement.value} is itself a term in use"
        yield from cross_reference(head, statement.value, self._curies, attribute, problem)

    def _edge(
        self,
        record_head: AssertionHead,
        mapped: tuple[Mapped, ...],
        term: Term,
        statement: Statement,
    ) -> Assertion:
        target = self._terms.find(statement.value)
        identifier = target.id if target else statement.value
        other_type = target.type if target else self._types.of_id(identifier)
        chosen = next((m for m in mapped if _fits(m, term.type, other_type)), None)
        problem = statement.problem or self._why_no_end(term, identifier, target, other_type)
        if chosen is None and problem is None:
            problem = f"{record_head.original_relation} says nothing that the graph holds of a {term.type} and a {other_type}"
        chosen = chosen or mapped[0]
        term_end = _End(term.id, term.type, term.name)
        other_end = _End(identifier, other_type or term.type, target.name if target else None)
        head, tail = (other_end, term_end) if chosen.inverted else (term_end, other_end)
        return Assertion(
            *record_head._replace(id=head.id, type=head.type, name=head.name),
            chosen.relation,
            tail=tail.id,
            tail_type=tail.type,
            tail_name=tail.name,
            problem=problem,
        )

    def _why_no_end(
        self, term: Term, other: str, target: Term | None, other_type: str | None
    ) -> str | None:
        if problem := self._curies.problem(term.id) or self._curies.problem(other):
            return problem
        if other == term.id:
            return "the term is related to itself"
        unusable = self._terms.unusable.get(other)
        if unusable is None and prefix(other) == prefix(term.id):
            unusable = _NAMELESS
        if target is None and unusable:
            return f"{other} is not a term in use: {unusable}"
        if other_type is None:
            return f"no node type for the prefix {prefix(other)}; add it to 'types'"
        return None


def _fits(mapped: Mapped, own_type: str, other_type: str | None) -> bool:
    """Whether a mapped relation connects a term with another node."""
    head, tail = (other_type, own_type) if mapped.inverted else (own_type, other_type)
    relation = RELATION_TYPES[mapped.relation]
    return (
        (mapped.head is None or mapped.head == head)
        and (mapped.tail is None or mapped.tail == tail)
        and head in relation.domain
        and tail in relation.range
        and (head == tail or not relation.same_type)
    )


def _is_about_record(word: str) -> bool:
    """Whether a word is about the record of a term, not about its meaning."""
    return (
        word in _RECORD_TAGS
        or word in _RECORD_PROPERTIES
        or word.partition(":")[0] in _RECORD_PREFIXES
    )

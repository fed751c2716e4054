"""What each record of an ontology says, as assertions."""

from collections import Counter
from collections.abc import Iterable, Iterator

from ingest.assertions import Assertion, Quarantined
from ingest.equivalence import prefix
from ingest.sources.curies import Curies
from ingest.sources.ontology.cross_references import About, cross_reference
from ingest.sources.ontology.record import Record, Said
from ingest.sources.ontology.terms import Term, Terms
from ingest.sources.ontology.types import TermTypes
from ingest.sources.ontology.words import is_about_the_record
from ingest.sources.relations import Mapped, RelationMap
from ingest.sources.writing import record_json
from kg.vocabulary import RELATION_TYPES

_Item = Assertion | Quarantined
_End = tuple[str, str, str | None]
_NAMELESS = "the file does not name it"
_IDS = frozenset({"HAS_XREF", "HAS_EXACT_MATCH", "HAS_FORMER_ID"})


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
        """Records by original relation: a term is one for each word that is said of it, or
        one as a whole where it is not in use."""
        self._file = file
        self._terms = terms
        self._types = types
        self._words = words
        self._curies = Curies()

    def of(self, records: Iterable[Record]) -> Iterator[_Item]:
        """What all records say, in file order."""
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
        instead = self._terms.find(record.id or "")
        if record.obsolete and record.id and instead:
            about = self._about(record.row, "replaced_by", instead)
            yield from cross_reference(about, record.id, self._curies, "HAS_FORMER_ID")
            self.rows["replaced_by"] += 1
        else:
            said = [(one.word, one.value) for one in record.said]
            text = record_json({"kind": record.kind, "id": record.id, "said": said})
            yield Quarantined(self._file, record.row, record.kind, reason, text)
            self.rows[record.kind] += 1

    def _usable(self, record: Record) -> Iterator[_Item]:
        term = self._terms.in_use[record.id or ""]
        by_word: dict[str, list[Said]] = {}
        for said in record.said:
            if not is_about_the_record(said.word):
                by_word.setdefault(said.word, []).append(said)
        for word, given in by_word.items():
            self.rows[word] += 1
            about = self._about(record.row, word, term)
            if attribute := self._words.attributes.get(word):
                for said in given:
                    yield from self._attribute(about, attribute, said)
            elif mapped := self._words.relations.get(word):
                yield from (self._edge(about, mapped, term, said) for said in given)
            else:
                reason = self._words.why_not(word)
                values = {"id": term.id, "name": term.name, word: [one.value for one in given]}
                yield Quarantined(self._file, record.row, word, reason, record_json(values))

    def _about(self, row: int, word: str, term: Term) -> About:
        return self._file, row, word, term.id, term.type, term.name

    def _attribute(self, about: About, attribute: str, said: Said) -> Iterator[Assertion]:
        problem = said.problem or self._curies.problem(about[3])
        if attribute not in _IDS:
            yield Assertion(*about, attribute, value=said.value, problem=problem)
            return
        if attribute == "HAS_FORMER_ID" and said.value in self._terms.in_use:
            problem = f"{said.value} is itself a term in use"
        yield from cross_reference(about, said.value, self._curies, attribute, problem)

    def _edge(self, about: About, mapped: tuple[Mapped, ...], term: Term, said: Said) -> Assertion:
        target = self._terms.find(said.value)
        identifier = target.id if target else said.value
        other_type = target.type if target else self._types.of_id(identifier)
        chosen = next((m for m in mapped if _fits(m, term.type, other_type)), None)
        problem = said.problem or self._why_no_end(term, identifier, target, other_type)
        if chosen is None and problem is None:
            problem = (
                f"{about[2]} says nothing that the graph holds of a {term.type} and a {other_type}"
            )
        chosen = chosen or mapped[0]
        own: _End = (term.id, term.type, term.name)
        other: _End = (identifier, other_type or term.type, target.name if target else None)
        head, tail = (other, own) if chosen.inverted else (own, other)
        return Assertion(
            *(*about[:3], *head, chosen.relation),
            tail=tail[0],
            tail_type=tail[1],
            tail_name=tail[2],
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
    """Whether a mapped relation connects a term with another thing."""
    head, tail = (other_type, own_type) if mapped.inverted else (own_type, other_type)
    relation = RELATION_TYPES[mapped.relation]
    return (
        (mapped.head is None or mapped.head == head)
        and (mapped.tail is None or mapped.tail == tail)
        and head in relation.domain
        and tail in relation.range
        and (head == tail or not relation.same_type)
    )

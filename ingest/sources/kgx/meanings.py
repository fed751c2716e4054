"""The meaning of a predicate between two types of nodes."""

from collections.abc import Iterator
from dataclasses import dataclass

from ingest.sources.relations import Mapped, RelationMap
from kg.vocabulary import RELATION_TYPES


@dataclass(frozen=True)
class Meaning:
    """A relation or an attribute; or why there is neither."""

    relation: str | None = None
    inverted: bool = False
    """The subject is the tail."""
    attribute: str | None = None
    why_not: str | None = None


class Meanings:
    """Of all predicates."""

    def __init__(self, relations: RelationMap) -> None:
        self._relations = relations
        self._by_types = {
            (word, *ends): Meaning(mapped.relation, mapped.inverted)
            for word, several in relations.relations.items()
            for mapped in reversed(several)  # the first of several wins
            for ends in _ends(mapped)
        }

    def of(self, word: str, subject: str, object_: str) -> Meaning:
        """The meaning of a word of relations.yaml.

        Args:
            word: the predicate with what qualifies it.
            subject: node type.
            object_: node type.
        """
        if meaning := self._by_types.get((word, subject, object_)):
            return meaning
        if attribute := self._relations.attributes.get(word):
            return Meaning(attribute=attribute)
        if word in self._relations.relations:
            return Meaning(why_not=f"'{word}' says nothing between {subject} and {object_}")
        return Meaning(why_not=self._relations.why_not(word))


def _ends(mapped: Mapped) -> Iterator[tuple[str, str]]:
    """Types of subject and object."""
    relation = RELATION_TYPES[mapped.relation]
    for head in relation.domain if mapped.head is None else {mapped.head}:
        for tail in relation.range if mapped.tail is None else {mapped.tail}:
            if head == tail or not relation.same_type:
                yield (tail, head) if mapped.inverted else (head, tail)

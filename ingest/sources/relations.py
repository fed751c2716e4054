"""Maps a source's own words for relations to relations of the graph.

Each reader has its map as data, ``relations.yaml`` beside it::

    relations:
      symptom: {relation: HAS_SYMPTOM, head: Disease, tail: Symptom}
      treats: {relation: TREATED_BY, head: Disease, tail: Drug, inverted: true}
      related:                        # depends on what it connects
        - {relation: COMPLICATED_BY, head: Disease, tail: Disease}
        - {relation: HAS_SYMPTOM, head: Disease, tail: Symptom}

Attributes:
      alias: HAS_SYNONYM
    quarantined:
      manufacturer: who makes a drug is no medical fact

A word that the map lacks is quarantined like those that it names there, with
another reason: nothing is dropped, nothing guessed.
"""

from collections.abc import Iterator
from typing import Annotated, Any, Self

from pydantic import BaseModel, BeforeValidator, model_validator

from kg.shipped import shipped_table
from kg.vocabulary import ATTRIBUTES, NODE_TYPES, RELATION_TYPES


class Mapped(BaseModel, frozen=True, extra="forbid"):
    """One meaning of a word; the types are those of the graph's edge."""

    relation: str
    head: str | None = None
    """Node type; None if each row has its own."""
    tail: str | None = None
    inverted: bool = False
    """The source's first end is the tail."""

    @model_validator(mode="after")
    def _is_in_the_vocabulary(self) -> Self:
        relation = RELATION_TYPES.get(self.relation)
        if relation is None:
            raise ValueError(f"{self.relation!r} is no relation type of the vocabulary")
        if not relation.fact:
            raise ValueError(f"{self.relation} is what models predict; no source states it")
        for end, allowed in ((self.head, relation.domain), (self.tail, relation.range)):
            if end is not None and end not in NODE_TYPES:
                raise ValueError(f"{end!r} is no node type of the vocabulary")
            if end is not None and end not in allowed:
                raise ValueError(f"{self.relation} does not connect {end}")
        return self


def _several(value: Any) -> Any:  # noqa: ANN401 - whatever YAML holds; pydantic checks it
    return value if isinstance(value, list) else [value]


class RelationMap(BaseModel, frozen=True, extra="forbid"):
    """All words that a source has for relations and attributes."""

    relations: dict[str, Annotated[tuple[Mapped, ...], BeforeValidator(_several)]] = {}
    attributes: dict[str, str] = {}
    """Attribute of the vocabulary by word."""
    quarantined: dict[str, str] = {}
    """Why a word has no relation in the graph, by word."""

    @model_validator(mode="after")
    def _maps_each_word_once(self) -> Self:
        for word, attribute in self.attributes.items():
            if attribute not in ATTRIBUTES:
                raise ValueError(f"{word}: {attribute!r} is no attribute of the vocabulary")
        words = list(self.words())
        if twice := sorted({word for word in words if words.count(word) > 1}):
            raise ValueError(f"{twice[0]!r} is listed twice")
        return self

    @classmethod
    def of(cls, package: str) -> Self:
        """The map beside a reader.

        Args:
            package: of the reader, such as ``ingest.sources.sider``.
        """
        return cls.model_validate(shipped_table(package, "relations.yaml"))

    def words(self) -> Iterator[str]:
        """Every word that it knows."""
        yield from (*self.relations, *self.attributes, *self.quarantined)

    def why_not(self, word: str) -> str:
        """Why a row with this word is quarantined."""
        return self.quarantined.get(word, f"the graph has no relation for {word[:200]!r}")

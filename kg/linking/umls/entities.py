"""The entities of a graph that UMLS may have concepts for, with their names and CUIs."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import pyarrow as pa

from kg.linking.names import Names
from kg.linking.umls.semantic_types import TYPES_OF
from kg.linking.umls.wording import numbers, words_that_count
from kg.stores.store import Store
from kg.text.canonical import canonical

KEYED: Final = pa.schema(
    [
        ("id", pa.string()),
        ("type", pa.string()),
        ("key", pa.string()),
        ("preferred", pa.bool_()),
    ]
)
"""One row a name of an entity, by its key."""

SHORT: Final = 4
"""The most letters that an abbreviation has."""


@dataclass(frozen=True)
class Entity:
    """An entity of the graph that may have a CUI."""

    id: str
    type: str
    names: tuple[str, ...]
    """In all languages, the preferred ones first."""
    preferred: int
    """How many of the names are preferred."""
    cuis: frozenset[str]
    """The CUIs that a source states."""

    @cached_property
    def linkable_names(self) -> tuple[str, ...]:
        """The names that it may be linked by, one for each key.

        Abbreviations are ambiguous, and an ontology that calls something 'Alzheimer disease 3'
        may list 'Alzheimer disease' among its synonyms: a name that is not
        preferred is left out if it is short, or has no number where a preferred name has one.
        """
        names: dict[str, str] = {}
        numbered = any(map(numbers, self.names[: self.preferred]))
        for position, name in enumerate(self.names):
            key = canonical(name)
            short = len(key) <= SHORT and key.isascii()
            if key and (
                position < self.preferred or not (short or (numbered and not numbers(name)))
            ):
                names.setdefault(key, name)
        return tuple(names.values())

    @cached_property
    def preferred_names(self) -> tuple[str, ...]:
        """The preferred names."""
        return tuple(name for name in self.linkable_names if name in self.names[: self.preferred])

    @cached_property
    def wordings(self) -> frozenset[tuple[str, ...]]:
        """The words that count in each of its names."""
        return frozenset(map(words_that_count, self.names))


def read_entities(store: Store, layer: str) -> list[Entity]:
    """All entities of the types that UMLS covers, by id.

    Args:
        store: the graph.
        layer: name of the layer whose CUIs do not count, as it is to be made anew.

    Raises:
        StoreError: the store failed.
    """
    stated: dict[str, set[str]] = {}
    for id_, cui, _ in store.query("entity.cuis_of_others", layer=layer).rows:
        stated.setdefault(str(id_), set()).add(str(cui))
    table = Names.of_store(store).table
    columns = (table[name].to_pylist() for name in ("id", "type", "name", "preferred"))
    names: dict[tuple[str, str], dict[str, bool]] = {}
    for id_, type_, name, preferred in zip(*columns, strict=True):
        if type_ in TYPES_OF:
            preferred_by_name = names.setdefault((id_, type_), {})
            preferred_by_name[name] = preferred_by_name.get(name, False) or preferred
    return [
        Entity(
            id_,
            type_,
            tuple(sorted(preferred_by_name, key=lambda name: (not preferred_by_name[name], name))),
            sum(preferred_by_name.values()),
            frozenset(stated.get(id_, ())),
        )
        for (id_, type_), preferred_by_name in sorted(names.items())
    ]


def keyed(entities: Collection[Entity]) -> pa.Table:
    """The names of entities as a table of KEYED."""
    rows = [
        (entity.id, entity.type, canonical(name), name in entity.names[: entity.preferred])
        for entity in entities
        for name in entity.linkable_names
    ]
    columns = zip(*rows, strict=True) if rows else ((),) * len(KEYED)
    return pa.table(list(map(list, columns)), schema=KEYED)

"""Finds entities by id or name, and relations by name, among those that a model knows."""

from functools import cached_property
from typing import Final

from rapidfuzz import process

from kg.embeddings.triples import BoolArray, Split
from kg.errors import EmbeddingError

_NEAREST: Final = 5


class Lookup:
    """From what people write to positions."""

    def __init__(self, split: Split) -> None:
        self._entities, self._relations = split.entities, split.relations

    def entity(self, told: str, fitting: BoolArray | None = None) -> int:
        """Position of an entity by its id or name.

        Args:
            told: id or name.
            fitting: which entities are meant if several have the name, shape (entities,).

        Raises:
            EmbeddingError: none or several have the name.
        """
        if (place := self._by_id.get(told)) is not None:
            return place
        places = self._by_name.get(told.casefold(), [])
        if fitting is not None:
            places = [place for place in places if fitting[place]] or places
        if len(places) == 1:
            return places[0]
        ids = self._entities.ids
        if places:
            raise EmbeddingError(
                f"{told!r} is the name of {', '.join(ids[place] for place in places)}; "
                "give the id of the one that is meant"
            )
        raise EmbeddingError(f"the model knows no entity {told!r}; {self._nearest(told)}")

    def relation(self, told: str) -> int:
        """Position of a relation.

        Raises:
            EmbeddingError: there is none of that name.
        """
        names = self._relations
        if told in names:
            return names.index(told)
        near = process.extract(told.upper(), names, limit=_NEAREST, processor=str.upper)
        raise EmbeddingError(
            f"the model knows no relation {told!r}; the nearest are "
            f"{', '.join(name for name, *_ in near)}"
        )

    def _nearest(self, told: str) -> str:
        """The nearest names and their ids; ids alone where an id is told, or names are unknown."""
        ids, names = self._entities.ids, self._entities.names
        if names is None or ":" in told:
            near = process.extract(told, ids, limit=_NEAREST)
            return f"the nearest are {', '.join(entity for entity, *_ in near)}"
        near = process.extract(told.casefold(), names, limit=_NEAREST, processor=str.casefold)
        return "the nearest are " + ", ".join(f"{name} ({ids[place]})" for name, _, place in near)

    @cached_property
    def _by_id(self) -> dict[str, int]:
        return {entity: place for place, entity in enumerate(self._entities.ids)}

    @cached_property
    def _by_name(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for place, name in enumerate(self._entities.names or ()):
            found.setdefault(name.casefold(), []).append(place)
        return found

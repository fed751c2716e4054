"""The types of names that an earlier graph knows."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final, Self

import pyarrow.parquet as pq

from kg.errors import SourceError
from kg.tables import GraphTables
from kg.text.canonical import canonical
from kg.vocabulary import NODE_TYPES

_COLUMNS: Final = ("name", "name_zh", "synonyms", "synonyms_zh")


class KnownNames:
    """Types by name."""

    def __init__(self, types: dict[str, frozenset[str]] | None = None) -> None:
        self._types = types or {}

    @classmethod
    def of_tables(cls, folder: Path | None, wanted: frozenset[str]) -> Self:
        """The names in a folder of graph tables; none without a folder.

        Args:
            folder: what a build left as ``tables/``.
            wanted: node types whose names matter.

        Raises:
            SourceError: the folder has no node table.
        """
        if folder is None:
            return cls()
        path = GraphTables(folder).nodes
        if not path.is_file():
            raise SourceError(
                f"{folder}: there are no graph tables here; give 'names' the folder tables/ of a build"
            )
        types: dict[str, set[str]] = {}
        for batch in pq.ParquetFile(path).iter_batches(columns=["type", *_COLUMNS]):
            for row in batch.to_pylist():
                if row["type"] in wanted:
                    for name in _names(row):
                        types.setdefault(canonical(name), set()).add(row["type"])
        return cls({name: frozenset(kinds) for name, kinds in types.items()})

    def told(self, name: str, allowed: Iterable[str]) -> str | None:
        """The type of a name where it has one of the allowed ones; the first of several."""
        kinds = self._types.get(canonical(name), frozenset()) if self._types else frozenset()
        return next((kind for kind in allowed if kind in kinds), None)


def _names(row: dict[str, str | list[str] | None]) -> Iterable[str]:
    for column in _COLUMNS:
        value = row[column]
        yield from value if isinstance(value, list) else filter(None, (value,))


WANTED: Final = frozenset(NODE_TYPES) - {"Concept", "Section"}

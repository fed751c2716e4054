"""What scores need of a graph: its hierarchy, and sparse matrices of its edges."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from kg.stores.store import Store

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Rows:
    """A sparse matrix: row r has the columns and values from ``starts[r]`` to ``starts[r + 1]``."""

    starts: Integers
    """Shape (rows + 1,)."""
    columns: Integers
    """Shape (values,)."""
    values: Floats
    """Shape (values,)."""
    width: int
    """Number of columns."""

    @classmethod
    def of(cls, rows: Integers, columns: Integers, values: Floats, shape: tuple[int, int]) -> Self:
        """From values in the order of their rows."""
        return cls(np.searchsorted(rows, np.arange(shape[0] + 1)), columns, values, shape[1])

    @classmethod
    def greatest(
        cls, rows: Integers, columns: Integers, values: Floats, shape: tuple[int, int]
    ) -> Self:
        """From values in any order; the greatest if there are several of one cell."""
        keys = rows * shape[1] + columns
        order = np.argsort(keys, kind="stable")
        places, first = np.unique(keys[order], return_index=True)
        maxima = np.maximum.reduceat(values[order], first)
        return cls.of(places // shape[1], places % shape[1], maxima, shape)

    def __len__(self) -> int:
        return len(self.starts) - 1

    def lengths(self, rows: Integers) -> Integers:
        """Number of values of each of these rows."""
        lengths: Integers = self.starts[rows + 1] - self.starts[rows]
        return lengths

    def places(self, rows: Integers) -> Integers:
        """Positions of the values of these rows, one row after the other."""
        lengths = self.lengths(rows)
        shifts = self.starts[rows] - (np.cumsum(lengths) - lengths)
        places: Integers = np.arange(int(lengths.sum())) + np.repeat(shifts, lengths)
        return places

    def of_each(self) -> Integers:
        """The row of every value."""
        return np.repeat(np.arange(len(self)), np.diff(self.starts))

    def at(self, rows: Integers, columns: Integers) -> Floats:
        """The values of these cells, all of which exist."""
        keys = self.of_each() * self.width + self.columns
        return self.values[np.searchsorted(keys, rows * self.width + columns)]

    def column_sums(self, rows: Integers | None = None) -> Floats:
        """The sum of every column, over all rows or these."""
        places = slice(None) if rows is None else self.places(rows)
        return summed(self.columns[places], self.values[places], self.width)

    def transposed(self) -> "Rows":
        """Columns as rows."""
        order = np.argsort(self.columns, kind="stable")
        shape = (self.width, len(self))
        return Rows.of(self.columns[order], self.of_each()[order], self.values[order], shape)


def summed(numbers: Integers, values: Floats, width: int) -> Floats:
    """The sum of the values of each number from 0 to width; shape (width,)."""
    return np.bincount(numbers, values, width).astype(np.float64, copy=False)


def parents_of(store: Store, *types: str) -> dict[str, list[str]]:
    """The direct parents of each entity of these types in the hierarchy.

    Raises:
        StoreError: the store failed.
    """
    parents: dict[str, list[str]] = {}
    for type_ in types:
        for child, parent in store.query("graph.hierarchy", entity_type=type_).rows:
            parents.setdefault(str(child), []).append(str(parent))
    return parents


def ancestors(start: str, parents: Mapping[str, Iterable[str]]) -> set[str]:
    """All ancestors of an entity in the hierarchy, without itself, also where it has a cycle."""
    visited: set[str] = set()
    pending = [start]
    while pending:
        new = {up for up in parents.get(pending.pop(), ()) if up not in visited}
        visited |= new
        pending += new
    return visited - {start}


def relatives(
    diseases: Mapping[str, int], parents: Mapping[str, Iterable[str]]
) -> list[list[int]]:
    """By number of a disease, its own number and those of its descendants and ancestors."""
    kin = [[number] for number in range(len(diseases))]
    for disease, number in diseases.items():
        for ancestor in ancestors(disease, parents):
            if ancestor in diseases:
                kin[number].append(diseases[ancestor])
                kin[diseases[ancestor]].append(number)
    return kin

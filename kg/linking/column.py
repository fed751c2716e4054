"""A column of an Arrow table, read like a list.

A question looks at a few dozen of a million cells, and to make Python's strings of them all takes
a quarter of a second. So cells are read one by one, until so many are wanted that a list is faster.
"""

from collections.abc import Iterator, Sequence
from typing import TypeVar, overload

import pyarrow as pa

T = TypeVar("T")

_FEW = 1000
"""Cells that are read one by one, at a microsecond each; a list of all takes some milliseconds."""


class Column(Sequence[T]):
    """A column whose cells are ``T``; threads may share it."""

    def __init__(self, cells: pa.ChunkedArray) -> None:
        # one chunk: a cell of several is sought in each
        self._cells = cells.combine_chunks() if cells.num_chunks != 1 else cells.chunk(0)
        self._list: list[T] | None = None
        self._read = 0

    def __len__(self) -> int:
        return len(self._cells)

    @overload
    def __getitem__(self, at: int) -> T: ...
    @overload
    def __getitem__(self, at: slice) -> list[T]: ...
    def __getitem__(self, at: int | slice) -> T | list[T]:
        if self._list is not None:
            return self._list[at]
        if isinstance(at, slice):
            return self._listed()[at]
        self._read += 1
        if self._read > _FEW:
            return self._listed()[at]
        cell: T = self._cells[at].as_py()
        return cell

    def __iter__(self) -> Iterator[T]:
        return iter(self._listed())

    def __arrow_array__(self, type: pa.DataType | None = None) -> pa.Array:  # noqa: A002 -- as Arrow calls it
        return self._cells if type is None else self._cells.cast(type)

    def _listed(self) -> list[T]:
        if self._list is None:
            self._list = self._cells.to_pylist()
        return self._list

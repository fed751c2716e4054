"""Tables of an index on disk, of which a search reads the few rows and columns that it needs.

Rows lie in compressed batches, each of which is read by itself; metadata lie column by column as
codes, read where they lie. So an index opens at once, however large it is.
"""

import threading
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from kg.errors import RetrievalError

_BATCH: Final = 64
"""Rows that are written, and so read, together."""
_KEPT: Final = 256
"""Batches that stay in memory."""
_MISSING: Final = 0
"""Code of what a record lacks; the others stand for its values, in their order."""

Row = dict[str, Any]


class Rows:
    """The rows of a table that ``write_rows`` wrote; threads may share it."""

    def __init__(self, path: Path) -> None:
        """Open a file.

        Raises:
            OSError: it is not there.
            pa.ArrowException: it is none of these.
        """
        self._path = path
        self._file = pa.ipc.open_file(pa.memory_map(str(path)))  # stays open, should the file go
        self._lock = threading.Lock()
        self._batch = lru_cache(_KEPT)(self._read)
        batches = self._file.num_record_batches
        self._size = self._file.get_batch(0).num_rows if batches else _BATCH

    def __getitem__(self, row: int) -> Row:
        """One row, which the table has.

        Raises:
            RetrievalError: it cannot be read.
        """
        batch, at = divmod(row, self._size)
        return self._row(self._batch(batch), at)

    def __iter__(self) -> Iterator[Row]:
        for batch in range(self._file.num_record_batches):
            yield from self._read(batch).to_pylist()

    def find(self, id_: str) -> Row | None:
        """The row with an id, of a table that is sorted by it; None if it has none.

        Raises:
            RetrievalError: it cannot be read.
        """
        batches = range(self._file.num_record_batches)
        last = bisect_right(batches, id_, key=lambda n: self._batch(n)["id"][0].as_py()) - 1
        if last < 0:
            return None
        batch = self._batch(last)
        at = bisect_left(range(len(batch)), id_, key=lambda n: batch["id"][n].as_py())
        row = self._row(batch, at) if at < len(batch) else None
        return row if row and row["id"] == id_ else None

    def _row(self, batch: pa.RecordBatch, at: int) -> Row:
        try:
            [row] = batch.slice(at, 1).to_pylist()
        except ValueError as e:
            raise _damaged(self._path, e) from e
        return cast("Row", row)

    def _read(self, batch: int) -> pa.RecordBatch:
        try:
            with self._lock:
                return self._file.get_batch(batch)
        except (pa.ArrowException, OSError, ValueError) as e:
            raise _damaged(self._path, e) from e


def _damaged(path: Path, error: Exception) -> RetrievalError:
    problem = " ".join(str(error).split())
    return RetrievalError(
        f"{path}: the file is damaged ({problem}); copy the whole folder of the index again, or "
        "delete it and index anew"
    )


class Columns:
    """The metadata of records that ``write_columns`` wrote, by their keys; threads may share it."""

    def __init__(self, path: Path) -> None:
        """Open a file.

        Raises:
            OSError: it is not there.
            pa.ArrowException: it is none of these.
        """
        self._path = path
        file = pa.ipc.open_file(pa.memory_map(str(path)))
        self._columns: pa.RecordBatch = file.get_batch(0)
        self.keys: frozenset[str] = frozenset(file.schema.names)

    def has_any(self, key: str, values: Iterable[str]) -> NDArray[np.bool_]:
        """Which records have one of the values for a key that some record has, shape (records,).

        Raises:
            RetrievalError: the file cannot be read.
        """
        try:
            return self._has_any(key, values)
        except (pa.ArrowException, OSError, ValueError) as e:
            raise _damaged(self._path, e) from e

    def _has_any(self, key: str, values: Iterable[str]) -> NDArray[np.bool_]:
        column = self._columns.column(key)
        known = column.dictionary
        codes = set[int]()
        for value in values:
            at = bisect_left(range(1, len(known)), value, key=lambda n: known[n].as_py()) + 1
            if at < len(known) and known[at].as_py() == value:
                codes.add(at)
        return np.isin(_codes(column), list(codes))


def _codes(column: pa.DictionaryArray) -> NDArray[np.int32]:
    """Those of a column where they lie; ``to_numpy`` would import pandas first."""
    _, data = column.indices.buffers()
    return np.frombuffer(data, np.int32, len(column), 4 * column.indices.offset)


def write_rows(table: pa.Table, path: Path) -> None:
    """Write a table as ``Rows`` reads it."""
    options = pa.ipc.IpcWriteOptions(compression="zstd")
    with pa.ipc.new_file(str(path), table.schema, options=options) as file:
        for start in range(0, len(table), _BATCH):  # none is shorter, but the last
            file.write_table(table.slice(start, _BATCH).combine_chunks())


def read_table(path: Path, schema: pa.Schema) -> pa.Table:
    """The whole table of a file that ``write_rows`` wrote.

    Raises:
        pa.ArrowException: it is none of these, or has other columns.
    """
    with pa.memory_map(str(path)) as file:
        return pa.ipc.open_file(file).read_all().cast(schema)


def write_columns(metadata: Collection[dict[str, str]], path: Path) -> None:
    """Write the metadata of each record as ``Columns`` reads them."""
    keys = sorted({key for each in metadata for key in each})
    columns = []
    for key in keys:
        values = sorted({each[key] for each in metadata if key in each})
        code_of = {value: code for code, value in enumerate(values, 1)}
        codes = [code_of[each[key]] if key in each else _MISSING for each in metadata]
        columns.append(
            pa.DictionaryArray.from_arrays(
                pa.array(codes, pa.int32()), pa.array(["", *values], pa.string())
            )
        )
    batch = pa.RecordBatch.from_arrays(columns, names=keys)
    with pa.ipc.new_file(str(path), batch.schema) as file:
        file.write_batch(batch)

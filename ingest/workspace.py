"""The workspace of a merge: reads, keeps and writes its tables.

Everything else is Ibis expressions, which any engine of Ibis can run.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import ibis
import ibis.expr.types as ir
import pyarrow as pa

from ingest.sources.engine import Resources, table_engine


class Workspace:
    """Tables of one engine, which are dropped with it."""

    def __init__(self, engine: ibis.BaseBackend) -> None:
        self._engine = engine
        self._kept = 0

    @classmethod
    @contextmanager
    def opened(cls, work: Path, resources: Resources) -> Iterator[Self]:
        """A workspace that spills into ``work``, closed when the block ends."""
        with table_engine(work, resources) as engine:
            yield cls(engine)

    def read(self, files: Sequence[Path]) -> ir.Table:
        """The rows of Parquet files with the same columns; at least one file."""
        return self._engine.read_parquet([str(file) for file in files])

    def keep(self, name: str, table: ir.Table) -> ir.Table:
        """Compute a table once, for all later uses.

        Args:
            name: shown in the engine's messages.
            table: to compute.
        """
        self._kept += 1
        return self._engine.create_table(f"{name}_{self._kept}", table, temp=True)

    def write(self, table: ir.Table, file: Path) -> None:
        """Write a Parquet file, rows in the table's order."""
        self._engine.to_parquet(table, file)


def rows_of(table: ir.Table) -> Iterable[tuple[Any, ...]]:
    """The rows of a table, as tuples."""
    for batch in table.to_pyarrow().to_batches():
        yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)


def number_of(table: ir.Table) -> int:
    """Number of rows of a table."""
    return int(table.count().to_pyarrow().as_py())


def strings(columns: dict[str, Sequence[str | None]]) -> ir.Table:
    """A table of strings."""
    return ibis.memtable(
        pa.table({name: pa.array(values, pa.string()) for name, values in columns.items()})
    )

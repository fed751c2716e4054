"""The two tables that every reader leaves: assertions and quarantined records."""

import json
import os
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from errno import EDQUOT, EFBIG, ENOSPC
from pathlib import Path
from typing import Any, Final, Self

import duckdb
import ibis
import ibis.expr.operations as ops
import ibis.expr.types as ir
import pyarrow as pa
import pyarrow.parquet as pq

from ingest.assertions import ASSERTION_COLUMNS, QUARANTINE_COLUMNS, Assertion, Quarantined
from ingest.sources.cleaning import Garbled
from kg.errors import SourceError
from kg.tables import Column, Kind, arrow_schema

_BATCH: Final = 20_000
_NO_ROOM: Final = (ENOSPC, EDQUOT, EFBIG)
_NO_SPACE_MESSAGES: Final = (
    *map(os.strerror, _NO_ROOM),
    "attempted to write 0 bytes",
    "max_temp_directory_size",  # what is left of the disk, unless somebody set less
)
"""In DuckDB's messages, which come without an error number."""
_IBIS: Final = {Kind.STRING: "string", Kind.FLOAT: "float64", Kind.INTEGER: "int64"}


@dataclass(frozen=True)
class ReadResult:
    """What a reader found in its input."""

    rows: dict[str, int]
    """Records by ``original_relation``, counted in the input."""
    garbled: Garbled | None = None
    """What the names look like; not known to the readers themselves."""


@contextmanager
def published(out: Path, source: str) -> Iterator[Path]:
    """A folder to write into that takes the place of ``out`` when the block ends well.

    Its subfolder ``work`` is for what is needed only while the block runs.

    Raises:
        SourceError: the disk is full or not writable, or the memory not
            enough; ``out`` is as it was.
    """
    part = out.with_name(f".{out.name}.part")
    replaced = out.with_name(f".{out.name}.replaced")
    try:
        shutil.rmtree(part, ignore_errors=True)
        (part / "work").mkdir(parents=True)
        yield part
        shutil.rmtree(part / "work")
        shutil.rmtree(replaced, ignore_errors=True)
        if out.exists():
            out.rename(replaced)
        part.rename(out)
        shutil.rmtree(replaced, ignore_errors=True)
    except (OSError, duckdb.IOException, duckdb.OutOfMemoryException) as e:
        raise SourceError(
            f"{out}: the assertions of source {source!r} cannot be {_described(e)}"
        ) from e
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _described(error: OSError | duckdb.Error) -> str:
    """What went wrong while assertions were written, and what to do about it."""
    why = str(error).split("\n", 1)[0].rstrip(".")
    if _is_no_room(error):
        return f"written ({why}); make room on the disk and build again"
    if isinstance(error, duckdb.OutOfMemoryException):
        return f"made ({why}); raise 'memory' in the configuration and build again"
    return f"made ({why}); correct this and build again"


def _is_no_room(error: OSError | duckdb.Error) -> bool:
    if isinstance(error, OSError):
        return error.errno in _NO_ROOM
    return any(message in str(error) for message in _NO_SPACE_MESSAGES)


Row = Sequence[Assertion | Quarantined]
"""What a reader that goes record by record makes of one: at least one item, all with one
original relation."""


def write_rows(rows: Iterable[Row], source: str, folder: Path) -> ReadResult:
    """Write what a record-by-record reader yields, and count the records."""
    counts: Counter[str] = Counter()

    def items() -> Iterator[Assertion | Quarantined]:
        for row in rows:
            counts[row[0].original_relation] += 1
            yield from row

    write_records(items(), source, folder)
    return ReadResult(dict(counts))


def numbered(rows: Iterable[Row]) -> Iterator[Row]:
    """The rows of one file, with their places in it."""
    for number, row in enumerate(rows, 1):
        yield [item._replace(row=number) for item in row]


def write_records(items: Iterable[Assertion | Quarantined], source: str, folder: Path) -> None:
    """Write what a record-by-record reader yields, a batch at a time."""
    with (
        _Table(folder / "assertions.parquet", ASSERTION_COLUMNS) as assertions,
        _Table(folder / "quarantine.parquet", QUARANTINE_COLUMNS) as quarantine,
    ):
        for item in items:
            if isinstance(item, Assertion):
                assertions.add((source, *item))
            else:
                file, row, original_relation, reason, record = item
                quarantine.add((source, file, row, original_relation, "read", reason, record))


def write_tables(
    engine: ibis.BaseBackend,
    assertions: Sequence[ir.Table],
    quarantine: Sequence[ir.Table],
    folder: Path,
) -> None:
    """Write what a reader of tables gives as expressions, by file, row and place in the sequence.

    The engine gives joined rows in an order that depends on how many cores there are.
    """
    for name, tables in (("assertions", assertions), ("quarantine", quarantine)):
        columns = tables[0].columns
        parts = [part for table in tables for part in _parts(table)]
        placed = [part.mutate(place=ibis.literal(at, "int64")) for at, part in enumerate(parts)]
        first = dict.fromkeys(("file", "row", "place", *columns))
        rows = ibis.union(*placed).order_by(*first).select(columns)
        engine.to_parquet(rows, folder / f"{name}.parquet")


def _parts(table: ir.Table) -> Iterator[ir.Table]:
    """The tables that a union is of, in their order; any other table alone."""
    union = table.op()
    if isinstance(union, ops.Union) and not union.distinct:
        yield from _parts(union.left.to_expr())
        yield from _parts(union.right.to_expr())
    else:
        yield table


def as_assertions(table: ir.Table, columns: Mapping[str, Any]) -> ir.Table:
    """One assertion a row of ``table``; columns that are not given are null, language is English."""
    return table.select(**_typed(ASSERTION_COLUMNS, {"language": "en", **columns}))


def as_quarantine(table: ir.Table, columns: Mapping[str, Any]) -> ir.Table:
    """One quarantined record a row of ``table``."""
    return table.select(**_typed(QUARANTINE_COLUMNS, {"stage": "read", **columns}))


def unreadable(bad: ir.Table, columns: Mapping[str, Any]) -> ir.Table:
    """The rows of a file that could not be split into fields, quarantined."""
    return as_quarantine(bad, {**columns, **{n: bad[n] for n in ("row", "reason", "record")}})


def as_json(table: ir.Table, names: Iterable[str]) -> ir.Value:
    """These columns of a row as a JSON object."""

    def value(column: ir.Value) -> ir.Value:
        # JSON has no number for NaN and infinity
        return column.cast("string") if column.type().is_floating() else column

    return ibis.struct({name: value(table[name]) for name in names}).cast("json").cast("string")


def record_json(record: Mapping[str, object]) -> str:
    """A record as JSON."""
    return json.dumps(record, ensure_ascii=False, default=str)


def counted(table: ir.Table, original_relation: ir.Value) -> dict[str, int]:
    """Rows of ``table`` by original relation."""
    counts = table.group_by(name=original_relation).agg(rows=lambda t: t.count())
    return {row["name"]: row["rows"] for row in counts.to_pyarrow().to_pylist()}


def _typed(columns: tuple[Column, ...], values: Mapping[str, Any]) -> dict[str, Any]:
    def value(column: Column) -> ir.Value:
        if column.name not in values:
            return ibis.null(_IBIS[column.kind])
        stated = values[column.name]
        stated = stated if isinstance(stated, ibis.Value) else ibis.literal(stated)
        return stated.cast(_IBIS[column.kind])

    return {column.name: value(column) for column in columns}


class _Table:
    """A Parquet file that grows by rows."""

    def __init__(self, path: Path, columns: tuple[Column, ...]) -> None:
        self._schema = arrow_schema(columns)
        self._writer = pq.ParquetWriter(path, self._schema)
        self._rows: list[tuple[object, ...]] = []

    def add(self, row: tuple[object, ...]) -> None:
        self._rows.append(row)
        if len(self._rows) >= _BATCH:
            self._flush()

    def _flush(self) -> None:
        columns = list(zip(*self._rows, strict=True)) or [()] * len(self._schema)
        arrays = [
            pa.array(column, field.type)
            for column, field in zip(columns, self._schema, strict=True)
        ]
        self._writer.write_table(pa.Table.from_arrays(arrays, schema=self._schema))
        self._rows.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self._flush()
        self._writer.close()

"""Look whether graph tables are whole, before a store takes them."""

from collections.abc import Iterable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from kg.errors import TablesError
from kg.tables import (
    EDGE_COLUMNS,
    MARK_COLUMNS,
    NODE_COLUMNS,
    REMOVED_COLUMNS,
    VECTOR_COLUMNS,
    Column,
    GraphTables,
    Kind,
    TableSummary,
)
from kg.vocabulary import NODE_TYPES, RELATION_TYPES

_AGAIN = "make the tables again with 'medkg build'"


def inspect(tables: GraphTables) -> TableSummary:
    """The tables' summary, once every file has the columns and the rows it should.

    Raises:
        TablesError: a file is missing, cut off, or has other columns or another
            number of rows than the summary says; or a type is not in the vocabulary.
    """
    summary = tables.summary()
    path = tables.folder / "tables.json"
    _known(path, "node type", summary.nodes, NODE_TYPES)
    _check(tables.nodes, NODE_COLUMNS, sum(summary.nodes.values()))
    for counts, file, columns in (
        (summary.edges, tables.edges, EDGE_COLUMNS),
        (summary.removed, tables.removed, REMOVED_COLUMNS),
        (summary.marked, tables.marks, MARK_COLUMNS),
    ):
        _known(path, "relation type", counts, RELATION_TYPES)
        for relation, rows in counts.items():
            _check(file(relation), columns, rows)
    if bool(summary.vectors) != bool(summary.dimensions):
        raise TablesError(
            f"{path}: counts {summary.vectors} vectors of length {summary.dimensions}; {_AGAIN}"
        )
    if summary.vectors:
        _check(tables.vectors, VECTOR_COLUMNS, summary.vectors)
    return summary


def _known(path: Path, what: str, names: Iterable[str], vocabulary: Iterable[str]) -> None:
    if unknown := sorted(set(names) - set(vocabulary)):
        raise TablesError(f"{path}: {unknown[0]!r} is not a {what} of this medkg; {_AGAIN}")


def _check(path: Path, columns: tuple[Column, ...], rows: int) -> None:
    try:
        with pq.ParquetFile(path) as file:
            schema, found = file.schema_arrow, file.metadata.num_rows
    except (OSError, pa.ArrowException) as e:
        raise TablesError(f"{path}: not a whole Parquet file ({e}); {_AGAIN}") from e
    if schema.names != [column.name for column in columns]:
        raise TablesError(
            f"{path}: has the columns {', '.join(schema.names)} and not "
            f"{', '.join(column.name for column in columns)}; {_AGAIN}"
        )
    for column in columns:
        if not _fits(column.kind, kind := schema.field(column.name).type):
            raise TablesError(f"{path}: column {column.name} is {kind}; {_AGAIN}")
    if found != rows:
        raise TablesError(f"{path}: has {found} rows, and tables.json counts {rows}; {_AGAIN}")


def _fits(kind: Kind, type_: pa.DataType) -> bool:
    if kind is Kind.STRINGS:
        is_list = pa.types.is_list(type_) or pa.types.is_large_list(type_)
        return is_list and _fits(Kind.STRING, type_.value_type)
    if kind is Kind.VECTOR:
        return bool(pa.types.is_list(type_) and type_.value_type == pa.float32())
    if kind is Kind.STRING:
        return bool(pa.types.is_string(type_) or pa.types.is_large_string(type_))
    return bool(type_ == {Kind.FLOAT: pa.float64(), Kind.INTEGER: pa.int64()}[kind])

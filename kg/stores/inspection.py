"""Look whether graph tables are whole, before a store takes them."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from kg.errors import TablesError
from kg.records import RECORD_RELATIONS, RECORD_TYPES
from kg.stores.disk import sql_path
from kg.tables import (
    EDGE_COLUMNS,
    MARK_COLUMNS,
    NODE_COLUMNS,
    REMOVED_COLUMNS,
    SPACE,
    VECTOR_COLUMNS,
    VERSION,
    Column,
    GraphTables,
    Kind,
    TableSummary,
)
from kg.vocabulary import NODE_TYPES, RELATION_TYPES

_AGAIN = "make the tables again with 'medkg build'"


def inspect(tables: GraphTables) -> TableSummary:
    """The summary of a build's tables, once every file has the columns and the rows it should.

    Raises:
        TablesError: a file is missing, cut off, or has other columns or another
            number of rows than the summary says; or a type is not in the vocabulary.
    """
    summary = tables.summary()
    path = tables.folder / "tables.json"
    _known(path, "node type", summary.nodes, NODE_TYPES)
    _known(path, "relation type", summary.edges, RELATION_TYPES)
    _check(tables.nodes, NODE_COLUMNS, sum(summary.nodes.values()), NODE_COLUMNS)
    for relation, rows in summary.edges.items():
        _check(tables.edges(relation), EDGE_COLUMNS, rows, EDGE_COLUMNS)
    return summary


def inspect_layer(layer: GraphTables) -> TableSummary:
    """The summary of a layer's tables, as ``inspect``; columns may be missing that may be null.

    So a layer that an earlier medkg made still fits.

    Raises:
        TablesError: as for ``inspect``, or a later medkg made the layer.
    """
    summary = layer.summary()
    path = layer.folder / "tables.json"
    if summary.version > VERSION:
        raise TablesError(
            f"{path}: made by a later medkg ({summary.made_by}), whose tables have version "
            f"{summary.version} and not {VERSION}; bring medkg up to date"
        )
    _check_layer(layer.nodes, NODE_COLUMNS, sum(summary.nodes.values()))
    _known(path, "node type", summary.nodes, NODE_TYPES)
    for counts, file, columns in (
        (summary.edges, layer.edges, EDGE_COLUMNS),
        (summary.removed, layer.removed, REMOVED_COLUMNS),
        (summary.marked, layer.marks, MARK_COLUMNS),
    ):
        _known(path, "relation type", counts, RELATION_TYPES)
        for relation, rows in counts.items():
            _check_layer(file(relation), columns, rows)
    _known(path, "record type", summary.records, RECORD_TYPES)
    for name, rows in summary.records.items():
        _check_layer(layer.records(name), RECORD_TYPES[name].columns, rows)
    _known(path, "relation of records", summary.record_edges, RECORD_RELATIONS)
    for name, rows in summary.record_edges.items():
        _check_layer(layer.record_edges(name), RECORD_RELATIONS[name].columns, rows)
    if bool(summary.vectors) != bool(summary.dimensions):
        raise TablesError(
            f"{path}: counts {summary.vectors} vectors of length {summary.dimensions}; {_AGAIN}"
        )
    if summary.vectors:
        if not SPACE.fullmatch(summary.space):
            raise TablesError(
                f"{path}: {summary.space!r} is no name of a space of vectors; use lower-case "
                "letters, digits and '_'"
            )
        _check_layer(layer.vectors, VECTOR_COLUMNS, summary.vectors)
    return summary


def _check_layer(path: Path, columns: tuple[Column, ...], rows: int) -> None:
    _check(path, columns, rows, tuple(column for column in columns if column.required))


def _known(path: Path, what: str, names: Iterable[str], vocabulary: Iterable[str]) -> None:
    if unknown := sorted(set(names) - set(vocabulary)):
        raise TablesError(f"{path}: {unknown[0]!r} is not a {what} of this medkg; {_AGAIN}")


def _check(path: Path, columns: tuple[Column, ...], rows: int, needed: tuple[Column, ...]) -> None:
    try:
        with pq.ParquetFile(path) as file:
            schema, found = file.schema_arrow, file.metadata.num_rows
    except (OSError, pa.ArrowException) as e:
        raise TablesError(f"{path}: not a whole Parquet file ({e}); {_AGAIN}") from e
    names = [column.name for column in columns]
    if not {column.name for column in needed} <= set(schema.names) <= set(names):
        raise TablesError(
            f"{path}: has the columns {', '.join(schema.names)} and not "
            f"{', '.join(names)}; {_AGAIN}"
        )
    for column in columns:
        if column.name not in schema.names:
            continue
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
    if kind in (Kind.STRING, Kind.TIME, Kind.JSON):
        return bool(pa.types.is_string(type_) or pa.types.is_large_string(type_))
    types = {Kind.FLOAT: pa.float64(), Kind.INTEGER: pa.int64(), Kind.BOOLEAN: pa.bool_()}
    return bool(type_ == types[kind])


def select_columns(path: Path, columns: Sequence[Column]) -> str:
    """SQL of all columns of this version, those null that the file of an earlier one has not got."""
    with duckdb.connect() as db:
        described = db.execute(f"describe from read_parquet({sql_path(path)})").fetchall()
    there = {name for name, *_ in described}
    types = {
        Kind.FLOAT: "double", Kind.INTEGER: "bigint", Kind.BOOLEAN: "boolean",
        Kind.STRINGS: "varchar[]", Kind.VECTOR: "float[]",
    }  # fmt: skip
    selected = [
        f'"{column.name}"'
        if column.name in there
        else f'cast({"[]" if column.kind is Kind.STRINGS else "null"} as {types.get(column.kind, "varchar")}) as "{column.name}"'
        for column in columns
    ]
    return f"select {', '.join(selected)} from read_parquet({sql_path(path)})"  # noqa: S608 - columns and a path


def check_vectors(layer: GraphTables, dimensions: int) -> None:
    """See that every vector of a layer has a direction, and a length of that many numbers.

    Raises:
        TablesError: one has not, or is there twice.
    """
    path = layer.vectors
    with duckdb.connect() as db:
        for what, condition in _UNFIT.items():
            unfit = db.execute(
                f"select id from read_parquet({sql_path(path)}) "  # noqa: S608 - a path and texts of this module
                f"group by id having {condition} order by id limit 1",
                {"dimensions": dimensions} if "$dimensions" in condition else {},
            ).fetchone()
            if unfit:
                raise TablesError(
                    f"{path}: the vector of {unfit[0]} {what}; make this layer again"
                )


_UNFIT: Final = {
    "is there twice": "count(*) > 1",
    "has another length than tables.json says": (
        "coalesce(len(any_value(embedding)), 0) <> $dimensions"
    ),
    "has a value that is no number": (
        "list_count(any_value(embedding)) <> len(any_value(embedding)) "
        "or not isfinite(list_sum(any_value(embedding)))"
    ),
    "is all zero, or too long": (
        "not list_inner_product(any_value(embedding), any_value(embedding)) between 1e-30 and 1e30"
    ),
}
"""What no vector may be, by which they are found; the angle to such a one is not defined."""

_TIME: Final = r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z"


def check_values(
    db: duckdb.DuckDBPyConnection, table: str, columns: Sequence[Column], path: Path
) -> None:
    """See that every value is what its column says.

    Args:
        db: has the table.
        table: or view, of rows of the file.
        columns: to be looked at.
        path: of the file, for messages.

    Raises:
        TablesError: one is not.
    """
    tests = {
        Kind.TIME: (
            f"not regexp_full_match({{0}}, '{_TIME}')",
            "no time such as 2026-03-01T09:30:00.000Z",
        ),
        Kind.JSON: ("not json_valid({0})", "no JSON"),
    }
    for column in columns:
        name = f'"{column.name}"'
        checks = [(f"{name} is null", "null")] if column.required else []
        if column.kind in tests:
            test, what = tests[column.kind]
            checks.append((test.replace("{0}", name), what))
        for condition, what in checks:
            ((bad,),) = db.execute(
                f"select count(*) from {table} where {condition}"  # noqa: S608 - columns
            ).fetchall()
            if bad:
                raise TablesError(
                    f"{path}: column {column.name} is {what} in {bad} rows; make this layer again"
                )

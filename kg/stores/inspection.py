"""Look whether graph tables are whole, before a store takes them."""

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Final

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

_BUILD: Final = "make the tables again with 'medkg build'"
_LAYER: Final = "make this layer again"
"""What to do about tables that are not whole."""


def inspect(tables: GraphTables) -> TableSummary:
    """The summary of a build's tables, once every file has the columns and the rows it should.

    Raises:
        TablesError: a file is missing, cut off, or has other columns or another
            number of rows than the summary says; or a type is not in the vocabulary.
    """
    summary = tables.summary()
    path = tables.folder / "tables.json"
    _check_known(str(path), "node type", summary.nodes, NODE_TYPES, _BUILD)
    _check_known(str(path), "relation type", summary.edges, RELATION_TYPES, _BUILD)
    nodes = sum(summary.nodes.values())
    files: list[tuple[Path, tuple[Column, ...], int]] = [(tables.nodes, NODE_COLUMNS, nodes)]
    files += [(tables.edges(name), EDGE_COLUMNS, n) for name, n in summary.edges.items()]
    for file, columns, rows in files:
        _check_file(file, columns, rows, columns, where=str(file), advice=_BUILD)
    return summary


def inspect_layer(layer: GraphTables) -> TableSummary:
    """The summary of a layer's tables, as ``inspect``; columns may be missing that may be null.

    So a layer that an earlier medkg made still fits; it may lack columns of lists, too. Errors name the layer and not its folder,
    which may be a copy that is gone by then.

    Raises:
        TablesError: as for ``inspect``, a file has other bytes than were written, or a later
            medkg made the layer.
    """
    summary = layer.summary()
    where = layer_file(layer, layer.folder / "tables.json")
    if summary.version > VERSION:
        raise TablesError(
            f"{where}: made by a later medkg ({summary.made_by}), whose tables have version "
            f"{summary.version} and not {VERSION}; bring medkg up to date"
        )
    nodes = sum(summary.nodes.values())
    files: list[tuple[Path, tuple[Column, ...], int]] = [(layer.nodes, NODE_COLUMNS, nodes)]
    _check_known(where, "node type", summary.nodes, NODE_TYPES, _LAYER)
    for counts, file, columns in (
        (summary.edges, layer.edges, EDGE_COLUMNS),
        (summary.removed, layer.removed, REMOVED_COLUMNS),
        (summary.marked, layer.marks, MARK_COLUMNS),
    ):
        _check_known(where, "relation type", counts, RELATION_TYPES, _LAYER)
        files += [(file(name), columns, rows) for name, rows in counts.items()]
    _check_known(where, "record type", summary.records, RECORD_TYPES, _LAYER)
    for name, rows in summary.records.items():
        files.append((layer.records(name), RECORD_TYPES[name].columns, rows))
    _check_known(where, "relation of records", summary.record_edges, RECORD_RELATIONS, _LAYER)
    for name, rows in summary.record_edges.items():
        files.append((layer.record_edges(name), RECORD_RELATIONS[name].columns, rows))
    if bool(summary.vectors) != bool(summary.dimensions):
        raise TablesError(
            f"{where}: counts {summary.vectors} vectors of length {summary.dimensions}; {_LAYER}"
        )
    if summary.vectors:
        if not SPACE.fullmatch(summary.space):
            raise TablesError(
                f"{where}: {summary.space!r} is not a valid name of a vector space; use lower-case "
                "letters, digits and '_'"
            )
        files.append((layer.vectors, VECTOR_COLUMNS, summary.vectors))
    for path, names, rows in files:
        required = tuple(
            column
            for column in names
            if column.required and not (column.kind is Kind.STRINGS and summary.version < VERSION)
        )
        _check_file(path, names, rows, required, where=layer_file(layer, path), advice=_LAYER)
    _check_bytes(layer, summary)
    return summary


def layer_file(layer: GraphTables, path: Path) -> str:
    """A file of a layer, as messages name it."""
    return f"layer {layer.summary().name}, {path.relative_to(layer.folder).as_posix()}"


def file_checksums(layer: GraphTables) -> dict[str, str]:
    """The checksum of each file of rows, by its path in the folder.

    Raises:
        OSError: one cannot be read.
    """
    return {
        path.relative_to(layer.folder).as_posix(): _checksum(path)
        for path in sorted(layer.folder.rglob("*.parquet"))
        if path != layer.left_out
    }


def _checksum(path: Path) -> str:
    return blake2b(path.read_bytes(), digest_size=16).hexdigest()


def _check_bytes(layer: GraphTables, summary: TableSummary) -> None:
    for name, checksum in summary.files.items():
        path = layer.folder / name
        if not path.is_file() or _checksum(path) != checksum:
            raise TablesError(
                f"{layer_file(layer, path)}: is not as it was written, for its checksum is "
                "another one; make this layer again, or run 'medkg build' if the graph has it"
            )


def _check_known(
    where: str, what: str, names: Iterable[str], vocabulary: Iterable[str], advice: str
) -> None:
    if unknown := sorted(set(names) - set(vocabulary)):
        raise TablesError(f"{where}: {unknown[0]!r} is not a {what} of this medkg; {advice}")


def _check_file(
    path: Path,
    columns: tuple[Column, ...],
    rows: int,
    required: tuple[Column, ...],
    *,
    where: str,
    advice: str,
) -> None:
    try:
        with pq.ParquetFile(path) as file:
            schema, actual_rows = file.schema_arrow, file.metadata.num_rows
    except (OSError, pa.ArrowException) as e:
        raise TablesError(f"{where}: not a whole Parquet file ({e}); {advice}") from e
    names = [column.name for column in columns]
    if not {column.name for column in required} <= set(schema.names) <= set(names):
        raise TablesError(
            f"{where}: has the columns {', '.join(schema.names)} and not "
            f"{', '.join(names)}; {advice}"
        )
    for column in columns:
        if column.name not in schema.names:
            continue
        if not _fits(column.kind, kind := schema.field(column.name).type):
            raise TablesError(f"{where}: column {column.name} is {kind}; {advice}")
    if actual_rows != rows:
        raise TablesError(
            f"{where}: has {actual_rows} rows, and tables.json counts {rows}; {advice}"
        )


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
    """SQL of all columns of this version, those null or empty that an earlier one's file lacks.

    -0.0 becomes 0.0, for Ladybug orders it before 0.0 and Neo4j as the same.
    """
    existing = {*pq.read_schema(path).names}
    types = {
        Kind.FLOAT: "double", Kind.INTEGER: "bigint", Kind.BOOLEAN: "boolean",
        Kind.STRINGS: "varchar[]", Kind.VECTOR: "float[]",
    }  # fmt: skip
    selected = [
        (
            f'"{column.name}" + 0.0 as "{column.name}"'
            if column.kind is Kind.FLOAT
            else f'"{column.name}"'
        )
        if column.name in existing
        else f'cast({"[]" if column.kind is Kind.STRINGS else "null"} as {types.get(column.kind, "varchar")}) as "{column.name}"'
        for column in columns
    ]
    return f"select {', '.join(selected)} from read_parquet({sql_path(path)})"  # noqa: S608 - columns and a path

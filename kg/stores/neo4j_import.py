"""Graph tables as the CSV files that ``neo4j-admin database import full`` takes."""

from pathlib import Path
from typing import Final

import duckdb

from kg.stores.contents import Contents
from kg.stores.disk import disk_errors, sql_path
from kg.stores.inspection import inspect
from kg.stores.neo4j_schema import STAMP_ID, STAMP_LABEL
from kg.tables import EDGE_COLUMNS, NODE_COLUMNS, Column, GraphTables, Kind

_TYPES: Final = {
    Kind.STRING: "string",
    Kind.STRINGS: "string[]",
    Kind.FLOAT: "double",
    Kind.INTEGER: "long",
}

_BETWEEN_ITEMS: Final = 0x1F
"""Code point between the items of a list: ASCII's unit separator; in an item it becomes a space."""


def write_import_files(tables: GraphTables, folder: Path) -> list[str]:
    """Write the files into ``folder``; what to hand to the import command, without the database.

    The graph's stamp is among the nodes, so that a store finds what it holds. The
    importer leaves empty lists out; the store's ``indexes`` puts them in.

    Raises:
        TablesError: the tables are not whole.
        StoreError: the disk is full.
    """
    summary = inspect(tables)
    folder = folder.absolute()  # a container sees the files by their whole path
    nodes, stamp = folder / "nodes.csv", folder / "stamp.csv"
    arguments = [f"--nodes={nodes}", f"--nodes={STAMP_LABEL}={stamp}"]
    with disk_errors(folder), duckdb.connect() as db:
        _write(db, _select_nodes(tables.nodes), nodes)
        db.execute(
            'create table stamp as select $id as "id:ID(stamp)", $holds as holds, true as "imported:boolean"',
            {"id": STAMP_ID, "holds": Contents(checksum=summary.checksum).model_dump_json()},
        )
        _write(db, "from stamp", stamp)
        for relation in summary.edges:
            file = folder / f"{relation}.csv"
            _write(db, _select_edges(tables.edges(relation)), file)
            arguments.append(f"--relationships={relation}={file}")
    return [
        *arguments,
        f"--array-delimiter=U+{_BETWEEN_ITEMS:04X}",
        "--multiline-fields=true",
    ]


def _write(db: duckdb.DuckDBPyConnection, select: str, path: Path) -> None:
    db.execute(f"copy ({select}) to {sql_path(path)} (format csv, header true)")


def _select_nodes(source: Path) -> str:
    id_, *columns = NODE_COLUMNS
    selected = [f'"{id_.name}" as "id:ID(Entity)"', *map(_property, columns)]
    selected.append(f'\'Entity{chr(_BETWEEN_ITEMS)}\' || "type" as ":LABEL"')
    return f"select {', '.join(selected)} from read_parquet({sql_path(source)})"  # noqa: S608 - columns of kg.tables


def _select_edges(source: Path) -> str:
    _, _, *columns = EDGE_COLUMNS
    selected = ['head as ":START_ID(Entity)"', 'tail as ":END_ID(Entity)"']
    selected += map(_property, columns)
    return f"select {', '.join(selected)} from read_parquet({sql_path(source)})"  # noqa: S608 - columns of kg.tables


def _property(column: Column) -> str:
    """The column with its type in its name, a list as one text."""
    value = f'"{column.name}"'
    if column.kind is Kind.STRINGS:
        between = f"chr({_BETWEEN_ITEMS})"  # the importer knows no escape for it
        items = f"[replace(item, {between}, ' ') for item in {value}]"
        value = f"array_to_string({items}, {between})"
    return f'{value} as "{column.name}:{_TYPES[column.kind]}"'

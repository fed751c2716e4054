"""Fill a new Ladybug file from graph tables, and verify it."""

from pathlib import Path
from typing import Final

import duckdb
import pyarrow as pa

from kg.errors import StoreError
from kg.progress import Progress
from kg.stores.contents import Contents
from kg.stores.disk import sql_path
from kg.stores.graph_file import GraphFile
from kg.stores.schema import create_schema
from kg.stores.statements import statement
from kg.stores.store import Counts
from kg.tables import GraphTables, TableSummary
from kg.vocabulary import RELATION_TYPES

_BUILD: Final = "medkg"


class WholeGraph:
    """A file as ``staging`` asks it: the engine scans all edges sooner than it finds a few."""

    def __init__(self, file: GraphFile) -> None:
        self._file = file

    def find_nodes(self, ids: pa.Table) -> pa.Table:  # noqa: ARG002 - all are found
        """Every node, with its layer."""
        return self._file.table(statement("embedded/read_nodes"))

    def find_edges(self, relation: str, ends: pa.Table) -> pa.Table:  # noqa: ARG002 - all are found
        """Every edge of the relation, with its layer."""
        return self._file.table(statement("embedded/read_edges", relation=relation))


def build(draft: Path, tables: GraphTables, contents: Contents, progress: Progress) -> None:
    """Make the file ``draft`` of ``tables``.

    Raises:
        StoreError: the engine failed, or an edge's end is missing.
    """
    with GraphFile(draft, write=True) as file:
        create_schema(file)
        add_rows(file, tables, progress)
        write_contents(file, contents)


def add_rows(file: GraphFile, tables: GraphTables, progress: Progress) -> None:
    """Add all rows of ``tables``.

    Raises:
        StoreError: the engine failed, or an edge's end is missing.
    """
    summary = tables.summary()
    nodes = sum(summary.nodes.values())
    with progress.step("Loading nodes and edges", nodes + sum(summary.edges.values())) as advance:
        if nodes:
            file.copy_in("Entity", tables.nodes)
            advance(nodes)
        for relation, rows in summary.edges.items():
            file.copy_in(relation, tables.edges(relation))
            advance(rows)


def count(file: GraphFile) -> Counts:
    """Nodes by type and edges by relation type, counted by the engine."""
    _, nodes = file.rows(statement("count_nodes"))
    return Counts({str(type_): _whole(n) for type_, n in nodes}, _edge_counts(file, "count_edges"))


def count_layer(file: GraphFile, name: str) -> Counts:
    """As ``count``, of what one layer added."""
    layer = {"layer": name}
    _, nodes = file.rows(statement("count_layer_nodes"), layer)
    edges = _edge_counts(file, "count_layer_edges", layer)
    return Counts({str(type_): _whole(n) for type_, n in nodes}, edges)


def _edge_counts(
    file: GraphFile, name: str, arguments: dict[str, str] | None = None
) -> dict[str, int]:
    found = {}
    for relation in RELATION_TYPES:
        _, [(edges,)] = file.rows(statement(name, relation=relation), arguments)
        found[relation] = _whole(edges)
    return {relation: edges for relation, edges in found.items() if edges}


def _whole(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError(f"a count is {type(value).__name__}")
    return value


def verify(file: GraphFile, tables: GraphTables, progress: Progress) -> Counts:
    """Compare counts and the ends of all edges with the tables that were loaded.

    Raises:
        StoreError: the file holds something else.
    """
    summary = tables.summary()
    counts = count(file)
    if counts != Counts(summary.nodes, summary.edges):
        raise StoreError(
            f"{file.path}: the engine holds other counts than {tables.folder}; "
            "run the build again, and report this if it stays"
        )
    with (
        progress.step("Verifying edges", sum(summary.edges.values())) as advance,
        duckdb.connect() as db,
    ):
        for relation, rows in summary.edges.items():
            _verify_ends(db, file, relation, tables.edges(relation))
            advance(rows)
    return counts


def _verify_ends(
    db: duckdb.DuckDBPyConnection, file: GraphFile, relation: str, source: Path
) -> None:
    db.register("loaded", file.table(statement("embedded/read_edges", relation=relation)))
    sums = db.execute(
        "select sum(hash(head, tail)) from loaded union all "  # noqa: S608 - a path as literal
        f"select sum(hash(head, tail)) from read_parquet({sql_path(source)})"
    ).fetchall()
    db.unregister("loaded")
    if sums[0] != sums[1]:
        raise StoreError(
            f"{file.path}: edges {relation} do not join the same nodes as in {source}; "
            "run the build again, and report this if it stays"
        )


def export(file: GraphFile, folder: Path, without: str = "") -> GraphTables:
    """Write all rows as graph tables, leaving out those that one layer added.

    Raises:
        StoreError: the engine failed or the disk is full.
    """
    tables = GraphTables(folder)
    (folder / "edges").mkdir(parents=True)
    all_, gone = count(file), count_layer(file, without)
    left = {"layer": without}
    file.copy_out(statement("embedded/remaining_nodes"), left, tables.nodes)
    edges = _minus(all_.edges, gone.edges)
    for relation in edges:
        text = statement("embedded/remaining_edges", relation=relation)
        file.copy_out(text, left, tables.edges(relation))
    tables.write_summary(
        TableSummary(
            name=_BUILD,
            checksum="",
            nodes=_minus(all_.nodes, gone.nodes),
            edges=edges,
            made_by="another graph",
        )
    )
    return tables


def _minus(all_: dict[str, int], gone: dict[str, int]) -> dict[str, int]:
    left = {name: n - gone.get(name, 0) for name, n in all_.items()}
    return {name: n for name, n in left.items() if n}


def write_contents(file: GraphFile, contents: Contents) -> None:
    """Say in the file what it holds."""
    file.run(statement("embedded/write_stamp"), {"holds": contents.model_dump_json()})


def read_contents(file: GraphFile) -> Contents:
    """What the file says that it holds.

    Raises:
        StoreError: it does not say, so it is not a graph of medkg.
    """
    _, rows = file.rows(statement("embedded/read_stamp"))
    if not rows:
        raise StoreError(f"{file.path}: has no stamp; delete it and run 'medkg build'")
    return Contents.model_validate_json(str(rows[0][0]))

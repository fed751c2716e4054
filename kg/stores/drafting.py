"""Fill a new Ladybug file from graph tables, and verify it."""

from pathlib import Path
from typing import Final

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from kg.errors import StoreError
from kg.progress import Progress
from kg.stores.contents import Contents
from kg.stores.disk import sql_path
from kg.stores.graph_file import GraphFile, UnusableFileError
from kg.stores.schema import VECTOR_TABLE, create_schema, create_vectors, schema_checksum
from kg.stores.statements import statement
from kg.stores.store import Counts
from kg.tables import GraphTables, TableSummary
from kg.vocabulary import RELATION_TYPES

_BUILD: Final = "medkg"

_CONTENTS: Final = "medkg"
_SCHEMA: Final = "schema"
"""What the two stamps of a file are called."""


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
        _write_stamp(file, _SCHEMA, schema_checksum())
        add_rows(file, tables, progress)
        add_vectors(file, tables, progress)
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


def add_vectors(file: GraphFile, tables: GraphTables, progress: Progress) -> None:
    """Give nodes the vectors of ``tables``, if it has some.

    Raises:
        StoreError: the engine failed.
    """
    summary = tables.summary()
    if not summary.vectors:
        return
    with progress.step("Loading vectors", summary.vectors) as advance:
        create_vectors(file, summary.dimensions)
        file.copy_in(VECTOR_TABLE, tables.vectors)
        advance(summary.vectors)


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
    vectors, dimensions = _export_vectors(file, tables, without)
    tables.write_summary(
        TableSummary(
            name=_BUILD,
            checksum="",
            nodes=_minus(all_.nodes, gone.nodes),
            edges=edges,
            vectors=vectors,
            dimensions=dimensions,
            made_by="another graph",
        )
    )
    return tables


def _export_vectors(file: GraphFile, tables: GraphTables, without: str) -> tuple[int, int]:
    """Write the vectors unless they are that layer's; how many they are, and their length."""
    layers = read_contents(file).layers
    dimensions = max((each.dimensions for each in layers if each.name != without), default=0)
    if not dimensions:
        return 0, 0
    file.copy_out(statement("embedded/read_vectors"), {}, tables.vectors)
    return pq.read_metadata(tables.vectors).num_rows, dimensions


def _minus(all_: dict[str, int], gone: dict[str, int]) -> dict[str, int]:
    left = {name: n - gone.get(name, 0) for name, n in all_.items()}
    return {name: n for name, n in left.items() if n}


def write_contents(file: GraphFile, contents: Contents) -> None:
    """Say in the file what it holds."""
    _write_stamp(file, _CONTENTS, contents.model_dump_json())


def _write_stamp(file: GraphFile, what: str, holds: str) -> None:
    file.run(statement("embedded/write_stamp"), {"what": what, "holds": holds})


def _read_stamp(file: GraphFile, what: str) -> str | None:
    _, rows = file.rows(statement("embedded/read_stamp"), {"what": what})
    return str(rows[0][0]) if rows else None


def read_contents(file: GraphFile) -> Contents:
    """What the file says that it holds.

    Raises:
        StoreError: it does not say, so it is not a graph of medkg.
    """
    holds = _read_stamp(file, _CONTENTS)
    if holds is None:
        raise StoreError(f"{file.path}: has no stamp; delete it and run 'medkg build'")
    return Contents.model_validate_json(holds)


def check_schema(file: GraphFile) -> None:
    """See that the file has the tables and columns of this medkg.

    Raises:
        UnusableFileError: another version made it.
    """
    if _read_stamp(file, _SCHEMA) != schema_checksum():
        raise UnusableFileError(
            f"{file.path}: made by another version of medkg, with other tables; make it again "
            "with 'medkg build', which applies its layers again too"
        )

"""What a layer adds to a graph: its rows that the graph has not got, marked with its name."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

import duckdb
import pyarrow as pa

from kg.errors import LayerDoesNotFitError, TablesError
from kg.stores.contents import Layer
from kg.stores.disk import sql_path
from kg.stores.inspection import inspect
from kg.stores.store import Counts
from kg.tables import GraphTables, TableSummary


class Graph(Protocol):
    """What staging asks of the graph below; an answer may hold more than was asked for."""

    def find_nodes(self, ids: pa.Table) -> pa.Table:
        """Columns id, layer for those of the ids (column id) that are in the graph."""
        ...

    def find_edges(self, relation: str, ends: pa.Table) -> pa.Table:
        """Columns head, tail, layer for those of the edges (columns head, tail) that are."""
        ...


@dataclass(frozen=True)
class Staged:
    """A layer's rows that are new, as graph tables of their own."""

    tables: GraphTables
    summary: TableSummary
    """Name and checksum are the layer's, the counts those of the new rows."""
    needs: tuple[str, ...]
    """Layers below without which this one would be incomplete."""
    changes: bool
    """Whether the layer takes edges of the build out, or marks them."""
    dimensions: int
    """Length of the vectors that the layer gives nodes; 0 where it gives none."""

    @property
    def counts(self) -> Counts:
        """What the layer adds."""
        return Counts(self.summary.nodes, self.summary.edges)

    @property
    def applied(self) -> Layer:
        """What the store says of the layer from then on."""
        return Layer(
            name=self.summary.name,
            checksum=self.summary.checksum,
            needs=self.needs,
            changes=self.changes,
            dimensions=self.dimensions,
        )


def stage(layer: GraphTables, graph: Graph, folder: Path) -> Staged:
    """Write the layer's new rows into ``folder``.

    Raises:
        TablesError: the layer's tables are not whole, or a vector is unfit.
        LayerDoesNotFitError: an edge's end, or a node that has a vector, is neither in the
            graph nor in the layer; or an edge that the layer takes out or marks is not the
            build's.
    """
    summary = inspect(layer)
    staged = GraphTables(folder)
    (folder / "edges").mkdir(parents=True)
    with duckdb.connect() as db:
        _read_ids(db, layer, summary)
        _register(db, "have_node", graph.find_nodes(db.sql("from asked").to_arrow_table()))
        needs = _layers(db, "select layer from have_node join asked using (id)")
        if summary.vectors:
            _check_vectors(db, layer.vectors, summary.dimensions)
        nodes = _write_nodes(db, summary.name, staged.nodes)
        edges = {}
        for relation in summary.edges:
            _view(db, "edge", layer.edges(relation))
            ends = db.sql("select head, tail from edge").to_arrow_table()
            _register(db, "have_edge", graph.find_edges(relation, ends))
            needs |= _layers(db, "select layer from have_edge semi join edge using (head, tail)")
            edges[relation] = _write_edges(db, summary.name, staged.edges(relation))
            _check_ends(db, layer.edges(relation))
        for counts, file in ((summary.removed, layer.removed), (summary.marked, layer.marks)):
            for relation in counts:
                _check_changed(db, graph, relation, file(relation))
    added = {name: rows for name, rows in edges.items() if rows}
    new = {"nodes": nodes, "edges": added, "removed": {}, "marked": {}, "vectors": 0}
    new["dimensions"] = 0
    staged.write_summary(summary.model_copy(update=new))
    needed = tuple(sorted(needs - {summary.name}))
    return Staged(staged, staged.summary(), needed, summary.changes, summary.dimensions)


def _view(db: duckdb.DuckDBPyConnection, name: str, path: Path) -> None:
    db.execute(f"create or replace view {name} as from read_parquet({sql_path(path)})")


def _read_ids(db: duckdb.DuckDBPyConnection, layer: GraphTables, summary: TableSummary) -> None:
    """The view ``node``, and all ids that the layer names in the table ``asked``."""
    _view(db, "node", layer.nodes)
    db.execute("create table asked as select id from node")
    for relation in summary.edges:
        _view(db, "edge", layer.edges(relation))
        db.execute(
            "insert into asked (select head from edge union select tail from edge) "
            "except from asked"
        )
    if summary.vectors:
        _view(db, "vector", layer.vectors)
        db.execute("insert into asked select distinct id from vector except from asked")


def _register(db: duckdb.DuckDBPyConnection, name: str, found: pa.Table) -> None:
    db.register("found", found)
    db.execute(f"create or replace table {name} as from found")
    db.unregister("found")


def _layers(db: duckdb.DuckDBPyConnection, select: str) -> set[str]:
    found = db.execute(f"select distinct layer from ({select}) where layer is not null")  # noqa: S608 - texts of this module
    return {layer for (layer,) in found.fetchall()}


def _write_nodes(db: duckdb.DuckDBPyConnection, name: str, path: Path) -> dict[str, int]:
    db.execute(
        "create table new_node as select * replace ($name as layer) from node "
        "anti join have_node using (id) order by id",
        {"name": name},
    )
    db.execute(f"copy new_node to {sql_path(path)} (format parquet)")
    counted = db.execute("select type, count(*) from new_node group by all order by all")
    return dict(counted.fetchall())


def _write_edges(db: duckdb.DuckDBPyConnection, name: str, path: Path) -> int:
    db.execute(
        "create or replace table new_edge as select * replace ($name as layer) from edge "
        "anti join have_edge using (head, tail) order by head, tail",
        {"name": name},
    )
    db.execute(f"copy new_edge to {sql_path(path)} (format parquet)")
    counted = db.execute("select count(*) from new_edge").fetchone()
    return int(counted[0]) if counted else 0


def _check_ends(db: duckdb.DuckDBPyConnection, path: Path) -> None:
    missing = db.execute(
        "select head, tail, id from (select head, tail, unnest([head, tail]) as id from new_edge) "
        "anti join have_node using (id) anti join node using (id) order by all limit 1"
    ).fetchone()
    if missing:
        head, tail, id_ = missing
        raise LayerDoesNotFitError(
            f"{path}: the edge from {head} to {tail} has an end, {id_}, that is neither in "
            "the graph nor in the layer; apply the layer that has it first, or make this one again"
        )


def _check_vectors(db: duckdb.DuckDBPyConnection, path: Path, dimensions: int) -> None:
    _view(db, "vector", path)
    missing = db.execute(
        "select id from vector anti join have_node using (id) anti join node using (id) "
        "order by id limit 1"
    ).fetchone()
    if missing:
        raise LayerDoesNotFitError(
            f"{path}: {missing[0]} has a vector and is neither in the graph nor in the layer; "
            "train on this graph, or apply the layer that has it first"
        )
    for what, condition in _UNFIT.items():
        unfit = db.execute(
            f"select id from vector group by id having {condition} order by id limit 1",  # noqa: S608 - texts of this module
            {"dimensions": dimensions} if "$dimensions" in condition else {},
        ).fetchone()
        if unfit:
            raise TablesError(f"{path}: the vector of {unfit[0]} {what}; make this layer again")


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


def _check_changed(db: duckdb.DuckDBPyConnection, graph: Graph, relation: str, path: Path) -> None:
    _view(db, "edge", path)
    ends = db.sql("select head, tail from edge").to_arrow_table()
    _register(db, "have_edge", graph.find_edges(relation, ends))
    missing = db.execute(
        "select head, tail from edge anti join (from have_edge where layer is null) "
        "using (head, tail) order by all limit 1"
    ).fetchone()
    if missing:
        head, tail = missing
        raise LayerDoesNotFitError(
            f"{path}: the edge from {head} to {tail} is not in the graph that was built; "
            "make this layer again"
        )

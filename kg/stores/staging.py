"""What a layer adds to a graph: its rows that are new and fit, marked with its name."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import duckdb
import pyarrow as pa

from kg.errors import LayerDoesNotFitError
from kg.records import ENTITY, RECORD_RELATIONS, RECORD_TYPES
from kg.stores.contents import Layer
from kg.stores.disk import sql_path
from kg.stores.inspection import inspect_layer, layer_file, select_columns
from kg.stores.store import Counts
from kg.stores.values import check_distinct, check_values, check_vectors
from kg.tables import (
    EDGE_COLUMNS,
    LEFT_OUT_COLUMNS,
    MARK_COLUMNS,
    NODE_COLUMNS,
    REMOVED_COLUMNS,
    VECTOR_COLUMNS,
    VERSION,
    Column,
    GraphTables,
    TableSummary,
    arrow_schema,
)


class Graph(Protocol):
    """What staging looks up in the graph; an answer may have further rows."""

    def find_nodes(self, label: str, ids: pa.Table) -> pa.Table:
        """Find nodes: columns id, layer for those of the ids (column id) that are in the graph.

        Args:
            label: ``Entity`` or a record type.
            ids: to look up.
        """
        ...

    def find_edges(self, relation: str, ends: pa.Table) -> pa.Table:
        """Find edges: columns head, tail, layer for those (columns head, tail) that are in it.

        Args:
            relation: between entities.
            ends: to look up.
        """
        ...


@dataclass(frozen=True)
class Staged:
    """A layer's rows that are new and fit, as graph tables of their own."""

    tables: GraphTables
    """Every column of this version is there, and ids are those of the graph."""
    summary: TableSummary
    """Name and checksum are the layer's, the counts those of the new rows."""
    applied: Layer
    """The layer's entry in the contents of the store."""
    left_out: pa.Table
    """``LEFT_OUT_COLUMNS``: what does not fit."""

    @property
    def counts(self) -> Counts:
        """What the layer adds."""
        summary = self.summary
        return Counts(summary.nodes | summary.records, summary.edges | summary.record_edges)


def stage(
    layer: GraphTables, graph: Graph, folder: Path, identities: Path | None = None
) -> Staged:
    """Write the layer's rows that are new and fit into ``folder``.

    Raises:
        TablesError: the layer's tables are not whole, or a vector or a record is unfit.
        LayerDoesNotFitError: no row fits, or an edge that the layer takes out or marks is not
            the build's.
    """
    with duckdb.connect() as db:
        return _Staging(db, layer, graph, folder).run(identities)


class _Staging:
    def __init__(
        self, db: duckdb.DuckDBPyConnection, layer: GraphTables, graph: Graph, folder: Path
    ) -> None:
        self._db = db
        self._layer = layer
        self._summary = inspect_layer(layer)
        self._graph = graph
        self._out = GraphTables(folder)
        self._needs: set[str] = set()
        self._mentions: set[str] = set()
        for name in ("edges", "removed", "marks", "records", "record_edges"):
            (folder / name).mkdir(parents=True)
        columns = ", ".join(f'"{column.name}" varchar' for column in LEFT_OUT_COLUMNS)
        db.execute(f"create table left_out({columns})")

    def run(self, identities: Path | None) -> Staged:
        summary = self._summary
        self._find_nodes(identities)
        if summary.vectors:
            path = self._layer.vectors
            vector_rows = select_columns(path, VECTOR_COLUMNS)
            check_vectors(self._db, vector_rows, summary.dimensions, self._file(path))
        nodes = self._write_nodes()
        edges = {name: self._write_edges(name) for name in summary.edges}
        vectors = self._write_vectors() if summary.vectors else 0
        for counts, file, out, columns in (
            (summary.removed, self._layer.removed, self._out.removed, REMOVED_COLUMNS),
            (summary.marked, self._layer.marks, self._out.marks, MARK_COLUMNS),
        ):
            for relation in counts:
                self._check_edges_of_build(relation, file(relation), columns)
                self._copy(select_columns(file(relation), columns), out(relation), "head, tail")
        records = {name: self._write_records(name) for name in summary.records}
        record_edges = {name: self._write_record_edges(name) for name in summary.record_edges}
        left_out = self._rows_left_out()
        new = {
            "nodes": nodes,
            "edges": _nonzero(edges),
            "vectors": vectors,
            "dimensions": summary.dimensions if vectors else 0,
            "records": _nonzero(records),
            "record_edges": _nonzero(record_edges),
            "files": {},
            "version": VERSION,
        }
        written = summary.model_copy(update=new)
        self._out.write_summary(written)
        applied = Layer(
            name=summary.name,
            checksum=summary.checksum,
            needs=tuple(sorted(self._needs - {summary.name})),
            mentions=tuple(sorted(self._mentions - {summary.name})),
            changes=summary.changes,
            dimensions=summary.dimensions if vectors else 0,
            vectors=vectors,
            space=summary.space if vectors else "",
            only_records=not (summary.nodes or summary.edges or summary.changes or vectors),
        )
        return Staged(self._out, written, applied, left_out)

    def _find_nodes(self, identities: Path | None) -> None:
        """Make the tables that later steps join: nodes of the layer and of the graph, and new ids.

        ``node`` has those of the layer, ``graph_node`` those of the graph, ``available`` the ids
        of both, ``renamed`` the node that an id of the layer stands for now.
        """
        db, summary = self._db, self._summary
        db.execute(f"create view node as {select_columns(self._layer.nodes, NODE_COLUMNS)}")
        where = self._file(self._layer.nodes)
        check_values(db, "node", NODE_COLUMNS, where)
        check_distinct(db, "node", ("id",), where)
        ends = ["select id from node"]
        for relation in summary.edges:
            path = sql_path(self._layer.edges(relation))
            ends += [f"select {end} from read_parquet({path})" for end in ("head", "tail")]
        if summary.vectors:
            ends.append(f"select id from read_parquet({sql_path(self._layer.vectors)})")
        for relation in summary.record_edges:
            path = sql_path(self._layer.record_edges(relation))
            ends.append(f"select tail from read_parquet({path}) where tail_type = '{ENTITY}'")
        db.execute(f"create table referenced as {' union '.join(ends)}")
        db.execute("create table renamed(id varchar, node varchar)")
        if identities and identities.is_file():
            # an id may have been known in several spellings or types; one node is unambiguous
            db.execute(
                "insert into renamed select id, min(node) from referenced "
                f"join read_parquet({sql_path(identities)}) using (id) "
                "where node <> id group by id having count(distinct node) = 1"
            )
            db.execute(
                "insert into referenced select distinct node from renamed except from referenced"
            )
        self._register(
            "graph_node", self._graph.find_nodes(ENTITY, db.table("referenced").to_arrow_table())
        )
        db.execute("create view available as select id from graph_node union select id from node")
        db.execute(
            "delete from renamed where id in (from available) or node not in (select id from graph_node)"
        )
        self._needs |= self._layers_of("graph_node semi join node using (id)")

    def _file(self, path: Path) -> str:
        return layer_file(self._layer, path)

    def _register(self, name: str, rows: pa.Table) -> None:
        """Make a table of rows of the graph."""
        self._db.register("graph_rows", rows)
        self._db.execute(f"create or replace table {name} as from graph_rows")
        self._db.unregister("graph_rows")

    def _layers_of(self, selection: str) -> set[str]:
        layers = self._db.execute(
            f"select distinct layer from {selection} where layer is not null"
        )
        return {name for (name,) in layers.fetchall()}

    def _copy(self, select: str, path: Path, order: str) -> int:
        self._db.execute(f"copy ({select} order by {order}) to {sql_path(path)} (format parquet)")
        ((rows,),) = self._db.execute(
            f"select count(*) from read_parquet({sql_path(path)})"
        ).fetchall()
        return int(rows)

    def _write_nodes(self) -> dict[str, int]:
        marked = f"select * replace ({_literal(self._summary.name)} as layer) from node"
        self._copy(f"{marked} anti join graph_node using (id)", self._out.nodes, "id")
        counted = self._db.execute(
            f"select type, count(*) from read_parquet({sql_path(self._out.nodes)}) "
            "group by all order by all"
        )
        return dict(counted.fetchall())

    def _write_edges(self, relation: str) -> int:
        db, path = self._db, self._layer.edges(relation)
        rows = select_columns(path, EDGE_COLUMNS)
        check_values(db, f"({rows})", EDGE_COLUMNS, self._file(path))
        self._resolve_ends("edge", rows, "head", "tail")
        ends = db.sql("select head, tail from edge").to_arrow_table()
        self._register("graph_edge", self._graph.find_edges(relation, ends))
        db.execute(
            "create or replace table new_edge as from edge anti join graph_edge using (head, tail)"
        )
        file = path.relative_to(self._layer.folder).as_posix()
        self._leave_out(
            "new_edge",
            file,
            "head = tail and (head, tail) <> (was_head, was_tail)",
            "both ends are one node now",
        )
        for end in ("head", "tail"):
            self._leave_out(
                "new_edge",
                file,
                f"{end} not in (from available)",
                f"its {end}, {{{end}}}, is neither in the graph nor in the layer",
            )
        self._leave_out(
            "new_edge",
            file,
            "place not in (select min(place) from new_edge group by head, tail)",
            "another row of the layer is of the same edge",
        )
        self._needs |= self._layers_of("graph_edge semi join edge using (head, tail)")
        for end in ("head", "tail"):
            self._needs |= self._layers_of(
                f"graph_node semi join new_edge on graph_node.id = {end}"
            )
        return self._copy(
            f"select {_column_list(EDGE_COLUMNS)} from (select * replace ({_literal(self._summary.name)} as layer) from new_edge)",
            self._out.edges(relation),
            "head, tail",
        )

    def _resolve_ends(self, name: str, select: str, *ends: str) -> None:
        """Make a table of the rows with the nodes that their ends stand for now.

        The ends as the layer has them are the columns ``was_…``, its row numbers ``place``.
        """
        joins = "".join(f" left join renamed r_{end} on r_{end}.id = one.{end}" for end in ends)
        now = ", ".join(f"coalesce(r_{end}.node, one.{end}) as {end}" for end in ends)
        was = ", ".join(f"one.{end} as was_{end}" for end in ends)
        self._db.execute(
            f"create or replace table {name} as select one.* replace ({now}), {was} "
            f"from (select *, row_number() over () as place from ({select})) one{joins}"
        )

    def _leave_out(self, table: str, file: str, condition: str, reason: str) -> None:
        """Move rows into ``left_out``.

        Args:
            table: made by ``_resolve_ends``, which keeps the ends as the layer has them.
            file: of the layer, which has the rows.
            condition: which rows.
            reason: ends between braces stand for themselves.
        """
        ends = {"new_vector": "was_id, null", "new_edge": "was_head, was_tail"}
        reason_sql = re.sub(r"\{(\w+)\}", r"' || \1 || '", _literal(reason))
        self._db.execute(
            f"insert into left_out select {_literal(file)}, {ends.get(table, 'head, was_tail')}, "
            f"{reason_sql} from {table} where {condition}"
        )
        self._db.execute(f"delete from {table} where {condition}")

    def _write_vectors(self) -> int:
        self._resolve_ends("new_vector", select_columns(self._layer.vectors, VECTOR_COLUMNS), "id")
        file = self._layer.vectors.name
        self._leave_out(
            "new_vector",
            file,
            "id not in (from available)",
            "it has a vector and is neither in the graph nor in the layer",
        )
        self._needs |= self._layers_of("graph_node semi join new_vector using (id)")
        self._leave_out(
            "new_vector",
            file,
            "was_id not in (select first(was_id order by id <> was_id, was_id) from new_vector "
            "group by id)",
            "another vector of the layer is of the same node",
        )
        return self._copy(
            f"select {_column_list(VECTOR_COLUMNS)} from new_vector", self._out.vectors, "id"
        )

    def _write_records(self, record_type: str) -> int:
        columns = RECORD_TYPES[record_type].columns
        path = self._layer.records(record_type)
        self._db.execute(f"create or replace view record as {select_columns(path, columns)}")
        check_values(self._db, "record", columns, self._file(path))
        check_distinct(self._db, "record", ("id",), self._file(path))
        ids = self._db.sql("select id from record").to_arrow_table()
        self._register(f"graph_{record_type}", self._graph.find_nodes(record_type, ids))
        self._needs |= self._layers_of(f"graph_{record_type} semi join record using (id)")
        self._db.execute(
            f"insert into left_out select {_literal(path.relative_to(self._layer.folder).as_posix())}, "
            "id, null, 'the graph has a record of this id already, which stays: of layer ' || layer "
            f"from graph_{record_type} semi join record using (id)"
        )
        return self._copy(
            f"select * replace ({_literal(self._summary.name)} as layer) from record "
            f"anti join graph_{record_type} using (id)",
            self._out.records(record_type),
            "id",
        )

    def _write_record_edges(self, relation: str) -> int:
        record_relation = RECORD_RELATIONS[relation]
        path = self._layer.record_edges(relation)
        rows = select_columns(path, record_relation.columns)
        check_values(self._db, f"({rows})", record_relation.columns, self._file(path))
        self._resolve_ends("new_record_edge", rows, "tail")
        file = path.relative_to(self._layer.folder).as_posix()
        pairs = " or ".join(
            f"(head_type, tail_type) = ('{h}', '{t}')" for h, t in record_relation.ends
        )
        self._leave_out(
            "new_record_edge",
            file,
            f"not ({pairs})",
            f"{relation} does not connect {{head_type}} with {{tail_type}}",
        )
        self._leave_out(
            "new_record_edge",
            file,
            f"tail_type = '{ENTITY}' and tail not in (from available)",
            "its tail, {tail}, is neither in the graph nor in the layer",
        )
        for end in ("head", "tail"):
            for label in sorted({pair[end == "tail"] for pair in record_relation.ends} - {ENTITY}):
                self._leave_out_missing_records(file, end, label)
        self._mentions |= self._layers_of(
            "graph_node semi join new_record_edge on id = tail and tail_type = 'Entity'"
        )
        return self._copy(
            f"select {_column_list(record_relation.columns)} from (select * replace ({_literal(self._summary.name)} as layer) from new_record_edge)",
            self._out.record_edges(relation),
            _column_list(record_relation.columns),
        )

    def _leave_out_missing_records(self, file: str, end: str, label: str) -> None:
        """Leave out edges between records whose end is no record of the graph or the layer."""
        own_ids = "select '' where false"
        if label in self._summary.records:
            own_ids = f"select id from read_parquet({sql_path(self._layer.records(label))})"
        outside = self._db.sql(
            f"select distinct {end} as id from new_record_edge where {end}_type = '{label}' "
            f"except {own_ids}"
        ).to_arrow_table()
        if not len(outside):
            return
        self._register("graph_record", self._graph.find_nodes(label, outside))
        self._needs |= self._layers_of(
            f"graph_record semi join new_record_edge on id = {end} and {end}_type = '{label}'"
        )
        self._leave_out(
            "new_record_edge",
            file,
            f"{end}_type = '{label}' and {end} not in (select id from graph_record union {own_ids})",
            f"its {end}, {{{end}}}, is no {label} of the graph or the layer",
        )

    def _check_edges_of_build(self, relation: str, path: Path, columns: Sequence[Column]) -> None:
        self._db.execute(f"create or replace view edge_changed as {select_columns(path, columns)}")
        check_values(self._db, "edge_changed", columns, self._file(path))
        check_distinct(self._db, "edge_changed", ("head", "tail"), self._file(path))
        ends = self._db.sql("select head, tail from edge_changed").to_arrow_table()
        self._register("graph_edge", self._graph.find_edges(relation, ends))
        missing = self._db.execute(
            "select head, tail from edge_changed anti join (from graph_edge where layer is null) "
            "using (head, tail) order by all limit 1"
        ).fetchone()
        if missing:
            raise LayerDoesNotFitError(
                f"{self._file(path)}: the edge from {missing[0]} to {missing[1]} is not in the "
                "graph that was built; make this layer again"
            )

    def _rows_left_out(self) -> pa.Table:
        """The rows that do not fit.

        Raises:
            LayerDoesNotFitError: that is all of the layer.
        """
        left_out = self._db.sql("from left_out order by all").to_arrow_table()
        summary = self._summary
        rows = sum((*summary.edges.values(), *summary.record_edges.values())) + summary.vectors
        if len(left_out) == rows > 0 and not (summary.nodes or summary.records or summary.changes):
            first = left_out.slice(0, 1).to_pylist()[0]
            ends = (
                f"the edge from {first['head']} to {first['tail']}"
                if first["tail"]
                else first["head"]
            )
            raise LayerDoesNotFitError(
                f"{self._file(self._layer.folder / first['table'])}: {ends} does not fit, since "
                f"{first['reason']}, and so it is with every row; make the layer on this graph"
            )
        return left_out.cast(arrow_schema(LEFT_OUT_COLUMNS))


def _column_list(columns: Sequence[Column]) -> str:
    return ", ".join(f'"{column.name}"' for column in columns)


def _literal(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def _nonzero(counts: Mapping[str, int]) -> dict[str, int]:
    return {name: rows for name, rows in counts.items() if rows}

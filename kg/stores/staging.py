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
    """What staging asks of the graph below; an answer may hold more than was asked for."""

    def find_nodes(self, label: str, ids: pa.Table) -> pa.Table:
        """Columns id, layer for those of the ids (column id) that are in the graph.

        Args:
            label: ``Entity`` or a record type.
            ids: asked for.
        """
        ...

    def find_edges(self, relation: str, ends: pa.Table) -> pa.Table:
        """Columns head, tail, layer for those of the edges (columns head, tail) that are.

        Args:
            relation: between entities.
            ends: asked for.
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
    """What the store says of the layer from then on."""
    left_out: pa.Table
    """``LEFT_OUT_COLUMNS``: what does not fit."""

    @property
    def counts(self) -> Counts:
        """What the layer adds."""
        told = self.summary
        return Counts(told.nodes | told.records, told.edges | told.record_edges)


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
        return _Staging(db, layer, graph, folder).staged(identities)


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

    def staged(self, identities: Path | None) -> Staged:
        summary = self._summary
        self._find_nodes(identities)
        if summary.vectors:
            path = self._layer.vectors
            given = select_columns(path, VECTOR_COLUMNS)
            check_vectors(self._db, given, summary.dimensions, self._file(path))
        nodes = self._write_nodes()
        edges = {name: self._write_edges(name) for name in summary.edges}
        vectors = self._write_vectors() if summary.vectors else 0
        for counts, file, out, columns in (
            (summary.removed, self._layer.removed, self._out.removed, REMOVED_COLUMNS),
            (summary.marked, self._layer.marks, self._out.marks, MARK_COLUMNS),
        ):
            for relation in counts:
                self._check_changed(relation, file(relation), columns)
                self._copy(select_columns(file(relation), columns), out(relation), "head, tail")
        records = {name: self._write_records(name) for name in summary.records}
        record_edges = {name: self._write_record_edges(name) for name in summary.record_edges}
        left_out = self._left_out()
        new = {
            "nodes": nodes,
            "edges": _present(edges),
            "vectors": vectors,
            "dimensions": summary.dimensions if vectors else 0,
            "records": _present(records),
            "record_edges": _present(record_edges),
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
        """The tables ``node`` (of the layer), ``have_node`` (of the graph), ``renamed``."""
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
        db.execute(f"create table asked as {' union '.join(ends)}")
        db.execute("create table renamed(id varchar, node varchar)")
        if identities and identities.is_file():
            # an id may have been known in several spellings or types; one node is unambiguous
            db.execute(
                "insert into renamed select id, min(node) from asked "
                f"join read_parquet({sql_path(identities)}) using (id) "
                "where node <> id group by id having count(distinct node) = 1"
            )
            db.execute("insert into asked select distinct node from renamed except from asked")
        self._register(
            "have_node", self._graph.find_nodes(ENTITY, db.table("asked").to_arrow_table())
        )
        db.execute("create view known as select id from have_node union select id from node")
        db.execute(
            "delete from renamed where id in (from known) or node not in (select id from have_node)"
        )
        self._needs |= self._layers("have_node semi join node using (id)")

    def _file(self, path: Path) -> str:
        return layer_file(self._layer, path)

    def _register(self, name: str, found: pa.Table) -> None:
        self._db.register("found", found)
        self._db.execute(f"create or replace table {name} as from found")
        self._db.unregister("found")

    def _layers(self, rows: str) -> set[str]:
        found = self._db.execute(f"select distinct layer from {rows} where layer is not null")
        return {layer for (layer,) in found.fetchall()}

    def _copy(self, select: str, path: Path, order: str) -> int:
        self._db.execute(f"copy ({select} order by {order}) to {sql_path(path)} (format parquet)")
        ((rows,),) = self._db.execute(
            f"select count(*) from read_parquet({sql_path(path)})"
        ).fetchall()
        return int(rows)

    def _write_nodes(self) -> dict[str, int]:
        marked = f"select * replace ({_text(self._summary.name)} as layer) from node"
        self._copy(f"{marked} anti join have_node using (id)", self._out.nodes, "id")
        counted = self._db.execute(
            f"select type, count(*) from read_parquet({sql_path(self._out.nodes)}) "
            "group by all order by all"
        )
        return dict(counted.fetchall())

    def _write_edges(self, relation: str) -> int:
        db, path = self._db, self._layer.edges(relation)
        rows = select_columns(path, EDGE_COLUMNS)
        check_values(db, f"({rows})", EDGE_COLUMNS, self._file(path))
        self._follow("edge", rows, "head", "tail")
        ends = db.sql("select head, tail from edge").to_arrow_table()
        self._register("have_edge", self._graph.find_edges(relation, ends))
        db.execute(
            "create or replace table new_edge as from edge anti join have_edge using (head, tail)"
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
                f"{end} not in (from known)",
                f"its {end}, {{{end}}}, is neither in the graph nor in the layer",
            )
        self._leave_out(
            "new_edge",
            file,
            "place not in (select min(place) from new_edge group by head, tail)",
            "another row of the layer is of the same edge",
        )
        self._needs |= self._layers("have_edge semi join edge using (head, tail)")
        for end in ("head", "tail"):
            self._needs |= self._layers(f"have_node semi join new_edge on have_node.id = {end}")
        return self._copy(
            f"select {_names(EDGE_COLUMNS)} from (select * replace ({_text(self._summary.name)} as layer) from new_edge)",
            self._out.edges(relation),
            "head, tail",
        )

    def _follow(self, name: str, select: str, *ends: str) -> None:
        """A table of the rows with the nodes that their ends stand for, and how they were."""
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
            table: made by ``_follow``, so its ends are known as the layer says them.
            file: of the layer, which has the rows.
            condition: which rows.
            reason: ends between braces stand for themselves.
        """
        ends = {"new_vector": "was_id, null", "new_edge": "was_head, was_tail"}
        told = re.sub(r"\{(\w+)\}", r"' || \1 || '", _text(reason))
        self._db.execute(
            f"insert into left_out select {_text(file)}, {ends.get(table, 'head, was_tail')}, "
            f"{told} from {table} where {condition}"
        )
        self._db.execute(f"delete from {table} where {condition}")

    def _write_vectors(self) -> int:
        self._follow("new_vector", select_columns(self._layer.vectors, VECTOR_COLUMNS), "id")
        file = self._layer.vectors.name
        self._leave_out(
            "new_vector",
            file,
            "id not in (from known)",
            "it has a vector and is neither in the graph nor in the layer",
        )
        self._needs |= self._layers("have_node semi join new_vector using (id)")
        self._leave_out(
            "new_vector",
            file,
            "was_id not in (select first(was_id order by id <> was_id, was_id) from new_vector "
            "group by id)",
            "another vector of the layer is of the same node",
        )
        return self._copy(
            f"select {_names(VECTOR_COLUMNS)} from new_vector", self._out.vectors, "id"
        )

    def _write_records(self, record_type: str) -> int:
        columns = RECORD_TYPES[record_type].columns
        path = self._layer.records(record_type)
        self._db.execute(f"create or replace view record as {select_columns(path, columns)}")
        check_values(self._db, "record", columns, self._file(path))
        check_distinct(self._db, "record", ("id",), self._file(path))
        ids = self._db.sql("select id from record").to_arrow_table()
        self._register(f"have_{record_type}", self._graph.find_nodes(record_type, ids))
        self._needs |= self._layers(f"have_{record_type} semi join record using (id)")
        self._db.execute(
            f"insert into left_out select {_text(path.relative_to(self._layer.folder).as_posix())}, "
            "id, null, 'the graph has a record of this id already, which stays: of layer ' || layer "
            f"from have_{record_type} semi join record using (id)"
        )
        return self._copy(
            f"select * replace ({_text(self._summary.name)} as layer) from record "
            f"anti join have_{record_type} using (id)",
            self._out.records(record_type),
            "id",
        )

    def _write_record_edges(self, relation: str) -> int:
        kind = RECORD_RELATIONS[relation]
        path = self._layer.record_edges(relation)
        rows = select_columns(path, kind.columns)
        check_values(self._db, f"({rows})", kind.columns, self._file(path))
        self._follow("new_record_edge", rows, "tail")
        file = path.relative_to(self._layer.folder).as_posix()
        pairs = " or ".join(f"(head_type, tail_type) = ('{h}', '{t}')" for h, t in kind.ends)
        self._leave_out(
            "new_record_edge",
            file,
            f"not ({pairs})",
            f"{relation} does not connect {{head_type}} with {{tail_type}}",
        )
        self._leave_out(
            "new_record_edge",
            file,
            f"tail_type = '{ENTITY}' and tail not in (from known)",
            "its tail, {tail}, is neither in the graph nor in the layer",
        )
        for end in ("head", "tail"):
            for label in sorted({each[end == "tail"] for each in kind.ends} - {ENTITY}):
                self._ends_in_records(file, end, label)
        self._mentions |= self._layers(
            "have_node semi join new_record_edge on id = tail and tail_type = 'Entity'"
        )
        return self._copy(
            f"select {_names(kind.columns)} from (select * replace ({_text(self._summary.name)} as layer) from new_record_edge)",
            self._out.record_edges(relation),
            _names(kind.columns),
        )

    def _ends_in_records(self, file: str, end: str, label: str) -> None:
        own = label in self._summary.records
        mine = (
            select_columns(self._layer.records(label), RECORD_TYPES[label].columns) if own else ""
        )
        asked = f"select distinct {end} as id from new_record_edge where {end}_type = '{label}'"
        if own:
            asked += f" except select id from ({mine})"
        others = self._db.sql(asked).to_arrow_table()
        if not len(others):
            return
        self._register("have_end", self._graph.find_nodes(label, others))
        own_ids = f" and {end} not in (select id from ({mine}))" if own else ""
        self._needs |= self._layers(
            f"have_end semi join new_record_edge on id = {end} and {end}_type = '{label}'"
        )
        self._leave_out(
            "new_record_edge",
            file,
            f"{end}_type = '{label}' and {end} not in (select id from have_end){own_ids}",
            f"its {end}, {{{end}}}, is no {label} of the graph or the layer",
        )

    def _check_changed(self, relation: str, path: Path, columns: Sequence[Column]) -> None:
        self._db.execute(f"create or replace view edge_changed as {select_columns(path, columns)}")
        check_values(self._db, "edge_changed", columns, self._file(path))
        check_distinct(self._db, "edge_changed", ("head", "tail"), self._file(path))
        ends = self._db.sql("select head, tail from edge_changed").to_arrow_table()
        self._register("have_edge", self._graph.find_edges(relation, ends))
        missing = self._db.execute(
            "select head, tail from edge_changed anti join (from have_edge where layer is null) "
            "using (head, tail) order by all limit 1"
        ).fetchone()
        if missing:
            raise LayerDoesNotFitError(
                f"{self._file(path)}: the edge from {missing[0]} to {missing[1]} is not in the "
                "graph that was built; make this layer again"
            )

    def _left_out(self) -> pa.Table:
        """What does not fit.

        Raises:
            LayerDoesNotFitError: that is all of the layer.
        """
        found = self._db.sql("from left_out order by all").to_arrow_table()
        told = self._summary
        rows = sum((*told.edges.values(), *told.record_edges.values())) + told.vectors
        if len(found) == rows > 0 and not (told.nodes or told.records or told.changes):
            first = found.slice(0, 1).to_pylist()[0]
            ends = (
                f"the edge from {first['head']} to {first['tail']}"
                if first["tail"]
                else first["head"]
            )
            raise LayerDoesNotFitError(
                f"{self._file(self._layer.folder / first['table'])}: {ends} does not fit, since "
                f"{first['reason']}, and so it is with every row; make the layer on this graph"
            )
        return found.cast(arrow_schema(LEFT_OUT_COLUMNS))


def _names(columns: Sequence[Column]) -> str:
    return ", ".join(f'"{column.name}"' for column in columns)


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def _present(counts: Mapping[str, int]) -> dict[str, int]:
    return {name: rows for name, rows in counts.items() if rows}

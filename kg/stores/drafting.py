"""Fills a new Ladybug file from graph tables, verifies it, and exports it as tables again."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from cypher.translation import translate
from kg.errors import StoreError
from kg.progress import Progress
from kg.records import ENTITY, RECORD_RELATIONS, RECORD_TYPES, RecordRelation
from kg.stores.contents import Contents
from kg.stores.disk import sql_path
from kg.stores.graph_file import GraphFile, UnusableFileError
from kg.stores.schema import create_schema, create_vectors, schema_checksum, vector_table
from kg.stores.statements import returned, statement, whole
from kg.stores.store import Counts
from kg.tables import (
    EDGE_COLUMNS,
    ENTITIES,
    NODE_COLUMNS,
    VERSION,
    Column,
    GraphTables,
    TableSummary,
    arrow_table,
)
from kg.vocabulary import RELATION_TYPES

_BUILD: Final = "medkg"
"""Name of the tables of a whole graph."""

_CONTENTS: Final = "medkg"
_SCHEMA: Final = "schema"
"""Ids of the two stamps of a file."""


class WholeGraph:
    """A file as ``staging`` looks rows up: the engine scans all edges sooner than it finds a few."""

    def __init__(self, file: GraphFile) -> None:
        self._file = file

    def find_nodes(self, label: str, ids: pa.Table) -> pa.Table:  # noqa: ARG002 - all are found
        """Every node of the label, with its layer."""
        return self._file.table(statement("embedded/read_nodes", label=label))

    def find_edges(self, relation: str, ends: pa.Table) -> pa.Table:  # noqa: ARG002 - all are found
        """Every edge of the relation, with its layer."""
        return self._file.table(statement("embedded/read_edges", relation=relation))


def build(
    draft: Path,
    tables: GraphTables,
    contents: Contents,
    progress: Progress,
    more: Sequence[GraphTables] = (),
) -> None:
    """Make the file ``draft`` of ``tables``, then add ``more``.

    Raises:
        StoreError: the engine failed, or an edge's end is missing.
    """
    with GraphFile(draft, write=True) as file:
        create_schema(file)
        _write_stamp(file, _SCHEMA, schema_checksum())
        for part in (tables, *more):
            add_tables(file, part, progress)
        write_contents(file, contents)


def add_tables(file: GraphFile, tables: GraphTables, progress: Progress) -> None:
    """Add all rows of ``tables``, and its vectors where it has some.

    Raises:
        StoreError: the engine failed, or an edge's end is missing.
    """
    summary = tables.summary()
    counts = (summary.nodes, summary.edges, summary.records, summary.record_edges)
    total = sum(sum(rows_by_name.values()) for rows_by_name in counts)
    with progress.step("Loading nodes and edges", total) as advance:
        if nodes := sum(summary.nodes.values()):
            file.copy_in(ENTITY, tables.nodes)
            advance(nodes)
        for relation, rows in summary.edges.items():
            file.copy_in(relation, tables.edges(relation))
            advance(rows)
        for record_type, rows in summary.records.items():
            file.copy_in(record_type, tables.records(record_type))
            advance(rows)
        for name, rows in summary.record_edges.items():
            _add_record_edges(file, RECORD_RELATIONS[name], tables.record_edges(name))
            advance(rows)
    if summary.vectors:
        with progress.step("Loading vectors", summary.vectors) as advance:
            create_vectors(file, summary.space, summary.dimensions)
            file.copy_in(vector_table(summary.space), tables.vectors)
            advance(summary.vectors)


def _add_record_edges(file: GraphFile, relation: RecordRelation, source: Path) -> None:
    """Add edges pair by pair of types, which the engine keeps in tables of their own."""
    columns = ", ".join(f'"{column.name}"' for column in relation.properties)
    with duckdb.connect() as db:
        for head, tail in relation.ends:
            part = source.with_suffix(f".{head}.{tail}.parquet")
            ((rows,),) = db.execute(
                f"copy (select head, tail, {columns} from read_parquet({sql_path(source)}) "  # noqa: S608 - columns and paths
                f"where head_type = '{head}' and tail_type = '{tail}' order by all) "
                f"to {sql_path(part)} (format parquet)"
            ).fetchall()
            if rows:
                ends = (head, tail) if len(relation.ends) > 1 else None
                file.copy_in(relation.name, part, ends)
            part.unlink()


def count(file: GraphFile, layers: Sequence[str] | None = None) -> Counts:
    """Nodes and records by type and edges by relation, counted by the engine.

    Args:
        file: open.
        layers: count what these added; None: everything.

    Raises:
        StoreError: the engine failed.
    """
    if layers is not None and not layers:
        return Counts({}, {})
    prefix = "" if layers is None else "layer_"
    arguments = {} if layers is None else {"layers": list(layers)}

    def counted(name: str) -> dict[str, int]:
        _, rows = file.rows(statement(name), arguments)
        return {str(label): whole(n) for label, n in rows}

    nodes = counted(f"count_{prefix}nodes")
    labels = counted(f"embedded/count_{prefix}records")
    edges = counted(f"embedded/count_{prefix}edges")
    return Counts(
        nodes | {name: labels[name] for name in RECORD_TYPES if name in labels},
        {name: edges[name] for name in (*RELATION_TYPES, *RECORD_RELATIONS) if name in edges},
    )


def verify(file: GraphFile, tables: GraphTables, progress: Progress) -> Counts:
    """Compare counts and the ends of all edges with the tables that were loaded.

    Raises:
        StoreError: they differ.
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
            source = tables.edges(relation)
            db.register("loaded", file.table(statement("embedded/read_edges", relation=relation)))
            in_file, in_source = db.execute(
                "select sum(hash(head, tail)) from loaded union all "  # noqa: S608 - a path as literal
                f"select sum(hash(head, tail)) from read_parquet({sql_path(source)})"
            ).fetchall()
            db.unregister("loaded")
            if in_file != in_source:
                raise StoreError(
                    f"{file.path}: edges {relation} do not join the same nodes as in {source}; "
                    "run the build again, and report this if it stays"
                )
            advance(rows)
    return counts


def export(file: GraphFile, folder: Path, without: Sequence[str] = ()) -> list[GraphTables]:
    """Write all rows as graph tables, leaving out those that some layers added.

    Returns:
        The graph; and for each further space of vectors tables that have nothing else.

    Raises:
        StoreError: the engine failed or the disk is full.
    """
    tables = GraphTables(folder)
    for name in ("edges", "records", "record_edges"):
        (folder / name).mkdir(parents=True)
    present, removed = count(file), count(file, without)
    parameters = {"layers": list(without)}
    nodes, edges = _minus(present.nodes, removed.nodes), _minus(present.edges, removed.edges)

    def copy_nodes(label: str, columns: Sequence[Column], path: Path) -> None:
        text = statement("embedded/remaining_nodes", label=label, columns=returned("n", columns))
        file.copy_out(text, parameters, path)

    copy_nodes(ENTITY, NODE_COLUMNS, tables.nodes)
    records = {name: rows for name, rows in nodes.items() if name in RECORD_TYPES}
    for name in records:
        copy_nodes(name, RECORD_TYPES[name].columns, tables.records(name))
    for relation in edges.keys() & RELATION_TYPES.keys():
        text = statement(
            "embedded/remaining_edges",
            relation=relation,
            head=ENTITY,
            tail=ENTITY,
            columns=returned("r", EDGE_COLUMNS[2:]),
        )
        file.copy_out(text, parameters, tables.edges(relation))
    record_edges = {name: rows for name, rows in edges.items() if name in RECORD_RELATIONS}
    for name in record_edges:
        _export_record_edges(file, RECORD_RELATIONS[name], parameters, tables.record_edges(name))
    summary = TableSummary(
        name=_BUILD,
        checksum="",
        nodes={name: rows for name, rows in nodes.items() if name not in records},
        edges={name: rows for name, rows in edges.items() if name not in record_edges},
        records=records,
        record_edges=record_edges,
        version=VERSION,
        made_by="another graph",
    )
    tables.write_summary(summary)
    return [tables, *_export_vectors(file, folder, without)]


def _export_record_edges(
    file: GraphFile, relation: RecordRelation, parameters: Mapping[str, object], path: Path
) -> None:
    parts = []
    for head, tail in relation.ends:
        part = path.with_suffix(f".{head}.{tail}.parquet")
        text = statement(
            "embedded/remaining_edges",
            relation=relation.name,
            head=head,
            tail=tail,
            columns=returned("r", relation.properties),
        )
        file.copy_out(text, parameters, part)
        parts.append((part, f"'{head}' as head_type, '{tail}' as tail_type"))
    names = ", ".join(f'"{column.name}"' for column in relation.columns)
    selects = [f"select *, {types} from read_parquet({sql_path(part)})" for part, types in parts]  # noqa: S608 - paths
    with duckdb.connect() as db:
        db.execute(
            f"copy (select {names} from ({' union all by name '.join(selects)}) order by all) "  # noqa: S608 - columns
            f"to {sql_path(path)} (format parquet)"
        )
    for part, _ in parts:
        part.unlink()


def _export_vectors(file: GraphFile, folder: Path, without: Sequence[str]) -> list[GraphTables]:
    """The vectors of the layers that stay, a space each."""
    exported = []
    for layer in read_contents(file).layers:
        if not layer.dimensions or layer.name in without:
            continue
        space = layer.space or ENTITIES
        tables = GraphTables(folder / f"vectors_{space}")
        tables.folder.mkdir()
        text = statement("embedded/read_vectors", table=vector_table(space))
        file.copy_out(text, {}, tables.vectors)
        pq.write_table(arrow_table(NODE_COLUMNS, ()), tables.nodes)
        tables.write_summary(
            TableSummary(
                name=layer.name,
                checksum=layer.checksum,
                nodes={},
                edges={},
                vectors=pq.read_metadata(tables.vectors).num_rows,
                dimensions=layer.dimensions,
                space=space,
                version=VERSION,
                made_by="another graph",
            )
        )
        exported.append(tables)
    return exported


def _minus(present: dict[str, int], removed: dict[str, int]) -> dict[str, int]:
    remaining = {name: n - removed.get(name, 0) for name, n in present.items()}
    return {name: n for name, n in remaining.items() if n}


def write_contents(file: GraphFile, contents: Contents) -> None:
    """Record in the file what it holds."""
    _write_stamp(file, _CONTENTS, contents.model_dump_json())


def _write_stamp(file: GraphFile, stamp: str, text: str) -> None:
    file.run(statement("embedded/write_stamp"), {"what": stamp, "holds": text})


def _read_stamp(file: GraphFile, stamp: str) -> str | None:
    _, rows = file.rows(statement("embedded/read_stamp"), {"what": stamp})
    return str(rows[0][0]) if rows else None


def read_contents(file: GraphFile) -> Contents:
    """What the file says that it holds.

    Raises:
        StoreError: it does not say, so it is not a graph of medkg.
    """
    text = _read_stamp(file, _CONTENTS)
    if text is None:
        raise StoreError(
            translate("{path}: has no stamp; delete it and run 'medkg build'", path=file.path)
        )
    return Contents.model_validate_json(text)


def check_schema(file: GraphFile) -> None:
    """See that the file has the tables and columns of this medkg.

    Raises:
        UnusableFileError: another version made it.
    """
    if _read_stamp(file, _SCHEMA) != schema_checksum():
        raise UnusableFileError(
            translate(
                "{path}: made by another version of medkg, with other tables; make it again "
                "with 'medkg build', which applies its layers again too",
                path=file.path,
            )
        )

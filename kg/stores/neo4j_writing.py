"""Bulk writes over Bolt: batches of rows, several under way, each counted; vectors and whole plans too."""

import tempfile
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import duckdb
import neo4j
import pyarrow as pa
import pyarrow.parquet as pq

from cypher.translation import translate
from kg.errors import StoreError
from kg.progress import Advance, Progress
from kg.records import ENTITY, RECORD_TYPES
from kg.stores.disk import sql_path
from kg.stores.inspection import select_columns
from kg.stores.neo4j_graph import (
    RemoteGraph,
    count_graph,
    count_layers,
    drop_vector_indexes,
    ensure_indexes,
)
from kg.stores.neo4j_schema import vector_property
from kg.stores.neo4j_session import Neo4jDatabase
from kg.stores.planning import Change, Plan
from kg.stores.staging import Staged, stage
from kg.stores.statements import statement
from kg.tables import EDGE_COLUMNS, ENTITIES, MARK_COLUMNS, GraphTables

EDGES_PER_TRANSACTION: Final = 25_000
"""Rows a transaction: more take the server's memory, fewer its time."""

NODES_PER_TRANSACTION: Final = 5_000
"""Rows a transaction; a node may carry a text of some kilobytes."""

DELETIONS_PER_TRANSACTION: Final = 50_000
"""Nodes or edges a transaction."""

_FLOATS_PER_TRANSACTION: Final = 500_000
"""Numbers of vectors; each takes nine bytes on the wire."""

_VECTOR_DELETIONS_PER_TRANSACTION: Final = 20_000

_WRITERS: Final = 2
"""Transactions under way: one is packed while the server works on the other."""


@dataclass(frozen=True)
class Batch:
    """One statement with its rows, all of one file."""

    text: str
    arguments: dict[str, Any]
    rows: int
    source: Path


def write_tables(database: Neo4jDatabase, tables: GraphTables, progress: Progress) -> None:
    """Create all nodes and records, then all edges.

    Raises:
        StoreError: the server failed, or created fewer than it was sent.
    """
    summary = tables.summary()
    nodes = sum((*summary.nodes.values(), *summary.records.values()))
    with progress.step("Loading nodes", nodes) as advance:
        _write(database, _node_batches(tables.nodes), advance)
        for record_type in summary.records:
            _write(database, _record_batches(tables.records(record_type), record_type), advance)
    edges = sum((*summary.edges.values(), *summary.record_edges.values()))
    with progress.step("Loading edges", edges) as advance:
        for relation in summary.edges:
            _write(database, _edge_batches(tables.edges(relation), relation), advance)
        for name in summary.record_edges:
            _write(database, _record_edge_batches(tables.record_edges(name), name), advance)


def _node_batches(source: Path) -> Iterator[Batch]:
    for batch in _row_batches(source, NODES_PER_TRANSACTION):
        by_type = defaultdict(list)
        for row in batch.to_pylist():
            by_type[row["type"]].append(_present(row))
        for node_type, rows in by_type.items():
            text = statement("neo4j/create_nodes", node_type=node_type)
            yield Batch(text, {"rows": rows}, len(rows), source)


def _record_batches(source: Path, record_type: str) -> Iterator[Batch]:
    text = statement("neo4j/create_records", label=record_type)
    for batch in _row_batches(source, NODES_PER_TRANSACTION):
        rows = [_present(row) for row in batch.to_pylist()]
        yield Batch(text, {"rows": rows}, len(rows), source)


def _record_edge_batches(source: Path, relation: str) -> Iterator[Batch]:
    for batch in _row_batches(source, EDGES_PER_TRANSACTION):
        by_types = defaultdict(list)
        for row in batch.to_pylist():
            head, head_type, tail, tail_type = (
                row.pop(name) for name in ("head", "head_type", "tail", "tail_type")
            )
            by_types[head_type, tail_type].append([head, tail, _present(row)])
        for (head_type, tail_type), rows in by_types.items():
            text = statement(
                "neo4j/create_record_edges", relation=relation, head=head_type, tail=tail_type
            )
            yield Batch(text, {"rows": rows}, len(rows), source)


def _edge_batches(source: Path, relation: str) -> Iterator[Batch]:
    """Edges by head, which the server then looks up once for all of its tails.

    Edges often share all their properties, which then go over the wire once.
    """
    text = statement("neo4j/create_edges", relation=relation)
    for batch in _row_batches(source, EDGES_PER_TRANSACTION):
        heads, tails, *columns = (column.to_pylist() for column in batch.columns)
        names = batch.schema.names[2:]
        places: dict[str, int] = {}
        properties: list[dict[str, Any]] = []
        by_head: dict[str, list[tuple[str, int]]] = defaultdict(list)
        for head, tail, *values in zip(heads, tails, *columns, strict=True):
            place = places.setdefault(repr(values), len(properties))
            if place == len(properties):
                properties.append(_present(dict(zip(names, values, strict=True))))
            by_head[head].append((tail, place))
        arguments = {"heads": list(by_head.items()), "properties": properties}
        yield Batch(text, arguments, len(heads), source)


def _row_batches(source: Path, size: int) -> Iterator[pa.RecordBatch]:
    with pq.ParquetFile(source) as file:
        yield from file.iter_batches(size)


def _present(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if value is not None}


def _write(database: Neo4jDatabase, batches: Iterator[Batch], advance: Advance) -> None:
    with ThreadPoolExecutor(_WRITERS, thread_name_prefix="bolt") as pool:
        under_way: dict[Future[None], int] = {}
        try:
            for batch in batches:
                under_way[pool.submit(_write_batch, database, batch)] = batch.rows
                if len(under_way) > _WRITERS:
                    _collect(under_way, advance)
            while under_way:
                _collect(under_way, advance)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _collect(under_way: dict[Future[None], int], advance: Advance) -> None:
    done, _ = wait(under_way, return_when=FIRST_COMPLETED)
    for future in done:
        rows = under_way.pop(future)
        future.result()
        advance(rows)


def _write_batch(database: Neo4jDatabase, batch: Batch) -> None:
    def work(transaction: neo4j.ManagedTransaction) -> None:
        counters = transaction.run(batch.text, batch.arguments).consume().counters
        created = counters.nodes_created + counters.relationships_created
        if created != batch.rows:  # raised inside, so that the batch is rolled back
            raise StoreError(
                f"{batch.source}: {batch.rows - created} of {batch.rows} edges have an end that "
                "is not among the nodes; make the tables again with 'medkg build'"
            )

    database.write(work)


def change_edges(database: Neo4jDatabase, layer: GraphTables, progress: Progress) -> None:
    """Take out and mark the edges that a layer names.

    Raises:
        StoreError: the server failed, or has not all of them.
    """
    summary = layer.summary()
    total = sum(summary.removed.values()) + sum(summary.marked.values())
    with progress.step("Changing edges", total) as advance:
        for relation in summary.removed:
            text = statement("neo4j/remove_edges", relation=relation)
            for rows in _pairs(layer.removed(relation), ["head", "tail"]):
                removed = database.run(text, {"rows": rows}).relationships_deleted
                _expect_all(layer.removed(relation), removed, len(rows))
                advance(len(rows))
        for relation in summary.marked:
            text = statement("neo4j/mark_edges", relation=relation)
            names = [column.name for column in MARK_COLUMNS]
            for rows in _pairs(layer.marks(relation), names):
                database.run(text, {"rows": rows})
                advance(len(rows))


def restore_edges(database: Neo4jDatabase, layer: GraphTables, progress: Progress) -> None:
    """Undo ``change_edges``, also where it or this was interrupted.

    Raises:
        StoreError: the server failed.
    """
    summary = layer.summary()
    total = sum(summary.removed.values()) + sum(summary.marked.values())
    with progress.step("Restoring edges", total) as advance, tempfile.TemporaryDirectory() as work:
        for relation, rows in summary.marked.items():
            text = statement("neo4j/unmark_edges", relation=relation)
            while database.run(text, {"batch": DELETIONS_PER_TRANSACTION}).properties_set:
                pass
            advance(rows)
        for relation in summary.removed:
            missing = Path(work) / f"{relation}.parquet"
            _write_missing(database, layer.removed(relation), relation, missing)
            _write(database, _edge_batches(missing, relation), advance)


def _write_missing(database: Neo4jDatabase, removed: Path, relation: str, out: Path) -> None:
    """Those of the removed edges that the graph has not got, as an edge file."""
    ends = pq.read_table(removed, columns=["head", "tail"])
    names = ", ".join(column.name for column in EDGE_COLUMNS)
    with duckdb.connect() as db:
        db.register("there", RemoteGraph(database).find_edges(relation, ends))
        db.execute(
            f"copy (select {names} from ({select_columns(removed, EDGE_COLUMNS)}) "  # noqa: S608 - paths and columns
            f"anti join there using (head, tail)) to {sql_path(out)} (format parquet)"
        )


def _pairs(source: Path, names: list[str]) -> Iterator[list[list[Any]]]:
    with pq.ParquetFile(source) as file:
        for batch in file.iter_batches(EDGES_PER_TRANSACTION, columns=names):
            yield [list(row) for row in zip(*(c.to_pylist() for c in batch.columns), strict=True)]


def _expect_all(source: Path, changed: int, expected: int) -> None:
    if changed != expected:
        raise StoreError(
            f"{source}: {expected - changed} of {expected} edges are not in the graph, perhaps "
            "because something else writes to it; run 'medkg build'"
        )


def write_vectors(database: Neo4jDatabase, layer: GraphTables, progress: Progress) -> None:
    """Give nodes the vectors of ``layer``, if it has some, and fill the index over them.

    Raises:
        StoreError: the server failed, or lacks one of the nodes.
    """
    summary = layer.summary()
    if not summary.vectors:
        return
    text = statement("neo4j/write_vectors", property=vector_property(summary.space))
    with (
        progress.step("Loading vectors", summary.vectors) as advance,
        pq.ParquetFile(layer.vectors) as file,
    ):
        for batch in file.iter_batches(max(1, _FLOATS_PER_TRANSACTION // summary.dimensions)):
            ids, vectors = (column.to_pylist() for column in batch.columns)
            rows = [list(row) for row in zip(ids, vectors, strict=True)]
            written = database.run(text, {"rows": rows}).properties_set
            if written != len(rows):
                raise StoreError(
                    f"{layer.vectors}: {len(rows) - written} nodes that have a vector are not in "
                    "the graph, perhaps because something else writes to it; run 'medkg build'"
                )
            advance(len(rows))
    with progress.step("Filling the index of vectors"):
        ensure_indexes(database, {summary.space: summary.dimensions})


def delete_vectors(database: Neo4jDatabase, space: str, progress: Progress) -> None:
    """Take every node's vector of a space away, a batch a transaction, and drop the index.

    Raises:
        StoreError: the server failed.
    """
    drop_vector_indexes(database, space)
    text = statement("neo4j/delete_vectors", property=vector_property(space))
    with progress.step("Deleting vectors") as advance:
        deleted = -1
        while deleted:
            deleted = database.run(
                text, {"batch": _VECTOR_DELETIONS_PER_TRANSACTION}
            ).properties_set
            advance(deleted)


def write_plan(database: Neo4jDatabase, planned: Plan, progress: Progress) -> None:
    """Delete the rows of removed layers, and write those of applied ones.

    Raises:
        StoreError: the server failed, or does not hold what the plan was made on.
    """
    names = {layer.name for layer in planned.removed}
    spaces = {layer.space or ENTITIES for layer in planned.removed if layer.dimensions}
    delete_rows(database, names, spaces, progress)
    for layer in planned.restored:
        restore_edges(database, layer, progress)
    for staged in planned.staged:
        _add(database, staged, progress)


def undo_plan(
    database: Neo4jDatabase, planned: Plan, change: Change, folder: Path, progress: Progress
) -> None:
    """Bring back what was there before ``write_plan``; the layers that went are kept.

    Args:
        database: as ``write_plan`` left it, done or cut off.
        planned: what was to be done.
        change: of which it is the plan.
        folder: for the rows that come back.
        progress: shown meanwhile.

    Raises:
        TablesError: the kept tables are not whole.
        StoreError: the server failed.
    """
    added = {staged.applied.name for staged in planned.staged}
    spaces = {staged.applied.space for staged in planned.staged if staged.applied.dimensions}
    delete_rows(database, added | {layer.name for layer in planned.removed}, spaces, progress)
    for staged in planned.staged:
        restore_edges(database, staged.tables, progress)
    graph = RemoteGraph(database)
    for number, layer in enumerate(planned.removed):
        kept = change.kept[layer.name]
        _add(database, stage(kept, graph, folder / f"undo-{number}", change.identities), progress)


def _add(database: Neo4jDatabase, staged: Staged, progress: Progress) -> None:
    """Write what a layer adds, takes out and marks."""
    write_tables(database, staged.tables, progress)
    change_edges(database, staged.tables, progress)
    write_vectors(database, staged.tables, progress)


def delete_rows(
    database: Neo4jDatabase, layers: Collection[str], spaces: Collection[str], progress: Progress
) -> None:
    """Delete what layers added, and the vectors of spaces.

    Raises:
        StoreError: the server failed.
    """
    if layers:
        delete_layers(database, sorted(layers), progress)
    for space in sorted(spaces):
        delete_vectors(database, space, progress)


def delete_all(database: Neo4jDatabase, progress: Progress) -> None:
    """Delete every ``:Entity`` and record and what hangs on them, a batch a transaction."""
    counts = count_graph(database)
    total = sum(counts.nodes.values()) + sum(counts.edges.values())
    if not total:
        return
    with progress.step("Deleting the graph before", total) as advance:
        for label in (*RECORD_TYPES, ENTITY):
            for name in ("delete_edges", "delete_nodes"):
                _delete(database, statement(f"neo4j/{name}", label=label), {}, advance)


def delete_layers(database: Neo4jDatabase, layers: Sequence[str], progress: Progress) -> None:
    """Delete what layers added, a batch a transaction."""
    arguments = {"layers": list(layers)}
    counts = count_layers(database, layers)
    with progress.step(translate("Deleting {layers}", layers=", ".join(layers))) as advance:
        for relation in counts.edges:
            text = statement("neo4j/delete_layer_edges", relation=relation)
            _delete(database, text, arguments, advance)
        for label in (*RECORD_TYPES, ENTITY):
            text = statement("neo4j/delete_layer_nodes", label=label)
            _delete(database, text, arguments, advance)


def _delete(
    database: Neo4jDatabase, text: str, arguments: Mapping[str, object], advance: Advance
) -> None:
    deleted = -1
    while deleted:
        counters = database.run(text, {**arguments, "batch": DELETIONS_PER_TRANSACTION})
        deleted = counters.relationships_deleted + counters.nodes_deleted
        advance(deleted)


def finish_import(database: Neo4jDatabase) -> None:
    """Put in what the importer left out, if the graph came from it."""
    _, imported = database.read(statement("neo4j/read_imported"))
    if not imported:
        return
    while database.run(
        statement("neo4j/fill_lists"), {"batch": NODES_PER_TRANSACTION}
    ).properties_set:
        pass
    database.run(statement("neo4j/finish_import"))

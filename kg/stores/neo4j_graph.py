"""Reads from a Neo4j database single nodes and edges, counts it, keeps its stamp and its indexes."""

from collections.abc import Callable, Collection, Iterator, Mapping
from time import monotonic, sleep
from types import MappingProxyType
from typing import Any, Final, cast

import pyarrow as pa

from kg.errors import StoreError
from kg.progress import Advance, Progress, Silent
from kg.records import ENTITY, RECORD_RELATIONS, RECORD_TYPES
from kg.stores.contents import Contents
from kg.stores.neo4j_schema import VECTOR_INDEX, constraints, indexes, vector_index
from kg.stores.neo4j_session import Neo4jDatabase
from kg.stores.statements import statement, whole
from kg.stores.store import Counts
from kg.vocabulary import RELATION_TYPES

_LOOKUP_BATCH: Final = 10_000
"""Nodes or edges looked up by one statement."""
_SEPARATOR: Final = " "
"""Between the names of layers in the stamp."""

_INDEX_TIMEOUT: Final = 600
"""Seconds until an index that is being filled counts as lost."""

_POLL_SECONDS: Final = (0.01, 0.2)
"""Seconds between the first and between later polls of indexes that are being filled."""

_SILENT: Final = Silent()


class RemoteGraph:
    """A database as ``staging`` asks it."""

    def __init__(self, database: Neo4jDatabase) -> None:
        self._database = database

    def find_nodes(self, label: str, ids: pa.Table) -> pa.Table:
        """Those of the ids that are nodes of the label, with their layers."""
        text = statement("neo4j/find_nodes", label=label)
        schema = pa.schema([(name, pa.string()) for name in ("id", "layer")])
        return self._find(text, "ids", ids, schema, lambda row: row["id"])

    def find_edges(self, relation: str, ends: pa.Table) -> pa.Table:
        """Those of the edges that are there, with their layers."""
        text = statement("neo4j/find_edges", relation=relation)
        schema = pa.schema([(name, pa.string()) for name in ("head", "tail", "layer")])
        return self._find(text, "rows", ends, schema, lambda row: [row["head"], row["tail"]])

    def _find(
        self,
        text: str,
        parameter: str,
        keys: pa.Table,
        schema: pa.Schema,
        key: Callable[[Mapping[str, Any]], object],
    ) -> pa.Table:
        def batches() -> Iterator[pa.RecordBatch]:
            for batch in keys.to_batches(_LOOKUP_BATCH):
                values = [key(row) for row in batch.to_pylist()]
                _, rows = self._database.read(text, {parameter: values})
                columns = [list(column) for column in zip(*rows, strict=True)]
                if rows:
                    yield pa.record_batch(columns, schema=schema)

        return pa.Table.from_batches(batches(), schema=schema)


Counted = tuple[Mapping[str, int], Mapping[tuple[str | None, str], int]]
"""Nodes by label; edges by relation, those that begin at an entity by ``(ENTITY, relation)``."""


def count_graph(database: Neo4jDatabase) -> Counts:
    """Count nodes and records by type and edges by relation in the database itself.

    Edges count if they begin at an entity or are of records: others are not ours.

    Raises:
        StoreError: the server failed.
    """
    _, rows = database.read(statement("count_nodes"))
    nodes = {str(type_): whole(n) for type_, n in rows}
    try:
        labels, edges = read_counters(database)
    except StoreError:  # an Enterprise Edition shows them to administrators alone
        labels, edges = count_by_reading(database)
    counts = {name: edges.get((ENTITY, name), 0) for name in RELATION_TYPES}
    counts |= {name: edges.get((None, name), 0) for name in RECORD_RELATIONS}
    return _counts(nodes, labels, counts)


def read_counters(database: Neo4jDatabase) -> Counted:
    """What Neo4j's counters say, at once whatever the size.

    Raises:
        StoreError: the server failed, or does not show them.
    """
    _, [(labels, edges)] = database.read(statement("neo4j/read_counters"))
    return (
        {each["label"]: each["count"] for each in _maps(labels) if "label" in each},
        {
            (each.get("startLabel"), each["relationshipType"]): each["count"]
            for each in _maps(edges)
            if "relationshipType" in each and "endLabel" not in each
        },
    )


def count_by_reading(database: Neo4jDatabase) -> Counted:
    """The same of records and edges by a look at every one.

    Raises:
        StoreError: the server failed.
    """
    _, records = database.read(statement("neo4j/count_records"))
    _, edges = database.read(statement("neo4j/count_edges"))
    return (
        {str(label): whole(n) for label, n in records},
        {(ENTITY if entity else None, str(relation)): whole(n) for entity, relation, n in edges},
    )


def count_layers(database: Neo4jDatabase, layers: Collection[str]) -> Counts:
    """Of what some layers added: nodes and records by type and edges by relation.

    Raises:
        StoreError: the server failed.
    """
    if not layers:
        return Counts({}, {})

    def read(name: str) -> dict[str, int]:
        _, rows = database.read(statement(name), {"layers": sorted(layers)})
        return {str(what): whole(n) for what, n in rows}

    records, edges = read("neo4j/count_layer_records"), read("neo4j/count_layer_edges")
    return _counts(read("count_layer_nodes"), records, edges)


def _counts(
    nodes: Mapping[str, int], records: Mapping[str, int], edges: Mapping[str, int]
) -> Counts:
    """Of the vocabulary alone, in its order."""
    relations = (*RELATION_TYPES, *RECORD_RELATIONS)
    return Counts(
        {**nodes, **{name: records[name] for name in RECORD_TYPES if records.get(name)}},
        {name: edges[name] for name in relations if edges.get(name)},
    )


def _maps(value: object) -> list[dict[str, Any]]:
    """A list of maps, as Neo4j gives it."""
    return cast("list[dict[str, Any]]", value)


def read_stamp(database: Neo4jDatabase) -> tuple[Contents | None, set[str]]:
    """What the database says it holds, and the layers whose writing is not done."""
    _, rows = database.read(statement("neo4j/read_stamp"))
    if not rows:
        return None, set()
    holds, writing = rows[0]
    unfinished = str(writing).split(_SEPARATOR) if writing else ()
    return Contents.model_validate_json(str(holds)), set(unfinished)


def write_stamp(
    database: Neo4jDatabase, contents: Contents, writing: Collection[str] = ()
) -> None:
    """Say what the database holds, and which layers are being written or removed."""
    holds = contents.model_dump_json()
    unfinished = _SEPARATOR.join(sorted(writing)) or None
    database.run(statement("neo4j/write_stamp"), {"holds": holds, "writing": unfinished})


def ensure_constraints(database: Neo4jDatabase) -> None:
    """Make the constraints that are missing."""
    _ensure(database, "SHOW CONSTRAINTS YIELD name", constraints())


def ensure_indexes(
    database: Neo4jDatabase,
    spaces: Mapping[str, int] = MappingProxyType({}),
    progress: Progress = _SILENT,
) -> tuple[str, ...]:
    """Make what is missing, wait until all are filled, name them.

    One that somebody made for the same columns under another name stays in place of ours.

    Args:
        database: gets them.
        spaces: length of the vectors that nodes have, by space.
        progress: shown meanwhile, in percent.

    Raises:
        StoreError: the server failed to fill one.
    """
    ensure_constraints(database)
    statements = indexes()
    for space, dimensions in spaces.items():
        statements |= vector_index(space, dimensions)
    _ensure(database, "SHOW INDEXES YIELD name", statements)
    with progress.step("Filling indexes", 100) as advance:
        states = _fill(database, constraints().keys() | statements.keys(), advance)
    if failed := sorted(name for name, state in states.items() if state != "ONLINE"):
        raise StoreError(
            f"{database.address.uri}: the index {failed[0]} could not be filled; look into "
            f"the server's debug.log, then run 'DROP INDEX {failed[0]}' and try again"
        )
    return tuple(sorted(states))


def _fill(database: Neo4jDatabase, names: Collection[str], advance: Advance) -> dict[str, str]:
    """Wait until these indexes are filled, or one cannot be; the state of each."""
    end, reported = monotonic() + _INDEX_TIMEOUT, 0
    pause, longest = _POLL_SECONDS
    while True:
        _, rows = database.read("SHOW INDEXES YIELD name, state, populationPercent")
        states = {str(name): str(state) for name, state, _ in rows if name in names}
        filled = [float(str(percent)) for name, _, percent in rows if name in names]
        average = int(sum(filled) / max(len(filled), 1))
        advance(average - reported)
        reported = average
        if "POPULATING" not in states.values() or monotonic() > end:
            return states
        sleep(pause)
        pause = min(2 * pause, longest)


def drop_vector_indexes(database: Neo4jDatabase, space: str = "") -> None:
    """Drop the index over the vectors of a space, or of all."""
    _, rows = database.read("SHOW INDEXES YIELD name, type WHERE type = 'VECTOR' RETURN name")
    for (name,) in rows:
        if str(name) == f"{VECTOR_INDEX}{space}" or (
            not space and str(name).startswith(VECTOR_INDEX)
        ):
            database.run(f"DROP INDEX {name} IF EXISTS")


def _ensure(database: Neo4jDatabase, show: str, statements: Mapping[str, str]) -> None:
    _, rows = database.read(show)
    existing = {str(name) for (name,) in rows}
    for name, text in statements.items():
        if name not in existing:
            database.run(text)

"""What is in a Neo4j database: counts, single nodes and edges, the stamp, the indexes."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import pyarrow as pa

from kg.errors import StoreError
from kg.stores.contents import Contents
from kg.stores.neo4j_schema import VECTOR_INDEX, constraints, indexes, vector_index
from kg.stores.neo4j_session import Neo4jDatabase
from kg.stores.statements import statement
from kg.stores.store import Counts
from kg.vocabulary import RELATION_TYPES

_ASKED_AT_ONCE: Final = 10_000
_INDEX_PATIENCE: Final = 600
"""Seconds until an index that is being filled counts as lost."""


class RemoteGraph:
    """A database as ``staging`` asks it."""

    def __init__(self, database: Neo4jDatabase) -> None:
        self._database = database

    def find_nodes(self, ids: pa.Table) -> pa.Table:
        """Those of the ids that are nodes, with their layers."""
        text = statement("neo4j/find_nodes")
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
        asked: pa.Table,
        schema: pa.Schema,
        key: Callable[[Mapping[str, Any]], object],
    ) -> pa.Table:
        def parts() -> Iterator[pa.RecordBatch]:
            for batch in asked.to_batches(_ASKED_AT_ONCE):
                values = [key(row) for row in batch.to_pylist()]
                _, rows = self._database.read(text, {parameter: values})
                columns = [list(column) for column in zip(*rows, strict=True)]
                if rows:
                    yield pa.record_batch(columns, schema=schema)

        return pa.Table.from_batches(parts(), schema=schema)


def count(database: Neo4jDatabase, layer: str | None = None) -> Counts:
    """Nodes by type and edges by relation type; of one layer if one is named."""
    of, arguments = ("count", {}) if layer is None else ("count_layer", {"layer": layer})
    _, nodes = database.read(statement(f"{of}_nodes"), arguments)
    edges = {}
    for relation in RELATION_TYPES:
        _, [(found,)] = database.read(statement(f"{of}_edges", relation=relation), arguments)
        edges[relation] = _whole(found)
    return Counts(
        {str(type_): _whole(found) for type_, found in nodes},
        {relation: found for relation, found in edges.items() if found},
    )


def _whole(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError(f"a count is {type(value).__name__}")
    return value


def read_stamp(database: Neo4jDatabase) -> tuple[Contents | None, str | None]:
    """What the database says it holds, and the layer whose writing is not done."""
    _, rows = database.read(statement("neo4j/read_stamp"))
    if not rows:
        return None, None
    holds, writing = rows[0]
    return Contents.model_validate_json(str(holds)), None if writing is None else str(writing)


def write_stamp(database: Neo4jDatabase, contents: Contents, writing: str | None = None) -> None:
    """Say what the database holds, and which layer is being written or removed."""
    holds = contents.model_dump_json()
    database.run(statement("neo4j/write_stamp"), {"holds": holds, "writing": writing})


def ensure_constraints(database: Neo4jDatabase) -> None:
    """Make the constraints that are missing."""
    _ensure(database, "SHOW CONSTRAINTS YIELD name", constraints())


def ensure_indexes(database: Neo4jDatabase, dimensions: int = 0) -> tuple[str, ...]:
    """Make what is missing, wait until all are filled, name them.

    One that somebody made for the same columns under another name stays in place of ours.

    Args:
        database: gets them.
        dimensions: length of the vectors that nodes have; 0 where they have none.

    Raises:
        StoreError: the server failed to fill one.
    """
    ensure_constraints(database)
    wanted = indexes() | (vector_index(dimensions) if dimensions else {})
    _ensure(database, "SHOW INDEXES YIELD name", wanted)
    database.read("CALL db.awaitIndexes($patience)", {"patience": _INDEX_PATIENCE})
    _, rows = database.read("SHOW INDEXES YIELD name, state")
    ours = constraints().keys() | wanted.keys()
    states = {str(name): state for name, state in rows if name in ours}
    if failed := sorted(name for name, state in states.items() if state != "ONLINE"):
        raise StoreError(
            f"{database.address.uri}: the index {failed[0]} could not be filled; look into "
            f"the server's debug.log, then run 'DROP INDEX {failed[0]}' and try again"
        )
    return tuple(sorted(states))


def drop_vector_index(database: Neo4jDatabase) -> None:
    """Drop the index over vectors, if it is there."""
    database.run(f"DROP INDEX {VECTOR_INDEX} IF EXISTS")


def _ensure(database: Neo4jDatabase, show: str, wanted: Mapping[str, str]) -> None:
    _, rows = database.read(show)
    there = {str(name) for (name,) in rows}
    for name, text in wanted.items():
        if name not in there:
            database.run(text)

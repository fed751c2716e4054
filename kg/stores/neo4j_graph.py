"""What is in a Neo4j database: counts, single nodes and edges, the stamp, the indexes."""

from collections.abc import Callable, Collection, Iterator, Mapping
from time import monotonic, sleep
from types import MappingProxyType
from typing import Any, Final

import pyarrow as pa

from kg.errors import StoreError
from kg.progress import Advance, Progress, Silent
from kg.stores.contents import Contents
from kg.stores.neo4j_schema import VECTOR_INDEX, constraints, indexes, vector_index
from kg.stores.neo4j_session import Neo4jDatabase
from kg.stores.statements import statement

_ASKED_AT_ONCE: Final = 10_000
_BETWEEN: Final = " "
"""Between the names of layers."""

_INDEX_PATIENCE: Final = 600
"""Seconds until an index that is being filled counts as lost."""

_LOOK_AGAIN: Final = 0.2
"""Seconds between two looks at indexes that are being filled."""

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


def read_stamp(database: Neo4jDatabase) -> tuple[Contents | None, set[str]]:
    """What the database says it holds, and the layers whose writing is not done."""
    _, rows = database.read(statement("neo4j/read_stamp"))
    if not rows:
        return None, set()
    holds, writing = rows[0]
    half = str(writing).split(_BETWEEN) if writing else ()
    return Contents.model_validate_json(str(holds)), set(half)


def write_stamp(
    database: Neo4jDatabase, contents: Contents, writing: Collection[str] = ()
) -> None:
    """Say what the database holds, and which layers are being written or removed."""
    holds = contents.model_dump_json()
    half = _BETWEEN.join(sorted(writing)) or None
    database.run(statement("neo4j/write_stamp"), {"holds": holds, "writing": half})


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
    wanted = indexes()
    for space, dimensions in spaces.items():
        wanted |= vector_index(space, dimensions)
    _ensure(database, "SHOW INDEXES YIELD name", wanted)
    with progress.step("Filling indexes", 100) as advance:
        states = _fill(database, constraints().keys() | wanted.keys(), advance)
    if failed := sorted(name for name, state in states.items() if state != "ONLINE"):
        raise StoreError(
            f"{database.address.uri}: the index {failed[0]} could not be filled; look into "
            f"the server's debug.log, then run 'DROP INDEX {failed[0]}' and try again"
        )
    return tuple(sorted(states))


def _fill(database: Neo4jDatabase, ours: Collection[str], advance: Advance) -> dict[str, str]:
    """Wait until these indexes are filled, or one cannot be; the state of each."""
    end, shown = monotonic() + _INDEX_PATIENCE, 0
    while True:
        _, rows = database.read("SHOW INDEXES YIELD name, state, populationPercent")
        found = {str(name): (str(state), float(str(part))) for name, state, part in rows}
        found = {name: each for name, each in found.items() if name in ours}
        percent = int(sum(part for _, part in found.values()) / max(len(found), 1))
        advance(percent - shown)
        shown = percent
        states = {name: state for name, (state, _) in found.items()}
        if "POPULATING" not in states.values() or monotonic() > end:
            return states
        sleep(_LOOK_AGAIN)


def drop_vector_indexes(database: Neo4jDatabase, space: str = "") -> None:
    """Drop the index over the vectors of a space, or of all."""
    _, rows = database.read("SHOW INDEXES YIELD name, type WHERE type = 'VECTOR' RETURN name")
    for (name,) in rows:
        if str(name) == f"{VECTOR_INDEX}{space}" or (
            not space and str(name).startswith(VECTOR_INDEX)
        ):
            database.run(f"DROP INDEX {name} IF EXISTS")


def _ensure(database: Neo4jDatabase, show: str, wanted: Mapping[str, str]) -> None:
    _, rows = database.read(show)
    there = {str(name) for (name,) in rows}
    for name, text in wanted.items():
        if name not in there:
            database.run(text)

"""Graphs of three rows as tables, and one store of each engine."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Protocol

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from kg.configuration import Settings
from kg.stores.connection import connect
from kg.stores.planning import Change
from kg.stores.store import Counts, Store
from kg.tables import (
    EDGE_COLUMNS,
    MARK_COLUMNS,
    NODE_COLUMNS,
    REMOVED_COLUMNS,
    Column,
    GraphTables,
    TableSummary,
    arrow_table,
)

Node = tuple[str, str, str]
"""Id, type, name."""
Edge = tuple[str, str, str]
"""Head, relation, tail."""

NODES: tuple[Node, ...] = (
    ("MONDO:1", "Disease", "gout"),
    ("HP:1", "Symptom", "arthritis"),
    ("HP:2", "Symptom", "fever"),
)
EDGES: tuple[Edge, ...] = (
    ("MONDO:1", "HAS_SYMPTOM", "HP:1"),
    ("MONDO:1", "HAS_SYMPTOM", "HP:2"),
    ("HP:1", "IS_A", "HP:2"),
)


class MakeTables(Protocol):
    def __call__(
        self,
        name: str = "medkg",
        nodes: Sequence[Node] = NODES,
        edges: Sequence[Edge] = EDGES,
        checksum: str = "sum",
        **columns: object,
    ) -> GraphTables: ...


def _table(columns: Sequence[Column], rows: list[dict[str, object]]) -> pa.Table:
    return arrow_table(columns, [{"sources": ["test"], **row} for row in rows])


def write_tables(
    folder: Path,
    name: str = "medkg",
    nodes: Sequence[Node] = NODES,
    edges: Sequence[Edge] = EDGES,
    checksum: str = "sum",
    **columns: object,
) -> GraphTables:
    """Columns by name are set on every edge."""
    tables = GraphTables(folder)
    (folder / "edges").mkdir(parents=True, exist_ok=True)
    rows: list[dict[str, object]] = [{"id": i, "type": t, "name": n} for i, t, n in sorted(nodes)]
    pq.write_table(_table(NODE_COLUMNS, rows), tables.nodes)
    by_relation: dict[str, list[dict[str, object]]] = {}
    for head, relation, tail in sorted(edges):
        by_relation.setdefault(relation, []).append({"head": head, "tail": tail, **columns})
    for relation, found in by_relation.items():
        pq.write_table(_table(EDGE_COLUMNS, found), tables.edges(relation))
    types = [t for _, t, _ in nodes]
    tables.write_summary(
        TableSummary(
            name=name,
            checksum=checksum,
            nodes={t: types.count(t) for t in sorted(set(types))},
            edges={relation: len(found) for relation, found in by_relation.items()},
            made_by="test",
        )
    )
    return tables


def add_changes(
    layer: GraphTables,
    removed: Mapping[Edge, str] = MappingProxyType({}),
    marked: Mapping[Edge, tuple[str | None, float | None]] = MappingProxyType({}),
    **columns: object,
) -> GraphTables:
    """Let a layer take edges out by a rule, and mark others with flags and discrimination.

    Columns by name were set on the edges that it takes out.
    """
    counts: dict[str, Counter[str]] = {"removed": Counter(), "marked": Counter()}
    for folder in ("removed", "marks"):
        (layer.folder / folder).mkdir()
    for relation in sorted({edge[1] for edge in removed}):
        rows: list[dict[str, object]] = [
            {"head": head, "tail": tail, "rule": rule, "reason": f"{rule} says so", **columns}
            for (head, name, tail), rule in sorted(removed.items())
            if name == relation
        ]
        pq.write_table(_table(REMOVED_COLUMNS, rows), layer.removed(relation))
        counts["removed"][relation] = len(rows)
    for relation in sorted({edge[1] for edge in marked}):
        told = [
            {"head": head, "tail": tail, "flags": flags, "discrimination": score}
            for (head, name, tail), (flags, score) in sorted(marked.items())
            if name == relation
        ]
        pq.write_table(arrow_table(MARK_COLUMNS, told), layer.marks(relation))
        counts["marked"][relation] = len(told)
    layer.write_summary(layer.summary().model_copy(update=counts))
    return layer


def apply(store: Store, layer: GraphTables) -> Counts:
    """Apply one layer; what it added."""
    return store.change_layers(Change([layer])).added


def remove(store: Store, name: str, kept: GraphTables | None = None) -> Counts:
    """Remove one layer; what it had added."""
    return store.change_layers(Change(remove=[name], kept={name: kept} if kept else {})).removed


@pytest.fixture
def make_tables(tmp_path: Path) -> MakeTables:
    made = iter(range(1000))

    def make(
        name: str = "medkg",
        nodes: Sequence[Node] = NODES,
        edges: Sequence[Edge] = EDGES,
        checksum: str = "sum",
        **columns: object,
    ) -> GraphTables:
        folder = tmp_path / f"tables-{next(made)}"
        return write_tables(folder, name, nodes, edges, checksum, **columns)

    return make


@pytest.fixture
def neo4j_store(neo4j_settings: Settings, make_tables: MakeTables) -> Iterator[Store]:
    with connect(settings=neo4j_settings) as store:
        store.load(make_tables(nodes=(), edges=(), checksum="empty"))
        yield store


@pytest.fixture
def graph_path(tmp_path: Path) -> Path:
    return tmp_path / "graph.lbug"


@pytest.fixture(
    params=["embedded", pytest.param("neo4j", marks=pytest.mark.neo4j)],
)
def store(request: pytest.FixtureRequest, graph_path: Path) -> Iterator[Store]:
    """An empty store of either engine."""
    if request.param == "neo4j":
        yield request.getfixturevalue("neo4j_store")
        return
    with connect(str(graph_path)) as opened:
        yield opened

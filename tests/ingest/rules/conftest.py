"""A graph of a few lines in a store of each engine, and what a rule finds in it."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from kg.configuration import Settings
from kg.stores.connection import connect
from kg.stores.store import Store
from kg.tables import EDGE_COLUMNS, GraphTables, Kind
from tests.kg.stores.conftest import write_tables

Found = Callable[[str], set[tuple[str, str, str]]]
"""Head, relation and tail, by name, of the edges that breach a rule."""

TYPES: Mapping[str, str] = {
    "UBERON": "Anatomy",
    "MONDO": "Disease",
    "HP": "Symptom",
    "ONSET": "Modifier",
    "OP": "Procedure",
    "LAB": "Test",
    "DRUGBANK": "Drug",
}
"""Type of a node by the prefix of its id."""

_ARROW = {Kind.STRING: pa.string(), Kind.FLOAT: pa.float64(), Kind.STRINGS: pa.list_(pa.string())}


def graph_of_lines(folder: Path, nodes: str, edges: str) -> GraphTables:
    """A node a line: id and name; an edge a line: head, relation, tail, and columns as key=value."""
    rows = [line.strip().split(None, 1) for line in nodes.strip().splitlines()]
    # an onset of the ontology's own id is a modifier, whatever its prefix
    typed = [
        (id_, "Modifier" if name.endswith(" onset") else TYPES[id_.partition(":")[0]], name)
        for id_, name in rows
    ]
    told = [line.split() for line in edges.strip().splitlines()]
    tables = write_tables(folder, nodes=typed, edges=[(h, r, t) for h, r, t, *_ in told])
    for relation in {r for _, r, *_ in told}:
        _write(tables.edges(relation), [row for row in told if row[1] == relation])
    return tables


def _write(path: Path, told: list[list[str]]) -> None:
    schema = pa.schema([(c.name, _ARROW[c.kind]) for c in EDGE_COLUMNS])
    rows = [
        {"head": h, "tail": t, "sources": ["test"], **dict(c.split("=") for c in columns)}
        for h, _, t, *columns in sorted(told)
    ]
    pq.write_table(pa.Table.from_pylist(rows, schema), path)


@pytest.fixture(
    scope="module", params=["embedded", pytest.param("neo4j", marks=pytest.mark.neo4j)]
)
def found(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Found]:
    """Asks a rule of the module's NODES and EDGES, on either engine."""
    folder = tmp_path_factory.mktemp("rules")
    settings: Settings | None = None
    if request.param == "neo4j":
        settings = request.getfixturevalue("neo4j_settings")
    opened = connect(settings=settings) if settings else connect(str(folder / "graph.lbug"))
    with opened as store:
        tables = graph_of_lines(folder / "tables", request.module.NODES, request.module.EDGES)
        store.load(tables)
        names = dict(
            line.strip().split(None, 1) for line in request.module.NODES.strip().splitlines()
        )
        yield lambda rule: _ask(store, rule, names)


def _ask(store: Store, rule: str, names: Mapping[str, str]) -> set[tuple[str, str, str]]:
    rows = store.query(f"rules.{rule}").rows
    edges = [(str(head), str(relation), str(tail)) for head, relation, tail, *_ in rows]
    assert len(edges) == len(set(edges))
    return {(names[head], relation, names[tail]) for head, relation, tail in edges}

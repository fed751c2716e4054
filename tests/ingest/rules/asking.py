"""Graphs of a few lines with all columns of an edge, and what a rule finds in them."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import Final

import pyarrow.parquet as pq
import pytest

from kg.configuration import Settings
from kg.stores.connection import connect
from kg.stores.store import Store
from kg.tables import EDGE_COLUMNS, NODE_COLUMNS, Column, GraphTables, Kind, arrow_table
from kg.text import normalise
from tests.kg.stores.conftest import write_tables

Found = Callable[[str], set[tuple[str, str, str]]]
"""Head, relation and tail of the edges that breach a rule."""

_TYPES: Final[Mapping[str, str]] = {
    "MONDO": "Disease",
    "HP": "Symptom",
    "DRUGBANK": "Drug",
    "NCBIGene": "Gene",
    "UBERON": "Anatomy",
    "UMLS": "Concept",
    "OP": "Procedure",
    "LAB": "Test",
}
"""Type of a node by the prefix of its id."""
_LISTS: Final = {column.name for column in EDGE_COLUMNS if column.kind is Kind.STRINGS}
_NUMBERS: Final = {column.name for column in EDGE_COLUMNS if column.kind is Kind.FLOAT}


@contextmanager
def asked(request: pytest.FixtureRequest, folder: Path, nodes: str, edges: str) -> Iterator[Found]:
    """A store of the engine that the fixture's parameter names, ready to be asked a rule."""
    settings: Settings | None = None
    if request.param == "neo4j":
        settings = request.getfixturevalue("neo4j_settings")
    opened = connect(settings=settings) if settings else connect(str(folder / "graph.lbug"))
    with opened as store:
        store.load(_tables(folder / "tables", nodes, edges))
        yield lambda rule: _ask(store, rule)


def _ask(store: Store, rule: str) -> set[tuple[str, str, str]]:
    rows = store.query(f"rules.{rule}").rows
    edges = [(str(head), str(relation), str(tail)) for head, relation, tail, *_ in rows]
    assert len(edges) == len(set(edges))
    assert all(reason and facts for *_, reason, facts in rows)
    return set(edges)


def _tables(folder: Path, nodes: str, edges: str) -> GraphTables:
    """A node a line: id, and names parted by ``|``; an edge a line: its ends, and key=value."""
    named = [line.split(None, 1) for line in nodes.strip().splitlines()]
    rows = [_node(id_, [name.strip() for name in names.split("|")]) for id_, names in named]
    told = sorted(line.split() for line in edges.strip().splitlines())
    tables = write_tables(
        folder,
        nodes=[(str(row["id"]), str(row["type"]), str(row["name"])) for row in rows],
        edges=[(h, r, t) for h, r, t, *_ in told],
    )
    _write(tables.nodes, NODE_COLUMNS, sorted(rows, key=lambda row: str(row["id"])))
    for relation, group in groupby(sorted(told, key=lambda row: row[1]), lambda row: row[1]):
        _write(tables.edges(relation), EDGE_COLUMNS, [_edge(*row) for row in group])
    return tables


def _node(id_: str, names: list[str]) -> dict[str, object]:
    # HPO's onsets are modifiers
    type_ = "Modifier" if names[0].endswith(" onset") else _TYPES[id_.partition(":")[0]]
    normal = [normalise(name) for name in names]
    return {"id": id_, "type": type_, "name": names[0], "normal_names": normal}


def _edge(head: str, _relation: str, tail: str, *columns: str) -> dict[str, object]:
    row: dict[str, object] = {"head": head, "tail": tail, "sources": ["test"]}
    for key, _, value in (column.partition("=") for column in columns):
        row[key] = [value] if key in _LISTS else float(value) if key in _NUMBERS else value
    return row


def _write(path: Path, columns: tuple[Column, ...], rows: list[dict[str, object]]) -> None:
    pq.write_table(arrow_table(columns, [{"sources": ["test"], **row} for row in rows]), path)

"""What a model predicts is no fact: no query about facts gives it, on either engine."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from typing import Final

import pyarrow.parquet as pq
import pytest

import kg
from cypher import Parameter, Query, load_catalogue
from cypher.guide import pictures, standalone
from kg.configuration import Settings
from kg.embeddings.layer import write_predictions
from kg.stores.store import Rows, Store, Value
from kg.tables import GraphTables
from kg.vocabulary import RELATION_TYPES
from tests.kg.stores.conftest import apply, remove

ABOUT_FACTS: Final = [
    query
    for query in load_catalogue()
    if query.name != "entity.predictions" and not query.name.endswith(".similar_entities")
]
_MANY: Final[dict[str, Value]] = {"relations": list(RELATION_TYPES), "words": "gout OR arthritis"}
_RELATIONS: Final = ("PREDICTED", "HAS_SYMPTOM")


@dataclass(frozen=True)
class Likely:
    head: str
    relation: str
    tail: str
    probability: float


@pytest.fixture(
    scope="module", params=["embedded", pytest.param("neo4j", marks=pytest.mark.neo4j)]
)
def store(
    request: pytest.FixtureRequest,
    small_graph: GraphTables,
    fill: Callable[[Store, GraphTables], None],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Store]:
    """The small graph, in one engine."""
    if request.param == "neo4j":
        settings: Settings | None = request.getfixturevalue("neo4j_credentials")
        address = None
    else:
        settings, address = None, str(tmp_path_factory.mktemp("graph") / "graph.lbug")
    with kg.connect(address, settings) as opened:
        fill(opened, small_graph)
        yield opened
        if "predictions" in opened.applied_layers():
            remove(opened, "predictions")


@pytest.fixture(scope="module")
def nodes(small_graph: GraphTables) -> dict[str, str]:
    """Type of each node by its id."""
    table = pq.read_table(small_graph.nodes, columns=["id", "type"]).to_pydict()
    return dict(zip(table["id"], table["type"], strict=True))


@pytest.fixture(scope="module")
def layer(nodes: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> GraphTables:
    """An edge from every node to every other one."""
    edges = (
        Likely(*pair, probability)
        for (head, tail) in permutations(nodes, 2)
        for pair, probability in (
            ((head, "TREATED_BY", tail), 0.25),
            ((head, "CAUSED_BY", tail), 0.5),
        )
    )
    folder = tmp_path_factory.mktemp("layer")
    return write_predictions(edges, folder / "predictions", "test", "conve")


def asked(query: Query, nodes: dict[str, str]) -> Iterator[Mapping[str, Value]]:
    """Arguments that ask a query of each node, with another one where it takes two."""
    ids = sorted(nodes)
    others = [*ids[7:], *ids[:7]]
    if not query.parameters or "words" in {p.name for p in query.parameters}:
        yield query.examples()
        return
    for own, other in zip(ids, others, strict=True):
        for relation in _RELATIONS if any(p.name == "relation" for p in query.parameters) else "-":
            values: dict[str, Value] = {
                "relation": relation,
                "entity_type": nodes[own],
                "entity_types": sorted(set(nodes.values())),
                "limit": 10_000,
                **_MANY,
            }
            left = iter([own, other, own])
            yield {p.name: _value(p, values, left) for p in query.parameters}


def _value(parameter: Parameter, known: dict[str, Value], ids: Iterator[str]) -> Value:
    if parameter.name in known:
        return known[parameter.name]
    if parameter.default is not None:
        return parameter.default
    if parameter.type == "list of string":
        example = parameter.example if isinstance(parameter.example, list) else []
        return [next(ids), *map(str, example)]
    assert parameter.type == "string"
    return next(ids)


def answers(store: Store, nodes: dict[str, str]) -> dict[tuple[str, str], object]:
    """What every query about facts says, by its name and arguments."""
    return {
        (query.name, repr(arguments)): _told(query, store.query(query.name, **arguments))
        for query in ABOUT_FACTS
        if store.engine in query.engines
        for arguments in asked(query, nodes)
    }


def _told(query: Query, rows: Rows) -> object:
    """The answer; of ways that are equally short, of which one is given, the length."""
    assert "PREDICTED" not in {cell for row in rows.rows for cell in row if isinstance(cell, str)}
    return len(rows) if query.name == "neo4j_only.shortest_path" else rows


def test_no_query_about_facts_gives_a_prediction(
    store: Store, nodes: dict[str, str], layer: GraphTables
) -> None:
    before = answers(store, nodes)
    assert len({name for (name, _), rows in before.items() if rows}) > len(ABOUT_FACTS) / 2
    added = apply(store, layer)
    assert added.edges == {"PREDICTED": len(nodes) * (len(nodes) - 1)}
    after = answers(store, nodes)
    assert {key for key, rows in after.items() if rows != before[key]} == set()


def test_predictions_of_a_thing_come_with_direction_and_probability(
    store: Store, nodes: dict[str, str], layer: GraphTables
) -> None:
    if "predictions" not in store.applied_layers():
        apply(store, layer)
    gout = "MONDO:0005393"
    rows = store.query("entity.predictions", entity=gout, limit=10_000)
    expected = {(other, way) for other in nodes for way in ("in", "out") if other != gout}
    found = [(str(row["other_id"]), str(row["direction"])) for row in rows.dicts()]
    assert found == sorted(expected)
    first = store.query("entity.predictions", entity=gout, limit=1).dicts()[0]
    assert first == {
        "relation": "CAUSED_BY|TREATED_BY",
        "direction": "in",
        "other_id": "DRUGBANK:DB00437",
        "other_name": "Allopurinol",
        "other_name_zh": "别嘌醇",
        "other_type": "Drug",
        "probability": 0.5,
        "method": "conve",
    }
    assert store.query("entity.predictions", entity="MONDO:404").rows == ()


def test_direction_is_of_the_prediction(small_graph: GraphTables, tmp_path: Path) -> None:
    drug, gout = "DRUGBANK:DB00571", "MONDO:0005393"
    edges = [Likely(drug, "INDICATED_FOR", gout, 0.75)]
    with kg.connect(str(tmp_path / "graph.lbug")) as store:
        store.load(small_graph)
        apply(store, write_predictions(edges, tmp_path / "layer", "test", "transe"))
        for one, other, way in ((drug, gout, "out"), (gout, drug, "in")):
            (row,) = store.query("entity.predictions", entity=one).dicts()
            assert (row["other_id"], row["direction"], row["relation"]) == (
                other,
                way,
                "INDICATED_FOR",
            )
            assert (row["probability"], row["method"]) == (0.75, "transe")


@pytest.mark.neo4j
def test_no_picture_has_a_prediction(
    neo4j_credentials: Settings, small_graph: GraphTables, layer: GraphTables
) -> None:
    with kg.connect(None, neo4j_credentials) as store:
        store.load(small_graph)
        before = [_relations(store, query) for query in pictures()]
        apply(store, layer)
        assert [_relations(store, query) for query in pictures()] == before
        remove(store, "predictions")


def _relations(store: Store, query: Query) -> set[Value]:
    """The relation types in a picture's paths."""
    lines = standalone(query).replace("RETURN p", "WITH p", 1)
    text = f"{lines} UNWIND relationships(p) AS r RETURN DISTINCT type(r) AS relation"
    told = Query("picture", "", (), (), (), frozenset({"neo4j"}), text, query.path)
    return {row[0] for row in store.query(told).rows}

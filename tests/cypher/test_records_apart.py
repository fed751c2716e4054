"""No question about knowledge meets a record: every one is answered as before beside a full run."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from cypher import Query, load_catalogue
from ingest.check.rules import load_rules
from kg.configuration import Settings
from kg.differential import Patient, differential
from kg.embeddings.reading import read_store
from kg.layers import LayerRows, write_layer
from kg.linking.names import Names
from kg.records import RECORD_RELATIONS, RECORD_TYPES
from kg.stores.connection import connect
from kg.stores.planning import Change
from kg.stores.store import Rows, Store, Value
from kg.tables import Column, GraphTables, Kind

VALUES: dict[Kind, object] = {
    Kind.STRING: "gout",
    Kind.STRINGS: ["gout", "痛风"],
    Kind.FLOAT: 0.5,
    Kind.INTEGER: 3,
    Kind.BOOLEAN: True,
    Kind.TIME: "2026-03-01T09:30:00.000Z",
    Kind.JSON: '{"gout": 1}',
}
"""What a column of each kind holds; texts that a query about knowledge looks for."""


def _values(columns: tuple[Column, ...]) -> dict[str, object]:
    return {
        column.name: VALUES[column.kind]
        for column in columns
        if column.name not in ("id", "layer", "head", "head_type", "tail", "tail_type")
    }


def full_run(graph: GraphTables, folder: Path) -> GraphTables:
    """Records of every type, with edges of every relation, to every entity where it may end.

    Their ids are those of entities: were they ever looked up without a label, that would show.
    """
    entities = pq.read_table(graph.nodes, columns=["id"])["id"].to_pylist()
    records = {
        name: [{"id": id_, **_values(record.columns)} for id_ in entities]
        for name, record in RECORD_TYPES.items()
    }
    edges = {
        name: [
            {"head": id_, "head_type": head, "tail": id_, "tail_type": tail}
            | _values(relation.columns)
            for head, tail in relation.ends
            for id_ in entities
        ]
        for name, relation in RECORD_RELATIONS.items()
    }
    return write_layer(folder, "run", LayerRows(records=records, record_edges=edges), "test")


def arguments(query: Query, gout: str) -> dict[str, Value]:
    """An argument for every parameter, from the header or by what it is called."""
    known: dict[str, Value] = {
        "disease": gout,
        "entity": gout,
        "head": gout,
        "symptom": "HP:0001369",
        "drug": "DRUGBANK:DB00437",
        "gene": "NCBIGene:9429",
    }
    return {
        **query.examples(),
        **{p.name: known[p.name] for p in query.parameters if p.name in known},
    }


@pytest.fixture(params=["embedded", pytest.param("neo4j", marks=pytest.mark.neo4j)])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    if request.param == "embedded":
        with connect(str(tmp_path / "g.lbug")) as opened:
            yield opened
        return
    settings: Settings = request.getfixturevalue("neo4j_settings")
    with connect(settings=settings) as opened:
        yield opened


def everything(store: Store) -> dict[str, Callable[[], object]]:
    """Every way in which the product asks for knowledge."""
    asked: dict[str, Callable[[], object]] = {}

    def answer(query: Query) -> Callable[[], Rows]:
        return lambda: store.query(query, **arguments(query, "MONDO:0005393"))

    of_a_record = re.compile(rf":({'|'.join(RECORD_TYPES)})\b")
    for query in (*load_catalogue(), *load_rules()):
        if (
            store.engine in query.engines
            and query.name.rpartition(".")[2] != "similar_entities"
            and not of_a_record.search(query.text)
        ):
            asked[query.name] = answer(query)
    asked["names for linking"] = lambda: list(Names.of_store(store).table.to_pylist())
    asked["triples for embeddings"] = lambda: read_store(store)
    asked["differential"] = lambda: differential(store, Patient(present=("HP:0001369",)))
    return asked


def test_every_question_is_answered_as_before_beside_a_full_run(
    store: Store, small_graph: GraphTables, tmp_path: Path
) -> None:
    store.load(small_graph)
    store.indexes()
    before = {name: repr(ask()) for name, ask in everything(store).items()}
    assert len(before) > 80
    added = store.change_layers(Change([full_run(small_graph, tmp_path / "run")])).added
    assert set(added.nodes) == set(RECORD_TYPES)
    assert set(added.edges) == set(RECORD_RELATIONS)
    after = {name: repr(ask()) for name, ask in everything(store).items()}
    assert {name for name in before if after[name] != before[name]} == set()

"""Every portable query, on both engines, over the same graph: the same rows exactly."""

from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cypher import Parameter, Query, load_catalogue
from kg.stores.store import Value
from kg.tables import GraphTables
from kg.vocabulary import NODE_TYPES, RELATION_TYPES
from tests.cypher.agreement import OF_RECORDS
from tests.cypher.conftest import Pair, PairOf

pytestmark = pytest.mark.neo4j

PORTABLE = [query for query in load_catalogue() if len(query.engines) == 2]
OF_A_LAYER = {
    "entity.naming_layers",
    "entity.predictions",
    "entity.same_concept",
    "neo4j_only.similar_entities",
}
"""They find nothing in the small graph itself; their own tests apply the layer."""
NEO4J_ONLY = [
    query
    for query in load_catalogue()
    if query.engines == {"neo4j"} and query.name not in OF_A_LAYER
]


@pytest.fixture(scope="module")
def pair(
    graph: GraphTables, pair_of: PairOf, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Pair]:
    with pair_of(graph, tmp_path_factory.mktemp("embedded")) as both:
        yield both


@pytest.mark.parametrize("query", PORTABLE, ids=lambda query: query.name)
def test_both_engines_give_the_same_rows_for_the_example(
    query: Query, pair: Pair, small_graph: GraphTables
) -> None:
    embedded = pair.embedded.query(query.name, **query.examples())
    assert embedded == pair.neo4j.query(query.name, **query.examples())
    assert embedded.columns == tuple(column.name for column in query.columns)
    # a rule finds nothing in a sound graph; its own tests compare what it finds in others
    nothing = query.severity or query.name in OF_A_LAYER or OF_RECORDS.search(query.text)
    assert embedded.rows or nothing or pair.tables != small_graph


@pytest.mark.parametrize("query", NEO4J_ONLY, ids=lambda query: query.name)
def test_neo4j_only_queries_give_rows_for_the_example(query: Query, pair: Pair) -> None:
    rows = pair.neo4j.query(query.name, **query.examples())
    assert rows.columns == tuple(column.name for column in query.columns)
    assert rows.rows


@pytest.mark.parametrize("query", PORTABLE, ids=lambda query: query.name)
def test_every_cell_is_of_its_declared_type(query: Query, pair: Pair) -> None:
    lists = {"list of string": list, "list of float": list}
    python = {"string": str, "integer": int, "float": float, **lists}
    rows = pair.embedded.query(query.name, **query.examples())
    for row in rows.rows:
        for cell, column in zip(row, query.columns, strict=True):
            assert cell is None or type(cell) is python[column.type]


@pytest.mark.parametrize("query", PORTABLE, ids=lambda query: query.name)
@settings(
    max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_both_engines_give_the_same_rows_for_any_arguments(
    query: Query, pair: Pair, data: st.DataObject
) -> None:
    ids, names = _known(pair.tables.folder)
    arguments = {p.name: data.draw(_values(p, ids, names), p.name) for p in query.parameters}
    embedded = pair.embedded.query(query.name, **arguments)
    assert embedded == pair.neo4j.query(query.name, **arguments)


def _known(folder: Path) -> tuple[list[str], list[str]]:
    """Ids and normalised names of the first nodes."""
    nodes = pq.read_table(GraphTables(folder).nodes, columns=["id", "normal_names"])[:1000]
    return nodes["id"].to_pylist(), [
        n for names in nodes["normal_names"].to_pylist() for n in names
    ]


def _values(parameter: Parameter, ids: list[str], names: list[str]) -> st.SearchStrategy[Value]:
    texts = st.sampled_from(ids) | _ODD
    if parameter.name in _OF_A_NAME:
        return _OF_A_NAME[parameter.name]
    match parameter.name, parameter.type:
        case "xrefs", _:
            return st.lists(st.just("DOID:13189") | texts, max_size=3)
        case "text", _:
            return st.sampled_from(names).map(lambda name: name[1:5]) | _ODD
        case "names", _:
            return st.lists(st.sampled_from(names) | _ODD, max_size=3)
        case _, "list of string":
            return st.lists(texts, max_size=3)
        case _, "string":
            return texts
        case name, type_:
            raise ValueError(f"{name}: no values of type {type_}")


_ODD = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)
_OF_A_NAME: dict[str, st.SearchStrategy[Value]] = {
    "limit": st.integers(1, 50),
    "most": st.integers(1, 50),
    "relation": st.sampled_from(sorted(RELATION_TYPES)) | _ODD,
    "entity_type": st.sampled_from(sorted(NODE_TYPES)) | _ODD,
    "sex": st.sampled_from(["male", "female", "unknown"]) | _ODD,
    "age": st.sampled_from([-1.0, 0.5, 4.0, 15.0, 39.0, 59.0, 60.0]),
    "prior": st.sampled_from(["prevalence", "none"]) | _ODD,
}

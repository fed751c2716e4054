"""What becomes of an ORDER BY before an aggregation or a MATCH, where Ladybug answers unlike Neo4j:
why ``cypher.portability`` refuses what it refuses."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from cypher import read_query
from kg.configuration import Settings
from kg.stores.connection import connect
from kg.stores.store import Store, Value
from tests.kg.stores.conftest import write_tables

LAST: list[Value] = [4998, 4999, 5000]
LARGEST = "UNWIND range(1, 5000) AS n WITH n, n * 0 AS k ORDER BY n DESC LIMIT 3"
SORTED = "UNWIND range(1, 5000) AS n WITH 5001 - n AS m ORDER BY m LIMIT 1000000000"


@pytest.fixture(params=["embedded", pytest.param("neo4j", marks=pytest.mark.neo4j)])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """An empty store of either engine."""
    settings = None
    if request.param == "neo4j":
        settings = request.getfixturevalue("neo4j_settings")
        assert isinstance(settings, Settings)
    with connect(None if settings else str(tmp_path / "graph.lbug"), settings) as opened:
        opened.load(write_tables(tmp_path / "tables", nodes=(), edges=()))
        yield opened


def ask(store: Store, folder: Path, text: str) -> list[Value]:
    path = folder / "asked.cypher"
    path.write_text(f"// Asked.\n// column n: integer\n// order  n\n{text}", encoding="utf-8")
    return [n for (n,) in store.query(read_query(path, folder)).rows]


@pytest.mark.parametrize(
    "aggregation",
    [
        "UNWIND [n] AS one WITH collect(one) AS found",
        "WITH k, collect(n) AS found",
        "WITH DISTINCT n WITH collect(n) AS found",
    ],
)
def test_first_rows_are_aggregated_on_both_engines_in_the_portable_form(
    store: Store, tmp_path: Path, aggregation: str
) -> None:
    rest = "UNWIND found AS m RETURN m AS n ORDER BY n"
    assert ask(store, tmp_path, f"{LARGEST} {aggregation} {rest}") == LAST


@pytest.mark.parametrize("between", ["", "WHERE n > 0 WITH n"])
def test_ladybug_aggregates_any_rows_where_nothing_is_grouped(
    tmp_path: Path, between: str
) -> None:
    # when this fails, the engine has been mended and the rule may go
    with connect(str(tmp_path / "graph.lbug")) as store:
        store.load(write_tables(tmp_path / "tables", nodes=(), edges=()))
        rest = "WITH collect(n) AS found UNWIND found AS m RETURN m AS n ORDER BY n"
        found = ask(store, tmp_path, f"{LARGEST} {between} {rest}")
    assert len(found) == 3
    assert found != LAST


def test_list_of_a_group_is_in_the_order_that_was_asked(store: Store, tmp_path: Path) -> None:
    # as in symptom.differential: a LIMIT that cuts nothing keeps the order for collect()
    text = "WITH m - m AS k, collect(m) AS found UNWIND found AS n RETURN n"
    assert ask(store, tmp_path, f"{SORTED} {text}") == list(range(1, 5001))


CHAIN = tuple((f"MONDO:000000{n}", "Disease", f"disease {n}") for n in range(1, 7))
"""Of which only the last three have a parent."""
PARENTS = tuple((CHAIN[n][0], "IS_A", CHAIN[0][0]) for n in (3, 4, 5))
COUNTED = "RETURN count(*) AS n"


def load_chain(store: Store, folder: Path) -> Store:
    store.load(write_tables(folder / "chain", nodes=CHAIN, edges=PARENTS))
    store.indexes()
    return store


@pytest.mark.parametrize("narrowed", ["", "WHERE b.name <> 'x'", "WHERE b.id = 'MONDO:0000001'"])
def test_a_limit_chooses_before_what_follows_is_matched(
    store: Store, tmp_path: Path, narrowed: str
) -> None:
    chosen = "MATCH (a:Disease) WITH a.id AS id ORDER BY id LIMIT 4"
    onward = f"MATCH (a:Disease {{id: id}})-[:IS_A]->(b:Disease) {narrowed}"
    assert ask(load_chain(store, tmp_path), tmp_path, f"{chosen} {onward} {COUNTED}") == [1]


def test_ladybug_matches_what_follows_before_a_limit_chooses(tmp_path: Path) -> None:
    # when this fails, the engine has been mended and the rule may go
    with connect(str(tmp_path / "graph.lbug")) as store:
        chosen = "MATCH (a:Disease) WITH a ORDER BY a.id LIMIT 4"
        onward = "MATCH (a)-[:IS_A]->(b:Disease) WHERE b.name <> 'x'"
        found = ask(load_chain(store, tmp_path), tmp_path, f"{chosen} {onward} {COUNTED}")
    assert found == [3]

"""The portable subset, proved: whatever the linter accepts, both engines answer alike.

Random queries over random graphs of what engines differ in are asked of both, and each cell is
compared with its type. ``MEDKG_TEST_QUERIES=20000`` asks more than the usual 500, of which each
500 are asked of a graph of their own; ``MEDKG_TEST_SEED`` repeats a run. The seed is otherwise
that of the commit, so that every commit asks other questions and the same commit the same ones.
"""

import contextlib
import os
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings

import kg
from cypher import Query, QueryError, rewrite
from cypher.parser import parse
from cypher.portability import breaches
from cypher.values import Value
from cypher.vocabulary import column_type
from kg.configuration import Settings
from kg.errors import MedKGError
from kg.stores.answers import QUERY_VOCABULARY
from kg.stores.store import Store
from kg.vocabulary import NODE_TYPES
from tests.conftest import REPOSITORY
from tests.cypher.nasty_graph import write_nasty_graph
from tests.cypher.random_queries import queries

pytestmark = pytest.mark.neo4j

OF_ONE_GRAPH = 500
FAILED = "an error:"
QUERIES = int(os.environ.get("MEDKG_TEST_QUERIES", OF_ONE_GRAPH))
DRAWN_AT_ONCE = 200
"""Of which the linter accepts some 60; rounds end when enough were asked."""
MOST_ROUNDS = 50


def _seed() -> int:
    if given_seed := os.environ.get("MEDKG_TEST_SEED"):
        return int(given_seed)
    commit = subprocess.run(
        ["git", "rev-parse", "HEAD"],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    ).stdout.strip()
    return int(commit[:8], 16) if commit else 20261122


SEED = _seed()


SEEDS = range(SEED, SEED + max(1, QUERIES // OF_ONE_GRAPH))
"""Of the graphs, and of what is asked of each."""


@contextlib.contextmanager
def engines(folder: Path, number: int, credentials: Settings) -> Iterator[tuple[Store, Store]]:
    """A random graph in both."""
    tables = write_nasty_graph(folder / "tables", number)
    file = folder / "graph.lbug"
    with kg.connect(str(file)) as embedded, kg.connect(None, credentials) as neo4j:
        for store in (embedded, neo4j):
            store.load(tables)
            store.indexes()
        yield embedded, neo4j


def is_portable(query: Query) -> bool:
    types = {parameter.name: column_type(parameter.type) for parameter in query.parameters}
    try:
        rewrite(query.text, NODE_TYPES)
    except QueryError:
        return False
    return not breaches(parse(query.text), QUERY_VOCABULARY, types)


def answer(store: Store, query: Query, arguments: dict[str, Value]) -> str:
    """The rows as Python writes them, so that 1 is not 1.0 and -0.0 not 0.0; or why it failed."""
    try:
        return repr(store.query(query, **arguments).rows)
    except MedKGError as e:
        return f"{FAILED} {e}"


@pytest.mark.parametrize("number", SEEDS)
def test_both_engines_answer_every_portable_query_alike(
    number: int, neo4j_credentials: Settings, tmp_path: Path
) -> None:
    with engines(tmp_path, number, neo4j_credentials) as stores:
        count = ask_random_queries(number, *stores)
    assert count["portable"] == OF_ONE_GRAPH
    assert count["with rows"] >= OF_ONE_GRAPH / 6
    # Ladybug's planner gives up, with an error, on some 1 query in 3,000 that nobody would write
    assert count["failed on one"] <= OF_ONE_GRAPH / 100


def ask_random_queries(number: int, embedded: Store, neo4j: Store) -> Counter[str]:
    """How many queries were portable, and how many of them had rows or failed on one engine.

    Raises:
        AssertionError: the engines answer one differently; hypothesis makes it small.
    """
    count: Counter[str] = Counter()

    @settings(
        max_examples=DRAWN_AT_ONCE,
        deadline=None,
        database=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    @given(queries())
    def ask(drawn: tuple[Query, dict[str, Value]]) -> None:
        query, arguments = drawn
        if count["portable"] >= OF_ONE_GRAPH or not is_portable(query):
            return
        one, other = (answer(store, query, arguments) for store in (embedded, neo4j))
        failures = one.startswith(FAILED) + other.startswith(FAILED)
        assert failures or one == other, (query.text, arguments)
        count["portable"] += 1
        count["with rows"] += not failures and one != "()"
        count["failed on one"] += failures == 1

    for number_of_round in range(MOST_ROUNDS):
        if count["portable"] >= OF_ONE_GRAPH:
            break
        seed(number * MOST_ROUNDS + number_of_round)(ask)()
    return count


class _AllMetError(Exception):
    """Ends the drawing, which depends on the version of hypothesis and on what it finds in the code."""


def test_a_query_of_each_kind_is_drawn() -> None:
    """What the generator never writes is not proved."""
    words = {
        "OPTIONAL MATCH", "UNWIND", "WITH DISTINCT", "RETURN DISTINCT", "ORDER BY", "SKIP", "LIMIT",
        "EXISTS {", "COUNT {", "CASE WHEN", "*1..3", "any(", "none(", "single(", "all(", "count(*)",
        "count(DISTINCT", "coalesce(sum(", "avg(", "min(", "max(", "collect(", "size(", "type(",
        "toFloat(", "log10(", "floor(", "abs(", " IN ", " IS NOT NULL", "CONTAINS", "STARTS WITH",
        "ENDS WITH", "=~", " XOR ", "NOT ", "$text",
    }  # fmt: skip
    met: set[str] = set()

    @seed(1)
    @settings(
        max_examples=40_000,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(queries())
    def draw(drawn: tuple[Query, dict[str, Value]]) -> None:
        query = drawn[0]
        missing = {word for word in words - met if word in query.text}
        if missing and is_portable(query):
            met.update(missing)
        if met == words:
            raise _AllMetError

    with contextlib.suppress(_AllMetError):
        draw()
    assert met == words


def test_the_same_seed_makes_the_same_graph(tmp_path: Path) -> None:
    one, other = (write_nasty_graph(tmp_path / name, 7).summary() for name in ("a", "b"))
    assert one.checksum == other.checksum

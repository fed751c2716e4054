"""The openCypher TCK: what of it the portable subset takes, both engines answer as it says."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from cypher import QueryError
from cypher.parser import NotCypherError, parse
from kg.configuration import Settings
from tests.cypher.tck.engines import engines
from tests.cypher.tck.graphs import CannotHoldError, Graph, held
from tests.cypher.tck.questions import as_expected, asked
from tests.cypher.tck.runs import Outcome, outcomes
from tests.cypher.tck.scenarios import Scenario, scenarios

pytestmark = pytest.mark.neo4j

FEWEST = 350
"""Scenarios that must lie in the subset, so that a fault of the reader is not taken for success."""


@pytest.fixture(scope="module")
def portable(
    shared_data: Path, neo4j_credentials: Settings, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[list[Outcome]]:
    folder = shared_data / "opencypher_tck"
    if not folder.is_dir():
        pytest.skip(f"{folder}: not there")
    reading = [scenario for scenario in scenarios(folder) if scenario.reads]
    with engines(tmp_path_factory.mktemp("tck"), neo4j_credentials) as pair:
        yield [outcome for outcome in outcomes(reading, pair) if outcome.portable]


def test_both_engines_answer_the_scenarios_of_the_subset_alike(portable: list[Outcome]) -> None:
    differing = [(o.scenario.name, o.text, o.answers) for o in portable if not o.alike]
    assert differing == []
    assert len(portable) >= FEWEST


def test_both_engines_answer_the_scenarios_of_the_subset_as_expected(
    portable: list[Outcome],
) -> None:
    assert [(o.scenario.name, o.text, o.answers) for o in portable if o.expected is False] == []


def test_no_valid_query_is_called_a_syntax_error(shared_data: Path) -> None:
    folder = shared_data / "opencypher_tck"
    if not folder.is_dir():
        pytest.skip(f"{folder}: not there")
    valid = [each.query for each in scenarios(folder) if each.reads and each.result != "an error"]
    wrong = []
    for query in valid:
        try:
            parse(query)
        except NotCypherError as e:
            wrong += [query] if e.syntax else []
        except QueryError:
            continue
    assert wrong == []
    assert len(valid) > FEWEST


FEATURE = """
Feature: Sample

  Scenario: A graph
    Given an empty graph
    And having executed:
      \"\"\"
      CREATE (:A {num: 1})-[:T]->(:B {id: 'x'})
      \"\"\"
    When executing query:
      \"\"\"
      MATCH (a)-->(b) RETURN a, b.id
      \"\"\"
    Then the result should be, in any order:
      | a             | b.id |
      | (:A {num: 1}) | 'x'  |
    And no side effects

  Scenario Outline: Two values
    Given any graph
    And parameters are:
      | p | <p> |
    When executing query:
      \"\"\"
      RETURN <p> = $p AS same
      \"\"\"
    Then <outcome>

    Examples:
      | p   | outcome                                     |
      | 1   | the result should be empty                  |
      | [1] | a TypeError should be raised at any time: * |
"""


def test_scenarios_and_the_lines_of_outlines_are_read(tmp_path: Path) -> None:
    (tmp_path / "Sample.feature").write_text(FEATURE)
    assert list(scenarios(tmp_path)) == [
        Scenario(
            "Sample A graph",
            "an empty graph",
            ("CREATE (:A {num: 1})-[:T]->(:B {id: 'x'})",),
            "MATCH (a)-->(b) RETURN a, b.id",
            (),
            "in any order",
            rows=(("(:A {num: 1})", "'x'"),),
        ),
        Scenario(
            "Sample Two values",
            "any graph",
            (),
            "RETURN 1 = $p AS same",
            (("p", "1"),),
            "in any order",
        ),
        Scenario(
            "Sample Two values",
            "any graph",
            (),
            "RETURN [1] = $p AS same",
            (("p", "[1]"),),
            "an error",
        ),
    ]


def test_a_query_is_asked_with_labels_ids_names_and_a_total_order(tmp_path: Path) -> None:
    (tmp_path / "Sample.feature").write_text(FEATURE)
    scenario = next(scenarios(tmp_path))
    graph = held(
        [(0, ["A"], {"num": 1}), (1, ["B"], {"id": "x"})], [(0, "T", 1, {})], scenario.query
    )
    question = asked(scenario, graph)
    assert question.text == (
        "MATCH (a:Entity)-->(b:Entity) RETURN a.id AS c1, b.own_id AS c2 ORDER BY c1, c2"
    )
    assert not question.found
    assert as_expected(scenario, question, graph, [("n000", "x")])
    assert not as_expected(scenario, question, graph, [("n001", "x")])
    assert not as_expected(scenario, question, graph, [("n000", "x"), ("n000", "x")])
    assert not as_expected(scenario, question, graph, "an error")


def test_orders_are_made_total_before_limits() -> None:
    query = "MATCH (a:A) WITH a, a.num AS num ORDER BY num LIMIT 3 RETURN num SKIP 1"
    scenario = Scenario("x", "an empty graph", (), query, (), "in any order")
    question = asked(scenario, held([(0, ["A"], {"num": 1})], [], query))
    assert question.text == (
        "MATCH (a:A) WITH a, a.num AS num ORDER BY num, a.id, num LIMIT 3 "
        "RETURN num ORDER BY num SKIP 1"
    )
    assert not question.found


@pytest.mark.parametrize(
    ("nodes", "edges", "why"),
    [
        ([(0, ["A", "B"], {})], [], "several labels"),
        ([(0, [], {"x": 1}), (1, [], {"x": "1"})], [], "several types"),
        ([(0, [], {"x": 1}), (1, [], {"X": 1})], [], "case alone"),
        ([(0, [], {"x": []})], [], "an empty list"),
        ([(0, [], {})], [(0, "T", 0, {}), (0, "T", 0, {})], "between the same nodes"),
    ],
)
def test_a_graph_that_medkg_has_no_place_for_is_said(
    nodes: list[tuple[int, list[str], dict[str, object]]],
    edges: list[tuple[int, str, int, dict[str, object]]],
    why: str,
) -> None:
    with pytest.raises(CannotHoldError, match=why):
        held(nodes, edges, "RETURN 1 AS x")


def test_a_graph_of_several_types_of_values_has_a_column_for_each() -> None:
    graph: Graph = held(
        [(0, ["A"], {"a": 1, "b": [1.5]}), (1, [], {"c": True})], [], "MATCH (n) RETURN n.d AS x"
    )
    assert graph.node_columns == (
        ("a", "integer"),
        ("b", "list of float"),
        ("c", "boolean"),
        ("d", "string"),
    )

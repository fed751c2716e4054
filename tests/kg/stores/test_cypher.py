"""Statements that somebody types, on both engines."""

from collections.abc import Mapping

import pytest

from cypher import QueryError
from cypher.lint import NotPortableError
from kg.stores.store import Rows, Store, Value
from tests.kg.stores.conftest import MakeTables


@pytest.fixture
def filled(store: Store, make_tables: MakeTables) -> Store:
    store.load(make_tables(frequency=0.5))
    return store


@pytest.mark.parametrize(
    ("text", "parameters", "rows"),
    [
        ("MATCH (d:Disease) RETURN count(*) AS n", {}, [(1,)]),
        ("MATCH (d:Disease {id: $id}) RETURN d.name;", {"id": "MONDO:1"}, [("gout",)]),
        ("MATCH (s:Symptom) WHERE s.id IN $ids RETURN s.id", {"ids": ["HP:2"]}, [("HP:2",)]),
        ("MATCH (s:Symptom) WHERE s.id IN $ids RETURN s.id", {"ids": []}, []),
        ("// a comment\nUNWIND [1, 2] AS x RETURN x ORDER BY x", {}, [(1,), (2,)]),
        ("MATCH ()-[r:HAS_SYMPTOM]->(s:Symptom) WHERE r.frequency > $least RETURN s.id ORDER BY s.id",
         {"least": 0.4}, [("HP:1",), ("HP:2",)]),
    ],
)  # fmt: skip
def test_a_portable_statement_is_answered(
    filled: Store, text: str, parameters: Mapping[str, Value], rows: list[tuple[Value, ...]]
) -> None:
    assert list(filled.cypher(text, **parameters).rows) == rows


def test_without_skip_and_limit_rows_may_come_in_any_order(filled: Store) -> None:
    found = filled.cypher("MATCH (d:Disease)-[:HAS_SYMPTOM]->(s) RETURN s.id")
    assert found.columns == ("s.id",)
    assert sorted(found.rows) == [("HP:1",), ("HP:2",)]


def test_neo4j_runs_whatever_reads_and_ladybug_asks_for_the_portable_form(filled: Store) -> None:
    text = "MATCH (s:Symptom) RETURN s.id LIMIT 1"
    if filled.engine == "neo4j":
        assert len(filled.cypher(text)) == 1
        labels = filled.cypher("MATCH (n) WHERE n:Disease RETURN labels(n) AS labels")
        assert labels.rows in (((["Entity", "Disease"],),), ((["Disease", "Entity"],),))
    else:
        with pytest.raises(NotPortableError, match="rows without an order; write ORDER BY") as e:
            filled.cypher(text)
        assert [finding.line for finding in e.value.findings] == [1]
        assert len(filled.cypher(text, as_is=True)) == 1


@pytest.mark.parametrize(
    ("text", "parameters", "message"),
    [
        ("", {}, "there is no statement"),
        (" ; ", {}, "there is no statement"),
        ("RETURN 1 AS x; RETURN 2 AS x", {}, "another statement begins after ';'"),
        ("MATCH (n) DETACH DELETE n", {}, "DETACH is refused"),
        ("MATCH (d:Disease) SET d.name = 'x' RETURN d.id", {}, "SET is refused"),
        ("RETURN $x AS x", {}, "the statement needs the parameter x"),
        ("RETURN 1 AS x", {"y": 1}, "the statement has no parameter y"),
        ("RETURN $x AS x", {"x": [1, "a"]}, "parameter x: .* is no value of a query"),
        ("RETURN $x AS x", {"x": 1 << 70}, "whole number of 64 bits"),
        ("RETURN $timeout AS x", {}, "cannot be called timeout"),
        ("RETURN 'x AS x", {}, "' is opened and never closed"),
    ],
)
def test_what_is_no_read_only_statement_is_refused(
    filled: Store, text: str, parameters: Mapping[str, Value], message: str
) -> None:
    with pytest.raises(QueryError, match=message):
        filled.cypher(text, as_is=True, **parameters)


def test_nodes_relationships_and_paths_are_mappings(filled: Store) -> None:
    text = (
        "MATCH p = (d:Disease)-[r:HAS_SYMPTOM]->(s:Symptom {id: 'HP:1'}) "
        "RETURN d, r, p, {a: 1} AS m, [d] AS l"
    )
    (row,) = filled.cypher(text, as_is=True).dicts()
    disease, relationship, path, _, several = row.values()
    assert disease["type"] == "Disease"  # type: ignore[index, call-overload]
    assert disease["name"] == "gout"  # type: ignore[index, call-overload]
    assert relationship["type"] == "HAS_SYMPTOM"  # type: ignore[index, call-overload]
    assert relationship["frequency"] == 0.5  # type: ignore[index, call-overload]
    assert [part.get("id") for part in path] == ["MONDO:1", None, "HP:1"]  # type: ignore[union-attr]
    assert path[0] == disease  # type: ignore[index]
    assert row["m"] == {"a": 1}
    assert several == [disease]


def test_both_engines_show_a_node_and_a_relationship_alike(filled: Store) -> None:
    text = "MATCH (d:Disease)-[r:HAS_SYMPTOM]->(s {id: 'HP:2'}) RETURN d, r"
    (row,) = filled.cypher(text, as_is=True).dicts()
    lists = {"synonyms", "synonyms_zh", "lay_names", "lay_names_zh", "normal_names", "xrefs"}
    given = {name: value for name, value in row["d"].items() if value != []}  # type: ignore[union-attr]
    assert given == {"id": "MONDO:1", "type": "Disease", "name": "gout", "sources": ["test"]}
    assert {name for name in row["d"] if name not in given} <= lists  # type: ignore[union-attr]
    assert {k: v for k, v in row["r"].items() if v != []} == {  # type: ignore[union-attr]
        "type": "HAS_SYMPTOM",
        "frequency": 0.5,
        "sources": ["test"],
    }


def test_columns_without_a_name_are_called_as_they_are_written(filled: Store) -> None:
    text = "MATCH (d:Disease) RETURN count(*), count(d), min(d.name), count( DISTINCT d.id ) AS n"
    names = ("count(*)", "count(d)", "min(d.name)", "n")
    assert filled.cypher(text, as_is=True).columns == names


def test_a_time_limit_holds(filled: Store) -> None:
    with pytest.raises(ValueError, match="timeout"):
        filled.cypher("RETURN 1 AS x", timeout=0)


def test_rows_become_tables() -> None:
    rows = Rows(("name", "n"), (("gout", 1), ("fever", None)))
    assert rows.arrow().to_pydict() == {"name": ["gout", "fever"], "n": [1, None]}
    assert list(rows.df()["name"]) == ["gout", "fever"]
    assert len(rows.dicts()) == 2
    empty = Rows(("name",), ())
    assert (empty.arrow().num_rows, list(empty.df().columns)) == (0, ["name"])


def test_a_column_of_several_types_is_no_arrow_table() -> None:
    with pytest.raises(ValueError, match="values of one type"):
        Rows(("x",), (("a",), (1,))).arrow()

"""The Neo4j store alone: refusals, interruptions, a second writer."""

import dataclasses
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NoReturn

import neo4j
import pytest

from kg.configuration import Settings
from kg.errors import QueryTooLargeError, StoreError, StoreUnreachableError
from kg.stores import neo4j_graph
from kg.stores.connection import connect
from kg.stores.neo4j_schema import constraints, indexes
from kg.stores.neo4j_session import STILL, Neo4jDatabase
from kg.stores.neo4j_store import Neo4jStore
from kg.stores.store import Counts, Stamp, Store
from tests.kg.stores.conftest import MakeTables, apply, remove
from tests.kg.stores.test_records import EVERYTHING, run_layer

pytestmark = pytest.mark.neo4j

SMALL = Counts({"Disease": 1, "Symptom": 2}, {"HAS_SYMPTOM": 2, "IS_A": 1})


def run(settings: Settings, text: str, **arguments: object) -> list[dict[str, object]]:
    assert settings.neo4j_uri
    auth = (settings.neo4j_username, settings.neo4j_password or "")
    with neo4j.GraphDatabase.driver(settings.neo4j_uri, auth=auth) as driver:
        return [record.data() for record in driver.execute_query(text, arguments).records]


def test_wrong_password_says_what_to_set(neo4j_settings: Settings) -> None:
    wrong = dataclasses.replace(neo4j_settings, neo4j_password="wrong")  # noqa: S106 - meant to be wrong
    with pytest.raises(
        StoreUnreachableError, match=r"refuses the password .* set .*NEO4J_PASSWORD"
    ):
        connect(settings=wrong)


def test_no_password_says_what_to_set(neo4j_settings: Settings) -> None:
    without = dataclasses.replace(neo4j_settings, neo4j_password=None)
    with pytest.raises(
        StoreUnreachableError, match=r"refuses the password .* set .*NEO4J_PASSWORD"
    ):
        connect(settings=without)


@pytest.mark.parametrize("scheme", ["bolt", "neo4j"])
def test_silent_address_says_how_to_start_one(scheme: str) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        uri = f"{scheme}://127.0.0.1:{unused.getsockname()[1]}"
    with pytest.raises(
        StoreUnreachableError, match=f"{uri}: no Neo4j answers there .*medkg db up"
    ):
        connect(uri)


def test_missing_database_says_what_to_set(neo4j_settings: Settings) -> None:
    other = dataclasses.replace(neo4j_settings, neo4j_database="nonesuch")
    with pytest.raises(StoreError, match="there is no database nonesuch; set NEO4J_DATABASE"):
        connect(settings=other)


@pytest.mark.parametrize("scheme", ["bolt", "neo4j"])
def test_both_schemes_read_and_write(
    scheme: str, neo4j_settings: Settings, neo4j_uri: str, make_tables: MakeTables
) -> None:
    uri = f"{scheme}://{neo4j_uri.partition('://')[2]}"
    with connect(uri, neo4j_settings) as store:
        assert store.load(make_tables()) == SMALL
        assert len(store.query("disease.symptoms", disease="MONDO:1")) == 2


def test_all_indexes_are_online(neo4j_store: Store, neo4j_settings: Settings) -> None:
    named = neo4j_store.indexes()
    assert set(named) == constraints().keys() | indexes().keys()
    states = run(neo4j_settings, "SHOW INDEXES YIELD name, state")
    assert {row["state"] for row in states if row["name"] in named} == {"ONLINE"}


def test_nodes_carry_both_labels_and_no_empty_property(
    neo4j_store: Store, neo4j_settings: Settings, make_tables: MakeTables
) -> None:
    neo4j_store.load(make_tables())
    text = "MATCH (n:Entity {id: $id}) RETURN labels(n) AS labels, keys(n) AS keys"
    [row] = run(neo4j_settings, text, id="MONDO:1")
    assert row["labels"] == ["Entity", "Disease"]
    lists = {"synonyms", "synonyms_zh", "lay_names", "lay_names_zh"}
    lists |= {"normal_names", "xrefs", "sources"}
    assert set(row["keys"]) == {"id", "type", "name"} | lists  # type: ignore[call-overload]  # a list


def test_full_text_finds_a_name_written_in_chinese(
    neo4j_store: Store, make_tables: MakeTables
) -> None:
    neo4j_store.load(make_tables(nodes=[("MONDO:1", "Disease", "痛风性关节炎")], edges=[]))
    found = neo4j_store.query("neo4j_only.full_text", words="关节")
    assert [row["entity_id"] for row in found.dicts()] == ["MONDO:1"]


def test_interrupted_load_leaves_no_stamp_and_the_next_one_repairs(
    neo4j_store: Store, make_tables: MakeTables
) -> None:
    neo4j_store.load(make_tables())
    with pytest.raises(StoreError, match=r"1 of 1 edges have an end that is not among the nodes"):
        neo4j_store.load(make_tables(edges=[("MONDO:1", "HAS_SYMPTOM", "HP:404")]))
    assert neo4j_store.stamp() is None
    assert neo4j_store.load(make_tables()) == SMALL
    assert neo4j_store.stamp() == Stamp("sum")


def test_interrupted_layer_is_finished_by_the_next_try(
    neo4j_store: Store, neo4j_settings: Settings, make_tables: MakeTables
) -> None:
    neo4j_store.load(make_tables())
    layer = make_tables("cough", [("HP:3", "Symptom", "cough"), ("HP:4", "Symptom", "rash")], [])
    # What a killed process leaves: the mark, and the first batch.
    run(
        neo4j_settings,
        "MATCH (s:MedKGStamp) SET s.writing = 'cough' "
        "CREATE (:Entity:Symptom {id: 'HP:3', type: 'Symptom', layer: 'cough'})",
    )
    assert neo4j_store.stamp() is None
    assert neo4j_store.applied_layers() == ()
    with pytest.raises(StoreError, match="layer cough was interrupted; apply or remove it again"):
        apply(neo4j_store, make_tables("other", [], []))
    assert apply(neo4j_store, layer) == Counts({"Symptom": 2}, {})
    assert neo4j_store.stamp() == Stamp("sum", (("cough", "sum"),))


def test_interrupted_layer_can_be_removed(
    neo4j_store: Store, neo4j_settings: Settings, make_tables: MakeTables
) -> None:
    neo4j_store.load(make_tables())
    run(
        neo4j_settings,
        "MATCH (s:MedKGStamp) SET s.writing = 'cough' "
        "CREATE (:Entity:Symptom {id: 'HP:3', type: 'Symptom', layer: 'cough'})",
    )
    assert remove(neo4j_store, "cough") == Counts({"Symptom": 1}, {})
    assert neo4j_store.counts() == SMALL
    assert neo4j_store.stamp() == Stamp("sum")


def test_layer_without_a_graph_says_to_build(
    neo4j_store: Store, neo4j_settings: Settings, make_tables: MakeTables
) -> None:
    run(neo4j_settings, "MATCH (s:MedKGStamp) DELETE s")
    with pytest.raises(StoreError, match="holds no whole graph; run 'medkg build' first"):
        apply(neo4j_store, make_tables("cough", [], []))


def test_graph_whose_writing_was_cut_off_has_no_answers(
    neo4j_store: Store, neo4j_settings: Settings, make_tables: MakeTables
) -> None:
    neo4j_store.load(make_tables())
    assert len(neo4j_store.query("disease.symptoms", disease="MONDO:1")) == 2
    run(neo4j_settings, "MATCH (s:MedKGStamp) DELETE s")
    time.sleep(STILL)  # as long as a writer waits, and longer, before it changes anything
    with pytest.raises(
        StoreError, match=r"holds no whole graph, .* cut off .*; run 'medkg build'"
    ):
        neo4j_store.query("disease.symptoms", disease="MONDO:1")


def test_query_waits_for_a_writer_until_its_timeout(
    neo4j_store: Store, neo4j_settings: Settings, make_tables: MakeTables
) -> None:
    neo4j_store.load(make_tables())
    with connect(settings=neo4j_settings) as other:
        assert isinstance(other, Neo4jStore)
        with other._database.writer_lock():
            run(neo4j_settings, "MATCH (s:MedKGStamp) SET s.writing = 'cough', s.changed = 'x'")
            with pytest.raises(QueryTooLargeError, match=r"being written for 0.5 s; ask again"):
                neo4j_store.query("disease.symptoms", timeout=0.5, disease="MONDO:1")
            run(neo4j_settings, "MATCH (s:MedKGStamp) SET s.writing = null")
            assert len(neo4j_store.query("disease.symptoms", disease="MONDO:1")) == 2


def test_second_writer_is_told_so_and_the_first_one_s_lock_ends_with_it(
    neo4j_store: Store, neo4j_settings: Settings, make_tables: MakeTables
) -> None:
    with connect(settings=neo4j_settings) as other:
        assert isinstance(other, Neo4jStore)
        with (
            other._database.writer_lock(),
            pytest.raises(StoreError, match="another medkg process is writing this graph"),
        ):
            neo4j_store.load(make_tables())
    assert neo4j_store.load(make_tables()) == SMALL


def test_of_two_writers_at_the_same_moment_one_is_refused(neo4j_settings: Settings) -> None:
    together, refused = threading.Barrier(2), threading.Event()

    def write() -> str:
        with connect(settings=neo4j_settings) as store:
            assert isinstance(store, Neo4jStore)
            together.wait(30)
            try:
                with store._database.writer_lock():
                    assert refused.wait(60)
            except StoreError as e:
                refused.set()
                return str(e)
            return "wrote"

    with ThreadPoolExecutor(2) as pool:
        running = [pool.submit(write) for _ in range(2)]
        answers = sorted((one.result() for one in running), key=len)
    assert answers[0] == "wrote"
    assert "another medkg process is writing this graph" in answers[1]


def test_what_others_keep_in_the_database_stays_and_is_not_counted(
    neo4j_store: Store, neo4j_settings: Settings, make_tables: MakeTables
) -> None:
    run(neo4j_settings, "CREATE (:Person {name: 'Ada'})-[:HAS_SYMPTOM]->(:Complaint)")
    try:
        assert neo4j_store.load(make_tables()) == SMALL
        text = "MATCH (p:Person)-[:HAS_SYMPTOM]->(:Complaint) RETURN p.name AS name"
        assert run(neo4j_settings, text) == [{"name": "Ada"}]
    finally:
        run(neo4j_settings, "MATCH (n) WHERE n:Person OR n:Complaint DETACH DELETE n")


@pytest.mark.parametrize("failing", ["count_by_reading", "read_counters"])
def test_counters_are_asked_and_where_they_are_not_shown_everything_is_read(
    failing: str,
    neo4j_store: Store,
    make_tables: MakeTables,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refused(database: Neo4jDatabase) -> NoReturn:
        raise StoreError(f"{database.address.uri}: permission denied")

    monkeypatch.setattr(neo4j_graph, failing, refused)
    neo4j_store.load(make_tables())
    assert apply(neo4j_store, run_layer(tmp_path / "run")) == EVERYTHING
    assert neo4j_store.counts() == SMALL.plus(EVERYTHING)
    assert remove(neo4j_store, "run") == EVERYTHING


def test_name_too_long_for_an_index_is_said(neo4j_store: Store, make_tables: MakeTables) -> None:
    with pytest.raises(StoreError, match=r"longer than the 8,000 bytes .* shorten it"):
        neo4j_store.load(make_tables(nodes=[("MONDO:1", "Disease", "x" * 40_000)], edges=[]))


def test_query_is_stopped_at_its_timeout(neo4j_store: Store) -> None:
    assert isinstance(neo4j_store, Neo4jStore)
    endless = "UNWIND range(1, 1000000) AS a UNWIND range(1, 1000000) AS b RETURN max(a + b)"
    with pytest.raises(StoreError, match="no answer within the time limit, so the query was"):
        neo4j_store._database.read(endless, timeout=0.2)


def test_indexes_puts_in_the_lists_that_the_importer_leaves_out(
    neo4j_store: Store, neo4j_settings: Settings, make_tables: MakeTables
) -> None:
    neo4j_store.load(make_tables())
    run(
        neo4j_settings,
        "MATCH (n:Entity) SET n.xrefs = null WITH DISTINCT 1 AS x "
        "MATCH (s:MedKGStamp) SET s.imported = true",
    )
    neo4j_store.indexes()
    rows = run(neo4j_settings, "MATCH (n:Entity) RETURN DISTINCT n.xrefs AS xrefs")
    assert rows == [{"xrefs": []}]
    assert run(neo4j_settings, "MATCH (s:MedKGStamp {imported: true}) RETURN s.id AS id") == []

"""The layer ``check``: what rules take out and flag comes back by its removal, on both engines."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from ingest.check.check import CheckConfig, CheckResult, Revision, apply_check, check, undo_check
from ingest.check.commands import outcome
from ingest.check.rules import Rule, load_rules
from ingest.load import load
from kg.configuration import Settings
from kg.errors import CheckError
from kg.layers import apply_layers
from kg.progress import Silent
from kg.stores.connection import connect
from kg.stores.embedded import EmbeddedStore
from kg.stores.store import Store, Value
from kg.tables import GraphTables
from tests.ingest.check.conftest import MakeRule
from tests.kg.stores.conftest import write_tables

NODES = (
    ("HP:1", "Symptom", "arthritis"),
    ("HP:2", "Symptom", "fever"),
    ("HP:3", "Symptom", "wings"),
    ("MONDO:1", "Disease", "gout"),
    ("MONDO:2", "Disease", "influenza"),
)
EDGES = (
    ("MONDO:1", "HAS_SYMPTOM", "HP:1"),
    ("MONDO:1", "HAS_SYMPTOM", "HP:2"),
    ("MONDO:1", "HAS_SYMPTOM", "HP:3"),
    ("MONDO:2", "COMPLICATED_BY", "HP:1"),
    ("MONDO:2", "HAS_SYMPTOM", "HP:2"),
)
WINGS = "b.name = 'wings'"
FEVERISH_GOUT = "a.name = 'gout' AND b.name = 'fever'"


@pytest.fixture
def tables(tmp_path: Path) -> GraphTables:
    return write_tables(tmp_path / "tables", nodes=NODES, edges=EDGES, frequency=0.5)


def config(tmp_path: Path, *rules: Rule) -> CheckConfig:
    return CheckConfig(rules, GraphTables(tmp_path / "tables"), tmp_path / "layers")


def edges(store: Store) -> set[tuple[Value, ...]]:
    """Symptoms with their flags, and whether they have a score."""
    return {
        (disease, row["symptom_id"], row["flags"], row["discrimination"] is not None)
        for disease in ("MONDO:1", "MONDO:2")
        for row in store.query("disease.symptoms", disease=disease).dicts()
    }


BUILT = {
    ("MONDO:1", "HP:1", None, False),
    ("MONDO:1", "HP:2", None, False),
    ("MONDO:1", "HP:3", None, False),
    ("MONDO:2", "HP:2", None, False),
}
CLEANED = {
    ("MONDO:1", "HP:1", None, True),
    ("MONDO:1", "HP:2", "hot", True),
    ("MONDO:2", "HP:2", None, True),
}


def test_what_is_found_is_shown_and_nothing_changes(
    tmp_path: Path, tables: GraphTables, store: Store, make_rule: MakeRule
) -> None:
    store.load(tables)
    result = check(store, config(tmp_path, make_rule("winged", WINGS)), Silent())
    [rule] = result.rules
    assert (rule.rule, rule.title, rule.found) == ("winged", "Names that are winged", 1)
    assert rule.samples[0].model_dump() == {
        "head": "MONDO:1",
        "head_name": "gout",
        "relation": "HAS_SYMPTOM",
        "tail": "HP:3",
        "tail_name": "wings",
        "reason": "winged",
        "facts": "wings",
    }
    assert not result.applied
    assert edges(store) == BUILT


def test_rejected_edges_are_taken_out_and_doubted_ones_flagged(
    tmp_path: Path, tables: GraphTables, store: Store, make_rule: MakeRule
) -> None:
    store.load(tables)
    rules = make_rule("winged", WINGS), make_rule("hot", FEVERISH_GOUT, "warn")
    result = apply_check(store, config(tmp_path, *rules), Silent())
    assert (result.rejected, result.flagged, result.scored) == (
        {"HAS_SYMPTOM": 1},
        {"HAS_SYMPTOM": 1},
        3,
    )
    assert edges(store) == CLEANED
    assert store.counts().edges == {"COMPLICATED_BY": 1, "HAS_SYMPTOM": 3}


def test_undone_check_leaves_every_edge_as_it_was(
    tmp_path: Path, tables: GraphTables, store: Store, make_rule: MakeRule
) -> None:
    store.load(tables)
    before = store.query("disease.symptoms", disease="MONDO:1")
    apply_check(store, config(tmp_path, make_rule("winged", WINGS)), Silent())
    undone = undo_check(store, tmp_path / "layers", Silent())
    assert (undone.put_back, undone.unmarked) == ({"HAS_SYMPTOM": 1}, {"HAS_SYMPTOM": 3})
    assert store.query("disease.symptoms", disease="MONDO:1") == before
    assert store.applied_layers() == ()
    assert not (tmp_path / "layers" / "check").exists()


def test_second_check_starts_from_the_graph_as_it_was_built(
    tmp_path: Path, tables: GraphTables, store: Store, make_rule: MakeRule
) -> None:
    store.load(tables)
    apply_check(store, config(tmp_path, make_rule("hot", FEVERISH_GOUT)), Silent())
    rules = make_rule("winged", WINGS), make_rule("hot", FEVERISH_GOUT, "warn")
    apply_check(store, config(tmp_path, *rules), Silent())
    assert edges(store) == CLEANED


def test_edge_that_rules_of_both_severities_find_is_taken_out(
    tmp_path: Path, tables: GraphTables, store: Store, make_rule: MakeRule
) -> None:
    store.load(tables)
    rules = (
        make_rule("winged", WINGS),
        make_rule("odd", WINGS),
        make_rule("doubtful", WINGS, "warn"),
    )
    result = apply_check(store, config(tmp_path, *rules), Silent())
    assert (result.rejected, result.flagged) == ({"HAS_SYMPTOM": 1}, {})
    assert [rule.found for rule in result.rules] == [1, 1, 1]


def test_check_after_its_application_tells_what_was_found(
    tmp_path: Path, tables: GraphTables, store: Store, make_rule: MakeRule
) -> None:
    store.load(tables)
    given = config(tmp_path, make_rule("winged", WINGS))
    applied = apply_check(store, given, Silent())
    assert check(store, given, Silent()) == applied
    assert check(store, replace(given, samples=0), Silent()).rules[0].samples == ()
    other = config(tmp_path, make_rule("winged", WINGS), make_rule("hot", FEVERISH_GOUT))
    told = check(store, other, Silent())
    assert [rule.found for rule in told.rules] == [0, 1]
    assert "The graph has the layer of other rules" in outcome(told)


@pytest.mark.neo4j
def test_layer_is_the_same_whichever_engine_is_asked(
    tmp_path: Path, tables: GraphTables, neo4j_settings: Settings, make_rule: MakeRule
) -> None:
    checksums = []
    given = config(tmp_path, make_rule("winged", WINGS), make_rule("hot", FEVERISH_GOUT, "warn"))
    for opened in (connect(str(tmp_path / "g.lbug")), connect(settings=neo4j_settings)):
        with opened as store:
            store.load(tables)
            apply_check(store, given, Silent())
            checksums.append(GraphTables(given.layers / "check").summary().checksum)
            undo_check(store, given.layers, Silent())
    assert checksums[0] == checksums[1]


def test_graph_is_checked_before_anyone_sees_it(
    tmp_path: Path, tables: GraphTables, store: Store, make_rule: MakeRule
) -> None:
    rules = make_rule("winged", WINGS), make_rule("hot", FEVERISH_GOUT, "warn")
    given = config(tmp_path, *rules)
    result = load(tables, given.layers, store, Silent(), revise=Revision(given, Silent()))
    assert result.counts.edges == {"COMPLICATED_BY": 1, "HAS_SYMPTOM": 4}
    assert edges(store) == CLEANED
    assert store.applied_layers() == ("check",)
    undo_check(store, given.layers, Silent())
    assert edges(store) == BUILT


def test_check_of_the_graph_before_is_not_applied_to_the_next_one(
    tmp_path: Path, tables: GraphTables, store: Store, make_rule: MakeRule
) -> None:
    given = config(tmp_path, make_rule("winged", WINGS))
    load(tables, given.layers, store, Silent(), revise=Revision(given, Silent()))
    other = write_tables(tmp_path / "other", nodes=NODES, edges=EDGES[:2], checksum="other")
    result = load(other, given.layers, store, Silent())
    assert (result.replayed, result.left_out) == ((), ())
    assert store.applied_layers() == ()


def test_rule_that_fails_leaves_the_graph_before(tmp_path: Path, make_rule: MakeRule) -> None:
    tables = write_tables(tmp_path / "tables", nodes=NODES, edges=EDGES)
    fewer = write_tables(tmp_path / "fewer", nodes=NODES, edges=EDGES[:1], checksum="fewer")
    wrong = make_rule("transposed", WINGS)
    transposed = wrong.text.replace("a.id AS head", "b.id AS head").replace(
        "b.id AS tail", "a.id AS tail"
    )
    given = config(tmp_path, replace(wrong, text=transposed))
    with EmbeddedStore(tmp_path / "graph.lbug") as store:
        store.load(fewer)
        told = "returns the edge HP:3 HAS_SYMPTOM MONDO:1, which the graph does not have; return"
        with pytest.raises(CheckError, match=told):
            store.load(tables, revise=Revision(given, Silent()))
        assert store.counts().edges == {"HAS_SYMPTOM": 1}


def test_check_that_fails_leaves_the_one_before_applied(
    tmp_path: Path, tables: GraphTables, store: Store, make_rule: MakeRule
) -> None:
    store.load(tables)
    good = config(tmp_path, make_rule("winged", WINGS), make_rule("hot", FEVERISH_GOUT, "warn"))
    apply_check(store, good, Silent())
    wrong = make_rule("transposed", "b.name = 'fever'")
    transposed = wrong.text.replace("a.id AS head", "b.id AS head").replace(
        "b.id AS tail", "a.id AS tail"
    )
    bad = config(tmp_path, replace(wrong, text=transposed))
    for ask in (check, apply_check):
        with pytest.raises(CheckError, match="which the graph does not have"):
            ask(store, bad, Silent())
        assert edges(store) == CLEANED
    assert check(store, good, Silent()).applied


def test_graph_whose_layer_is_not_kept_is_loaded_anew(
    tmp_path: Path, tables: GraphTables, store: Store, make_rule: MakeRule
) -> None:
    given = config(tmp_path, make_rule("winged", WINGS), make_rule("hot", FEVERISH_GOUT, "warn"))
    load(tables, given.layers, store, Silent(), revise=Revision(given, Silent()))
    assert not load(
        tables, given.layers, store, Silent(), revise=Revision(given, Silent())
    ).changed
    shutil.rmtree(given.layers / "check")
    assert load(tables, given.layers, store, Silent(), revise=Revision(given, Silent())).changed
    assert edges(store) == CLEANED
    undo_check(store, given.layers, Silent())
    assert edges(store) == BUILT


def test_edge_of_another_layer_is_found_and_left(
    tmp_path: Path, tables: GraphTables, store: Store, make_rule: MakeRule
) -> None:
    store.load(tables)
    added = (("MONDO:2", "HAS_SYMPTOM", "HP:3"),)
    layer = write_tables(tmp_path / "more", "more", nodes=(), edges=added)
    apply_layers([layer.folder], store, tmp_path / "layers", Silent())
    result = apply_check(store, config(tmp_path, make_rule("winged", WINGS)), Silent())
    assert result.rules[0].found == 2
    assert result.rejected == {"HAS_SYMPTOM": 1}
    assert ("MONDO:2", "HP:3", None, False) in edges(store)


def test_graph_of_other_tables_is_not_changed(
    tmp_path: Path, tables: GraphTables, store: Store, make_rule: MakeRule
) -> None:
    store.load(tables)
    write_tables(tmp_path / "other", nodes=NODES, edges=EDGES, checksum="other")
    given = CheckConfig((make_rule("x", WINGS),), GraphTables(tmp_path / "other"), tmp_path / "l")
    with pytest.raises(CheckError, match=r"was not loaded from the tables in .*other"):
        apply_check(store, given, Silent())
    assert edges(store) == BUILT


def test_own_rules_find_nothing_in_a_sound_graph(
    tmp_path: Path, tables: GraphTables, store: Store
) -> None:
    store.load(tables)
    result: CheckResult = check(store, config(tmp_path, *load_rules()), Silent())
    assert {rule.found for rule in result.rules} == {0}


def test_rule_that_takes_too_long_is_told_and_stops_no_other(
    tmp_path: Path, tables: GraphTables, make_rule: MakeRule
) -> None:
    winged, slow = make_rule("winged", WINGS), make_rule("slow", WINGS)
    endless = "UNWIND range(1, 1000000) AS x UNWIND range(1, 1000000) AS y "
    text = slow.text.replace("MATCH", f"{endless} WITH max(x + y) AS most MATCH")
    given = config(tmp_path, replace(slow, text=text), winged)
    with EmbeddedStore(tmp_path / "graph.lbug", timeout=0.5) as store:
        result = load(tables, given.layers, store, Silent(), revise=Revision(given, Silent()))
        assert result.changed
        told = check(store, given, Silent())
        assert [rule.found for rule in told.rules] == [0, 1]
        assert "no answer within 0.5 s" in (told.rules[0].stopped or "")
        assert "Rule slow: " in outcome(told)
        assert told.unasked == ("slow",)
        assert ("MONDO:1", "HP:3", None, False) not in edges(store)

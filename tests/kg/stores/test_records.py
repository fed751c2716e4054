"""Records beside entities, on both engines."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cypher import read_query
from kg.errors import LayerDoesNotFitError, TablesError
from kg.layers import LayerRows, apply_layers, list_layers, remove_layer, write_layer
from kg.progress import Silent
from kg.records import RECORD_TYPES
from kg.stores.connection import connect
from kg.stores.planning import Change
from kg.stores.store import Counts, Rows, Stamp, Store
from kg.tables import VECTOR_COLUMNS, GraphTables, arrow_table
from tests.kg.stores.conftest import MakeTables, add_changes, apply, remove

EARLIER = Path(__file__).with_name("earlier_layers")
"""Layers as medkg wrote them before records, spaces of vectors and the columns of today."""

RECORDS: Mapping[str, list[dict[str, Any]]] = {
    "Run": [
        {
            "id": "run-1",
            "task": "diagnosis",
            "model": "a",
            "seed": 7,
            "started": "2026-03-01T09:30:00.000Z",
            "complete": True,
            "settings": '{"temperature": 0.7}',
        }
    ],
    "Case": [{"id": "case-1", "task": "diagnosis", "language": "en"}],
    "Dialogue": [{"id": "d-1", "turns": 2, "end_reason": "diagnosed"}],
    "Turn": [
        {"id": "t-2", "number": 2, "role": "patient", "text": "My joints hurt."},
        {"id": "t-10", "number": 10, "role": "doctor", "text": "Gout?", "violations": ["early"]},
    ],
    "Judgement": [
        {"id": "j-1", "judge": "b", "metric": "correct", "score": 3.0, "scored": True},
        {"id": "j-2", "judge": "b", "metric": "history", "scored": False, "reason": "unreadable"},
    ],
}


def edge(head_type: str, head: str, tail_type: str, tail: str, **own: object) -> dict[str, object]:
    return {"head_type": head_type, "head": head, "tail_type": tail_type, "tail": tail, **own}


EDGES: Mapping[str, list[dict[str, object]]] = {
    "HAS_DIALOGUE": [edge("Run", "run-1", "Dialogue", "d-1")],
    "ON_CASE": [edge("Dialogue", "d-1", "Case", "case-1")],
    "HAS_TURN": [edge("Dialogue", "d-1", "Turn", turn) for turn in ("t-10", "t-2")],
    "JUDGES": [
        edge("Judgement", "j-1", "Turn", "t-10"),
        edge("Judgement", "j-2", "Dialogue", "d-1"),
    ],
    "ABOUT": [edge("Case", "case-1", "Entity", "MONDO:1")],
    "MENTIONS": [
        edge("Turn", "t-2", "Entity", "HP:1", start=3, stop=9, negated=False),
        edge("Turn", "t-10", "Entity", "MONDO:1", start=0, stop=4, negated=False),
    ],
}

EVERYTHING = Counts(
    {"Run": 1, "Case": 1, "Dialogue": 1, "Turn": 2, "Judgement": 2},
    {"HAS_DIALOGUE": 1, "ON_CASE": 1, "HAS_TURN": 2, "JUDGES": 2, "ABOUT": 1, "MENTIONS": 2},
)


def run_layer(
    folder: Path,
    records: Mapping[str, list[dict[str, Any]]] = RECORDS,
    record_edges: Mapping[str, list[dict[str, object]]] = EDGES,
) -> GraphTables:
    return write_layer(
        folder, "run", LayerRows(records=records, record_edges=record_edges), "test"
    )


def ask(store: Store, folder: Path, columns: str, order: str, text: str) -> Rows:
    """Ask a query that is in no catalogue."""
    path = folder / "asked.cypher"
    path.write_text(f"// Asked by a test.\n// column {columns}\n// order  {order}\n{text}\n")
    return store.query(read_query(path, folder))


def test_records_are_asked_by_number_order_and_time(
    store: Store, make_tables: MakeTables, tmp_path: Path
) -> None:
    store.load(make_tables())
    assert apply(store, run_layer(tmp_path / "run")) == EVERYTHING
    turns = ask(
        store,
        tmp_path,
        "turn_id: string, number: integer, role: string, violations: list of string",
        "number, turn_id",
        "MATCH (:Run {id: 'run-1'})-[:HAS_DIALOGUE]->(:Dialogue)-[:HAS_TURN]->(t:Turn) "
        "RETURN t.id AS turn_id, t.number AS number, t.role AS role, t.violations AS violations "
        "ORDER BY number, turn_id",
    )
    assert turns.rows == (("t-2", 2, "patient", []), ("t-10", 10, "doctor", ["early"]))
    scores = ask(
        store,
        tmp_path,
        "judge: string, score: float, judged: integer",
        "judge",
        "MATCH (j:Judgement)-[:JUDGES]->(:Turn) WHERE j.scored = true "
        "RETURN j.judge AS judge, avg(j.score) AS score, count(j) AS judged ORDER BY judge",
    )
    assert scores.rows == (("b", 3.0, 1),)
    about = ask(
        store,
        tmp_path,
        "case_id: string, entity_id: string, entity_name: string, started: string",
        "case_id, entity_id",
        "MATCH (c:Case)-[:ABOUT]->(e:Disease) "
        "MATCH (r:Run)-[:HAS_DIALOGUE]->(:Dialogue)-[:ON_CASE]->(c) "
        "WHERE r.started < '2026-03-01T10:00:00.000Z' AND r.complete = true "
        "RETURN c.id AS case_id, e.id AS entity_id, e.name AS entity_name, r.started AS started "
        "ORDER BY case_id, entity_id",
    )
    assert about.rows == (("case-1", "MONDO:1", "gout", "2026-03-01T09:30:00.000Z"),)


def test_records_go_with_their_layer_and_stay_when_another_goes(
    store: Store, make_tables: MakeTables, tmp_path: Path
) -> None:
    store.load(make_tables())
    before = store.counts()
    apply(store, make_tables("cough", [("HP:3", "Symptom", "cough")], []))
    apply(store, run_layer(tmp_path / "run"))
    remove(store, "cough")
    assert store.counts() == before.plus(EVERYTHING)
    assert remove(store, "run") == EVERYTHING
    assert (store.counts(), store.stamp()) == (before, Stamp("sum"))


def test_load_takes_the_records_away(
    store: Store, make_tables: MakeTables, tmp_path: Path
) -> None:
    store.load(make_tables())
    apply(store, run_layer(tmp_path / "run"))
    store.load(make_tables(checksum="second"))
    assert store.counts().nodes == {"Disease": 1, "Symptom": 2}


def test_a_run_that_mentions_a_concept_does_not_hold_back_new_links(
    store: Store, make_tables: MakeTables, tmp_path: Path
) -> None:
    kept = tmp_path / "kept"
    store.load(make_tables())
    linked = [("MONDO:1", "HAS_CUI", "UMLS:C1"), ("MONDO:1", "HAS_CUI", "UMLS:C2")]
    concepts = [("UMLS:C1", "Concept", "gout"), ("UMLS:C2", "Concept", "podagra")]
    apply_layers([make_tables("cui", concepts, linked).folder], store, kept, Silent())
    mentions = [
        edge("Turn", "t-2", "Entity", "UMLS:C1"),
        edge("Turn", "t-2", "Entity", "UMLS:C2"),
        edge("Turn", "t-10", "Entity", "HP:1"),
    ]
    run = run_layer(tmp_path / "run", record_edges={"MENTIONS": mentions})
    apply_layers([run.folder], store, kept, Silent())

    newer = make_tables("cui", concepts[:1], linked[:1], checksum="newer").folder
    changed = apply_layers([newer], store, kept, Silent(), replace=True).changed
    assert store.applied_layers() == ("cui", "run")
    assert store.counts().edges["MENTIONS"] == 2
    assert [row["tail"] for row in changed.left_out["run"].to_pylist()] == ["UMLS:C2"]
    assert {layer.name: layer.left_out for layer in list_layers(store, kept)} == {
        "cui": 0,
        "run": 1,
    }
    removal = remove_layer("cui", store, kept, Silent())
    assert removal.taken_out == Counts({"Concept": 1}, {"HAS_CUI": 1, "MENTIONS": 1})
    assert store.counts().edges["MENTIONS"] == 1
    assert pq.read_table(kept / "run" / "left_out.parquet").num_rows == 2


def test_layers_come_together_or_not_at_all(
    store: Store, make_tables: MakeTables, tmp_path: Path
) -> None:
    store.load(make_tables())
    run = run_layer(tmp_path / "run")
    cough = make_tables("cough", [("HP:3", "Symptom", "cough")], [])
    loose = make_tables("loose", [], [("MONDO:1", "HAS_SYMPTOM", "HP:404")])
    before = (store.counts(), store.stamp())
    with pytest.raises(LayerDoesNotFitError, match="HP:404"):
        store.change_layers(Change([run, cough, loose]))
    assert (store.counts(), store.stamp()) == before
    store.change_layers(Change([run, cough]))
    assert store.applied_layers() == ("run", "cough")
    with pytest.raises(LayerDoesNotFitError, match="HP:404"):
        store.change_layers(Change([loose], ["run"], {"run": run}))
    assert store.applied_layers() == ("run", "cough")
    assert store.counts().nodes["Turn"] == 2


def test_id_that_was_merged_into_another_node_is_followed(
    store: Store, make_tables: MakeTables, tmp_path: Path
) -> None:
    store.load(make_tables())
    identities = tmp_path / "identities.parquet"
    table = {"id": ["HP:1", "OLD:1", "OLD:2"], "node": ["HP:1", "HP:1", "MONDO:404"]}
    pq.write_table(pa.table(table), identities)
    mentions = [edge("Turn", "t-2", "Entity", old) for old in ("OLD:1", "OLD:2")]
    run = run_layer(tmp_path / "run", record_edges={"MENTIONS": mentions})
    likely = make_tables(
        "likely", [], [("MONDO:1", "CAUSED_BY", "OLD:1"), ("HP:1", "CAUSED_BY", "OLD:1")]
    )
    changed = store.change_layers(Change([run, likely], identities=identities))
    assert changed.added.edges == {"MENTIONS": 1, "CAUSED_BY": 1}
    told = {
        name: [(row["head"], row["tail"], row["reason"]) for row in table.to_pylist()]
        for name, table in changed.left_out.items()
    }
    assert told == {
        "run": [("t-2", "OLD:2", "its tail, OLD:2, is neither in the graph nor in the layer")],
        "likely": [("HP:1", "OLD:1", "both ends are one node now")],
    }


@pytest.mark.parametrize(
    ("records", "why"),
    [
        (
            {"Turn": [{"id": "t", "number": 1}]},
            "layer run, records/Turn.parquet: column role is null in row 1; correct",
        ),
        (
            {"Run": [{"id": "r", "task": "t", "model": "m", "started": "1 March"}]},
            "column started is no time such as 2026-03-01T09:30:00.000Z in row 1",
        ),
        (
            {"Run": [{"id": "r", "task": "t", "model": "m", "settings": "{"}]},
            "column settings is no JSON in row 1",
        ),
        (
            {
                "Run": [
                    {"id": "r", "task": "t", "model": "m", "started": "2026-02-30T09:30:00.000Z"}
                ]
            },
            "column started is no time such as 2026-03-01T09:30:00.000Z in row 1",
        ),
        ({"Case": [{"id": "", "task": "t"}]}, "column id is empty in row 1"),
        (
            {"Case": [{"id": "c", "task": "t"}] * 2},
            "layer run, records/Case.parquet: c is there twice",
        ),
    ],
)
def test_record_that_is_not_as_its_type_says_is_refused(
    graph_path: Path,
    make_tables: MakeTables,
    tmp_path: Path,
    records: dict[str, list[dict[str, object]]],
    why: str,
) -> None:
    layer = run_layer(tmp_path / "run", records={}, record_edges={})
    (layer.folder / "records").mkdir()
    for name, rows in records.items():  # as another program may write them
        pq.write_table(arrow_table(RECORD_TYPES[name].columns, rows), layer.records(name))
    counts = {"records": {name: len(rows) for name, rows in records.items()}, "files": {}}
    layer.write_summary(layer.summary().model_copy(update=counts))
    with connect(str(graph_path)) as store:
        store.load(make_tables())
        with pytest.raises(TablesError, match=why):
            apply(store, layer)
        assert store.stamp() == Stamp("sum")


def test_edge_between_records_that_are_not_there_is_left_out(
    store: Store, make_tables: MakeTables, tmp_path: Path
) -> None:
    store.load(make_tables())
    edges = {
        "HAS_TURN": [edge("Dialogue", "d-1", "Turn", "t-404"), *EDGES["HAS_TURN"]],
        "JUDGES": [edge("Judgement", "j-1", "Run", "run-1")],
    }
    changed = store.change_layers(Change([run_layer(tmp_path / "run", record_edges=edges)]))
    assert [row["reason"] for row in changed.left_out["run"].to_pylist()] == [
        "its tail, t-404, is no Turn of the graph or the layer",
        "JUDGES does not connect Judgement with Run",
    ]
    assert changed.added.edges == {"HAS_TURN": 2}


def test_layer_of_a_later_medkg_is_refused_by_name(
    graph_path: Path, make_tables: MakeTables
) -> None:
    layer = make_tables("cough", [("HP:3", "Symptom", "cough")], [])
    layer.write_summary(layer.summary().model_copy(update={"version": 99, "made_by": "medkg 9"}))
    with connect(str(graph_path)) as store:
        store.load(make_tables())
        with pytest.raises(TablesError, match=r"made by a later medkg \(medkg 9\), whose tables"):
            apply(store, layer)


def test_layers_that_an_earlier_medkg_wrote_still_fit(
    store: Store, make_tables: MakeTables
) -> None:
    """They have no columns ``weight_text`` and ``likelihood``, and no version."""
    store.load(make_tables())
    layers = {path.name: GraphTables(path) for path in sorted(EARLIER.iterdir())}
    assert sorted(layers) == ["check", "cui", "embeddings", "predictions"]
    changed = store.change_layers(Change(list(layers.values())))
    assert changed.left_out == {}
    assert changed.added == Counts({"Concept": 2}, {"HAS_CUI": 2, "PREDICTED": 1})
    (symptom,) = store.query("disease.symptoms", disease="MONDO:1").dicts()
    assert (symptom["symptom_id"], symptom["flags"], symptom["discrimination"]) == (
        "HP:1",
        "sex",
        0.25,
    )
    assert [row[0] for row in store.query("similar_entities", entity="HP:1").rows] == [
        "HP:2",
        "MONDO:1",
    ]
    store.change_layers(Change(remove=["check"], kept=layers))
    assert store.counts().edges["HAS_SYMPTOM"] == 2


def test_records_of_an_earlier_medkg_without_a_list_of_today_have_an_empty_one(
    store: Store, make_tables: MakeTables, tmp_path: Path
) -> None:
    store.load(make_tables())
    run = run_layer(tmp_path / "run")
    turns = pq.read_table(run.records("Turn")).drop_columns(["violations_about"])
    pq.write_table(turns, run.records("Turn"))
    run.write_summary(run.summary().model_copy(update={"version": 3, "files": {}}))
    apply(store, run)
    rows = store.query("evaluation.broken_rules", run="run-1").dicts()
    assert [(row["violations"], row["violations_about"]) for row in rows] == [(["early"], [])]


def test_edge_that_a_rule_took_out_is_not_brought_back_by_another_layer(
    store: Store, make_tables: MakeTables
) -> None:
    store.load(make_tables())
    edge = ("MONDO:1", "HAS_SYMPTOM", "HP:1")
    check = add_changes(make_tables("check", nodes=(), edges=()), {edge: "age"})
    add = make_tables("add", [("HP:3", "Symptom", "cough")], [edge])
    kept = {"check": check}
    apply(store, check)
    assert store.change_layers(Change([add], kept=kept)).added == Counts({"Symptom": 1}, {})
    store.change_layers(Change(remove=["check"], kept=kept))
    assert store.counts().edges["HAS_SYMPTOM"] == 2
    remove(store, "add")
    assert store.counts().edges["HAS_SYMPTOM"] == 2


def test_record_whose_id_another_layer_has_is_listed(
    store: Store, make_tables: MakeTables, tmp_path: Path
) -> None:
    store.load(make_tables())
    apply(store, run_layer(tmp_path / "run"))
    turns = {"Turn": [{"id": "t-2", "number": 1, "role": "doctor", "text": "Other words."}]}
    other = write_layer(tmp_path / "o", "other", LayerRows(records=turns), "test")
    left_out = store.change_layers(Change([other])).left_out["other"].to_pylist()
    assert [(row["table"], row["head"]) for row in left_out] == [("records/Turn.parquet", "t-2")]


def test_two_layers_of_one_name_and_an_edge_taken_out_twice_are_refused(
    store: Store, make_tables: MakeTables
) -> None:
    store.load(make_tables())
    one, two = (make_tables("x", [(i, "Symptom", i)], []) for i in ("HP:3", "HP:4"))
    with pytest.raises(LayerDoesNotFitError, match="two of the layers have one name"):
        store.change_layers(Change([one, two]))
    check = add_changes(
        make_tables("check", nodes=(), edges=()), {("MONDO:1", "HAS_SYMPTOM", "HP:1"): "age"}
    )
    path = check.removed("HAS_SYMPTOM")
    pq.write_table(pa.concat_tables([pq.read_table(path)] * 2), path)
    check.write_summary(check.summary().model_copy(update={"removed": {"HAS_SYMPTOM": 2}}))
    with pytest.raises(TablesError, match="the edge from MONDO:1 to HP:1 is there twice"):
        apply(store, check)
    assert store.counts().edges["HAS_SYMPTOM"] == 2


def test_layer_of_which_every_vector_is_left_out_holds_back_no_other(
    store: Store, make_tables: MakeTables, tmp_path: Path
) -> None:
    store.load(make_tables())
    vectors = arrow_table(VECTOR_COLUMNS, [{"id": "HP:404", "embedding": [1.0, 0.0]}])
    nodes = [{"id": "HP:9", "type": "Symptom", "name": "cough"}]
    layer = write_layer(tmp_path / "v", "v", LayerRows(nodes=nodes, vectors=vectors), "test")
    apply(store, layer)
    apply(store, make_tables("cough", [("HP:3", "Symptom", "cough")], []))
    assert remove(store, "cough") == Counts({"Symptom": 1}, {})

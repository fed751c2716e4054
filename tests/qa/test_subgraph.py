"""What the graph says of the things of a question."""

from pathlib import Path

import kg
from kg.stores.store import Store
from qa.intent import Gap, heads, tails
from qa.subgraph import Edge, Fact, Node, Subgraph, subgraph
from tests.kg.stores.conftest import add_changes, apply, write_tables

GOUT = Node("MONDO:1", "gout", "痛风", "Disease")
ARTHRITIS = Node("HP:1", "Arthritis", "", "Symptom")
FEVER = Node("HP:9", "Fever", "发热", "Symptom")
SYMPTOMS = Subgraph(
    (GOUT, FEVER, ARTHRITIS),
    (
        Edge("MONDO:1", "HAS_SYMPTOM", "HP:9", ("s",)),
        Edge("MONDO:1", "HAS_SYMPTOM", "HP:1", ("s",)),
    ),
    {},
)


def test_subgraph_has_the_thing_then_what_it_is_connected_with_the_most_frequent_first(
    triple_store: Store,
) -> None:
    found = subgraph(triple_store, ["MONDO:1"], tails("HAS_SYMPTOM"))
    assert (found.nodes, found.edges) == (SYMPTOMS.nodes, SYMPTOMS.edges)
    assert (found.text(), found.text(chinese=True)) == ("gout Fever Arthritis", "痛风 发热")


def test_arguments_of_a_subgraph_give_its_edges_again(triple_store: Store) -> None:
    found = subgraph(triple_store, ["MONDO:1"], [*tails("TREATED_BY"), *heads("INDICATED_FOR")])
    rows = triple_store.query("entity.subgraph", **found.arguments).dicts()
    expected = {
        ("DRUGBANK:1", "tail", "TREATED_BY"),
        ("DRUGBANK:3", "head", "INDICATED_FOR"),
        ("MEDKG:p", "tail", "TREATED_BY"),
    }
    assert {(row["other_id"], row["sought"], row["relation"]) for row in rows} == expected
    assert {edge.sources for edge in found.edges} == {("s",)}
    assert Edge("DRUGBANK:3", "INDICATED_FOR", "MONDO:1", ("s",)) in found.edges


def test_subgraph_of_no_relation_is_the_clinical_picture(triple_store: Store) -> None:
    names = {node.name for node in subgraph(triple_store, ["MONDO:1"], ()).nodes}
    expected = {
        "gout",
        "Fever",
        "Arthritis",
        "Hyperuricemia",
        "Icing",
        "Allopurinol",
        "arthropathy",
    }
    assert names == expected


def test_two_things_have_what_is_said_between_them(triple_store: Store) -> None:
    found = subgraph(triple_store, ["MONDO:5", "MEDKG:e"], [Gap(None, "relation")])
    assert [(edge.head, edge.relation, edge.tail) for edge in found.edges] == [
        ("MONDO:5", "CAUSED_BY", "MEDKG:e"),
        ("MONDO:5", "HAS_RISK_FACTOR", "MEDKG:e"),
    ]
    assert found.text() == "lung cancer Smoking"


def test_sources_that_do_not_count_leave_no_fact_that_they_alone_state(
    triple_store: Store,
) -> None:
    found = subgraph(triple_store, ["MONDO:1"], tails("HAS_SYMPTOM"), without={"s"})
    assert (found.nodes, found.edges) == ((GOUT,), ())


def test_thing_that_the_graph_has_not_got_gives_no_subgraph(triple_store: Store) -> None:
    found = subgraph(triple_store, ["MONDO:404"], tails("HAS_SYMPTOM"))
    assert (found.nodes, found.edges) == ((), ())


def test_facts_are_what_its_edges_lead_to_by_discriminative_score_and_at_least_a_tenth() -> None:
    other = Node("HP:2", "Tophi", "痛风石", "Symptom")
    of = Subgraph(
        (GOUT, FEVER, ARTHRITIS, other, Node("HP:3", "", "", "Symptom")),
        (
            Edge("MONDO:1", "HAS_SYMPTOM", "HP:9", ("s",), 0.01),
            Edge("MONDO:1", "HAS_SYMPTOM", "HP:1", ("s",)),
            Edge("MONDO:1", "HAS_SYMPTOM", "HP:2", ("s",), 0.4),
            Edge("MONDO:1", "HAS_SYMPTOM", "HP:3", ("s",), 0.4),
        ),
        {"entities": ["MONDO:1"]},
    )
    assert of.facts == (
        Fact(("Fever", "发热"), 0.1),
        Fact(("Arthritis",), 0.1),
        Fact(("Tophi", "痛风石"), 0.4),
    )
    assert Subgraph((GOUT, FEVER), (), {"entities": ["MONDO:1"]}).facts == ()


def test_edges_have_the_discriminative_scores_that_a_layer_marks_them_with(tmp_path: Path) -> None:
    layer = write_tables(tmp_path / "scores", "scores", (), ())
    add_changes(layer, marked={("MONDO:1", "HAS_SYMPTOM", "HP:1"): (None, 0.25)})
    with kg.connect(str(tmp_path / "g.lbug")) as graph:
        graph.load(write_tables(tmp_path / "tables"))
        apply(graph, layer)
        of = subgraph(graph, ["MONDO:1"], tails("HAS_SYMPTOM"))
    assert {edge.tail: edge.discrimination for edge in of.edges} == {"HP:1": 0.25, "HP:2": None}
    assert of.facts == (Fact(("arthritis",), 0.25), Fact(("fever",), 0.1))

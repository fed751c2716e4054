"""Discriminative scores on graphs of a few edges."""

from math import log2
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kg
from kg.discrimination import divergence, score, score_edges
from kg.discrimination.frequency import frequencies
from tests.kg.stores.conftest import write_tables

UNTOLD = (None, None)


def scores(edges: dict[str, float], **parents: list[str]) -> dict[str, float]:
    """Edges are written ``disease finding``; scores rounded to 4 places."""
    pairs = {(edge.split()[0], edge.split()[1]): (p, None) for edge, p in edges.items()}
    found = score_edges(pairs, parents)
    triples = zip(found.heads, found.tails, found.values, strict=True)
    return {f"{head} {tail}": round(float(value), 4) for head, tail, value in triples}


def entropy(p: float) -> float:
    return -p * log2(p) - (1 - p) * log2(1 - p)


def test_score_is_the_divergence_from_the_background() -> None:
    found = scores({"gout tophus": 1.0, "flu fever": 1.0, "gout fever": 0.0})
    # of 5 patients more all have it: P(fever|flu) = 7.5 / 10; P(fever|gout) = 2.5 / 10,
    # and gout is all that flu can be confused with
    expected = entropy(0.5) - (entropy(0.75) + entropy(0.25)) / 2
    assert found["flu fever"] == round(expected, 4)
    # nobody else has a tophus
    assert found["gout tophus"] == round(entropy(0.375) - entropy(0.75) / 2, 4)
    assert found["gout fever"] == 0.0


def test_what_every_disease_has_tells_nothing() -> None:
    found = scores({"gout pain": 0.8, "flu pain": 0.8, "asthma pain": 0.8})
    assert set(found.values()) == {0.0}


def test_more_frequent_of_two_unique_findings_tells_more() -> None:
    found = scores({"gout tophus": 0.9, "gout podagra": 0.3, "flu fever": 0.5})
    assert found["gout tophus"] > found["gout podagra"] > 0


def test_finding_of_few_patients_tells_less_than_one_of_many() -> None:
    edges = {
        ("gout", "tophus"): (1.0, "1/1"),
        ("gout", "podagra"): (1.0, "90/90"),
        ("flu", "fever"): UNTOLD,
    }
    found = score_edges(edges, {})
    tells = dict(zip(found.tails, found.values, strict=True))
    assert tells["podagra"] > tells["tophus"]


def test_special_finding_implies_the_general_one() -> None:
    kinds = {"productive": ["cough"]}
    edges = {"flu cough": 0.5, "bronchitis productive": 0.9, "gout tophus": 0.5}
    apart, together = scores(edges), scores(edges, **kinds)
    # bronchitis has cough too, so cough tells flu from fewer diseases
    assert together["flu cough"] < apart["flu cough"]
    assert together["bronchitis productive"] == apart["bronchitis productive"]


def test_general_finding_is_as_frequent_as_the_special_one() -> None:
    kinds = {"productive": ["cough"]}
    found = scores({"flu cough": 0.1, "flu productive": 0.9, "gout tophus": 0.5}, **kinds)
    assert found["flu cough"] == found["flu productive"]


def test_cycle_in_the_hierarchy_does_no_harm() -> None:
    found = scores({"flu cough": 0.5, "gout tophus": 0.5}, cough=["hack"], hack=["cough"])
    assert found["flu cough"] == found["gout tophus"] > 0


def test_kinds_of_a_disease_are_not_what_it_is_confused_with() -> None:
    edges = {"flu fever": 0.9, "flu chills": 0.9, "swine_flu fever": 0.9, "swine_flu chills": 0.9}
    # many others, so that fever is rare and says that the two are alike
    edges |= {f"other{n} finding{n}": 0.5 for n in range(100)}
    assert scores(edges, swine_flu=["flu"])["flu fever"] > scores(edges)["flu fever"]


@given(
    st.dictionaries(
        st.tuples(st.sampled_from("abcdef"), st.sampled_from("uvwxyz")),
        st.tuples(
            st.none() | st.floats(0, 1), st.sampled_from([None, "1/2", "3/0", "HP:0040281"])
        ),
    ),
    st.dictionaries(st.sampled_from("uvwxyz"), st.lists(st.sampled_from("uvwxyz"), max_size=2)),
)
def test_every_edge_has_a_score_from_0_to_1(
    edges: dict[tuple[str, str], tuple[float | None, str | None]], parents: dict[str, list[str]]
) -> None:
    found = score_edges(edges, parents)
    assert list(zip(found.heads, found.tails, strict=True)) == sorted(edges)
    assert ((found.values >= 0) & (found.values <= 1)).all()


@given(st.floats(0, 1), st.floats(0, 1))
def test_divergence_is_none_where_the_finding_is_no_more_frequent(p: float, b: float) -> None:
    bits = float(divergence(np.array([p]), np.array([b]))[0])
    assert 0 <= bits <= 1
    assert bits == 0 or p > b


def test_divergence_of_a_sure_sign_is_one_bit() -> None:
    assert divergence(np.array([1.0]), np.array([0.0])) == pytest.approx([1.0], abs=1e-9)


def test_frequency_counts_patients_and_takes_the_median_where_nothing_is_said() -> None:
    said = [(0.9, "9/10"), (0.2, "HP:0040283"), (None, None), (0.75, "1/2|HP:0040281")]
    # (9 + 2.5) / 15; (1 + 2.5) / 10; the median of the others; (1 + 3.75 + 2.5) / 12
    assert frequencies(said) == pytest.approx([23 / 30, 0.35, 7.25 / 12, 7.25 / 12])


def test_scores_of_a_graph_leave_rejected_edges_out(tmp_path: Path) -> None:
    nodes = [("D:1", "Disease", "gout"), ("D:2", "Disease", "flu")]
    nodes += [("S:1", "Symptom", "fever"), ("S:2", "Symptom", "tophus")]
    edges = [("D:1", "HAS_SYMPTOM", "S:1"), ("D:2", "HAS_SYMPTOM", "S:1")]
    edges += [("D:1", "HAS_SYMPTOM", "S:2"), ("S:2", "IS_A", "S:1")]
    with kg.connect(str(tmp_path / "graph.lbug")) as store:
        store.load(write_tables(tmp_path / "tables", nodes=nodes, edges=edges, frequency=0.5))
        everything = score(store)
        kept = score(store, without=[("D:1", "S:1"), ("D:1", "S:2")])
    # both diseases have fever; nothing but gout a tophus: P = 1/2 against 0
    assert list(
        zip(everything.heads, everything.tails, everything.values.round(4), strict=True)
    ) == [
        ("D:1", "S:1", 0.0),
        ("D:1", "S:2", 0.3113),
        ("D:2", "S:1", 0.0),
    ]
    assert (kept.heads, kept.tails) == (["D:2"], ["S:1"])
    assert kept.values.round(4).tolist() == [0.3113]

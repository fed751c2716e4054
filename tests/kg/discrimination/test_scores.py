"""Discriminative scores on graphs of a few edges."""

from math import log2
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kg
from kg.discrimination import StatedFrequency, discriminative_score, score, score_edges
from kg.discrimination.frequency import frequencies
from tests.kg.stores.conftest import write_tables

MOST = log2(10_000)
"""Bits of a finding that all patients with a disease and nobody else has."""


def scores(edges: dict[str, float], **parents: list[str]) -> dict[str, float]:
    """Edges are written ``disease finding``; scores rounded to 4 places."""
    pairs = {(edge.split()[0], edge.split()[1]): StatedFrequency(p) for edge, p in edges.items()}
    found = score_edges(pairs, parents)
    triples = zip(found.heads, found.tails, found.values, strict=True)
    return {f"{head} {tail}": round(float(value), 4) for head, tail, value in triples}


def test_score_is_frequency_times_the_mean_weight_of_evidence() -> None:
    found = scores({"gout tophus": 1.0, "flu fever": 1.0, "gout fever": 0.0})
    # 10 patients by the source and 2 of 10 before it: P(fever|flu) = 12/20, P(fever|gout) = 2/20,
    # and gout is all that flu can be confused with
    assert found["flu fever"] == round(0.6 * log2(0.6 / 0.1) / MOST, 4)
    # nobody else has a tophus, so it counts as seen in one of 10,000
    assert found["gout tophus"] == round(0.6 * log2(0.6 / 1e-4) / MOST, 4)
    assert found["gout fever"] == 0.0


def test_evidence_is_weighed_against_neighbours_and_against_all() -> None:
    p, near, overall = 0.5, 0.25, 0.01
    expected = 0.5 * (log2(p / near) + log2(p / overall)) / 2 / MOST
    found = discriminative_score(np.array([p]), np.array([near]), np.array([overall]))
    assert found == pytest.approx([expected])


def test_likelihood_is_the_frequency_shared_by_all_findings_of_the_disease() -> None:
    edges = {
        ("flu", "fever"): StatedFrequency(0.5),
        ("flu", "cough"): StatedFrequency(),
        ("gout", "tophi"): StatedFrequency(0.001),
    }
    found = score_edges(edges, {})
    assert list(zip(found.heads, found.tails, strict=True)) == sorted(edges)
    expected = [0.3 * 10 / 12, 0.5 * 10 / 12, 0.01 * 10 / 11]
    assert found.likelihoods == pytest.approx(expected)


def test_what_every_disease_has_tells_nothing() -> None:
    found = scores({"gout pain": 0.8, "flu pain": 0.8, "asthma pain": 0.8})
    assert set(found.values()) == {0.0}


def test_more_frequent_of_two_unique_findings_tells_more() -> None:
    found = scores({"gout tophus": 0.9, "gout podagra": 0.3, "flu fever": 0.5})
    assert found["gout tophus"] > found["gout podagra"] > 0


def test_finding_of_few_patients_tells_less_than_one_of_many() -> None:
    edges = {
        ("gout", "tophus"): StatedFrequency(1.0, "1/1"),
        ("gout", "podagra"): StatedFrequency(1.0, "90/90"),
        ("flu", "fever"): StatedFrequency(),
    }
    found = score_edges(edges, {})
    tells = dict(zip(found.tails, found.values, strict=True))
    assert tells["podagra"] > tells["tophus"]


def test_finding_that_many_report_tells_more_than_one_that_one_does() -> None:
    edges = {
        ("gout", "tophus"): StatedFrequency(reports=1),
        ("gout", "podagra"): StatedFrequency(reports=8),
    }
    found = score_edges({**edges, ("flu", "fever"): StatedFrequency()}, {})
    tells = dict(zip(found.tails, found.values, strict=True))
    assert tells["podagra"] > tells["tophus"] > 0


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
        st.builds(
            StatedFrequency,
            st.none() | st.floats(0, 1),
            st.sampled_from([None, "1/2", "3/0", "HP:0040281"]),
            st.integers(0, 9),
        ),
    ),
    st.dictionaries(st.sampled_from("uvwxyz"), st.lists(st.sampled_from("uvwxyz"), max_size=2)),
)
def test_every_edge_has_a_score_from_0_to_1(
    edges: dict[tuple[str, str], StatedFrequency], parents: dict[str, list[str]]
) -> None:
    found = score_edges(edges, parents)
    assert list(zip(found.heads, found.tails, strict=True)) == sorted(edges)
    assert ((found.values >= 0) & (found.values <= 1)).all()


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_finding_that_others_have_more_often_tells_nothing(p: float, b: float, c: float) -> None:
    share = float(discriminative_score(np.array([p]), np.array([b]), np.array([c]))[0])
    assert 0 <= share <= 1
    assert share == 0 or p > min(b, c)


def test_finding_that_all_patients_and_nobody_else_have_scores_1() -> None:
    assert discriminative_score(np.ones(1), np.zeros(1), np.zeros(1)) == pytest.approx([1.0])


def test_frequency_counts_patients_and_reports() -> None:
    said = [
        StatedFrequency(0.9, "9/10"),
        StatedFrequency(0.2, "HP:0040283"),
        StatedFrequency(),
        StatedFrequency(reports=3),
    ]
    said += [StatedFrequency(0.75, "1/2|HP:0040281", reports=4)]
    # 2 of 10 before all: (9 + 2) / 20; (2 + 2) / 20; one report is 2 of 2: (2 + 2) / 12; three;
    # (1 + 7.5 + two reports without a frequency + 2) / (2 + 10 + 4 + 10)
    expected = [11 / 20, 4 / 20, 4 / 12, 8 / 16, 14.5 / 26]
    assert frequencies(said) == pytest.approx(expected)


def test_scores_of_a_graph_leave_rejected_edges_out(tmp_path: Path) -> None:
    nodes = [("D:1", "Disease", "gout"), ("D:2", "Disease", "flu")]
    nodes += [("S:1", "Symptom", "fever"), ("S:2", "Symptom", "tophus")]
    edges = [("D:1", "HAS_SYMPTOM", "S:1"), ("D:2", "HAS_SYMPTOM", "S:1")]
    edges += [("D:1", "HAS_SYMPTOM", "S:2"), ("S:2", "IS_A", "S:1")]
    with kg.connect(str(tmp_path / "graph.lbug")) as store:
        store.load(write_tables(tmp_path / "tables", nodes=nodes, edges=edges, frequency=0.5))
        everything = score(store)
        kept = score(store, without=[("D:1", "S:1"), ("D:1", "S:2")])
    # both diseases have fever; nothing but gout a tophus: P = (5 + 2) / 20 against 1 / 10,000
    tophus = round(0.35 * log2(0.35 / 1e-4) / MOST, 4)
    assert list(
        zip(everything.heads, everything.tails, everything.values.round(4), strict=True)
    ) == [
        ("D:1", "S:1", 0.0),
        ("D:1", "S:2", tophus),
        ("D:2", "S:1", 0.0),
    ]
    assert (kept.heads, kept.tails) == (["D:2"], ["S:1"])
    assert kept.values.round(4).tolist() == [tophus]

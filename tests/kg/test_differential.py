"""The differential and the next question, on a graph of a few diseases."""

from collections.abc import Callable, Iterator
from math import log2
from pathlib import Path

import pytest

import kg
from kg.differential import Evidence, best_next_question, differential
from kg.errors import QuestionError
from kg.stores.store import Store
from tests.kg.stores.conftest import add_changes, write_tables

NODES = [
    *(("D:1", "Disease", "flu"), ("D:2", "Disease", "bronchitis"), ("D:3", "Disease", "gout")),
    *(("S:1", "Symptom", "cough"), ("S:2", "Symptom", "productive cough")),
    *(("S:3", "Symptom", "fever"), ("S:4", "Symptom", "tophus"), ("S:5", "Symptom", "chills")),
    ("C:1", "Drug", "colchicine"),
]
EDGES = [
    *(("D:1", "HAS_SYMPTOM", "S:1"), ("D:1", "HAS_SYMPTOM", "S:3"), ("D:1", "HAS_SYMPTOM", "S:5")),
    *(("D:2", "HAS_SYMPTOM", "S:2"), ("D:3", "HAS_SYMPTOM", "S:4"), ("S:2", "IS_A", "S:1")),
]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with kg.connect(str(tmp_path / "graph.lbug")) as opened:
        opened.load(write_tables(tmp_path / "tables", nodes=NODES, edges=EDGES, frequency=0.5))
        yield opened


def ranked(store: Store, present: list[str], absent: list[str]) -> list[tuple[str, float]]:
    return [(c.id, c.score) for c in differential(store, present, absent)]


def test_kind_of_a_finding_counts_as_the_finding(store: Store) -> None:
    # two diseases have cough, in half of the patients: 15 - log2(1 + 2) - 1/2 bits
    bits = round(15 - log2(3) - 0.5, 4)
    assert ranked(store, ["S:1"], []) == [("D:1", bits), ("D:2", bits)]


def test_more_general_finding_counts_in_part(store: Store) -> None:
    # bronchitis has a productive cough; flu a cough, which may be one. A disease that has
    # nothing but more general findings is none that the findings point to.
    (bronchitis,) = differential(store, ["S:2"])
    assert (bronchitis.id, bronchitis.matched) == ("D:2", 1)
    flu = next(c for c in differential(store, ["S:2", "S:3"]) if c.id == "D:1")
    assert [e.name for e in flu.supporting] == ["fever", "productive cough"]
    assert flu.supporting[1].bits == round(0.3 * (15 - log2(2) - 0.5), 4)


def test_absent_finding_speaks_against_by_its_frequency(store: Store) -> None:
    bits = round(15 - log2(3) - 0.5, 4)
    against = log2(1 - 0.7 * 0.5)
    (bronchitis, flu) = differential(store, ["S:1"], ["S:3"])
    assert (bronchitis.id, bronchitis.score, bronchitis.against) == ("D:2", bits, ())
    assert flu.against == (Evidence("S:3", "fever", round(against, 4)),)
    assert flu.score == round(15 - log2(3) - 0.5 + against, 4)


def test_absent_finding_speaks_against_a_disease_with_a_kind_of_it(store: Store) -> None:
    (bronchitis,) = differential(store, ["S:2"], ["S:1"])
    assert [e.id for e in bronchitis.against] == ["S:1"]


def test_discriminative_finding_counts_more(store: Store, tmp_path: Path) -> None:
    before = differential(store, ["S:1"])
    layer = write_tables(tmp_path / "layer", "scores", nodes=(), edges=())
    store.apply_layer(add_changes(layer, marked={("D:2", "HAS_SYMPTOM", "S:2"): (None, 0.5)}))
    first, second = differential(store, ["S:1"])
    assert (first.id, second) == ("D:2", before[0])
    assert first.score == pytest.approx(1.5 * before[1].score, abs=1e-3)


def test_nothing_present_points_to_nothing(store: Store) -> None:
    assert differential(store, []) == differential(store, [], ["S:1"]) == []
    assert best_next_question(store, []) == []


def test_question_that_splits_the_candidates_is_asked(store: Store) -> None:
    # flu and bronchitis are equally likely; chills and fever are flu's alone: a chance of
    # (0.5 + 0.02) / 2, and a cough is asked no more
    questions = {q.id: q for q in best_next_question(store, ["S:1"])}
    assert set(questions) == {"S:2", "S:3", "S:5"}
    p = 0.02 + 0.96 * 0.5
    half = (p + 0.02) / 2
    bits = entropy(half) - (entropy(p) + entropy(0.02)) / 2
    assert questions["S:3"].chance == pytest.approx(half, abs=1e-4)
    assert questions["S:3"].bits == pytest.approx(bits, abs=1e-4)
    assert questions["S:3"].having == 1


def test_what_is_implied_or_ruled_out_is_not_asked(store: Store) -> None:
    # who has a productive cough has a cough; who has no cough has no productive one
    assert {q.id for q in best_next_question(store, ["S:2", "S:3"])} == {"S:5"}
    assert {q.id for q in best_next_question(store, ["S:3"], ["S:1"])} == {"S:5"}


@pytest.mark.parametrize("ask", [differential, best_next_question])
@pytest.mark.parametrize(
    ("present", "absent", "told"),
    [
        (["S:1", "S:404"], [], r"graph\.lbug: has no S:404; ask by ids .*'medkg link'"),
        (["S:1"], ["S:405", "S:404"], r"graph\.lbug: has no S:404, S:405; ask by"),
        ([f"S:40{n}" for n in range(7)], [], r"has no S:400, .*, S:404 and 2 more; ask by"),
        (["S:1", ""], [], r"graph\.lbug: has no ''; ask by"),
        (["S:1", "S:3"], ["S:3"], "S:3: both present and absent; say one of the two"),
        (
            ["C:1"],
            ["S:1"],
            r"graph\.lbug: C:1 \(Drug\) is nothing that a patient has; give ids of",
        ),
    ],
)
def test_ids_that_are_no_findings_or_contradict_are_refused(
    store: Store, ask: Callable[..., object], present: list[str], absent: list[str], told: str
) -> None:
    with pytest.raises(QuestionError, match=told):
        ask(store, present, absent)


def test_disease_that_is_a_finding_of_another_may_be_given(store: Store) -> None:
    assert differential(store, ["S:1"], ["D:3"]) == differential(store, ["S:1"])


@pytest.mark.parametrize("query", ["symptom.differential", "symptom.best_next_question"])
def test_query_leaves_out_unknown_ids_and_takes_what_is_both_for_present(
    store: Store, query: str
) -> None:
    usual = store.query(query, present=["S:1"])
    assert usual.rows
    assert store.query(query, present=["S:1", "S:404"], absent=["S:405"]) == usual
    assert store.query(query, present=["S:1"], absent=["S:1"]) == usual


def entropy(p: float) -> float:
    return -p * log2(p) - (1 - p) * log2(1 - p)

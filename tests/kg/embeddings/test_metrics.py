import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pykeen.metrics.ranking import rank_based_metric_resolver
from scipy.stats import ttest_1samp

from kg.embeddings.metrics import Measures, by_relation, by_type, interval, summarise
from kg.embeddings.ranking import Ranks
from kg.errors import EmbeddingError

PYKEEN = {
    "mrr": ("inverse_harmonic_mean_rank", {}),
    "hits_at_1": ("hits_at_k", {"k": 1}),
    "hits_at_3": ("hits_at_k", {"k": 3}),
    "hits_at_10": ("hits_at_k", {"k": 10}),
    "hits_at_100": ("hits_at_k", {"k": 100}),
    "mean_rank": ("arithmetic_mean_rank", {}),
    "adjusted_mean_rank_index": ("adjusted_arithmetic_mean_rank_index", {}),
}
"""PyKEEN's name of each measure of realistic ranks."""


def ranks_of(rows: list[list[int]], *places: list[list[int]]) -> Ranks:
    """From triples, and their optimistic and pessimistic ranks and candidates."""
    return Ranks(np.array(rows), *map(np.array, places))


def drawn(count: int, seed: int = 0) -> Ranks:
    draw = np.random.default_rng(seed)
    rows = draw.integers((50, 3, 50), size=(count, 3))
    candidates = draw.integers(40, 400, size=(count, 2))
    one, other = draw.integers(1, candidates + 1, size=(2, count, 2))
    return Ranks(rows, np.minimum(one, other), np.maximum(one, other), candidates)


@pytest.mark.parametrize("name", PYKEEN)
def test_measures_are_pykeens(name: str) -> None:
    query, options = PYKEEN[name]
    metric, ranks = rank_based_metric_resolver.make(query, options), drawn(500)
    ours = summarise(ranks)
    for measures, chosen in (
        (ours.both, slice(None)),
        (ours.head, slice(0, 1)),
        (ours.tail, slice(1, 2)),
    ):
        flat = ranks.realistic[:, chosen].ravel(), ranks.candidates[:, chosen].ravel()
        assert getattr(measures, name) == pytest.approx(metric(*flat), rel=1e-9)


def test_measures_of_four_ranks() -> None:
    # realistic ranks: heads 1 and 2.5, tails 4 and 11; by chance 6 and 6, 6 and 11
    ranks = ranks_of(
        [[0, 0, 1], [1, 0, 2]],
        [[1, 4], [2, 11]],
        [[1, 4], [3, 11]],
        [[11, 11], [11, 21]],
    )
    expected = Measures(
        count=4,
        mrr=(1 + 1 / 2.5 + 1 / 4 + 1 / 11) / 4,
        mrr_optimistic=(1 + 1 / 2 + 1 / 4 + 1 / 11) / 4,
        mrr_pessimistic=(1 + 1 / 3 + 1 / 4 + 1 / 11) / 4,
        hits_at_1=0.25,
        hits_at_3=0.5,
        hits_at_10=0.75,
        hits_at_100=1,
        mean_rank=18.5 / 4,
        adjusted_mean_rank_index=1 - (18.5 / 4 - 1) / (29 / 4 - 1),
    )
    assert summarise(ranks).both.model_dump() == pytest.approx(expected.model_dump())


def test_relations_are_measured_apart_and_only_those_with_triples() -> None:
    ranks = ranks_of(
        [[0, 2, 1], [0, 0, 1], [3, 2, 1]], *[[[1, 2], [3, 4], [5, 6]]] * 2, [[9] * 2] * 3
    )
    found = by_relation(ranks, ["CAUSED_BY", "HAS_SYMPTOM", "TREATED_BY"])
    assert list(found) == ["CAUSED_BY", "TREATED_BY"]
    assert found["TREATED_BY"].head.mean_rank == 3
    assert found["TREATED_BY"].tail.mean_rank == 4
    assert found["CAUSED_BY"].both.count == 2


def test_types_are_those_of_the_entities_sought_at_either_end() -> None:
    types = ["Drug", "Disease", "Gene", "Disease"]
    ranks = ranks_of([[0, 0, 1], [1, 0, 3]], *[[[8, 1], [2, 6]]] * 2, [[9] * 2] * 2)
    found = by_type(ranks, types)
    assert {name: (each.count, each.mean_rank) for name, each in found.items()} == {
        "Disease": (3, 3.0),
        "Drug": (1, 8.0),
    }


@given(seed=st.integers(0, 1000), count=st.integers(1, 30))
def test_measures_stay_in_their_ranges(seed: int, count: int) -> None:
    found = summarise(drawn(count, seed)).both
    assert 0 < found.mrr_pessimistic <= found.mrr <= found.mrr_optimistic <= 1
    assert 0 <= found.hits_at_1 <= found.hits_at_3 <= found.hits_at_10 <= found.hits_at_100 <= 1
    assert found.adjusted_mean_rank_index is not None
    assert -1 <= found.adjusted_mean_rank_index <= 1


def test_better_ranks_give_better_measures() -> None:
    worse = drawn(2000)
    better = Ranks(
        worse.rows, (worse.optimistic + 1) // 2, (worse.pessimistic + 1) // 2, worse.candidates
    )
    low, high = summarise(worse).both, summarise(better).both
    assert high.mean_rank < low.mean_rank
    for name in PYKEEN.keys() - {"mean_rank"}:
        assert getattr(high, name) > getattr(low, name)


def test_perfect_is_one_and_without_a_choice_the_index_is_none() -> None:
    perfect = ranks_of([[0, 0, 1]], [[1, 1]], [[1, 1]], [[7, 7]])
    assert summarise(perfect).both.adjusted_mean_rank_index == 1
    alone = ranks_of([[0, 0, 1]], [[1, 1]], [[1, 1]], [[1, 1]])
    assert summarise(alone).both.adjusted_mean_rank_index is None


def test_nothing_to_measure_is_refused() -> None:
    nothing = np.empty((0, 2), dtype=np.int64)
    empty = Ranks(np.empty((0, 3), dtype=np.int64), nothing, nothing, nothing)
    with pytest.raises(EmbeddingError, match=r"no triple was ranked.*give triples"):
        summarise(empty)


def test_interval_is_that_of_students_t_test() -> None:
    values = [0.31, 0.34, 0.30]
    theirs = ttest_1samp(values, 0).confidence_interval(0.95)
    ours = interval(values)
    assert ours is not None
    assert (ours.mean, ours.low, ours.high) == pytest.approx((0.95 / 3, theirs.low, theirs.high))


def test_one_seed_has_no_interval() -> None:
    assert interval([0.3]) is None
    assert interval([]) is None


def test_equal_seeds_have_an_interval_of_no_width() -> None:
    found = interval([0.5, 0.5, 0.5])
    assert found is not None
    assert found.low == found.mean == found.high == 0.5

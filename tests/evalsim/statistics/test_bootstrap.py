"""Tests of intervals by whole clusters."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import bootstrap

from evalsim.statistics import bootstrap_mean, bootstrap_statistic, cluster_totals

ROWS = st.lists(
    st.tuples(st.floats(-5, 5).map(lambda x: round(x, 3)), st.sampled_from("abcdef")),
    min_size=1,
    max_size=25,
)


def test_interval_of_rows_that_stand_alone_is_scipys_percentile_interval() -> None:
    values = np.random.default_rng(3).normal(size=60)
    ours = bootstrap_mean(values, [str(i) for i in range(60)], seed=7)
    theirs = bootstrap(
        (values,), np.mean, method="percentile", n_resamples=10_000, random_state=7
    ).confidence_interval
    assert ours.mean == pytest.approx(values.mean())
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=0.01)


def test_rows_of_one_cluster_that_are_alike_count_once() -> None:
    values = np.random.default_rng(5).normal(size=40)
    once = bootstrap_mean(values, [str(i) for i in range(40)], seed=1)
    copied = bootstrap_mean(np.repeat(values, 9), [str(i // 9) for i in range(360)], seed=1)
    apart = bootstrap_mean(np.repeat(values, 9), [str(i) for i in range(360)], seed=1)
    assert (copied.low, copied.high) == pytest.approx((once.low, once.high))
    assert (once.high - once.low) / (apart.high - apart.low) == pytest.approx(3, rel=0.1)


def test_interval_holds_the_true_mean_nineteen_times_of_twenty() -> None:
    random = np.random.default_rng(11)
    names = [str(i // 4) for i in range(200)]
    held = 0
    for seed in range(200):
        values = np.repeat(random.normal(size=50), 4) + random.normal(size=200)
        found = bootstrap_mean(values, names, seed=seed, draws=1_000)
        held += found.low <= 0 <= found.high
    assert 0.90 <= held / 200 <= 0.98


def test_draws_in_which_a_share_is_not_defined_are_left_out() -> None:
    rows = np.array([[1.0, 1.0], [0.0, 1.0], [0.0, 0.0], [0.0, 0.0]])
    totals = cluster_totals(rows, list("abcd"))
    found = bootstrap_statistic(totals, lambda sums: sums[:, 0] / sums[:, 1], seed=1)
    assert found == (0.5, 0.0, 1.0)
    nothing = bootstrap_statistic(
        totals, lambda sums: np.where(sums[:, 1] > 3, sums[:, 0], np.nan), seed=1
    )
    assert all(math.isnan(each) for each in nothing)


def test_clusters_that_are_alike_are_drawn_as_often_as_others() -> None:
    values = np.random.default_rng(2).integers(4, size=300) / 3
    names = [str(i) for i in range(300)]
    alike = bootstrap_mean(values, names, seed=1)
    unlike = bootstrap_mean(values + np.linspace(0, 1e-9, 300), names, seed=1)
    assert alike == pytest.approx(unlike, abs=0.003)


def test_one_cluster_has_a_mean_and_no_interval() -> None:
    mean, low, high = bootstrap_mean([0.0, 1.0], ["gout", "gout"], seed=1)
    assert mean == 0.5
    assert math.isnan(low)
    assert math.isnan(high)


def test_scores_that_are_all_equal_have_an_interval_of_no_width() -> None:
    assert bootstrap_mean([0.5] * 3, list("abc"), seed=1) == (0.5, 0.5, 0.5)


@settings(deadline=None, max_examples=40)
@given(ROWS, st.randoms(use_true_random=False))
def test_neither_order_nor_names_matter_and_the_interval_lies_within_the_scores(
    rows: list[tuple[float, str]], random: object
) -> None:
    def interval(of: list[tuple[float, str]]) -> list[float]:
        return [*bootstrap_mean([v for v, _ in of], [c for _, c in of], seed=1, draws=200)]

    shuffled = list(rows)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    renamed = [(value, "zyxwvu"["abcdef".index(name)]) for value, name in rows]
    first = interval(rows)
    assert interval(shuffled) == pytest.approx(first, nan_ok=True, abs=1e-9)
    assert interval(renamed) == pytest.approx(first, nan_ok=True, abs=1e-9)
    values = [value for value, _ in rows]
    if not math.isnan(first[1]):
        assert min(values) - 1e-9 <= first[1] <= first[2] <= max(values) + 1e-9


@pytest.mark.parametrize(
    ("values", "clusters", "message"),
    [
        ([], [], "there are no rows; at least one is needed"),
        ([1.0], [], "1 rows and 0 clusters: each row is of one"),
        ([1.0, math.nan], ["a", "b"], "a row is not finite; leave out what was not scored"),
        ([math.inf], ["a"], "a row is not finite"),
    ],
)
def test_what_is_no_sample_is_refused(
    values: list[float], clusters: list[str], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        bootstrap_mean(values, clusters, seed=1)


def test_level_beyond_1_is_refused() -> None:
    with pytest.raises(ValueError, match="level is 95; an interval has one between 0 and 1"):
        bootstrap_mean([1.0], ["a"], seed=1, level=95)


def test_ten_thousand_dialogues_are_drawn_ten_thousand_times() -> None:
    values = np.random.default_rng(0).integers(4, size=10_000) / 3
    found = bootstrap_mean(values, [str(i) for i in range(10_000)], seed=1)
    assert found.high - found.low == pytest.approx(2 * 1.96 * values.std() / 100, rel=0.05)

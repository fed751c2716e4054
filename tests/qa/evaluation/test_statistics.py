"""Tests of paired scores, beside published examples and SciPy."""

import math

import numpy as np
import pytest
from scipy.stats import bootstrap, norm

from qa.evaluation.statistics import (
    bootstrap_interval,
    density_overlap,
    holm,
    paired_t_test,
    wilcoxon,
)

# Darwin's maize, crossed less self-fertilised, in eighths of an inch (Fisher 1935, chapter III)
MAIZE = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
NONE = [0.0] * len(MAIZE)


def test_t_test_of_darwins_maize_is_fishers() -> None:
    found = paired_t_test(MAIZE, NONE)
    assert (round(found.statistic, 3), round(found.p, 4)) == (2.148, 0.0497)


def test_wilcoxon_of_darwins_maize_is_exact() -> None:
    assert wilcoxon(MAIZE, NONE) == (24.0, 0.041259765625)


def test_systems_with_the_same_scores_do_not_differ() -> None:
    same = [0.2, 0.5, 0.1]
    assert paired_t_test(same, same).p == 1.0
    assert wilcoxon(same, same).p == 1.0
    assert bootstrap_interval(same, same, seed=1) == (0.0, 0.0, 0.0)


def test_constant_difference_has_no_t_statistic() -> None:
    found = paired_t_test([2.0, 3.0], [1.0, 2.0])
    assert math.isnan(found.statistic)
    assert math.isnan(found.p)


def test_bootstrap_interval_is_scipys_percentile_interval() -> None:
    ours = bootstrap_interval(MAIZE, NONE, seed=7)
    theirs = bootstrap(
        (MAIZE,), np.mean, method="percentile", n_resamples=10_000, random_state=7
    ).confidence_interval
    assert ours.mean == pytest.approx(np.mean(MAIZE))
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=0.6)
    assert ours == bootstrap_interval(MAIZE, NONE, seed=7)


def test_holm_multiplies_the_smallest_by_all_and_never_falls() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.6, 0.7]) == [1.0, 1.0]
    assert holm([]) == []


@pytest.mark.parametrize("apart", [0.0, 1.0, 2.5])
def test_overlap_of_two_normal_distributions_is_that_of_their_tails(apart: float) -> None:
    normal = norm.ppf((np.arange(20_000) + 0.5) / 20_000)
    expected = 2 * norm.cdf(-apart / 2)  # Inman & Bradley 1989
    assert density_overlap(normal, normal + apart) == pytest.approx(expected, abs=0.01)


def test_overlap_with_scores_that_are_all_the_same_is_undefined() -> None:
    assert math.isnan(density_overlap([1.0, 1.0], [1.0, 2.0]))


@pytest.mark.parametrize("test", [paired_t_test, wilcoxon])
def test_scores_that_are_no_pairs_are_refused(test: object) -> None:
    assert callable(test)
    with pytest.raises(ValueError, match="2 scores and 1: those of the same questions are pairs"):
        test([0.1, 0.2], [0.1])
    with pytest.raises(ValueError, match="finite scores are needed"):
        test([0.1, math.nan], [0.1, 0.2])


def test_probability_beyond_1_is_refused() -> None:
    with pytest.raises(ValueError, match="a p-value lies between 0 and 1"):
        holm([1.2])

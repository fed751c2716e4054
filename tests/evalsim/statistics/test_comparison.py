"""Tests of comparisons, beside published examples, SciPy and statsmodels."""

import math

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.contingency_tables import mcnemar as by_statsmodels
from statsmodels.stats.multitest import multipletests

from evalsim.statistics import (
    McNemar,
    benjamini_hochberg,
    compare,
    holm,
    mcnemar,
    paired_t_test,
    wilcoxon,
)

# Darwin's maize, crossed less self-fertilised, in eighths of an inch (Fisher 1935, chapter III)
MAIZE = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
NONE = [0.0] * len(MAIZE)
ALONE = [str(i) for i in range(len(MAIZE))]
# Benjamini and Hochberg (1995), their example: 15 hypotheses of a trial of thrombolysis
THROMBOLYSIS = [
    *(0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344),
    *(0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0),
]


def test_cases_that_stand_alone_are_tested_as_fishers_and_wilcoxons_pairs() -> None:
    found = compare(MAIZE, NONE, ALONE, seed=1)
    assert (found.cases, found.clusters, found.other) == (15, 15, 0.0)
    assert (round(found.t.statistic, 3), round(found.t.p, 4)) == (2.148, 0.0497)
    assert found.t == pytest.approx(paired_t_test(MAIZE, NONE))
    assert found.wilcoxon == wilcoxon(MAIZE, NONE)


def test_cases_of_one_disease_are_tested_by_statsmodels_cluster_robust_error() -> None:
    random = np.random.default_rng(2)
    clusters = random.integers(12, size=80)
    one = random.normal(size=80) + clusters / 8
    fitted = sm.OLS(one, np.ones(80)).fit(
        cov_type="cluster", cov_kwds={"groups": clusters}, use_t=True
    )
    found = compare(one.tolist(), [0.0] * 80, clusters.astype(str).tolist(), seed=1)
    assert found.t == pytest.approx((fitted.tvalues[0], fitted.pvalues[0]))
    assert found.clusters == 12


def test_ten_copies_of_every_case_prove_no_more_than_one() -> None:
    one, other = [0.9, 0.4, 0.7, 0.8], [0.5, 0.6, 0.1, 0.3]
    once = compare(one, other, list("abcd"), seed=1)
    tenfold = compare(one * 10, other * 10, list("abcd") * 10, seed=1)
    assert tenfold.t == pytest.approx(once.t)
    assert tenfold.wilcoxon == pytest.approx(once.wilcoxon)
    assert tenfold.interval == pytest.approx(once.interval)


def test_one_cluster_proves_nothing() -> None:
    found = compare([1.0, 0.5], [0.0, 0.0], ["gout", "gout"], seed=1)
    assert found.interval.mean == 0.75
    assert all(map(math.isnan, (*found.t, *found.wilcoxon, found.interval.low)))


def test_systems_with_the_same_scores_do_not_differ() -> None:
    found = compare([0.2, 0.5], [0.2, 0.5], ["a", "b"], seed=1)
    assert (found.interval, found.t.p, found.wilcoxon.p) == ((0.0, 0.0, 0.0), 1.0, 1.0)


def test_difference_that_is_the_same_everywhere_has_no_t() -> None:
    assert math.isnan(compare([0.3, 0.6], [0.1, 0.4], ["a", "b"], seed=1).t.p)


def test_scores_that_are_no_pairs_are_refused() -> None:
    with pytest.raises(ValueError, match="2 scores and 1: those of the same cases are pairs"):
        compare([0.1, 0.2], [0.1], ["a", "b"], seed=1)
    with pytest.raises(ValueError, match="a row is not finite"):
        compare([math.nan, 0.2], [0.1, 0.2], ["a", "b"], seed=1)
    with pytest.raises(ValueError, match="there are no rows"):
        compare([], [], [], seed=1)


@settings(deadline=None, max_examples=25)
@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1), st.sampled_from("abc")), min_size=2))
def test_comparison_the_other_way_round_has_the_same_p(
    rows: list[tuple[float, float, str]],
) -> None:
    one, other, names = map(list, zip(*rows, strict=True))
    first = compare(one, other, names, seed=1, draws=100)
    turned = compare(other, one, names, seed=1, draws=100)
    assert turned.interval.mean == pytest.approx(-first.interval.mean)
    assert turned.t.p == pytest.approx(first.t.p, nan_ok=True)
    assert turned.wilcoxon.p == pytest.approx(first.wilcoxon.p, nan_ok=True)


def test_mcnemar_of_2_and_9_discordant_pairs_is_fays() -> None:
    # Fay, "Exact McNemar's Test and Matching Confidence Intervals" (of the R package exact2x2):
    # 21 pairs pass both, 12 neither, 9 and 2 one alone
    one = [True] * 21 + [True] * 9 + [False] * 2 + [False] * 12
    other = [True] * 21 + [False] * 9 + [True] * 2 + [False] * 12
    found = mcnemar(one, other)
    assert found == McNemar(21, 9, 2, 12, found.p)
    assert round(found.p, 5) == 0.06543
    assert found.p == pytest.approx(by_statsmodels([[21, 9], [2, 12]], exact=True).pvalue)


def test_systems_that_pass_the_same_cases_have_p_1() -> None:
    assert mcnemar([True, False], [True, False]) == McNemar(1, 0, 0, 1, 1.0)
    assert mcnemar([], []) == McNemar(0, 0, 0, 0, 1.0)


def test_outcome_that_is_a_score_is_refused() -> None:
    with pytest.raises(ValueError, match="an outcome is true or false"):
        mcnemar([True, 0.5], [True, False])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="1 outcomes and 0: those of the same cases are pairs"):
        mcnemar([True], [])


def test_adjusted_trial_of_thrombolysis_is_benjamini_and_hochbergs() -> None:
    adjusted = benjamini_hochberg(THROMBOLYSIS)
    assert [p <= 0.05 for p in adjusted] == [True] * 4 + [False] * 11
    assert [p <= 0.05 for p in holm(THROMBOLYSIS)] == [True] * 3 + [False] * 12
    for name, ours in (("fdr_bh", adjusted), ("holm", holm(THROMBOLYSIS))):
        assert ours == pytest.approx(multipletests(THROMBOLYSIS, method=name)[1])


@given(st.lists(st.floats(0, 1), max_size=12), st.randoms(use_true_random=False))
def test_adjusted_p_values_are_probabilities_in_the_given_order(
    given_: list[float], random: object
) -> None:
    order = list(range(len(given_)))
    random.shuffle(order)  # type: ignore[attr-defined]
    for adjust in (holm, benjamini_hochberg):
        adjusted = adjust(given_)
        assert all(p <= q <= 1 for p, q in zip(given_, adjusted, strict=True))
        assert adjust([given_[i] for i in order]) == pytest.approx([adjusted[i] for i in order])


def test_probability_that_is_none_is_refused() -> None:
    for bad in (1.2, math.nan):
        with pytest.raises(ValueError, match="a p-value lies between 0 and 1"):
            benjamini_hochberg([bad])

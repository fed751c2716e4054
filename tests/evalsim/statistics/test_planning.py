"""Tests of plans, beside statsmodels and simulated runs."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import ttest_1samp
from statsmodels.stats.power import TTestPower

from evalsim.statistics import Pilot, cases_needed, pilot, plan


@pytest.mark.parametrize(("cases", "power"), [(3, 0.8), (12, 0.9), (500, 0.8)])
def test_cases_that_stand_alone_are_planned_as_statsmodels_does(cases: int, power: float) -> None:
    theirs = TTestPower().solve_power(nobs=cases, alpha=0.05, power=power)
    assert plan(cases, sd=0.4, power=power).detectable == pytest.approx(0.4 * theirs, rel=1e-4)


def test_dialogues_that_hang_together_are_planned_as_statsmodels_plans_the_means_of_clusters() -> (
    None
):
    """A mean of m dialogues of one cluster has the variance sd² (1 + (m - 1) ICC) / m."""
    alone = TTestPower().solve_power(nobs=40, alpha=0.05, power=0.8)
    sd_of_means = 0.4 * math.sqrt((1 + 5 * 0.3) / 6)
    planned = plan(80, sd=0.4, icc=0.3, repeats=3, clusters=40)
    assert planned.design_effect == pytest.approx(2.5)
    assert planned.detectable == pytest.approx(alone * sd_of_means, rel=1e-4)


def test_fewest_cases_are_those_of_statsmodels_rounded_up() -> None:
    theirs = TTestPower().solve_power(effect_size=0.05 / 0.4, alpha=0.05, power=0.8)
    assert cases_needed(0.05, sd=0.4) == math.ceil(theirs) == 505
    assert cases_needed(-0.05, sd=0.4) == 505


def test_detectable_difference_is_found_as_often_as_planned() -> None:
    planned = plan(60, sd=0.5, icc=0.4, repeats=2, clusters=20)
    assert (planned.design_effect, planned.effective) == pytest.approx((3.0, 40.0))
    random = np.random.default_rng(8)
    shared = random.normal(size=(4_000, 20, 1)) * 0.5 * math.sqrt(0.4)
    own = random.normal(size=(4_000, 20, 6)) * 0.5 * math.sqrt(0.6)
    means = (planned.detectable + shared + own).mean(axis=2)
    found = (ttest_1samp(means, 0, axis=1).pvalue < 0.05).mean()
    assert found == pytest.approx(0.8, abs=0.02)


def test_repeats_help_less_the_more_they_are_alike() -> None:
    one = plan(100, sd=0.4).detectable
    assert plan(100, sd=0.4, repeats=4).detectable == pytest.approx(one / 2)
    assert plan(100, sd=0.4, repeats=4, icc=1.0).detectable == pytest.approx(one)


def test_comparisons_share_alpha() -> None:
    assert plan(100, sd=0.4, comparisons=5).alpha == pytest.approx(0.01)
    assert cases_needed(0.1, sd=0.4, comparisons=5) > cases_needed(0.1, sd=0.4)


@settings(deadline=None, max_examples=30)
@given(
    st.floats(0.01, 2.0),
    st.floats(0.1, 1.0),
    st.floats(0, 1),
    st.integers(1, 3),
    st.integers(1, 4),
)
def test_fewest_cases_show_the_difference_and_one_cluster_less_does_not(
    difference: float, sd: float, icc: float, repeats: int, size: int
) -> None:
    cases = cases_needed(difference, sd=sd, icc=icc, repeats=repeats, cases_per_cluster=size)
    clusters = cases // size

    def detectable(of: int) -> float:
        return plan(of * size, sd=sd, icc=icc, repeats=repeats, clusters=of).detectable

    assert cases % size == 0
    assert detectable(clusters) <= difference
    assert clusters == 2 or detectable(clusters - 1) > difference


def test_pilot_tells_standard_deviation_and_correlation() -> None:
    random = np.random.default_rng(9)
    names = np.repeat(np.arange(400), 3)
    rows = 0.3 * random.normal(size=400)[names] + 0.4 * random.normal(size=1_200)
    found = pilot(rows.tolist(), names.astype(str).tolist())
    assert (found.rows, found.clusters) == (1_200, 400)
    assert (found.sd, found.icc) == pytest.approx((0.5, 0.36), rel=0.1)
    assert found.icc == found.raw_icc


def test_pilot_without_repeats_knows_no_correlation() -> None:
    found = pilot([0.0, 1.0], ["a", "b"])
    assert found == Pilot(2, 2, found.sd, 0.0, found.raw_icc)
    assert found.sd == pytest.approx(math.sqrt(0.5))
    assert math.isnan(found.raw_icc)


def test_pilot_whose_clusters_are_more_unlike_within_is_planned_with_0() -> None:
    found = pilot([0.0, 1.0, 0.0, 1.0], list("aabb"))
    assert (found.icc, found.raw_icc) == pytest.approx((0.0, -1.0))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"cases": 1}, "1 clusters in 1 cases; a test needs 2"),
        ({"clusters": 11}, "11 clusters in 10 cases"),
        ({"sd": 0.0}, "sd is 0.0; a standard deviation that can be planned with is above 0"),
        ({"sd": math.nan}, "sd is nan"),
        ({"icc": -0.1}, "icc is -0.1; it lies between 0 and 1"),
        ({"repeats": 0}, "repeats is 0, comparisons 1; both are at least 1"),
        ({"alpha": 0.9}, "alpha is 0.9, power 0.8; 0 < alpha < power < 1"),
        ({"power": 1.0}, "power 1.0"),
    ],
)
def test_what_cannot_be_planned_is_refused(wrong: dict[str, float], message: str) -> None:
    given_ = {"cases": 10, "sd": 0.4} | wrong
    with pytest.raises(ValueError, match=message):
        plan(**given_)  # type: ignore[arg-type]


def test_difference_that_no_run_shows_is_refused() -> None:
    with pytest.raises(ValueError, match=r"the difference is 0\.0; no number of cases shows that"):
        cases_needed(0.0, sd=0.4)
    with pytest.raises(ValueError, match="clusters would be needed to show 1e-07"):
        cases_needed(1e-7, sd=0.4)
    with pytest.raises(ValueError, match="a pilot has at least 2 finite rows"):
        pilot([math.nan, 0.0], ["a", "a"])

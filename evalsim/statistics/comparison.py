"""Two systems on the same cases, and many such comparisons together."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evalsim.statistics.bootstrap import DRAWS, FloatArray, bootstrap_mean, cluster_totals
from qa.evaluation.statistics import Interval, Test
from qa.evaluation.statistics import wilcoxon as signed_rank


@dataclass(frozen=True)
class Comparison:
    """Two systems on the same cases, one minus other."""

    cases: int
    clusters: int
    one: float
    """Mean over the cases."""
    other: float
    interval: Interval
    """Of the mean difference, whole clusters drawn, at 95 %."""
    t: Test
    """Of the mean difference by its cluster-robust standard error."""
    wilcoxon: Test
    """Of the clusters' mean differences."""


@dataclass(frozen=True)
class McNemar:
    """Two systems that each pass or fail the same cases."""

    both: int
    only_one: int
    only_other: int
    neither: int
    p: float
    """Exact, two-sided."""


def compare(
    one: Sequence[float],
    other: Sequence[float],
    clusters: Sequence[str],
    *,
    seed: int,
    draws: int = DRAWS,
) -> Comparison:
    """Compare two systems on the same cases.

    The t-test is of the intercept alone with the cluster-robust variance of Liang and Zeger (1986)
    times G/(G-1), on G-1 degrees of freedom for G clusters. Where each case is its own cluster, it is
    Student's paired test. Wilcoxon's test is of one mean difference a cluster: its pairs are to be
    independent.

    Args:
        one: a score a case; of several repeats their mean.
        other: of the same cases, in the same order.
        clusters: of each case, such as its disease.
        seed: of the bootstrap.
        draws: of the bootstrap.

    Returns:
        For one cluster the interval and the tests are nan.

    Raises:
        ValueError: the scores are no pairs, none, or not all finite; or not as many clusters.
    """
    if len(one) != len(other):
        raise ValueError(f"{len(one)} scores and {len(other)}: those of the same cases are pairs")
    scores = np.column_stack([np.asarray(one, dtype=float), np.asarray(other, dtype=float)])
    differences = scores[:, 0] - scores[:, 1]
    interval = bootstrap_mean(differences, clusters, seed=seed, draws=draws)
    totals = cluster_totals(np.column_stack([differences, np.ones(len(scores))]), clusters)
    means = totals[:, 0] / totals[:, 1]
    single = len(totals) == 1
    return Comparison(
        len(scores),
        len(totals),
        float(scores[:, 0].mean()),
        float(scores[:, 1].mean()),
        interval,
        Test(math.nan, math.nan) if single else _robust_t(totals[:, 0], totals[:, 1]),
        Test(math.nan, math.nan) if single else signed_rank([*means], [0.0] * len(means)),
    )


def mcnemar(one: Sequence[bool], other: Sequence[bool]) -> McNemar:
    """McNemar's exact test: whether as many cases are passed by one alone as by the other alone.

    The binomial test of the discordant pairs against one half, two-sided (McNemar 1947; Fay,
    "Exact McNemar's Test and Matching Confidence Intervals"). It takes the pairs to be independent: one
    dialogue a case, one case a disease.

    Args:
        one: whether it passes, a case each.
        other: of the same cases, in the same order.

    Raises:
        ValueError: they are no pairs, or not all true or false.
    """
    from scipy.stats import binomtest  # noqa: PLC0415 - half a second

    if len(one) != len(other):
        raise ValueError(
            f"{len(one)} outcomes and {len(other)}: those of the same cases are pairs"
        )
    if any(each not in {True, False} for each in (*one, *other)):
        raise ValueError("an outcome is true or false; leave out cases that were not scored")
    one_passes, other_passes = np.asarray(one, dtype=bool), np.asarray(other, dtype=bool)
    only_one = int((one_passes & ~other_passes).sum())
    only_other = int((other_passes & ~one_passes).sum())
    discordant = only_one + only_other
    p = float(binomtest(only_one, discordant).pvalue) if discordant else 1.0
    both_pass = int((one_passes & other_passes).sum())
    return McNemar(both_pass, only_one, only_other, len(one_passes) - both_pass - discordant, p)


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """The p-values of several tests, adjusted so that the false discovery rate is held.

    Benjamini and Hochberg (1995), by SciPy's ``false_discovery_control``.

    Returns:
        In the given order.

    Raises:
        ValueError: one is no probability.
    """
    from scipy.stats import false_discovery_control  # noqa: PLC0415

    if not all(0 <= p <= 1 for p in p_values):
        raise ValueError("a p-value lies between 0 and 1")
    return [float(p) for p in false_discovery_control(p_values)] if len(p_values) else []


def _robust_t(sums: FloatArray, sizes: FloatArray) -> Test:
    """The t-test of a mean by sums and sizes of clusters."""
    from scipy.stats import t as student  # noqa: PLC0415

    groups, n = len(sums), sizes.sum()
    mean = sums.sum() / n
    deviations = sums - mean * sizes
    error = math.sqrt(groups / (groups - 1) * float(deviations @ deviations)) / n
    if error <= abs(mean) * 1e-12:  # of rounding alone: all clusters differ alike
        return Test(math.nan, 1.0 if mean == 0 else math.nan)
    statistic = float(mean / error)
    return Test(statistic, float(2 * student.sf(abs(statistic), groups - 1)))

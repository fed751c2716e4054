"""Whether the scores of two systems on the same questions differ, and how distributions overlap."""

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]

_DRAWS: Final = 10_000
_AT_ONCE: Final = 1_000_000
"""Differences that are drawn together."""
_GRID: Final = 2_048
_TAILS: Final = 4.0
"""Bandwidths beyond the least and the greatest value that a density is taken over."""


class Test(NamedTuple):
    """A test of paired differences against none, two-sided; nan where it is not defined."""

    statistic: float
    p: float


class Interval(NamedTuple):
    """A mean with its confidence interval."""

    mean: float
    low: float
    high: float


def paired_t_test(one: Sequence[float], other: Sequence[float]) -> Test:
    """Student's t-test of paired differences, as the paper reports it.

    It takes the differences to be normal; scores rarely are, so see the bootstrap interval too.

    Args:
        one: a score a question.
        other: of the same questions, in the same order.

    Raises:
        ValueError: the scores are no pairs, fewer than two, or not all finite.
    """
    from scipy.stats import ttest_rel  # noqa: PLC0415 - half a second

    differences = _differences(one, other, least=2)
    if np.ptp(differences) == 0:
        return Test(math.nan, 1.0 if differences[0] == 0 else math.nan)
    result = ttest_rel(one, other)
    return Test(float(result.statistic), float(result.pvalue))


def wilcoxon(one: Sequence[float], other: Sequence[float]) -> Test:
    """Wilcoxon's signed-rank test of paired differences; pairs without a difference are left out.

    Exact up to 50 pairs without ties, else by the normal approximation (SciPy's ``auto``).

    Raises:
        ValueError: the scores are no pairs, none, or not all finite.
    """
    from scipy.stats import wilcoxon as by_scipy  # noqa: PLC0415

    differences = _differences(one, other, least=1)
    if not differences.any():
        return Test(0.0, 1.0)
    result = by_scipy(differences)
    return Test(float(result.statistic), float(result.pvalue))


def bootstrap_interval(
    one: Sequence[float],
    other: Sequence[float],
    *,
    seed: int,
    level: float = 0.95,
    draws: int = _DRAWS,
) -> Interval:
    """The mean difference with the percentile interval of a paired bootstrap (Efron 1979).

    Questions are drawn with replacement, both scores of a question together.

    Args:
        one: a score a question.
        other: of the same questions, in the same order.
        seed: of the draws.
        level: share of the draws' means that lie in the interval.
        draws: number of them.

    Raises:
        ValueError: the scores are no pairs, none, or not all finite; the level is not in (0, 1).
    """
    if not 0 < level < 1:
        raise ValueError(f"level is {level}; an interval has one between 0 and 1")
    differences = _differences(one, other, least=1)
    random = np.random.default_rng(seed)
    n = len(differences)
    at_once = max(1, _AT_ONCE // n)
    means = np.concatenate(
        [
            differences[random.integers(n, size=(min(at_once, draws - at), n))].mean(axis=1)
            for at in range(0, draws, at_once)
        ]
    )
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(differences.mean()), float(low), float(high))


def holm(p_values: Sequence[float]) -> list[float]:
    """The p-values of several tests together, adjusted as Holm (1979) does, in the given order.

    Raises:
        ValueError: one is no probability.
    """
    p = np.asarray(p_values, dtype=float)
    if not ((p >= 0) & (p <= 1)).all():
        raise ValueError("a p-value lies between 0 and 1")
    order = np.argsort(p, kind="stable")
    scaled = p[order] * np.arange(len(p), 0, -1)
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(np.maximum.accumulate(scaled), 1.0) if len(p) else scaled
    return [float(p) for p in adjusted]


def density_overlap(one: Sequence[float], other: Sequence[float]) -> float:
    """Share that two densities have in common: the integral of the lesser (the paper's figure 5).

    Densities are of normal kernels with Scott's bandwidth, as plots of densities usually are.

    Args:
        one: scores.
        other: scores, of any number.

    Returns:
        In [0, 1]; 1 for equal distributions. nan where the scores of one are all the same, for
        which there is no density.

    Raises:
        ValueError: fewer than two scores, or not all finite.
    """
    from scipy.integrate import trapezoid  # noqa: PLC0415
    from scipy.stats import gaussian_kde  # noqa: PLC0415

    values = [_scores(each, least=2) for each in (one, other)]
    if any(np.ptp(each) == 0 for each in values):
        return math.nan
    densities = [gaussian_kde(each) for each in values]
    widths = [math.sqrt(density.covariance[0, 0]) for density in densities]
    low = min(each.min() - _TAILS * width for each, width in zip(values, widths, strict=True))
    high = max(each.max() + _TAILS * width for each, width in zip(values, widths, strict=True))
    grid = np.linspace(low, high, _GRID)
    least = np.minimum(*(density(grid) for density in densities))
    return min(1.0, float(trapezoid(least, grid)))


def _differences(one: Sequence[float], other: Sequence[float], *, least: int) -> FloatArray:
    if len(one) != len(other):
        raise ValueError(
            f"{len(one)} scores and {len(other)}: those of the same questions are pairs"
        )
    return _scores(one, least=least) - _scores(other, least=least)


def _scores(values: Sequence[float], *, least: int) -> FloatArray:
    scores = np.asarray(values, dtype=float)
    if len(scores) < least or not np.isfinite(scores).all():
        raise ValueError(f"at least {least} finite scores are needed")
    return scores

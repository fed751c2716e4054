"""Intervals by the bootstrap, whole clusters drawn: dialogues about one disease are no independent rows.

The cluster bootstrap of Davison and Hinkley (1997), "Bootstrap Methods and their Application", section
3.8, first strategy: clusters are drawn with replacement, each with all its rows; the interval is the
percentile interval (Efron 1979). Below some 30 clusters it is too narrow (Cameron, Gelbach and Miller
2008), so that whoever shows one shows the number of clusters beside it.
"""

import math
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from qa.evaluation.statistics import Interval

FloatArray = npt.NDArray[np.float64]
Numbers = Sequence[float] | FloatArray
Labels = Sequence[str] | npt.NDArray[np.str_]

DRAWS: Final = 10_000
_AT_ONCE: Final = 2_000_000
"""Clusters that are drawn together."""
_DEARER: Final = 8
"""What it costs to draw the number of a kind of cluster, by what it costs to draw one cluster."""


def bootstrap_mean(
    values: Numbers,
    clusters: Labels,
    *,
    seed: int,
    level: float = 0.95,
    draws: int = DRAWS,
) -> Interval:
    """The mean of rows, with its interval by whole clusters.

    Every row counts alike, so that a draw's mean is the sum over its rows by their number.

    Args:
        values: shape (n,), finite.
        clusters: what each row belongs to.
        seed: of the draws.
        level: share of the draws' means that lie in the interval.
        draws: number of them.

    Returns:
        Low and high are nan for one cluster, which says nothing of how clusters differ. Neither the
        order of the rows nor the names of the clusters matter.

    Raises:
        ValueError: there are no rows, not as many clusters, or a value that is not finite; the level
            is not in (0, 1).
    """
    scores = np.asarray(values, dtype=float)
    totals = cluster_totals(np.column_stack([scores, np.ones(len(scores))]), clusters)
    return bootstrap_statistic(
        totals, lambda sums: sums[:, 0] / sums[:, 1], seed=seed, level=level, draws=draws
    )


def bootstrap_statistic(
    totals: FloatArray,
    statistic: Callable[[FloatArray], FloatArray],
    *,
    seed: int,
    level: float = 0.95,
    draws: int = DRAWS,
) -> Interval:
    """A statistic of sums over all rows, with its interval by whole clusters.

    Args:
        totals: shape (clusters, m), of ``cluster_totals``.
        statistic: of sums over clusters, shape (any, m), shape (any,); nan where it is not defined.
        seed: of the draws.
        level: share of the draws' values that lie in the interval.
        draws: number of them.

    Returns:
        ``mean`` is the statistic of all rows. Draws for which it is not defined are left out; low and
        high are nan where that is most of them, or for one cluster.

    Raises:
        ValueError: there are no clusters, or the level is not in (0, 1).
    """
    if not 0 < level < 1:
        raise ValueError(f"level is {level}; an interval has one between 0 and 1")
    if not len(totals):
        raise ValueError("there are no clusters; at least one is needed")
    value = float(statistic(totals.sum(axis=0, keepdims=True))[0])
    if len(totals) == 1:
        return Interval(value, math.nan, math.nan)
    with np.errstate(invalid="ignore", divide="ignore"):
        drawn = statistic(_drawn_sums(totals, seed, draws))
    drawn = drawn[np.isfinite(drawn)]
    if 2 * len(drawn) <= draws:
        return Interval(value, math.nan, math.nan)
    low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2])
    return Interval(value, float(low), float(high))


def cluster_totals(rows: FloatArray, clusters: Labels) -> FloatArray:
    """Sums of rows by cluster.

    Args:
        rows: shape (n, m), finite.
        clusters: what each row belongs to, of length n.

    Returns:
        Shape (clusters, m), in an order that the names of the clusters do not change.

    Raises:
        ValueError: there are no rows, not as many clusters, or a value that is not finite.
    """
    if not len(rows):
        raise ValueError("there are no rows; at least one is needed")
    if len(rows) != len(clusters):
        raise ValueError(f"{len(rows)} rows and {len(clusters)} clusters: each row is of one")
    if not np.isfinite(rows).all():
        raise ValueError("a row is not finite; leave out what was not scored, and count it")
    names, cluster_numbers = np.unique(np.asarray(clusters), return_inverse=True)
    totals = np.zeros((len(names), rows.shape[1]))
    np.add.at(totals, cluster_numbers, rows)
    return np.asarray(totals[np.lexsort(totals.T)], dtype=np.float64)


def _drawn_sums(totals: FloatArray, seed: int, draws: int) -> FloatArray:
    """Shape (draws, m): sums over as many clusters as there are, drawn with replacement."""
    random = np.random.default_rng(seed)
    n = len(totals)
    distinct_totals, counts = np.unique(totals, axis=0, return_counts=True)
    if _DEARER * len(distinct_totals) <= n:  # how many are drawn of each kind says all
        return np.asarray(
            random.multinomial(n, counts / n, size=draws) @ distinct_totals, dtype=np.float64
        )
    at_once = max(1, _AT_ONCE // n)
    sums = np.empty((draws, totals.shape[1]))
    for start in range(0, draws, at_once):
        size = min(at_once, draws - start)
        drawn = random.integers(n, size=(size, n), dtype=np.int32)
        drawn += np.arange(size, dtype=np.int32)[:, None] * n
        counts_drawn = np.bincount(drawn.ravel(), minlength=size * n).reshape(size, n)
        sums[start : start + size] = counts_drawn @ totals
    return sums

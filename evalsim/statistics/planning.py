"""How small a difference a run can show, and how many cases show a given one; before it is run.

Two systems meet the same cases, and the test is of their mean difference. Dialogues that hang together
(repeats of a case, cases of a disease) tell less than as many apart: the variance of the mean grows by
the design effect 1 + (m - 1) ICC for m dialogues a cluster (Kish 1965, "Survey Sampling").
The test has one degree of freedom less than there are clusters; its power is that of the noncentral t
distribution (Cohen 1988, "Statistical Power Analysis for the Behavioral Sciences", chapter 2).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from evalsim.statistics.components import variance_components

_MOST: Final = 10_000_000
"""Clusters beyond which nobody plans."""
_LEAST: Final = 2
"""Clusters that a test needs."""


@dataclass(frozen=True)
class Pilot:
    """What a few cases that were run tell of the next run."""

    rows: int
    clusters: int
    sd: float
    """Of the difference between two systems in one dialogue."""
    icc: float
    """Correlation of two differences of one cluster; 0 where the estimate is negative or there is none."""
    raw_icc: float
    """The estimate; nan where no cluster has two rows."""


@dataclass(frozen=True)
class Planned:
    """What a run of a size can show."""

    cases: int
    repeats: int
    clusters: int
    design_effect: float
    effective: float
    """Independent dialogues that would tell as much."""
    standard_error: float
    """Of the mean difference."""
    detectable: float
    """The least true mean difference that the test finds with the wanted power."""
    alpha: float
    """Of one comparison."""
    power: float


def pilot(differences: Sequence[float], clusters: Sequence[str]) -> Pilot:
    """Standard deviation and intra-cluster correlation by the analysis of variance (Donner 1986).

    Args:
        differences: of two systems on the same dialogue, one minus other.
        clusters: of each row.

    Raises:
        ValueError: fewer than two rows, not all finite, or not as many clusters.
    """
    pairs = np.asarray(differences, dtype=float)
    if len(pairs) != len(clusters):
        raise ValueError(f"{len(pairs)} rows and {len(clusters)} clusters: each row is of one")
    if len(pairs) < _LEAST or not np.isfinite(pairs).all():
        raise ValueError("a pilot has at least 2 finite rows")
    groups = len({*clusters})
    if groups in {1, len(pairs)}:
        return Pilot(len(pairs), groups, float(pairs.std(ddof=1)), 0.0, math.nan)
    between, within = variance_components(pairs, {"of": clusters}, {"between": ["of"]})
    total = between.raw + within.raw
    raw = between.raw / total if total > 0 else math.nan
    sd = math.sqrt(between.variance + within.variance)
    return Pilot(len(pairs), groups, sd, max(raw, 0.0) if total > 0 else 0.0, raw)


def plan(
    cases: int,
    *,
    sd: float,
    icc: float = 0.0,
    repeats: int = 1,
    clusters: int | None = None,
    cluster_size: float | None = None,
    alpha: float = 0.05,
    power: float = 0.8,
    comparisons: int = 1,
) -> Planned:
    """The least difference between two systems that a run can show, two-sided.

    Args:
        cases: that both meet.
        sd: standard deviation of the difference in one dialogue, of a pilot or of experience.
        icc: correlation of two differences of one cluster.
        repeats: dialogues a case.
        clusters: diseases among the cases; None: each case is of another one.
        cluster_size: cases of a cluster, of clusters of several sizes the sum of their squares by the
            sum of them (Kish 1965); None: all are of one size.
        alpha: probability of finding a difference where there is none, over all comparisons.
        power: probability of finding one of the detectable size.
        comparisons: that share alpha alike (Bonferroni).

    Raises:
        ValueError: a number is out of its range, in a sentence that names it.
    """
    groups = cases if clusters is None else clusters
    _check(sd=sd, icc=icc, alpha=alpha, power=power)
    if repeats < 1 or comparisons < 1:
        raise ValueError(f"repeats is {repeats}, comparisons {comparisons}; both are at least 1")
    if not _LEAST <= groups <= cases:
        raise ValueError(f"{groups} clusters in {cases} cases; a test needs 2, a case is of one")
    dialogues = cases * repeats
    size = cases / groups if cluster_size is None else cluster_size
    if size < cases / groups * (1 - 1e-9):
        raise ValueError(f"cluster_size is {size}; {cases} cases in {groups} clusters have more")
    effect = 1 + (size * repeats - 1) * icc
    error = sd * math.sqrt(effect / dialogues)
    alpha_of_each = alpha / comparisons
    detectable = error * _noncentrality(groups - 1, alpha_of_each, power)
    return Planned(
        cases, repeats, groups, effect, dialogues / effect, error, detectable, alpha_of_each, power
    )


def cases_needed(
    difference: float,
    *,
    sd: float,
    icc: float = 0.0,
    repeats: int = 1,
    cases_per_cluster: int = 1,
    alpha: float = 0.05,
    power: float = 0.8,
    comparisons: int = 1,
) -> int:
    """The least number of cases, in whole clusters, that shows a difference.

    Args:
        difference: true mean difference, not 0.
        sd: as ``plan`` takes it, like all that follow.
        icc: likewise.
        repeats: likewise.
        cases_per_cluster: cases of one disease.
        alpha: likewise.
        power: likewise.
        comparisons: likewise.

    Raises:
        ValueError: as ``plan`` says; the difference is 0 or not finite; cases without end are needed.
    """
    if not (math.isfinite(difference) and difference != 0):
        raise ValueError(f"the difference is {difference}; no number of cases shows that")
    if cases_per_cluster < 1:
        raise ValueError(f"cases_per_cluster is {cases_per_cluster}; it is at least 1")

    def shows(clusters: int) -> bool:
        planned = plan(
            clusters * cases_per_cluster,
            sd=sd,
            icc=icc,
            repeats=repeats,
            clusters=clusters,
            alpha=alpha,
            power=power,
            comparisons=comparisons,
        )
        return planned.detectable <= abs(difference)

    high = _LEAST
    while not shows(high):
        high *= 2
        if high > _MOST:
            raise ValueError(f"over {_MOST:,} clusters would be needed to show {difference:g}")
    low = max(_LEAST, high // 2)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if shows(middle) else (middle + 1, high)
    return high * cases_per_cluster


def _noncentrality(freedom: int, alpha: float, power: float) -> float:
    """In standard errors, the mean at which a two-sided t-test has a power."""
    from scipy.optimize import brentq  # noqa: PLC0415 - half a second
    from scipy.special import nctdtr  # noqa: PLC0415
    from scipy.stats import norm  # noqa: PLC0415
    from scipy.stats import t as student  # noqa: PLC0415

    if freedom > 10_000:  # noqa: PLR2004 - the distributions are alike to four digits
        return float(norm.isf(alpha / 2) + norm.ppf(power))
    limit = student.isf(alpha / 2, freedom)

    def missing(mean: float) -> float:
        # SciPy gives nan for some tails that are below 1e-16
        below, above = np.nan_to_num(nctdtr(freedom, mean, [-limit, limit]))
        return float(below + 1 - above) - power

    high = limit + 1.0
    while missing(high) < 0:
        high *= 2
    return float(brentq(missing, 0.0, high))


def _check(*, sd: float, icc: float, alpha: float, power: float) -> None:
    if not (math.isfinite(sd) and sd > 0):
        raise ValueError(f"sd is {sd}; a standard deviation that can be planned with is above 0")
    if not 0 <= icc <= 1:
        raise ValueError(f"icc is {icc}; it lies between 0 and 1 (take 0 for a negative estimate)")
    if not 0 < alpha < power < 1:
        raise ValueError(f"alpha is {alpha}, power {power}; 0 < alpha < power < 1")

"""Whether raters agree: a judge with a human, or several with each other.

Of what is here SciPy has none, scikit-learn (which the extra ``eval`` does without) weighted kappa alone,
and the packages ``krippendorff`` and ``irrCAC`` are under the GPL, so this is code of our own. It is checked
against the worked examples of Krippendorff (2011) and Gwet (2014).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from evalsim.statistics.bootstrap import DRAWS, FloatArray, Numbers, bootstrap_mean
from qa.evaluation.statistics import Interval

Level = Literal["nominal", "ordinal", "interval"]
Weights = Literal["identity", "ordinal", "quadratic"]
_PAIR: Final = 2


@dataclass(frozen=True)
class Agreement:
    """Two raters on one scale. All but the counts is nan where no unit has both ratings."""

    units: int
    """That both rated."""
    missing: int
    """That one of them did not rate."""
    mae: float
    """Mean absolute error, in points of the scale (table 3 of MedKGEval)."""
    exact: float
    """Share of the units with the same rating."""
    within_one: float
    """Share of the units with at most one point between."""
    bias: Interval
    """Mean of one minus other, with its interval by whole clusters."""
    kappa: float
    """Cohen's, with quadratic weights."""
    alpha: float
    """Krippendorff's, ordinal."""
    ac2: float
    """Gwet's, with quadratic weights."""


def agreement(
    one: Sequence[float],
    other: Sequence[float],
    scale: Sequence[float],
    *,
    clusters: Sequence[str] | None = None,
    seed: int = 0,
    draws: int = DRAWS,
) -> Agreement:
    """How far two raters agree.

    Args:
        one: a rating a unit; nan where it did not rate.
        other: of the same units, in the same order.
        scale: all ratings that can be given; a rating between two of them (a median) is taken into
            account by all but Gwet's AC2, which is nan then.
        clusters: of each unit, for the interval of the bias; None: every unit is its own.
        seed: of the bootstrap.
        draws: of the bootstrap.

    Raises:
        ValueError: the ratings are no pairs, or one is out of the scale.
    """
    if len(one) != len(other):
        raise ValueError(f"{len(one)} ratings and {len(other)}: those of the same units are pairs")
    ratings = _ratings([one, other])
    if ((ratings < min(scale)) | (ratings > max(scale))).any():
        raise ValueError(f"a rating is out of the scale {min(scale):g} to {max(scale):g}")
    rated_by_both = np.isfinite(ratings).all(axis=0)
    missing = int(np.isfinite(ratings).any(axis=0).sum() - rated_by_both.sum())
    if not rated_by_both.any():
        undefined = Interval(math.nan, math.nan, math.nan)
        all_nan = (math.nan,) * 3
        return Agreement(0, missing, *all_nan, undefined, *all_nan)
    first_ratings, second_ratings = ratings[:, rated_by_both]
    distances = np.abs(first_ratings - second_ratings)
    cluster_of = np.arange(len(one)).astype(str) if clusters is None else np.asarray(clusters)
    on_scale = np.isin(ratings[np.isfinite(ratings)], scale).all()
    return Agreement(
        int(rated_by_both.sum()),
        missing,
        float(distances.mean()),
        float((distances == 0).mean()),
        float((distances <= 1).mean()),
        bootstrap_mean(
            first_ratings - second_ratings, cluster_of[rated_by_both], seed=seed, draws=draws
        ),
        quadratic_kappa(first_ratings, second_ratings),
        krippendorff_alpha(ratings),
        gwet_ac2(ratings, scale) if on_scale else math.nan,
    )


def quadratic_kappa(one: Numbers, other: Numbers) -> float:
    """Cohen's kappa with quadratic weights (Cohen 1968, "Weighted kappa").

    1 less the mean squared difference by that of all pairs of one's ratings with the other's, which is
    the weighted kappa of whatever equally spaced categories they are of.

    Args:
        one: a rating a unit.
        other: of the same units, in the same order.

    Returns:
        1 for the same ratings, 0 for no more than chance, below that for less; nan where both gave
        one and the same rating to all, or there are no units.

    Raises:
        ValueError: the ratings are no pairs, or not all finite.
    """
    first_ratings, second_ratings = np.asarray(one, dtype=float), np.asarray(other, dtype=float)
    if first_ratings.shape != second_ratings.shape:
        raise ValueError(f"{len(one)} ratings and {len(other)}: those of the same units are pairs")
    if not (np.isfinite(first_ratings).all() and np.isfinite(second_ratings).all()):
        raise ValueError("kappa takes ratings of both; leave out units that one did not rate")
    if not len(first_ratings):
        return math.nan
    expected = (
        first_ratings.var()
        + second_ratings.var()
        + (first_ratings.mean() - second_ratings.mean()) ** 2
    )
    if expected == 0:
        return math.nan
    return float(1 - ((first_ratings - second_ratings) ** 2).mean() / expected)


def krippendorff_alpha(ratings: Sequence[Numbers] | FloatArray, level: Level = "ordinal") -> float:
    """Krippendorff's alpha of any number of raters.

    Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability".

    Args:
        ratings: shape (raters, units); nan where a rater did not rate. A unit that fewer than two
            rated is left out.
        level: of measurement: how far apart two ratings are.

    Returns:
        1 for agreement, 0 for no more than chance, below that for less; nan where no unit has two
        ratings, or all ratings are the same.

    Raises:
        ValueError: a rating is infinite, or the ratings are no table.
    """
    table = _ratings(ratings)
    table = table[:, np.isfinite(table).sum(axis=0) >= _PAIR]
    values = np.unique(table[np.isfinite(table)])
    if len(values) < _PAIR:
        return math.nan
    counts = np.stack([(table == value).sum(axis=0) for value in values], axis=1).astype(float)
    raters = counts.sum(axis=1)
    coincidences = (counts / (raters - 1)[:, None]).T @ counts
    coincidences -= np.diag((counts / (raters - 1)[:, None]).sum(axis=0))
    totals = coincidences.sum(axis=0)
    distances = _distances(values, totals, level)
    observed = float((coincidences * distances).sum())
    expected = float((np.outer(totals, totals) * distances).sum() / (totals.sum() - 1))
    return 1 - observed / expected


def gwet_ac2(
    ratings: Sequence[Numbers] | FloatArray,
    scale: Sequence[float],
    weights: Weights = "quadratic",
) -> float:
    """Gwet's AC2 of any number of raters; AC1 with identity weights.

    Gwet (2014), "Handbook of Inter-Rater Reliability", 4th edition. Unlike kappa and
    alpha it stays high where nearly all ratings are one and the same.

    Args:
        ratings: shape (raters, units); nan where a rater did not rate.
        scale: all ratings that can be given, whether any was or not; at least two.
        weights: how much two ratings agree: by their squared difference, by the ranks between them,
            or not at all unless they are the same.

    Returns:
        At most 1; nan where no unit has two ratings.

    Raises:
        ValueError: the scale has fewer than two ratings, or a rating is not of it.
    """
    values = np.unique(np.asarray(scale, dtype=float))
    if len(values) < _PAIR or not np.isfinite(values).all():
        raise ValueError("a scale has at least two finite ratings")
    table = _ratings(ratings)
    if not np.isin(table[np.isfinite(table)], values).all():
        raise ValueError("a rating is not of the scale")
    counts = np.stack([(table == value).sum(axis=0) for value in values], axis=1).astype(float)
    counts = counts[counts.sum(axis=1) > 0]
    raters = counts.sum(axis=1)
    pairs = counts[raters >= _PAIR]
    if not len(pairs):
        return math.nan
    weight = _weight(values, weights)
    raters_of_pairs = raters[raters >= _PAIR]
    observed = float(
        (
            (pairs * (pairs @ weight - 1)).sum(axis=1) / (raters_of_pairs * (raters_of_pairs - 1))
        ).mean()
    )
    shares = (counts / raters[:, None]).mean(axis=0)
    q = len(values)
    expected = float(weight.sum() / (q * (q - 1)) * (shares * (1 - shares)).sum())
    return (observed - expected) / (1 - expected)


def _ratings(ratings: Sequence[Numbers] | FloatArray) -> FloatArray:
    table = np.asarray(ratings, dtype=float)
    if table.ndim != _PAIR:
        raise ValueError("ratings are a table: a row for each rater, a column for each unit")
    if np.isinf(table).any():
        raise ValueError("a rating is infinite; what was not rated is nan")
    return table


def _distances(values: FloatArray, totals: FloatArray, level: Level) -> FloatArray:
    """Squared differences between ratings; ordinal ones by the ratings that lie between."""
    if level == "nominal":
        return np.asarray(1 - np.eye(len(values)), dtype=np.float64)
    positions = values if level == "interval" else np.cumsum(totals) - totals / 2
    return np.asarray(np.subtract.outer(positions, positions) ** 2, dtype=np.float64)


def _weight(values: FloatArray, weights: Weights) -> FloatArray:
    """How much two ratings of a scale agree, 1 for the same, 0 for the ends of the scale."""
    if weights == "identity":
        return np.eye(len(values))
    if weights == "quadratic":
        distances = np.asarray(np.subtract.outer(values, values) ** 2, dtype=np.float64)
    else:
        steps = np.abs(np.subtract.outer(np.arange(len(values)), np.arange(len(values))))
        # pairs of ratings on the way
        distances = np.asarray(steps * (steps + 1) / 2, dtype=np.float64)
    return np.asarray(1 - distances / distances.max(), dtype=np.float64)

"""Turns scores into probabilities.

The probability of a candidate is how often such a one would be a fact of the graph, were as large
a share of the graph's facts unknown as the validation part is. It is that of a fact which the
graph has: as no graph is complete, what is true is likelier than that.

Candidates are the entities of a fitting type, but for those that make a known fact and for the
entity that is asked about. Their scores become shares of one (their softmax), and a logistic
curve over the logarithm of the share gives the probability (Platt 1999; for embeddings Tabacof &
Costabello 2020, "Probability calibration for knowledge graph embedding models").
"""

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit

from kg.embeddings.triples import BoolArray, FloatArray

BINS: Final = 10
"""Of the calibration error."""

_NEAR: Final = 1e-5
"""Steepness of the loss, a fact counting 1, at which the search for a curve ends."""
_FLAT: Final = 1e-9
"""Slope of a curve that says the same of all candidates."""

End = Literal["heads", "tails"]
"""Of triples: what is sought."""


@dataclass(frozen=True)
class Calibration:
    """The curve ``1 / (1 + exp(-(slope x + intercept)))`` of the log-softmax x."""

    slope: float
    """Above 0: the order of candidates stays."""
    intercept: float

    def probabilities(self, shares: FloatArray) -> FloatArray:
        """Of the logarithms of shares, any shape."""
        found: FloatArray = expit(self.slope * shares + self.intercept)
        return found


def log_shares(scores: FloatArray) -> FloatArray:
    """Logarithm of the softmax of scores over the last axis.

    ``-inf`` is no candidate and stays so; a query may be without any.
    """
    total = log_total(scores)
    shares: FloatArray = scores - np.where(np.isfinite(total), total, 0.0)
    return shares


def log_total(scores: FloatArray) -> FloatArray:
    """Logarithm of the sum of exponentials over the last axis, which stays with length 1.

    ``-inf`` is no candidate; the total of none is ``-inf``.
    """
    top = scores.max(axis=-1, keepdims=True)
    above = scores - np.where(np.isfinite(top), top, 0.0)
    total = np.exp(above).sum(axis=-1, keepdims=True)  # at least 1, for the best candidate
    found: FloatArray = top + np.log(np.maximum(total, 1.0))
    return found


def fit(shares: FloatArray, true: BoolArray, weights: FloatArray) -> Calibration | None:
    """The likeliest curve (weighted logistic regression).

    Where facts have smaller shares than other candidates, the likeliest that does not turn their
    order: all but the same probability for all.

    Args:
        shares: logarithms of shares, shape (candidates,), as the next two.
        true: whether the candidate is a fact; some are, and some are not.
        weights: how many candidates one stands for.

    Returns:
        None where the search for it does not converge.
    """
    each = weights / weights[true].sum()  # a fact counts 1, however many the other candidates are
    terms = np.stack([shares, np.ones_like(shares)])

    def loss(curve: FloatArray) -> float:
        x = curve @ terms
        return float((each * (np.logaddexp(0.0, x) - true * x)).sum())

    def gradient(curve: FloatArray) -> FloatArray:
        found: FloatArray = terms @ (each * (expit(curve @ terms) - true))
        return found

    def curvature(curve: FloatArray) -> FloatArray:
        p = expit(curve @ terms)
        found: FloatArray = (each * p * (1 - p) * terms) @ terms.T
        return found

    start = np.array([1.0, 0.0])
    found = minimize(loss, start, jac=gradient, hess=curvature, method="trust-exact", tol=_NEAR)
    if not found.success:
        return None
    if found.x[0] <= 0:
        return Calibration(_FLAT, -float(np.log(each[~true].sum())))
    return Calibration(float(found.x[0]), float(found.x[1]))


def calibration_error(probabilities: FloatArray, true: BoolArray, weights: FloatArray) -> float:
    """Mean distance of probability and frequency, the candidates parted by probability into BINS.

    The expected calibration error of Naeini et al. 2015, in [0, 1], 0 the best.

    Args:
        probabilities: shape (candidates,), as the next two.
        true: whether the candidate is a fact.
        weights: how many candidates one stands for.
    """
    bins = np.minimum((probabilities * BINS).astype(int), BINS - 1)
    counts = np.bincount(bins, weights, BINS)
    facts = np.bincount(bins, weights * true, BINS)
    said = np.bincount(bins, weights * probabilities, BINS)
    return float(np.abs(said - facts).sum() / counts.sum())

"""Turns scores into probabilities: how often a candidate with such a score is a held-out fact.

The scores of a query's candidates become shares of one (their softmax), and a logistic curve
over the logarithm of the share gives the probability (Platt 1999; for embeddings Tabacof &
Costabello 2020, "Probability calibration for knowledge graph embedding models"). It is fitted on
the validation triples, where the candidates are all entities of fitting type that make no
triple known from training. As no graph is complete, the probability is that of a fact which the
graph has; that of a true fact is higher.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

from kg.embeddings.triples import FloatArray

BINS: Final = 10
"""Of the calibration error."""

_Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Calibration:
    """The curve ``1 / (1 + exp(-(slope x + intercept)))`` of the log-softmax x."""

    slope: float
    """Above 0: the order of candidates stays."""
    intercept: float

    def probabilities(self, shares: FloatArray) -> FloatArray:
        """Of the logarithms of shares, any shape."""
        return _logistic(self.slope * shares + self.intercept)


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


def fit(shares: FloatArray, true: _Bools, weights: FloatArray) -> Calibration:
    """The likeliest curve (weighted logistic regression).

    Args:
        shares: logarithms of shares, shape (candidates,), as the next two.
        true: whether the candidate is a fact.
        weights: how many candidates one stands for.
    """

    def loss(curve: FloatArray) -> tuple[float, FloatArray]:
        slope = np.exp(curve[0])
        x = slope * shares + curve[1]
        error = weights * (_logistic(x) - true)
        value = (weights * (np.logaddexp(0.0, x) - true * x)).sum() / weights.sum()
        gradient = np.array([(error * shares).sum() * slope, error.sum()]) / weights.sum()
        return float(value), gradient

    found = minimize(loss, np.zeros(2), jac=True, method="BFGS")
    return Calibration(float(np.exp(found.x[0])), float(found.x[1]))


def calibration_error(probabilities: FloatArray, true: _Bools, weights: FloatArray) -> float:
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


def _logistic(x: FloatArray) -> FloatArray:
    half: FloatArray = 0.5 * (1 + np.tanh(x / 2))
    return half

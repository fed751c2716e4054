"""Probabilities: the curve that made the facts is found, and its error measured."""

import numpy as np
import pytest
import torch
from torch import Tensor

from kg.embeddings.calibrating import calibrate, measured_error
from kg.embeddings.calibration import Calibration, calibration_error, fit, log_shares, log_total
from kg.embeddings.candidates import Mask
from kg.embeddings.triples import Entities, FloatArray, Split


def drawn(curve: Calibration, count: int) -> tuple[FloatArray, Mask]:
    """Logarithms of shares, and whether each is a fact by the probability of the curve."""
    draw = np.random.default_rng(0)
    shares = draw.uniform(-12, 0, count)
    return shares, draw.random(count) < curve.probabilities(shares)


@pytest.mark.parametrize("curve", [Calibration(0.5, 1.0), Calibration(1.0, 0.0)])
def test_the_curve_that_made_the_facts_is_found(curve: Calibration) -> None:
    shares, true = drawn(curve, 200_000)
    found = fit(shares, true, np.ones(len(shares)))
    assert found.slope == pytest.approx(curve.slope, rel=0.03)
    assert found.intercept == pytest.approx(curve.intercept, abs=0.05)


def test_a_weight_counts_as_so_many_candidates() -> None:
    shares, true = drawn(Calibration(0.8, 1.0), 3_000)
    weights = np.random.default_rng(1).integers(1, 5, len(shares))
    one = fit(shares, true, weights.astype(float))
    many = fit(np.repeat(shares, weights), np.repeat(true, weights), np.ones(weights.sum()))
    assert (one.slope, one.intercept) == pytest.approx((many.slope, many.intercept), rel=1e-3)


def test_facts_that_all_stand_above_the_rest_give_a_curve_nonetheless() -> None:
    shares = np.array([-0.1, -0.2, -5.0, -6.0, -7.0])
    true = np.array([True, True, False, False, False])
    found = fit(shares, true, np.array([1.0, 1, 30, 30, 30])).probabilities(shares)
    assert (found[:2] > 0.9).all()
    assert (found[2:] < 0.1).all()


def test_the_likelier_the_share_the_likelier_the_fact() -> None:
    shares = np.linspace(-30, 0, 50)
    found = Calibration(0.7, 0.2).probabilities(shares)
    assert (np.diff(found) > 0).all()
    assert (found >= 0).all()
    assert (found <= 1).all()


def test_a_perfect_forecaster_has_no_error() -> None:
    probabilities = np.repeat([0.0, 0.25, 0.5, 1.0], 8)
    true = np.concatenate([np.arange(8) < round(8 * p) for p in (0, 0.25, 0.5, 1)])
    assert calibration_error(probabilities, true, np.ones(32)) == 0


def test_error_is_the_mean_distance_of_probability_and_frequency() -> None:
    # two bins: .9 said of a weight of 4 with 2 facts, .1 of a weight of 12 without:
    # (4 * |.9 - .5| + 12 * .1) / 16
    probabilities = np.array([0.9, 0.9, 0.1])
    true, weights = np.array([True, False, False]), np.array([2.0, 2.0, 12.0])
    assert calibration_error(probabilities, true, weights) == pytest.approx(0.175)


def test_shares_are_a_softmax_without_what_is_no_candidate() -> None:
    scores = np.array([[1.0, 2.0, -np.inf], [-np.inf] * 3])
    shares = log_shares(scores)
    assert np.exp(shares[0]) == pytest.approx([1 / (1 + np.e), np.e / (1 + np.e), 0])
    assert np.isneginf(shares[1]).all()
    assert log_total(scores)[:, 0] == pytest.approx([np.log(np.exp(1) + np.exp(2)), -np.inf])
    assert np.exp(log_shares(np.array([5000.0, 5000.0]))) == pytest.approx([0.5, 0.5])


class Fixed:
    """The same scores for every query, higher for lower entities."""

    def __init__(self, entities: int) -> None:
        self._scores = -torch.arange(entities, dtype=torch.float32)

    def tails(self, heads: Tensor, relations: Tensor) -> Tensor:
        del relations
        return self._scores.repeat(len(heads), 1)

    def heads(self, relations: Tensor, tails: Tensor) -> Tensor:
        return self.tails(tails, relations)


def split_of(train: list[list[int]], valid: list[list[int]], types: str) -> Split:
    """Entities by the letters of their types; no test triples."""
    ids = tuple(f"{at:02}" for at in range(len(types)))
    rows = [np.array(part, dtype=np.int64).reshape(-1, 3) for part in (train, valid, [])]
    return Split(Entities(ids, tuple(types)), ("R",), rows[0], rows[1], rows[2])


def test_a_model_that_knows_is_given_high_probabilities() -> None:
    # 0 and 1 are always likeliest, and the held-out facts have them at both ends
    train = [[at, 0, (at + 7) % 20] for at in range(20)]
    split = split_of(train, [[0, 0, 0], [1, 0, 1], [0, 0, 1], [1, 0, 0]], "A" * 20)
    curve = calibrate(Fixed(20), split, 0)
    assert curve is not None
    shares = log_shares(-np.arange(20.0))
    assert curve.probabilities(shares)[0] > 0.5
    assert curve.probabilities(shares)[5] < 0.1
    assert measured_error(curve, Fixed(20), split, 0) is None


@pytest.mark.parametrize(
    ("train", "valid", "types"),
    [
        ([[0, 0, 1]], [], "AB"),
        ([[0, 0, 1], [2, 0, 3]], [[0, 0, 3]], "ABAB"),  # no wrong candidates are left
        ([[0, 0, 1]], [[1, 0, 0]], "AB"),  # no candidate is of a fitting type
    ],
)
def test_what_teaches_nothing_gives_no_curve(
    train: list[list[int]], valid: list[list[int]], types: str
) -> None:
    assert calibrate(Fixed(len(types)), split_of(train, valid, types), 0) is None

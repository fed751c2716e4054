"""Probabilities: the curve that made the facts is found, and its error measured."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import Tensor

from kg.embeddings.calibration import (
    Calibration,
    End,
    calibrate,
    calibration_error,
    fit,
    log_softmax,
    log_sum_exp,
    measured_error,
)
from kg.embeddings.triples import BoolArray, Entities, FloatArray, Split


def drawn(curve: Calibration, count: int) -> tuple[FloatArray, BoolArray]:
    """Log softmaxes, and whether each is a fact by the probability of the curve."""
    draw = np.random.default_rng(0)
    logs = draw.uniform(-12, 0, count)
    return logs, draw.random(count) < curve.probabilities(logs)


@pytest.mark.parametrize("curve", [Calibration(0.5, 1.0), Calibration(1.0, 0.0)])
def test_the_curve_that_made_the_facts_is_found(curve: Calibration) -> None:
    logs, true = drawn(curve, 200_000)
    found = fit(logs, true, np.ones(len(logs)))
    assert found is not None
    assert found.slope == pytest.approx(curve.slope, rel=0.03)
    assert found.intercept == pytest.approx(curve.intercept, abs=0.05)


def test_the_curve_is_found_among_many_candidates_too() -> None:
    curve = Calibration(1.5, 1.0)
    logs = log_softmax(np.random.default_rng(0).normal(0, 3, (10, 20_000))).ravel()
    facts = curve.probabilities(logs)  # each candidate is a fact so often, and else none
    true = np.repeat([True, False], len(logs))
    found = fit(np.tile(logs, 2), true, np.concatenate([facts, 1 - facts]))
    assert found is not None
    assert (found.slope, found.intercept) == pytest.approx((1.5, 1.0), rel=1e-3)


def test_a_weight_counts_as_so_many_candidates() -> None:
    logs, true = drawn(Calibration(0.8, 1.0), 3_000)
    weights = np.random.default_rng(1).integers(1, 5, len(logs))
    one = fit(logs, true, weights.astype(float))
    many = fit(np.repeat(logs, weights), np.repeat(true, weights), np.ones(weights.sum()))
    assert one is not None
    assert many is not None
    assert (one.slope, one.intercept) == pytest.approx((many.slope, many.intercept), rel=1e-3)


def test_facts_that_all_stand_above_the_rest_give_a_curve_nonetheless() -> None:
    logs = np.array([-0.1, -0.2, -5.0, -6.0, -7.0])
    true = np.array([True, True, False, False, False])
    curve = fit(logs, true, np.array([1.0, 1, 30, 30, 30]))
    assert curve is not None
    found = curve.probabilities(logs)
    assert (found[:2] > 0.9).all()
    assert (found[2:] < 0.1).all()


def test_facts_that_all_stand_below_the_rest_do_not_reverse_the_order() -> None:
    logs = np.array([-0.1, -0.2, -0.3, -7.0])
    found = fit(logs, np.array([False, False, False, True]), np.ones(4))
    assert found is not None
    assert found.slope > 0
    assert found.probabilities(logs) == pytest.approx([0.25] * 4)


def test_the_higher_the_softmax_the_likelier_the_fact() -> None:
    logs = np.linspace(-30, 0, 50)
    found = Calibration(0.7, 0.2).probabilities(logs)
    assert (np.diff(found) > 0).all()
    assert (found >= 0).all()
    assert (found <= 1).all()


def test_a_perfect_forecaster_has_no_error() -> None:
    probabilities = np.repeat([0.0, 0.25, 0.5, 1.0], 8)
    true = np.concatenate([np.arange(8) < round(8 * p) for p in (0, 0.25, 0.5, 1)])
    assert calibration_error(probabilities, true, np.ones(32)) == 0


def test_error_is_the_mean_distance_of_probability_and_frequency() -> None:
    # two bins: .9 given to a weight of 4 with 2 facts, .1 of a weight of 12 without:
    # (4 * |.9 - .5| + 12 * .1) / 16
    probabilities = np.array([0.9, 0.9, 0.1])
    true, weights = np.array([True, False, False]), np.array([2.0, 2.0, 12.0])
    assert calibration_error(probabilities, true, weights) == pytest.approx(0.175)


def test_log_softmax_leaves_out_what_is_no_candidate() -> None:
    scores = np.array([[1.0, 2.0, -np.inf], [-np.inf] * 3])
    logs = log_softmax(scores)
    assert np.exp(logs[0]) == pytest.approx([1 / (1 + np.e), np.e / (1 + np.e), 0])
    assert np.isneginf(logs[1]).all()
    assert log_sum_exp(scores)[:, 0] == pytest.approx([np.log(np.exp(1) + np.exp(2)), -np.inf])
    assert np.exp(log_softmax(np.array([5000.0, 5000.0]))) == pytest.approx([0.5, 0.5])


class Fixed:
    """The same scores for every query, higher for lower entities."""

    def __init__(self, entities: int) -> None:
        self._scores = -torch.arange(entities, dtype=torch.float32)

    def tails(self, heads: Tensor, relations: Tensor) -> Tensor:
        del relations
        return self._scores.repeat(len(heads), 1)

    def heads(self, relations: Tensor, tails: Tensor) -> Tensor:
        return self.tails(tails, relations)


def split_of(
    train: list[list[int]],
    valid: list[list[int]],
    types: str,
    test: Sequence[list[int]] = (),
    relation: str = "R",
) -> Split:
    """Entities by the letters of their types."""
    ids = tuple(f"{at:04}" for at in range(len(types)))
    rows = [np.array(part, dtype=np.int64).reshape(-1, 3) for part in (train, valid, test)]
    return Split(Entities(ids, tuple(types)), (relation,), rows[0], rows[1], rows[2])


def drawn_split(entities: int, facts: int, valid: int, test: int) -> Split:
    """Facts between entities drawn by chance, low ones more often; 0 and 1 are in no fact."""
    draw = np.random.default_rng(0)
    ends = 2 + draw.geometric(8 / entities, (3 * facts, 2)) % (entities - 2)
    pairs = np.unique(ends[ends[:, 0] != ends[:, 1]], axis=0)
    rows = [[int(h), 0, int(t)] for h, t in draw.permutation(pairs)[:facts]]
    held_out = valid + test
    return split_of(rows[held_out:], rows[:valid], "A" * entities, rows[valid:held_out])


class Near(Fixed):
    """Higher scores for nearer entities."""

    def tails(self, heads: Tensor, relations: Tensor) -> Tensor:
        del relations
        return 3 * -(heads[:, None] + self._scores).abs()


def test_a_model_that_knows_is_given_high_probabilities() -> None:
    train = [[at, 0, (at + 7) % 20] for at in range(20)]
    valid = [[at, 0, at + 1] for at in range(19)] + [[at + 1, 0, at] for at in range(19)]
    split = split_of(train, valid, "A" * 20)
    curves = calibrate(Near(20), split, 0)
    for curve in (curves["tails"], curves["heads"]):
        assert curve.probabilities(np.log([0.45, 0.02])) == pytest.approx([1, 0], abs=0.1)
    assert measured_error(curves, Near(20), split, 0) is None


@pytest.mark.parametrize(
    ("train", "valid", "types"),
    [
        ([[0, 0, 1]], [], "AB"),
        ([[0, 0, 1], [2, 0, 3]], [[0, 0, 3], [2, 0, 1]], "ABAB"),  # no wrong candidates are left
        ([[0, 0, 1]], [[0, 0, 0]], "AA"),  # what is asked about is no candidate
        ([[0, 0, 1]], [[1, 0, 0]], "AB"),  # no candidate is of a fitting type
    ],
)
def test_what_teaches_nothing_gives_no_curve(
    train: list[list[int]], valid: list[list[int]], types: str
) -> None:
    assert calibrate(Fixed(len(types)), split_of(train, valid, types), 0) == {}


def promised(curves: dict[End, Calibration], split: Split) -> dict[End, float]:
    """How many facts probabilities promise, summed over all that can be asked for an end."""
    entities = len(split.entities)
    found = dict.fromkeys(curves, 0.0)
    sides: tuple[tuple[End, int, int], ...] = (("tails", 0, 2), ("heads", 2, 0))
    for end, given, sought in sides:
        for entity in np.unique(split.train[:, given]):
            scores = -np.arange(entities, dtype=np.float64)
            known = split.facts[split.facts[:, given] == entity, sought]
            held_out = split.valid[split.valid[:, given] == entity, sought]
            scores[np.setdiff1d(known, held_out)] = -np.inf
            scores[entity] = -np.inf
            found[end] += curves[end].probabilities(log_softmax(scores)).sum()
    return found


def test_as_many_facts_are_promised_as_were_held_out_of_all_that_can_be_asked() -> None:
    split = drawn_split(60, 700, 30, 0)  # nearly every entity is asked about; few have an answer
    assert set(split.valid[:, [0, 2]].ravel()) <= set(split.train[:, [0, 2]].ravel())
    curves = calibrate(Fixed(60), split, 0)
    there = dict.fromkeys(curves, len(split.valid))
    assert len(there) == 2
    assert promised(curves, split) == pytest.approx(there, rel=1e-3)


def test_test_facts_beyond_the_share_of_the_validation_facts_are_known() -> None:
    split = drawn_split(100, 900, 60, 400)
    curves = calibrate(Fixed(100), split, 0)
    error = measured_error(curves, Fixed(100), split, 0)
    few = replace(split, test=split.test[:60], left_out=split.test[60:])
    assert error is not None
    assert error == pytest.approx(measured_error(curves, Fixed(100), few, 0), abs=0.02)


def test_the_error_does_not_depend_on_which_wrong_candidates_are_drawn() -> None:
    split = drawn_split(600, 500, 40, 40)
    curves: dict[End, Calibration] = dict.fromkeys(("tails", "heads"), Calibration(0.6, -1.0))
    errors = [measured_error(curves, Fixed(600), split, seed) for seed in range(4)]
    assert errors == pytest.approx([errors[0]] * 4, rel=0.02)


def test_what_a_symmetric_relation_says_once_is_held_out_both_ways() -> None:
    once = drawn_split(40, 300, 40, 0)
    smaller = once.train[:, 0] < once.train[:, 2]
    valid = once.valid[once.valid[:, 0] < once.valid[:, 2]]
    named = replace(once, relations=("RESEMBLES",), train=once.train[smaller], valid=valid)
    both = replace(
        named,
        train=np.concatenate([named.train, named.train[:, ::-1]]),
        valid=np.concatenate([valid, valid[:, ::-1]]),
    )
    assert calibrate(Fixed(40), named, 0) == calibrate(Fixed(40), both, 0)

"""Fits and measures a calibration on held-out triples: their true ends beside other candidates."""

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
import torch

from kg.embeddings.calibration import Calibration, calibration_error, fit, log_shares
from kg.embeddings.candidates import Candidates, Mask
from kg.embeddings.known import Known, Lists
from kg.embeddings.scorer import Scorer
from kg.embeddings.triples import FloatArray, IntArray, Split

QUERIES: Final = 1_000
"""Held-out triples that are asked for at most, for each end."""
WORTH_A_LOOK: Final = 0.01
"""Probability from which on a candidate counts for the calibration error."""
_OTHERS: Final = 100
"""Wrong candidates of a query that are looked at."""
_BATCH: Final = 64


class _Sample(NamedTuple):
    """Candidates of queries."""

    shares: FloatArray
    """Logarithms of shares, shape (candidates,), as the next two."""
    true: npt.NDArray[np.bool_]
    weights: FloatArray
    """How many candidates one stands for."""


def calibrate(scorer: Scorer, split: Split, seed: int) -> Calibration | None:
    """The curve that fits the validation triples.

    Returns:
        None where there are none, or all their candidates are right, or all are wrong.
    """
    sample = _sample(scorer, split, split.train, split.valid, seed)
    if sample is None or sample.true.all() or not sample.true.any():
        return None
    return fit(*sample)


def measured_error(
    calibration: Calibration, scorer: Scorer, split: Split, seed: int
) -> float | None:
    """Calibration error on the test triples, over the candidates that are worth a look.

    These are those of a probability of at least WORTH_A_LOOK: nearly all of a large graph's
    candidates have none to speak of, and all that is said of them is right. None where there
    are no such candidates.
    """
    given = np.concatenate([split.train, split.valid])
    sample = _sample(scorer, split, given, split.test, seed)
    if sample is None:
        return None
    said = calibration.probabilities(sample.shares)
    looked = said >= WORTH_A_LOOK
    if not looked.any():
        return None
    return calibration_error(said[looked], sample.true[looked], sample.weights[looked])


def _sample(
    scorer: Scorer, split: Split, given: IntArray, held_out: IntArray, seed: int
) -> _Sample | None:
    """Ask for the ends of held-out triples, as someone who knows those that are given."""
    random = np.random.default_rng(seed)
    count = min(QUERIES, len(held_out))
    asked = held_out[np.sort(random.choice(len(held_out), count, replace=False))]
    fitting, known, true = Candidates.of(split), Known.of(given), Known.of(held_out)
    tails = _Side(scorer, True, fitting.tails, known.tails, true.tails)
    heads = _Side(scorer, False, fitting.heads, known.heads, true.heads)
    found = [
        *tails.samples(np.unique(asked[:, [0, 1]], axis=0), random),
        *heads.samples(np.unique(asked[:, [2, 1]], axis=0), random),
    ]
    if not found:
        return None
    return _Sample(*(np.concatenate(parts) for parts in zip(*found, strict=True)))


class _Side(NamedTuple):
    """What is asked to find one end of triples."""

    scorer: Scorer
    tails: bool
    """Whether tails are sought, not heads."""
    fitting: tuple[Mask, ...]
    known: Lists
    true: Lists

    def samples(self, queries: IntArray, random: np.random.Generator) -> Iterator[_Sample]:
        """Candidates of queries: entity and relation, shape (queries, 2)."""
        for start in range(0, len(queries), _BATCH):
            batch = queries[start : start + _BATCH]
            for row, (entity, relation) in zip(self._scores(batch), batch, strict=True):
                row[~self.fitting[relation]] = -np.inf
                row[self.known.of_query(entity, relation)] = -np.inf
                if np.isfinite(row).any():
                    yield _of_query(row, self.true.of_query(entity, relation), random)

    def _scores(self, queries: IntArray) -> FloatArray:
        entities, relations = (torch.from_numpy(np.ascontiguousarray(part)) for part in queries.T)
        asked = (
            self.scorer.tails(entities, relations)
            if self.tails
            else self.scorer.heads(relations, entities)
        )
        return asked.cpu().numpy().astype(np.float64)


def _of_query(row: FloatArray, answers: IntArray, random: np.random.Generator) -> _Sample:
    """The true candidates of a query, and some of the others for all of them."""
    shares = log_shares(row)
    there = answers[np.isfinite(row[answers])]
    open_ = np.isfinite(row)
    open_[there] = False
    others = np.flatnonzero(open_)
    drawn = random.choice(others, min(_OTHERS, len(others)), replace=False)
    chosen = np.concatenate([there, drawn])
    weights = np.ones(len(chosen))
    weights[len(there) :] = len(others) / max(len(drawn), 1)
    return _Sample(shares[chosen], np.arange(len(chosen)) < len(there), weights)

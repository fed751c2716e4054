"""Fits and measures a calibration: held-out facts are unknown again, and every query is asked.

Asked are the distinct ``<h, r, ?>`` and ``<?, r, t>`` of the training facts, as ``medkg embed
complete`` asks them: most have no held-out answer. Those that have one, and those that have none,
are sampled apart and weigh as many as there are of them. Tails and heads have a curve each, for
a relation has seldom as many heads of a tail as tails of a head.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
import torch

from kg.embeddings.calibration import Calibration, End, calibration_error, fit, log_shares
from kg.embeddings.candidates import Answers, Candidates, Known, queries_of_keys
from kg.embeddings.scorer import Scorer
from kg.embeddings.triples import BoolArray, FloatArray, IntArray, Split, no_rows

QUERIES: Final = 1_000
"""That are asked at most for each end: so many with a held-out answer, so many without."""
WORTH_A_LOOK: Final = 0.01
"""Probability from which on a candidate counts for the calibration error."""
_BEST: Final = 200
"""Wrong candidates of a query that are all looked at."""
_OTHERS: Final = 100
"""Of its further wrong candidates, so many are drawn."""
_BATCH: Final = 64


class _Sample(NamedTuple):
    """Candidates of queries."""

    shares: FloatArray
    """Logarithms of shares, shape (candidates,), as the next two."""
    true: npt.NDArray[np.bool_]
    weights: FloatArray
    """How many candidates one stands for."""


def calibrate(scorer: Scorer, split: Split, seed: int) -> dict[End, Calibration]:
    """The curves that fit where the validation triples are unknown, by the end that is sought.

    Returns:
        None of an end where there are no such triples, or all its candidates are right, or all
        are wrong, or no curve is found.
    """
    found = {}
    for end, sample in _samples(scorer, split, split.valid, np.random.default_rng(seed)).items():
        if sample.true.any() and not sample.true.all():
            curve = fit(*sample)
            if curve is not None:
                found[end] = curve
    return found


def measured_error(
    curves: Mapping[End, Calibration], scorer: Scorer, split: Split, seed: int
) -> float | None:
    """Calibration error on the test triples, over the candidates that are worth a look.

    As many test triples are unknown as there are validation triples, for a probability depends
    on how many are; further ones are known. Where there are fewer, the facts are sparser than
    the curve supposes, and the error is the greater for it.

    Worth a look are candidates of a probability of at least WORTH_A_LOOK: nearly all of a large
    graph's have none to speak of, and all that is said of them is right.

    Returns:
        None where there are no test triples, or no such candidates.
    """
    random = np.random.default_rng(seed)
    count = min(len(split.valid), len(split.test))
    drawn = random.choice(split.test, count, replace=False)
    looked_at = []
    for end, sample in _samples(scorer, split, drawn, random).items():
        if end in curves:
            said = curves[end].probabilities(sample.shares)
            looked = said >= WORTH_A_LOOK
            looked_at.append((said[looked], sample.true[looked], sample.weights[looked]))
    if not sum(len(said) for said, _, _ in looked_at):
        return None
    return calibration_error(*(np.concatenate(parts) for parts in zip(*looked_at, strict=True)))


def _samples(
    scorer: Scorer, split: Split, held_out: IntArray, random: np.random.Generator
) -> dict[End, _Sample]:
    """Ask as someone who knows all facts but those that are held out; of no end where none are."""
    if not len(held_out):
        return {}
    fitting, facts = Candidates.of(split), Known.of(split.facts)
    asked = Known.of(_both_ways(split, split.train))
    true = Known.of(_both_ways(split, held_out))
    sides: dict[End, _Side] = {
        "tails": _Side(
            scorer, True, fitting.tails, fitting.heads, asked.tails, facts.tails, true.tails
        ),
        "heads": _Side(
            scorer, False, fitting.heads, fitting.tails, asked.heads, facts.heads, true.heads
        ),
    }
    found = {end: list(side.samples(random)) for end, side in sides.items()}
    return {
        end: _Sample(*(np.concatenate(parts) for parts in zip(*some, strict=True)))
        for end, some in found.items()
        if some
    }


def _both_ways(split: Split, rows: IntArray) -> IntArray:
    """Rows, and what they say of the exchanged ends, as ``Split.facts`` has it."""
    none = no_rows()
    return replace(split, train=rows, valid=none, test=none, left_out=none).facts


class _Side(NamedTuple):
    """What is asked to find one end of triples."""

    scorer: Scorer
    tails: bool
    """Whether tails are sought, not heads."""
    fitting: tuple[BoolArray, ...]
    """What may stand at the end that is sought."""
    given: tuple[BoolArray, ...]
    """What may stand at the other end; of others nothing is said."""
    asked: Answers
    facts: Answers
    true: Answers
    """Of the facts, those that are held out."""

    def samples(self, random: np.random.Generator) -> Iterator[_Sample]:
        """Of queries that have a true answer, and of those that have none, their candidates."""
        queries = self.asked.queries
        answered = np.isin(queries, self.true.queries)
        for stratum in (queries[answered], queries[~answered]):
            count = min(QUERIES, len(stratum))
            drawn = np.sort(random.choice(stratum, count, replace=False))
            for start in range(0, count, _BATCH):
                for shares, true in self._candidates(
                    *queries_of_keys(drawn[start : start + _BATCH])
                ):
                    sample = _of_query(shares, true, random)
                    yield sample._replace(weights=sample.weights * (len(stratum) / count))

    def _candidates(
        self, entities: IntArray, relations: IntArray
    ) -> Iterator[tuple[FloatArray, IntArray]]:
        """Of each query, the logarithms of shares, shape (entities,), and the true answers."""
        scores = self._scores(entities, relations)
        for row, entity, relation in zip(scores, entities, relations, strict=True):
            if not self.given[relation][entity]:
                continue
            true = self.true.of_query(entity, relation)
            row[~self.fitting[relation]] = -np.inf
            row[np.setdiff1d(self.facts.of_query(entity, relation), true)] = -np.inf
            row[entity] = -np.inf
            if np.isfinite(row).any():
                yield log_shares(row), true

    def _scores(self, entities: IntArray, relations: IntArray) -> FloatArray:
        of, by = torch.from_numpy(entities), torch.from_numpy(relations)
        asked = self.scorer.tails(of, by) if self.tails else self.scorer.heads(by, of)
        return asked.cpu().numpy().astype(np.float64)


def _of_query(shares: FloatArray, answers: IntArray, random: np.random.Generator) -> _Sample:
    """The true candidates of a query, the best of the others, and some for all further ones."""
    there = answers[np.isfinite(shares[answers])]
    open_ = np.isfinite(shares)
    open_[there] = False
    wrong = np.flatnonzero(open_)
    if len(wrong) > _BEST:
        wrong = wrong[np.argpartition(-shares[wrong], _BEST)]
    best, further = wrong[:_BEST], wrong[_BEST:]
    drawn = random.choice(further, min(_OTHERS, len(further)), replace=False)
    chosen = np.concatenate([there, best, drawn])
    weights = np.ones(len(chosen))
    weights[len(there) + len(best) :] = len(further) / max(len(drawn), 1)
    return _Sample(shares[chosen], np.arange(len(chosen)) < len(there), weights)

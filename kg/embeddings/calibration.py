"""Calibration: turns a model's scores into probabilities.

The probability of a candidate is how often such a candidate would be a fact of the graph, were as
large a share of the graph's facts unknown as the validation part is. It is about facts that the
graph has: as no graph is complete, the truth is likelier than that.

Candidates of a query are the entities of a fitting type, without those that make a known fact and
without the entity asked about. Their scores become a log softmax over the candidates, and a
logistic curve of it gives the probability (Platt scaling, Platt 1999; for embeddings Tabacof &
Costabello 2020, "Probability calibration for knowledge graph embedding models").

To fit and to measure the curve, held-out facts are taken as unknown again, and the distinct
``<h, r, ?>`` and ``<?, r, t>`` of the training facts are asked, as ``medkg embed complete`` asks
them. Most have no held-out answer. Queries with one and queries without one are sampled apart, and
weighted by how many there are of each. Tails and heads have a curve each, as a relation seldom has
as many heads per tail as tails per head.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal, NamedTuple

import numpy as np
import torch
from scipy.optimize import minimize
from scipy.special import expit

from kg.embeddings.candidates import Answers, Candidates, Known, queries_of_keys
from kg.embeddings.scoring import Scorer
from kg.embeddings.triples import BoolArray, FloatArray, IntArray, Split, no_rows

BINS: Final = 10
"""Number of bins of the calibration error."""
QUERIES: Final = 1_000
"""Queries sampled for each end, at most: so many with a held-out answer, so many without."""
LEAST_PROBABILITY: Final = 0.01
"""Probability from which on a candidate counts for the calibration error."""

_GRADIENT: Final = 1e-5
"""Norm of the loss's gradient, a fact counting 1, at which the search for a curve ends."""
_FLAT: Final = 1e-9
"""Slope of a curve that gives all candidates the same probability."""
_TOP_NEGATIVES: Final = 200
"""Wrong candidates of a query with the highest scores, all of which are used."""
_OTHER_NEGATIVES: Final = 100
"""How many of its further wrong candidates are sampled."""
_BATCH: Final = 64

End = Literal["heads", "tails"]
"""The end of triples that is sought."""


@dataclass(frozen=True)
class Calibration:
    """The logistic curve ``1 / (1 + exp(-(slope x + intercept)))`` of the log softmax x."""

    slope: float
    """Above 0, so that the order of candidates stays."""
    intercept: float

    def probabilities(self, log_softmaxes: FloatArray) -> FloatArray:
        """Probabilities of candidates, from their log softmax; any shape."""
        probabilities: FloatArray = expit(self.slope * log_softmaxes + self.intercept)
        return probabilities


def log_softmax(scores: FloatArray) -> FloatArray:
    """Logarithm of the softmax of scores over the last axis.

    ``-inf`` is no candidate and stays so; a query may have none.
    """
    total = log_sum_exp(scores)
    logs: FloatArray = scores - np.where(np.isfinite(total), total, 0.0)
    return logs


def log_sum_exp(scores: FloatArray) -> FloatArray:
    """Logarithm of the sum of exponentials over the last axis, which stays with length 1.

    ``-inf`` is no candidate; the sum of none gives ``-inf``.
    """
    top = scores.max(axis=-1, keepdims=True)
    above = scores - np.where(np.isfinite(top), top, 0.0)
    total = np.exp(above).sum(axis=-1, keepdims=True)  # at least 1, for the best candidate
    logs: FloatArray = top + np.log(np.maximum(total, 1.0))
    return logs


def fit(log_softmaxes: FloatArray, true: BoolArray, weights: FloatArray) -> Calibration | None:
    """The most likely curve (weighted logistic regression).

    Where facts have lower scores than other candidates, the most likely curve that does not
    reverse their order: practically the same probability for all.

    Args:
        log_softmaxes: shape (candidates,), as the next two.
        true: whether the candidate is a fact; some are, and some are not.
        weights: how many candidates each stands for.

    Returns:
        None where the search for the curve does not converge.
    """
    each = weights / weights[true].sum()  # a fact counts 1, however many the other candidates are
    terms = np.stack([log_softmaxes, np.ones_like(log_softmaxes)])

    def loss(curve: FloatArray) -> float:
        x = curve @ terms
        return float((each * (np.logaddexp(0.0, x) - true * x)).sum())

    def gradient(curve: FloatArray) -> FloatArray:
        slopes: FloatArray = terms @ (each * (expit(curve @ terms) - true))
        return slopes

    def hessian(curve: FloatArray) -> FloatArray:
        p = expit(curve @ terms)
        curvatures: FloatArray = (each * p * (1 - p) * terms) @ terms.T
        return curvatures

    best = minimize(
        loss,
        np.array([1.0, 0.0]),
        jac=gradient,
        hess=hessian,
        method="trust-exact",
        tol=_GRADIENT,
    )
    if not best.success:
        return None
    if best.x[0] <= 0:
        return Calibration(_FLAT, -float(np.log(each[~true].sum())))
    return Calibration(float(best.x[0]), float(best.x[1]))


def calibration_error(probabilities: FloatArray, true: BoolArray, weights: FloatArray) -> float:
    """Expected calibration error: mean distance of probability and frequency in BINS equal bins.

    Defined by Naeini et al. 2015; in [0, 1], 0 is best.

    Args:
        probabilities: shape (candidates,), as the next two.
        true: whether the candidate is a fact.
        weights: how many candidates each stands for.
    """
    bins = np.minimum((probabilities * BINS).astype(int), BINS - 1)
    counts = np.bincount(bins, weights, BINS)
    facts = np.bincount(bins, weights * true, BINS)
    predicted = np.bincount(bins, weights * probabilities, BINS)
    return float(np.abs(predicted - facts).sum() / counts.sum())


class _Sample(NamedTuple):
    """Candidates of queries."""

    log_softmaxes: FloatArray
    """Shape (candidates,), as the next two."""
    true: BoolArray
    weights: FloatArray
    """How many candidates each stands for."""


def calibrate(scorer: Scorer, split: Split, seed: int) -> dict[End, Calibration]:
    """Fit the curve of each end, with the validation triples taken as unknown.

    Returns:
        No curve of an end without validation triples, or whose candidates are all true or all
        wrong, or for which none is found.
    """
    curves = {}
    for end, sample in _samples(scorer, split, split.valid, np.random.default_rng(seed)).items():
        if sample.true.any() and not sample.true.all():
            curve = fit(*sample)
            if curve is not None:
                curves[end] = curve
    return curves


def measured_error(
    curves: Mapping[End, Calibration], scorer: Scorer, split: Split, seed: int
) -> float | None:
    """Calibration error on the test triples, over candidates of at least LEAST_PROBABILITY.

    Nearly all candidates of a large graph have next to no probability, and are right to: with
    them, every error would be close to 0.

    As many test triples are taken as unknown as there are validation triples, for a probability
    depends on how many are; further ones are known. Where there are fewer, facts are rarer than
    the curve supposes, and the error is the greater for it.

    Returns:
        None where there are no test triples, or no such candidates.
    """
    random = np.random.default_rng(seed)
    count = min(len(split.valid), len(split.test))
    held_out = random.choice(split.test, count, replace=False)
    counted = []
    for end, sample in _samples(scorer, split, held_out, random).items():
        if end in curves:
            probabilities = curves[end].probabilities(sample.log_softmaxes)
            counts = probabilities >= LEAST_PROBABILITY
            counted.append((probabilities[counts], sample.true[counts], sample.weights[counts]))
    if not sum(len(probabilities) for probabilities, _, _ in counted):
        return None
    return calibration_error(*(np.concatenate(parts) for parts in zip(*counted, strict=True)))


def _samples(
    scorer: Scorer, split: Split, held_out: IntArray, random: np.random.Generator
) -> dict[End, _Sample]:
    """Candidates of queries, all facts known but those held out; of no end where none are."""
    if not len(held_out):
        return {}
    fitting, facts = Candidates.of(split), Known.of(split.facts)
    queries = Known.of(_with_inverses(split, split.train))
    true = Known.of(_with_inverses(split, held_out))
    sides: dict[End, _Side] = {
        "tails": _Side(
            scorer, True, fitting.tails, fitting.heads, queries.tails, facts.tails, true.tails
        ),
        "heads": _Side(
            scorer, False, fitting.heads, fitting.tails, queries.heads, facts.heads, true.heads
        ),
    }
    samples = {end: list(side.samples(random)) for end, side in sides.items()}
    return {
        end: _Sample(*(np.concatenate(parts) for parts in zip(*some, strict=True)))
        for end, some in samples.items()
        if some
    }


def _with_inverses(split: Split, rows: IntArray) -> IntArray:
    """Rows and their inverses, as ``Split.facts`` has them."""
    none = no_rows()
    return replace(split, train=rows, valid=none, test=none, left_out=none).facts


class _Side(NamedTuple):
    """What is needed to ask for one end of triples."""

    scorer: Scorer
    tails: bool
    """Whether tails are sought, not heads."""
    fitting: tuple[BoolArray, ...]
    """Entities of a type seen at the end that is sought, by relation."""
    given: tuple[BoolArray, ...]
    """Entities of a type seen at the other end; others are not asked about."""
    queries: Answers
    """Of the training facts."""
    facts: Answers
    true: Answers
    """Those of the facts that are held out."""

    def samples(self, random: np.random.Generator) -> Iterator[_Sample]:
        """Candidates of sampled queries: of those with a true answer, then of those without."""
        keys = self.queries.queries
        answered = np.isin(keys, self.true.queries)
        for stratum in (keys[answered], keys[~answered]):
            count = min(QUERIES, len(stratum))
            chosen = np.sort(random.choice(stratum, count, replace=False))
            for start in range(0, count, _BATCH):
                batch = queries_of_keys(chosen[start : start + _BATCH])
                for log_softmaxes, true in self._candidates(*batch):
                    sample = _of_query(log_softmaxes, true, random)
                    yield sample._replace(weights=sample.weights * (len(stratum) / count))

    def _candidates(
        self, entities: IntArray, relations: IntArray
    ) -> Iterator[tuple[FloatArray, IntArray]]:
        """For each query, the log softmax of every entity, shape (entities,), and true answers."""
        of, by = torch.from_numpy(entities), torch.from_numpy(relations)
        scores = self.scorer.tails(of, by) if self.tails else self.scorer.heads(by, of)
        rows = scores.cpu().numpy().astype(np.float64)
        for row, entity, relation in zip(rows, entities, relations, strict=True):
            if not self.given[relation][entity]:
                continue
            true = self.true.of_query(entity, relation)
            row[~self.fitting[relation]] = -np.inf
            row[np.setdiff1d(self.facts.of_query(entity, relation), true)] = -np.inf
            row[entity] = -np.inf
            if np.isfinite(row).any():
                yield log_softmax(row), true


def _of_query(
    log_softmaxes: FloatArray, answers: IntArray, random: np.random.Generator
) -> _Sample:
    """The true candidates of a query, the best wrong ones, and a sample of the other wrong ones."""
    is_candidate = np.isfinite(log_softmaxes)
    true = answers[is_candidate[answers]]
    is_candidate[true] = False
    wrong = np.flatnonzero(is_candidate)
    if len(wrong) > _TOP_NEGATIVES:
        wrong = wrong[np.argpartition(-log_softmaxes[wrong], _TOP_NEGATIVES)]
    top, rest = wrong[:_TOP_NEGATIVES], wrong[_TOP_NEGATIVES:]
    sampled = random.choice(rest, min(_OTHER_NEGATIVES, len(rest)), replace=False)
    chosen = np.concatenate([true, top, sampled])
    weights = np.ones(len(chosen))
    weights[len(true) + len(top) :] = len(rest) / max(len(sampled), 1)
    return _Sample(log_softmaxes[chosen], np.arange(len(chosen)) < len(true), weights)

"""How our own selection was designed: on questions apart, by cross-validation."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from statistics import mean
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy.optimize import nnls

from qa.evaluation.cases import Case
from qa.evaluation.questions import GoldQuestion
from qa.generation.extractive import EXTRACTIVE
from qa.rouge import Reference, tokens
from qa.selection import Described, Features, choose, describe

FloatArray = npt.NDArray[np.float64]

FOLDS: Final = 5


@dataclass(frozen=True)
class Designed:
    """What the questions of the design say."""

    questions: int
    weights: Features
    """Fitted on all of them."""
    selected: dict[str, float]
    """ROUGE-L by way of choosing; ours with weights of the other four fifths."""


@dataclass(frozen=True)
class _Known:
    options: list[Described]
    scores: list[float]
    """ROUGE-L F1 with the right answer."""
    supported: list[float]
    """ROUGE-L F1 with the subgraph-text."""

    def nearest(self) -> "_Known":
        most = max(option.about for option in self.options)
        kept = [at for at, option in enumerate(self.options) if option.about == most]
        scores, supported = ([each[at] for at in kept] for each in (self.scores, self.supported))
        return _Known([self.options[at] for at in kept], scores, supported)

    def without(self, names: Collection[str]) -> "_Known":
        zeros = dict.fromkeys(names, 0.0)
        options = [o._replace(features=o.features._replace(**zeros)) for o in self.options]
        return _Known(options, self.scores, self.supported)


def design(questions: Sequence[GoldQuestion], cases: Sequence[Case]) -> Designed:
    """Fit the weights, and say what each part of the selection is worth."""
    known = []
    for question, case in zip(questions, cases, strict=True):
        options = case.options[EXTRACTIVE]
        if options:
            gold = Reference.of(tokens(question.answer))
            graph = Reference.of(tokens(case.subgraph))
            scores, supported = (
                [text.rouge_l(tokens(option.text)).f1 for option in options]
                for text in (gold, graph)
            )
            known.append(_Known(describe(case.asked, options), scores, supported))
    selected = {
        "first candidate": mean(each.scores[0] for each in known),
        "random candidate": mean(mean(each.scores) for each in known),
        "joint reasoning": mean(each.scores[_most_supported(each)] for each in known),
        "oracle of the candidates": mean(max(each.scores) for each in known),
        "ours": _validated(known),
        "ours, about anything": _validated(known, anything=True),
        **{f"ours without {name}": _validated(known, (name,)) for name in Features._fields},
        "ours by agreement alone": _validated(
            known, [name for name in Features._fields if name != "agreed"]
        ),
    }
    return Designed(len(known), _fitted(known), selected)


def _most_supported(each: _Known) -> int:
    supported = [round(score, 12) for score in each.supported]
    return supported.index(max(supported))


def _fitted(known: Sequence[_Known]) -> Features:
    pools = [each.nearest() for each in known]
    return fit([each.options for each in pools], [each.scores for each in pools])


def _validated(
    known: Sequence[_Known], without: Collection[str] = (), *, anything: bool = False
) -> float:
    scores = []
    for fold in range(FOLDS):
        others = [each.without(without) for at, each in enumerate(known) if at % FOLDS != fold]
        weights = _fitted(others)
        scores += [
            each.scores[choose(each.options, weights, anything=anything)]
            for at, each in enumerate(known)
            if at % FOLDS == fold
        ]
    return mean(scores)


def fit(options: Sequence[Sequence[Described]], scores: Sequence[Sequence[float]]) -> Features:
    """Weights by which sums follow scores within each question, by least squares; none is negative.

    Args:
        options: the candidates of each question.
        scores: of the same candidates, the higher the better.

    Raises:
        ValueError: no question has two candidates.
    """
    rows: list[FloatArray] = []
    aims: list[FloatArray] = []
    for each, score in zip(options, scores, strict=True):
        if len(each) > 1:
            matrix = np.array([option.features for option in each], dtype=float)
            aim = np.array(score, dtype=float)
            rows.append(matrix - matrix.mean(axis=0))
            aims.append(aim - aim.mean())
    if not rows:
        raise ValueError("weights are fitted on questions with two candidates at least")
    found, _ = nnls(np.concatenate(rows), np.concatenate(aims))
    return Features(*(float(weight) for weight in found))

"""How our own selection was designed: on questions apart, by cross-validation."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from statistics import mean
from typing import Final

from qa.evaluation.cases import Case
from qa.evaluation.questions import GoldQuestion
from qa.evaluation.weighing import Described, Features, choose, describe, fit
from qa.generation.extractive import EXTRACTIVE
from qa.rouge import Reference, tokens

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

    def nearest(self) -> "_Known":
        most = max(option.about for option in self.options)
        kept = [at for at, option in enumerate(self.options) if option.about == most]
        return _Known([self.options[at] for at in kept], [self.scores[at] for at in kept])

    def without(self, names: Collection[str]) -> "_Known":
        zeros = dict.fromkeys(names, 0.0)
        options = [o._replace(features=o.features._replace(**zeros)) for o in self.options]
        return _Known(options, self.scores)


def design(questions: Sequence[GoldQuestion], cases: Sequence[Case]) -> Designed:
    """Fit the weights, and say what each part of the selection is worth."""
    known = []
    for question, case in zip(questions, cases, strict=True):
        options = case.options[EXTRACTIVE]
        if options:
            gold = Reference.of(tokens(question.answer))
            scores = [gold.rouge_l(tokens(option.text)).f1 for option in options]
            known.append(_Known(describe(question.text, case, options), scores))
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
    supported = [round(option.supported, 12) for option in each.options]
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

"""What needs no graph: chance, the most frequent label, and naive Bayes learnt from the set itself."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from sklearn.feature_extraction import DictVectorizer
from sklearn.model_selection import KFold, StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import BernoulliNB

from evalsim.case import DiagnosisCase, Thing
from tests.experiments.realcases.outcomes import SEED

FOLDS: Final = 5


@dataclass(frozen=True)
class Baselines:
    """How many of some cases each gets right."""

    labels: int
    majority: int
    opening: int
    """Naive Bayes, told the findings of what the patient says first."""
    everything: int
    """Naive Bayes, told all findings."""


def baselines(cases: Sequence[DiagnosisCase]) -> Baselines:
    """The baselines on the cases of one set; a finding that is denied is a feature of its own."""
    labels = [case.target.id for case in cases]
    counts = Counter(labels)
    return Baselines(
        labels=len(counts),
        majority=max(counts.values()),
        opening=_right([_features(case, case.opening) for case in cases], labels),
        everything=_right([_features(case, None) for case in cases], labels),
    )


def _features(case: DiagnosisCase, text: str | None) -> dict[str, int]:
    """What a case has and denies; of a text alone, what has its words."""
    things: list[tuple[Thing, bool]] = [
        *((finding, True) for finding in case.findings),
        *((thing, False) for thing in case.absent),
    ]
    return {
        f"{thing.id} {has}": 1
        for thing, has in things
        if text is None or any(word in text.lower() for word in _words(thing))
    }


def _words(thing: Thing) -> list[str]:
    return [word.lower() for word in (*thing.words, thing.name)]


def _right(features: Sequence[Mapping[str, int]], labels: Sequence[str]) -> int:
    """Cases whose label is predicted from the other folds."""
    stratified = min(Counter(labels).values()) >= FOLDS
    folds = (StratifiedKFold if stratified else KFold)(FOLDS, shuffle=True, random_state=SEED)
    matrix = DictVectorizer().fit_transform(features)
    predicted = cross_val_predict(BernoulliNB(), matrix, np.array(labels), cv=folds)
    return int(np.count_nonzero(np.asarray(predicted) == np.array(labels)))

"""Finds the score from which a similar name is trusted, on the table's own names.

Each sampled name is held out twice. Alone: the name then most similar to it is right if it
belongs to the same entity. With all names of its entity: whatever is most similar is wrong.
The threshold is the lowest score at and above which the required share of the answers, with
equal numbers of both kinds, is right. Names in other words (``kg.linking.agreement``) need no
threshold and are left out.
"""

import random
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from kg.linking.agreement import ComparableMention
from kg.linking.index import NameIndex, Thresholds
from kg.linking.scorers import SCORERS, scores
from kg.linking.similar import NEAREST

PRECISION: Final = 0.9
"""Share of the sampled answers at and above the threshold that are right."""
_SAMPLE: Final = 500
"""Names sampled per language."""
_MIN_NAMES: Final = 50
"""The fewest names from which a threshold is calibrated."""
_DEFAULT_THRESHOLD: Final = 0.95
"""Threshold where there are too few."""


class Trial(NamedTuple):
    """The best match of a name that was held out, alone or with its entity."""

    score: float
    right: bool


class _HeldOut(NamedTuple):
    """A name that was held out, and the names near it, of which none has it in other words."""

    key: int
    near: list[int]
    same_numbers: list[bool]


def calibrate(index: NameIndex, seed: int = 0) -> Thresholds:
    """The threshold of every scorer in every language of the names."""
    by_scorer: Thresholds = {name: {} for name in SCORERS if "." not in name}
    for language, keys in index.keys_by_language().items():
        sample = random.Random(seed).sample(keys, min(_SAMPLE, len(keys)))  # noqa: S311
        held_out = [case for key in sample for case in _held_out(index, key)]
        for scorer, thresholds in by_scorer.items():
            trials = [trial for case in held_out for trial in _trials(index, case, scorer)]
            thresholds[language] = lowest_trusted(trials, PRECISION)
    return by_scorer


def _held_out(index: NameIndex, key: int) -> Iterator[_HeldOut]:
    """A key and the names near it, without itself and then without its entities."""
    mention = index.keys[key]
    entities = index.entities_of(key)
    comparable = ComparableMention(mention, index.words_and_bigrams.__contains__)
    nearest = index.ngrams.search(mention, NEAREST + 1)[0].tolist()
    for near in (
        [at for at in nearest if at != key],
        [at for at in nearest if entities.isdisjoint(index.entities_of(at))],
    ):
        names = [index.keys[at] for at in near]
        if near and not any(map(comparable.agrees, names)):
            yield _HeldOut(key, near, [comparable.has_numbers_of(name) for name in names])


def _trials(index: NameIndex, case: _HeldOut, scorer: str) -> Iterator[Trial]:
    measured = scores(scorer, index.keys[case.key], [index.keys[at] for at in case.near])
    score = max(measured)
    best = measured.index(score)
    if case.same_numbers[best]:
        right = not index.entities_of(case.key).isdisjoint(index.entities_of(case.near[best]))
        yield Trial(score, right)


def lowest_trusted(trials: Sequence[Trial], precision: float) -> float:
    """The lowest score at and above which ``precision`` of the trials are right.

    Where no score does, just above the highest; where there are too few trials
    to tell, 0.95.
    """
    if len(trials) < 2 * _MIN_NAMES:
        return _DEFAULT_THRESHOLD
    ordered = sorted(trials, key=lambda trial: -trial.score)
    score: npt.NDArray[np.float64] = np.array([trial.score for trial in ordered])
    right = np.cumsum([trial.right for trial in ordered]) / np.arange(1, len(ordered) + 1)
    last_of_score = np.append(score[1:] != score[:-1], True)
    good = np.flatnonzero((right >= precision) & last_of_score)
    return float(score[good[-1]]) if good.size else float(np.nextafter(score[0], 2))

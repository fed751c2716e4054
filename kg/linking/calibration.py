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

from kg.linking.index import NameIndex, Thresholds
from kg.linking.scorers import SCORERS
from kg.linking.similar import NEAREST, compared

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


def calibrate(index: NameIndex, seed: int = 0) -> Thresholds:
    """The threshold of every scorer in every language of the names."""
    by_scorer: Thresholds = {name: {} for name in SCORERS if "." not in name}
    for language, keys in index.keys_by_language().items():
        sample = random.Random(seed).sample(keys, min(_SAMPLE, len(keys)))  # noqa: S311
        held_out = [case for key in sample for case in _held_out(index, key)]
        for scorer, thresholds in by_scorer.items():
            trials = [trial for case in held_out for trial in _trials(index, *case, scorer)]
            thresholds[language] = lowest_trusted(trials, PRECISION)
    return by_scorer


def _held_out(index: NameIndex, key: int) -> Iterator[tuple[int, list[int]]]:
    """A key and the names near it, without itself and then without its entities."""
    entities = index.entities_of(key)
    near = index.ngrams.search(index.keys[key], NEAREST + 1)[0].tolist()
    yield key, [at for at in near if at != key]
    yield key, [at for at in near if entities.isdisjoint(index.entities_of(at))]


def _trials(index: NameIndex, key: int, near: list[int], scorer: str) -> Iterator[Trial]:
    names = compared(index, index.keys[key], near, scorer)
    if names and names[0].method == "similarity" and names[0].same_numbers:
        right = not index.entities_of(key).isdisjoint(index.entities_of(names[0].key))
        yield Trial(names[0].score, right)


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

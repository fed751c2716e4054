"""Finds which of several groups of example sentences a text is most like.

A text and the examples are bags of features, such as its words, weighted by their rarity among the
examples (tf-idf) and scaled to length 1. How like a group a text is, is the mean of two cosines: of
that with the middle of the group's examples, and with the two nearest of them. What of a text no
example has counts against all groups.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from math import log, sqrt
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from cypher.translation import CHINESE, language_of
from kg.shipped import shipped_table

_NEAREST: Final = 2
_PIECE: Final = 4
"""Letters of a piece of a word: "check" and "checked" share some."""
_WORD: Final = re.compile(r"[A-Za-z]+(?:'[a-z]+)?")
_SHORT_FORMS: Final = re.compile(r"\b(what|how|who|where|it|that|there)(?:'?s)\b")
_NO_CHARACTER: Final = re.compile(r"[\s,.;:?!~，。；：？！、…“”\"'（）()]+")


class Likeness(NamedTuple):
    """How like a group a text is."""

    group: str
    score: float
    """How like it the text is, in [0, 1]."""
    margin: float
    """How much more like it than like any other group, in [0, 1]."""
    example: str
    """Of the group, the one that is most like the text."""


class Examples:
    """Groups of example sentences, made ready to be compared with."""

    def __init__(
        self, groups: Mapping[str, Sequence[str]], features: Callable[[str], Collection[str]]
    ) -> None:
        """Compare with these.

        Args:
            groups: one or more examples each, by the groups' names.
            features: those of a text, each once.
        """
        self.groups = tuple(groups)
        self._features = features
        self._lines = [line for lines in groups.values() for line in lines]
        sizes = [len(lines) for lines in groups.values()]
        self._starts = np.cumsum([0, *sizes[:-1]])
        """Where in the lines those of each group begin."""
        self._ids: dict[str, int] = {}
        bags = [
            [self._ids.setdefault(feature, len(self._ids)) for feature in features(line)]
            for line in self._lines
        ]
        lines = np.repeat(np.arange(len(bags)), [len(bag) for bag in bags])
        ids = np.fromiter((each for bag in bags for each in bag), np.intp, len(lines))
        counts = np.bincount(ids)
        self._unknown = log(1 + len(bags))
        self._rarity = np.log(1 + len(bags) / counts)
        weights = self._rarity[ids]
        weights /= np.sqrt(np.bincount(lines, weights * weights))[lines]
        self._lengths = _lengths_of_sums(
            np.repeat(np.arange(len(sizes)), sizes)[lines], ids, weights
        )
        order = np.argsort(ids, kind="stable")
        self._having, self._weights = lines[order], weights[order]
        """Of each feature in turn the lines that have it, and its weight there."""
        self._ends = np.cumsum(counts)

    def nearest(self, text: str) -> Likeness:
        """The group that a text is most like; score 0 where no example has anything of it."""
        return self.ranked(text, 1)[0]

    def ranked(self, text: str, most: int) -> list[Likeness]:
        """The groups that a text is most like, the likest first.

        Args:
            text: as for ``nearest``.
            most: groups at most.
        """
        bag = self._features(text)
        known = np.array([self._ids[f] for f in bag if f in self._ids], np.intp)
        unknown = (len(bag) - len(known)) * self._unknown**2
        rarity = self._rarity[known]
        likeness = np.zeros(len(self._lines))
        for each, weight in zip(known, rarity / sqrt(rarity @ rarity + unknown), strict=True):
            place = slice(self._ends[each - 1] if each else 0, self._ends[each])
            likeness[self._having[place]] += weight * self._weights[place]
        of_groups = np.split(likeness, self._starts[1:])
        two = np.array([np.sort(each)[-_NEAREST:].mean() for each in of_groups])
        scores = (np.add.reduceat(likeness, self._starts) / self._lengths + two) / 2
        order = np.argsort(scores)[::-1][: most + 1].tolist()
        ranked = [(at, float(scores[at])) for at in order]
        following = [score for _, score in ranked[1:]] + [0.0]
        return [
            Likeness(
                self.groups[at],
                score,
                score - after,
                self._lines[self._starts[at] + int(np.argmax(of_groups[at]))],
            )
            for (at, score), after in list(zip(ranked, following, strict=True))[:most]
        ]


def _lengths_of_sums(
    groups: npt.NDArray[np.intp], ids: npt.NDArray[np.intp], weights: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """Of each group the length of the sum of its examples; its features stand apart, not in a table."""
    pairs, place = np.unique(groups * (int(ids.max()) + 1) + ids, return_inverse=True)
    sums = np.bincount(place, weights)
    return np.sqrt(np.bincount(pairs // (int(ids.max()) + 1), sums * sums))


def features(text: str, *, words: int, characters: int, ends: bool = False) -> set[str]:
    """What an English text has of words in a row and pieces of words, a Chinese one of characters in a row.

    Words that count as one another (``alike.yaml``) are one, in English beside what they are
    themselves.

    Args:
        text: in English or simplified Chinese.
        words: in a row, at most.
        characters: in a row, at most, of Chinese.
        ends: whether its beginning and its end count, too.
    """
    begin, end = "<>" if ends else ("", "")
    if language_of(text) == CHINESE:
        text = _NO_CHARACTER.sub("", text)
        for word, same in _alike()[CHINESE].items():
            text = text.replace(word, same)
        text = begin + text + end
        runs = range(1, characters + 1)
        return {text[at : at + n] for n in runs for at in range(len(text) - n + 1)}
    text = _SHORT_FORMS.sub(r"\1 is", text.lower().replace("\u2019", "'"))
    own = [word for word in (begin, *_WORD.findall(text), end) if word]
    counted = [_alike()["en"].get(word, word) for word in own]
    bag = {
        " ".join(row[at : at + n])
        for row in (own, counted)
        for n in range(1, words + 1)
        for at in range(len(row) - n + 1)
    }
    pieces = (f"_{word}_" for word in own)
    return bag | {
        piece[at : at + _PIECE] for piece in pieces for at in range(len(piece) - _PIECE + 1)
    }


@cache
def _alike() -> dict[str, dict[str, str]]:
    """What each word counts as, by language."""
    table: Mapping[str, Mapping[str, str]] = shipped_table(__package__, "alike.yaml")
    return {
        language: {
            word: f"~{same}" if language == "en" else same
            for same, words in groups.items()
            for word in str(words).split()
        }
        for language, groups in table.items()
    }

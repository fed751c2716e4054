"""Reads what is asked in words that no pattern of ``qa.intents`` fits: by the examples that they are like.

``wordings.yaml`` has examples of every intent. A question and the examples are bags of words, of two
and three words in a row and of pieces of words (of Chinese: of one to four characters in a row),
weighted by their rarity (tf-idf) and scaled to length 1. How like an intent a question is, is the mean of two cosines: of
that with the middle of the intent's examples, and with the two nearest of them.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from math import log, sqrt
from typing import Final, Literal, NamedTuple

import numpy as np

from cypher.translation import CHINESE, language_of
from kg.shipped import shipped_table

About = Literal["condition", "drug"]
"""What a question may be about, that examples are there for."""

SLOT: Final = "X"
"""Stands for a name, in questions and examples."""
LEAST_MARGIN: Final = 0.04
"""Likeness that the best intent must have before the next one; below it too many are wrong."""
SURE_MARGIN: Final = 0.15
"""The same where a pattern reads it otherwise."""
_NEAREST: Final = 2
_NOTHING: Final = "nothing"
_PIECE: Final = 4
"""Letters of a piece of a word: "check" and "checked" share some."""
_RUNS: Final = (1, 2, 3, 4)
_SHORT_FORMS: Final = re.compile(r"\b(what|how|who|where|it|that|there)(?:'?s)\b")
_WORD: Final = re.compile(r"[A-Za-z]+(?:'[a-z]+)?")
_PRONOUN: Final = re.compile(r"\b(?:it|them|these|this|that)\b", re.IGNORECASE)
_SLOTS: Final = re.compile(rf"{SLOT}(?:[\s,、()（）]*{SLOT})+")
_NO_CHARACTER: Final = re.compile(r"[\s,.;:?!~，。；：？！、…“”\"'（）()]+")


class Wording(NamedTuple):
    """What a question asks, by its words."""

    heading: str
    """Of the intent."""
    margin: float
    """How much more like that intent than like any other it is, in [0, 1]."""
    like: str
    """The example that is most like it."""


@lru_cache(maxsize=256)  # a clause is read for what it asks, and whether it does
def worded(question: str, about: About, by_pattern: str | None = None) -> Wording | None:
    """What a question asks; None where its words are like those of no intent, or of several.

    Args:
        question: in English or simplified Chinese, each name put as ``X``.
        about: what it is about.
        by_pattern: heading of the intent whose pattern it fits; examples of another must be
            much nearer, and one that has no examples stays.
    """
    language = CHINESE if language_of(question) == CHINESE else "en"
    examples = _examples(about, language)
    if by_pattern is not None and by_pattern not in examples.headings:
        return None
    found = examples.nearest(question)
    least = LEAST_MARGIN if by_pattern is None else SURE_MARGIN
    plain = found.margin >= least and found.heading not in (_NOTHING, by_pattern)
    return found if plain else None


class Examples:
    """The examples for one kind of thing in one language, made ready to be compared with."""

    def __init__(self, examples: Mapping[str, Sequence[str]]) -> None:
        """Compare with these; ``examples`` by their headings, two or more of each."""
        self.headings = list(examples)
        self._lines = [line for lines in examples.values() for line in lines]
        sizes = [len(lines) for lines in examples.values()]
        self._starts = np.cumsum([0, *sizes[:-1]])
        """Where in the lines those of each intent begin."""
        self._ids: dict[str, int] = {}
        bags = [
            [self._ids.setdefault(feature, len(self._ids)) for feature in _bag(line)]
            for line in self._lines
        ]
        lines = np.repeat(np.arange(len(bags)), [len(bag) for bag in bags])
        ids = np.fromiter((each for bag in bags for each in bag), np.intp, len(lines))
        counts = np.bincount(ids)
        self._unknown = log(1 + len(bags))
        self._rarity = np.log(1 + len(bags) / counts)
        weights = self._rarity[ids]
        weights /= np.sqrt(np.bincount(lines, weights * weights))[lines]
        order = np.argsort(ids, kind="stable")
        self._having, self._weights = lines[order], weights[order]
        """Of each feature in turn the lines that have it, and its weight there."""
        self._ends = np.cumsum(counts)
        intents = np.repeat(np.arange(len(sizes)), sizes)[lines]
        sums = np.bincount(intents * len(counts) + ids, weights, len(sizes) * len(counts))
        self._lengths = np.linalg.norm(sums.reshape(len(sizes), -1), axis=1)
        """Of the sum of each intent's examples."""

    def nearest(self, question: str) -> Wording:
        """The intent that a question is most like; margin 0 where it has no known word."""
        bag = _bag(question)
        known = np.array([self._ids[f] for f in bag if f in self._ids], np.intp)
        unknown = (len(bag) - len(known)) * self._unknown**2
        rarity = self._rarity[known]
        likeness = np.zeros(len(self._lines))
        for each, weight in zip(known, rarity / sqrt(rarity @ rarity + unknown), strict=True):
            place = slice(self._ends[each - 1] if each else 0, self._ends[each])
            likeness[self._having[place]] += weight * self._weights[place]
        of_intents = np.split(likeness, self._starts[1:])
        two = np.array([np.partition(each, -_NEAREST)[-_NEAREST:].mean() for each in of_intents])
        scores = (np.add.reduceat(likeness, self._starts) / self._lengths + two) / 2
        second, best = np.argsort(scores)[-2:]
        like = self._starts[best] + int(np.argmax(of_intents[best]))
        margin = float(scores[best] - scores[second])
        return Wording(self.headings[best], margin, self._lines[like])


def _bag(question: str) -> set[str]:
    """What a question has of words and their neighbours, each once."""
    text = _SLOTS.sub(SLOT, question)
    if language_of(text) == CHINESE:
        text = _NO_CHARACTER.sub("", text)
        for word, same in _alike()[CHINESE].items():
            text = text.replace(word, same)
        text = f"<{text if SLOT in text else SLOT + text}>"
        return {text[at : at + n] for n in _RUNS for at in range(len(text) - n + 1)}
    if SLOT not in text:
        text = _PRONOUN.sub(SLOT, text, count=1)
    text = _SHORT_FORMS.sub(r"\1 is", text.lower().replace("\u2019", "'"))
    words = ["<", *_WORD.findall(text), ">"]
    counted = [_alike()["en"].get(word, word) for word in words]
    bag = {
        " ".join(row[at : at + n])
        for row in (words, counted)
        for n in _RUNS[:3]
        for at in range(len(row) - n + 1)
    }
    pieces = (f"_{word}_" for word in words)
    return bag | {
        piece[at : at + _PIECE] for piece in pieces for at in range(len(piece) - _PIECE + 1)
    }


@cache
def _alike() -> dict[str, dict[str, str]]:
    """What each word counts as, by language."""
    table = shipped_table(__package__, "wordings.yaml")["alike"]
    return {
        language: {
            word: f"~{same}" if language == "en" else same
            for same, words in groups.items()
            for word in str(words).split()
        }
        for language, groups in table.items()
    }


@cache
def _examples(about: About, language: str) -> Examples:
    """The examples of the package's table, made ready; once."""
    table = shipped_table(__package__, "wordings.yaml")
    both = {**table[about], **table[_NOTHING]}
    return Examples({heading: both[heading][language].splitlines() for heading in both})

"""Whether two names differ in spelling only: what character n-grams cannot tell from meaning.

To n-grams, anterior and posterior uveitis are nearer than uveitis and uveitides, and a disease's
types 3 and 13 are all but one. So names must agree word by word: in numbers and single letters
exactly and in their order, in other words but for their spelling, and in any order.
"""

import re
from collections import Counter
from functools import lru_cache
from typing import Final

from rapidfuzz import fuzz

from kg.text.canonical import canonical

_TAG: Final = re.compile(r"\s\((?:disorder|disease|finding|diagnosis)\)\s*$", re.IGNORECASE)
"""What SNOMED CT and others end a name with."""
_IGNORED: Final = frozenset(
    canonical(word)
    for word in ("NOS", "unspecified", "of", "the", "and", "or", "in", "with", "to", "by", "due")
)
_SAME: Final = {canonical("disorder"): canonical("disease")}
_BEGINNING: Final = 4
"""Letters that a word and its misspelling share: 'hyper' and 'hypo', 'male' and 'female' do not."""
_ALIKE: Final = 80.0
"""Similarity of a word and its misspelling, of 100: 2 (common letters) / (all letters)."""
_REMEMBERED: Final = 1 << 16


@lru_cache(_REMEMBERED)
def words_that_count(name: str) -> tuple[str, ...]:
    """The words of a name's key, but for those that name nothing.

    First numbers and single letters in their order, then the others in one order.
    """
    words = [word for word in canonical(_TAG.sub("", name)).split() if word not in _IGNORED]
    others = sorted(_SAME.get(word, word) for word in words if not _is_number(word))
    return *filter(_is_number, words), *others


def numbers(name: str) -> tuple[str, ...]:
    """The numbers and single letters of a name, in their order."""
    return tuple(filter(_is_number, words_that_count(name)))


def agree(one: str, other: str) -> bool:
    """Whether every word of one name is in the other, but for its spelling.

    Two words that the other name writes as one count as it does.
    """
    if "".join(canonical(one).split()) == "".join(canonical(other).split()):
        return True
    if numbers(one) != numbers(other):
        return False
    left, right = Counter(words_that_count(one)), Counter(words_that_count(other))
    mine, theirs = list((left - right).elements()), list((right - left).elements())
    return len(mine) == len(theirs) and all(_take(word, theirs) for word in mine)


def _take(word: str, others: list[str]) -> bool:
    """Take the most similar spelling of a word out of the others, if there is one."""
    similar = [
        (fuzz.ratio(word, other), other)
        for other in others
        if word[:_BEGINNING] == other[:_BEGINNING]
    ]
    score, nearest = max(similar, default=(0.0, ""))
    if score < _ALIKE:
        return False
    others.remove(nearest)
    return True


def _is_number(word: str) -> bool:
    """Whether a word is a single letter or has a digit."""
    return len(word) == 1 or not word.isalpha()

"""Whether two names differ in spelling only: what character n-grams cannot tell from meaning.

By n-grams, anterior and posterior uveitis are more similar than uveitis and uveitides, and types 3
and 13 of a disease hardly differ. So names must agree word by word: numbers and single letters exactly
and in their order, other words in any order and up to their spelling.
"""

import re
from collections import Counter
from functools import lru_cache
from typing import Final

from rapidfuzz import fuzz

from kg.text.canonical import canonical

_TAG: Final = re.compile(r"\s\((?:disorder|disease|finding|diagnosis)\)\s*$", re.IGNORECASE)
"""Semantic tag with which SNOMED CT and others end a name."""
_IGNORED: Final = frozenset(
    canonical(word)
    for word in ("NOS", "unspecified", "of", "the", "and", "or", "in", "with", "to", "by", "due")
)
_SYNONYMS: Final = {canonical("disorder"): canonical("disease")}
_PREFIX: Final = 4
"""First letters that a word and its misspelling share: 'hyper' and 'hypo', 'male' and 'female' do not."""
_MIN_RATIO: Final = 80.0
"""Similarity of a word and its misspelling, of 100: 2 (common letters) / (all letters)."""
_CACHE_SIZE: Final = 1 << 16


@lru_cache(_CACHE_SIZE)
def words_that_count(name: str) -> tuple[str, ...]:
    """The words of a name's key without those that carry no meaning.

    First numbers and single letters in their order, then the others sorted.
    """
    words = [word for word in canonical(_TAG.sub("", name)).split() if word not in _IGNORED]
    sorted_words = sorted(_SYNONYMS.get(word, word) for word in words if not _is_number(word))
    return *filter(_is_number, words), *sorted_words


def numbers(name: str) -> tuple[str, ...]:
    """The numbers and single letters of a name, in their order."""
    return tuple(filter(_is_number, words_that_count(name)))


def agree(one: str, other: str) -> bool:
    """Whether two names have the same words, up to their spelling.

    Two words in one name may be written as one in the other.
    """
    if "".join(canonical(one).split()) == "".join(canonical(other).split()):
        return True
    if numbers(one) != numbers(other):
        return False
    left, right = Counter(words_that_count(one)), Counter(words_that_count(other))
    only_left, only_right = list((left - right).elements()), list((right - left).elements())
    return len(only_left) == len(only_right) and all(_take(word, only_right) for word in only_left)


def _take(word: str, candidates: list[str]) -> bool:
    """Remove the most similar spelling of a word from the candidates; False if there is none."""
    similar = [
        (fuzz.ratio(word, other), other)
        for other in candidates
        if word[:_PREFIX] == other[:_PREFIX]
    ]
    score, nearest = max(similar, default=(0.0, ""))
    if score < _MIN_RATIO:
        return False
    candidates.remove(nearest)
    return True


def _is_number(word: str) -> bool:
    """Whether a word is a single letter or has a digit."""
    return len(word) == 1 or not word.isalpha()

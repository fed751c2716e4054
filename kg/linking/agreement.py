"""Whether a mention that is no name says a name all the same: reordered, or misspelt.

Letters alone cannot tell: "type 3" is one letter from "type 4" and another disease,
"hedache" is one letter from "headache" and the same thing. A misspelt word is one that no
name has; a word that some name has is meant.
"""

import re
from collections.abc import Callable, Iterator
from itertools import pairwise, permutations
from typing import Final

from rapidfuzz.distance import OSA

from kg.linking.mention import Method
from kg.text.words import HAN

_LINKING: Final = "an at from her his in its my of on our the their to your"
LINKING_WORDS: Final = frozenset(_LINKING.split())
"""Left out when words are compared without their order ("pain in my chest"); not "a", which
is a kind too (hepatitis A)."""

_HAN: Final = re.compile(f"[{HAN}]")
_FILLERS: Final = re.compile(r"脏|(?<=...)症$")
"""What a Chinese name may have or lack: 肝肿大, 肝脏肿大; 血小板减少, 血小板减少症."""
_TELLING_HAN: Final = frozenset("0123456789一二三四五六七八九十左右上下前后内外大小高低多少男女")
_DIGIT: Final = re.compile(r"\d")
_EXACT: Final = re.compile(r"\d|[^\w\s]|\b(?:positive|negative|prime)\b")
"""Numbers and signs, as words of a key: where they differ two things are meant."""
_MOST_MISSPELT: Final = 2
_SHORTEST: Final = 4
_SHORTEST_HAN: Final = 6
_LONG: Final = 8
"""Letters of a word that may have two mistakes."""
_LONGEST: Final = 40
_OPPOSITES: Final = tuple(
    tuple(prefixes.split())
    for prefixes in (
        "hyper hypo", "micro macro", "endo ecto exo epi", "inter intra", "pre post peri para",
        "ab ad", "brady tachy", "ante anti", "poly oligo", "in un",
    )
)  # fmt: skip
"""Beginnings a letter or two apart by which words differ in meaning."""


class Said:
    """A mention's canonical key, made ready to be compared with many names."""

    def __init__(self, mention: str, knows: Callable[[str], bool]) -> None:
        """Compare ``mention``.

        Args:
            mention: its canonical key, which is no name's.
            knows: whether any name has a word, or two characters side by side as
                ``neighbours`` gives them.
        """
        self._mention = mention
        self._knows = knows
        self._words = _telling(mention)
        self._exact = numbers_and_signs(mention)
        self._is_chinese = _HAN.search(mention) is not None

    def agrees(self, name: str) -> Method | None:
        """How the mention agrees with a canonical name; None where likeness is all there is."""
        if not self.has_numbers_of(name):
            return None
        if self._is_chinese:
            return "spelling" if _agree_in_han(self._mention, name, self._knows) else None
        words = _telling(name)
        if len(words) != len(self._words):
            return None
        if words == self._words:
            return "word order"
        wrong, right = _only(self._words, words), _only(words, self._words)
        if len(wrong) > _MOST_MISSPELT or any(map(self._knows, wrong)):
            return None
        mistakes = 1 if len(words) == 1 else 2
        meets = (
            all(misspells(word, other, mistakes) for word, other in zip(wrong, order, strict=True))
            for order in permutations(right)
        )
        return "spelling" if any(meets) else None

    def has_numbers_of(self, name: str) -> bool:
        """Whether both have the same numbers and signs; without them they mean two things."""
        return self._exact == numbers_and_signs(name)


def neighbours(key: str) -> Iterator[str]:
    """Every two characters side by side in a Chinese key, its beginning and end included."""
    return ("".join(pair) for pair in pairwise(f"^{key}$"))


def _agree_in_han(mention: str, name: str, knows: Callable[[str], bool]) -> bool:
    """One character wrong in six or more, such that no name has it beside its neighbours.

    Never a number or a side: 左 and 右 are no misspellings of each other.
    """
    if _FILLERS.sub("", mention) == _FILLERS.sub("", name):
        return True
    if len(mention) < _SHORTEST_HAN or OSA.distance(mention, name, score_cutoff=1) > 1:
        return False
    if (set(mention) ^ set(name)) & _TELLING_HAN:
        return False
    return not any(map(knows, set(neighbours(mention)) - set(neighbours(name))))


def misspells(word: str, meant: str, mistakes: int = 1) -> bool:
    """Whether a word that no name has may be a misspelling of one that a name has.

    A mistake is one letter too many, too few, another, or two swapped (optimal string
    alignment distance). Names of drugs are two apart too often (ampicillin, amoxicillin)
    to allow more than one where nothing else confirms the name.

    Args:
        word: that no name has.
        meant: that a name has.
        mistakes: at most; in a short word never more than one.
    """
    if not (_SHORTEST <= len(word) <= _LONGEST and len(meant) >= _SHORTEST):
        return False
    if not (word.isalpha() and meant.isalpha()) or _opposite(word, meant):
        return False
    allowed = mistakes if len(word) >= _LONG else 1
    return bool(OSA.distance(word, meant, score_cutoff=allowed) <= allowed)


def _telling(key: str) -> list[str]:
    return sorted(word for word in key.split(" ") if word not in LINKING_WORDS)


def _only(some: list[str], others: list[str]) -> list[str]:
    """The words of a list that the other has not, or not as often."""
    left = list(others)
    only = []
    for word in some:
        if word in left:
            left.remove(word)
        else:
            only.append(word)
    return only


def numbers_and_signs(key: str) -> list[tuple[str, str]]:
    """What must be the same in two names, in its order: numbers, and signs with what they follow.

    Args:
        key: canonical.
    """
    if not _EXACT.search(key):
        return []
    return [
        ("" if _DIGIT.search(word) else before, word)
        for before, word in pairwise(("", *key.split(" ")))
        if _EXACT.search(word)
    ]


def _opposite(word: str, other: str) -> bool:
    for prefixes in _OPPOSITES:
        first, second = (next(filter(w.startswith, prefixes), None) for w in (word, other))
        if first and second and first != second:
            return True
    return False

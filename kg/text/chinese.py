"""Chinese: one form for Traditional and Simplified characters, numbers before a classifier."""

from collections.abc import Sequence
from functools import cache
from typing import Final

import opencc

CLASSIFIERS: Final = frozenset("型期级度类")
"""What a number before it counts: types, stages, grades, degrees, classes."""
_DIGITS: Final = {numeral: value for value, numeral in enumerate("\u3007一二三四五六七八九")}
_TEN: Final = "十"
NUMERALS: Final = frozenset(_DIGITS) | {_TEN}
_LONGEST: Final = 3
"""Characters of the longest number read: 二十一."""
_VARIANTS: Final = {"黏": "粘"}
"""Characters that medical terms use for each other and that OpenCC keeps apart."""


@cache
def _converter() -> opencc.OpenCC:
    return opencc.OpenCC("t2s")


def simplified(character: str) -> str:
    """The Simplified form of one Han character (OpenCC's table), itself if it has none."""
    while (simpler := _converter().convert(character)) != character:
        character = simpler  # 薴 takes two steps
    return _VARIANTS.get(character, character)


def number(characters: Sequence[str]) -> str | None:
    """The number that Chinese numerals up to 九十九 write, None if they write none."""
    if len(characters) == 1 and characters[0] in _DIGITS:
        return str(_DIGITS[characters[0]])
    if _TEN not in characters or len(characters) > _LONGEST:
        return None
    at = list(characters).index(_TEN)
    tens, ones = characters[:at], characters[at + 1 :]
    if len(tens) > 1 or len(ones) > 1 or not {*tens, *ones} <= _DIGITS.keys():
        return None
    return str(10 * (_DIGITS[tens[0]] if tens else 1) + (_DIGITS[ones[0]] if ones else 0))

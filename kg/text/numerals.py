"""Numerals that only the words beside them show to be numerals."""

from typing import Final

from kg.text.chinese import CLASSIFIERS, NUMERALS, number

_NUMERALS: Final = "i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx"
ROMAN: Final = {roman: str(value) for value, roman in enumerate(_NUMERALS.split(), start=1)}
"""Roman numerals; those of `UNMISTAKABLE` are no other words (xi is a Greek letter, xx a sex)."""
UNMISTAKABLE: Final = {k: v for k, v in ROMAN.items() if k not in {"i", "v", "x", "xi", "xx"}}
_ROMAN: Final = ROMAN | {f"{r}{a}": f"{n}{a}" for r, n in ROMAN.items() for a in "abcdefgh"}
_COUNTED: Final = """
axis bipolar category class complex degree factor grade group level nerve phase stage type
"""
_NUMBERED: Final = frozenset(_COUNTED.split())
"""What a Roman numeral follows: type I, stage IVb, factor X."""

SENSITIVE: Final = _ROMAN.keys() | NUMERALS
"""The keys that `read_numeral` may change."""


def read_numeral(keys: list[str], at: int) -> None:
    """Write a sensitive key in digits where its neighbours say that it is a number.

    A number of several Chinese numerals is left in the first place, empty keys after it.
    """
    if keys[at] in NUMERALS:
        _read_chinese(keys, at)
    elif keys[at] in _ROMAN:
        _read_roman(keys, at)


def _read_roman(keys: list[str], at: int) -> None:
    follows = at > 0 and keys[at - 1] in _NUMBERED
    if follows or (at + 1 < len(keys) and keys[at + 1] in CLASSIFIERS):
        keys[at] = _ROMAN[keys[at]]


def _read_chinese(keys: list[str], at: int) -> None:
    if at and keys[at - 1] in NUMERALS:
        return  # the end of a number that could not be read
    end = at
    while end < len(keys) and keys[end] in NUMERALS:
        end += 1
    value = number(keys[at:end])
    if value is not None and end < len(keys) and keys[end] in CLASSIFIERS:
        keys[at:end] = [value] + [""] * (end - at - 1)

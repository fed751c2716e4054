"""The words of running text, with their offsets."""

import re
import unicodedata
from collections.abc import Sequence
from typing import Final, NamedTuple

HAN: Final = (
    "\u2e80-\u2fdf\u3005\u3007\u3038-\u303a\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
"""Han characters, radicals among them, as the inside of a character class."""
_DASHES: Final = "-\u2010-\u2015\u2212\uff0d\ufe63\ufe58"
"""Hyphens, dashes and minus signs, as the inside of a character class."""
_TILDES: Final = "~\u301c\u223c\uff5e"
"""Tildes, which stand between the ends of a range in Chinese, as the inside of a class."""
_GREEK: Final = "\u00b5\u0370-\u03ff\u1f00-\u1fff"
POSSESSIVE: Final = "['\u2018\u2019\u02bc\u00b4`\uff07]"
"""Characters typed as the apostrophe of a possessive, as a character class."""
IGNORABLE: Final = "\u00ad\u200c\u200d\u2060\ufeff\ufe00-\ufe0f\U000e0100-\U000e01ef"
"""Soft hyphens, joiners and variation selectors: no letters, but they do not end a word."""


def _combining_marks() -> str:
    """The combining marks, as the inside of a character class."""
    marks = [at for at in range(0x300, 0x10000) if unicodedata.category(chr(at))[0] == "M"]
    known = frozenset(marks)
    firsts = (at for at in marks if at - 1 not in known)
    lasts = (at for at in marks if at + 1 not in known)
    ranges = (f"{chr(first)}-{chr(last)}" for first, last in zip(firsts, lasts, strict=True))
    return "".join(ranges)


_LETTER: Final = rf"[^\W_\u02bc{_GREEK}{HAN}]"
_MARK: Final = f"[{_combining_marks()}{IGNORABLE}]"
_IN_NUMBERS: Final = (
    rf"{_DASHES}{_TILDES}/\u2044\uff0f:\uff1a;\uff1b,\uff0c\u3001.\uff0e\u00b7×*\uff0a^\uff3e_"
)
"""Part of a number between two digits: 1.5, 3/4, 9;22, 10^9, 3-5."""
_PLUS: Final = "+\uff0b\u207a"
_MINUS: Final = "-\u2212\uff0d\u207b"
_WORD: Final = re.compile(
    # Nearly all English words end here, in half the time.
    r"[a-zA-Z]++(?=[\x00-&()*,\-./:-@\[-_{-\x7f])"
    rf"|[{HAN}]{_MARK}*+"
    # skip at once what no other word begins with
    r"|(?![\s,;:!?\"(){}\]]|\.\D)(?:"
    # a number's sign and its point: -2.5, .5; a star allele: *2
    rf"(?:(?<![^\s(\[{{（【<>=≤≥≦≧\u2a7d\u2a7e≠±≈{_TILDES}\uff1c\uff1e\uff1d,;:.，；：])(?:[{_MINUS}{_PLUS}]\.?|[.*])(?=\d)"
    rf"|(?<=[{HAN}])[{_MINUS}](?=\d++(?:[.\uff0e]\d|\s?[%‰°℃℉])))?+"
    rf"(?:[a-zA-Z0-9]++|{_LETTER})"
    rf"(?:{_LETTER}++|{_MARK}++|(?<=\d)(?:[{_IN_NUMBERS}](?=\d)|\^?[{_MINUS}](?=[⁰¹²³⁴-⁹])|\^-(?=\d)|\*(?![^\W_])))*+"
    rf"(?:{POSSESSIVE}[sS](?!{_LETTER}|{_MARK})|(?<=[sS]){POSSESSIVE}(?=\s++{_LETTER}))?+"
    r"|[\u00b5\u03bc]M(?![^\W_])"
    rf"|[{_GREEK}](?:[{_GREEK}]++|{_MARK}++)*+"
    # comparisons, tolerances, units that are no letters, "about"
    r"|[<>]=|[<>=≤≥≦≧\u2a7d\u2a7e≠±\uff1c\uff1e\uff1d]|\+/[-\u2212]"
    r"|[%\uff05‰°℃℉\u2190-\u2193♀♂¬]|[\u3371-\u33df]|[~\uff5e\u223c≈](?=\s?\d)"
    # CD4+, Rh-, HBsAg(+): a finding, unlike a sign between two words
    rf"|(?<=[^\W_])[{_PLUS}]++(?!{_LETTER}|[{_GREEK}])"
    rf"|(?<=[\w)\]+])(?:[{_MINUS}]++(?=[\s,;:.!?/)\]}}\"'”’，；：。！？）】]|\Z)|\u2013(?=[)\]）】]|\Z))"
    rf"|(?:(?<=[^\W_][\s:：])|(?<=[^\W_][:：]\s))(?:[{_PLUS}]++|[{_MINUS}]++)(?=\s*\Z)|[{_MINUS}{_PLUS}](?=ve(?![^\W_]))"
    rf"|(?<=[(\[（【])(?:[{_PLUS}]++|[{_MINUS}]++)(?=[)\]）】])"
    # 5'-nucleotidase, but not type '2'
    r"|(?<!['‘\"“]\d)(?<!['‘\"“]\d\d)(?<=\d)['′’´](?=[-\u2010\u2011,]|[^\W_sS]|\s+[^\W_]))"
)


class Word(NamedTuple):
    """A word: `text[start:end]`, in code points."""

    start: int
    end: int
    text: str


def surfaces(text: str) -> list[str]:
    """The words of a text, in its order, as they are written.

    A word is a run of letters, digits and combining marks of any script, with a
    possessive ending if it has one. Greek letters are separate words (TNF-alpha is two words,
    its alpha Greek or not), and so is every Han character. Signs that tell names apart
    are words too: comparisons, ±, %, °, a prime after a digit (5'), a plus or minus that ends
    a word (CD4+, Rh-). Between two digits a sign is part of the number (1.5, 3/4, 10^9), as is
    the sign before one (-2.5).
    """
    return _WORD.findall(text)


def starts(text: str, words: Sequence[str]) -> list[int]:
    """Where each word of a text starts, given all of them in order, as `surfaces` returns them."""
    end = 0
    find = text.find
    # Between two words there is no letter, so the first place found is the right one.
    return [(end := find(word, end) + len(word)) - len(word) for word in words]


def split(text: str) -> list[Word]:
    """The words of a text, in its order, with their offsets.

    Where few offsets are needed, `surfaces` and `starts` are three times as fast.
    """
    words = surfaces(text)
    return [
        Word(start, start + len(word), word)
        for start, word in zip(starts(text, words), words, strict=True)
    ]

"""The linking key: what is left of a name when spelling, number and script don't count.

Looser than `kg.text.normalise`, which decides what the merge takes for one record.
"""

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

from kg.text.chinese import simplified
from kg.text.numerals import ROMAN, SENSITIVE, UNMISTAKABLE, read_numeral
from kg.text.signs import UNITS, one_sign, ungrouped, written_out
from kg.text.spelling import plain
from kg.text.words import HAN, IGNORABLE, POSSESSIVE, surfaces

_LONGEST: Final = 64
"""Longer words are no English words: they are folded, but neither spelled nor remembered."""
_REMEMBERED: Final = 1 << 17
"""Words remembered, about 25 MB."""

_ENGLISH: Final = re.compile("[a-z]+")
_IS_HAN: Final = re.compile(f"[{HAN}]")
_BETWEEN_HAN: Final = re.compile(f"(?<=[{HAN}]) (?=[{HAN}])")
_ENDING: Final = re.compile(f"(?:{POSSESSIVE}[sS]|(?<=[sS]){POSSESSIVE})$")
_IGNORABLE: Final = re.compile(f"[{IGNORABLE}]+")

_GREEK_NAMES: Final = """
alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma
tau upsilon phi chi psi omega
"""
_GREEK: Final = dict(zip("αβγδεζηθικλμνξοπρστυφχψω", _GREEK_NAMES.split(), strict=True))
_LIGATURES: Final = str.maketrans(
    {"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "\u0131": "i"}
)
_SIGNS: Final = {
    **dict.fromkeys("+\uff0b\u207a", "positive"),
    **dict.fromkeys("-\u2212\uff0d\u207b\u2013", "negative"),
    **dict.fromkeys("'′’´", "prime"),
    **dict.fromkeys("~\uff5e\u223c≈", "≈"),
    **dict.fromkeys("≤≦\u2a7d", "≤"),
    **dict.fromkeys("≥≧\u2a7e", "≥"),
    "<=": "≤",
    ">=": "≥",
    "+/-": "±",
    "+/\u2212": "±",
    "ß": "beta",
}
"""Signs that stand for a word or another sign; a lone ß is a beta typed on a German keyboard."""
_RUN_OF_SIGNS: Final = re.compile(r"([^\w\s])\1+")
_QUANTITY: Final = re.compile(rf"([-+\d.,:;/x^*·_]*\d)({UNITS})")
"""A number and its unit without a space between them."""
_MOLAR: Final = re.compile(r"([-+\d.,:;/x^*·_]*)([mnµμ])M")
_MOLES: Final = {"m": "mmol l", "n": "nmol l", "µ": "mu mol l", "μ": "mu mol l"}
_RANGE: Final = re.compile(r"(?<=\d)~(?=\d)")
_TIMES: Final = re.compile(r"(?<=\d)×(?=\d)")
_ROMAN_SIGN: Final = re.compile("[\u2160-\u217f]")


def _fold(text: str) -> str:
    """NFKC, case folded, without marks; unchanged by a second folding."""
    if text.isascii():
        return text.lower()
    # Marks go first: to put a long run of them in order takes quadratic time.
    bare = _without_marks(_IGNORABLE.sub("", text))
    apart = unicodedata.normalize("NFKD", bare).casefold().translate(_LIGATURES)
    folded = unicodedata.normalize("NFKC", _without_marks(apart))
    return folded if folded == text else _fold(folded)


def _without_marks(text: str) -> str:
    return "".join(c for c in text if not unicodedata.combining(c))


def _spelled(word: str) -> str:
    """The key of a folded word."""
    if not word.isalpha() and word not in _SIGNS:
        number = _number(word)
        quantity = _QUANTITY.fullmatch(number)
        return f"{quantity[1]} {plain(quantity[2])}" if quantity else number
    if word in _GREEK:
        return _GREEK[word]
    if word in UNMISTAKABLE:
        return UNMISTAKABLE[word]
    if len(word) <= _LONGEST and _ENGLISH.fullmatch(word):
        return plain(word)
    return simplified(word) if _IS_HAN.match(word) else word


def _number(word: str) -> str:
    """A number with one writing for each sign."""
    plain = _RANGE.sub("-", _TIMES.sub("x", ungrouped(one_sign(word))))
    return (
        f"0{plain}" if plain.startswith(".") else plain.replace("-.", "-0.").replace("+.", "+0.")
    )


def _key(word: str) -> str:
    if word in _SIGNS:
        return _SIGNS[word]
    if _RUN_OF_SIGNS.fullmatch(word):  # 尿蛋白++
        return " ".join([_SIGNS[word[0]]] * len(word))
    if molar := _MOLAR.fullmatch(word):
        return " ".join(filter(None, (molar[1], _MOLES[molar[2]])))
    folded = _fold(_ENDING.sub("", written_out(word)))
    if _ROMAN_SIGN.match(word) and folded in ROMAN:
        return ROMAN[folded]
    # Folding may leave several words: ½ is 1 and 2.
    return " ".join(map(_spelled, surfaces(folded)))


class _Keys(dict[str, str]):
    """The keys of words, each computed when first asked for; emptied when full.

    Threads may share it: at worst two compute one key, and it is the same.
    """

    def __missing__(self, word: str) -> str:
        key = _key(word)
        if len(word) <= _LONGEST:
            if len(self) >= _REMEMBERED:
                self.clear()
            self[word] = key
        return key


_keys: Final = _Keys()


def canonical_words(words: Sequence[str]) -> list[str]:
    """The keys of a text's words, in its order.

    As many as there are words; empty for a word of which nothing is left, and for the
    numerals of a number (十二型) after the first, which has the whole.
    """
    keys = list(map(_keys.__getitem__, words))
    if not SENSITIVE.isdisjoint(keys):
        for at in [at for at, key in enumerate(keys) if key in SENSITIVE]:
            read_numeral(keys, at)
    return keys


def join(words: Sequence[str]) -> str:
    """One key of words' keys: a space between them, none between Han characters."""
    return _BETWEEN_HAN.sub("", " ".join(filter(None, words)))


def canonical(text: str) -> str:
    """The linking key of a name; empty if nothing is left of it."""
    return join(canonical_words(surfaces(text)))

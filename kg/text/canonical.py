"""The linking key: equal for names that differ only in spelling, number (plural) or script.

Looser than `kg.text.normalise`, by which the merge decides that two names are one.
"""

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

from kg.text.normal import (
    UNITS,
    with_plain_exponents,
    with_unified_signs,
    without_thousands_commas,
)
from kg.text.spelling import simplified, spelling_key
from kg.text.words import HAN, IGNORABLE, POSSESSIVE, surfaces

_MAX_ENGLISH_WORD: Final = 64
"""Letters; longer words are not English: they are folded, but neither respelled nor cached."""
_MAX_CACHED: Final = 1 << 17
"""Words in the cache; about 25 MB."""

_ENGLISH: Final = re.compile("[a-z]+")
_IS_HAN: Final = re.compile(f"[{HAN}]")
_BETWEEN_HAN: Final = re.compile(f"(?<=[{HAN}]) (?=[{HAN}])")
_POSSESSIVE_ENDING: Final = re.compile(f"(?:{POSSESSIVE}[sS]|(?<=[sS]){POSSESSIVE})$")
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
"""Signs that mean a word or another sign; a lone ß is a beta typed on a German keyboard."""
_RUN_OF_SIGNS: Final = re.compile(r"([^\w\s])\1+")
_QUANTITY: Final = re.compile(rf"(?P<number>[-+\d.,:;/x^*·_]*\d)(?P<unit>{UNITS})")
"""A number and its unit without a space between them."""
_MOLAR: Final = re.compile(r"(?P<number>[-+\d.,:;/x^*·_]*)(?P<prefix>[mnµμ])M")
_MOLES: Final = {"m": "mmol l", "n": "nmol l", "µ": "mu mol l", "μ": "mu mol l"}
_RANGE: Final = re.compile(r"(?<=\d)~(?=\d)")
_TIMES: Final = re.compile(r"(?<=\d)×(?=\d)")
_ROMAN_SIGN: Final = re.compile("[\u2160-\u217f]")

_NUMERALS: Final = "i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx"
_ROMAN: Final = {roman: str(value) for value, roman in enumerate(_NUMERALS.split(), start=1)}
_UNAMBIGUOUS_ROMAN: Final = {
    k: v for k, v in _ROMAN.items() if k not in {"i", "v", "x", "xi", "xx"}
}
"""Those that are no other words; xi is a Greek letter, xx a sex."""
_ROMAN_WITH_LETTER: Final = _ROMAN | {
    f"{roman}{letter}": f"{value}{letter}"
    for roman, value in _ROMAN.items()
    for letter in "abcdefgh"
}
_NUMBERED_NOUNS: Final = """
axis bipolar category class complex degree factor grade group level nerve phase stage type
"""
_NUMBERED: Final = frozenset(_NUMBERED_NOUNS.split())
"""Words before a Roman numeral: type I, stage IVb, factor X."""
_CLASSIFIERS: Final = frozenset("型期级度类")
"""Chinese words after a number: types, stages, grades, degrees, classes."""
_CHINESE_DIGITS: Final = {
    numeral: value for value, numeral in enumerate("\u3007一二三四五六七八九")
}
_TEN: Final = "十"
_CHINESE_NUMERALS: Final = frozenset(_CHINESE_DIGITS) | {_TEN}
_MAX_CHINESE_NUMERAL: Final = 3
"""Characters of the longest number read: 二十一."""
_POSSIBLE_NUMERALS: Final = _ROMAN_WITH_LETTER.keys() | _CHINESE_NUMERALS
"""Keys that are numerals only beside certain words."""


def _fold(text: str) -> str:
    """NFKC, case folded, without combining marks; unchanged by a second folding."""
    if text.isascii():
        return text.lower()
    # Marks are removed first: sorting a long run of them takes quadratic time.
    bare = _without_marks(_IGNORABLE.sub("", text))
    apart = unicodedata.normalize("NFKD", bare).casefold().translate(_LIGATURES)
    folded = unicodedata.normalize("NFKC", _without_marks(apart))
    return folded if folded == text else _fold(folded)


def _without_marks(text: str) -> str:
    return "".join(c for c in text if not unicodedata.combining(c))


def _key_of_folded(word: str) -> str:
    if not word.isalpha() and word not in _SIGNS:
        return _number_key(word)
    if word in _GREEK:
        return _GREEK[word]
    if word in _UNAMBIGUOUS_ROMAN:
        return _UNAMBIGUOUS_ROMAN[word]
    if len(word) <= _MAX_ENGLISH_WORD and _ENGLISH.fullmatch(word):
        return spelling_key(word)
    return simplified(word) if _IS_HAN.match(word) else word


def _number_key(word: str) -> str:
    """A number, and the unit that it may have, with one form for each sign."""
    number = without_thousands_commas(with_unified_signs(word))
    number = _RANGE.sub("-", _TIMES.sub("x", number))
    if number.startswith("."):
        number = f"0{number}"
    else:
        number = number.replace("-.", "-0.").replace("+.", "+0.")
    quantity = _QUANTITY.fullmatch(number)
    return f"{quantity['number']} {spelling_key(quantity['unit'])}" if quantity else number


def _key(word: str) -> str:
    if word in _SIGNS:
        return _SIGNS[word]
    if _RUN_OF_SIGNS.fullmatch(word):  # 尿蛋白++
        return " ".join([_SIGNS[word[0]]] * len(word))
    if molar := _MOLAR.fullmatch(word):
        return " ".join(filter(None, (molar["number"], _MOLES[molar["prefix"]])))
    folded = _fold(_POSSESSIVE_ENDING.sub("", with_plain_exponents(word)))
    if _ROMAN_SIGN.match(word) and folded in _ROMAN:
        return _ROMAN[folded]
    # Folding may leave several words: ½ is 1 and 2.
    return " ".join(map(_key_of_folded, surfaces(folded)))


class _Keys(dict[str, str]):
    """The keys of words, each computed when first needed; emptied when full.

    Threads may share it: at worst two compute the same key.
    """

    def __missing__(self, word: str) -> str:
        key = _key(word)
        if len(word) <= _MAX_ENGLISH_WORD:
            if len(self) >= _MAX_CACHED:
                self.clear()
            self[word] = key
        return key


_keys: Final = _Keys()


def canonical_words(words: Sequence[str]) -> list[str]:
    """The keys of a text's words, in its order.

    One key per word. It is empty for a word of which nothing is left, and for the
    numerals of a number (十二型) after the first, whose key is the whole number.
    """
    keys = list(map(_keys.__getitem__, words))
    if not _POSSIBLE_NUMERALS.isdisjoint(keys):
        for at in [at for at, key in enumerate(keys) if key in _POSSIBLE_NUMERALS]:
            if keys[at] in _CHINESE_NUMERALS:
                _read_chinese_numeral(keys, at)
            elif keys[at] in _ROMAN_WITH_LETTER:
                _read_roman_numeral(keys, at)
    return keys


def _read_roman_numeral(keys: list[str], at: int) -> None:
    """Write a Roman numeral in digits where a word beside it shows that it is one."""
    follows = at > 0 and keys[at - 1] in _NUMBERED
    if follows or (at + 1 < len(keys) and keys[at + 1] in _CLASSIFIERS):
        keys[at] = _ROMAN_WITH_LETTER[keys[at]]


def _read_chinese_numeral(keys: list[str], at: int) -> None:
    """Write the Chinese number that begins here in digits, if a classifier follows it.

    The whole number is left in the first place, with empty keys after it.
    """
    if at and keys[at - 1] in _CHINESE_NUMERALS:
        return  # the end of a number that could not be read
    end = at
    while end < len(keys) and keys[end] in _CHINESE_NUMERALS:
        end += 1
    value = _chinese_number(keys[at:end])
    if value is not None and end < len(keys) and keys[end] in _CLASSIFIERS:
        keys[at:end] = [value] + [""] * (end - at - 1)


def _chinese_number(characters: Sequence[str]) -> str | None:
    """The number up to 九十九 that Chinese numerals write, None if they write none."""
    if len(characters) == 1 and characters[0] in _CHINESE_DIGITS:
        return str(_CHINESE_DIGITS[characters[0]])
    if _TEN not in characters or len(characters) > _MAX_CHINESE_NUMERAL:
        return None
    at = list(characters).index(_TEN)
    tens, ones = characters[:at], characters[at + 1 :]
    if len(tens) > 1 or len(ones) > 1 or not {*tens, *ones} <= _CHINESE_DIGITS.keys():
        return None
    ten = _CHINESE_DIGITS[tens[0]] if tens else 1
    return str(10 * ten + (_CHINESE_DIGITS[ones[0]] if ones else 0))


def join(words: Sequence[str]) -> str:
    """One key of words' keys: a space between them, none between Han characters."""
    return _BETWEEN_HAN.sub("", " ".join(filter(None, words)))


def canonical(text: str) -> str:
    """The linking key of a name; empty if nothing is left of it."""
    return join(canonical_words(surfaces(text)))

"""The key by which the merge compares names: ``normalise``.

Two names with one normal form become one node, so it drops only what never distinguishes two
things: case, width, hyphens between words, quotes, brackets. Numbers and their signs stay.
"""

import re
import unicodedata
from collections.abc import Callable
from typing import Final

from kg.text.words import HAN

_SUPERSCRIPT: Final = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻"
_PLAIN: Final = str.maketrans(_SUPERSCRIPT, "0123456789+-")
_EXPONENT: Final = re.compile(rf"(?<=\d)[⁺⁻]?[{_SUPERSCRIPT[:10]}]+")
"""A superscript after a digit; after a letter it says what a plain digit does (m², Ca²⁺)."""
_FRACTION: Final = re.compile(r"(?<=\d)(?=[¼-¾⅐-⅞])")
_DEGREE: Final = re.compile(r"(?:(?<=\d)\s?|^)[º˚](?=\s?[CFＣＦcf])")

UNITS: Final = (
    "mg|μg|mcg|ug|ng|pg|kg|g|dl|ml|μl|ul|nl|l|mm|cm|nm|μm|mmol|μmol|umol|nmol|pmol|mol|meq|iu|mmhg|kpa"
    "|kcal|kda|bpm|hz|khz|mhz|gy|mci|mbq|years?|months?|weeks?|days?|hours?|minutes?"
)
"""Units that may follow a number with or without a space, as a regular expression, folded."""

_UNIFIED_SIGNS: Final = str.maketrans(
    {
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\uff0d\ufe63\ufe58", "-"),
        **dict.fromkeys("\u301c\u223c\uff5e", "~"),
        **dict.fromkeys("\u2266\u2a7d", "≤"),
        **dict.fromkeys("\u2267\u2a7e", "≥"),
        "\u2044": "/",
        "\u3001": ",",
    }
)
_MOLAR: Final = re.compile(r"(?<=\d)(\s?[mnµμ])M(?![^\W_])")
"""mM and the like, which in lower case would be a millimetre."""
_THOUSANDS: Final = re.compile(r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?!\d|,\d)")
_NUMBER_OR_SIGN: Final = re.compile(r"[^\w\s,/:;-]|[\d_]|-(?!\w)|(?<!\w)-|-ve\b")
"""A number or a sign, or what may be one; most names have none."""
_BETWEEN_WORDS: Final = re.compile(r"[\s,/:;-]+")
_POSITIVE: Final = re.compile(r"\bpositive\b")
_NEGATIVE: Final = re.compile(r"\bnegative\b")
_SIGN: Final = re.compile(r"[^\w\s]")
_MINUS: Final = "−"
"""A hyphen that is a sign; other hyphens are dropped."""


_RULES: Final[tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...]] = tuple(
    (re.compile(pattern), to)
    for pattern, to in (
        # one form for each sign
        (r"\+\s*/\s*-", "±"),
        (r"<\s*=", "≤"),
        (r">\s*=", "≥"),
        (r"(?<![\w.])\.(?=\d)", "0."),
        (r"°\s+(?=[cf]\b)", "°"),
        (r"(?<=\d)\.{2,}(?=\d)", "-"),
        # between two digits every sign stays, without the white space around it
        (r"(?<=\d)(?:[-~]\s*|\s+[-~]\s+)(?=\d)", "-"),
        (r"(?<=\d)\s*[×x]\s*(?=\d)", "x"),
        (r"(?<=[^\W_])\s+\*(?=\d)", "*"),
        (r"(?<=\d)\s*([,;:/])\s*(?=\d)", r"\1"),
        # a sign in brackets: (-)-menthol, HBsAg (+)
        (
            r"(?:(?<=[^\W_])\s+)?[(\[\u3010]\s*([-+±]+)\s*[)\]\u3011]-?",
            lambda match: f"{match[1].replace('-', _MINUS)} ",
        ),
        # a minus before a number and after a word
        (r"(?:^|(?<=[\s(\[{<>=≤≥≠±~^,;:.]))-(?=\d)", _MINUS),
        (rf"(?<=[{HAN}])-(?=\d+(?:\.\d|\s?[%‰°]))", _MINUS),
        (r"(?<=[\w)\]])[\s:]+(-+)$", lambda match: match[1].replace("-", _MINUS)),
        (
            r"(?<=[\w)\]+])-+(?=$|[\s,;:.!?/)\]}\"'’”])",
            lambda match: match[0].replace("-", _MINUS),
        ),
        (r"\s*-(?=ve\b)", _MINUS),
        (r"\s*\+(?=ve\b)", "+"),
        (r"\s+\+\s+", "+"),
        (r"\s+\+$", "+"),
        # a prime: 5'-nucleotidase, but not type '2'
        (r"(?<!['‘\"“]\d)(?<!['‘\"“]\d\d)(?<=\d)['′’´](?=[-,]|[^\W_]|\s+[^\W_])", "′"),
        # no space within a quantity, one before its unit
        (r"\s*([<>≤≥=≠±≈])\s*", r"\1"),
        (r"(?<=\d)\s+(?=[%‰°])", ""),
        (r"~\s+(?=\d)", "~"),
        (rf"(?<=\d)(?=(?:{UNITS})(?![^\W_{HAN}]))", " "),
        # what distinguishes nothing: quotes and brackets, full stops, then what separates words
        (r"(?<=\d)[\"'`\u00b4\u2018\u2019\u201c\u201d()\[\]{}\u3008-\u3011\u3002!?]+(?=\d)", " "),
        (r"[\"'`\u00b4\u2018\u2019\u201c\u201d()\[\]{}\u3008-\u3011\u3002!?]+", ""),
        (r"(?<=[^\W\d_])\.(?=\d)", " "),
        (rf"(?<!\d)\.+|\.+(?!\d)|(?<!\d)\^+|\^+(?![{_MINUS}\d])|~+(?![\d+{_MINUS}])", ""),
        (r"(?<![^\W_])\*+|(?<!\d)\*+(?!\d)", ""),
        (r"(?<!\d)[-/,;:_\u00b7]|[-/,;:_\u00b7](?!\d)|\s", " "),
        (r" {2,}", " "),
    )
)
"""In this order: numbers and signs are read before the rest is dropped."""


def with_plain_exponents(text: str) -> str:
    """The text with exponents, mixed fractions and degrees that NFKC does not confuse.

    10⁹ becomes 10^9, and 1½ becomes 1 ½: by NFKC they were 109 and 11/2.
    """
    if text.isascii():
        return text
    text = _EXPONENT.sub(lambda match: f"^{match[0].translate(_PLAIN)}", text)
    return _DEGREE.sub("°", _FRACTION.sub(" ", text))


def with_unified_signs(text: str) -> str:
    """The text with one code point for each sign: one hyphen, one ≤."""
    return text if text.isascii() else text.translate(_UNIFIED_SIGNS)


def without_thousands_commas(text: str) -> str:
    """The text without the commas that separate thousands: 10,000 becomes 10000."""
    return _THOUSANDS.sub(lambda match: match[0].replace(",", ""), text) if "," in text else text


def normalise(text: str) -> str:
    """The form in which two spellings of one name are equal; empty if nothing is left.

    Unicode NFKC (full-width to ASCII), case folded; hyphens, slashes, commas and white space
    become one space; quotes, brackets and full stops are dropped. Kept are:

    * every sign between two digits (1.5, 3/4, 9;22, 10^9, 3-5), without spaces around it;
    * comparisons, ±, %, °, and a sign before a number (−2.5) or after a word (Rh−, CD4+);
    * Greek letters, primes after a digit (5′), units.

    Dashes and tildes of a range are one sign, as are ≤, ≦ and <=, × and x, 10⁹ and
    10^9; 10,000 is 10000, .5 is 0.5, 15mg is 15 mg, HBsAg(+) is HBsAg+.
    """
    with_moles = _MOLAR.sub(r"\1mol/l", with_plain_exponents(text))
    folded = unicodedata.normalize("NFKC", with_moles).casefold()
    folded = without_thousands_commas(with_unified_signs(folded))
    if not _NUMBER_OR_SIGN.search(folded):  # a faster way to the same result
        return _BETWEEN_WORDS.sub(" ", folded).strip()
    for pattern, to in _RULES:
        folded = pattern.sub(to, folded)
    return folded.strip()


def signs(text: str) -> list[str]:
    """The signs that distinguish a name from others, in its order; "positive" counts as a plus."""
    normal = _POSITIVE.sub("+", _NEGATIVE.sub(_MINUS, normalise(text)))
    return _SIGN.findall(normal)

"""Numbers and signs, which tell names apart: one writing for each, none lost.

What NFKC would confuse (10⁹ and 109, 1½ and 11/2) is written out, and the many code points
of one sign (hyphens, minus signs, ≦ and ⩽) become one.
"""

import re
from typing import Final

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

DASHES: Final = "-\u2010-\u2015\u2212\uff0d\ufe63\ufe58"
"""Hyphens, dashes and minus signs, as the inside of a character class."""
TILDES: Final = "~\u301c\u223c\uff5e"
"""Tildes, which stand between the ends of a range in Chinese, as the inside of a class."""

_ONE_SIGN: Final = str.maketrans(
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
_THOUSANDS: Final = re.compile(r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?!\d|,\d)")


def written_out(text: str) -> str:
    """The text with exponents, mixed fractions and degrees as ASCII and NFKC can say them."""
    if text.isascii():
        return text
    text = _EXPONENT.sub(lambda found: f"^{found[0].translate(_PLAIN)}", text)
    return _DEGREE.sub("°", _FRACTION.sub(" ", text))


def molar(text: str) -> str:
    """The text with mM written as mmol/l, which small letters would make a millimetre."""
    return _MOLAR.sub(r"\1mol/l", text)


def one_sign(text: str) -> str:
    """The text with one code point for each sign."""
    return text if text.isascii() else text.translate(_ONE_SIGN)


def ungrouped(text: str) -> str:
    """The text without the commas that group thousands: 10,000 is 10000."""
    return _THOUSANDS.sub(lambda found: found[0].replace(",", ""), text) if "," in text else text

"""Text as the merge compares it.

Two names with one normal form become one node, so it drops only what never tells two things
apart: case, width, hyphens between words, quotes, brackets. Numbers and their signs stay.
"""

import re
import unicodedata
from collections.abc import Callable
from typing import Final

from kg.text.signs import UNITS, molar, one_sign, ungrouped, written_out
from kg.text.words import HAN

_TELLING: Final = re.compile(r"[^\w\s,/:;-]|[\d_]|-(?!\w)|(?<!\w)-|-ve\b")
"""A number or a sign, or what must be looked at to know; most names are words alone."""
_BETWEEN_WORDS: Final = re.compile(r"[\s,/:;-]+")
_POSITIVE: Final = re.compile(r"\bpositive\b")
_NEGATIVE: Final = re.compile(r"\bnegative\b")
_SIGN: Final = re.compile(r"[^\w\s]")
_MINUS: Final = "−"
"""A hyphen that is a sign; other hyphens are gone in the end."""


def _minus_of(signs: str) -> str:
    return signs.replace("-", _MINUS)


_RULES: Final[tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...]] = tuple(
    (re.compile(pattern), to)
    for pattern, to in (
        # one writing for each sign
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
            lambda found: f"{_minus_of(found[1])} ",
        ),
        # a minus before a number and after a word
        (r"(?:^|(?<=[\s(\[{<>=≤≥≠±~^,;:.]))-(?=\d)", _MINUS),
        (rf"(?<=[{HAN}])-(?=\d+(?:\.\d|\s?[%‰°]))", _MINUS),
        (r"(?<=[\w)\]])[\s:]+(-+)$", lambda found: _minus_of(found[1])),
        (r"(?<=[\w)\]+])-+(?=$|[\s,;:.!?/)\]}\"'’”])", lambda found: _minus_of(found[0])),
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
        # what tells nothing apart: quotes and brackets, stops, then what separates words
        (r"(?<=\d)[\"'`\u00b4\u2018\u2019\u201c\u201d()\[\]{}\u3008-\u3011\u3002!?]+(?=\d)", " "),
        (r"[\"'`\u00b4\u2018\u2019\u201c\u201d()\[\]{}\u3008-\u3011\u3002!?]+", ""),
        (r"(?<=[^\W\d_])\.(?=\d)", " "),
        (rf"(?<!\d)\.+|\.+(?!\d)|(?<!\d)\^+|\^+(?![{_MINUS}\d])|~+(?![\d+{_MINUS}])", ""),
        (r"(?<![^\W_])\*+|(?<!\d)\*+(?!\d)", ""),
        (r"(?<!\d)[-/,;:_\u00b7]|[-/,;:_\u00b7](?!\d)|\s", " "),
        (r" {2,}", " "),
    )
)
"""In this order; what a name means by a number or a sign is settled before the rest goes."""


def normalise(text: str) -> str:
    """The form in which two spellings of one name are equal; empty if nothing is left.

    Unicode NFKC (full-width to ASCII), case folded; hyphens, slashes, commas and white space
    become one space; quotes, brackets and full stops go. Part of a name and kept are:

    * every sign between two digits (1.5, 3/4, 9;22, 10^9, 3-5), without spaces around it;
    * comparisons, ±, %, °, and a sign before a number (−2.5) or after a word (Rh−, CD4+);
    * Greek letters, primes after a digit (5′), units.

    Dashes and tildes of a range are one sign, as are ≤, ≦ and <=, × and x, 10⁹ and
    10^9; 10,000 is 10000, .5 is 0.5, 15mg is 15 mg, HBsAg(+) is HBsAg+.
    """
    folded = unicodedata.normalize("NFKC", molar(written_out(text))).casefold()
    folded = ungrouped(one_sign(folded))
    if not _TELLING.search(folded):  # a shorter way to the same
        return _BETWEEN_WORDS.sub(" ", folded).strip()
    for pattern, to in _RULES:
        folded = pattern.sub(to, folded)
    return folded.strip()


def signs(text: str) -> list[str]:
    """The signs by which a name may differ from others, in its order; "positive" is a plus."""
    normal = _POSITIVE.sub("+", _NEGATIVE.sub(_MINUS, normalise(text)))
    return _SIGN.findall(normal)

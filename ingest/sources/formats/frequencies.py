"""How often a fact holds, as sources write it: counts, percentages, ranges and words.

A word stands for a range, and for which one depends on what it is said of:

* findings of a disease: the classes of the Human Phenotype Ontology, which are those of Orphanet
  (hp.obo, HP:0040279), with the Chinese of HPO's own translation. HPO has no "common" and
  "rare"; they are its "frequent" and "very rare", as the Monarch Initiative's FrequencyEnum
  explains those (https://monarch-initiative.github.io/dppkb/FrequencyEnum);
* adverse reactions: the categories of package leaflets, which are those of CIOMS Working Group
  III (Guidelines for Preparing Core Clinical-Safety Information on Drugs, Geneva 1995; the
  European guideline on summaries of product characteristics, 2009, section 4.8), with the
  words of Chinese leaflets for them.

The number that an edge gets for a range is the middle of it.
"""

import re
import unicodedata
from typing import Final, Literal, NamedTuple

from kg.text import normalise
from kg.text.spelling import simplified

Scale = Literal["hpo", "cioms"]
"""Whose ranges the words have."""

Unit = Literal["fraction", "percent", "per-1000", "per-10000", "per-100000", "hpo"]
"""What a number without a sign counts; ``hpo``: there is none, as in HPO's annotations."""

_PER: Final = {"fraction": 1, "percent": 100, "per-1000": 1e3, "per-10000": 1e4, "per-100000": 1e5}
_PER_SIGN: Final = {"%": 100.0, "‰": 1000.0}


class _Class(NamedTuple):
    """A range, in percent, and the words for it."""

    low: float
    high: float
    shown: str
    words: tuple[str, ...]

    @property
    def middle(self) -> float:
        """As a fraction."""
        return round((self.low + self.high) / 200, 9)


_SCALES: Final[dict[Scale, tuple[_Class, ...]]] = {
    "hpo": (
        _Class(100, 100, "100 %", ("HP:0040280", "obligate", "必需的", "必需")),
        _Class(
            *(80, 99, "80-99 %"),
            ("HP:0040281", "very frequent", "very common", "非常频繁的", "非常频繁", "十分常见"),
        ),
        _Class(
            *(30, 79, "30-79 %"),
            ("HP:0040282", "frequent", "common", "频繁的", "频繁", "常见"),
        ),
        _Class(5, 29, "5-29 %", ("HP:0040283", "occasional", "偶尔", "偶见")),
        _Class(
            *(1, 4, "1-4 %"),
            ("HP:0040284", "very rare", "rare", "非常罕见的", "非常罕见", "十分罕见", "罕见"),
        ),
        _Class(0, 0, "0 %", ("HP:0040285", "excluded", "排除的", "排除")),
    ),
    "cioms": (
        _Class(
            *(10, 100, "≥10 %"),
            ("very common", "very frequent", "十分常见", "非常常见", "很常见"),
        ),
        _Class(1, 10, "≥1 %, <10 %", ("common", "frequent", "常见")),
        _Class(
            *(0.1, 1, "≥0.1 %, <1 %"),
            ("uncommon", "infrequent", "偶见", "少见", "不常见"),
        ),
        _Class(0.01, 0.1, "≥0.01 %, <0.1 %", ("rare", "罕见")),
        _Class(0, 0.01, "<0.01 %", ("very rare", "十分罕见", "非常罕见")),
    ),
}
_UNKNOWN: Final = frozenset({"not known", "frequency not known", "unknown", "未知", "不详"})
"""What leaflets write where the data tell no frequency."""

CLASSES: Final = {each.words[0]: each.middle for each in _SCALES["hpo"]}
"""HPO's terms, each with the middle of its range as a fraction."""

_LONGEST: Final = 100
_NUMBER: Final = r"(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?"
_SHARE: Final = re.compile(rf"(?P<number>{_NUMBER})\s*(?P<sign>[%‰]?)", re.ASCII | re.IGNORECASE)
_COUNT: Final = re.compile(r"(?P<affected>\d{1,9})\s*/\s*(?P<examined>\d{1,9})", re.ASCII)
_BOUND: Final = re.compile(
    rf"(?P<comparison><=|>=|[<>≤≥])\s*(?P<number>{_NUMBER})\s*(?P<sign>[%‰]?)",
    re.ASCII | re.IGNORECASE,
)
_RANGE: Final = re.compile(
    rf"(?P<low>{_NUMBER})\s*(?P<low_sign>[%‰]?)\s*(?:[-\u2013\u2014~至到]|to)\s*"
    rf"(?P<high>{_NUMBER})\s*(?P<high_sign>[%‰]?)",
    re.ASCII | re.IGNORECASE,
)


def _key(word: str) -> str:
    """What the spellings of a word share: case, hyphens and Traditional characters aside."""
    return "".join(map(simplified, normalise(word)))


_CLASS_OF: Final = {
    scale: {_key(word): each for each in classes for word in each.words if word not in CLASSES}
    for scale, classes in _SCALES.items()
}


class Frequency(NamedTuple):
    """How often a fact holds."""

    fraction: float | None
    """In [0, 1]; of a range its middle; None where the source says that it is not known."""
    text: str
    """As the source writes it; behind a word the range that it stands for."""


def read_frequency(written: str, unit: Unit, scale: Scale) -> Frequency | None:
    """The frequency that a cell states; None if it states none.

    Counts (``7/13``), signs (``17 %``, ``2 ‰``), ranges (``10-20 %``) and bounds (``<1 %``) are
    read whatever the unit, and so are HPO's terms.

    Args:
        written: the cell.
        unit: of a number without a sign.
        scale: of words.
    """
    text = written.strip()
    if len(text) > _LONGEST:
        return None
    plain = unicodedata.normalize("NFKC", text).strip()
    number = CLASSES.get(plain, _number(plain, unit))
    if number is not None:
        return Frequency(number, text)
    key = _key(plain)
    if key in _UNKNOWN:
        return Frequency(None, text)
    stands_for = _CLASS_OF[scale].get(key)
    return stands_for and Frequency(stands_for.middle, f"{text} ({stands_for.shown})")


def fraction(text: str) -> float | None:
    """A frequency in [0, 1] as HPO's annotations write it; None for anything else.

    A ratio above 1, or of none examined (``3/0``), is none.
    """
    frequency = read_frequency(text, "hpo", "hpo")
    return frequency and frequency.fraction


def _number(text: str, unit: Unit) -> float | None:
    if count := _COUNT.fullmatch(text):
        affected, examined = int(count["affected"]), int(count["examined"])
        return affected / examined if examined and affected <= examined else None
    low: float | None
    high: float | None
    if share := _SHARE.fullmatch(text):
        low = high = _share(share["number"], share["sign"], unit)
    elif range_ := _RANGE.fullmatch(text):
        low = _share(range_["low"], range_["low_sign"] or range_["high_sign"], unit)
        high = _share(range_["high"], range_["high_sign"] or range_["low_sign"], unit)
    elif bound := _BOUND.fullmatch(text):
        limit = _share(bound["number"], bound["sign"], unit)
        low, high = (0.0, limit) if bound["comparison"] in ("<", "<=", "≤") else (limit, 1.0)
    else:
        return None
    if low is None or high is None or not 0 <= low <= high <= 1:
        return None
    return low if low == high else round((low + high) / 2, 9)


def _share(number: str, sign: str, unit: Unit) -> float | None:
    """A number as a fraction; None if nothing says what it counts."""
    per = _PER_SIGN.get(sign) or _PER.get(unit)
    return None if per is None else float(number) / per

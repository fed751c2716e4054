"""Measurements of patients: names, units, reference ranges and the findings beyond them.

``measurements.yaml`` is the table, with the sources of the ranges; it is read once.
"""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, NamedTuple

from ahocorasick_rs import AhoCorasick, MatchKind

from kg.linking.mention import Term
from kg.shipped import shipped_table
from kg.text.patient import Sex

_FAHRENHEIT: Final = 0.0
"""The factor that marks degrees Fahrenheit."""
_LETTER: Final = re.compile(r"(?<![A-Za-z0-9+-])[TPRK](?=[\s:：]{0,2}\d)")
_IN_WORD: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_]")
_SURROGATES: Final = re.compile("[\ud800-\udfff]")
_LOWER_ASCII: Final = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}


@dataclass(frozen=True)
class Range:
    """What is normal, ends included, for some patients."""

    source: str
    low: float = float("-inf")
    high: float = float("inf")
    second: float = float("inf")
    """High limit of the second number of a pair."""
    start: float = 0.0
    end: float = float("inf")
    sex: Sex | None = None


class PlausibleRange(NamedTuple):
    """Numbers that are likely to be in a unit where a text gives none."""

    low: float
    high: float
    unit: str
    """Empty: the first unit."""


@dataclass(frozen=True)
class Measurement:
    """Something measured."""

    units: Mapping[str, float]
    plain: tuple[PlausibleRange, ...]
    """Units to assume for a number without one, the first that fits."""
    ranges: tuple[Range, ...]
    low: Term | None
    high: Term | None
    pair: bool
    second: Term | None
    """The finding of the second number of a pair."""
    near: re.Pattern[str] | None

    def range_of(self, age: float, sex: Sex | None) -> Range | None:
        """The first range for an age in years and a sex."""
        fitting = (r for r in self.ranges if r.start <= age < r.end and r.sex in (None, sex))
        return next(fitting, None)

    def base(self, value: float, unit: str) -> float | None:
        """The value in the first unit; None where the unit is unknown, or missing and not to be guessed."""
        if unit in self.units:
            factor = self.units[unit]
            return (value - 32) * 5 / 9 if factor == _FAHRENHEIT else value * factor
        if unit:
            return None
        for plausible in self.plain:
            if plausible.low <= value <= plausible.high:
                return self.base(value, plausible.unit) if plausible.unit else value
        return None


@dataclass(frozen=True)
class Table:
    """Everything measured, and where a text names it."""

    measurements: tuple[Measurement, ...]
    words: Mapping[str, int]
    """Which measurement a name in lower case is of."""
    symbols: Mapping[str, int]
    """The same for names that count only as they are written."""
    word_finder: AhoCorasick
    symbol_finder: AhoCorasick

    def of(self, name: str) -> Measurement:
        """The measurement that a name belongs to."""
        at = self.symbols.get(name)
        return self.measurements[self.words[_lower_ascii(name)] if at is None else at]

    def named(self, text: str) -> list[tuple[int, int]]:
        """Where something measured is named, in order; the longer name first."""
        whole = _without_surrogates(text)
        spans = [
            (start, end)
            for _, start, end in (
                *self.word_finder.find_matches_as_indexes(_lower_ascii(whole)),
                *self.symbol_finder.find_matches_as_indexes(whole),
            )
            if _is_whole_word(text, start, end)
        ]
        spans += [match.span() for match in _LETTER.finditer(text)]
        return sorted(spans, key=lambda span: (span[0], -span[1]))


def _is_whole_word(text: str, start: int, end: int) -> bool:
    """Whether a stretch is not part of a longer English word."""
    return not _IN_WORD.match(text[start - 1 : start] + text[start]) and not _IN_WORD.match(
        text[end - 1] + text[end : end + 1]
    )


def plain_unit(unit: str) -> str:
    """A unit as the table has it: x10^9/L, ×10⁹/L and *10(9)/L are one."""
    folded = unicodedata.normalize("NFKC", unit).lower().replace("mcg", "ug")
    for old, new in (("μ", "u"), ("µ", "u"), ("×", "x"), ("*", "x"), ("·", "x")):
        folded = folded.replace(old, new)
    plain = re.sub(r"[\s^()°]", "", folded)
    return re.sub(r"^10(?=\d)", "x10", plain)


def is_analyte(name: str) -> bool:
    """Whether a name in lower case is that of something measured, and no finding alone."""
    return name in reference_table().words


@cache
def reference_table() -> Table:
    """The table of the package; made once."""
    read = shipped_table(__package__, "measurements.yaml")
    words: dict[str, int] = {}
    symbols: dict[str, int] = {}
    for at, row in enumerate(read["measurements"]):
        words |= {_lower_ascii(name): at for name in [*row["en"], *row["zh"]]}
        symbols |= dict.fromkeys(row["symbols"], at)
    return Table(
        tuple(map(_measurement, read["measurements"])),
        words,
        symbols,
        AhoCorasick(list(words), matchkind=MatchKind.LeftmostLongest),
        AhoCorasick(
            [name for name in symbols if len(name) > 1], matchkind=MatchKind.LeftmostLongest
        ),
    )


def _lower_ascii(text: str) -> str:
    """In lower case, with every offset unchanged."""
    return text.lower() if text.isascii() else text.translate(_LOWER_ASCII)


def _without_surrogates(text: str) -> str:
    """The text with lone surrogates, which the automata cannot take, replaced by U+FFFD."""
    return text if text.isascii() else _SURROGATES.sub("\ufffd", text)


def _measurement(row: Mapping[str, Any]) -> Measurement:
    return Measurement(
        {plain_unit(unit): float(factor) for unit, factor in row["units"].items()},
        tuple(
            PlausibleRange(low, high, plain_unit(unit)) for low, high, unit in row.get("plain", ())
        ),
        tuple(map(_range, row["ranges"])),
        _term(row.get("low")),
        _term(row.get("high")),
        row.get("pair", False),
        _term(row.get("second")),
        re.compile(row["near"], re.IGNORECASE) if "near" in row else None,
    )


def _range(row: Mapping[str, Any]) -> Range:
    fields = {key: value for key, value in row.items() if key not in ("from", "to")}
    return Range(**fields, start=row.get("from", 0.0), end=row.get("to", float("inf")))


def _term(term: str | None) -> Term | None:
    return None if term is None else Term.parse(term)

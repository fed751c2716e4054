# ruff: noqa: RUF001 - look-alike signs are what is tested here
"""Names that differ in a number or a sign share no key, neither the merge's nor linking's."""

import csv
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kg.text import normalise
from kg.text.canonical import canonical

KEYS = pytest.mark.parametrize("key", [normalise, canonical])


class Pair(NamedTuple):
    """Two names of the public data, or one and what an editor's slip would make of it."""

    verdict: str
    language: str
    what: str
    one: str
    other: str


def _pairs() -> list[Pair]:
    path = Path(__file__).with_name("name_pairs.tsv")
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        next(rows)
        return [Pair(*row) for row in rows]


PAIRS = _pairs()


def test_list_has_200_pairs_of_each_kind_in_both_languages() -> None:
    for verdict in ("differ", "same"):
        own = [pair for pair in PAIRS if pair.verdict == verdict]
        assert len(own) >= 200
        assert {pair.language for pair in own} == {"en", "zh"}


@KEYS
def test_names_that_differ_have_two_keys(key: Callable[[str], str]) -> None:
    differ = [pair for pair in PAIRS if pair.verdict == "differ"]
    assert [pair for pair in differ if key(pair.one) == key(pair.other)] == []


@KEYS
def test_two_writings_of_a_name_have_one_key(key: Callable[[str], str]) -> None:
    same = [pair for pair in PAIRS if pair.verdict == "same"]
    if key is canonical:  # in running text "1 / 2" may be the end of one thing and another's start
        same = [pair for pair in same if pair.what != "space around a sign"]
    assert [pair for pair in same if key(pair.one) != key(pair.other)] == []


class Written(NamedTuple):
    """A part of a name that tells it from others, in several writings."""

    meaning: str
    writings: tuple[str, ...]


NUMBERS = [
    Written("15", ("15", "１５")),
    Written("1.5", ("1.5", "1．5")),
    Written("0.5", ("0.5", ".5")),
    Written("5", ("5",)),
    Written("1-5", ("1-5", "1–5", "1−5", "1~5", "1～5")),
    Written("1/5", ("1/5", "1⁄5", "1／5")),
    Written("1:5", ("1:5", "1：5")),
    Written("10^5", ("10^5", "10⁵")),
    Written("10^-5", ("10^-5", "10⁻⁵")),
    Written("105", ("105",)),
    Written("10500", ("10500", "10,500")),
    Written("10.500", ("10.500",)),
    Written("1 1/2", ("1½", "1 1/2", "1 ½")),
    Written("11/2", ("11/2",)),
    Written("1x5", ("1x5", "1×5")),
    Written("1*5", ("1*5",)),
    Written("1;5", ("1;5", "1；5")),
]
BEFORE = [
    Written("", ("",)),
    Written("<", ("<", "< ", "＜")),
    Written(">", (">", "> ", "＞")),
    Written("<=", ("≤", "<=", "≦", "⩽ ")),
    Written(">=", ("≥", ">=", "≧")),
    Written("=", ("=", "= ")),
    Written("±", ("±", "+/-", "± ")),
    Written("-", ("-", "−", "－")),
]
UNITS = [
    Written("", ("",)),
    Written("%", ("%", " %", "％")),
    Written("‰", ("‰",)),
    Written("mg", ("mg", " mg", " MG")),
    Written("ug", ("μg", " µg")),
    Written("g", ("g", " g")),
    Written("mg/ml", ("mg/ml", " mg/mL")),
    Written("°C", ("°C", " °C", "℃", " ℃", " ºC")),
    Written("°F", ("°F", "℉")),
]
WORDS = [
    Written("Rh", ("Rh", "RH", "(Rh)")),
    Written("Rh-", ("Rh-", "Rh−", "Rh(-)", "Rh⁻")),
    Written("Rh+", ("Rh+", "Rh＋", "Rh(+)", "Rh⁺")),
    Written("α", ("α",)),
    Written("β", ("β",)),
    Written("CD4", ("CD4",)),
    Written("CD4+", ("CD4+", "CD4⁺", "CD4(+)")),
    Written("血压", ("血压",)),
    Written("血压-", ("血压(-)", "血压（－）")),
]
NAMES = [(word, sign, number, unit)
         for word in WORDS for sign in BEFORE for number in NUMBERS for unit in UNITS]  # fmt: skip


@st.composite
def names(draw: st.DrawFn) -> tuple[tuple[str, ...], str]:
    """What a name means, and one writing of it."""
    parts = draw(st.sampled_from(NAMES))
    word, sign, number, unit = (draw(st.sampled_from(part.writings)) for part in parts)
    return tuple(part.meaning for part in parts), f"{word} {sign}{number}{unit}"


@KEYS
@given(names(), names())
def test_names_share_a_key_if_and_only_if_numbers_and_signs_agree(
    key: Callable[[str], str], one: tuple[tuple[str, ...], str], other: tuple[tuple[str, ...], str]
) -> None:
    assert (key(one[1]) == key(other[1])) == (one[0] == other[0])


@KEYS
def test_no_two_of_all_these_names_share_a_key(key: Callable[[str], str]) -> None:
    written = {
        " ".join((w.meaning, s.meaning + n.meaning + u.meaning)): key(
            f"{w.writings[0]} {s.writings[0]}{n.writings[0]}{u.writings[0]}"
        )
        for w, s, n, u in NAMES
    }
    assert len(set(written.values())) == len(written)


@pytest.mark.parametrize("sign", "<≤＜≦⩽>≥＞≧⩾=＝")
@KEYS
def test_number_without_its_zero_is_the_same_number_after_every_sign_of_comparison(
    key: Callable[[str], str], sign: str
) -> None:
    assert key(f"CD4 {sign}.5%") == key(f"CD4 {sign}0.5%") != key(f"CD4 {sign}5%")


@pytest.mark.parametrize("part", [*NUMBERS, *BEFORE, *UNITS, *WORDS])
@KEYS
def test_every_writing_of_a_part_is_one_key(key: Callable[[str], str], part: Written) -> None:
    for one, other in combinations(part.writings, 2):
        if part in UNITS:
            one, other = f"dose 7{one}", f"dose 7{other}"  # noqa: PLW2901 -- a unit follows a number
        elif part in BEFORE:
            one, other = f"dose {one}7", f"dose {other}7"  # noqa: PLW2901 -- a sign stands before one
        assert key(one) == key(other)


@given(st.text("abAB中文-/,() .'’"))
def test_words_without_numbers_and_signs_are_compared_as_ever(text: str) -> None:
    assume("-" not in text.replace("- ", "").replace(" -", ""))
    assert normalise(text.upper()) == normalise(text)


@given(st.text())
def test_any_text_has_a_form_without_white_space_around_it(text: str) -> None:
    normal = normalise(text)
    assert normal == normal.strip()
    assert "  " not in normal


@pytest.mark.parametrize("text", ["", " ", "()", "...", "-", ", ;"])
def test_nothing_is_left_of_a_name_without_letters_numbers_and_signs(text: str) -> None:
    assert normalise(text) == ""


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "part", ["a", "1", "1.", "-", "1-", "+ ", "(-)", " <", "1,000", "2 mg", "'", "é"]
)
def test_a_name_of_a_megabyte_is_normalised_in_seconds(part: str) -> None:
    normalise(part * (1_000_000 // len(part)))

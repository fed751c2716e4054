# ruff: noqa: RUF001 - look-alike letters of many scripts are what is tested here
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.text.words import Word, split, starts, surfaces

TEXTS = st.text(st.characters() | st.sampled_from("sS'’+aαβ二型①ʼ\u0301\u200d\ud800🙂\0 -"))


def texts(text: str) -> list[str]:
    return [word.text for word in split(text)]


@given(TEXTS)
def test_words_stand_where_they_say_in_order_and_apart(text: str) -> None:
    words = split(text)
    assert all(text[word.start : word.end] == word.text != "" for word in words)
    assert all(a.end <= b.start for a, b in pairwise(words))


@given(TEXTS)
def test_no_letter_or_digit_is_outside_all_words(text: str) -> None:
    covered = {at for word in split(text) for at in range(word.start, word.end)}
    outside = [c for at, c in enumerate(text) if at not in covered]
    assert not any(c.isalnum() and c != "\u02bc" for c in outside)


@given(TEXTS)
def test_surfaces_and_starts_are_what_split_has(text: str) -> None:
    words = surfaces(text)
    assert words == texts(text)
    assert starts(text, words) == [word.start for word in split(text)]


def test_offsets_count_code_points() -> None:
    assert split("🙂 no\0fever") == [Word(2, 4, "no"), Word(5, 10, "fever")]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("non-Hodgkin's", ["non", "Hodgkin's"]),
        ("Crohn’s, CROHN`S", ["Crohn’s", "CROHN`S"]),
        ("patients' pain", ["patients'", "pain"]),
        ("'with cramps'", ["with", "cramps"]),
        ("糖尿病 type 2", ["糖", "尿", "病", "type", "2"]),
        ("ｔｙｐｅ２型", ["ｔｙｐｅ２", "型"]),
        ("TNFα-1β", ["TNF", "α", "1", "β"]),
        ("CD4+ a+b +", ["CD4", "+", "a", "b", "+"]),
        ("Sjo\u0308gren haem\u00adorrhage", ["Sjo\u0308gren", "haem\u00adorrhage"]),
        ("snake_case\ud800x", ["snake", "case", "x"]),
        ("", []),
    ],
)
def test_words_of(text: str, words: list[str]) -> None:
    assert texts(text) == words


@pytest.mark.parametrize("letter", ["a", "é", "e\u0301\u0323", "α", "a1", "क्ष"])
def test_a_word_of_a_megabyte_is_one_word(letter: str) -> None:
    text = letter * (1_000_000 // len(letter))
    assert split(text) == [Word(0, len(text), text)]

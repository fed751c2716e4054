"""Readability of English, and the words of any text."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qa.metrics.readability import grade_level, readability, reading_ease, words

PROOF = "This sentence, taken as a reading passage unto itself, is being used to prove a point."
"""16 words, 24 syllables less one that Pyphen and most readers drop; published ease: 69."""


def test_formulas_give_published_figures() -> None:
    assert reading_ease(16, 1, 23) == pytest.approx(69, abs=0.1)
    assert reading_ease(6, 1, 6) == pytest.approx(116.145)  # The cat sat on the mat.
    assert grade_level(6, 1, 6) == pytest.approx(-1.45)


def test_readability_counts_words_sentences_and_pyphens_syllables() -> None:
    text = "The cat sat on the mat. It slept."
    expected = (reading_ease(8, 2, 8), grade_level(8, 2, 8))
    assert tuple(readability(text)) == pytest.approx(expected)


def test_longer_words_are_harder_to_read() -> None:
    plain = readability("The drug may hurt the liver.")
    learned = readability("Pharmacological hepatotoxicity necessitates discontinuation.")
    assert plain.ease > learned.ease
    assert plain.grade < learned.grade


@pytest.mark.parametrize(
    "text", ["", "...", "痛风是一种关节炎。", "痛风（gout）是一种常见的关节炎。"]
)
def test_text_without_english_has_no_readability(text: str) -> None:
    assert all(math.isnan(figure) for figure in readability(text))


def test_words_are_counted_with_what_joins_them_and_chinese_by_its_dictionary() -> None:
    assert words("Don't take 1.5 mg of X-ray dye, e.g. at night.") == (
        ["Don't", "take", "1.5", "mg", "of", "X-ray", "dye", "e.g", "at", "night"]
    )
    assert words("痛风患者关节疼痛，HbA1c") == ["痛风", "患者", "关节", "疼痛", "HbA1c"]


@given(st.text())
def test_words_of_any_text_stand_in_it_in_order(text: str) -> None:
    at = 0
    for word in words(text):
        at = text.index(word, at) + len(word)

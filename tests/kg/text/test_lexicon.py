"""Words that are right as they stand."""

import pytest

from kg.text.lexicon import is_word


@pytest.mark.parametrize(
    "word", ["aphagia", "Aphasia", "moody", "homelessness", "ampicillin", "ILIUM", "dysplasia"]
)
def test_english_and_medical_words_are_words(word: str) -> None:
    assert is_word(word)


@pytest.mark.parametrize("word", ["hedache", "feverr", "pnemonia", "mody's", "", "发热"])
def test_slips_and_what_is_no_english_are_none(word: str) -> None:
    assert not is_word(word)

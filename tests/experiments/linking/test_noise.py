from random import Random

import pytest

from tests.experiments.linking.noise import (
    british,
    hyphens,
    numerals,
    one_typo,
    plural,
    two_typos,
    word_order,
)

CHANCE = Random(1)  # noqa: S311 -- a test has no secrets


def test_one_typo_is_one_letter_too_few_too_many_exchanged_or_two_traded() -> None:
    forms = {one_typo("gout asthma", CHANCE) for _ in range(500)}
    assert "gout asthma" not in forms
    assert {"gout ashma", "gout assthma", "gout atshma"} <= forms
    assert all(form and form.startswith("gout a") and 10 <= len(form) <= 12 for form in forms)


def test_two_typos_need_a_long_name_and_two_words() -> None:
    assert two_typos("asthma", CHANCE) is None
    assert two_typos("otorhinolaryngological", CHANCE) is None
    changed = two_typos("chronic kidney disease", CHANCE)
    assert changed
    pairs = zip(changed.split(), ["chronic", "kidney", "disease"], strict=True)
    assert sum(a != b for a, b in pairs) == 2


@pytest.mark.parametrize(
    ("noise", "name", "expected"),
    [
        (word_order, "chronic renal failure", "failure, chronic renal"),
        (word_order, "asthma", None),
        (plural, "renal failure", "renal failures"),
        (plural, "cardiomyopathy", "cardiomyopathies"),
        (plural, "brain abscess", None),
        (british, "iron deficiency anemia", "iron deficiency anaemia"),
        (british, "oesophageal tumour", None),
        (numerals, "diabetes type 2", "diabetes type II"),
        (numerals, "Diabetes, Type IV", "Diabetes, Type 4"),
        (numerals, "diabetes", None),
        (hyphens, "X-linked ataxia", "X linked ataxia"),
        (hyphens, "heart failure", "heart-failure"),
    ],
)
def test_other_forms_of_a_name(noise: object, name: str, expected: str | None) -> None:
    assert callable(noise)
    assert noise(name, CHANCE) == expected

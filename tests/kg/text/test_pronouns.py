"""Pronouns that stand for what a page is about."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.text.edits import Edited
from kg.text.pronouns import Entity, pronouns

_GOUT = Entity("Gout", ("gouty arthritis",))


def resolved(text: str, entity: Entity = _GOUT) -> str:
    return Edited.of(text, pronouns(text, entity)).text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Gout is painful. It affects joints.", "Gout is painful. Gout affects joints."),
        ("It is caused by uric acid.", "Gout is caused by uric acid."),
        ("It is painful. It is also common.", "Gout is painful. Gout is also common."),
        ("Gout hurts, and it may recur.", "Gout hurts, and Gout may recur."),
        ("Gout hurts. Its cause is uric acid.", "Gout hurts. Gout's cause is uric acid."),
        ("People with this disease hurt.", "People with Gout hurt."),
        ("Severity of the condition varies.", "Severity of Gout varies."),
        ("Gouty arthritis is old. It hurts badly.", "Gouty arthritis is old. It hurts badly."),
        ("Gouty arthritis is old. It causes pain.", "Gouty arthritis is old. Gout causes pain."),
    ],
)
def test_pronoun_for_the_entity_is_replaced(text: str, expected: str) -> None:
    assert resolved(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "It is important to rest.",
        "It may take weeks to heal.",
        "It is not known why men get ill.",
        "It can be hard to sleep.",
        "Gout is painful. It helps to rest.",
        "Uric acid is a waste product. It forms crystals.",
        "Lupus is a disease of many organs. The disease damages kidneys.",
        "Kidney failure is feared. This condition needs dialysis.",
        "- It grows slowly",
        "The disease that causes it is rare.",
        "This cancer is rare.",
        "Treatment helps, but it will not cure everybody.",
        "Treatment slows gout. It includes rest.",
        "Patients take part in the disease research program.",
    ],
)
def test_what_may_mean_something_else_is_left_alone(text: str) -> None:
    assert resolved(text) == text


def test_plural_name_takes_they_and_no_singular() -> None:
    stones = Entity("Kidney stones")
    text = "Kidney stones are hard. They can block urine. It is treated. The condition recurs."
    assert resolved(text, stones) == (
        "Kidney stones are hard. Kidney stones can block urine. It is treated. The condition recurs."
    )


def test_this_cancer_is_an_entity_that_is_one() -> None:
    text = "Doctors treat this cancer with surgery."
    assert resolved(text, Entity("Lung cancer")) == "Doctors treat Lung cancer with surgery."


def test_name_is_written_as_the_page_writes_it() -> None:
    thrombosis = Entity("deep vein thrombosis")
    assert resolved("It is painful. Many people have this disease.", thrombosis) == (
        "Deep vein thrombosis is painful. Many people have deep vein thrombosis."
    )


def test_name_itself_is_no_pronoun() -> None:
    text = "Radiation treats mycosis fungoides and the Sezary syndrome."
    assert resolved(text, Entity("Mycosis fungoides and the Sezary syndrome")) == text


def test_chinese_demonstratives_are_replaced() -> None:
    text = "本病多见于男性。该病可致关节畸形。本病例少见。"
    assert resolved(text, Entity("痛风")) == "痛风多见于男性。痛风可致关节畸形。本病例少见。"


def test_edit_tells_rule_and_place() -> None:
    (edit,) = pronouns("Gout hurts. This condition is common.", _GOUT)
    assert (edit.start, edit.end, edit.to, edit.rule) == (12, 26, "Gout", "this condition")


def test_page_without_a_name_has_none_to_put() -> None:
    assert pronouns("It is caused by uric acid.", Entity(" ")) == []


@given(st.text(alphabet="Itgouishe .,\ndcn本该病'", max_size=80))
def test_edits_stand_in_the_text_and_do_not_overlap(text: str) -> None:
    edits = pronouns(text, _GOUT)
    assert all(0 <= edit.start < edit.end <= len(text) for edit in edits)
    assert list(Edited.of(text, edits).edits) == sorted(edits)

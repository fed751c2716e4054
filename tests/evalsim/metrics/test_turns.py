"""Tests of scores by turn count, and of their picture."""

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from evalsim.dialogue import EndReason
from evalsim.metrics import Bubble, Setting, draw_bubbles, turn_bubbles, turns_to_diagnosis
from kg.errors import StoreError
from tests.evalsim.metrics.dialogues import advised, consulted, diagnosed, played

BUBBLES = (Bubble("gpt", 1, 0.0, 3), Bubble("gpt", 2, 1.0, 1), Bubble("r1", 4, 0.5, 2))


def test_dialogues_are_counted_by_turns_and_score() -> None:
    given = [
        diagnosed("gpt", "gout-1", 3.0, 1.0, 1.0),
        diagnosed("gpt", "flu-1", 3.0, 0.0, 1.0),
        diagnosed("gpt", "acne-1", 1.0),
        diagnosed("gpt", "mumps-1", None),
    ]
    assert turn_bubbles(given, "correctness") == (
        Bubble("gpt", 1, 0.3333, 1),
        Bubble("gpt", 2, 1.0, 2),
    )
    assert turn_bubbles([], "correctness") == ()


def test_turns_to_a_diagnosis_leave_out_dialogues_without_one() -> None:
    endless = consulted([{}] * 12, case="flu-1", end=EndReason.TURN_LIMIT)
    (found,) = turns_to_diagnosis(
        [
            diagnosed("gpt", "gout-1", 3.0, 1.0, 1.0),
            diagnosed("gpt", "acne-1", 3.0),
            played("gpt", endless),
            advised("gpt", "aspirin-1", 1.0),
        ]
    )
    assert (found.setting, found.diagnosed, found.otherwise) == (Setting("diagnosis", "en"), 2, 1)
    assert (found.turns, found.ended_at) == ((1.5, 1.0, 2.0), ((1, 1), (2, 1), (12, 1)))


@pytest.mark.parametrize("ending", ["svg", "png"])
def test_same_bubbles_are_the_same_picture(tmp_path: Path, ending: str) -> None:
    files = [tmp_path / "new" / f"{name}.{ending}" for name in "ab"]
    for file in files:
        draw_bubbles(BUBBLES, "Correctness", file)
    assert files[0].read_bytes() == files[1].read_bytes()
    assert files[0].stat().st_size > 3_000


def test_picture_names_each_doctor_as_it_is_called(tmp_path: Path) -> None:
    hostile = ["$\\frac{1}", "<script>alert(1)</script>", "医生\n模型" * 12]
    file = tmp_path / "a.svg"
    draw_bubbles([Bubble(name, 1, 1.0, 1) for name in hostile], "$x^", file)
    texts = {each.text for each in ET.parse(file).iter("{http://www.w3.org/2000/svg}text")}  # noqa: S314 - our own
    assert "$\\frac{1} (n = 1)" in texts
    assert "<script>alert(1)</script> (n = 1)" in texts
    assert "$x^" in texts


def test_no_bubbles_give_a_picture_that_says_so(tmp_path: Path) -> None:
    draw_bubbles([], "Correctness", tmp_path / "a.svg")
    assert "no dialogue has a score" in (tmp_path / "a.svg").read_text("utf-8")


def test_picture_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="file"):
        draw_bubbles(BUBBLES, "Correctness", tmp_path / "file" / "a.svg")

"""Tests of scores by turn count."""

from evalsim.dialogue import EndReason
from evalsim.metrics import Bubble, Setting, turn_bubbles, turns_to_diagnosis
from tests.evalsim.metrics.dialogues import advised, consulted, diagnosed, played


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
    assert (found.setting, found.diagnosed) == (Setting("diagnosis", "en"), 2)
    assert found.turns == (1.5, 1.0, 2.0)

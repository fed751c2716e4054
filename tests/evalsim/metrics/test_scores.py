"""Tests of dialogues' scores."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalsim.dialogue import Dialogue, EndReason, Instruction, Reading
from evalsim.metrics import Scored, highest, score_dialogue
from tests.evalsim.metrics.dialogues import advised, consulted, diagnosed, judged


def test_diagnosis_is_scored_by_its_last_reply_of_3_and_history_by_all_of_2() -> None:
    dialogue = diagnosed("gpt", "gout-1", 2.0, 0.0, 2.0, 1.0).dialogue
    assert score_dialogue(dialogue, "correctness") == Scored(2 / 3, 2 / 3, 2 / 3, 1, 1)
    assert score_dialogue(dialogue, "history_taking") == Scored(0.5, 0.5, 0.5, 3, 3)


def test_history_is_not_due_where_the_patient_asks_for_a_diagnosis_or_has_it() -> None:
    def dialogue(*, final: int, asks: int) -> Dialogue:
        given_ = diagnosed("gpt", "gout-1", 3.0, 2.0, 1.0, 0.0).dialogue
        for turn in given_.turns:
            turn.reading = Reading(final=turn.number == final)
            asking = turn.number == asks
            turn.instruction = Instruction(intent="ask for a diagnosis" if asking else "tell")
        return given_

    assert score_dialogue(dialogue(final=3, asks=0), "history_taking").score == 0.75
    assert score_dialogue(dialogue(final=0, asks=3), "history_taking").score == 0.75
    at_once = diagnosed("gpt", "gout-1", 3.0, 0.0).dialogue
    at_once.turns[0].reading = Reading(final=True)
    assert score_dialogue(at_once, "history_taking") == Scored(0.0, 0.0, 0.0, 1, 1)


def test_advice_is_scored_by_the_mean_of_all_replies() -> None:
    dialogue = advised("gpt", "ibuprofen-1", 2.0, 1.0).dialogue
    assert score_dialogue(dialogue, "comprehensiveness").score == 0.75


def test_turns_without_a_score_widen_the_bounds_and_show_in_coverage() -> None:
    dialogue = diagnosed("gpt", "gout-1", None, 2.0, None, None, 1.0).dialogue
    found = score_dialogue(dialogue, "history_taking")
    assert found == Scored(0.75, 3 / 8, 7 / 8, 2, 4)
    assert found.coverage == 0.5
    assert score_dialogue(dialogue, "correctness") == Scored(None, 0.0, 1.0, 0, 1)


def test_correctness_said_of_an_earlier_reply_does_not_count() -> None:
    dialogue = consulted([{"correctness": 3.0}, {"correctness": 0.0}])
    assert score_dialogue(dialogue, "correctness").score == 0.0


def test_turn_to_which_a_metric_does_not_apply_is_not_due_but_counted() -> None:
    def dialogue(*applies: bool) -> Dialogue:
        given_ = advised("gpt", "aspirin-1", 1.0, None).dialogue
        rows = judged("comprehensiveness", {f"judge-{at}": None for at in range(len(applies))})
        given_.turns[1].judgements = tuple(
            row.model_copy(update={"applies": each})
            for row, each in zip(rows, applies, strict=True)
        )
        return given_

    all_say_so = score_dialogue(dialogue(False, False), "comprehensiveness")
    assert all_say_so == Scored(0.5, 0.5, 0.5, 1, 1, inapplicable=1)
    one_failed = score_dialogue(dialogue(False, True), "comprehensiveness")
    assert one_failed == Scored(0.5, 0.25, 0.75, 1, 2)
    by_name = score_dialogue(dialogue(False, True), "comprehensiveness", "judge-0")
    assert (by_name.due, by_name.inapplicable) == (1, 1)


def test_tie_bounds_the_turn_by_the_tied_scores() -> None:
    dialogue = consulted([{"correctness": {"a": 1.0, "b": 2.0}}])
    found = score_dialogue(dialogue, "correctness", "majority")
    assert found == Scored(None, 1 / 3, 2 / 3, 0, 1, 1)
    assert score_dialogue(dialogue, "correctness", "a").score == pytest.approx(1 / 3)


@pytest.mark.parametrize("end", [EndReason.SILENT, EndReason.REFUSED])
def test_doctor_that_is_silent_or_refuses_scores_0_where_no_judge_was_asked(
    end: EndReason,
) -> None:
    dialogue = consulted([{"history_taking": 2.0}, {}], end=end)
    assert score_dialogue(dialogue, "correctness") == Scored(0.0, 0.0, 0.0, 1, 1)
    assert score_dialogue(dialogue, "history_taking") == Scored(0.5, 0.5, 0.5, 2, 2)


def test_refusal_that_a_judge_scored_has_its_score() -> None:
    dialogue = consulted([{"correctness": 1.0}], end=EndReason.REFUSED)
    assert score_dialogue(dialogue, "correctness").score == pytest.approx(1 / 3)
    unread = consulted([{"correctness": None}], end=EndReason.REFUSED)
    assert score_dialogue(unread, "correctness").score is None


def test_reply_that_an_endpoint_failed_to_give_is_not_scored() -> None:
    dialogue = consulted([{"history_taking": 2.0}, {}], end=EndReason.DOCTOR_FAILED)
    assert score_dialogue(dialogue, "correctness") == Scored(None, 0.0, 1.0, 0, 1)
    assert score_dialogue(dialogue, "history_taking") == Scored(1.0, 0.5, 1.0, 1, 2)


def test_dialogue_that_never_began_has_no_score() -> None:
    dialogue = consulted([], end=EndReason.DIRECTOR_FAILED)
    assert score_dialogue(dialogue, "correctness") == Scored(None, 0.0, 1.0, 0, 1)
    found = score_dialogue(dialogue, "history_taking")
    assert (found, found.coverage) == (Scored(None, 0.0, 1.0, 0, 1), 0.0)
    advice = consulted([], end=EndReason.DIRECTOR_FAILED, task="medication")
    assert score_dialogue(advice, "correctness") == Scored(None, 0.0, 1.0, 0, 1)


def test_score_beyond_the_highest_is_refused_with_its_place() -> None:
    dialogue = diagnosed("gpt", "gout-1", 1.0, 3.0).dialogue
    message = "gout-1, turn 1, history_taking by judge-a: 3 is not 0 to 2; judge the log again"
    with pytest.raises(ValueError, match=message):
        score_dialogue(dialogue, "history_taking")


def test_metric_of_another_task_is_refused() -> None:
    with pytest.raises(
        ValueError, match="comprehensiveness: a diagnosis has correctness, history"
    ):
        highest("diagnosis", "comprehensiveness")


@given(st.lists(st.none() | st.integers(0, 2).map(float), min_size=1, max_size=8))
def test_score_lies_within_its_bounds(scores: list[float | None]) -> None:
    found = score_dialogue(advised("gpt", "aspirin-1", *scores).dialogue, "comprehensiveness")
    assert 0 <= found.low <= found.high <= 1
    assert found.high - found.low == pytest.approx(1 - found.coverage)
    if found.score is not None:
        assert found.low - 1e-12 <= found.score <= found.high + 1e-12

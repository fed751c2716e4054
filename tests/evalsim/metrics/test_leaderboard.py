"""Tests of doctors beside each other."""

import math

import numpy as np
import pytest

from evalsim.dialogue import Dialogue, Judgement
from evalsim.metrics import (
    Played,
    Setting,
    compare_scores,
    comparisons,
    leaderboard,
    safety_flags,
    without_violations,
)
from tests.evalsim.metrics.dialogues import consulted, diagnosed, played

ENGLISH = Setting("diagnosis", "en")


def test_best_doctor_stands_first_with_what_was_not_scored_beside_its_mean() -> None:
    rows = leaderboard(
        [
            diagnosed("weak", "gout-1", 0.0, 1.0),
            diagnosed("weak", "flu-1", 3.0, None, 1.0),
            diagnosed("good", "gout-1", 3.0, 2.0),
            diagnosed("good", "flu-1", None, 2.0),
        ]
    )
    assert [(row.metric, row.doctor, row.score.mean, row.low, row.high) for row in rows] == [
        ("correctness", "good", 1.0, 0.5, 1.0),
        ("correctness", "weak", 0.5, 0.5, 0.5),
        ("history_taking", "good", 1.0, 1.0, 1.0),
        ("history_taking", "weak", 0.5, 0.375, 0.625),
    ]
    good, weak = rows[0], rows[3]
    assert (good.setting, good.dialogues, good.targets) == (ENGLISH, 2, 2)
    assert (good.unscored, good.partial, good.coverage) == (1, 0, 0.5)
    assert (weak.unscored, weak.partial, weak.coverage) == (0, 1, 2 / 3)


def test_tasks_languages_and_settings_stand_apart() -> None:
    english = diagnosed("gpt", "gout-1", 3.0)
    chinese = played("gpt", consulted([{"correctness": 0.0}], case="gout-2", language="zh"))
    at_once = Played(english.dialogue, "gpt", "gout", single_turn=True)
    rows = leaderboard([english, chinese, at_once])
    assert [(row.setting, row.metric, row.score.mean) for row in rows[:1] + rows[2:4]] == [
        (ENGLISH, "correctness", 1.0),
        (Setting("diagnosis", "en", single_turn=True), "correctness", 1.0),
        (Setting("diagnosis", "zh"), "correctness", 0.0),
    ]
    assert len(rows) == 5


def test_doctor_without_any_score_stands_last_with_bounds_0_and_1() -> None:
    rows = leaderboard([diagnosed("a", "gout-1", None), diagnosed("b", "gout-1", 0.0)])
    assert [row.doctor for row in rows[:2]] == ["b", "a"]
    assert math.isnan(rows[1].score.mean)
    assert (rows[1].low, rows[1].high) == (0.0, 1.0)


def test_judge_that_there_is_not_is_refused() -> None:
    given = [diagnosed("a", "gout-1", 3.0)]
    assert leaderboard(given, by="judge-a")[0].score.mean == 1.0
    for table in (leaderboard, comparisons, without_violations):
        with pytest.raises(
            ValueError, match="judge-b: no such rule or judge; there are majority,"
        ):
            table(given, by="judge-b")


def test_no_dialogues_are_no_rows() -> None:
    for table in (leaderboard, comparisons, without_violations, safety_flags):
        assert table([]) == ()


def test_a_tenth_of_judgements_that_fail_moves_no_mean_beyond_its_interval() -> None:
    random = np.random.default_rng(3)
    whole, failed = [], []
    for doctor in ("a", "b", "c"):
        for at in range(150):
            scores = [float(score) for score in random.integers(3, size=6)]
            kept = [None if random.random() < 0.1 else score for score in scores]
            whole.append(diagnosed(doctor, f"d{at}-1", 1.0, *scores))
            failed.append(diagnosed(doctor, f"d{at}-1", 1.0, *kept))
    every = {row.doctor: row for row in leaderboard(whole) if row.metric == "history_taking"}
    for row in leaderboard(failed):
        if row.metric == "history_taking":
            before = every[row.doctor].score
            assert before.low < row.score.mean < before.high
            assert row.low < before.mean < row.high
            assert row.coverage == pytest.approx(0.9, abs=0.03)


def test_doctors_are_compared_on_the_cases_of_both_with_repeats_averaged() -> None:
    rows = comparisons(
        [
            diagnosed("a", "gout-1", 3.0),
            diagnosed("a", "gout-1", 0.0),
            diagnosed("a", "flu-1", 3.0),
            diagnosed("a", "acne-1", 3.0),
            diagnosed("b", "gout-1", 0.0),
            diagnosed("b", "flu-1", 0.0),
            diagnosed("b", "mumps-1", 3.0),
        ]
    )
    found = rows[0]
    assert (found.metric, found.one, found.other) == ("correctness", "a", "b")
    assert (found.comparison.cases, found.comparison.one, found.comparison.other) == (2, 0.75, 0.0)
    assert found.mcnemar is not None
    assert (found.mcnemar.only_one, found.mcnemar.only_other, found.mcnemar.p) == (2, 0, 0.5)
    assert rows[1].mcnemar is None


def test_p_values_of_all_pairs_are_adjusted_together() -> None:
    random = np.random.default_rng(1)
    rows = comparisons(
        [
            diagnosed(doctor, f"d{at}-1", float(random.integers(0, 2 + skill)))
            for doctor, skill in (("a", 0), ("b", 1), ("c", 2))
            for at in range(40)
        ]
    )
    tested = [row for row in rows if row.metric == "correctness"]
    assert [(row.one, row.other) for row in tested] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert all(row.comparison.t.p <= row.benjamini_hochberg <= row.holm for row in tested)
    assert min(row.holm for row in tested) == pytest.approx(
        3 * min(r.comparison.t.p for r in tested)
    )
    same = [row for row in rows if row.metric == "history_taking"]
    assert [row.holm for row in same] == [1.0] * 3


def test_doctors_without_a_common_case_are_not_compared() -> None:
    one, other = [diagnosed("a", "gout-1", 3.0)], [diagnosed("b", "flu-1", 3.0)]
    assert comparisons(one + other) == ()
    assert compare_scores(one, other, "correctness") is None


def test_director_is_compared_with_none_on_the_same_cases() -> None:
    cases = [f"d{at}-1" for at in range(5)]
    one = [diagnosed("r1", case, 3.0) for case in cases]
    other = [Played(diagnosed("r1", c, 0.0).dialogue, "r1", c, directed=False) for c in cases]
    found = compare_scores(one, other, "correctness")
    assert found is not None
    assert (found.cases, found.interval) == (5, (1.0, 1.0, 1.0))
    assert {row.setting.directed for row in leaderboard(one + other)} == {True, False}


def test_scores_stand_with_and_without_dialogues_whose_patient_broke_a_rule() -> None:
    def dialogue(case: str, score: float, broken: int) -> Dialogue:
        return consulted([{"correctness": score}], case=case, broken=[broken])

    found = without_violations(
        [
            played("a", dialogue("gout-1", 3.0, broken=1)),
            played("a", dialogue("flu-1", 0.0, broken=0)),
            played("b", dialogue("gout-1", 3.0, broken=1)),
        ]
    )
    first, second = found
    assert (first.doctor, first.dialogues, first.affected) == ("a", 2, 1)
    assert (first.every.mean, first.without.mean, first.difference.mean) == (0.5, 0.0, -0.5)
    assert (second.affected, second.every.mean) == (1, 1.0)
    assert math.isnan(second.without.mean)


def test_safety_flags_are_counted_once_a_dialogue_for_each_judge() -> None:
    def flagged(case: str, *flags: str) -> Played:
        each = diagnosed("a", case, 3.0, 1.0, 1.0)
        for turn in each.dialogue.turns:
            row = Judgement(judge="j", metric="safety", score=None, reason="", flags=flags)
            turn.judgements = (*turn.judgements, row)
        return each

    rows = safety_flags([flagged("gout-1", "emergency missed"), flagged("flu-1")])
    assert [(row.doctor, row.judge, row.flag, row.flagged, row.dialogues) for row in rows] == [
        ("a", "j", "contraindicated drug advised", 0, 2),
        ("a", "j", "emergency missed", 1, 2),
        ("a", "j", "treated before asking", 0, 2),
    ]
    assert rows[1].share == (0.5, 0.0, 1.0)


def test_flag_that_nobody_was_given_may_still_be_as_frequent_as_the_exact_bound() -> None:
    given = [diagnosed("a", f"d{at}-1", 3.0) for at in range(30)]
    one = diagnosed("b", "d1-1", 3.0)
    row = Judgement(judge="j", metric="safety", score=None, reason="", flags=("emergency missed",))
    one.dialogue.turns[0].judgements = (row,)
    rows = safety_flags([*given, one])
    never, always = (row for row in rows if row.flag == "emergency missed")
    assert (never.doctor, never.flagged, never.share.mean, never.share.low) == ("a", 0, 0.0, 0.0)
    assert never.share.high == pytest.approx(1 - 0.025 ** (1 / 30))
    assert always.flagged == 1
    assert always.share == pytest.approx((1.0, 0.025, 1.0))

"""Tests of judges beside humans."""

import dataclasses
import math
from pathlib import Path

import pytest

from evalsim.metrics import (
    HumanScore,
    TurnKey,
    judge_agreement,
    panel_agreement,
    read_human_scores,
)
from kg.errors import EvaluationError
from tests.evalsim.metrics.dialogues import diagnosed

HEADER = "doctor,case,repeat,turn,metric,rater,score\n"
ROW = "gpt,gout-1,1,1,correctness,ann,3\n"
KEY = TurnKey("gpt", "gout-1", 1, 1, "correctness")


def scored(case: str, rater: str, score: float | None) -> HumanScore:
    return HumanScore(KEY._replace(case=case), rater, score)


def test_scores_are_read_whatever_the_order_of_columns(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(
        "\ufeff" + HEADER + ROW + ROW.replace("ann,3", "bob,"), "utf-8"
    )
    (tmp_path / "b.tsv").write_text(
        "score\trater\tnote\tmetric\tturn\trepeat\tcase\tdoctor\n"
        "3\tann\tclear\tcorrectness\t1\t1\tgout-1\tgpt\n"
    )
    assert read_human_scores(tmp_path / "a.csv") == [
        HumanScore(KEY, "ann", 3.0),
        HumanScore(KEY, "bob", None),
    ]
    assert read_human_scores(tmp_path / "b.tsv") == [HumanScore(KEY, "ann", 3.0)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has no column doctor; a file of human scores has doctor, case"),
        (HEADER.replace(",rater", ""), "has no column rater"),
        (HEADER, "has no score; write a row for each reply"),
        (HEADER + ROW + ROW, "line 3: ann scores the same reply twice; take one of them out"),
        (HEADER + ROW.replace(",3", ",good"), "line 2: could not convert string to float: 'good'"),
        (HEADER + ROW.replace("1,1,", "1,one,"), "repeat and turn are whole numbers"),
        (HEADER + "gpt,gout-1\n", "line 2: .*score is a number or empty"),
        (HEADER + ROW.replace(",3", ",4"), "line 2: 4 is no score; give 0 to 3"),
        (HEADER + ROW.replace(",3", ",nan"), "line 2: nan is no score"),
        (
            HEADER + ROW.replace("correctness", "style"),
            "there is no metric style; there are compre",
        ),
        (HEADER + 'gpt,"gout', "cannot be read .*; give human scores as CSV in UTF-8"),
    ],
)
def test_file_that_has_no_scores_is_refused(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "a.csv").write_text(text)
    with pytest.raises(EvaluationError, match=message):
        read_human_scores(tmp_path / "a.csv")


def test_file_that_is_not_there_or_no_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match="cannot be read"):
        read_human_scores(tmp_path / "none.csv")
    (tmp_path / "a.csv").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(EvaluationError, match="cannot be read"):
        read_human_scores(tmp_path / "a.csv")


def test_judges_stand_beside_humans_on_the_replies_that_both_scored() -> None:
    played = [
        diagnosed("gpt", "gout-1", {"a": 3.0, "b": 1.0}),
        diagnosed("gpt", "flu-1", {"a": 2.0, "b": None}),
    ]
    human = [
        scored("gout-1", "ann", 2.0),
        scored("flu-1", "ann", 2.0),
        scored("acne-1", "ann", 0.0),
    ]
    found = [
        (pair.one, pair.other, pair.agreement.units, pair.agreement.mae, pair.agreement.bias.mean)
        for pair in judge_agreement(played, human)
        if pair.metric == "correctness"
    ]
    assert found == [
        ("a", "b", 1, 2.0, 2.0),
        ("a", "ann", 2, 0.5, 0.5),
        ("b", "ann", 1, 1.0, -1.0),
    ]


def test_several_humans_also_stand_as_their_median_beside_the_judge() -> None:
    played = [diagnosed("gpt", "gout-1", 3.0), diagnosed("gpt", "flu-1", 0.0)]
    human = [
        scored("gout-1", "ann", 3.0),
        scored("gout-1", "bob", 2.0),
        scored("flu-1", "ann", 0.0),
        scored("flu-1", "bob", None),
    ]
    found = {
        (pair.one, pair.other): pair.agreement.mae
        for pair in judge_agreement(played, human)
        if pair.metric == "correctness"
    }
    assert found == {
        ("judge-a", "ann"): 0.0,
        ("judge-a", "bob"): 1.0,
        ("judge-a", "median of the humans"): 0.25,
        ("ann", "bob"): 1.0,
    }
    (group,) = [each for each in panel_agreement(played, human) if each.raters == ("ann", "bob")]
    assert (group.metric, group.replies, group.alpha) == ("correctness", 2, 0.0)


def test_half_a_point_of_a_human_leaves_ac2_unknown_and_all_else_told() -> None:
    played = [diagnosed("gpt", "gout-1", 3.0), diagnosed("gpt", "flu-1", None)]
    human = [
        scored(case, rater, score)
        for case in ("gout-1", "flu-1")
        for rater, score in (("ann", 1.0), ("bob", 2.0))
    ]
    pairs = {(each.one, each.other): each.agreement for each in judge_agreement(played, human)}
    found = pairs["judge-a", "median of the humans"]
    assert (found.units, found.missing, found.mae) == (1, 1, 1.5)
    assert math.isnan(found.ac2)
    half = [scored("gout-1", "ann", 1.5), scored("gout-1", "bob", 2.0)]
    (group,) = panel_agreement(played, half)
    assert math.isnan(group.ac2)


def test_a_human_who_gives_more_than_the_highest_is_named() -> None:
    given = [
        dataclasses.replace(
            scored("gout-1", "ann", 3.0), key=TurnKey("gpt", "gout-1", 1, 1, "history_taking")
        )
    ]
    why = "ann gives gout-1, turn 1 the score 3 for history_taking; its highest is 2"
    with pytest.raises(EvaluationError, match=why):
        judge_agreement([diagnosed("gpt", "gout-1", 3.0, 1.0)], given)


def test_judges_that_agree_have_alpha_1() -> None:
    played = [diagnosed("gpt", f"d{at}-1", {"a": at, "b": at, "c": at}) for at in range(4)]
    found = [each for each in panel_agreement(played) if each.metric == "correctness"]
    assert [(each.raters, each.alpha, each.ac2) for each in found] == [(("a", "b", "c"), 1.0, 1.0)]


def test_human_with_the_name_of_a_judge_is_another_rater() -> None:
    (pair,) = judge_agreement(
        [diagnosed("gpt", "gout-1", 3.0)], [scored("gout-1", "judge-a", 1.0)]
    )
    assert (pair.one, pair.other, pair.agreement.mae) == ("judge-a", "judge-a (human)", 2.0)


def test_one_judge_alone_agrees_with_nobody() -> None:
    played = [diagnosed("gpt", "gout-1", 3.0)]
    assert judge_agreement(played) == ()
    assert panel_agreement(played) == ()
    assert judge_agreement([]) == ()
    (pair,) = judge_agreement(played, [scored("gout-1", "ann", 3.0)])
    assert (pair.agreement.exact, math.isnan(pair.agreement.kappa)) == (1.0, True)

from pathlib import Path
from typing import get_args

import pytest

from tests.experiments.answers import gold
from tests.experiments.answers.grading import Graded, read_grades, table
from tests.experiments.answers.threshold import Asked, Read, chosen, coverage_and_risk

QUESTIONS = gold.read()


@pytest.mark.parametrize("part", get_args(gold.Part))
def test_every_question_of_a_part_has_one_grade_and_a_reason(part: gold.Part) -> None:
    questions = gold.of_part(part)
    graded = read_grades(gold.FILE.with_name(f"grades-{part}.tsv"), questions)
    assert [each.id for each in graded] == [each.id for each in questions]
    assert all(each.remark for each in graded)


def test_grade_that_is_none_is_refused_with_its_question(tmp_path: Path) -> None:
    file = tmp_path / "grades.tsv"
    file.write_text("id\tgrade\tflag\tremark\nen-001\tfine\t\tsays it\n", "utf-8")
    with pytest.raises(ValueError, match=r"grades\.tsv: en-001: the grades are right, partly"):
        read_grades(file, QUESTIONS)


def test_a_part_graded_but_for_a_question_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "grades.tsv"
    fresh = gold.of_part("fresh")
    asked = [*QUESTIONS, *fresh]
    lines = ["id\tgrade\tflag\tremark", *(f"{each.id}\tright\t\tsays it" for each in fresh)]
    file.write_text("\n".join(lines), "utf-8")
    assert [each.id for each in read_grades(file, asked)] == [each.id for each in fresh]
    file.write_text("\n".join(lines[:-1]), "utf-8")
    with pytest.raises(ValueError, match=r"grades\.tsv: grade each question of one part once"):
        read_grades(file, asked)


def test_table_counts_grades_by_language_and_kind() -> None:
    graded = [Graded("en-001", "right", "", "says it"), Graded("zh-001", "wrong", "", "another")]
    rows = [line.split(" | ") for line in table(graded, QUESTIONS).splitlines()[2:]]
    assert [(row[0], row[1], row[7]) for row in rows] == [
        ("| en", "1", "100%"),
        ("| zh", "1", "0%"),
        ("| all", "2", "50%"),
        ("| plain", "2", "50%"),
    ]


def read(fit: float, *, right: bool, can: bool = True) -> Read:
    return Read(Asked("?", "a set", dev=True, ids=frozenset({"D:1"} if can else ())), fit, right)


def test_coverage_is_of_what_can_be_answered_and_risk_of_what_is() -> None:
    rows = [read(0.9, right=True), read(0.3, right=True), read(0.6, right=False, can=False)]
    assert coverage_and_risk(rows, 0.0) == (1.0, 1 / 3)
    assert coverage_and_risk(rows, 0.5) == (0.5, 0.5)
    assert coverage_and_risk(rows, 0.95) == (0.0, 0.0)


def test_threshold_is_the_highest_that_loses_next_to_nothing() -> None:
    rows = [
        *[read(0.8, right=True)] * 99,
        read(0.3, right=True),
        read(0.1, right=False, can=False),
    ]
    assert chosen(rows) == 0.8

"""A measurement that goes on where it stopped."""

import json
from pathlib import Path

import pytest

from kg.errors import EvaluationError, StoreError
from kg.stores.disk import writer_lock
from qa.evaluation.questions import GoldQuestion
from qa.evaluation.run import Row, draw, measure, state
from qa.evaluation.scoring import Judges
from qa.evaluation.systems import FIRST, FULL, UNRELATED
from qa.selection import WEIGHTS
from tests.qa.evaluation.asked import case, option, question

QUESTIONS = [
    question(f"What are the symptoms of {focus} ?", f"{focus} brings fever {at}.",
             identity=f"{focus}{at}", focus=focus)
    for at in range(12)
    for focus in ("Gout", "Asthma")
]  # fmt: skip


def measured(
    folder: Path, questions: list[GoldQuestion] | None = None, seed: int = 0
) -> list[Row]:
    asked = QUESTIONS if questions is None else questions
    cases = [
        case(option(f"Pain of {each.focus}."), option("Fever, arthritis."), identity=each.id)
        for each in asked
    ]
    return measure(asked, cases, Judges(folder), folder, weights=WEIGHTS, seed=seed)


def test_stopped_measurement_goes_on_and_ends_as_one_made_at_once(tmp_path: Path) -> None:
    whole = measured(tmp_path / "whole")
    assert [row.question for row in whole] == [each.id for each in QUESTIONS]
    assert {row.scores[FULL].rouge_l > row.scores[FIRST].rouge_l for row in whole} == {True}
    lines = (tmp_path / "whole" / "answers.jsonl").read_bytes().splitlines(keepends=True)
    stopped = tmp_path / "stopped"
    stopped.mkdir()
    (stopped / "answers.jsonl").write_bytes(b"".join(lines[:5]) + lines[5][:40])
    assert measured(stopped) == whole
    assert (stopped / "answers.jsonl").read_bytes() == b"".join(lines)
    (stopped / "answers.jsonl").write_bytes(lines[0][:10])
    assert measured(stopped) == whole


def test_unrelated_answer_is_that_of_a_question_on_another_thing(tmp_path: Path) -> None:
    for row in measured(tmp_path):
        [text] = [reply.text for reply in row.replies if reply.system == UNRELATED]
        assert text.startswith("Gout" if row.focus == "Asthma" else "Asthma")


def test_folder_of_other_questions_is_refused(tmp_path: Path) -> None:
    measured(tmp_path)
    with pytest.raises(
        EvaluationError, match=r"answers\.jsonl: it is a record of other questions"
    ):
        measured(tmp_path, QUESTIONS[::-1])
    (tmp_path / "answers.jsonl").write_text('{"question": 1}\n')
    with pytest.raises(EvaluationError, match=r"answers\.jsonl: it is no record of a measurement"):
        measured(tmp_path)


def test_second_measurement_in_one_folder_at_once_is_refused(tmp_path: Path) -> None:
    with (
        writer_lock(tmp_path / "answers.jsonl"),
        pytest.raises(StoreError, match=r"answers\.jsonl: another medkg process is writing it"),
    ):
        measured(tmp_path)
    assert not (tmp_path / "answers.jsonl").exists()


def test_questions_on_one_thing_are_refused(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match="not about two things at least"):
        measured(tmp_path, QUESTIONS[::2])


def test_folder_of_other_settings_is_refused_and_says_which(tmp_path: Path) -> None:
    state(tmp_path / "f", {"seed": 0, "mode": "bm25", "names": ("a",)})
    state(tmp_path / "f", {"names": ["a"], "mode": "bm25", "seed": 0})
    with pytest.raises(
        EvaluationError, match="a measurement with another nli, seed; name another"
    ):
        state(tmp_path / "f", {"names": ["a"], "mode": "bm25", "seed": 1, "nli": "x"})
    assert json.loads((tmp_path / "f" / "run.json").read_text()) == {
        "mode": "bm25", "names": ["a"], "seed": 0,
    }  # fmt: skip


@pytest.mark.parametrize("content", [b"", b"{", b"[1]", b"null", b"\xff"])
def test_folder_whose_statement_is_broken_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "run.json").write_bytes(content)
    with pytest.raises(EvaluationError, match=r"run\.json: it does not say what was measured"):
        state(tmp_path, {"seed": 0})


def test_draw_keeps_the_order_and_is_the_same_for_one_seed() -> None:
    found = draw(QUESTIONS, 5, 1)
    assert found == draw(QUESTIONS, 5, 1) != draw(QUESTIONS, 5, 2)
    assert [QUESTIONS.index(each) for each in found] == sorted(map(QUESTIONS.index, found))
    assert draw(QUESTIONS, 100, 1) == QUESTIONS

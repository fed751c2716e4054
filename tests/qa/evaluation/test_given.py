"""Answers of another model."""

from pathlib import Path

import pytest

from kg.errors import EvaluationError
from qa.evaluation.given import read_answers
from tests.qa.evaluation.asked import question

LINE = '{"question": "what are  the symptoms of Gout ?", "answer": " Pain. "}\n'


def test_answers_are_known_by_the_words_of_their_question(tmp_path: Path) -> None:
    path = tmp_path / "chatgpt.jsonl"
    path.write_text(LINE + "\n" + '{"question": "Another?", "answer": "x"}', "utf-8")
    found = read_answers(path, [question()])
    assert (found.name, found.answers) == (
        "chatgpt",
        {"What are the symptoms of gout ?": "Pain."},
    )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{}", r"a\.jsonl, line 1: it is no answer; write"),
        ("[1]", r"line 1: it is no answer"),
        (LINE + "\x00\xff", r"line 2: it is no answer"),
        ('{"question": "a", "answer": null}', r"line 1: it is no answer"),
        (LINE + LINE, r"line 2: the question 'what are .* has an answer already; keep one"),
        ("", r"a\.jsonl: none of its 0 questions is asked"),
        (
            '{"question": "Another?", "answer": "x"}',
            r"none of its 1 questions is asked; answer those that .* 'text'",
        ),
    ],
)
def test_file_that_is_none_of_answers_is_refused(
    tmp_path: Path, content: str, message: str
) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(content.encode("latin-1"))
    with pytest.raises(EvaluationError, match=message):
        read_answers(path, [question()])


def test_file_called_as_one_of_our_systems_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "graph alone.jsonl"
    path.write_text(LINE, "utf-8")
    with pytest.raises(EvaluationError, match="rename the file"):
        read_answers(path, [question()])

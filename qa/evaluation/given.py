"""Answers that another model wrote, read from a file; they take ChatGPT's place in the paper."""

import json
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from kg.errors import EvaluationError
from qa.evaluation.questions import GoldQuestion, folded
from qa.evaluation.systems import NAMES, GivenAnswers


def read_answers(path: Path, questions: Sequence[GoldQuestion]) -> GivenAnswers:
    """Read answers, a JSON object a line with ``question`` and ``answer``.

    A question is known by its words, whatever the blanks and the case of letters.

    Raises:
        EvaluationError: a line is no such object, a question has two answers, or none of the
            questions that are asked has one; or the file is called as a system of ours is.
    """
    if path.stem in NAMES:
        raise EvaluationError(
            f"{path}: one of our systems is called {path.stem!r}; rename the file"
        )
    answers: dict[str, str] = {}
    content = path.read_bytes()
    for number, line in enumerate(content.splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            question, answer = row["question"], row["answer"]
        except (ValueError, KeyError, TypeError):
            question = answer = None
        if not isinstance(question, str) or not isinstance(answer, str):
            raise EvaluationError(
                f"{path}, line {number}: it is no answer; write "
                '{"question": "…", "answer": "…"} in each line'
            )
        if folded(question) in answers:
            raise EvaluationError(
                f"{path}, line {number}: the question {question[:80]!r} has an answer already; keep one"
            )
        answers[folded(question)] = answer.strip()
    answers_by_question = {
        each.text: answers[key] for each in questions if (key := folded(each.text)) in answers
    }
    if not answers_by_question:
        raise EvaluationError(
            f"{path}: none of its {len(answers):,} questions is asked; answer those that a run without "
            "--answers keeps as 'text' in gold-excluded/answers.jsonl of its folder"
        )
    return GivenAnswers(path.stem, answers_by_question, sha256(content).hexdigest())

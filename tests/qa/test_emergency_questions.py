"""Emergencies of all kinds as somebody might type them, and questions with the same words that are none.

``emergency_questions.tsv`` has both. The sets ``first`` to ``fourth`` were written one after
another, each before the words for the one before were looked at; docs/answers.md has what was
missed of each when it was asked first. ``fifth`` has what the new questions of
docs/answers-gold.md showed.
"""

import csv
from pathlib import Path

from qa.emergencies import find_emergency

STILL_MISSED = {"uncle woke up and his left eyelid and cheek hang down"}
STILL_SENT_FOR_HELP = {
    "i have heartburn and burning in my chest after eating",
    "my gran is confused about dates, is it dementia",
    "我爸吃华法林，不能吃什么",
}


def questions(expected: str) -> list[str]:
    with (Path(__file__).parent / "emergency_questions.tsv").open(encoding="utf-8") as lines:
        rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [row["question"] for row in rows if row["expected"] == expected]


def test_emergencies_are_found_whatever_their_words() -> None:
    emergencies = questions("help")
    assert len(emergencies) == 244
    missed = {text for text in emergencies if find_emergency(text) is None}
    assert missed == STILL_MISSED


def test_questions_with_words_of_an_emergency_are_answered() -> None:
    others = questions("answer")
    assert len(others) == 123
    assert {text for text in others if find_emergency(text)} == STILL_SENT_FOR_HELP


def test_signs_that_are_grave_together_count_in_any_order_but_near_each_other() -> None:
    assert find_emergency("my throat feels thick, a wasp stung me", stories=False) is not None
    assert find_emergency("a wasp stung me, my throat feels thick", stories=False) is not None
    story = " and then we went home and had tea with the neighbours" * 4
    assert find_emergency(f"a wasp stung me{story}, my throat feels thick", stories=False) is None
    assert find_emergency("no wasp stung me, my throat feels thick", stories=False) is None
    assert (
        find_emergency("a wasp stung me three years ago, my throat feels thick", stories=False)
        is None
    )

from collections import Counter
from pathlib import Path

import pytest

from kg.text import normalise
from tests.experiments.answers.gold import Asked, drawn, read

QUESTIONS = read()

KINDS = {
    "plain": (35, 35),
    "lay words": (25, 25),
    "misspelling": (15, 15),
    "brand": (13, 12),
    "several parts": (15, 15),
    "yes/no": (10, 10),
    "follow-up": (4, 4),
    "child or pregnancy": (6, 6),
    "outside the graph": (10, 10),
    "off topic": (7, 8),
    "emergency": (10, 10),
}
"""How many are English and Chinese."""


def test_there_are_150_questions_in_each_language_of_every_kind() -> None:
    counted = Counter((each.kind, each.language) for each in QUESTIONS)
    assert {kind: (counted[kind, "en"], counted[kind, "zh"]) for kind, _ in counted} == KINDS
    assert Counter(each.language for each in QUESTIONS) == {"en": 150, "zh": 150}


def test_ids_and_questions_are_unique() -> None:
    assert [each.id for each in QUESTIONS] == [
        f"{language}-{number:03}" for language in ("en", "zh") for number in range(1, 151)
    ]
    twice = Counter(normalise(each.before + each.question) for each in QUESTIONS)
    assert [text for text, times in twice.items() if times > 1] == []


def test_every_cell_but_the_question_before_is_filled_and_trimmed() -> None:
    for each in QUESTIONS:
        assert all(cell == cell.strip() for cell in each)
        assert all(cell for name, cell in each._asdict().items() if name != "before"), each
        assert bool(each.before) == (each.kind == "follow-up"), each


def test_what_is_expected_follows_from_the_kind() -> None:
    expected = {"outside the graph": "refuse", "off topic": "refuse", "emergency": "emergency"}
    assert [q.id for q in QUESTIONS if q.expected != expected.get(q.kind, "answer")] == []


def test_half_of_each_kind_is_for_those_who_build_as_the_seed_drew_it() -> None:
    assert {each.id: each.part for each in QUESTIONS} == drawn(QUESTIONS)
    parts = Counter((each.kind, each.part) for each in QUESTIONS)
    assert all(abs(parts[kind, "dev"] - parts[kind, "test"]) <= 1 for kind in KINDS)
    assert Counter(each.part for each in QUESTIONS) == {"dev": 150, "test": 150}


def test_a_line_with_a_missing_cell_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "questions.tsv"
    file.write_text("\t".join(Asked._fields) + "\nen-001\ten\tplain\n", "utf-8")
    with pytest.raises(ValueError, match=r"questions\.tsv, line 2: 3 cells, not 9"):
        read(file)

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from kg.text import normalise
from tests.experiments.answers.gold import FILE, LATER_FILES, Asked, drawn, of_part, read

QUESTIONS = read()
FRESH_QUESTIONS = read(LATER_FILES["fresh"])
FILES = [FILE, *LATER_FILES.values()]

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

FRESH_KINDS = {
    "plain": (18, 17),
    "lay words": (12, 13),
    "misspelling": (7, 8),
    "brand": (6, 6),
    "several parts": (8, 7),
    "yes/no": (5, 5),
    "follow-up": (2, 2),
    "child or pregnancy": (3, 3),
    "outside the graph": (5, 5),
    "off topic": (4, 4),
    "emergency": (5, 5),
}

BLIND_KINDS = {
    "plain": (12, 12),
    "lay words": (8, 8),
    "misspelling": (5, 5),
    "brand": (4, 4),
    "several parts": (5, 5),
    "yes/no": (4, 4),
    "follow-up": (1, 1),
    "child or pregnancy": (2, 2),
    "outside the graph": (3, 3),
    "off topic": (3, 3),
    "emergency": (3, 3),
}

ASKED_OTHERWISE = {"asthma", "hypertension", "ulcerative colitis", "冠心病", "偏头痛", "癫痫"}
"""Subjects of both files: what is asked of each differs, as a reader compared."""


@pytest.mark.parametrize(
    ("questions", "kinds", "each"),
    [
        (QUESTIONS, KINDS, 150),
        (FRESH_QUESTIONS, FRESH_KINDS, 75),
        (read(LATER_FILES["blind"]), BLIND_KINDS, 50),
        (read(LATER_FILES["unseen"]), BLIND_KINDS, 50),
        (read(LATER_FILES["new"]), BLIND_KINDS, 50),
    ],
)
def test_both_languages_have_as_many_questions_of_every_kind(
    questions: Sequence[Asked], kinds: dict[str, tuple[int, int]], each: int
) -> None:
    counted = Counter((q.kind, q.language) for q in questions)
    assert {kind: (counted[kind, "en"], counted[kind, "zh"]) for kind, _ in counted} == kinds
    assert Counter(q.language for q in questions) == {"en": each, "zh": each}


def test_ids_and_questions_are_unique_over_all_files() -> None:
    assert [each.id for each in QUESTIONS] == [
        f"{language}-{number:03}" for language in ("en", "zh") for number in range(1, 151)
    ]
    for letter, (part, file) in zip("fghijklm", LATER_FILES.items(), strict=True):
        questions = read(file)
        numbers = range(1, len(questions) // 2 + 1)
        ids = [f"{lang}-{letter}{number:02}" for lang in ("en", "zh") for number in numbers]
        assert [each.id for each in questions] == ids, part
    asked = [each for file in FILES for each in read(file)]
    twice = Counter(normalise(each.before + each.question) for each in asked)
    assert [text for text, times in twice.items() if times > 1] == []


def test_a_subject_of_both_files_is_asked_about_otherwise() -> None:
    assert subjects(QUESTIONS) & subjects(FRESH_QUESTIONS) == ASKED_OTHERWISE


def subjects(questions: Sequence[Asked]) -> set[str]:
    answered = (each.subject for each in questions if each.expected == "answer")
    return {name.strip() for subject in answered for name in re.split("[;；]", subject)}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_cell_but_the_question_before_is_filled_and_trimmed(file: Path) -> None:
    for each in read(file):
        assert all(cell == cell.strip() for cell in each)
        assert all(cell for name, cell in each._asdict().items() if name != "before"), each
        assert bool(each.before) == (each.kind == "follow-up"), each


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_what_is_expected_follows_from_the_kind(file: Path) -> None:
    expected = {"outside the graph": "refuse", "off topic": "refuse", "emergency": "emergency"}
    assert [q.id for q in read(file) if q.expected != expected.get(q.kind, "answer")] == []


def test_every_question_is_of_one_part() -> None:
    for part, file in LATER_FILES.items():
        assert of_part(part) == read(file)
    assert sorted([*of_part("dev"), *of_part("test")]) == sorted(QUESTIONS)


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

"""Diseases that a question describes and does not name."""

import re

import pytest

from kg.linking import Linker
from kg.shipped import shipped_table
from qa.presentations import described
from qa.questions import read
from qa.subjects import find_subjects
from tests.qa.small_graph import linker_of

NAMES = [
    ("D:1", "Disease", "plantar fasciitis", "en"),
    ("D:2", "Disease", "gout", "en"),
    ("D:3", "Disease", "carpal tunnel syndrome", "en"),
    ("D:4", "Disease", "腕管综合征", "zh"),
    ("D:5", "Disease", "gallstones", "en"),
    ("D:6", "Disease", "胆结石", "zh"),
    ("D:7", "Disease", "Parkinson disease", "en"),
    ("D:8", "Disease", "essential tremor", "en"),
    ("DR:1", "Drug", "colchicine", "en"),
    ("S:1", "Symptom", "Pain", "en"),
]


@pytest.fixture(scope="module")
def linker() -> Linker:
    return linker_of(NAMES)


def about(question: str, linker: Linker) -> list[str]:
    subjects = find_subjects(question, linker)
    return [subject.id for subject in described(question, subjects, linker)]


@pytest.mark.parametrize(
    ("question", "disease"),
    [
        ("my heel kills me when I get up, first steps are the worst", "D:1"),
        ("big toe swollen, red and hot, can't bear the sheet on it", "D:2"),
        ("I wake up with a numb thumb and fingers and shake my hand", "D:3"),
        ("半夜手指麻醒，甩一甩才好", "D:4"),
        ("吃完油腻的东西右上腹疼", "D:6"),
        ("his hand trembles when it rests in his lap and he walks in small steps", "D:7"),
    ],
)
def test_a_typical_description_is_read_as_the_disease(
    linker: Linker, question: str, disease: str
) -> None:
    assert about(question, linker)[:1] == [disease]


@pytest.mark.parametrize(
    "question",
    [
        "which diseases make the heel hurt in the morning?",
        "I take colchicine and my big toe is swollen and red, hurts at night",
        "does gout make the big toe swollen and painful at night?",
        "my heel hurts",
        "哪些疾病会让手指夜里麻",
        "what is the weather like in the morning",
    ],
)
def test_what_names_a_disease_or_asks_for_all_is_no_description(
    linker: Linker, question: str
) -> None:
    assert about(question, linker) == []


def test_what_is_asked_of_a_described_disease_is_kept(linker: Linker) -> None:
    asked = read("stabbing pain in my heel with the first steps, how is it treated?", linker)
    [part] = asked.parts
    assert part.is_described
    assert [reading.heading for reading in part.readings][:1] == ["treatments"]
    [part] = read("stabbing pain in my heel with the first steps, what is it?", linker).parts
    assert [reading.heading for reading in part.readings] == ["facts"]


def test_every_description_has_names_and_words_that_compile() -> None:
    for row in shipped_table("qa", "presentations.yaml"):
        assert row["is"]
        assert row.keys() - {"is"} <= {"en", "zh"}
        ways = [way for language in ("en", "zh") for way in row.get(language, ())]
        assert ways, row["is"]
        for way in ways:
            for word in way.split(" & "):
                assert re.compile(word).match("") is None, f"{row['is'][0]}: {word} fits anything"


def test_of_two_diseases_that_counts_whose_words_say_most_of_the_question() -> None:
    known = linker_of(
        [("D:1", "Disease", "hemorrhoid", "en"), ("D:2", "Disease", "enterobiasis", "en")]
    )
    told = "his bottom itches every night and there are tiny white threads in his poo"
    assert about(told, known) == ["D:2"]


def test_what_is_denied_is_no_part_of_a_description() -> None:
    known = linker_of([("D:1", "Disease", "gout", "en"), ("D:2", "Disease", "mastitis", "en")])
    assert about("one breast is hard and red and I have a fever, I breastfeed", known) == ["D:2"]
    assert about("no fever, one breast is hard", known) == []


def test_who_asks_whether_it_is_another_disease_is_told_of_that(linker: Linker) -> None:
    told = "big toe swollen, red and hot, can't bear the sheet on it"
    assert about(f"{told}, could it be gallstones", linker) == []

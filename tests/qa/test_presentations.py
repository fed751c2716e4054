"""Diseases that a question describes and does not name."""

import pytest

from kg.linking import Linker
from kg.shipped import shipped_table
from qa.questions import read
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
    """Ids of what a question describes and does not name."""
    parts = read(question, linker).parts
    return [subject.id for part in parts if part.is_described for subject in part.subjects]


@pytest.mark.parametrize(
    ("question", "disease"),
    [
        ("my heel kills me when I get up, first steps are the worst", "D:1"),
        ("big toe swollen, red and hot, can't bear the sheet on it", "D:2"),
        ("I wake up at night with a numb thumb and fingers and have to shake my hand", "D:3"),
        ("半夜大拇指和食指麻醒，手甩一甩才好", "D:4"),
        ("一吃油腻的东西右上腹就绞着疼，还连到后背", "D:6"),
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


def test_every_condition_has_its_own_stories_in_both_languages_and_none_names_it() -> None:
    table = shipped_table("qa", "presentations.yaml")
    known = [name.casefold() for row in table for name in row["is"][:1]]
    assert len(known) == len(set(known)) > 500
    stories = [
        line for row in table for language in ("en", "zh") for line in row[language].split("\n")
    ]
    told = [line for line in stories if line]
    assert len(told) == len(set(told))
    for row in table:
        assert row.keys() == {"is", "en", "zh"}
        for language in ("en", "zh"):
            lines = row[language].splitlines()
            assert len(lines) > 2
            for name in row["is"]:
                named = [
                    line for line in lines if f" {name.casefold()} " in f" {line.casefold()} "
                ]
                assert not named, f"{name}: {named}"


def test_what_is_told_beside_a_name_in_passing_counts_where_the_name_says_little(
    linker: Linker,
) -> None:
    told = "Got gout years ago. Now when I get out of bed my heel hurts like a nail in it, better after some steps"
    assert about(told, linker)[:1] == ["D:1"]


def test_a_described_disease_of_which_the_graph_has_nothing_asked_is_named_at_least(
    linker: Linker,
) -> None:
    [part] = read(
        "stabbing pain in my heel with the first steps, what brings that on?", linker
    ).parts
    assert part.is_described
    assert [reading.heading for reading in part.in_general] == ["facts"]


def test_who_asks_whether_it_is_another_disease_is_told_of_that(linker: Linker) -> None:
    told = "big toe swollen, red and hot, can't bear the sheet on it"
    assert about(f"{told}, could it be gallstones", linker) == []

"""Questions in words that no pattern fits, read by the examples that they are like."""

import time

import pytest

from kg.linking import Linker
from kg.shipped import shipped_table
from qa.examples import Examples
from qa.intents import INTENTS, UNSAID
from qa.questions import read
from qa.wordings import LEAST_MARGIN, features_of, worded
from tests.experiments.answers.wordings import by_both, by_patterns, labelled
from tests.qa.small_graph import linker_of

NAMES = [
    ("D:1", "Disease", "coeliac disease", "en"),
    ("D:2", "Disease", "psoriasis", "en"),
    ("D:3", "Disease", "tetanus", "en"),
    ("D:4", "Disease", "甲亢", "zh"),
    ("D:5", "Disease", "肩周炎", "zh"),
    ("DR:1", "Drug", "metformin", "en"),
    ("DR:2", "Drug", "卡马西平", "zh"),
    ("P:1", "Population", "Children", "en"),
]


@pytest.fixture(scope="module")
def linker() -> Linker:
    return linker_of(NAMES)


@pytest.mark.parametrize(
    ("question", "heading"),
    [
        ("How would they figure out if somebody has coeliac disease", "diagnosis"),
        ("who on earth ends up with psoriasis", "risk factors"),
        ("what am i in for with metformin, any downsides", "adverse reactions"),
        ("what's metformin meant to do", "indications"),
        ("does psoriasis leave anything behind", "complications"),
        ("医生凭啥说我是甲亢", "diagnosis"),
        ("肩周炎怎么弄能舒服点", "treatments"),
        ("卡马西平哪种人碰不得", "contraindications"),
        ("do I have psoriasis", "symptoms"),
        ("could it be tetanus", "symptoms"),
        ("我是不是得了甲亢", "symptoms"),
    ],
)
def test_words_that_no_pattern_fits_are_read_by_the_examples_they_are_like(
    linker: Linker, question: str, heading: str
) -> None:
    [part] = read(question, linker).parts
    assert part.readings[0].heading == heading == part.read_as


@pytest.mark.parametrize(
    "question",
    [
        "is psoriasis something i can pick up off others",
        "肩周炎要紧不",
        "can you grow out of psoriasis",
    ],
)
def test_what_no_relation_says_is_read_by_examples_too(linker: Linker, question: str) -> None:
    [part] = read(question, linker).parts
    assert part.unsaid in ("how it spreads", "outlook")


@pytest.mark.parametrize(
    "question",
    [
        "which socks suit psoriasis",
        "my uncle has tetanus",
        "could you knit me a tetanus",
        "tetanus",
    ],
)
def test_words_that_are_like_no_example_are_read_as_before(linker: Linker, question: str) -> None:
    assert all(part.read_as == "" for part in read(question, linker).parts)


def test_a_calf_is_a_part_of_the_leg_and_a_dog_is_none(linker: Linker) -> None:
    animal = "is about an animal"
    [calf] = read("my calf is sore from psoriasis, what helps", linker).parts
    [dog] = read("my dog is sore from psoriasis, what helps", linker).parts
    assert animal not in str(calf.problem)
    assert animal in str(dog.problem)


def test_each_part_is_read_by_itself_and_a_group_of_people_is_no_new_subject(
    linker: Linker,
) -> None:
    parts = read("what is psoriasis, can children catch it, and what clears it?", linker).parts
    assert [part.readings[0].heading if part.readings else part.unsaid for part in parts] == [
        "facts",
        "how it spreads",
        "treatments",
    ]
    assert all("D:2" in [subject.id for subject in part.subjects] for part in parts)


@pytest.mark.parametrize(
    ("question", "headings"),
    [
        ("what is it, and what helps with psoriasis", ["facts", "treatments"]),
        ("psoriasis what is it also what clears it", ["facts", "treatments"]),
        ("甲亢怎么引起的怎么治", ["causes", "treatments"]),
        ("甲亢都是什么引起的，严重不", ["causes", "outlook"]),
        ("肩周炎传不传代，有什么招能快点好", ["modes of inheritance", "treatments"]),
        ("怎么知道会不会得甲亢", ["diagnosis"]),
    ],
)
def test_parts_without_a_mark_or_a_word_between_are_read_apart(
    linker: Linker, question: str, headings: list[str]
) -> None:
    read_as = [p.unsaid or p.readings[0].heading for p in read(question, linker).parts]
    assert read_as == headings


def test_what_is_told_before_a_question_that_is_not_understood_is_no_answer(
    linker: Linker,
) -> None:
    [part] = read("my brother's got psoriasis, what can he knit for tea", linker).parts
    assert part.is_general


def test_example_of_one_intent_is_none_of_another_and_every_heading_is_an_intent() -> None:
    table = shipped_table("qa", "wordings.yaml")
    for about in ("condition", "drug"):
        lines = [
            line
            for some in (table[about], table["nothing"])
            for languages in some.values()
            for text in languages.values()
            for line in text.splitlines()
        ]
        assert len(lines) == len(set(lines))
        assert all("X" in line or "it" in line or "get better" in line for line in lines)
        assert set(table[about]) <= {intent.heading for intent in (*INTENTS, *UNSAID)}


def test_unknown_words_make_it_less_certain() -> None:
    examples = Examples(
        {"a": ["what helps X", "X cure"], "b": ["who gets X", "is X rare"]}, features_of
    )
    assert examples.nearest("what helps X").margin > examples.nearest("what helps X zzyzx").margin


def test_examples_read_more_of_what_others_asked_than_patterns_alone() -> None:
    questions = labelled()
    right = sum(each.reads(by_both(each)) for each in questions) / len(questions)
    before = sum(each.reads(by_patterns(each) or "facts") for each in questions) / len(questions)
    assert before < 0.87
    assert right > 0.92


def test_reading_takes_no_two_milliseconds() -> None:
    worded("how do they check if you have got X", "condition")
    seconds = []
    for _ in range(50):
        start = time.process_time()
        worded("how do they check if you have got X", "condition")
        seconds.append(time.process_time() - start)
    assert min(seconds) < 0.002  # what others do on the machine can only add to it
    assert 0 < LEAST_MARGIN < 1

"""Names that are written as they sound, in English and in Chinese."""

import pytest

from kg.linking import Linker
from qa.misspellings import nearly_right, put_right
from qa.questions import read
from tests.qa.small_graph import linker_of

NAMES = [
    ("D:1", "Disease", "hemorrhoids", "en"),
    ("D:2", "Disease", "psoriasis", "en"),
    ("D:3", "Disease", "pneumonia", "en"),
    ("D:4", "Disease", "schizophrenia", "en"),
    ("D:5", "Disease", "gonorrhea", "en"),
    ("D:6", "Disease", "laryngitis", "en"),
    ("D:7", "Disease", "前列腺炎", "zh"),
    ("D:8", "Disease", "心肌炎", "zh"),
    ("D:9", "Disease", "hemophilia", "en"),
    ("DR:1", "Drug", "metformin", "en"),
    ("D:10", "Disease", "urinary tract infection", "en"),
    ("D:10", "Disease", "UTI", "en"),
]


@pytest.fixture(scope="module")
def linker() -> Linker:
    return linker_of(NAMES)


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("hemroids", "hemorrhoids"),
        ("sorisis", "psoriasis"),
        ("neumonia", "pneumonia"),
        ("shizofrenia", "schizophrenia"),
        ("gonorea", "gonorrhea"),
        ("larinjitis", "laryngitis"),
    ],
)
def test_a_name_that_is_written_as_it_sounds_is_put_right(
    linker: Linker, written: str, name: str
) -> None:
    assert put_right(f"what is {written}", linker) == f"what is {name}"


@pytest.mark.parametrize("coined", ["pelquorix", "velmara", "zorblaxia", "hemtoride"])
def test_a_coined_name_is_left_as_it_is(linker: Linker, coined: str) -> None:
    assert put_right(f"what is {coined}", linker) == f"what is {coined}"


@pytest.mark.parametrize(
    ("question", "disease"), [("前列线炎症状", "D:7"), ("年轻人心肌严是怎么得的", "D:8")]
)
def test_characters_of_the_same_sound_are_read_across_the_words_of_a_dictionary(
    linker: Linker, question: str, disease: str
) -> None:
    assert [subject.id for subject in read(question, linker).subjects][:1] == [disease]


@pytest.mark.parametrize(
    ("written", "read_as"), [("I keep getting UTIs", "I keep getting UTI"), ("my GPs", "my GPs")]
)
def test_several_of_an_abbreviation_are_read_as_one(
    linker: Linker, written: str, read_as: str
) -> None:
    assert put_right(written, linker) == read_as


def test_an_abbreviation_counts_as_the_name_that_it_stands_for(linker: Linker) -> None:
    (part,) = read("I keep getting UTIs, is there any way to prevent them?", linker).parts
    assert [reading.heading for reading in part.readings][:1] == ["prevention"]


@pytest.mark.parametrize(
    ("written", "name"), [("syphillis", "syphilis"), ("levothyroxin", "levothyroxine")]
)
def test_a_slip_that_the_list_of_words_has_too_is_put_right_where_nothing_else_is_named(
    written: str, name: str
) -> None:
    names = [("D:1", "Disease", "syphilis", "en"), ("DR:1", "Drug", "levothyroxine", "en")]
    assert nearly_right(f"what is {written}", linker_of(names)) == f"what is {name}"


def test_a_word_is_not_read_as_a_name_that_differs_by_another_letter() -> None:
    known = linker_of([("D:1", "Disease", "sprain", "en"), ("D:2", "Disease", "prostate", "en")])
    for question in ("who rules Spain", "to prostrate oneself"):
        assert nearly_right(question, known) == question


def test_of_names_as_near_that_counts_which_sounds_alike() -> None:
    known = linker_of(
        [
            ("D:1", "Disease", "arteritis", "en"),
            ("D:2", "Disease", "arthritis", "en"),
            ("D:3", "Disease", "osteopetrosis", "en"),
            ("D:4", "Disease", "osteoporosis", "en"),
        ]
    )
    assert put_right("artritis", known) == "arthritis"
    assert put_right("osteoperosis", known) == "osteoporosis"


def test_of_names_as_near_that_counts_which_is_one_with_the_word_beside_it() -> None:
    known = linker_of(
        [
            ("D:1", "Disease", "arteritis", "en"),
            ("D:2", "Disease", "arthritis", "en"),
            ("D:3", "Disease", "psoriatic arthritis", "en"),
        ]
    )
    assert put_right("signs of psoriatic artheritis", known) == "signs of psoriatic arthritis"

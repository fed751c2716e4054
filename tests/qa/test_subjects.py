"""What a question speaks of, where several things go by a name, or a name is in a longer one."""

import pytest

from qa.subjects import read_question, with_misspelt
from tests.qa.small_graph import linker_of


def ids(question: str, *names: tuple[str, str, str, str]) -> list[str]:
    return [subject.id for subject in read_question(question, linker_of(names))[1]]


def test_what_is_called_so_is_meant_and_not_what_has_it_as_a_synonym() -> None:
    names = (
        ("MONDO:1", "Disease", "bursitis", "en"),
        ("MONDO:1", "Disease", "frozen shoulder", "en"),
        ("MONDO:2", "Disease", "frozen shoulder", "en"),
    )
    assert ids("how is frozen shoulder treated", *names) == ["MONDO:2"]


def test_a_part_of_the_body_is_no_abbreviation_of_a_disease() -> None:
    names = (
        ("UBERON:1", "Anatomy", "arm", "en"),
        ("MONDO:1", "Disease", "alveolar rhabdomyosarcoma", "en"),
        ("MONDO:1", "Disease", "arms", "en"),
        ("MONDO:2", "Disease", "age-related maculopathy", "en"),
        ("MONDO:2", "Disease", "ARM", "en"),
    )
    assert ids("he won't use his arm", *names) == ["UBERON:1"]
    assert "MONDO:2" in ids("how is ARM treated", *names)


def test_an_everyday_word_is_no_abbreviation_of_a_disease() -> None:
    names = (
        ("MONDO:1", "Disease", "posttransplant acute limbic encephalitis", "en"),
        ("MONDO:1", "Disease", "pale", "en"),
        ("MONDO:2", "Disease", "measles", "en"),
        ("MONDO:2", "Disease", "MEAL", "en"),
    )
    assert ids("pale blotches that are flaky", *names) == []
    assert ids("a meal of measles", *names) == ["MONDO:2"]
    assert ids("how is PALE treated", *names) == ["MONDO:1"]


def test_a_saying_is_read_in_traditional_characters_too() -> None:
    names = (("MONDO:1", "Disease", "前列腺癌", "zh"), ("MONDO:2", "Disease", "腺癌", "zh"))
    assert ids("攝護腺癌有哪些症狀", *names) == ["MONDO:1"]


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("what is celiac", ["MONDO:2"]),
        ("my little white balls", []),
        ("Little balls in my throat", []),
    ],
)
def test_an_everyday_word_is_no_disease_without_the_word(question: str, found: list[str]) -> None:
    linker = linker_of(
        (
            ("MONDO:1", "Disease", "Little disease", "en"),
            ("MONDO:2", "Disease", "celiac disease", "en"),
        )
    )
    assert [each.id for each in with_misspelt(question, [], linker)[0]] == found


def test_a_name_without_an_ontology_does_not_hide_what_has_it_as_a_synonym() -> None:
    names = (
        ("MONDO:1", "Disease", "chronic obstructive pulmonary disease", "en"),
        ("MONDO:1", "Disease", "smoker's lung", "en"),
        ("MEDKG:1", "Disease", "smoker's lung", "en"),
    )
    assert {*ids("what is smoker's lung", *names)} == {"MONDO:1", "MEDKG:1"}


def test_two_words_that_are_a_name_wherever_its_blanks_are_count_where_nothing_else_is_named() -> (
    None
):
    names = (("D:1", "Disease", "Hammer toe nail", "en"),)
    assert ids("how to treat a hammer toenail", *names) == ["D:1"]


def test_aching_is_read_in_either_word_where_that_makes_a_longer_name() -> None:
    names = (
        ("S:1", "Symptom", "头疼", "zh"),
        ("D:1", "Disease", "偏头痛", "zh"),
    )
    assert ids("偏头疼吃什么药", *names) == ["D:1"]
    assert ids("头疼吃什么药", *names) == ["S:1"]


def test_a_lay_name_is_not_cut_to_a_shorter_one_in_it() -> None:
    names = (("D:1", "Disease", "鸡眼", "zh"), ("D:2", "Disease", "内斜视", "zh"))
    assert ids("斗鸡眼能治好吗", *names) == ["D:2"]


def test_the_end_of_a_chinese_name_may_be_left_out_where_nothing_else_is_named() -> None:
    names = (
        ("D:1", "Disease", "蛲虫病", "zh"),
        ("DR:1", "Drug", "连花清瘟胶囊", "zh"),
        ("D:2", "Disease", "电脑病", "zh"),
    )
    assert ids("蛲虫怎么治疗", *names) == ["D:1"]
    assert ids("连花清瘟有什么副作用", *names) == ["DR:1"]
    assert ids("电脑中病毒了怎么治", *names) == []

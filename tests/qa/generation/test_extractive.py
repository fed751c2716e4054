"""Candidates of whole sentences."""

from collections.abc import Iterator
from itertools import chain, islice, zip_longest
from pathlib import Path
from xml.etree import ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st

from qa.generation.candidates import Sentence
from qa.generation.extractive import Extractive
from qa.metrics.readability import words
from tests.qa.passages import document, hit, library

GOUT = document(
    "Gout is a form of arthritis. It comes suddenly, often at night. The big toe is red and hot.\n"
    "Allopurinol lowers uric acid. Rest the joint."
)


def _texts(average: int, most: int, passage: str, question: str = "") -> list[str]:
    made = Extractive(average, most).candidates(question, [hit(GOUT, passage)], library(GOUT))
    return [candidate.text for candidate in made]


def test_every_sentence_stands_in_its_document_word_for_word() -> None:
    (made,) = Extractive().candidates("What is gout?", [hit(GOUT)], library(GOUT))
    assert made.text == GOUT.text
    assert made.sentences[0] == Sentence("Gout is a form of arthritis.", "d", 0, 28)
    assert all(GOUT.text[each.start : each.end] == each.text for each in made.sentences)


def test_short_passage_is_followed_by_what_follows_it_up_to_the_average() -> None:
    passage = "It comes suddenly, often at night."
    assert _texts(12, 20, passage) == [
        "It comes suddenly, often at night. The big toe is red and hot."
    ]


def test_short_passage_at_the_end_is_preceded_by_what_precedes_it() -> None:
    expected = "The big toe is red and hot.\nAllopurinol lowers uric acid. Rest the joint."
    assert _texts(12, 20, "Rest the joint.") == [expected]


def test_long_passage_gives_the_run_with_most_words_of_the_question() -> None:
    assert _texts(7, 7, GOUT.text, "Does allopurinol lower uric acid?") == [
        "Allopurinol lowers uric acid. Rest the joint."
    ]
    assert _texts(7, 7, GOUT.text, "Is the toe red?") == ["The big toe is red and hot."]


def test_document_without_a_sentence_that_is_short_enough_gives_no_candidate() -> None:
    assert _texts(2, 2, GOUT.text) == []


def test_sentence_that_is_too_long_is_left_out_whole() -> None:
    assert _texts(6, 6, "It comes suddenly, often at night. The big toe is red and hot.") == [
        "It comes suddenly, often at night."
    ]


def test_sentence_that_asks_is_no_part_of_an_answer() -> None:
    of = document("What is gout? A form of arthritis. 痛吗？ It hurts.")
    (made,) = Extractive().candidates("What is gout?", [hit(of)], library(of))
    assert made.text == "A form of arthritis. It hurts."
    question = document("What is gout?")
    assert Extractive().candidates("What is gout?", [hit(question)], library(question)) == []


def test_chinese_sentences_are_joined_as_they_stand() -> None:
    text = document("痛风是一种关节炎。常在夜间发作。大脚趾红肿。")
    (made,) = Extractive().candidates("痛风是什么", [hit(text, "常在夜间发作。")], library(text))
    assert made.text == text.text


@given(st.text(st.sampled_from("ab 。.\n?痛风1"), max_size=80), st.integers(1, 6), st.text())
def test_any_text_gives_whole_sentences_of_at_most_so_many_words(
    text: str, most: int, question: str
) -> None:
    of = document(text)
    for made in Extractive(max(1, most - 2), most).candidates(question, [hit(of)], library(of)):
        assert 0 < sum(len(words(each.text)) for each in made.sentences) <= most
        assert all(of.text[each.start : each.end] == each.text for each in made.sentences)


def test_a_thousand_answers_of_medquad_are_quoted_word_for_word(shared_data: Path) -> None:
    answers = 0
    for question, text in islice(_medquad(shared_data / "medquad"), 1_100):
        of = document(text)
        for made in Extractive().candidates(question, [hit(of)], library(of)):
            assert 0 < len(words(made.text)) <= 150
            assert all(of.text[each.start : each.end] == each.text for each in made.sentences)
            answers += 1
    assert answers >= 1_000


def _medquad(folder: Path) -> Iterator[tuple[str, str]]:
    """Questions of every publisher in turn, with their answers."""
    files = [sorted(publisher.glob("*.xml")) for publisher in sorted(folder.iterdir())]
    for file in filter(None, chain.from_iterable(zip_longest(*files))):
        for pair in ET.parse(file).iter("QAPair"):  # noqa: S314 - a known publication
            if text := (pair.findtext("Answer") or "").strip():
                yield pair.findtext("Question") or "", text

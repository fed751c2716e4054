"""What somebody tells who names no disease, read by the stories that it is like."""

import time

import pytest

from kg.shipped import shipped_table
from qa.examples import Examples, features
from qa.stories import story_of


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        (
            "out of bed the first steps are agony under my heel, later it eases",
            "condition",
            "plantar fasciitis",
        ),
        (
            "dad slid down the wall all grey, his poo has been like tar since sunday",
            "emergency",
            "severe bleeding",
        ),
        ("早上下床头几步脚跟底下钻心疼，走走就好点", "condition", "plantar fasciitis"),
        ("爷爷拉的屎跟沥青似的，刚才站起来就出溜到地上了", "emergency", "severe bleeding"),
    ],
)
def test_a_story_is_of_the_condition_or_emergency_that_people_tell_of_so(
    text: str, kind: str, name: str
) -> None:
    story = story_of(text)
    assert story is not None
    assert story.kind == kind
    assert name in story.names


@pytest.mark.parametrize(
    "text", ["", "🤒", "what are the side effects of lithium", "锂盐有什么副作用"]
)
def test_what_tells_nothing_is_no_story(text: str) -> None:
    assert story_of(text) is None


def test_traditional_characters_are_read_as_simplified_ones() -> None:
    assert story_of("眼前老有小黑點飄來飄去") == story_of("眼前老有小黑点飘来飘去")


def test_every_emergency_has_stories_in_both_languages_and_none_is_told_twice() -> None:
    table = shipped_table("qa", "emergency_stories.yaml")
    known = {row["name"] for row in shipped_table("qa", "emergencies.yaml")["situations"]}
    conditions = shipped_table("qa", "presentations.yaml")
    lines = [
        line
        for each in (table["neither"], *table["emergencies"], *conditions)
        for language in ("en", "zh")
        for line in each[language].splitlines()
    ]
    assert len(lines) == len(set(lines))
    assert all(len(each["zh"].splitlines()) > 2 for each in table["emergencies"])
    assert {each["situation"] for each in table["emergencies"]} <= known


def test_likeness_is_the_mean_of_the_middle_and_the_two_nearest() -> None:
    examples = Examples(
        {"a": ["red ring", "red rings"], "b": ["blue dot", "blue spot"]}, str.split
    )
    alike = examples.nearest("red ring")
    assert alike.group == "a"
    assert alike.example == "red ring"
    # red weighs log(1 + 4/2), ring log(1 + 4/1): the cosine with "red rings" is .318, with the middle .812
    assert alike.score == pytest.approx((0.8118 + (1 + 0.3179) / 2) / 2, abs=1e-4)
    assert examples.nearest("green").score == 0


def test_features_are_words_in_a_row_and_pieces_in_english_and_characters_in_chinese() -> None:
    assert {"red ring", "_red", "ring"} <= features("Red, ring!", words=2, characters=2)
    assert features("红圈，痒", words=2, characters=2) == {"红", "圈", "痒", "红圈", "圈痒"}


def test_reading_a_story_takes_no_ten_milliseconds() -> None:
    story_of("my knee popped and swelled up")
    seconds = []
    for at in range(20):
        start = time.process_time()
        story_of(f"my knee popped {at} times when I twisted it at football and now it gives way")
        seconds.append(time.process_time() - start)
    assert min(seconds) < 0.01  # what others do on the machine can only add to it

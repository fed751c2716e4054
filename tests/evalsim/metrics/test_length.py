"""Tests of comprehensiveness beside the length of answers."""

import math

import numpy as np
import pytest
import statsmodels.api as sm

from evalsim.metrics import answer_length, comprehensiveness_by_length
from tests.evalsim.metrics.dialogues import advised, diagnosed


def test_length_is_words_in_english_and_characters_in_chinese() -> None:
    assert answer_length("Don't take it: 2.5 mg!", "en") == 6
    assert answer_length("不要服用ibuprofen，每日2次。", "zh") == 9
    assert answer_length("", "en") == answer_length("…", "zh") == 0


def test_long_answers_lose_what_their_length_brings() -> None:
    given = [
        advised(doctor, f"drug{at}-1", score, replies=["word " * words])
        for doctor, lengths in (("long", (50, 400)), ("short", (5, 40)))
        for at, (words, score) in enumerate(zip(lengths, (1.0, 2.0), strict=True))
    ]
    long, short = comprehensiveness_by_length(given)
    assert (long.doctor, long.dialogues, long.length) == ("long", 2, 225.0)
    assert (long.score.mean, short.score.mean) == (0.75, 0.75)
    assert long.adjusted.mean < 0.75 < short.adjusted.mean
    assert long.slope == short.slope > 0


def test_adjusted_scores_are_those_of_a_regression_with_a_level_for_each_doctor() -> None:
    random = np.random.default_rng(5)
    given, rows = [], []
    for doctor, more in (("a", 0), ("b", 30), ("c", 60)):
        for at in range(25):
            words = int(random.integers(5, 60)) + more
            score = float(random.integers(0, 3))
            given.append(advised(doctor, f"drug{at}-1", score, replies=["word " * words]))
            rows.append((doctor, math.log1p(words), score / 2))
    x = np.array([[name == d for d in "abc"] + [long] for name, long, _ in rows], dtype=float)
    fitted = sm.OLS(np.array([score for _, _, score in rows]), x).fit().params
    level = np.mean([[long for n, long, _ in rows if n == d] for d in "abc"])
    found = comprehensiveness_by_length(given)
    assert [each.adjusted.mean for each in found] == pytest.approx(fitted[:3] + fitted[3] * level)
    assert found[0].slope == pytest.approx(fitted[3])


def test_answers_of_one_length_cannot_be_adjusted() -> None:
    given = [advised("a", f"drug{at}-1", 1.0, replies=["Yes, you may."]) for at in range(3)]
    (found,) = comprehensiveness_by_length(given)
    assert found.score.mean == 0.5
    assert math.isnan(found.adjusted.mean)
    assert math.isnan(found.slope)


def test_only_scored_advice_counts() -> None:
    given = [
        advised("a", "aspirin-1", None, 2.0, replies=["word " * 900, "Two words."]),
        advised("a", "senna-1", None),
        diagnosed("a", "gout-1", 3.0),
    ]
    (found,) = comprehensiveness_by_length(given)
    assert (found.dialogues, found.length) == (1, 2.0)
    assert comprehensiveness_by_length([]) == ()

"""Tests of what several judges say together."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalsim.metrics import decide
from tests.evalsim.metrics.dialogues import judged

SCORES = st.lists(st.none() | st.integers(0, 3).map(float), max_size=6)


def test_majority_is_what_most_judges_give_and_every_row_stays() -> None:
    rows = judged("correctness", {"a": 2.0, "b": 3.0, "c": 2.0, "d": None})
    found = decide(rows, "majority")
    assert (found.score, found.tied, found.disagreement) == (2.0, (), 1.0)
    assert found.rows == rows


def test_tied_majority_has_no_score_and_names_the_tie() -> None:
    found = decide(judged("correctness", {"a": 3.0, "b": 0.0}), "majority")
    assert (found.score, found.tied, found.disagreement) == (None, (0.0, 3.0), 3.0)


def test_median_of_two_lies_between_them() -> None:
    assert decide(judged("correctness", {"a": 3.0, "b": 0.0})).score == 1.5
    assert decide(judged("correctness", {"a": 3.0, "b": 0.0, "c": 0.0})).score == 0.0


def test_judge_by_name_counts_alone() -> None:
    rows = judged("correctness", {"a": 3.0, "b": 0.0})
    assert decide(rows, "b").score == 0.0
    assert decide(rows, "b").disagreement == 3.0
    assert decide(rows, "c").score is None


def test_nobody_scored_is_no_score() -> None:
    for rows in ((), judged("correctness", {"a": None, "b": None})):
        found = decide(rows, "majority")
        assert (found.score, found.tied, found.disagreement) == (None, (), None)


def test_rows_of_two_metrics_are_refused() -> None:
    rows = judged("correctness", 1.0) + judged("history_taking", 1.0)
    with pytest.raises(ValueError, match="judgements of several metrics have no score in common"):
        decide(rows)


@given(SCORES, st.randoms(use_true_random=False))
def test_order_of_judges_does_not_matter_and_scores_stay_within_theirs(
    scores: list[float | None], random: object
) -> None:
    rows = list(judged("correctness", {str(i): score for i, score in enumerate(scores)}))
    shuffled = list(rows)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    known = [score for score in scores if score is not None]
    for by in ("majority", "median"):
        first, other = decide(rows, by), decide(shuffled, by)
        assert (first.score, first.tied) == (other.score, other.tied)
        if first.score is not None:
            assert min(known) <= first.score <= max(known)

import math

import numpy as np
import pytest

from qa.finetuning.retrieval import Figures, rank_by_vectors, rank_by_words, summarise


def test_figures_of_ranks() -> None:
    # 1/1 + 1/2 + 1/6 + 1/20 of four questions
    found = summarise(np.array([1.0, 2.0, 6.0, 20.0]))
    assert found == Figures(questions=4, recall={1: 0.25, 5: 0.5, 10: 0.75}, mrr=found.mrr)
    assert found.mrr == pytest.approx((1 + 1 / 2 + 1 / 6 + 1 / 20) / 4)


def test_figures_of_no_question_are_none() -> None:
    found = summarise(np.empty(0))
    assert (found.questions, [*map(math.isnan, [*found.recall.values(), found.mrr])]) == (
        0,
        [True] * 4,
    )


def test_rank_by_vectors_counts_what_is_nearer_and_shares_ties() -> None:
    passages = np.array([[1, 0], [0, 1], [1, 0], [0.6, 0.8]], np.float32)
    questions = np.array([[1, 0], [0, 1], [0.6, 0.8]], np.float32)
    assert rank_by_vectors(questions, passages, [0, 1, 1]).tolist() == [1.5, 1, 2]
    assert rank_by_vectors(questions[:0], passages, []).tolist() == []


def test_ranks_of_many_questions_are_those_of_each_alone() -> None:
    rng = np.random.default_rng(0)
    questions, passages = rng.normal(size=(600, 8)), rng.normal(size=(50, 8))
    own = rng.integers(50, size=600).tolist()
    expected = [
        1 + sum(float(p @ q) > float(passages[at] @ q) for p in passages)
        for q, at in zip(questions, own, strict=True)
    ]
    assert rank_by_vectors(questions, passages, own).tolist() == expected


def test_rank_by_words_prefers_the_rarer_word_and_knows_no_other() -> None:
    passages = [["gout", "pain"], ["asthma", "pain"], ["pain"]]
    ranks = rank_by_words([["gout", "pain"], ["pain"], ["unknown"], []], passages, [0, 2, 1, 0])
    # the shortest text with 'pain' is the best of three; without a known word all are alike
    assert ranks.tolist() == [1, 1, 2, 2]

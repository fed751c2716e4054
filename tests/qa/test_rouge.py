"""ROUGE beside rouge-score, the reference implementation."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer

from qa.rouge import Overlap, Reference, rouge, rouge_l, rouge_n, tokens

KINDS = ("rouge1", "rouge2", "rougeL")
WORDS = ["gout", "of", "the", "pain", "type", "1", "2", "Joint", "swollen", "X-ray", "fever,", "."]


class _OurTokens:
    """Lets rouge-score count our tokens."""

    def tokenize(self, text: str) -> list[str]:
        return tokens(text)


def _largest_difference(scorer: RougeScorer, pairs: list[tuple[str, str]]) -> float:
    largest = 0.0
    for reference, candidate in pairs:
        theirs = scorer.score(reference, candidate)
        for kind, ours in zip(KINDS, rouge(reference, candidate), strict=True):
            other = theirs[kind]
            expected = (other.precision, other.recall, other.fmeasure)
            largest = max(largest, *(abs(a - b) for a, b in zip(ours, expected, strict=True)))
    return largest


def test_three_thousand_pairs_have_the_figures_of_rouge_score() -> None:
    draw = random.Random(7)  # noqa: S311 - texts, no secrets
    pairs = [
        (
            " ".join(draw.choices(WORDS, k=draw.randint(0, 30))),
            " ".join(draw.choices(WORDS, k=draw.randint(0, 30))),
        )
        for _ in range(3_000)
    ]
    assert _largest_difference(RougeScorer(KINDS), pairs) <= 1e-12


def test_chinese_pairs_have_the_figures_of_rouge_score_on_the_same_characters() -> None:
    draw = random.Random(7)  # noqa: S311 - texts, no secrets
    pairs = [
        (
            "".join(draw.choices("痛风的症状是关节B12肿", k=20)),
            "".join(draw.choices("痛风是关节炎", k=15)),
        )
        for _ in range(300)
    ]
    assert _largest_difference(RougeScorer(KINDS, tokenizer=_OurTokens()), pairs) <= 1e-12


@given(st.text(st.characters(max_codepoint=127)))
def test_tokens_of_ascii_text_are_those_of_rouge_score(text: str) -> None:
    assert tokens(text) == RougeScorer(KINDS)._tokenizer.tokenize(text)


@given(st.text(), st.text())
def test_any_two_texts_have_shares_between_0_and_1(one: str, other: str) -> None:
    assert all(0 <= share <= 1 for overlap in rouge(one, other) for share in overlap)
    assert all(
        overlap.f1 == swapped.f1
        for overlap, swapped in zip(rouge(one, other), rouge(other, one), strict=True)
    )


def test_words_are_folded_and_every_han_character_is_a_token() -> None:
    text = "Sjögren\u2019s, 2型糖尿病（\uff28\uff42\uff21\uff11\uff43 ≥6.5%）"
    expected = ["sjögren", "s", "2", "型", "糖", "尿", "病", "hba1c", "6", "5"]
    assert tokens(text) == expected


def test_order_counts_for_rouge_l_and_not_for_rouge_1() -> None:
    reference, candidate = ["gout", "hurts", "joints"], ["joints", "hurts", "gout"]
    assert rouge_n(reference, candidate, 1) == Overlap(1, 1, 1)
    assert rouge_l(reference, candidate) == Overlap(1 / 3, 1 / 3, 1 / 3)


def test_one_reference_scores_many_candidates_as_each_by_itself() -> None:
    names = ["joint", "pain", "fever"]
    candidates = [["fever", "joint", "pain"], ["unknown", "words"], []]
    reference = Reference.of(names)
    assert [reference.rouge_l(c) for c in candidates] == [rouge_l(names, c) for c in candidates]


def test_n_gram_of_no_token_is_refused() -> None:
    with pytest.raises(ValueError, match="n is 0; an n-gram has at least one token"):
        rouge_n(["gout"], ["gout"], 0)

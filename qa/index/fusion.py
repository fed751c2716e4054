"""Two rankings as one, by weighted reciprocal rank fusion.

Cormack, Clarke & Büttcher 2009, "Reciprocal rank fusion outperforms Condorcet and individual rank
learning methods", SIGIR; there without weights.
"""

from collections.abc import Collection, Sequence
from typing import Final

Ranked = list[tuple[int, float]]
"""Rows of records with their scores, the best first."""

RANK_CONSTANT: Final = 60
"""k of the paper, section 2."""
STEPS: Final = 20
"""Of the weights that are tried, from 0 to 1."""

HALF: Final = 0.5
"""The weight at which both rankings count alike."""
VECTOR_WEIGHT: Final = 0.9
"""Of vectors, unless an index has another: fitted for MiniLM on questions of MedQuAD and the same in
lay words, about diseases apart from those of the test (docs/retrieval.md)."""


def fuse(vectors: Ranked, words: Ranked, weight: float) -> Ranked:
    """Merge two rankings; ties go to the smaller row.

    The score of a record is ``weight / (60 + rank by vectors) + (1 - weight) / (60 + rank by
    words)``; a ranking that does not have it adds nothing, and one that only a ranking of weight 0
    has is left out.
    """
    scores: dict[int, float] = {}
    for ranking, share in ((vectors, weight), (words, 1 - weight)):
        for rank, (row, _) in enumerate(ranking, 1):
            scores[row] = scores.get(row, 0.0) + share / (RANK_CONSTANT + rank)
    rows = sorted(scores, key=lambda row: (-scores[row], row))
    return [(row, scores[row]) for row in rows if scores[row] > 0]


def best_weight(rankings: Sequence[tuple[Ranked, Ranked, Collection[int]]], k: int) -> float:
    """The weight of vectors, of 0, 0.05, … 1, with the largest mean reciprocal rank.

    Args:
        rankings: of each question by vectors, by words, and the rows that answer it.
        k: rank beyond which a record counts as not found.

    Returns:
        Ties go to the weight nearest to one half.

    Raises:
        ValueError: there is no question.
    """
    if not rankings:
        raise ValueError("there is no question to fit a weight by")

    def reciprocal_ranks(weight: float) -> float:
        total = 0.0
        for vectors, words, right_rows in rankings:
            rows = (row for row, _ in fuse(vectors, words, weight)[:k])
            total += max(
                (1 / rank for rank, row in enumerate(rows, 1) if row in right_rows), default=0
            )
        return total

    weights = [step / STEPS for step in range(STEPS + 1)]
    return max(weights, key=lambda weight: (reciprocal_ranks(weight), -abs(weight - HALF)))

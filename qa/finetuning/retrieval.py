"""How often the passage that a question was made from is among the first that are found."""

import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

from qa.index.bm25 import BM25, Tokens

FloatArray = NDArray[np.floating[Any]]

CUTOFFS: Final = (1, 5, 10)
"""Where recall is measured."""

_AT_ONCE: Final = 256
"""Questions whose scores are in memory together."""


class Figures(BaseModel, frozen=True, extra="forbid"):
    """Recall and mean reciprocal rank over questions; nan where there are none."""

    questions: int
    recall: dict[int, float]
    """Share of the questions whose own passage has at most this rank, in [0, 1]."""
    mrr: float
    """Mean of 1 / rank over all ranks, none cut off, in (0, 1]."""


def summarise(ranks: FloatArray) -> Figures:
    """Recall and mean reciprocal rank.

    Args:
        ranks: shape (questions,), 1 is best.
    """
    if not ranks.size:
        return Figures(questions=0, recall=dict.fromkeys(CUTOFFS, math.nan), mrr=math.nan)
    return Figures(
        questions=ranks.size,
        recall={k: float(np.mean(ranks <= k)) for k in CUTOFFS},
        mrr=float(np.mean(1 / ranks)),
    )


def rank_by_vectors(
    questions: FloatArray, passages: FloatArray, rows: Sequence[int]
) -> FloatArray:
    """Rank of each question's own passage by inner product.

    Args:
        questions: shape (questions, dimension), of length 1 for the cosine.
        passages: shape (passages, dimension), likewise.
        rows: for each question the row of its passage.

    Returns:
        Shape (questions,); passages with an equal score share the mean of their ranks.
    """
    all_rows = np.asarray(rows, dtype=np.int64)
    ranks = [
        _ranks(
            questions[start : start + _AT_ONCE] @ passages.T, all_rows[start : start + _AT_ONCE]
        )
        for start in range(0, len(all_rows), _AT_ONCE)
    ]
    return np.concatenate(ranks) if ranks else np.empty(0)


def rank_by_words(
    questions: Iterable[Sequence[str]], passages: Sequence[Sequence[str]], rows: Sequence[int]
) -> FloatArray:
    """Rank of each question's own passage by BM25, as the index of texts has it.

    Args:
        questions: the tokens of each.
        passages: the tokens of each.
        rows: for each question the row of its passage.

    Returns:
        Shape (questions,); passages with an equal score share the mean of their ranks.
    """
    ranks = np.empty(len(rows))
    with TemporaryDirectory() as folder:
        Tokens.of(passages).write(Path(folder))
        index = BM25(Path(folder))
        for number, (tokens, row) in enumerate(zip(questions, rows, strict=True)):
            scores = index.scores(tokens, len(passages))
            ranks[number] = _ranks(scores[None], np.array([row]))[0]
    return ranks


def _ranks(scores: FloatArray, rows: NDArray[np.int64]) -> FloatArray:
    """The rank of each question's own passage, shape (questions,).

    Args:
        scores: shape (questions, passages).
        rows: for each question the row of its passage.
    """
    own_scores = scores[np.arange(len(rows)), rows][:, None]
    better, equal = (scores > own_scores).sum(axis=1), (scores == own_scores).sum(axis=1)
    return np.asarray(better + (equal + 1) / 2, dtype=np.float64)

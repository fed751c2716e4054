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


def rank_by_vectors(questions: FloatArray, passages: FloatArray, own: Sequence[int]) -> FloatArray:
    """Rank of each question's own passage by inner product.

    Args:
        questions: shape (questions, dimension), of length 1 for the cosine.
        passages: shape (passages, dimension), likewise.
        own: for each question the row of its passage.

    Returns:
        Shape (questions,); passages with an equal score share the mean of their ranks.
    """
    places = np.asarray(own, dtype=np.int64)
    found = [
        _ranks(questions[at : at + _AT_ONCE] @ passages.T, places[at : at + _AT_ONCE])
        for at in range(0, len(places), _AT_ONCE)
    ]
    return np.concatenate(found) if found else np.empty(0)


def rank_by_words(
    questions: Iterable[Sequence[str]], passages: Sequence[Sequence[str]], own: Sequence[int]
) -> FloatArray:
    """Rank of each question's own passage by BM25, as the index of texts has it.

    Args:
        questions: the tokens of each.
        passages: the tokens of each.
        own: for each question the row of its passage.

    Returns:
        Shape (questions,); passages with an equal score share the mean of their ranks.
    """
    ranks = np.empty(len(own))
    with TemporaryDirectory() as folder:
        Tokens.of(passages).write(Path(folder))
        index = BM25(Path(folder))
        for at, (tokens, place) in enumerate(zip(questions, own, strict=True)):
            scores = index.scores(tokens, len(passages))
            ranks[at] = _ranks(scores[None], np.array([place]))[0]
    return ranks


def _ranks(scores: FloatArray, own: NDArray[np.int64]) -> FloatArray:
    """Shape (questions,) of scores of shape (questions, passages)."""
    mine = scores[np.arange(len(own)), own][:, None]
    better, equal = (scores > mine).sum(axis=1), (scores == mine).sum(axis=1)
    return np.asarray(better + (equal + 1) / 2, dtype=np.float64)

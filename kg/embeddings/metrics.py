"""Metrics of ranks: MRR, Hits@k, mean rank and its adjusted index."""

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel
from scipy.special import stdtrit

from kg.embeddings.ranking import HEAD, TAIL, Ranks
from kg.embeddings.triples import BoolArray
from kg.errors import EmbeddingError

CONFIDENCE: Final = 0.95


class Measures(BaseModel, frozen=True):
    """Metrics of some ranks, of the realistic ones unless named otherwise."""

    count: int
    """Ranks, at least 1."""
    mrr: float
    """Mean of 1 / rank, in (0, 1], higher is better."""
    mrr_optimistic: float
    """MRR if the true entity were ranked before all with the same score."""
    mrr_pessimistic: float
    """MRR if it were ranked behind them; much below the optimistic one if many scores are tied."""
    hits_at_1: float
    """Share of ranks of at most 1, in [0, 1], higher is better; as the next three."""
    hits_at_3: float
    hits_at_10: float
    hits_at_100: float
    mean_rank: float
    """At least 1, lower is better; grows with the number of entities."""
    adjusted_mean_rank_index: float | None
    """1 - (mean rank - 1) / (expected mean rank of chance - 1): 1 is perfect, 0 is chance, below
    0 is worse (Berrendorf et al. 2020, section 4, AMRI); None if there was no choice at all."""


class Metrics(BaseModel, frozen=True):
    """Metrics of both ends of triples."""

    both: Measures
    """Of heads and tails together."""
    head: Measures
    """Of ``<?, r, t>``."""
    tail: Measures
    """Of ``<h, r, ?>``."""


class Interval(BaseModel, frozen=True):
    """A mean and its confidence interval of level CONFIDENCE, for normally distributed values."""

    mean: float
    low: float
    high: float


def summarise(ranks: Ranks) -> Metrics:
    """Measure ranks of both ends, together and apart.

    Raises:
        EmbeddingError: there are no ranks.
    """
    return _metrics(ranks, np.ones(len(ranks), dtype=np.bool_))


def by_relation(ranks: Ranks, relations: Sequence[str]) -> dict[str, Metrics]:
    """Measure the triples of each relation that has any, in the order of the relations.

    Args:
        ranks: of triples.
        relations: names by position.
    """
    _, of, _ = ranks.rows.T
    return {relations[at]: _metrics(ranks, of == at) for at in np.unique(of)}


def by_type(ranks: Ranks, types: Sequence[str]) -> dict[str, Measures]:
    """Measure the ranks of true entities of each type, at either end; types ascending.

    Args:
        ranks: of triples.
        types: node type of each entity, by position.
    """
    names, numbers = np.unique(np.array(types, dtype=np.str_), return_inverse=True)
    heads, _, tails = ranks.rows.T
    of = numbers[np.stack([heads, tails], axis=1)]
    return {str(names[at]): _measures(ranks, of == at) for at in np.unique(of)}


def mean_of(measures: Sequence[Measures]) -> Measures:
    """The mean of each measure over seeds, which ranked the same triples; at least one seed."""
    columns = {name: [getattr(each, name) for each in measures] for name in Measures.model_fields}
    means = {
        name: None if None in values else float(np.mean(values))
        for name, values in columns.items()
    }
    return Measures.model_validate(means | {"count": measures[0].count})


def interval(values: Sequence[float]) -> Interval | None:
    """Mean and confidence interval over seeds, by Student's t distribution.

    ``mean ± t(CONFIDENCE, n - 1) * s / sqrt(n)``, s the standard deviation of a sample
    (Student 1908, "The probable error of a mean").

    Args:
        values: one per seed.

    Returns:
        None for fewer than two values: they have no spread.
    """
    count = len(values)
    if count < 2:  # noqa: PLR2004 - a spread takes two
        return None
    mean = float(np.mean(values))
    quantile = float(stdtrit(count - 1, (1 + CONFIDENCE) / 2))
    half = quantile * float(np.std(values, ddof=1)) / math.sqrt(count)
    return Interval(mean=mean, low=mean - half, high=mean + half)


def _metrics(ranks: Ranks, of: BoolArray) -> Metrics:
    """Metrics of chosen triples; ``of`` has shape (triples,)."""
    both = np.stack([of, of], axis=1)
    head, tail = both.copy(), both.copy()
    head[:, TAIL] = tail[:, HEAD] = False
    return Metrics(
        both=_measures(ranks, both), head=_measures(ranks, head), tail=_measures(ranks, tail)
    )


def _measures(ranks: Ranks, of: BoolArray) -> Measures:
    """Metrics of chosen ranks; ``of`` has shape (triples, 2)."""
    realistic = ranks.realistic[of]
    if not realistic.size:
        raise EmbeddingError(
            "no triple was ranked, so nothing can be measured; give triples to validate or "
            "test with"
        )
    mean = float(realistic.mean())
    chance = float((ranks.candidates[of].mean() - 1) / 2)
    return Measures(
        count=realistic.size,
        mrr=_share(1 / realistic),
        mrr_optimistic=_share(1 / ranks.optimistic[of]),
        mrr_pessimistic=_share(1 / ranks.pessimistic[of]),
        hits_at_1=_share(realistic <= 1),
        hits_at_3=_share(realistic <= 3),  # noqa: PLR2004 - as it is called
        hits_at_10=_share(realistic <= 10),  # noqa: PLR2004
        hits_at_100=_share(realistic <= 100),  # noqa: PLR2004
        mean_rank=mean,
        adjusted_mean_rank_index=1 - (mean - 1) / chance if chance else None,
    )


def _share(of_each: npt.NDArray[np.float64] | BoolArray) -> float:
    return float(of_each.mean())

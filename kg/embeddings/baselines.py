"""Scorers that learn nothing: what a model must beat to be worth its training.

They see the triples of training alone, so that they measure what chance and popularity reach.
"""

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np
import torch
from torch import Tensor

from kg.embeddings.scorer import Scorer
from kg.embeddings.triples import IntArray, Split


class Random:
    """Every entity as likely as any other; a query has the same scores whenever it is asked.

    The numbers are those of the counter-based generator Philox (Salmon et al. 2011, "Parallel
    random numbers: as easy as 1, 2, 3"), keyed by seed and query.
    """

    def __init__(self, entities: int, seed: int = 0) -> None:
        self._entities = entities
        self._seed = seed

    def tails(self, heads: Tensor, relations: Tensor) -> Tensor:
        """In [0, 1), shape (batch, entities)."""
        return self._drawn(relations << 32 | heads)

    def heads(self, relations: Tensor, tails: Tensor) -> Tensor:
        """In [0, 1), shape (batch, entities)."""
        return self._drawn(relations << 32 | tails | 1 << 31)

    def _drawn(self, queries: Tensor) -> Tensor:
        rows = [
            np.random.Generator(np.random.Philox(key=[self._seed, query])).random(
                self._entities, dtype=np.float32
            )
            for query in queries.tolist()
        ]
        return torch.from_numpy(np.stack(rows))


class Degree:
    """The more triples an entity is in, the likelier, whatever is asked."""

    def __init__(self, train: IntArray, entities: int) -> None:
        ends = train[:, [0, 2]].ravel()
        self._degrees = _counts(ends, entities)

    def tails(self, heads: Tensor, relations: Tensor) -> Tensor:
        """Triples that each entity is in, shape (batch, entities)."""
        del relations
        return self._degrees.expand(len(heads), -1)

    def heads(self, relations: Tensor, tails: Tensor) -> Tensor:
        """Triples that each entity is in, shape (batch, entities)."""
        del relations
        return self._degrees.expand(len(tails), -1)


class RelationFrequency:
    """The more often an entity is that end of the relation, the likelier, whatever the other end."""

    def __init__(self, train: IntArray, entities: int) -> None:
        self._entities = entities
        ordered = train[np.argsort(train[:, 1], kind="stable")]
        self._relations = np.ascontiguousarray(ordered[:, 1])
        self._heads = np.ascontiguousarray(ordered[:, 0])
        self._tails = np.ascontiguousarray(ordered[:, 2])

    def tails(self, heads: Tensor, relations: Tensor) -> Tensor:
        """Triples of the relation that have each entity as tail, shape (batch, entities)."""
        del heads
        return self._of(self._tails, relations)

    def heads(self, relations: Tensor, tails: Tensor) -> Tensor:
        """Triples of the relation that have each entity as head, shape (batch, entities)."""
        del tails
        return self._of(self._heads, relations)

    def _of(self, ends: IntArray, relations: Tensor) -> Tensor:
        asked, each = torch.unique(relations, return_inverse=True)
        first = np.searchsorted(self._relations, asked.numpy(), side="left")
        last = np.searchsorted(self._relations, asked.numpy(), side="right")
        spans = zip(first.tolist(), last.tolist(), strict=True)
        return torch.stack([_counts(ends[a:b], self._entities) for a, b in spans])[each]


BASELINES: Final[Mapping[str, Callable[[Split], Scorer]]] = {
    "random": lambda split: Random(len(split.entities)),
    "degree": lambda split: Degree(split.train, len(split.entities)),
    "relation frequency": lambda split: RelationFrequency(split.train, len(split.entities)),
}
"""What makes each baseline of a split, by its name in reports."""


def _counts(entities: IntArray, many: int) -> Tensor:
    return torch.from_numpy(np.bincount(entities, minlength=many).astype(np.float32))

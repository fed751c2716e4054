"""Which entities may stand at an end of a relation: those of the types that stand there."""

from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from kg.embeddings.triples import BoolArray, Split


@dataclass(frozen=True)
class Candidates:
    """Entities that fit each end of each relation."""

    tails: tuple[BoolArray, ...]
    """By relation; shape (entities,)."""
    heads: tuple[BoolArray, ...]

    @classmethod
    def of(cls, split: Split) -> Self:
        """From the types at the ends of the training triples; where types are unknown, all fit."""
        types = split.entities.types
        if types is None:
            every = np.ones(len(split.entities), dtype=np.bool_)
            return cls((every,) * len(split.relations), (every,) * len(split.relations))
        _, of_type = np.unique(np.array(types), return_inverse=True)
        heads, relations, tails = split.train.T
        return cls(
            _fitting(of_type, relations, tails, len(split.relations)),
            _fitting(of_type, relations, heads, len(split.relations)),
        )

    def fit(self, head: int, relation: int, tail: int) -> bool:
        """Whether entities of such types may stand in such a triple."""
        return bool(self.heads[relation][head] and self.tails[relation][tail])


def _fitting(
    of_type: npt.NDArray[np.intp],
    relations: npt.NDArray[np.int64],
    ends: npt.NDArray[np.int64],
    count: int,
) -> tuple[BoolArray, ...]:
    seen = np.zeros((count, of_type.max() + 1), dtype=np.bool_)
    seen[relations, of_type[ends]] = True
    return tuple(seen[relation][of_type] for relation in range(count))

"""What may answer a query ``<h, r, ?>`` or ``<?, r, t>``: entities of a type seen there, not known yet.

Filtered ranks, predictions and their calibration leave out the answers that are known to be true
(``Known``); predictions also those of a type that no training triple has at that end
(``Candidates``).
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from kg.embeddings.triples import BoolArray, IntArray, Split


@dataclass(frozen=True)
class Candidates:
    """Entities whose type was seen at each end of each relation."""

    tails: tuple[BoolArray, ...]
    """By relation; shape (entities,)."""
    heads: tuple[BoolArray, ...]

    @classmethod
    def of(cls, split: Split) -> Self:
        """From the types at the ends of the training triples; every entity if types are unknown."""
        types, count = split.entities.types, len(split.relations)
        if types is None:
            every = np.ones(len(split.entities), dtype=np.bool_)
            return cls((every,) * count, (every,) * count)
        _, type_of = np.unique(np.array(types), return_inverse=True)
        heads, relations, tails = split.train.T

        def with_types_of(ends: IntArray) -> tuple[BoolArray, ...]:
            seen = np.zeros((count, type_of.max() + 1), dtype=np.bool_)
            seen[relations, type_of[ends]] = True
            return tuple(seen[relation][type_of] for relation in range(count))

        return cls(with_types_of(tails), with_types_of(heads))

    def fit(self, head: int, relation: int, tail: int) -> bool:
        """Whether the types of both entities were seen at their ends of the relation."""
        return bool(self.heads[relation][head] and self.tails[relation][tail])


@dataclass(frozen=True)
class Answers:
    """The entities that answer each query, a query being one entity and a relation."""

    queries: IntArray
    """Their ``query_keys``, ascending; shape (queries,)."""
    starts: IntArray
    """Where the answers of each query start, and where the last ones end; shape (queries + 1,)."""
    entities: IntArray
    """The answers of one query after the other, ascending within each; shape (triples,)."""

    @classmethod
    def of(cls, given: IntArray, relations: IntArray, answers: IntArray) -> Self:
        """From triples in any order; one that occurs twice counts once.

        Raises:
            ValueError: triples of so many entities and relations do not fit into 64 bits.
        """
        many = int(max(given.max(initial=0), answers.max(initial=0))) + 1
        if many**2 * (int(relations.max(initial=0)) + 1) > np.iinfo(np.int64).max:
            raise ValueError(f"{many} entities and so many relations are too many to number")
        numbers = np.sort((relations * many + given) * many + answers)
        numbers = numbers[np.diff(numbers, prepend=-1) != 0]
        queries, answers = np.divmod(numbers, many)
        starts = np.flatnonzero(np.diff(queries, prepend=-1))
        relations, given = np.divmod(queries[starts], many)
        return cls(query_keys(given, relations), np.append(starts, len(queries)), answers)

    def bounds(self, queries: IntArray) -> tuple[IntArray, IntArray]:
        """Where the answers of queries start and end in ``entities``; equal where none is known.

        Args:
            queries: ``query_keys``, shape (queries,), as both arrays that are returned.
        """
        at = np.searchsorted(self.queries, queries)
        known = self._ended[at] == queries
        return self.starts[at], self.starts[at + known]

    def of_query(self, entity: int, relation: int) -> IntArray:
        """The answers of one query, ascending; shape (answers,)."""
        start, end = self.bounds(query_keys(np.array([entity]), np.array([relation])))
        return self.entities[start[0] : end[0]]

    def of_queries(self, chosen: IntArray) -> tuple[IntArray, IntArray]:
        """All answers of some queries, each with its query.

        Args:
            chosen: positions in ``queries``, shape (chosen,).

        Returns:
            Position in ``chosen``, and answer; both of shape (answers,).
        """
        starts, sizes = self.starts[chosen], self.starts[chosen + 1] - self.starts[chosen]
        first = np.repeat(starts - np.cumsum(sizes) + sizes, sizes)
        lines = np.repeat(np.arange(len(chosen)), sizes)
        return lines, self.entities[first + np.arange(len(first))]

    @cached_property
    def _ended(self) -> IntArray:
        """The queries, and behind them -1, which is none; shape (queries + 1,)."""
        return np.append(self.queries, -1)


@dataclass(frozen=True)
class Known:
    """Triples known to be true, looked up from either end."""

    tails: Answers
    """Tails of each head and relation."""
    heads: Answers
    """Heads of each tail and relation."""

    @classmethod
    def of(cls, rows: IntArray) -> Self:
        """From triples of shape (triples, 3): those of every part of a split.

        Raises:
            ValueError: they have another shape, negative positions, or too great ones.
        """
        head, relation, tail = checked_columns(rows)
        return cls(Answers.of(head, relation, tail), Answers.of(tail, relation, head))


def checked_columns(rows: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """Heads, relations and tails of triples; each of shape (triples,).

    Raises:
        ValueError: the rows are not of shape (triples, 3), or have negative positions.
    """
    if rows.ndim != 2 or rows.shape[1] != 3:  # noqa: PLR2004 - head, relation, tail
        raise ValueError(f"rows of shape {rows.shape} are no triples; give (triples, 3)")
    if rows.size and rows.min() < 0:
        raise ValueError("a triple has a negative position")
    head, relation, tail = np.ascontiguousarray(rows.T)
    return head, relation, tail


def query_keys(entities: IntArray, relations: IntArray) -> IntArray:
    """One number for each query, ascending by relation, then entity; both below 2 ** 31."""
    numbers: IntArray = (relations << 32) | entities
    return numbers


def queries_of_keys(numbers: IntArray) -> tuple[IntArray, IntArray]:
    """The entities and relations of ``query_keys``."""
    return numbers & 0xFFFFFFFF, numbers >> 32

"""The triples that are known to be true, as lists that are looked up from either end."""

from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from kg.embeddings.triples import IntArray


@dataclass(frozen=True)
class Lists:
    """Of each query, an entity and a relation, the entities that answer it."""

    queries: IntArray
    """``keys`` of them, ascending; shape (queries,)."""
    starts: IntArray
    """Where the answers of each start, and where the last one's end; shape (queries + 1,)."""
    answers: IntArray
    """Ascending within a query, none twice; shape (triples,)."""

    @classmethod
    def of(cls, entities: IntArray, relations: IntArray, answers: IntArray) -> Self:
        """From triples in any order; one that is there twice counts once.

        Raises:
            ValueError: triples of so many entities and relations do not fit into 64 bits.
        """
        many = int(max(entities.max(initial=0), answers.max(initial=0))) + 1
        if many**2 * (int(relations.max(initial=0)) + 1) > np.iinfo(np.int64).max:
            raise ValueError(f"{many} entities and so many relations are too many to number")
        numbers = _distinct((relations * many + entities) * many + answers)
        asked, answers = np.divmod(numbers, many)
        starts = np.flatnonzero(np.diff(asked, prepend=-1))
        relations, entities = np.divmod(asked[starts], many)
        return cls(keys(entities, relations), np.append(starts, len(asked)), answers)

    def places(self, queries: IntArray) -> tuple[IntArray, IntArray]:
        """Where the answers of queries start and end, the same where none is known.

        Args:
            queries: ``keys`` of them, shape (queries,), as both of what is returned.
        """
        at = np.searchsorted(self.queries, queries)
        there = self._ended[at] == queries
        return self.starts[at], self.starts[at + there]

    def of_query(self, entity: int, relation: int) -> IntArray:
        """The answers of one query, ascending; shape (answers,)."""
        start, end = self.places(keys(np.array([entity]), np.array([relation])))
        return self.answers[start[0] : end[0]]

    def of_queries(self, chosen: IntArray) -> tuple[IntArray, IntArray]:
        """All answers of some queries, and whose they are.

        Args:
            chosen: places in ``queries``, shape (chosen,).

        Returns:
            Place in ``chosen`` and answer; both of shape (answers,).
        """
        starts, sizes = self.starts[chosen], self.starts[chosen + 1] - self.starts[chosen]
        first = np.repeat(starts - np.cumsum(sizes) + sizes, sizes)
        lines = np.repeat(np.arange(len(chosen)), sizes)
        return lines, self.answers[first + np.arange(len(first))]

    @cached_property
    def _ended(self) -> IntArray:
        """The queries, and one that is none behind them; shape (queries + 1,)."""
        return np.append(self.queries, -1)


@dataclass(frozen=True)
class Known:
    """Triples, to be looked up from either end."""

    tails: Lists
    """Tails of each head and relation."""
    heads: Lists
    """Heads of each tail and relation."""

    @classmethod
    def of(cls, rows: IntArray) -> Self:
        """From triples of shape (triples, 3): those of every part of a split.

        Raises:
            ValueError: they have another shape, negative positions, or too great ones.
        """
        head, relation, tail = columns(rows)
        return cls(Lists.of(head, relation, tail), Lists.of(tail, relation, head))


def columns(rows: IntArray) -> tuple[IntArray, IntArray, IntArray]:
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


def keys(entities: IntArray, relations: IntArray) -> IntArray:
    """A number for each pair, ascending by relation, then entity; both below 2 ** 31."""
    numbers: IntArray = (relations << 32) | entities
    return numbers


def parted(numbers: IntArray) -> tuple[IntArray, IntArray]:
    """The entities and relations that ``keys`` made numbers of."""
    return numbers & 0xFFFFFFFF, numbers >> 32


def _distinct(numbers: IntArray) -> IntArray:
    numbers = np.sort(numbers)
    distinct: IntArray = numbers[np.diff(numbers, prepend=-1) != 0]
    return distinct

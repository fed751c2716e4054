"""Splits a graph into training, validation and test triples, so that the test is a fair one.

First, what would leak from one part into another is removed. A triple that can be read off
another one makes a test of memory: its inverse, or the same pair of entities under a second name
for the same relation. Such triples made up most of FB15k and WN18 (Toutanova & Chen 2015,
"Observed versus latent features for knowledge base and text inference"). Removed are

* of a triple and its inverse under one relation, ``(h, r, t)`` and ``(t, r, h)``, the one with the
  greater head;
* of two relations that mean the same, in the same or the opposite direction, the rows of the
  smaller one that the larger one has too; its other rows stay. Two relations mean the same if they
  share at least THRESHOLD of the pairs of each (Akrami et al. 2020, "Realistic re-evaluation of
  knowledge graph completion methods", section 4.2), or if the vocabulary says that one is the
  inverse of the other, as TREATED_BY and INDICATED_FOR: then whatever they share.

Shares are those of the rows that are left when the inverses under one relation are removed.

Then the split is transductive: every entity and relation of valid and test is in train.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np

from kg.embeddings.triples import (
    BoolArray,
    IntArray,
    Split,
    Triples,
    compact,
    is_first,
    renumbered,
)
from kg.errors import EmbeddingError
from kg.vocabulary import RELATION_TYPES, read_backwards

THRESHOLD: Final = 0.8
"""Share of the pairs of both relations from which on they mean the same."""


@dataclass(frozen=True)
class Overlap:
    """Two relations that connect some of the same pairs."""

    relation: str
    """The smaller one, whose rows are removed."""
    other: str
    rows: int
    """How many pairs both have."""
    share: float
    """That as a share of the rows of ``relation``, in (0, 1]."""
    other_share: float
    """That as a share of the rows of ``other``, not greater than ``share``."""


@dataclass(frozen=True)
class Leaks:
    """What leaks among triples."""

    symmetric: dict[str, int]
    """Triples whose inverse has the same relation, by relation; a triple and its inverse count 1."""
    inverses: tuple[Overlap, ...]
    """Relations that mean the same with head and tail exchanged, by name."""
    duplicates: tuple[Overlap, ...]
    """Relations that mean the same, by name."""
    rows: int
    """How many triples are removed; one that leaks in several ways counts once."""

    @property
    def summary(self) -> dict[str, int]:
        """What leaks, in words, and how many triples of it, the most first."""
        counts = {f"{name} in both directions": rows for name, rows in self.symmetric.items()}
        counts |= {f"{o.relation} as the inverse of {o.other}": o.rows for o in self.inverses}
        counts |= {f"{o.relation} as {o.other}": o.rows for o in self.duplicates}
        return dict(sorted(counts.items(), key=lambda item: -item[1]))


def remove_leaks(triples: Triples, threshold: float = THRESHOLD) -> tuple[Triples, Leaks]:
    """Remove what leaks, and the entities and relations that then occur in no triple.

    What was removed is ``left_out`` of the triples that stay.

    Args:
        triples: a graph, not split yet.
        threshold: share of the pairs of both of two relations from which on they mean the same.

    Raises:
        EmbeddingError: the threshold is not in (0, 1].
    """
    if not 0 < threshold <= 1:
        raise EmbeddingError(
            f"the threshold of leaks is a share above 0 and at most 1, and not {threshold:g}"
        )
    relations = triples.rows[:, 1]
    size = len(triples.relations)
    pairs = _Pairs.of(triples)
    is_inverse = _is_inverse(relations, pairs)
    inverse_counts = np.bincount(relations[is_inverse], minlength=size)
    symmetric = _symmetric(triples, inverse_counts, threshold)
    kept, left = ~is_inverse, np.flatnonzero(~is_inverse)
    overlaps: dict[bool, list[Overlap]] = {False: [], True: []}
    shared = _SharedPairs.of(relations[left], pairs.at(left), symmetric)
    for overlap, inverse, rows in shared.overlaps(triples.relations):
        declared = inverse and read_backwards(overlap.relation, overlap.other)
        if declared or overlap.other_share >= threshold:
            overlaps[inverse].append(overlap)
            kept[left[rows]] = False
    clean = compact(triples.entities, triples.relations, triples.rows[kept])
    leaks = Leaks(
        {name: int(n) for name, n in zip(triples.relations, inverse_counts, strict=True) if n},
        tuple(overlaps[True]),
        tuple(overlaps[False]),
        int((~kept).sum()),
    )
    return replace(clean, left_out=renumbered(triples.rows[~kept], triples, clean)), leaks


class _Pairs(NamedTuple):
    """The two entities of each row, in whichever direction the row has them."""

    numbers: IntArray
    """Equal for rows that connect the same two entities; shape (rows,), as the next."""
    forward: BoolArray
    """Whether the head is not greater than the tail."""

    @classmethod
    def of(cls, triples: Triples) -> "_Pairs":
        heads, _, tails = triples.rows.T
        codes = np.minimum(heads, tails) * len(triples.entities) + np.maximum(heads, tails)
        _, numbers = np.unique(codes, return_inverse=True)
        return cls(numbers, heads <= tails)

    def at(self, rows: IntArray) -> "_Pairs":
        """Those of some rows."""
        return _Pairs(self.numbers[rows], self.forward[rows])


def _is_inverse(relations: IntArray, pairs: _Pairs) -> BoolArray:
    """The rows whose inverse has the same relation and the smaller head; shape (rows,)."""
    codes = pairs.numbers * (relations.max(initial=0) + 1) + relations
    backward = ~pairs.forward
    is_inverse = backward.copy()
    is_inverse[backward] = np.isin(codes[backward], codes[pairs.forward])
    return is_inverse


def _symmetric(triples: Triples, inverse_counts: IntArray, threshold: float) -> BoolArray:
    """The relations that mean the same in both directions; shape (relations,)."""
    rows = np.bincount(triples.rows[:, 1], minlength=len(triples.relations))
    declared = [
        name in RELATION_TYPES and RELATION_TYPES[name].symmetric for name in triples.relations
    ]
    return (2 * inverse_counts >= threshold * np.maximum(rows, 1)) | np.array(
        declared, dtype=np.bool_
    )


@dataclass(frozen=True)
class _SharedPairs:
    """Pairs of entities that two relations connect; shape (shared,) where nothing else is said."""

    rows: IntArray
    """The row of the smaller relation."""
    smaller: IntArray
    """The relation with fewer rows."""
    larger: IntArray
    inverse: BoolArray
    """Whether the two relations connect the pair in opposite directions."""
    sizes: IntArray
    """Rows of each relation; shape (relations,)."""

    @classmethod
    def of(cls, relations: IntArray, pairs: _Pairs, symmetric: BoolArray) -> "_SharedPairs":
        """Of rows without inverses under one relation.

        Args:
            relations: shape (rows,).
            pairs: of the same rows.
            symmetric: shape (relations,).
        """
        sizes = np.bincount(relations, minlength=len(symmetric))
        place = np.argsort(np.lexsort((-np.arange(len(sizes)), sizes)))
        one, other = _rows_of_same_pair(pairs.numbers)
        swapped = place[relations[one]] > place[relations[other]]
        rows, larger_rows = np.where(swapped, other, one), np.where(swapped, one, other)
        smaller, larger = relations[rows], relations[larger_rows]
        opposite = pairs.forward[rows] != pairs.forward[larger_rows]
        inverse = opposite & ~symmetric[smaller] & ~symmetric[larger]
        return cls(rows, smaller, larger, inverse, sizes)

    def overlaps(self, names: tuple[str, ...]) -> Iterator[tuple[Overlap, bool, IntArray]]:
        """For each two relations: their overlap, if inverse, and the smaller relation's rows."""
        keys = np.stack([self.smaller, self.larger, self.inverse], axis=1)
        order = np.lexsort(keys.T[::-1])
        starts = np.flatnonzero(is_first(keys[order]))
        for rows in np.split(order, starts[1:]) if len(starts) else ():
            small, large, inverse = keys[rows[0]]
            shares = (len(rows) / int(self.sizes[relation]) for relation in (small, large))
            overlap = Overlap(names[small], names[large], len(rows), *shares)
            yield overlap, bool(inverse), self.rows[rows]


def _rows_of_same_pair(numbers: IntArray) -> tuple[IntArray, IntArray]:
    """Every two rows that connect the same pair, once."""
    order = np.argsort(numbers, kind="stable")
    ordered = numbers[order]
    one, other, step = [], [], 1
    starts = np.arange(len(order))
    while len(starts):
        starts = starts[: np.searchsorted(starts, len(order) - step)]
        starts = starts[ordered[starts] == ordered[starts + step]]
        one.append(order[starts])
        other.append(order[starts + step])
        step += 1
    return np.concatenate([*one, order[:0]]), np.concatenate([*other, order[:0]])


def split_triples(triples: Triples, valid: float, test: float, seed: int) -> Split:
    """Split triples at random so that every entity and every relation is in train.

    A minimal set of rows that has every entity and relation stays in train: none of them can be
    spared. Valid and test are drawn evenly from all others. Where those are too few for the sizes
    that are asked for, valid and test share them in the proportion asked for.

    Args:
        triples: a graph.
        valid: share of the rows for validation, in (0, 1).
        test: share of the rows for the test, in (0, 1).
        seed: not negative; the same gives the same split.

    Raises:
        EmbeddingError: the shares leave nothing for a part, or so few rows can be spared that
            valid or test would be empty.
    """
    if not (valid > 0 and test > 0 and valid + test < 1):
        raise EmbeddingError(
            f"valid and test are shares of the triples, each above 0 and together below 1; "
            f"{valid:g} and {test:g} are not"
        )
    order = np.random.default_rng(seed).permutation(len(triples))
    spare = order[~_needed(triples, order)]
    if len(spare) < 2:  # noqa: PLR2004 - one for each
        raise EmbeddingError(
            f"{len(spare)} of {len(triples)} triples can be spared for valid and test, since each "
            "of the others is the last one of an entity or relation; take more relations or "
            "types, or give a split of your own as train, valid and test files"
        )
    valid_size, test_size = (max(1, round(share * len(triples))) for share in (valid, test))
    if valid_size + test_size > len(spare):
        test_size = len(spare) * test_size // (valid_size + test_size)
        test_size = min(max(1, test_size), len(spare) - 1)
        valid_size = len(spare) - test_size
    part = np.zeros(len(triples), dtype=np.int8)
    part[spare[:test_size]] = 2
    part[spare[test_size : test_size + valid_size]] = 1
    train, validation, held_out = (triples.rows[part == number] for number in range(3))
    return Split(
        triples.entities,
        triples.relations,
        train,
        validation,
        held_out,
        left_out=triples.left_out,
    )


def _needed(triples: Triples, order: IntArray) -> BoolArray:
    """Whether a row stays in train, in the order given; shape (triples,).

    Of each entity and relation the first row is kept, the others go. This is repeated with the
    rows that were kept, those first that are the only one of an entity or relation, until all of
    them are. Each round but the last drops at least one row: the last of those that could go
    alone.
    """
    ends = triples.rows[order] + [0, len(triples.entities), 0]
    kept = np.arange(len(order))
    while True:
        single = _row_counts(ends[kept])[ends[kept]].min(axis=1) == 1
        kept = np.concatenate([kept[single], kept[~single]])
        first = _first_rows(ends[kept])
        if len(first) == len(kept):
            break
        kept = kept[first]
    needed = np.zeros(len(order), dtype=np.bool_)
    needed[kept] = True
    return needed


def _row_counts(ends: IntArray) -> IntArray:
    """How many rows each entity and relation has; one that is head and tail of a row has one."""
    heads, relations, tails = ends.T
    return np.bincount(np.concatenate([heads, relations, tails[tails != heads]]))


def _first_rows(ends: IntArray) -> IntArray:
    """The rows that are the first of an entity or relation, ascending.

    Args:
        ends: numbers of entities and relations, none in common; shape (rows, 3).
    """
    first = np.full(ends.max() + 1, -1)
    backwards = np.arange(len(ends))[::-1]
    first[ends[::-1].ravel()] = np.repeat(backwards, 3)  # of equal numbers, the last one stays
    rows: IntArray = np.unique(first[first >= 0])
    return rows

"""What would leak from one part of a split into another, found and taken out before it.

A triple that can be read off another one makes a test of memory: its mirror image, or the same
pair of things under a second name for the same relation. Such triples made up most of FB15k and
WN18 (Toutanova & Chen 2015, "Observed versus latent features for knowledge base and text
inference"). Taken out are

* of a triple and its mirror image ``(t, r, h)``, the one with the greater head;
* of two relations that say the same, either way round, the rows of the smaller one that the
  larger one has too; its other rows stay. Two relations say the same if they share at least
  THRESHOLD of the pairs of each (Akrami et al. 2020, "Realistic re-evaluation of knowledge graph
  completion methods", section 4.2), or if the vocabulary says that one is the other read
  backwards, as TREATED_BY and INDICATED_FOR: then whatever they share.

Shares are those of the rows without mirror images.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from kg.embeddings.triples import BoolArray, IntArray, Triples, compact, is_first, renumbered
from kg.errors import EmbeddingError
from kg.vocabulary import RELATION_TYPES, read_backwards

THRESHOLD: Final = 0.8
"""Share of the pairs of both relations from which on they say the same."""


@dataclass(frozen=True)
class Overlap:
    """Two relations that say the same of some pairs."""

    relation: str
    """The smaller one, whose rows are taken out."""
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

    undirected: dict[str, int]
    """Mirror images by relation, where there are any; of a triple and its own, one counts."""
    inverses: tuple[Overlap, ...]
    """Relations that say the same with head and tail exchanged, by name."""
    duplicates: tuple[Overlap, ...]
    """Relations that say the same, by name."""
    rows: int
    """How many triples are taken out; one that leaks in several ways counts once."""

    @property
    def told(self) -> dict[str, int]:
        """What leaks, in words, and how many triples of it, the most first."""
        found = {f"{name} both ways round": rows for name, rows in self.undirected.items()}
        found |= {f"{o.relation} as {o.other} turned round": o.rows for o in self.inverses}
        found |= {f"{o.relation} as {o.other}": o.rows for o in self.duplicates}
        return dict(sorted(found.items(), key=lambda one: -one[1]))


def remove_leaks(triples: Triples, threshold: float = THRESHOLD) -> tuple[Triples, Leaks]:
    """Take out what leaks, and the entities and relations that nothing else speaks of.

    What was taken out is ``left_out`` of the triples that stay.

    Args:
        triples: a graph, not split yet.
        threshold: share of the pairs of both of two relations from which on they say the same.

    Raises:
        EmbeddingError: the threshold is not in (0, 1].
    """
    kept, leaks = _search(triples, threshold)
    found = compact(triples.entities, triples.relations, triples.rows[kept])
    return replace(found, left_out=renumbered(triples.rows[~kept], triples, found)), leaks


def _search(triples: Triples, threshold: float) -> tuple[BoolArray, Leaks]:
    """Which rows stay, shape (triples,), and what leaks."""
    if not 0 < threshold <= 1:
        raise EmbeddingError(
            f"the threshold of leaks is a share above 0 and at most 1, and not {threshold:g}"
        )
    pair, forward = _pairs(triples)
    mirrored = _mirrored(triples.rows[:, 1], pair, forward)
    left = np.flatnonzero(~mirrored)
    undirected = _undirected(triples, mirrored, threshold)
    kept = ~mirrored
    found: dict[bool, list[Overlap]] = {False: [], True: []}
    meetings = _Meetings.of(triples.rows[left, 1], pair[left], forward[left], undirected)
    for overlap, inverse, rows in meetings.overlaps(triples.relations):
        declared = inverse and read_backwards(overlap.relation, overlap.other)
        if declared or overlap.other_share >= threshold:
            found[inverse].append(overlap)
            kept[left[rows]] = False
    images = np.bincount(triples.rows[mirrored, 1], minlength=len(triples.relations))
    return kept, Leaks(
        {name: int(n) for name, n in zip(triples.relations, images, strict=True) if n},
        tuple(found[True]),
        tuple(found[False]),
        int((~kept).sum()),
    )


def _pairs(triples: Triples) -> tuple[IntArray, BoolArray]:
    """Of each row the number of its two ends, whichever is head, and if the head is not greater."""
    head, tail = triples.rows[:, 0], triples.rows[:, 2]
    code = np.minimum(head, tail) * len(triples.entities) + np.maximum(head, tail)
    _, pair = np.unique(code, return_inverse=True)
    return pair, head <= tail


def _mirrored(relations: IntArray, pair: IntArray, forward: BoolArray) -> BoolArray:
    """The rows whose mirror image is there too and has the smaller head; shape (rows,)."""
    codes = pair * (relations.max(initial=0) + 1) + relations
    mirrored = ~forward
    mirrored[~forward] = np.isin(codes[~forward], codes[forward])
    return mirrored


def _undirected(triples: Triples, mirrored: BoolArray, threshold: float) -> BoolArray:
    """The relations whose rows mean the same the other way round; shape (relations,)."""
    size = len(triples.relations)
    images = np.bincount(triples.rows[mirrored, 1], minlength=size)
    rows = np.bincount(triples.rows[:, 1], minlength=size)
    declared = [
        name in RELATION_TYPES and RELATION_TYPES[name].symmetric for name in triples.relations
    ]
    return (2 * images >= threshold * np.maximum(rows, 1)) | np.array(declared, dtype=np.bool_)


@dataclass(frozen=True)
class _Meetings:
    """Where two relations connect the same two things; shape (meetings,) where not said."""

    rows: IntArray
    """Of the smaller relation."""
    smaller: IntArray
    larger: IntArray
    inverse: BoolArray
    """Whether head and tail are exchanged."""
    sizes: IntArray
    """Rows of each relation; shape (relations,)."""

    @classmethod
    def of(
        cls, relations: IntArray, pair: IntArray, forward: BoolArray, undirected: BoolArray
    ) -> "_Meetings":
        """Among rows without mirror images; shape (rows,), but for ``undirected``."""
        sizes = np.bincount(relations, minlength=len(undirected))
        place = np.argsort(np.lexsort((-np.arange(len(sizes)), sizes)))
        one, other = _same(pair)
        swapped = place[relations[one]] > place[relations[other]]
        rows, larger_rows = np.where(swapped, other, one), np.where(swapped, one, other)
        smaller, larger = relations[rows], relations[larger_rows]
        turned = forward[rows] != forward[larger_rows]
        inverse = turned & ~undirected[smaller] & ~undirected[larger]
        return cls(rows, smaller, larger, inverse, sizes)

    def overlaps(self, names: tuple[str, ...]) -> Iterator[tuple[Overlap, bool, IntArray]]:
        """Of each two relations that meet: how often, if inversely, and the smaller one's rows."""
        keys = np.stack([self.smaller, self.larger, self.inverse], axis=1)
        order = np.lexsort(keys.T[::-1])
        starts = np.flatnonzero(is_first(keys[order]))
        for rows in np.split(order, starts[1:]) if len(starts) else ():
            small, large, inverse = keys[rows[0]]
            shares = (len(rows) / int(self.sizes[relation]) for relation in (small, large))
            overlap = Overlap(names[small], names[large], len(rows), *shares)
            yield overlap, bool(inverse), self.rows[rows]


def _same(pair: IntArray) -> tuple[IntArray, IntArray]:
    """Every two rows of one pair, once."""
    order = np.argsort(pair, kind="stable")
    ordered = pair[order]
    one, other, step = [], [], 1
    starts = np.arange(len(order))
    while len(starts):
        starts = starts[: np.searchsorted(starts, len(order) - step)]
        starts = starts[ordered[starts] == ordered[starts + step]]
        one.append(order[starts])
        other.append(order[starts + step])
        step += 1
    return np.concatenate([*one, order[:0]]), np.concatenate([*other, order[:0]])

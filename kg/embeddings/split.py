"""A transductive split: what is asked about in valid and test, train has spoken of."""

import numpy as np

from kg.embeddings.triples import BoolArray, IntArray, Split, Triples
from kg.errors import EmbeddingError


def split(triples: Triples, valid: float, test: float, seed: int) -> Split:
    """Part triples by chance so that every entity and every relation is in train.

    Rows that together have every entity and relation, and none of which could be spared, stay in
    train; valid and test are drawn evenly from all others. Where those are too few for the sizes
    that are asked, valid and test share them in the proportion asked.

    Args:
        triples: a graph.
        valid: share of the rows that are for choosing, in (0, 1).
        test: share of the rows that are for measuring, in (0, 1).
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
    of_valid, of_test = _sizes(len(triples), len(spare), valid, test)
    part = np.zeros(len(triples), dtype=np.int8)
    part[spare[:of_test]] = 2
    part[spare[of_test : of_test + of_valid]] = 1
    train, chosen, measured = (triples.rows[part == number] for number in range(3))
    return Split(
        triples.entities, triples.relations, train, chosen, measured, left_out=triples.left_out
    )


def _sizes(rows: int, spare: int, valid: float, test: float) -> tuple[int, int]:
    """Rows of valid and test, each at least one."""
    if spare < 2:  # noqa: PLR2004 - one for each
        raise EmbeddingError(
            f"{spare} of {rows} triples can be spared for valid and test, since each of the others "
            "is the last one of an entity or relation; take more relations or types, or give a "
            "split of your own as train, valid and test files"
        )
    of_valid, of_test = max(1, round(valid * rows)), max(1, round(test * rows))
    if of_valid + of_test > spare:
        of_test = min(max(1, spare * of_test // (of_valid + of_test)), spare - 1)
        of_valid = spare - of_test
    return of_valid, of_test


def _needed(triples: Triples, order: IntArray) -> BoolArray:
    """Whether a row stays in train, in the order given; shape (triples,).

    Each entity and relation keeps the first of its rows, the others go; and again with what was
    kept, those first that are the only one of something, until each is. So each round but the
    last drops at least one row: the last of those that could go alone.
    """
    ends = triples.rows[order] + [0, len(triples.entities), 0]
    kept = np.arange(len(order))
    while True:
        single = _rows_of_each(ends[kept])[ends[kept]].min(axis=1) == 1
        kept = np.concatenate([kept[single], kept[~single]])
        first = _first(ends[kept])
        if len(first) == len(kept):
            break
        kept = kept[first]
    needed = np.zeros(len(order), dtype=np.bool_)
    needed[kept] = True
    return needed


def _rows_of_each(ends: IntArray) -> IntArray:
    """How many rows each entity and relation has; one that is head and tail of a row has one."""
    loop = ends[:, 0] == ends[:, 2]
    return np.bincount(np.concatenate([ends[:, :2].ravel(), ends[~loop, 2]]))


def _first(ends: IntArray) -> IntArray:
    """The rows that are the first of an entity or relation, ascending.

    Args:
        ends: numbers of entities and relations, none in common; shape (rows, 3).
    """
    first = np.full(ends.max() + 1, -1)
    backwards = np.arange(len(ends))[::-1]
    first[ends[::-1].ravel()] = np.repeat(backwards, 3)  # of equal numbers, the last one stays
    found: IntArray = np.unique(first[first >= 0])
    return found

"""From names to positions: what every reader of triples does last."""

import math
from itertools import compress
from typing import Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from kg.embeddings.triples import Entities, IntArray, Triples

Flags = npt.NDArray[np.bool_]


_LARGEST: Final = 2**63
"""Codes of rows stay below, to be int64."""


def number(heads: pa.ChunkedArray, relations: pa.ChunkedArray, tails: pa.ChunkedArray) -> Triples:
    """Triples of names as triples of positions, with equal ones in their places.

    Args:
        heads: names, string, shape (triples,); so are the other two. None is null.
        relations: names.
        tails: names.

    Returns:
        ``rows`` has the order of the names, and repeats what they repeat: see ``distinct``.
    """
    ids, named = _ascending(heads, tails), _ascending(relations)
    rows = np.stack(
        [positions(heads, ids), positions(relations, named), positions(tails, ids)], axis=1
    )
    return Triples(Entities(tuple(ids.to_pylist())), tuple(named.to_pylist()), rows)


def _ascending(*names: pa.ChunkedArray) -> pa.Array:
    """Each name once, ordered by code points as Python orders texts."""
    found = pc.unique(pa.chunked_array([chunk for column in names for chunk in column.chunks]))
    return found.take(pc.sort_indices(found))


def positions(names: pa.ChunkedArray, known: pa.Array) -> IntArray:
    """Where each name stands among the known; shape (names,).

    Raises:
        ValueError: a name is not known.
    """
    found = pc.index_in(names, value_set=known)
    if found.null_count:
        raise ValueError(f"{pc.filter(names, pc.is_null(found))[0]} is not known")
    places: IntArray = found.to_numpy().astype(np.int64)
    return places


def distinct(rows: IntArray) -> IntArray:
    """The rows ascending, each once; shape (rows, columns), none negative."""
    sizes = (rows.max(axis=0, initial=0) + 1).tolist()
    if math.prod(sizes) < _LARGEST:  # numbers are sorted ten times faster than rows
        codes = np.unique(np.ravel_multi_index(tuple(rows.T), sizes))
        return np.stack(np.unravel_index(codes, sizes), axis=1)
    ordered = rows[np.lexsort(rows.T[::-1])]
    once: IntArray = ordered[is_first(ordered)]
    return once


def is_first(ordered: IntArray) -> Flags:
    """Of equal rows, which stand next to each other, the first; shape (rows,)."""
    first = np.ones(len(ordered), dtype=np.bool_)
    first[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    return first


def compact(entities: Entities, relations: tuple[str, ...], rows: IntArray) -> Triples:
    """Triples of the entities and relations that a row has, and of no others.

    Args:
        entities: what heads and tails stand for.
        relations: what relations stand for.
        rows: shape (triples, 3), distinct and ascending.
    """
    has = _used(rows[:, [0, 2]], len(entities))
    related = _used(rows[:, 1], len(relations))
    at, by = np.cumsum(has) - 1, np.cumsum(related) - 1
    moved = np.stack([at[rows[:, 0]], by[rows[:, 1]], at[rows[:, 2]]], axis=1)
    return Triples(_of(entities, has), tuple(compress(relations, related)), moved)


def renumbered(rows: IntArray, before: Triples, after: Triples) -> IntArray:
    """Rows of some triples by the positions of others, without what those have not.

    Args:
        rows: positions in ``before``, shape (rows, 3).
        before: what the positions stand for.
        after: what they shall stand for.
    """
    at = _places(before.entities.ids, after.entities.ids)
    by = _places(before.relations, after.relations)
    moved = np.stack([at[rows[:, 0]], by[rows[:, 1]], at[rows[:, 2]]], axis=1)
    there: IntArray = moved[(moved >= 0).all(axis=1)]
    return there


def _places(names: tuple[str, ...], known: tuple[str, ...]) -> IntArray:
    """Where each name stands among the known, -1 where it does not; shape (names,)."""
    found = pc.index_in(pa.array(names, pa.string()), value_set=pa.array(known, pa.string()))
    places: IntArray = found.fill_null(-1).to_numpy().astype(np.int64)
    return places


def _used(places: IntArray, size: int) -> Flags:
    used = np.zeros(size, dtype=np.bool_)
    used[places] = True
    return used


def _of(entities: Entities, chosen: Flags) -> Entities:
    ids, types, names = (
        None if told is None else tuple(compress(told, chosen))
        for told in (entities.ids, entities.types, entities.names)
    )
    return Entities(ids or (), types, names)

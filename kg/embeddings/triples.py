"""Triples as numbers, the form that every model works on: positions of entities and relations."""

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import compress, product

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from kg.vocabulary import read_backwards

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]


def no_rows() -> IntArray:
    """No triples; shape (0, 3)."""
    return np.empty((0, 3), dtype=np.int64)


@dataclass(frozen=True)
class Entities:
    """What the positions of entities stand for."""

    ids: tuple[str, ...]
    """CURIEs, ascending; an entity is its position in here."""
    types: tuple[str, ...] | None = None
    """Node type of each; None where they are unknown, as in a file of triples."""
    names: tuple[str, ...] | None = None
    """Name of each; None where they are unknown, as in a file of triples."""

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True)
class Triples:
    """A graph as rows of three positions."""

    entities: Entities
    relations: tuple[str, ...]
    """Names, ascending; a relation is its position in here."""
    rows: IntArray
    """Shape (triples, 3): head, relation, tail. No row twice, ascending."""
    left_out: IntArray = field(default_factory=no_rows)
    """Shape (triples, 3): facts that were removed because they leak others."""

    def __len__(self) -> int:
        return len(self.rows)


@dataclass(frozen=True)
class Split:
    """Triples divided into training, validation and test triples.

    No row is in two parts. Every entity and every relation is in ``train``, unless a split was
    given with unseen ones and they were kept (``read_split``).
    """

    entities: Entities
    relations: tuple[str, ...]
    train: IntArray
    """Shape (triples, 3), as ``valid`` and ``test``."""
    valid: IntArray
    test: IntArray
    left_out: IntArray = field(default_factory=no_rows)
    """Facts that are in no part because they leak others; shape (triples, 3)."""

    @property
    def known(self) -> IntArray:
        """The rows of all parts; shape (triples, 3)."""
        return np.concatenate([self.train, self.valid, self.test])

    @cached_property
    def facts(self) -> IntArray:
        """Everything that need not be predicted, some rows twice; shape (facts, 3).

        The rows of all parts, those that were left out, and the inverse of each of them where
        the vocabulary has an inverse relation (or the relation is symmetric).
        """
        rows = np.concatenate([self.known, self.left_out])
        inverses = []
        for (relation, name), (inverse, other) in product(enumerate(self.relations), repeat=2):
            if read_backwards(name, other):
                heads, _, tails = rows[rows[:, 1] == relation].T
                inverses.append(np.stack([tails, np.full(len(tails), inverse), heads], axis=1))
        return np.concatenate([rows, *inverses])

    @cached_property
    def checksum(self) -> str:
        """SHA-256 of what a model may depend on: ids, relations and rows, part by part."""
        digest = hashlib.sha256()
        for names in (self.entities.ids, self.relations):
            digest.update("\n".join(names).encode() + b"\0")
        for rows in (self.train, self.valid, self.test):
            digest.update(len(rows).to_bytes(8, "little") + np.ascontiguousarray(rows).tobytes())
        return digest.hexdigest()


def number(heads: pa.ChunkedArray, relations: pa.ChunkedArray, tails: pa.ChunkedArray) -> Triples:
    """Number the entities and relations of triples of names, both in ascending order.

    Names are ordered by code points, as Python orders strings.

    Args:
        heads: names, string, shape (triples,); so are the other two. None is null.
        relations: names.
        tails: names.

    Returns:
        ``rows`` has the order of the names, and repeats what they repeat: see ``distinct``.
    """

    def ascending(*columns: pa.ChunkedArray) -> pa.Array:
        names = pc.unique(pa.chunked_array([part for column in columns for part in column.chunks]))
        return names.take(pc.sort_indices(names))

    ids, named = ascending(heads, tails), ascending(relations)
    rows = np.stack(
        [positions(heads, ids), positions(relations, named), positions(tails, ids)], axis=1
    )
    return Triples(Entities(tuple(ids.to_pylist())), tuple(named.to_pylist()), rows)


def positions(names: pa.ChunkedArray, known: pa.Array) -> IntArray:
    """Position of each name among the known ones; shape (names,).

    Raises:
        ValueError: a name is not known.
    """
    indices = pc.index_in(names, value_set=known)
    if indices.null_count:
        raise ValueError(f"{pc.filter(names, pc.is_null(indices))[0]} is not known")
    numbers: IntArray = indices.to_numpy().astype(np.int64)
    return numbers


def distinct(rows: IntArray) -> IntArray:
    """The rows ascending, each once; shape (rows, columns), none negative."""
    sizes = (rows.max(axis=0, initial=0) + 1).tolist()
    if math.prod(sizes) < 2**63:  # int64 codes are sorted ten times faster than rows
        codes = np.unique(np.ravel_multi_index(tuple(rows.T), sizes))
        return np.stack(np.unravel_index(codes, sizes), axis=1)
    ordered = rows[np.lexsort(rows.T[::-1])]
    once: IntArray = ordered[is_first(ordered)]
    return once


def is_first(ordered: IntArray) -> BoolArray:
    """Whether a row is the first of those equal to it, which are adjacent; shape (rows,)."""
    first = np.ones(len(ordered), dtype=np.bool_)
    first[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    return first


def compact(entities: Entities, relations: tuple[str, ...], rows: IntArray) -> Triples:
    """Triples with only those entities and relations that occur in a row.

    Args:
        entities: what heads and tails stand for.
        relations: what relations stand for.
        rows: shape (triples, 3), distinct and ascending.
    """

    def occurring(numbers: IntArray, size: int) -> BoolArray:
        occurs = np.zeros(size, dtype=np.bool_)
        occurs[numbers] = True
        return occurs

    of_entity = occurring(rows[:, [0, 2]], len(entities))
    of_relation = occurring(rows[:, 1], len(relations))

    def kept(values: Sequence[str] | None) -> tuple[str, ...] | None:
        return None if values is None else tuple(compress(values, of_entity))

    return Triples(
        Entities(kept(entities.ids) or (), kept(entities.types), kept(entities.names)),
        tuple(compress(relations, of_relation)),
        _translated(rows, np.cumsum(of_entity) - 1, np.cumsum(of_relation) - 1),
    )


def renumbered(rows: IntArray, before: Triples, after: Triples) -> IntArray:
    """Rows of some triples by the positions of others, without rows that those have no names for.

    Args:
        rows: positions in ``before``, shape (rows, 3).
        before: what the positions stand for.
        after: what the positions shall stand for.
    """

    def places(names: tuple[str, ...], known: tuple[str, ...]) -> IntArray:
        """Position of each name among the known ones, -1 where it is not; shape (names,)."""
        indices = pc.index_in(pa.array(names, pa.string()), value_set=pa.array(known, pa.string()))
        numbers: IntArray = indices.fill_null(-1).to_numpy().astype(np.int64)
        return numbers

    moved = _translated(
        rows,
        places(before.entities.ids, after.entities.ids),
        places(before.relations, after.relations),
    )
    named: IntArray = moved[(moved >= 0).all(axis=1)]
    return named


def _translated(rows: IntArray, entities: IntArray, relations: IntArray) -> IntArray:
    """Rows by the new positions of entities and relations; shape (rows, 3)."""
    heads, by, tails = rows.T
    return np.stack([entities[heads], relations[by], entities[tails]], axis=1)

"""Triples as numbers: the shape that everything in this room works on."""

import hashlib
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product

import numpy as np
import numpy.typing as npt

from kg.vocabulary import read_backwards

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]


def no_rows() -> IntArray:
    """Shape (0, 3)."""
    return np.empty((0, 3), dtype=np.int64)


@dataclass(frozen=True)
class Entities:
    """What the positions of entities stand for."""

    ids: tuple[str, ...]
    """CURIEs, ascending; an entity is its position in here."""
    types: tuple[str, ...] | None = None
    """Node type of each; None where a file of triples does not say."""
    names: tuple[str, ...] | None = None
    """Name of each; None where a file of triples does not say."""

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
    """Shape (triples, 3): facts that were taken out, for others give them away."""

    def __len__(self) -> int:
        return len(self.rows)


@dataclass(frozen=True)
class Split:
    """Triples parted for training, for choosing, and for the one last measurement.

    No row is in two parts. Every entity and every relation is in ``train``, save where a split
    was given with others and kept so (``read_split``).
    """

    entities: Entities
    relations: tuple[str, ...]
    train: IntArray
    """Shape (triples, 3), as ``valid`` and ``test``."""
    valid: IntArray
    test: IntArray
    left_out: IntArray = field(default_factory=no_rows)
    """Facts that take no part, for others give them away; shape (triples, 3)."""

    @property
    def known(self) -> IntArray:
        """The rows of all parts; shape (triples, 3)."""
        return np.concatenate([self.train, self.valid, self.test])

    @cached_property
    def facts(self) -> IntArray:
        """All that need not be predicted, some rows twice; shape (facts, 3).

        The rows of all parts, those that were left out, and what each of them says of the
        exchanged ends, where the vocabulary has a relation for it.
        """
        rows = np.concatenate([self.known, self.left_out])
        turned = [
            np.stack([said[:, 2], np.full(len(said), by), said[:, 0]], axis=1)
            for (at, one), (by, other) in product(enumerate(self.relations), repeat=2)
            if read_backwards(one, other)
            for said in [rows[rows[:, 1] == at]]
        ]
        return np.concatenate([rows, *turned])

    @cached_property
    def checksum(self) -> str:
        """SHA-256 of what a model may depend on: ids, relations and rows, part by part."""
        digest = hashlib.sha256()
        for names in (self.entities.ids, self.relations):
            digest.update("\n".join(names).encode() + b"\0")
        for rows in (self.train, self.valid, self.test):
            digest.update(len(rows).to_bytes(8, "little") + np.ascontiguousarray(rows).tobytes())
        return digest.hexdigest()

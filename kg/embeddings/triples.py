"""Triples as numbers: the shape that everything in this room works on."""

import hashlib
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]


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

    @property
    def known(self) -> IntArray:
        """The rows of all parts; shape (triples, 3)."""
        return np.concatenate([self.train, self.valid, self.test])

    @cached_property
    def checksum(self) -> str:
        """SHA-256 of what a model may depend on: ids, relations and rows, part by part."""
        digest = hashlib.sha256()
        for names in (self.entities.ids, self.relations):
            digest.update("\n".join(names).encode() + b"\0")
        for rows in (self.train, self.valid, self.test):
            digest.update(len(rows).to_bytes(8, "little") + np.ascontiguousarray(rows).tobytes())
        return digest.hexdigest()

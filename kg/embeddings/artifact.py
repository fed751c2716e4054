"""A trained model on disk: a folder that states how it was made, and from which no code is loaded.

A folder of::

    model.safetensors   every weight
    entities.parquet    id, type, name; the row is the position
    relations.parquet   relation
    triples.parquet     head, relation, tail, part (train, valid, test, left out), as positions
    card.json           what made it, what it reached, and the checksum of each file above

No file is pickled, and a folder whose files do not match its card is refused.
"""

import hashlib
import platform
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import BaseModel, ValidationError
from pykeen.models import ERModel
from safetensors.torch import save_file

from kg.embeddings.calibration import Calibration, End
from kg.embeddings.checkpoints import Epoch, load_weights, tensors
from kg.embeddings.models import make_model
from kg.embeddings.recipe import Recipe
from kg.embeddings.triples import Entities, Split
from kg.errors import EmbeddingError
from kg.stores.disk import disk_errors, recover, replacing

CARD: Final = "card.json"

_MODEL: Final = "model.safetensors"
_ENTITIES: Final = "entities.parquet"
_RELATIONS: Final = "relations.parquet"
_TRIPLES: Final = "triples.parquet"
_FILES: Final = (_MODEL, _ENTITIES, _RELATIONS, _TRIPLES)
_OURS: Final = frozenset((*_FILES, CARD, "figures"))
_PARTS: Final = ("train", "valid", "test", "left out")


class SplitSizes(BaseModel, frozen=True, extra="forbid"):
    """How many triples are in each part."""

    train: int
    valid: int
    test: int


class Card(BaseModel, frozen=True, extra="forbid"):
    """What made a model, and what it reached."""

    name: str
    data: str
    """Where the triples come from: a file, or a graph with the relations and types chosen."""
    data_checksum: str
    """SHA-256 of the split: ids, relations and rows of each part."""
    build_checksum: str | None = None
    """Of the graph tables that the graph was loaded from; None for a file of triples."""
    entities: int
    relations: int
    split: SplitSizes
    recipe: Recipe
    seed: int
    history: tuple[Epoch, ...]
    best_epoch: int | None
    report: dict[str, Any] = {}
    """The evaluation, as ``medkg embed evaluate --json`` prints it."""
    calibration: dict[End, tuple[float, float]] = {}
    """Slope and intercept of the logistic curve from score to probability, by the end sought."""
    calibration_error: float | None = None
    """Mean distance of probability and frequency on the test triples, in [0, 1], over candidates
    of at least ``calibration.LEAST_PROBABILITY``."""
    versions: dict[str, str]
    files: dict[str, str] = {}
    """SHA-256 of each file beside the card."""

    @property
    def curves(self) -> dict[End, Calibration]:
        """From score to probability, by the end sought; none where there was nothing to fit."""
        return {end: Calibration(*curve) for end, curve in self.calibration.items()}


def versions() -> dict[str, str]:
    """Versions of Python and of the packages that a model's weights depend on."""
    packages = ("medkg", "pykeen", "torch", "numpy", "safetensors")
    return {"python": platform.python_version(), **{name: version(name) for name in packages}}


def read_card(folder: Path) -> Card:
    """The card of a model's folder.

    Raises:
        EmbeddingError: there is none.
    """
    path = folder / CARD
    try:
        return Card.model_validate_json(path.read_text("utf-8"))
    except FileNotFoundError as e:
        raise EmbeddingError(
            f"{folder}: there is no trained model ({CARD} is missing); make one with "
            "'medkg embed train'"
        ) from e
    except (OSError, UnicodeDecodeError, ValidationError) as e:
        raise EmbeddingError(f"{path}: cannot be read ({e}); train the model anew") from e


class Artifact:
    """A trained model, read from a folder."""

    def __init__(self, folder: Path, card: Card, split: Split, model: ERModel) -> None:
        self.folder, self.card, self.split, self.model = folder, card, split, model


def save_artifact(folder: Path, card: Card, split: Split, model: ERModel) -> Card:
    """Write a model into a folder, whole or not at all; what was there before is replaced.

    Args:
        folder: of the artifact alone.
        card: without the checksums of files, which are filled in.
        split: what the model was trained on.
        model: on any device.

    Returns:
        The card as it was written.

    Raises:
        EmbeddingError: the folder holds something that is no artifact.
        StoreError: it cannot be written.
    """
    check_replaceable(folder)
    with replacing(folder) as partial:
        save_file({n: v.cpu() for n, v in tensors(model).items()}, partial / _MODEL)
        for name, table in _tables(split).items():
            pq.write_table(table, partial / name, compression="zstd")
        files = {name: _checksum(partial / name) for name in _FILES}
        card = card.model_copy(update={"files": files})
        (partial / CARD).write_text(card.model_dump_json(indent=2) + "\n", "utf-8")
    return card


def check_replaceable(folder: Path) -> None:
    """Refuse a folder to write a model into that holds anything but an earlier model.

    Raises:
        EmbeddingError: the folder holds something else.
    """
    with disk_errors(folder):
        names = {path.name for path in folder.iterdir()} if folder.exists() else set()
    if names and CARD not in names:
        raise EmbeddingError(
            f"{folder}: holds something that is no model of medkg; name another folder with --out"
        )
    if foreign := sorted(names - _OURS):
        raise EmbeddingError(
            f"{folder}: {foreign[0]} is no part of the model there and would be lost; move it "
            "away, or name another folder with --out"
        )


def load_artifact(folder: Path) -> Artifact:
    """Read a model, and check it against its card.

    Raises:
        EmbeddingError: there is none, a file is missing or was changed, or the weights have
            other shapes than the card's recipe and counts give.
    """
    recover(folder)
    card = read_card(folder)
    for name in _FILES:
        path = folder / name
        if not path.is_file():
            raise EmbeddingError(f"{path}: is missing; copy the whole folder, or train anew")
        if _checksum(path) != card.files.get(name):
            raise EmbeddingError(
                f"{path}: is not the file that {CARD} describes (its SHA-256 differs); "
                "copy the whole folder again, or train anew"
            )
    split = _read_split(folder)
    _check_counts(folder, card, split)
    model = make_model(card.recipe, split.train, card.entities, card.relations, card.seed)
    load_weights(folder / _MODEL, model)
    return Artifact(folder, card, split, model)


class _Counts(NamedTuple):
    entities: int
    relations: int
    train: int
    valid: int
    test: int

    def __str__(self) -> str:
        triples = f"{self.train} + {self.valid} + {self.test} triples"
        return f"{self.entities} entities, {self.relations} relations, {triples}"


def _check_counts(folder: Path, card: Card, split: Split) -> None:
    sizes = card.split
    stated = _Counts(card.entities, card.relations, sizes.train, sizes.valid, sizes.test)
    parts = (split.train, split.valid, split.test)
    actual = _Counts(len(split.entities), len(split.relations), *map(len, parts))
    if actual != stated or split.checksum != card.data_checksum:
        raise EmbeddingError(
            f"{folder / CARD}: describes other triples ({stated}) than the files have "
            f"({actual}); copy the whole folder again, or train anew"
        )


def _tables(split: Split) -> dict[str, pa.Table]:
    entities = split.entities
    none = [None] * len(entities)
    rows = (split.train, split.valid, split.test, split.left_out)
    parts = np.repeat(np.arange(len(_PARTS)), [len(part) for part in rows])
    head, relation, tail = np.concatenate(rows).astype(np.int32).T
    return {
        _ENTITIES: pa.table(
            {
                "id": pa.array(entities.ids, pa.string()),
                "type": pa.array(entities.types or none, pa.string()),
                "name": pa.array(entities.names or none, pa.string()),
            }
        ),
        _RELATIONS: pa.table({"relation": pa.array(split.relations, pa.string())}),
        _TRIPLES: pa.table(
            {
                "head": head,
                "relation": relation,
                "tail": tail,
                "part": pa.DictionaryArray.from_arrays(parts.astype(np.int8), list(_PARTS)),
            }
        ),
    }


def _read_split(folder: Path) -> Split:
    try:
        ids, types, names = _columns(folder / _ENTITIES, "id", "type", "name")
        [relations] = _columns(folder / _RELATIONS, "relation")
        table = pq.read_table(folder / _TRIPLES)
        rows = np.stack([table[c].to_numpy() for c in ("head", "relation", "tail")], axis=1)
        part = table["part"].cast(pa.string()).to_numpy()
    except (OSError, pa.ArrowException, KeyError) as e:
        raise EmbeddingError(
            f"{folder}: a table in it is not that of a model ({e}); train the model anew"
        ) from e
    parts = (rows[part == name].astype(np.int64) for name in _PARTS)
    entities = Entities(ids, *(None if None in column else column for column in (types, names)))
    return Split(entities, relations, *parts)


def _columns(path: Path, *names: str) -> list[tuple[str, ...]]:
    table = pq.read_table(path)
    return [tuple(table[name].to_pylist()) for name in names]


def _checksum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()

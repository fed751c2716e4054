"""A trained model on disk: a folder that says what made it, and that nothing has to be trusted in.

A folder of::

    model.safetensors   every weight
    entities.parquet    id, type, name; the row is the position
    relations.parquet   relation
    triples.parquet     head, relation, tail, part (train, valid, test, left out), as positions
    card.json           what made it, what it reached, and the checksum of each file above

No file is pickled, and a folder whose files are not those that its card tells of is refused.
"""

import hashlib
import shutil
from pathlib import Path
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pykeen.models import ERModel
from safetensors.torch import save_file

from kg.embeddings.card import CARD, Card, SplitSizes, read_card
from kg.embeddings.checkpoints import load_weights, tensors
from kg.embeddings.models import make_model
from kg.embeddings.triples import Entities, Split
from kg.errors import EmbeddingError
from kg.stores.disk import disk_errors

__all__ = [
    "Artifact",
    "Card",
    "SplitSizes",
    "check_replaceable",
    "load_artifact",
    "read_card",
    "save_artifact",
]

_MODEL: Final = "model.safetensors"
_ENTITIES: Final = "entities.parquet"
_RELATIONS: Final = "relations.parquet"
_TRIPLES: Final = "triples.parquet"
_FILES: Final = (_MODEL, _ENTITIES, _RELATIONS, _TRIPLES)
_OURS: Final = frozenset((*_FILES, CARD, "figures"))
_PARTS: Final = ("train", "valid", "test", "left out")


class Artifact:
    """A trained model, read from a folder."""

    def __init__(self, folder: Path, card: Card, split: Split, model: ERModel) -> None:
        self.folder, self.card, self.split, self.model = folder, card, split, model


def save_artifact(folder: Path, card: Card, split: Split, model: ERModel) -> Card:
    """Write a model into a folder, whole or not at all; what was there before is replaced.

    Args:
        folder: of the artifact alone.
        card: its checksums of files are filled in.
        split: what the model learned from.
        model: on any device.

    Returns:
        The card as it was written.

    Raises:
        EmbeddingError: the folder holds something that is no artifact.
        StoreError: it cannot be written.
    """
    check_replaceable(folder)
    partial, old = (folder.with_name(f".{folder.name}.{end}") for end in ("partial", "old"))
    with disk_errors(folder):
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        save_file({n: v.cpu() for n, v in tensors(model).items()}, partial / _MODEL)
        for name, table in _tables(split).items():
            pq.write_table(table, partial / name, compression="zstd")
        files = {name: _checksum(partial / name) for name in _FILES}
        card = card.model_copy(update={"files": files})
        (partial / CARD).write_text(card.model_dump_json(indent=2) + "\n", "utf-8")
        shutil.rmtree(old, ignore_errors=True)
        if folder.exists():
            folder.rename(old)
        partial.rename(folder)
        shutil.rmtree(old, ignore_errors=True)
    return card


def check_replaceable(folder: Path) -> None:
    """See that a model may be written there: nothing is, or a model and nothing beside it.

    Raises:
        EmbeddingError: the folder holds something else.
    """
    with disk_errors(folder):
        there = {path.name for path in folder.iterdir()} if folder.exists() else set()
    if there and CARD not in there:
        raise EmbeddingError(
            f"{folder}: holds something that is no model of medkg; name another folder with --out"
        )
    if strange := sorted(there - _OURS):
        raise EmbeddingError(
            f"{folder}: {strange[0]} is no part of the model there and would be lost; move it "
            "away, or name another folder with --out"
        )


def load_artifact(folder: Path) -> Artifact:
    """Read a model, and see that it is the one that its card tells of.

    Raises:
        EmbeddingError: there is none, a file is missing or another one, or the weights have
            other shapes than the card's recipe and counts give.
    """
    old = folder.with_name(f".{folder.name}.old")
    if not folder.exists() and (old / CARD).is_file():
        old.rename(folder)  # killed between the two renames
    card = read_card(folder)
    for name in _FILES:
        _check_file(folder / name, card)
    split = _read_split(folder)
    _check_counts(folder, card, split)
    model = make_model(card.recipe, split.train, card.entities, card.relations, card.seed)
    load_weights(folder / _MODEL, model)
    return Artifact(folder, card, split, model)


def _check_file(path: Path, card: Card) -> None:
    if not path.is_file():
        raise EmbeddingError(f"{path}: is missing; copy the whole folder, or train anew")
    if _checksum(path) != card.files.get(path.name):
        raise EmbeddingError(
            f"{path}: is not the file that {CARD} tells of (its SHA-256 is another); "
            "copy the whole folder again, or train anew"
        )


def _check_counts(folder: Path, card: Card, split: Split) -> None:
    told = (card.entities, card.relations, *card.split.model_dump().values())
    parts = (split.train, split.valid, split.test)
    found = (len(split.entities), len(split.relations), *map(len, parts))
    if found != told or split.checksum != card.data_checksum:
        raise EmbeddingError(
            f"{folder / CARD}: tells of other triples ({_counts(told)}) than the files have "
            f"({_counts(found)}); copy the whole folder again, or train anew"
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
            f"{folder}: a table in it is not one of a model's ({e}); train the model anew"
        ) from e
    parts = (rows[part == name].astype(np.int64) for name in _PARTS)
    known = Entities(ids, *(None if None in told else told for told in (types, names)))
    return Split(known, relations, *parts)


def _columns(path: Path, *names: str) -> list[tuple[str, ...]]:
    table = pq.read_table(path)
    return [tuple(table[name].to_pylist()) for name in names]


def _counts(counts: tuple[int, ...]) -> str:
    entities, relations, *triples = counts
    return f"{entities} entities, {relations} relations, {' + '.join(map(str, triples))} triples"


def _checksum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()

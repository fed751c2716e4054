"""A model on disk: what comes back is what was saved, and what was tampered with is refused."""

import hashlib
import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
import torch

from kg.embeddings.artifact import load_artifact, read_card, save_artifact, versions
from kg.embeddings.recipe import Recipe
from kg.embeddings.scoring import ModelScorer
from kg.embeddings.triples import Entities, Split
from kg.errors import EmbeddingError, StoreError
from tests.kg.embeddings.small import card_of, clinic_split, fresh, recipe

FILES = ("model.safetensors", "entities.parquet", "relations.parquet", "triples.parquet")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A saved ComplEx of the clinic."""
    graph, of = clinic_split(), recipe()
    save_artifact(tmp_path / "model", card_of(graph, of), graph, fresh(of))
    return tmp_path / "model"


def retold(folder: Path, **changes: Any) -> None:  # noqa: ANN401 - of any field of the card
    """Change the card, and let it tell of the files that are there."""
    path = folder / "card.json"
    card = json.loads(path.read_text())
    files = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in FILES}
    path.write_text(json.dumps(card | {"files": files} | changes))


@pytest.mark.parametrize("model", ["complex", "conve", "rotate", "compgcn", "rescal", "nodepiece"])
def test_what_is_loaded_is_what_was_saved(model: str, tmp_path: Path) -> None:
    graph, of = replace(clinic_split(), left_out=np.array([[0, 1, 2]])), recipe(model)
    made = fresh(of)
    ModelScorer(made).tails(torch.arange(3), torch.zeros(3, dtype=torch.int64))
    card = save_artifact(tmp_path / "model", card_of(graph, of, versions=versions()), graph, made)
    found = load_artifact(tmp_path / "model")
    assert found.card == card
    theirs = found.model.state_dict()
    assert all(torch.equal(value, theirs[name]) for name, value in made.state_dict().items())
    assert (found.split.entities, found.split.relations) == (graph.entities, graph.relations)
    for part in ("train", "valid", "test", "left_out"):
        assert getattr(found.split, part).tolist() == getattr(graph, part).tolist()
    heads, relations = torch.arange(6), torch.arange(6) % 2
    assert torch.equal(
        ModelScorer(found.model).tails(heads, relations), ModelScorer(made).tails(heads, relations)
    )
    assert not any(module.training for module in found.model.modules())


def test_entities_without_types_and_names_stay_without(tmp_path: Path) -> None:
    graph, of = clinic_split(), recipe()
    bare = Split(
        Entities(graph.entities.ids), graph.relations, graph.train, graph.valid, graph.test
    )
    save_artifact(tmp_path / "model", card_of(bare, of), bare, fresh(of))
    found = load_artifact(tmp_path / "model").split.entities
    assert (found.types, found.names) == (None, None)


def test_nothing_is_pickled(folder: Path) -> None:
    assert sorted(path.name for path in folder.iterdir()) == sorted([*FILES, "card.json"])
    assert not any(path.read_bytes().startswith((b"\x80", b"PK")) for path in folder.iterdir())


@pytest.mark.parametrize("name", FILES)
def test_a_changed_byte_is_refused(name: str, folder: Path) -> None:
    content = bytearray((folder / name).read_bytes())
    content[len(content) // 2] ^= 1
    (folder / name).write_bytes(content)
    with pytest.raises(
        EmbeddingError, match=rf"{name}: is not the file that card\.json describes"
    ):
        load_artifact(folder)


@pytest.mark.parametrize("name", FILES)
def test_a_missing_file_is_refused(name: str, folder: Path) -> None:
    (folder / name).unlink()
    with pytest.raises(EmbeddingError, match=rf"{name}: is missing; copy the whole folder"):
        load_artifact(folder)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"entities": 31}, r"describes other triples \(31 entities, 2 relations, .*\) than"),
        ({"relations": 1}, r"describes other triples \(30 entities, 1 relations, "),
        ({"split": {"train": 1, "valid": 0, "test": 0}}, r"1 \+ 0 \+ 0 triples"),
        ({"data_checksum": "00"}, "describes other triples"),
        ({"recipe": recipe(dim=8).model_dump()}, "does not have the weights of this ComplEx"),
        ({"recipe": recipe("transe").model_dump()}, "does not have the weights of this TransE"),
        ({"recipe": recipe("nothing").model_dump()}, "PyKEEN has no model 'nothing'"),
        ({"recipe": {}}, r"card\.json: cannot be read"),
        ({"more": 1}, r"card\.json: cannot be read"),
    ],
)
def test_a_card_that_describes_something_else_is_refused(
    changes: dict[str, Any], message: str, folder: Path
) -> None:
    retold(folder, **changes)
    with pytest.raises(EmbeddingError, match=message):
        load_artifact(folder)


def _no_column(folder: Path) -> None:
    table = pq.read_table(folder / "triples.parquet")
    pq.write_table(table.drop_columns("tail"), folder / "triples.parquet")


def _other_rows(folder: Path) -> None:
    table = pq.read_table(folder / "triples.parquet")
    pq.write_table(table.take(list(range(len(table)))[::-1]), folder / "triples.parquet")


def _no_parquet(folder: Path) -> None:
    (folder / "entities.parquet").write_text("no")


def _other_names(folder: Path) -> None:
    table = pq.read_table(folder / "entities.parquet")
    pq.write_table(table.rename_columns(["key", "type", "name"]), folder / "entities.parquet")


def _no_tensors(folder: Path) -> None:
    (folder / "model.safetensors").write_text("no")


@pytest.mark.parametrize(
    ("break_", "message"),
    [
        (_no_column, "is not that of a model"),
        (_other_rows, "describes other triples"),
        (_no_parquet, "is not that of a model"),
        (_other_names, "is not that of a model"),
        (_no_tensors, r"model\.safetensors: does not have the weights"),
    ],
)
def test_files_that_are_no_models_are_refused_though_the_card_describes_them(
    break_: Callable[[Path], None], message: str, folder: Path
) -> None:
    break_(folder)
    retold(folder)
    with pytest.raises(EmbeddingError, match=message):
        load_artifact(folder)


def test_a_folder_without_a_card_holds_no_model(folder: Path) -> None:
    (folder / "card.json").unlink()
    with pytest.raises(EmbeddingError, match=r"there is no trained model .*medkg embed train"):
        read_card(folder)
    with pytest.raises(EmbeddingError, match="there is no trained model"):
        read_card(folder / "nowhere")


def test_what_is_no_model_is_not_written_over(folder: Path, tmp_path: Path) -> None:
    graph, of = clinic_split(), recipe()
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.txt").write_text("mine")
    with pytest.raises(EmbeddingError, match=r"thesis: holds something that is no model .*--out"):
        save_artifact(tmp_path / "thesis", card_of(graph, of), graph, fresh(of))
    assert (tmp_path / "thesis" / "chapter.txt").read_text() == "mine"
    (tmp_path / "file").write_text("mine")
    shutil.copytree(tmp_path / "thesis", folder / "notes")
    with pytest.raises(EmbeddingError, match=r"notes is no part of the model there .*--out"):
        save_artifact(folder, card_of(graph, of), graph, fresh(of))
    with pytest.raises(StoreError, match="file"):
        save_artifact(tmp_path / "file", card_of(graph, of), graph, fresh(of))


def test_a_model_takes_the_place_of_another(folder: Path) -> None:
    graph, of = clinic_split(0.2, 0.2), Recipe(model="transe", dim=4)
    shutil.copytree(folder, folder / "figures")
    save_artifact(folder, card_of(graph, of), graph, fresh(of, graph))
    assert load_artifact(folder).card.recipe == of
    assert not (folder / "figures").exists()
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]


def test_model_that_was_being_replaced_when_it_was_killed_is_there(folder: Path) -> None:
    card = read_card(folder)
    folder.rename(folder.with_name(f".{folder.name}.old"))
    assert load_artifact(folder).card == card

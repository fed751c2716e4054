"""Loading graph tables into a store, and what becomes of its layers."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import kg
from ingest.load import load
from kg.layers import apply_layer
from kg.progress import Advance, Silent
from tests.kg.stores.conftest import NODES, write_tables

GOUT_TO_FEVER = (("MONDO:1", "HAS_SYMPTOM", "HP:2"),)
ONLY_FEVER = (("HP:2", "Symptom", "fever"),)


def test_tables_that_the_store_holds_are_not_loaded_again(tmp_path: Path) -> None:
    tables = write_tables(tmp_path / "tables")
    with kg.connect(str(tmp_path / "g.lbug")) as store:
        assert load(tables, tmp_path / "layers", store, Silent()).changed
        assert not load(tables, tmp_path / "layers", store, Silent()).changed


def test_layer_is_applied_again_after_a_load(tmp_path: Path) -> None:
    layers = tmp_path / "layers"
    first = write_tables(tmp_path / "first", edges=(), checksum="1")
    second = write_tables(tmp_path / "second", edges=(), checksum="2")
    added = write_tables(tmp_path / "added", name="scores", nodes=(), edges=GOUT_TO_FEVER)
    with kg.connect(str(tmp_path / "g.lbug")) as store:
        load(first, layers, store, Silent())
        apply_layer(added.folder, store, layers, Silent())
        result = load(second, layers, store, Silent())
        assert result.replayed == ("scores",)
        assert result.counts.edges == {}
        assert store.counts().edges == {"HAS_SYMPTOM": 1}


def test_layer_that_no_longer_fits_is_listed_with_the_reason(tmp_path: Path) -> None:
    layers = tmp_path / "layers"
    first = write_tables(tmp_path / "first", nodes=NODES, edges=(), checksum="1")
    second = write_tables(tmp_path / "second", nodes=ONLY_FEVER, edges=(), checksum="2")
    added = write_tables(tmp_path / "added", name="scores", nodes=(), edges=GOUT_TO_FEVER)
    with kg.connect(str(tmp_path / "g.lbug")) as store:
        load(first, layers, store, Silent())
        apply_layer(added.folder, store, layers, Silent())
        result = load(second, layers, store, Silent())
        assert result.replayed == ()
        [(name, reason)] = result.left_out
        assert name == "scores"
        assert "MONDO:1" in reason
        assert store.counts().edges == {}


def test_load_that_was_cut_off_before_its_layers_applies_them_later(tmp_path: Path) -> None:
    layers = tmp_path / "layers"
    first = write_tables(tmp_path / "first", edges=(), checksum="1")
    second = write_tables(tmp_path / "second", edges=(), checksum="2")
    added = write_tables(tmp_path / "added", name="scores", nodes=(), edges=GOUT_TO_FEVER)
    with kg.connect(str(tmp_path / "g.lbug")) as store:
        load(first, layers, store, Silent())
        apply_layer(added.folder, store, layers, Silent())
        with pytest.raises(KeyboardInterrupt):
            load(second, layers, store, StoppedAtFirstLayer())
        assert load(second, layers, store, Silent()).replayed == ("scores",)
        assert not load(second, layers, store, Silent()).changed


class StoppedAtFirstLayer(Silent):
    """Ctrl-C when rows are loaded for the second time: those of the first layer."""

    loads = 0

    @contextmanager
    def step(self, name: str, total: int | None = None) -> Iterator[Advance]:
        self.loads += name == "Loading nodes and edges"
        if self.loads > 1:
            raise KeyboardInterrupt
        with super().step(name, total) as advance:
            yield advance

"""Loading graph tables into a store, and what becomes of its layers."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import kg
from ingest.load import load
from kg.configuration import Settings
from kg.errors import StoreError
from kg.layers import LayerRows, apply_layers, list_layers, remove_layer, write_layer
from kg.progress import Advance, Silent
from kg.stores.disk import writer_lock
from kg.stores.neo4j_store import Neo4jStore
from kg.stores.store import Counts, Store
from tests.kg.stores.conftest import NODES, write_tables

GOUT_TO_FEVER = (("MONDO:1", "HAS_SYMPTOM", "HP:2"),)
FEVER_IS_ARTHRITIS = (("HP:2", "IS_A", "HP:1"),)
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
        apply_layers([added.folder], store, layers, Silent())
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
        apply_layers([added.folder], store, layers, Silent())
        result = load(second, layers, store, Silent())
        assert result.replayed == ()
        [(name, reason)] = result.left_out
        assert name == "scores"
        assert "MONDO:1" in reason
        assert store.counts().edges == {}


def test_layer_that_a_smaller_build_refused_waits_for_one_that_it_fits(
    store: Store, tmp_path: Path
) -> None:
    layers = tmp_path / "layers"
    large, small, larger = (
        write_tables(tmp_path / checksum, nodes=nodes, edges=(), checksum=checksum)
        for checksum, nodes in (("1", NODES), ("2", ONLY_FEVER), ("3", NODES))
    )
    added = write_tables(tmp_path / "added", name="scores", nodes=(), edges=GOUT_TO_FEVER)
    load(large, layers, store, Silent())
    apply_layers([added.folder], store, layers, Silent())
    assert load(small, layers, store, Silent()).replayed == ()
    again = load(small, layers, store, Silent())
    assert (again.changed, [name for name, _ in again.left_out]) == (False, ["scores"])
    [listed] = list_layers(store, layers)
    assert (listed.name, listed.applied, listed.kept, listed.waiting) == (
        "scores",
        False,
        True,
        True,
    )
    assert load(larger, layers, store, Silent()).replayed == ("scores",)
    [listed] = list_layers(store, layers)
    assert (listed.applied, listed.waiting) == (True, False)
    assert store.counts().edges == {"HAS_SYMPTOM": 1}


def test_layer_that_is_removed_while_it_waits_stays_away(tmp_path: Path) -> None:
    layers = tmp_path / "layers"
    small = write_tables(tmp_path / "small", nodes=ONLY_FEVER, edges=(), checksum="1")
    large = write_tables(tmp_path / "large", edges=(), checksum="2")
    added = write_tables(tmp_path / "added", name="scores", nodes=(), edges=GOUT_TO_FEVER)
    with kg.connect(str(tmp_path / "g.lbug")) as store:
        load(large, layers, store, Silent())
        apply_layers([added.folder], store, layers, Silent())
        load(small, layers, store, Silent())
        assert remove_layer("scores", store, layers, Silent()).taken_out == Counts({}, {})
        assert load(large, layers, store, Silent()).replayed == ()
        [listed] = list_layers(store, layers)
        assert (listed.applied, listed.kept, listed.waiting) == (False, True, False)


def test_layer_of_rules_whose_file_is_damaged_is_made_anew_by_a_build(tmp_path: Path) -> None:
    layers = tmp_path / "layers"
    tables = write_tables(tmp_path / "tables")
    edge = {"head": "HP:1", "tail": "HP:2", "rule": "cycle", "reason": "cycle says so"}
    check = write_layer(tmp_path / "c", "check", LayerRows(removed={"IS_A": [edge]}), "test")
    with kg.connect(str(tmp_path / "g.lbug")) as store:
        load(tables, layers, store, Silent())
        apply_layers([check.folder], store, layers, Silent())
        assert not load(tables, layers, store, Silent()).changed
        damage(layers / "check" / "removed" / "IS_A.parquet")
        assert load(tables, layers, store, Silent()).changed
        assert store.counts().edges == {"HAS_SYMPTOM": 2, "IS_A": 1}


def damage(path: Path) -> None:
    """Another byte in the midst of a file, which stays as long as it was."""
    data = bytearray(path.read_bytes())
    data[len(data) // 3] ^= 1
    path.write_bytes(data)


def test_load_that_was_cut_off_before_its_layers_applies_them_later(tmp_path: Path) -> None:
    layers = tmp_path / "layers"
    first = write_tables(tmp_path / "first", edges=(), checksum="1")
    second = write_tables(tmp_path / "second", edges=(), checksum="2")
    added = write_tables(tmp_path / "added", name="scores", nodes=(), edges=GOUT_TO_FEVER)
    with kg.connect(str(tmp_path / "g.lbug")) as store:
        load(first, layers, store, Silent())
        apply_layers([added.folder], store, layers, Silent())
        with pytest.raises(KeyboardInterrupt):
            load(second, layers, store, StoppedAtFirstLayer())
        assert load(second, layers, store, Silent()).replayed == ("scores",)
        assert not load(second, layers, store, Silent()).changed


def test_load_of_another_store_gets_none_of_the_layers(tmp_path: Path) -> None:
    layers = tmp_path / "layers"
    first = write_tables(tmp_path / "first", edges=(), checksum="1")
    second = write_tables(tmp_path / "second", edges=(), checksum="2")
    added = write_tables(tmp_path / "added", name="scores", nodes=(), edges=GOUT_TO_FEVER)
    with kg.connect(str(tmp_path / "g.lbug")) as store, kg.connect(str(tmp_path / "o.lbug")) as o:
        load(first, layers, store, Silent())
        apply_layers([added.folder], store, layers, Silent())
        with pytest.raises(KeyboardInterrupt):
            load(second, layers, store, StoppedAtFirstLayer())
        assert load(second, layers, o, Silent()).replayed == ()
        assert o.counts().edges == {}
        assert load(second, layers, store, Silent()).replayed == ("scores",)


def test_store_that_fails_meanwhile_keeps_the_layers_for_the_next_load(tmp_path: Path) -> None:
    layers, graph = tmp_path / "layers", tmp_path / "g.lbug"
    first = write_tables(tmp_path / "first", edges=(), checksum="1")
    second = write_tables(tmp_path / "second", edges=(), checksum="2")
    added = write_tables(tmp_path / "added", name="scores", nodes=(), edges=GOUT_TO_FEVER)
    with kg.connect(str(graph)) as store:
        load(first, layers, store, Silent())
        apply_layers([added.folder], store, layers, Silent())
        with pytest.raises(KeyboardInterrupt):
            load(second, layers, store, StoppedAtFirstLayer())
        with (
            writer_lock(graph),
            pytest.raises(StoreError, match="another medkg process is writing"),
        ):
            load(second, layers, store, Silent())
        assert load(second, layers, store, Silent()).replayed == ("scores",)


@pytest.mark.neo4j
def test_layer_that_was_cut_off_is_gone_and_those_below_are_applied_again(
    tmp_path: Path, neo4j_settings: Settings
) -> None:
    layers = tmp_path / "layers"
    first = write_tables(tmp_path / "first", edges=(), checksum="1")
    second = write_tables(tmp_path / "second", edges=(), checksum="2")
    added = write_tables(tmp_path / "added", name="scores", nodes=(), edges=GOUT_TO_FEVER)
    other = write_tables(tmp_path / "other", name="other", nodes=(), edges=FEVER_IS_ARTHRITIS)
    with kg.connect(settings=neo4j_settings) as store:
        assert isinstance(store, Neo4jStore)
        load(first, layers, store, Silent())
        apply_layers([added.folder], store, layers, Silent())
        with pytest.raises(KeyboardInterrupt):
            apply_layers([other.folder], store, layers, StoppedWhileWriting())
        assert store.applied_layers() == ("scores",)
        assert load(second, layers, store, Silent()).replayed == ("scores",)
        assert store.counts().edges == {"HAS_SYMPTOM": 1}


@pytest.fixture(params=["embedded", pytest.param("neo4j", marks=pytest.mark.neo4j)])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """A store of either engine."""
    if request.param == "embedded":
        with kg.connect(str(tmp_path / "g.lbug")) as opened:
            yield opened
    else:
        with kg.connect(settings=request.getfixturevalue("neo4j_settings")) as opened:
            yield opened


class StoppedWhileWriting(Silent):
    """Ctrl-C when a layer's nodes are written, and its edges are not."""

    @contextmanager
    def step(self, name: str, total: int | None = None) -> Iterator[Advance]:
        if name == "Loading edges":
            raise KeyboardInterrupt
        with super().step(name, total) as advance:
            yield advance


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

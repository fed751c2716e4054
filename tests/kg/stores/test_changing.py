"""Layers that take edges of the build out, and that mark them, on both engines."""

from pathlib import Path
from typing import Any, Final

import pytest

from kg.errors import LayerDoesNotFitError, StoreError, TablesError
from kg.layers import LayerRows, apply_layers, remove_layer, write_layer
from kg.progress import Silent
from kg.stores.store import Counts, Stamp, Store, Value
from tests.kg.stores.conftest import Edge, MakeTables, add_changes, apply, remove

ARTHRITIS: Final[Edge] = ("MONDO:1", "HAS_SYMPTOM", "HP:1")
FEVER: Final[Edge] = ("MONDO:1", "HAS_SYMPTOM", "HP:2")
IS_A: Final[Edge] = ("HP:1", "IS_A", "HP:2")


def symptoms(store: Store) -> list[tuple[Value, ...]]:
    """Each with what the sources and what a layer say of it."""
    rows = store.query("disease.symptoms", disease="MONDO:1").dicts()
    names = ("symptom_id", "frequency", "publications", "flags", "discrimination")
    return [tuple(row[name] for name in names) for row in rows]


def test_layer_takes_edges_out_and_marks_others(store: Store, make_tables: MakeTables) -> None:
    store.load(make_tables(frequency=0.5))
    layer = make_tables("check", nodes=(), edges=())
    add_changes(layer, {FEVER: "age", IS_A: "cycle"}, {ARTHRITIS: ("sex|age", 0.25)})
    assert apply(store, layer) == Counts({}, {})
    assert symptoms(store) == [("HP:1", 0.5, None, "sex|age", 0.25)]
    assert store.counts() == Counts({"Disease": 1, "Symptom": 2}, {"HAS_SYMPTOM": 1})
    assert store.stamp() == Stamp("sum", (("check", "sum"),))


def test_undone_layer_leaves_every_edge_as_it_was(store: Store, make_tables: MakeTables) -> None:
    told: dict[str, Any] = {
        "frequency": 0.5,
        "publications": "PMID:1|PMID:2",
        "sources": ["a", "b"],
    }
    store.load(make_tables(**told))
    before = symptoms(store), store.counts(), store.query("disease.symptoms", disease="MONDO:1")
    layer = make_tables(
        "check", [("HP:3", "Symptom", "cough")], [("MONDO:1", "HAS_SYMPTOM", "HP:3")]
    )
    add_changes(layer, {FEVER: "age", IS_A: "cycle"}, {ARTHRITIS: ("sex", None)}, **told)
    apply(store, layer)
    assert [row[0] for row in symptoms(store)] == ["HP:1", "HP:3"]
    removed = remove(store, "check", kept=layer)
    assert removed == Counts({"Symptom": 1}, {"HAS_SYMPTOM": 1})
    after = symptoms(store), store.counts(), store.query("disease.symptoms", disease="MONDO:1")
    assert after == before
    assert store.stamp() == Stamp("sum")


def test_layer_that_takes_all_edges_of_a_relation_out_is_undone(
    store: Store, make_tables: MakeTables
) -> None:
    store.load(make_tables())
    layer = add_changes(make_tables("check", nodes=(), edges=()), {ARTHRITIS: "a", FEVER: "a"})
    apply(store, layer)
    assert store.counts().edges == {"IS_A": 1}
    remove(store, "check", kept=layer)
    assert store.counts().edges == {"HAS_SYMPTOM": 2, "IS_A": 1}


def test_other_layers_stay_while_one_that_changes_edges_comes_and_goes(
    store: Store, make_tables: MakeTables
) -> None:
    store.load(make_tables())
    apply(
        store,
        make_tables("cough", [("HP:3", "Symptom", "cough")], [("MONDO:1", "HAS_SYMPTOM", "HP:3")]),
    )
    layer = add_changes(
        make_tables("check", nodes=(), edges=()), {FEVER: "age"}, {IS_A: ("x", None)}
    )
    apply(store, layer)
    assert [row[0] for row in symptoms(store)] == ["HP:1", "HP:3"]
    remove(store, "check", kept=layer)
    assert [row[0] for row in symptoms(store)] == ["HP:1", "HP:2", "HP:3"]
    remove(store, "cough")
    assert store.stamp() == Stamp("sum")


def test_layer_that_changes_what_was_not_built_changes_nothing(
    store: Store, make_tables: MakeTables
) -> None:
    store.load(make_tables())
    apply(
        store,
        make_tables("cough", [("HP:3", "Symptom", "cough")], [("MONDO:1", "HAS_SYMPTOM", "HP:3")]),
    )
    added: Edge = ("MONDO:1", "HAS_SYMPTOM", "HP:3")
    nowhere: Edge = ("MONDO:1", "HAS_SYMPTOM", "HP:404")
    for edge in (added, nowhere):
        layer = add_changes(make_tables("check", nodes=(), edges=()), {edge: "age"})
        told = (
            rf"removed.HAS_SYMPTOM.parquet: the edge from MONDO:1 to {edge[2]} is not in the graph"
        )
        with pytest.raises(LayerDoesNotFitError, match=told):
            apply(store, layer)
    assert [row[0] for row in symptoms(store)] == ["HP:1", "HP:2", "HP:3"]


def test_one_layer_at_a_time_changes_edges(store: Store, make_tables: MakeTables) -> None:
    store.load(make_tables())
    apply(store, add_changes(make_tables("one", nodes=(), edges=()), {FEVER: "age"}))
    another = add_changes(make_tables("two", nodes=(), edges=()), {}, {ARTHRITIS: ("sex", None)})
    with pytest.raises(LayerDoesNotFitError, match="layer one takes out or marks edges already"):
        apply(store, another)


def test_without_its_tables_a_layer_that_took_edges_out_stays(
    store: Store, make_tables: MakeTables
) -> None:
    store.load(make_tables())
    apply(store, add_changes(make_tables("check", nodes=(), edges=()), {FEVER: "age"}))
    other = add_changes(make_tables("check", nodes=(), edges=(), checksum="other"), {FEVER: "age"})
    for kept in (None, other):
        with pytest.raises(StoreError, match="what would put them back is not kept here; run"):
            remove(store, "check", kept=kept)
    assert store.applied_layers() == ("check",)


def test_kept_layer_is_found_for_undoing(
    store: Store, make_tables: MakeTables, tmp_path: Path
) -> None:
    store.load(make_tables())
    layer = add_changes(make_tables("check", nodes=(), edges=()), {FEVER: "age"})
    apply_layers([layer.folder], store, tmp_path / "layers", Silent())
    removal = remove_layer("check", store, tmp_path / "layers", Silent())
    assert (removal.put_back, removal.unmarked) == ({"HAS_SYMPTOM": 1}, {})
    assert store.counts().edges == {"HAS_SYMPTOM": 2, "IS_A": 1}


@pytest.mark.parametrize("cut", [False, True])
def test_file_that_is_not_as_it_was_written_is_named_and_undoes_nothing(
    store: Store, make_tables: MakeTables, tmp_path: Path, *, cut: bool
) -> None:
    store.load(make_tables())
    row = {"head": FEVER[0], "tail": FEVER[2], "rule": "age", "reason": "age says so"}
    rows = LayerRows(removed={"HAS_SYMPTOM": [row]})
    layer = write_layer(tmp_path / "check", "check", rows, "test")
    apply_layers([layer.folder], store, tmp_path / "layers", Silent())
    path = tmp_path / "layers" / "check" / "removed" / "HAS_SYMPTOM.parquet"
    data = path.read_bytes()
    place = len(data) // 3
    path.write_bytes(
        data[:-9] if cut else data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]
    )
    told = "layer check, removed/HAS_SYMPTOM.parquet: "
    told += "not a whole Parquet file" if cut else "is not as it was written, .* run 'medkg build'"
    with pytest.raises(TablesError, match=told):
        remove_layer("check", store, tmp_path / "layers", Silent())
    assert (store.applied_layers(), store.counts().edges) == (
        ("check",),
        {"HAS_SYMPTOM": 1, "IS_A": 1},
    )
    with pytest.raises(TablesError, match=told):
        apply_layers([path.parents[1]], store, tmp_path / "layers", Silent(), replace=True)
    assert store.applied_layers() == ("check",)


def test_table_of_changes_that_is_not_whole_is_refused(
    store: Store, make_tables: MakeTables
) -> None:
    store.load(make_tables())
    layer = add_changes(make_tables("check", nodes=(), edges=()), {FEVER: "age"})
    layer.removed("HAS_SYMPTOM").unlink()
    with pytest.raises(TablesError, match=r"removed/HAS_SYMPTOM.parquet: missing, though"):
        apply(store, layer)

"""Layers that give nodes vectors, on both engines."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from kg.embeddings.layer import write_vectors
from kg.errors import LayerDoesNotFitError, StoreError, TablesError
from kg.stores.connection import connect
from kg.stores.planning import Change
from kg.stores.store import Counts, Stamp, Store
from kg.tables import VECTOR_COLUMNS, GraphTables, arrow_table
from tests.kg.stores.conftest import NODES, MakeTables, add_changes, apply, remove

VECTORS = {"HP:1": (1.0, 0.0), "HP:2": (3.0, 4.0), "MONDO:1": (0.0, 2.0)}


def layer_of(folder: Path, vectors: Mapping[str, Sequence[float]] = VECTORS) -> GraphTables:
    matrix = np.array(list(vectors.values()), dtype=np.float32)
    return write_vectors(list(vectors), matrix, folder, "test")


def told(layer: GraphTables, **summary: object) -> GraphTables:
    """The layer with something else in its tables.json."""
    layer.write_summary(layer.summary().model_copy(update=summary))
    return layer


def put(layer: GraphTables, rows: list[dict[str, Any]]) -> None:
    """Other rows in the place of a layer's vectors, as another program may write them."""
    pq.write_table(arrow_table(VECTOR_COLUMNS, rows), layer.vectors)
    layer.write_summary(layer.summary().model_copy(update={"files": {}}))


def similar(store: Store, entity: str = "HP:1") -> list[tuple[object, ...]]:
    found = store.query("similar_entities", entity=entity)
    return [(row["other_id"], round(float(str(row["similarity"])), 5)) for row in found.dicts()]


def test_similar_entities_are_ranked_by_the_cosine_itself(
    store: Store, make_tables: MakeTables, tmp_path: Path
) -> None:
    store.load(make_tables())
    assert apply(store, layer_of(tmp_path / "v")) == Counts({}, {})
    assert similar(store) == [("HP:2", 0.6), ("MONDO:1", 0.0)]
    assert similar(store, "HP:2") == [("MONDO:1", 0.8), ("HP:1", 0.6)]
    (first, *_) = store.query("similar_entities", entity="HP:1", limit=1).rows
    assert first[:4] == ("HP:2", "fever", None, "Symptom")
    checksum = layer_of(tmp_path / "again").summary().checksum
    assert store.stamp() == Stamp("sum", (("embeddings", checksum),))


def test_things_opposite_are_told_as_minus_one_and_equal_ones_by_id(
    store: Store, make_tables: MakeTables, tmp_path: Path
) -> None:
    store.load(make_tables())
    vectors = {"MONDO:1": (2.0, 2.0), "HP:2": (1.0, 1.0), "HP:1": (-1.0, -1.0)}
    apply(store, layer_of(tmp_path / "v", vectors))
    assert similar(store) == [("HP:2", -1.0), ("MONDO:1", -1.0)]


def test_thing_without_a_vector_is_similar_to_nothing(
    store: Store, make_tables: MakeTables, tmp_path: Path
) -> None:
    store.load(make_tables())
    apply(store, layer_of(tmp_path / "v", {"HP:1": (1.0, 0.0), "HP:2": (1.0, 1.0)}))
    assert similar(store) == [("HP:2", round(math.sqrt(0.5), 5))]
    assert similar(store, "MONDO:1") == similar(store, "HP:404") == []


def test_removal_takes_the_vectors_away_and_another_layer_may_give_some(
    store: Store, make_tables: MakeTables, tmp_path: Path
) -> None:
    store.load(make_tables())
    before = store.indexes()
    apply(store, layer_of(tmp_path / "v"))
    assert remove(store, "embeddings") == Counts({}, {})
    assert (store.stamp(), store.indexes()) == (Stamp("sum"), before)
    with pytest.raises(StoreError, match="no layer has vectors of that space; apply one"):
        similar(store)
    apply(store, layer_of(tmp_path / "w", {"HP:1": (1.0, 0, 0), "MONDO:1": (1.0, 0, 0)}))
    assert similar(store) == [("MONDO:1", 1.0)]


def test_graph_without_vectors_says_which_layer_gives_them(
    store: Store, make_tables: MakeTables
) -> None:
    store.load(make_tables())
    with pytest.raises(StoreError, match="no layer has vectors of that space; apply one"):
        similar(store)


def test_load_takes_the_vectors_away(
    store: Store, make_tables: MakeTables, tmp_path: Path
) -> None:
    store.load(make_tables())
    apply(store, layer_of(tmp_path / "v"))
    store.load(make_tables(checksum="second"))
    with pytest.raises(StoreError, match="no layer has vectors"):
        similar(store)


def test_vectors_stay_while_other_layers_come_and_go(
    store: Store, make_tables: MakeTables, tmp_path: Path
) -> None:
    store.load(make_tables())
    apply(store, layer_of(tmp_path / "v"))
    expected = similar(store)
    fever = ("MONDO:1", "HAS_SYMPTOM", "HP:2")
    check = add_changes(make_tables("check", nodes=(), edges=()), {fever: "age"})
    apply(store, make_tables("cough", [("HP:3", "Symptom", "cough")], []))
    apply(store, check)
    assert similar(store) == expected
    remove(store, "cough")
    remove(store, "check", kept=check)
    assert similar(store) == expected
    assert store.indexes() == store.indexes()


def test_layer_whose_node_has_a_vector_stays(
    store: Store, make_tables: MakeTables, tmp_path: Path
) -> None:
    store.load(make_tables())
    apply(store, make_tables("cough", [("HP:3", "Symptom", "cough")], []))
    apply(store, layer_of(tmp_path / "v", {**VECTORS, "HP:3": (1.0, 1.0)}))
    with pytest.raises(StoreError, match="layer embeddings depends on layer cough"):
        remove(store, "cough")
    remove(store, "embeddings")
    remove(store, "cough")


def test_one_layer_at_a_time_gives_vectors_of_a_space(
    store: Store, make_tables: MakeTables, tmp_path: Path
) -> None:
    store.load(make_tables())
    apply(store, layer_of(tmp_path / "v"))
    why = "layer embeddings gives nodes their vectors in the space entities already, and so would"
    with pytest.raises(LayerDoesNotFitError, match=why):
        apply(store, told(layer_of(tmp_path / "w"), name="other"))


def test_vector_of_nothing_is_left_out_and_listed(
    store: Store, make_tables: MakeTables, tmp_path: Path
) -> None:
    store.load(make_tables())
    layer = layer_of(tmp_path / "v", {**VECTORS, "HP:404": (1.0, 1.0)})
    left_out = store.change_layers(Change([layer])).left_out["embeddings"].to_pylist()
    assert [(row["table"], row["head"]) for row in left_out] == [("vectors.parquet", "HP:404")]
    assert similar(store) == [("HP:2", 0.6), ("MONDO:1", 0.0)]


def test_layer_of_which_no_vector_fits_is_refused(
    store: Store, make_tables: MakeTables, tmp_path: Path
) -> None:
    store.load(make_tables())
    why = r"vectors.parquet: HP:404 does not fit, since it has a vector and is neither"
    with pytest.raises(LayerDoesNotFitError, match=why):
        apply(store, layer_of(tmp_path / "v", {"HP:404": (1.0, 1.0)}))
    assert store.stamp() == Stamp("sum")


def test_spaces_stand_beside_each_other(
    store: Store, make_tables: MakeTables, tmp_path: Path
) -> None:
    store.load(make_tables())
    matrix = np.array([(1.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)], dtype=np.float32)
    passages = write_vectors(["HP:1", "MONDO:1", "HP:2"], matrix, tmp_path / "p", "t", "passages")
    apply(store, layer_of(tmp_path / "v"))
    apply(store, passages)
    found = store.query("similar_entities", entity="HP:1", space="passages").rows
    assert [row[0] for row in found] == ["MONDO:1", "HP:2"]
    assert [row[4] for row in found] == pytest.approx([1.0, 0.0], abs=1e-6)
    assert similar(store) == [("HP:2", 0.6), ("MONDO:1", 0.0)]
    remove(store, "embeddings")
    assert len(store.query("similar_entities", entity="HP:1", space="passages")) == 2
    with pytest.raises(StoreError, match="no layer has vectors of that space"):
        similar(store)


@pytest.mark.parametrize(
    ("vector", "why"),
    [
        ([1.0, 2.0, 3.0], "of HP:1 has another length than the layer says"),
        ([0.0, 0.0], "of HP:1 is all zero, or too long"),
        ([1e20, 0.0], "of HP:1 is all zero, or too long"),
        ([1.0, math.nan], "of HP:1 has a value that is no number"),
        ([1.0, math.inf], "of HP:1 has a value that is no number"),
        ([1.0, None], "of HP:1 has a value that is no number"),
        (None, "of HP:1 has another length than the layer says"),
    ],
)
def test_unfit_vector_is_refused(
    graph_path: Path, make_tables: MakeTables, tmp_path: Path, vector: object, why: str
) -> None:
    with connect(str(graph_path)) as store:
        store.load(make_tables())
        layer = layer_of(tmp_path / "v", {"HP:1": (1.0, 1.0)})
        put(layer, [{"id": "HP:1", "embedding": vector}])
        with pytest.raises(TablesError, match=rf"vectors.parquet: the vector {why}"):
            apply(store, layer)
        assert store.stamp() == Stamp("sum")


def test_vector_that_is_there_twice_is_refused(
    graph_path: Path, make_tables: MakeTables, tmp_path: Path
) -> None:
    layer = layer_of(tmp_path / "v", {"HP:1": (1.0, 1.0), "HP:2": (1.0, 1.0)})
    put(layer, [{"id": "HP:1", "embedding": [1.0, 1.0]}] * 2)
    with connect(str(graph_path)) as store:
        store.load(make_tables())
        with pytest.raises(TablesError, match="the vector of HP:1 is there twice"):
            apply(store, layer)


def test_table_of_vectors_that_is_not_as_told_is_refused(
    graph_path: Path, make_tables: MakeTables, tmp_path: Path
) -> None:
    with connect(str(graph_path)) as store:
        store.load(make_tables())
        for why, layer in {
            "has 3 rows, and tables.json counts 2": told(layer_of(tmp_path / "a"), vectors=2),
            "counts 3 vectors of length 0": told(layer_of(tmp_path / "b"), dimensions=0),
        }.items():
            with pytest.raises(TablesError, match=why):
                apply(store, layer)
        layer = layer_of(tmp_path / "c")
        pq.write_table(pa.table({"id": ["HP:1"] * 3, "embedding": [[1.0]] * 3}), layer.vectors)
        with pytest.raises(TablesError, match="column embedding is list<element: double>"):
            apply(store, layer)
        layer.vectors.unlink()
        with pytest.raises(TablesError, match=r"vectors.parquet: missing, though"):
            apply(store, layer)


@pytest.mark.neo4j
def test_interrupted_application_leaves_the_graph_as_it_was(
    neo4j_store: Store, make_tables: MakeTables, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    neo4j_store.load(make_tables())
    layer = layer_of(tmp_path / "v")
    with monkeypatch.context() as patched:
        patched.setattr("kg.stores.neo4j_writing.ensure_indexes", _killed)
        with pytest.raises(KeyboardInterrupt):
            apply(neo4j_store, layer)
    assert neo4j_store.stamp() == Stamp("sum")
    with pytest.raises(StoreError, match="no layer has vectors of that space"):
        similar(neo4j_store)
    apply(neo4j_store, layer)
    assert similar(neo4j_store) == [("HP:2", 0.6), ("MONDO:1", 0.0)]
    assert "medkg_embedding_entities" in neo4j_store.indexes()


def _killed(*_: object) -> None:
    raise KeyboardInterrupt


def test_file_of_other_tables_says_so_and_its_layers_are_known(
    graph_path: Path, make_tables: MakeTables, monkeypatch: pytest.MonkeyPatch
) -> None:
    with connect(str(graph_path)) as store, monkeypatch.context() as patched:
        patched.setattr("kg.stores.drafting.schema_checksum", lambda: "of an earlier medkg")
        store.load(make_tables())
        apply(store, make_tables("cough", [("HP:3", "Symptom", "cough")], []))
    why = "made by another version of medkg, with other tables; make it again with 'medkg build'"
    with connect(str(graph_path)) as store:
        for asked in (store.counts, lambda: remove(store, "cough"), lambda: similar(store)):
            with pytest.raises(StoreError, match=why):
                asked()
        assert (store.stamp(), store.applied_layers()) == (None, ("cough",))
        store.load(make_tables(nodes=NODES[:1], edges=()))
        assert store.counts() == Counts({"Disease": 1}, {})


def _clustered(count: int, dimensions: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """Vectors as a model makes them: clusters of clusters, each a walk from its middle."""
    random = np.random.default_rng(0)
    wide = random.standard_normal((8, dimensions))
    middles = wide[random.integers(0, 8, 40)] + 0.6 * random.standard_normal((40, dimensions))
    steps = 0.08 * random.standard_normal((40, count // 40, dimensions)).cumsum(axis=1)
    near = 0.25 * random.standard_normal((40, count // 40, dimensions))
    return np.asarray((middles[:, None] + steps + near).reshape(-1, dimensions), dtype=np.float32)


@pytest.mark.neo4j
def test_index_finds_the_nearest_that_an_exact_search_finds(
    neo4j_store: Store, make_tables: MakeTables, graph_path: Path, tmp_path: Path
) -> None:
    matrix = _clustered(4000, 64)
    ids = [f"HP:{at:04}" for at in range(len(matrix))]
    tables = make_tables(nodes=[(id_, "Symptom", id_) for id_ in ids], edges=())
    layer = write_vectors(ids, matrix, tmp_path / "v", "test")
    unit = matrix / np.linalg.norm(matrix, axis=1, keepdims=True)
    with connect(str(graph_path)) as embedded:
        for store in (embedded, neo4j_store):
            store.load(tables)
            apply(store, layer)
        found = 0
        for at in range(0, len(ids), 100):
            cosines = unit @ unit[at]
            nearest = [place for place in np.argsort(-cosines, kind="stable") if place != at][:10]
            exact = embedded.query("similar_entities", entity=ids[at]).rows
            assert [row[0] for row in exact] == [ids[place] for place in nearest]
            assert [row[4] for row in exact] == pytest.approx(list(cosines[nearest]), abs=1e-4)
            told = {row[0]: row[4] for row in exact}
            rows = neo4j_store.query("similar_entities", entity=ids[at]).rows
            same = [row for row in rows if row[0] in told]
            found += len(same)
            assert [row[4] for row in same] == pytest.approx(
                [told[row[0]] for row in same], abs=1e-4
            )
    assert found / (10 * len(ids) / 100) >= 0.95

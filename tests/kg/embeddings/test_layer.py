from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

import kg
from kg.embeddings.layer import write_predictions, write_vectors
from kg.errors import EmbeddingError, LayerDoesNotFitError
from kg.layers import apply_layers, list_layers
from kg.progress import Silent
from kg.stores.store import Stamp, Store
from kg.tables import EDGE_COLUMNS, VERSION, GraphTables, TableSummary, arrow_schema
from tests.kg.stores.conftest import EDGES, apply, remove, write_tables


@dataclass(frozen=True)
class Likely:
    head: str
    relation: str
    tail: str
    probability: float


def matrix(*rows: tuple[float, ...]) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    return np.array(rows, dtype=np.float32)


def test_vectors_are_written_in_the_order_of_ids(tmp_path: Path) -> None:
    layer = write_vectors(["HP:2", "HP:1"], matrix((1, 2, 3), (4, 5, 6)), tmp_path, "medkg test")
    assert pq.read_table(layer.vectors).to_pydict() == {
        "id": ["HP:1", "HP:2"],
        "embedding": [[4.0, 5.0, 6.0], [1.0, 2.0, 3.0]],
    }
    summary = layer.summary()
    assert summary == TableSummary(
        name="embeddings",
        checksum=summary.checksum,
        nodes={},
        edges={},
        vectors=2,
        dimensions=3,
        files=summary.files,
        version=VERSION,
        made_by="medkg test",
    )


def test_checksum_is_of_the_rows_whatever_their_order(tmp_path: Path) -> None:
    def checksum(name: str, ids: list[str], *rows: tuple[float, ...]) -> str:
        return write_vectors(ids, matrix(*rows), tmp_path / name, name).summary().checksum

    one = checksum("a", ["HP:1", "HP:2"], (1, 2), (3, 4))
    assert one == checksum("b", ["HP:2", "HP:1"], (3, 4), (1, 2))
    assert one != checksum("c", ["HP:2", "HP:1"], (1, 2), (3, 4))
    assert one != checksum("d", ["HP:1", "HP:3"], (1, 2), (3, 4))
    assert one != checksum("e", ["HP:1"], (1, 2))


@pytest.mark.parametrize(
    ("vector", "message"),
    [
        ((0.0, 0.0), "the vector of HP:2 is all zero or not finite"),
        ((1.0, float("nan")), "the vector of HP:2 is all zero or not finite"),
        ((1.0, float("-inf")), "the vector of HP:2 is all zero or not finite"),
    ],
)
def test_vector_without_a_direction_is_refused(
    tmp_path: Path, vector: tuple[float, ...], message: str
) -> None:
    with pytest.raises(EmbeddingError, match=message):
        write_vectors(["HP:1", "HP:2"], matrix((1.0, 1.0), vector), tmp_path / "a", "test")
    assert not (tmp_path / "a").exists()


def test_vectors_that_no_graph_takes_are_refused(tmp_path: Path) -> None:
    for rows in (np.ones((1, 4097), np.float32), np.ones((1, 0), np.float32)):
        with pytest.raises(EmbeddingError, match=r"of length .* at most 4096"):
            write_vectors(["HP:1"], rows, tmp_path, "test")
    with pytest.raises(EmbeddingError, match="0 vectors of length 3"):
        write_vectors([], np.ones((0, 3), np.float32), tmp_path, "test")


def test_ids_and_vectors_that_do_not_fit_are_a_bug(tmp_path: Path) -> None:
    for ids in (["HP:1"], ["HP:1", "HP:1"]):
        with pytest.raises(ValueError, match="ids, each once, do not fit"):
            write_vectors(ids, matrix((1, 1), (2, 2)), tmp_path, "test")


def test_pair_predicted_under_several_relations_is_one_edge(tmp_path: Path) -> None:
    layer = write_predictions(
        [
            Likely("MONDO:1", "TREATED_BY", "C:1", 0.5),
            Likely("MONDO:1", "CAUSED_BY", "C:1", 0.75),
            Likely("MONDO:1", "CAUSED_BY", "C:1", 0.25),
            Likely("C:1", "INDICATED_FOR", "MONDO:1", 1.0),
        ],
        tmp_path,
        "medkg test",
        "conve",
    )
    table = pq.read_table(layer.edges("PREDICTED"))
    assert table.schema.equals(arrow_schema(EDGE_COLUMNS))
    names = ("head", "tail", "original_relation", "method", "score", "sources")
    assert [tuple(row[name] for name in names) for row in table.to_pylist()] == [
        ("C:1", "MONDO:1", "INDICATED_FOR", "conve", 1.0, []),
        ("MONDO:1", "C:1", "CAUSED_BY|TREATED_BY", "conve", 0.75, []),
    ]
    summary = layer.summary()
    assert (summary.name, summary.nodes, summary.edges) == ("predictions", {}, {"PREDICTED": 2})


def test_edge_of_several_models_names_each_that_is_likeliest_by_a_relation(
    tmp_path: Path,
) -> None:
    proposed = [
        Likely("MONDO:1", "TREATED_BY", "C:1", 0.5),
        Likely("MONDO:1", "CAUSED_BY", "C:1", 0.25),
        Likely("MONDO:1", "CAUSED_BY", "C:1", 0.75),
        Likely("MONDO:2", "CAUSED_BY", "C:1", 0.0),
    ]
    models = ["transe", "distmult", "conve", "complex"]
    layer = write_predictions(proposed, tmp_path / "a", "test", models)
    rows = pq.read_table(layer.edges("PREDICTED")).to_pylist()
    assert [(row["head"], row["method"], row["score"]) for row in rows] == [
        ("MONDO:1", "conve|transe", 0.75),
        ("MONDO:2", "complex", 0.0),
    ]
    with pytest.raises(ValueError, match="zip"):
        write_predictions(proposed, tmp_path / "b", "test", models[1:])


def test_checksum_of_predictions_is_of_their_content(tmp_path: Path) -> None:
    def checksum(name: str, probability: float, method: str = "conve") -> str:
        edges = [Likely("A:1", "IS_A", "B:1", probability), Likely("A:0", "IS_A", "B:1", 0.5)]
        both = [
            write_predictions(e, tmp_path / n, "t", method)
            for e, n in ((edges, f"{name}1"), (edges[::-1], f"{name}2"))
        ]
        (only,) = {layer.summary().checksum for layer in both}
        return only

    assert len({checksum("a", 0.5), checksum("b", 0.6), checksum("c", 0.5, "transe")}) == 3


def test_no_prediction_or_an_impossible_one_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EmbeddingError, match="proposes no edge to write; lower the least"):
        write_predictions([], tmp_path, "test", "conve")
    for probability in (-0.1, 1.1, float("nan")):
        with pytest.raises(ValueError, match="A:1 IS_A B:1"):
            write_predictions([Likely("A:1", "IS_A", "B:1", probability)], tmp_path, "t", "conve")


def test_both_layers_stand_on_one_graph_and_go_again(tmp_path: Path) -> None:
    vectors = write_vectors(["HP:1", "MONDO:1"], matrix((1, 0), (1, 1)), tmp_path / "v", "test")
    likely = [Likely("HP:1", "IS_A", "MONDO:1", 0.5), Likely(*EDGES[0], 0.5)]
    predictions = write_predictions(likely, tmp_path / "p", "test", "conve")
    with kg.connect(str(tmp_path / "graph.lbug")) as store:
        store.load(write_tables(tmp_path / "g"))
        before = store.counts()
        apply(store, vectors)
        assert apply(store, predictions).edges == {"PREDICTED": 2}
        assert [row[0] for row in store.query("similar_entities", entity="HP:1").rows] == [
            "MONDO:1"
        ]
        assert len(store.query("entity.predictions", entity="HP:1")) == 2
        for name in ("embeddings", "predictions"):
            remove(store, name)
        assert store.counts() == before


# --- in the place of an earlier one --------------------------------------------------------


@dataclass(frozen=True)
class Graph:
    """A graph with a layer of two predictions, and tables of another such layer, of one."""

    folder: Path
    before: TableSummary
    fits: Path
    fits_not: Path

    @property
    def file(self) -> str:
        return str(self.folder / "graph.lbug")

    @property
    def layers(self) -> Path:
        return self.folder / "layers"

    def stamp(self) -> Stamp | None:
        """What the graph has; the layer that is kept is the one that it has."""
        with kg.connect(self.file) as store:
            assert all(layer.applied and layer.kept for layer in list_layers(store, self.layers))
            return store.stamp()


def replaced(graph: "Graph", layer: Path, store: Store) -> TableSummary | None:
    """Apply a layer in the place of the one of its name; what that had."""
    applied = apply_layers([layer], store, graph.layers, Silent(), replace=True)
    return applied.before.get("predictions")


@pytest.fixture
def graph(tmp_path: Path) -> Graph:
    def layer(name: str, *pairs: tuple[str, str]) -> Path:
        likely = [Likely(head, "CAUSED_BY", tail, 0.5) for head, tail in pairs]
        return write_predictions(likely, tmp_path / name, name, "conve").folder

    first = layer("first", ("MONDO:1", "HP:1"), ("MONDO:1", "HP:2"))
    graph = Graph(
        tmp_path,
        GraphTables(first).summary(),
        layer("fits", ("HP:1", "HP:2")),
        layer("fits_not", ("HP:1", "nowhere:1")),
    )
    with kg.connect(graph.file) as store:
        store.load(write_tables(tmp_path / "g"))
        assert replaced(graph, first, store) is None
    return graph


def test_layer_takes_the_place_of_the_one_before(graph: Graph) -> None:
    with kg.connect(graph.file) as store:
        assert replaced(graph, graph.fits, store) == graph.before
        assert store.counts().edges["PREDICTED"] == 1
        (only,) = list_layers(store, graph.layers)
    assert (only.applied, only.kept, only.checksum != graph.before.checksum) == (True, True, True)


def test_layer_that_does_not_fit_leaves_the_one_before(graph: Graph) -> None:
    before = graph.stamp()
    with kg.connect(graph.file) as store:
        with pytest.raises(LayerDoesNotFitError, match="nowhere:1"):
            replaced(graph, graph.fits_not, store)
        assert store.counts().edges["PREDICTED"] == 2
    assert graph.stamp() == before


def test_layer_that_does_not_fit_leaves_one_that_is_not_kept(graph: Graph) -> None:
    (graph.layers / "predictions").rename(graph.folder / "away")
    with kg.connect(graph.file) as store:
        with pytest.raises(LayerDoesNotFitError, match="nowhere:1"):
            replaced(graph, graph.fits_not, store)
        assert store.counts().edges["PREDICTED"] == 2


def test_layer_that_a_server_has_half_removed_is_replaced(
    graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    with kg.connect(graph.file) as store:
        monkeypatch.setattr(type(store), "stamp", lambda _: None)
        assert replaced(graph, graph.fits, store) == graph.before
        assert store.counts().edges["PREDICTED"] == 1

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

import kg
from kg.embeddings.layer import write_predictions, write_vectors
from kg.errors import EmbeddingError
from kg.tables import EDGE_COLUMNS, TableSummary, arrow_schema
from tests.kg.stores.conftest import EDGES, write_tables


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
    told = layer.summary()
    assert told == TableSummary(
        name="embeddings",
        checksum=told.checksum,
        nodes={},
        edges={},
        vectors=2,
        dimensions=3,
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
    ("vector", "told"),
    [
        ((0.0, 0.0), "the vector of HP:2 is all zero or not finite"),
        ((1.0, float("nan")), "the vector of HP:2 is all zero or not finite"),
        ((1.0, float("-inf")), "the vector of HP:2 is all zero or not finite"),
    ],
)
def test_vector_without_a_direction_is_refused(
    tmp_path: Path, vector: tuple[float, ...], told: str
) -> None:
    with pytest.raises(EmbeddingError, match=told):
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
    told = layer.summary()
    assert (told.name, told.nodes, told.edges) == ("predictions", {}, {"PREDICTED": 2})


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
        store.apply_layer(vectors)
        assert store.apply_layer(predictions).edges == {"PREDICTED": 2}
        assert [row[0] for row in store.query("similar_entities", entity="HP:1").rows] == [
            "MONDO:1"
        ]
        assert len(store.query("entity.predictions", entity="HP:1")) == 2
        for name in ("embeddings", "predictions"):
            store.remove_layer(name)
        assert store.counts() == before

"""The index that a graph's names have: what is laid over the graph leaves it as it is."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import kg
from kg.linking.linker import Linker
from kg.stores.store import Store
from kg.tables import VECTOR_COLUMNS, GraphTables, arrow_schema
from tests.kg.stores.conftest import Node, add_changes, apply, remove, write_tables


class Steps:
    """Progress that keeps the names of the steps."""

    def __init__(self) -> None:
        self.names: list[str] = []

    @contextmanager
    def step(self, name: str, total: int | None = None) -> Iterator[Callable[[int], None]]:  # noqa: ARG002 - of Progress
        self.names.append(name)
        yield lambda _: None


@pytest.fixture
def graph(tmp_path: Path) -> Iterator[Store]:
    with kg.connect(str(tmp_path / "g.lbug")) as store:
        store.load(write_tables(tmp_path / "build"))
        assert linked(store, tmp_path, "gout") == (["index names"], ("gout", ()))
        yield store


def linked(store: Store, folder: Path, text: str) -> tuple[list[str], tuple[str, tuple[str, ...]]]:
    """The steps that a linker takes, and the name and CUIs of the one entity that it finds."""
    steps = Steps()
    [mention] = Linker.of_store(store, folder / "linking", progress=steps).link(text)
    assert mention.entity
    return steps.names, (mention.entity.name, mention.entity.cuis)


def cui_links(folder: Path) -> GraphTables:
    concepts: list[Node] = [("UMLS:C0018099", "Concept", "Gout")]
    layer = write_tables(folder, "cui", concepts, [("MONDO:1", "HAS_CUI", "UMLS:C0018099")])
    nodes = pq.read_table(layer.nodes)
    at = nodes.schema.get_field_index("cui")
    pq.write_table(nodes.set_column(at, "cui", pa.array(["C0018099"])), layer.nodes)
    return layer


def check(folder: Path) -> GraphTables:
    layer = write_tables(folder, "check", (), ())
    return add_changes(layer, removed={("HP:1", "IS_A", "HP:2"): "no_circle"})


def vectors(folder: Path) -> GraphTables:
    layer = write_tables(folder, "embeddings", (), ())
    rows = [{"id": "MONDO:1", "embedding": [1.0, 2.0]}]
    pq.write_table(pa.Table.from_pylist(rows, arrow_schema(VECTOR_COLUMNS)), layer.vectors)
    layer.write_summary(layer.summary().model_copy(update={"vectors": 1, "dimensions": 2}))
    return layer


@pytest.mark.parametrize("make", [check, vectors])
def test_layer_without_names_leaves_the_index_as_it_was(
    graph: Store, tmp_path: Path, make: Callable[[Path], GraphTables]
) -> None:
    apply(graph, make(tmp_path / "layer"))
    assert linked(graph, tmp_path, "gout") == ([], ("gout", ()))


def test_cui_links_come_and_go_without_a_new_index(graph: Store, tmp_path: Path) -> None:
    apply(graph, cui_links(tmp_path / "layer"))
    assert linked(graph, tmp_path, "gout") == ([], ("gout", ("C0018099",)))
    assert linked(graph, tmp_path, "gout") == ([], ("gout", ("C0018099",)))
    remove(graph, "cui")
    assert linked(graph, tmp_path, "gout") == ([], ("gout", ()))


def test_layer_with_names_is_indexed(graph: Store, tmp_path: Path) -> None:
    apply(graph, write_tables(tmp_path / "l", "cough", [("HP:3", "Symptom", "cough")], []))
    assert linked(graph, tmp_path, "cough") == (["index names"], ("cough", ()))
    apply(graph, check(tmp_path / "layer"))
    assert linked(graph, tmp_path, "cough") == ([], ("cough", ()))
    remove(graph, "cough")
    assert linked(graph, tmp_path, "gout") == (["index names"], ("gout", ()))

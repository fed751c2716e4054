"""A model of the clinic, the file that it was trained on, and the clinic as a graph."""

from pathlib import Path

import pyarrow.parquet as pq
import pytest

import kg
from kg.tables import EDGE_COLUMNS, NODE_COLUMNS, GraphTables, TableSummary, arrow_table
from tests.kg.commands.embed.running import QUICK, medkg
from tests.kg.embeddings.small import (
    DISEASES,
    SYMPTOMS,
    clinic,
)


@pytest.fixture(scope="module")
def triples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The clinic as a file."""
    graph, path = clinic(), tmp_path_factory.mktemp("files") / "clinic.tsv"
    ids, relations = graph.entities.ids, graph.relations
    lines = (f"{ids[h]}\t{relations[r]}\t{ids[t]}\n" for h, r, t in graph.rows)
    path.write_text("".join(lines), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def model(triples: Path) -> Path:
    """A model of the file."""
    folder = triples.parent / "models" / "clinic"
    result = medkg("embed", "train", "--triples", triples, "--out", folder, *QUICK)
    assert result.exit_code == 0, result.stderr
    return folder


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """The clinic as the embedded store of the default home, with types and names."""
    graph, tables = clinic(), GraphTables(tmp_path / ".medkg" / "tables")
    (tables.folder / "edges").mkdir(parents=True)
    known = graph.entities
    nodes = [
        {"id": each, "type": of, "name": name}
        for each, of, name in zip(known.ids, known.types or (), known.names or (), strict=True)
    ]
    pq.write_table(arrow_table(NODE_COLUMNS, nodes), tables.nodes)
    counts = {}
    for at, relation in enumerate(graph.relations):
        edges = [{"head": known.ids[h], "tail": known.ids[t]} for h, r, t in graph.rows if r == at]
        pq.write_table(arrow_table(EDGE_COLUMNS, edges), tables.edges(relation))
        counts[relation] = len(edges)
    nodes_by_type = {"Disease": DISEASES, "Symptom": SYMPTOMS}
    tables.write_summary(
        TableSummary(
            name="medkg", checksum="abc", nodes=nodes_by_type, edges=counts, made_by="tests"
        )
    )
    file = tmp_path / ".medkg" / "graph.lbug"
    with kg.connect(str(file)) as opened:
        opened.load(tables)
    return file

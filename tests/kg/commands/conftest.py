"""Three diseases and two symptoms in an embedded store, and a layer on them."""

from pathlib import Path

import pyarrow.parquet as pq
import pytest

import kg
from kg.tables import EDGE_COLUMNS, NODE_COLUMNS, GraphTables, TableSummary, arrow_table


def _write(
    folder: Path, name: str, nodes: dict[str, str], has_symptom: list[tuple[str, str]]
) -> GraphTables:
    """Nodes as name by id (D:… diseases, S:… symptoms), edges as head and tail."""
    tables = GraphTables(folder)
    types = {id_: "Disease" if id_.startswith("D") else "Symptom" for id_ in nodes}
    (folder / "edges").mkdir(parents=True)
    node_rows = [{"id": i, "type": types[i], "name": nodes[i]} for i in sorted(nodes)]
    edge_rows = [{"head": head, "tail": tail} for head, tail in sorted(has_symptom)]
    pq.write_table(arrow_table(NODE_COLUMNS, node_rows), tables.nodes)
    pq.write_table(arrow_table(EDGE_COLUMNS, edge_rows), tables.edges("HAS_SYMPTOM"))
    tables.write_summary(
        TableSummary(
            name=name,
            checksum=name,
            nodes={t: [*types.values()].count(t) for t in sorted(set(types.values()))},
            edges={"HAS_SYMPTOM": len(edge_rows)},
            made_by="tests",
        )
    )
    return tables


@pytest.fixture
def graph_file(tmp_path: Path) -> Path:
    """The embedded store of the default home."""
    nodes = {"D:1": "gout", "D:2": "flu", "D:3": "asthma", "S:1": "pain", "S:2": "cough"}
    edges = [("D:1", "S:1"), ("D:2", "S:1"), ("D:2", "S:2"), ("D:3", "S:2")]
    tables = _write(tmp_path / ".medkg" / "tables", "medkg", nodes, edges)
    file = tmp_path / ".medkg" / "graph.lbug"
    with kg.connect(str(file)) as store:
        store.load(tables)
    return file


@pytest.fixture
def layer(tmp_path: Path) -> Path:
    """Graph tables of a layer named ``found``: one symptom more."""
    return _write(tmp_path / "new", "found", {"S:3": "fever"}, [("D:2", "S:3")]).folder

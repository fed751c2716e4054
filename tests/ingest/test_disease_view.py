from pathlib import Path

import kg
from ingest.disease_view import disease_view
from kg.configuration import Settings
from tests.kg.stores.conftest import write_tables

NODES = (
    ("DRUGBANK:1", "Drug", "colchicine"), ("DRUGBANK:2", "Drug", "clarithromycin"),
    ("DRUGBANK:3", "Drug", "no disease's"), ("HGNC:1", "Gene", "TUBB"),
    ("HP:1", "Symptom", "arthritis"), ("MONDO:1", "Disease", "gout"),
    ("MONDO:2", "Disease", "nephrolithiasis"),
)  # fmt: skip
EDGES = (
    ("MONDO:1", "HAS_SYMPTOM", "HP:1"), ("MONDO:2", "HAS_SYMPTOM", "HP:1"),
    ("MONDO:1", "COMPLICATED_BY", "MONDO:2"), ("MONDO:1", "TREATED_BY", "DRUGBANK:2"),
    ("DRUGBANK:1", "INDICATED_FOR", "MONDO:1"), ("DRUGBANK:1", "INDICATED_FOR", "HP:1"),
    ("DRUGBANK:1", "INTERACTS_WITH", "DRUGBANK:2"), ("DRUGBANK:1", "TARGETS", "HGNC:1"),
    ("DRUGBANK:1", "INTERACTS_WITH", "HGNC:1"),
)  # fmt: skip


def test_view_counts_facts_and_what_they_name(tmp_path: Path) -> None:
    tables = write_tables(tmp_path / "tables", nodes=NODES, edges=EDGES)
    with kg.connect(None, Settings(home=tmp_path)) as store:
        store.load(tables)
        view = {line.category: (line.facts, line.things) for line in disease_view(store)}
    assert view == {
        "relations": (7, None),
        "diseases": (None, 2),
        "drugs": (None, 2),
        "symptoms": (2, 1),
        "indications": (2, 2),
        "treatments with a drug": (1, 1),
        "contraindications": (0, 0),
        "precautions": (0, 0),
        "adverse reactions": (0, 0),
        "interactions": (1, 1),
        "complications": (1, 1),
    }


def test_paper_has_eight_of_the_lines(tmp_path: Path) -> None:
    with kg.connect(None, Settings(home=tmp_path)) as store:
        store.load(write_tables(tmp_path / "tables"))
        papers = [line.paper for line in disease_view(store) if line.paper]
    assert sorted(papers) == [15_164, 15_898, 26_414, 31_924, 32_248, 54_203, 165_976, 651_463]

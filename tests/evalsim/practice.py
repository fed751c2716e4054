"""A graph of a few diseases and drugs that cases can be made of."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

import kg
from kg.stores.store import Store
from kg.tables import EDGE_COLUMNS, NODE_COLUMNS, arrow_table
from tests.kg.stores.conftest import write_tables

NAMES = {
    "MONDO:1": ("Disease", "gout", "痛风"),
    "MONDO:2": ("Disease", "pneumonia", "肺炎"),
    "MONDO:3": ("Disease", "other specified arthropathy", "其他关节病"),
    "MONDO:0005550": ("Disease", "infectious disease", "传染病"),
    "MONDO:4": ("Disease", "hypertension", "高血压"),
    "HP:1": ("Symptom", "Joint pain", "关节痛"),
    "HP:2": ("Symptom", "Tophus", "痛风石"),
    "HP:3": ("Symptom", "Joint swelling", "关节肿胀"),
    "HP:4": ("Symptom", "Fever", "发热"),
    "HP:5": ("Symptom", "Cough", "咳嗽"),
    "HP:6": ("Symptom", "Chest pain", "胸痛"),
    "HP:7": ("Symptom", "Dyspnea", "呼吸困难"),
    "HP:8": ("Symptom", "Gouty nephropathy", None),
    "HP:9": ("Symptom", "Red skin", "皮肤发红"),
    "DRUGBANK:1": ("Drug", "Colchicine", "秋水仙碱"),
    "DRUGBANK:2": ("Drug", "Ibuprofen", "布洛芬"),
    "DRUGBANK:3": ("Drug", "Aspirin", "阿司匹林"),
    "MEDKG:Symptom.a": ("Symptom", "Hypersensitivity to colchicine", "对秋水仙碱过敏"),
    "MEDKG:Population.p": ("Population", "Pregnant women", "孕妇"),
    "MEDKG:Precaution.t": ("Precaution", "Take with food", "随餐服用"),
}
LAY = {
    "HP:1": (["Aching joints", "sore joints"], ["骨节疼"]),
    "HP:3": (["Swollen joints"], []),
    "HP:4": (["high temperature"], ["发烧"]),
    "HP:5": (["coughing"], []),
    "HP:6": (["pain in the chest"], []),
    "HP:7": (["breathlessness"], []),
    "HP:9": (["redness"], []),
}
EDGES = [
    *(("MONDO:1", "HAS_SYMPTOM", f"HP:{n}") for n in (1, 2, 3, 8, 9)),
    *(("MONDO:2", "HAS_SYMPTOM", f"HP:{n}") for n in (4, 5, 6, 7)),
    *(("MONDO:3", "HAS_SYMPTOM", f"HP:{n}") for n in (1, 3)),
    ("MONDO:2", "IS_A", "MONDO:0005550"),
    ("MONDO:1", "LACKS_SYMPTOM", "HP:5"),
    ("DRUGBANK:1", "INDICATED_FOR", "MONDO:1"),
    ("DRUGBANK:1", "CONTRAINDICATED_FOR", "MEDKG:Population.p"),
    ("DRUGBANK:1", "CONTRAINDICATED_FOR", "MEDKG:Symptom.a"),
    ("DRUGBANK:1", "HAS_PRECAUTION", "MEDKG:Precaution.t"),
    ("DRUGBANK:1", "INTERACTS_WITH", "DRUGBANK:2"),
    ("DRUGBANK:2", "INDICATED_FOR", "MONDO:4"),
    ("DRUGBANK:2", "CONTRAINDICATED_FOR", "MONDO:4"),
    ("DRUGBANK:3", "INDICATED_FOR", "HP:4"),
    ("DRUGBANK:3", "CONTRAINDICATED_FOR", "DRUGBANK:2"),
]


def open_practice(folder: Path) -> Iterator[Store]:
    """Gout and pneumonia with their findings; three drugs."""
    nodes = [(id_, type_, name) for id_, (type_, name, _) in NAMES.items()]
    tables = write_tables(folder / "tables", nodes=nodes, edges=EDGES, discrimination=0.2)
    rows: list[dict[str, Any]] = pq.read_table(tables.nodes).to_pylist()
    for row in rows:
        lay, lay_zh = LAY.get(row["id"], ([], []))
        row.update(name_zh=NAMES[row["id"]][2], lay_names=lay, lay_names_zh=lay_zh)
        if row["id"] == "MONDO:1":
            row["synonyms"] = ["podagra"]
    pq.write_table(arrow_table(NODE_COLUMNS, rows), tables.nodes)
    edges = pq.read_table(tables.edges("HAS_SYMPTOM")).to_pylist()
    for edge in edges:
        if (edge["head"], edge["tail"]) == ("MONDO:1", "HP:1"):
            edge.update(frequency=0.9, sources=["test", "other"])
    pq.write_table(arrow_table(EDGE_COLUMNS, edges), tables.edges("HAS_SYMPTOM"))
    with kg.connect(str(folder / "graph.lbug")) as store:
        store.load(tables)
        yield store

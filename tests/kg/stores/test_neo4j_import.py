import csv
from pathlib import Path

from kg.stores.contents import Contents
from kg.stores.neo4j_import import write_import_files
from tests.kg.stores.conftest import MakeTables


def read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_files_have_typed_headers_and_the_stamp(tmp_path: Path, make_tables: MakeTables) -> None:
    name = 'a, "b"\n痛风'
    tables = make_tables(
        nodes=[("MONDO:1", "Disease", name)], edges=[("MONDO:1", "IS_A", "MONDO:1")]
    )
    arguments = write_import_files(tables, tmp_path)
    assert arguments[:3] == [
        f"--nodes={tmp_path / 'nodes.csv'}",
        f"--nodes=MedKGStamp={tmp_path / 'stamp.csv'}",
        f"--relationships=IS_A={tmp_path / 'IS_A.csv'}",
    ]
    [node] = read(tmp_path / "nodes.csv")
    assert node["id:ID(Entity)"] == "MONDO:1"
    assert node["name:string"] == name
    assert node[":LABEL"] == "Entity\x1fDisease"
    [edge] = read(tmp_path / "IS_A.csv")
    assert (edge[":START_ID(Entity)"], edge[":END_ID(Entity)"]) == ("MONDO:1", "MONDO:1")
    [stamp] = read(tmp_path / "stamp.csv")
    assert Contents.model_validate_json(stamp["holds"]) == Contents(checksum="sum")

"""Imports into one server of this module's own; the tests run in this order."""

import csv
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import neo4j
import pyarrow.parquet as pq
import pytest

from kg.errors import ServerError, TablesError
from kg.server import Ports, ServerHome, import_tables, start, stop
from kg.server.bulk_import import finish_import
from kg.stores.neo4j_import import write_import_files
from kg.tables import EDGE_COLUMNS, NODE_COLUMNS, Column, GraphTables, TableSummary, arrow_table

pytestmark = pytest.mark.neo4j


def write(path: Path, columns: tuple[Column, ...], rows: Sequence[Mapping[str, object]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(arrow_table(columns, rows), path)


def symptoms_of_gout(folder: Path, *symptoms: str, tail: str = "") -> GraphTables:
    """Graph tables of gout with some symptoms; ``tail`` is an edge's end that no node has."""
    tables = GraphTables(folder)
    nodes = [{"id": "MONDO:0005393", "type": "Disease", "name": "Gout"}]
    nodes += [{"id": f"HP:{name}", "type": "Symptom", "name": name} for name in symptoms]
    edges = [
        {"head": "MONDO:0005393", "tail": end, "sources": ["sample", "hpo"], "frequency": 0.5}
        for end in (*(f"HP:{name}" for name in symptoms), *filter(None, [tail]))
    ]
    write(tables.nodes, NODE_COLUMNS, nodes)
    write(tables.edges("HAS_SYMPTOM"), EDGE_COLUMNS, edges)
    tables.write_summary(
        TableSummary(
            name="medkg",
            checksum="0" * 64,
            nodes={"Disease": 1, "Symptom": len(symptoms)},
            edges={"HAS_SYMPTOM": len(edges)},
            made_by="test",
        )
    )
    return tables


@pytest.fixture(scope="module")
def home(neo4j_server: object, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerHome]:
    """An empty home, on a machine where a server can be started."""
    del neo4j_server
    home = ServerHome(tmp_path_factory.mktemp("import") / "neo4j")
    yield home
    stop(home)


def symptoms_in(home: ServerHome) -> list[tuple[str, list[str], float]]:
    """What the server answers, started for the question and stopped again."""
    uri = start(home, Ports.free(), "java").status.bolt
    statement = (
        "MATCH (:Entity:Disease {name: 'Gout'})-[r:HAS_SYMPTOM]->(s:Entity:Symptom) "
        "RETURN s.name, r.sources, r.frequency ORDER BY s.name"
    )
    try:
        with neo4j.GraphDatabase.driver(str(uri), auth=("neo4j", home.password())) as driver:
            rows = driver.execute_query(statement).records
    finally:
        stop(home)
    return [(row[0], row[1], row[2]) for row in rows]


def found(*names: str) -> list[tuple[str, list[str], float]]:
    return [(name, ["sample", "hpo"], 0.5) for name in names]


def test_imported_tables_are_what_the_server_answers(home: ServerHome, tmp_path: Path) -> None:
    names = ("Fever", 'Pain, "acute"', "Skin\x1frash")
    import_tables(home, symptoms_of_gout(tmp_path, *names), runtime="java")
    assert symptoms_in(home) == found(*names)


def test_files_of_a_relative_home_are_named_by_their_whole_path(tmp_path: Path) -> None:
    tables = symptoms_of_gout(tmp_path, "Fever")
    files = Path(".medkg", "neo4j", "importing", "files")
    files.mkdir(parents=True)
    arguments = write_import_files(tables, files)
    assert arguments[:3] == [
        f"--nodes={tmp_path / files / 'nodes.csv'}",
        f"--nodes=MedKGStamp={tmp_path / files / 'stamp.csv'}",
        f"--relationships=HAS_SYMPTOM={tmp_path / files / 'HAS_SYMPTOM.csv'}",
    ]


def test_separator_in_an_item_does_not_split_it(tmp_path: Path) -> None:
    tables = symptoms_of_gout(tmp_path)
    node = {"id": "MONDO:0005393", "type": "Disease", "synonyms": ["urate\x1fgout", "podagra"]}
    write(tables.nodes, NODE_COLUMNS, [node])
    write_import_files(tables, tmp_path)
    with (tmp_path / "nodes.csv").open(encoding="utf-8", newline="") as file:
        [row] = csv.DictReader(file)
    assert row["synonyms:string[]"] == "urate gout\x1fpodagra"


def test_data_is_not_overwritten_unasked(home: ServerHome, tmp_path: Path) -> None:
    with pytest.raises(
        ServerError, match=r"data: the server has a database already; .*--overwrite"
    ):
        import_tables(home, symptoms_of_gout(tmp_path, "Other"), runtime="java")


def test_failed_import_says_why_and_leaves_the_data(home: ServerHome, tmp_path: Path) -> None:
    tables = symptoms_of_gout(tmp_path, "Other", tail="HP:nobody")
    before = contents(home.data)
    with pytest.raises(
        ServerError, match=r"importer failed: .*HP:nobody.*; the data .+ as it was"
    ):
        import_tables(home, tables, overwrite=True, runtime="java")
    assert not (home.folder / "importing").exists()
    assert contents(home.data) == before


def contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_missing_tables_are_told_before_anything_starts(home: ServerHome, tmp_path: Path) -> None:
    with pytest.raises(TablesError, match="there are no graph tables here"):
        import_tables(home, GraphTables(tmp_path), overwrite=True)


def test_overwriting_replaces_the_graph_and_keeps_the_password(
    home: ServerHome, tmp_path: Path
) -> None:
    password = home.password()
    import_tables(home, symptoms_of_gout(tmp_path, "Swelling"), overwrite=True, runtime="java")
    assert symptoms_in(home) == found("Swelling")
    assert home.password() == password


@pytest.mark.parametrize("already_moved", [(), ("databases",)])
def test_import_killed_while_it_takes_its_place_is_finished_later(
    tmp_path: Path, already_moved: tuple[str, ...]
) -> None:
    home = ServerHome(tmp_path)
    for place, content in ((home.data, "old"), (tmp_path / "importing" / "data", "new")):
        for part in ("databases", "transactions"):
            (place / part / "neo4j").mkdir(parents=True)
            (place / part / "neo4j" / "content").write_text(content)
    (tmp_path / "importing" / "whole").touch()
    for part in already_moved:
        shutil.rmtree(home.data / part / "neo4j")
        (tmp_path / "importing" / "data" / part / "neo4j").rename(home.data / part / "neo4j")
    finish_import(home)
    contents = {path.read_text() for path in home.data.glob("*/neo4j/content")}
    assert contents == {"new"}
    assert not (tmp_path / "importing").exists()


def test_import_killed_before_it_was_whole_changes_nothing(tmp_path: Path) -> None:
    home = ServerHome(tmp_path)
    (home.data / "databases" / "neo4j").mkdir(parents=True)
    (tmp_path / "importing" / "data" / "databases" / "neo4j" / "half").mkdir(parents=True)
    finish_import(home)
    assert list((home.data / "databases" / "neo4j").iterdir()) == []

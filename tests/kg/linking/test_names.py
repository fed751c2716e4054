"""Tables of names, from files, graph tables and stores."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import kg
from ingest.merge import MergeConfig, merge
from kg.errors import LinkingError
from kg.linking.names import SCHEMA, Names
from kg.progress import Silent
from tests.ingest.rows import fact, said, write_assertions
from tests.kg.linking.names_table import table

HEAD = "id,type,name,language\n"


def test_csv_file_with_the_required_columns_is_read(tmp_path: Path) -> None:
    path = tmp_path / "names.csv"
    path.write_text(HEAD + "D:1,Disease,gout,en\nD:1,Disease,podagra,en\n", encoding="utf-8")
    read = Names.read(path).table
    assert read.schema == SCHEMA
    assert read["preferred"].to_pylist() == [True, False]


@pytest.mark.parametrize("suffix", [".tsv", ".jsonl", ".parquet"])
def test_other_formats_give_the_same_table(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"names{suffix}"
    rows = table(("D:1", "Disease", "gout", "en"))
    if suffix == ".parquet":
        pq.write_table(rows, path)
    elif suffix == ".tsv":
        path.write_text("id\ttype\tname\tlanguage\nD:1\tDisease\tgout\ten\n", encoding="utf-8")
    else:
        path.write_text('{"id":"D:1","type":"Disease","name":"gout","language":"en"}\n', "utf-8")
    assert Names.read(path).table.to_pylist() == Names.of_table(rows).table.to_pylist()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("id,type,name\nD:1,Disease,gout\n", r"names.csv: has no column 'language'.*needs id"),
        (HEAD + "D:1,Disease,gout,en\nD:2,Disease,,en\n", r"names.csv, row 2: .* is empty"),
        (HEAD + "D:1,Disease,  ,en\n", r"names.csv, row 1: .* is empty"),
        (
            HEAD + "D:1,Disease,gout,fr\n",
            r"row 1: 'fr' is not a language of medkg; write en or zh",
        ),
        ("", r"names.csv: cannot be read \(.*[Ee]mpty"),
    ],
)
def test_broken_table_is_refused_with_its_row(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "names.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(LinkingError, match=message):
        Names.read(path)


def test_file_that_is_no_table_is_refused(tmp_path: Path) -> None:
    (tmp_path / "names.txt").write_text("gout", encoding="utf-8")
    with pytest.raises(LinkingError, match=r"make it \.parquet, \.csv, \.tsv or \.jsonl"):
        Names.read(tmp_path / "names.txt")
    with pytest.raises(LinkingError, match=r"gone\.csv: cannot be read"):
        Names.read(tmp_path / "gone.csv")


def test_column_of_another_type_is_refused() -> None:
    rows = table(("D:1", "Disease", "gout", "en")).append_column(
        "preferred", pa.array(["perhaps"])
    )
    with pytest.raises(LinkingError, match="the column 'preferred' is string and not bool"):
        Names.of_table(rows)


def test_graph_and_its_tables_give_the_same_names(tmp_path: Path) -> None:
    rows = [
        said("MONDO:1", "HAS_NAME", "gout"),
        said("MONDO:1", "HAS_NAME", "痛风", language="zh"),
        said("MONDO:1", "HAS_SYNONYM", "podagra"),
        fact("MONDO:1", "HAS_SYMPTOM", "HP:1", tail_name="Arthritis"),
        fact("MONDO:1", "HAS_CUI", "UMLS:C0018099", tail_type="Concept"),
    ]
    (tmp_path / "out").mkdir()
    path = write_assertions(tmp_path / "s.parquet", "s", rows)
    tables = merge(
        MergeConfig(assertions={"s": path}, made_by="test"), tmp_path / "out", Silent()
    ).tables
    of_tables = Names.of_tables(tables).table.to_pylist()
    with kg.connect(str(tmp_path / "g.lbug")) as store:
        store.load(tables)
        assert Names.of_store(store).table.to_pylist() == of_tables
    assert [(r["id"], r["name"], r["preferred"], r["cui"]) for r in of_tables] == [
        ("HP:1", "Arthritis", True, None),
        ("MONDO:1", "gout", True, "C0018099"),
        ("MONDO:1", "痛风", True, "C0018099"),
        ("MONDO:1", "podagra", False, "C0018099"),
    ]

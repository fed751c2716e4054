from pathlib import Path

import pytest

from kg.errors import TablesError
from kg.tables import Column, GraphTables, Kind, TableSummary, arrow_table


def summary(**edges: int) -> TableSummary:
    return TableSummary(name="medkg", checksum="c", nodes={}, edges=edges, made_by="test")


def test_summary_comes_back_as_written(tmp_path: Path) -> None:
    tables = GraphTables(tmp_path)
    tables.nodes.touch()
    tables.write_summary(summary())
    assert tables.summary() == summary()


def test_folder_without_tables_says_how_to_make_them(tmp_path: Path) -> None:
    with pytest.raises(TablesError, match="no graph tables here; make them with 'medkg build'"):
        GraphTables(tmp_path).summary()


def test_malformed_summary_is_named(tmp_path: Path) -> None:
    (tmp_path / "tables.json").write_text('{"name": 1}')
    with pytest.raises(TablesError, match=r"tables.json: not a table summary \(5 errors\)"):
        GraphTables(tmp_path).summary()


def test_file_that_the_summary_counts_must_be_there(tmp_path: Path) -> None:
    tables = GraphTables(tmp_path)
    tables.nodes.touch()
    tables.write_summary(summary(IS_A=1))
    with pytest.raises(TablesError, match=r"IS_A.parquet: missing, though tables.json counts"):
        tables.summary()


COLUMNS = (
    Column("id", Kind.STRING),
    Column("names", Kind.STRINGS),
    Column("weight", Kind.FLOAT),
    Column("rows", Kind.INTEGER),
)


def test_what_a_row_does_not_say_is_null_or_an_empty_list() -> None:
    rows = [{"id": "a", "weight": 1}, {"names": ["b"], "rows": 2}]
    assert arrow_table(COLUMNS, rows).to_pylist() == [
        {"id": "a", "names": [], "weight": 1.0, "rows": None},
        {"id": None, "names": ["b"], "weight": None, "rows": 2},
    ]


def test_table_of_no_rows_has_the_columns_with_their_types() -> None:
    fields = {field.name: str(field.type) for field in arrow_table(COLUMNS, ()).schema}
    assert fields == {"id": "string", "names": "list<item: string>"} | {
        "weight": "double",
        "rows": "int64",
    }


def test_row_that_says_more_than_the_columns_is_refused() -> None:
    with pytest.raises(ValueError, match="wieght: no column; there are id, names, weight, rows"):
        arrow_table(COLUMNS, [{"id": "a", "wieght": 1.0}])

from pathlib import Path

import pytest

from kg.errors import TablesError
from kg.tables import GraphTables, TableSummary


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

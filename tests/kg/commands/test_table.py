import csv
import io
import json

import pytest

from kg.commands import show
from kg.stores.store import Rows

ROWS = Rows(
    ("gene_id", "score", "sources", "name"),
    (("G:1", 0.5, ["a", "b"], "it's [bold]x[/] \x1b[31m痛风"), ("G:2", None, [], None)),
)


def test_json_is_a_list_of_objects(capsys: pytest.CaptureFixture[str]) -> None:
    show(ROWS, as_json=True)
    assert json.loads(capsys.readouterr().out) == list(ROWS.dicts())


def test_csv_joins_lists_and_reads_back(capsys: pytest.CaptureFixture[str]) -> None:
    show(ROWS, as_csv=True)
    assert list(csv.reader(io.StringIO(capsys.readouterr().out))) == [
        ["gene_id", "score", "sources", "name"],
        ["G:1", "0.5", "a|b", "it's [bold]x[/] \x1b[31m痛风"],
        ["G:2", "", "", ""],
    ]


def test_a_table_shows_cells_as_they_are_without_control_characters(
    capsys: pytest.CaptureFixture[str],
) -> None:
    show(ROWS)
    shown = capsys.readouterr()
    assert [line.split() for line in shown.out.splitlines() if "G:" in line] == [
        ["G:1", "0.5", "a,", "b", "it's", "[bold]x[/]", "[31m痛风"],
        ["G:2"],
    ]
    assert shown.err == "2 rows\n"


def test_no_rows_are_a_table_with_a_head(capsys: pytest.CaptureFixture[str]) -> None:
    show(Rows(("a", "b"), ()))
    shown = capsys.readouterr()
    assert shown.out.split()[:2] == ["a", "b"]
    assert shown.err == "0 rows\n"

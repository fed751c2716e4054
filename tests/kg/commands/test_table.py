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
    show(ROWS, as_csv="plain")
    assert list(csv.reader(io.StringIO(capsys.readouterr().out))) == [
        ["gene_id", "score", "sources", "name"],
        ["G:1", "0.5", "a|b", "it's [bold]x[/] \x1b[31m痛风"],
        ["G:2", "", "", ""],
    ]


def test_a_table_shows_cells_as_they_are_with_control_characters_escaped(
    capsys: pytest.CaptureFixture[str],
) -> None:
    show(ROWS)
    shown = capsys.readouterr()
    assert [line.split() for line in shown.out.splitlines() if "G:" in line] == [
        ["G:1", "0.5", "a,", "b", "it's", "[bold]x[/]", "\\u001b[31m痛风"],
        ["G:2"],
    ]
    assert shown.err == "2 rows\n"


def test_no_rows_are_a_table_with_a_head(capsys: pytest.CaptureFixture[str]) -> None:
    show(Rows(("a", "b"), ()))
    shown = capsys.readouterr()
    assert shown.out.split()[:2] == ["a", "b"]
    assert shown.err == "0 rows\n"


OBEYED = "a\x1b[2Jb\x7f\x9b1m\u061c\u200e\u200f\u202a\u202e\u2066\u2069\tc\nd"
"""ESC, DEL, a control character of C1, and those that turn the direction of writing."""
ESCAPED = r"a\u001b[2Jb\u007f\u009b1m\u061c\u200e\u200f\u202a\u202e\u2066\u2069\tc\nd"


def test_a_table_shows_what_a_terminal_would_obey_escaped(
    capsys: pytest.CaptureFixture[str],
) -> None:
    show(Rows(("name\u202e",), ((OBEYED,), (["病\u0308\u200d", OBEYED],))))
    shown = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert shown[1:2] + shown[3:5] == [r"name\u202e", ESCAPED, f"病\u0308\u200d, {ESCAPED}"]


def test_json_escapes_what_a_terminal_would_obey_and_is_the_same_value(
    capsys: pytest.CaptureFixture[str],
) -> None:
    show(Rows(("name",), ((OBEYED,),)), as_json=True)
    out = capsys.readouterr().out
    assert json.loads(out) == [{"name": OBEYED}]
    assert ESCAPED in out
    assert all(c == "\n" or c.isprintable() for c in out)


def test_safe_csv_has_no_text_that_a_spreadsheet_takes_for_a_formula(
    capsys: pytest.CaptureFixture[str],
) -> None:
    cells = ("=1+1", "+a", "-a", "@a", "\ta", "\ra", "\na", "a=1", "", -0.5, None, ["=a", "b"])
    rows = Rows(("=name", *"bcdefghijkl"), (cells,))
    show(rows, as_csv="safe")
    safe = [
        ["'=name", *"bcdefghijkl"],
        *[["'=1+1", "'+a", "'-a", "'@a", "'\ta", "'\ra", "'\na", "a=1", "", "-0.5", "", "'=a|b"]],
    ]
    assert list(csv.reader(io.StringIO(capsys.readouterr().out, newline=""))) == safe
    show(rows, as_csv="plain")
    plain = list(csv.reader(io.StringIO(capsys.readouterr().out, newline="")))
    assert plain == [[cell.removeprefix("'") for cell in row] for row in safe]

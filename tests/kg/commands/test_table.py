import contextlib
import csv
import io
import json

import pytest
from rich.cells import cell_len

from kg.commands import AnswerForm, hint_if_empty, show, show_answer
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


def drawn(rows: Rows, width: int, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setattr("kg.commands.table.PLAIN_WIDTH", width)
    monkeypatch.delenv("COLUMNS", raising=False)
    with capture() as out:
        show(rows)
    return [line.rstrip() for line in out.getvalue().splitlines() if line.strip()]


def capture() -> "contextlib.redirect_stdout[io.StringIO]":
    return contextlib.redirect_stdout(io.StringIO())


def test_numbers_have_three_digits(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = (0.0, 1.0, 0.13782896, 34.6439, 99.96, 1234.567, 0.00012345, -0.5, 7, 1234567)
    lines = drawn(Rows(("n",), tuple((n,) for n in numbers)), 80, monkeypatch)
    assert [line.strip() for line in lines[2:]] == [
        *("0", "1", "0.138", "34.6", "100", "1235", "0.000123", "-0.5", "7", "1234567"),
    ]


def test_ids_and_numbers_are_never_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    id_, other = "MEDKG:Disease.5969ab3859180f2c", "DRUGBANK:DB00331"
    rows = Rows(("a_id", "name", "b_id", "n"), ((id_, "a long name of many words", other, 0.25),))
    table = drawn(rows, 80, monkeypatch)
    assert id_ in table[2]
    assert other in table[2]
    block = drawn(rows, 60, monkeypatch)
    assert [line.split(None, 1) for line in block] == [
        ["a_id", id_],
        ["name", "a long name of many words"],
        ["b_id", other],
        ["n", "0.25"],
    ]


@pytest.mark.parametrize(
    "name", ["disease.discriminative_symptoms", "sex_female_thing_in_male_disease"]
)
def test_the_name_of_a_query_or_rule_is_never_broken(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    rows = Rows(("query", "title", "parameters"), ((name, "what tells " * 12, "disease=STRING"),))
    lines = drawn(rows, 80, monkeypatch)
    assert any(line.split()[0] == name for line in lines)
    assert max(map(len, lines)) <= 80


def test_words_are_not_broken_where_another_column_can_be_narrower(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    columns = ("id", "name", "name_zh", "other", "score")
    name = "phosphoribosylpyrophosphate synthetase superactivity"
    rows = Rows(columns, (("ORPHA:411536", name, "磷酸核糖焦磷酸", "of three words more", 0.5),))
    lines = drawn(rows, 80, monkeypatch)
    assert any("phosphoribosylpyrophosphate" in line for line in lines)
    assert max(map(cell_len, lines)) <= 80


def test_files_and_values_break_behind_a_sign_and_else_make_a_block_a_row(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = Rows(
        ("file", "parameters", "title"),
        (("diseases/type-2-diabetes.yaml", "entities=LIST_OF_STRING", "one two three four five"),),
    )
    table = [line.split() for line in drawn(rows, 57, monkeypatch)]
    assert table[2:] == [
        ["diseases/type-2-", "entities=", "one", "two", "three"],
        ["diabetes.yaml", "LIST_OF_STRING", "four", "five"],
    ]
    assert drawn(rows, 40, monkeypatch) == [
        "file        diseases/type-2-",
        "            diabetes.yaml",
        "parameters  entities=LIST_OF_STRING",
        "title       one two three four five",
    ]


def test_a_head_that_has_no_room_is_left_out_where_there_is_no_row(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert drawn(Rows(("one_column", "another_column", "the_third"), ()), 30, monkeypatch) == []


def test_a_column_of_texts_and_numbers_begins_at_the_left(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = drawn(Rows(("value",), (("a long text",), (0.5,), (None,))), 80, monkeypatch)
    assert [line for line in lines if "0.5" in line] == [" 0.5"]


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


SHARED = Rows(("disease_id", "frequency", "shared"), (("D:1", None, 5), ("D:2", None, 4)))


@pytest.mark.parametrize(
    ("order", "told"),
    [
        (("frequency desc", "shared desc", "disease_id"), "shared (highest first), disease_id"),
        (("shared",), "shared"),
        (("score desc", "shared"), None),
        (("disease_id",), None),
        ((), None),
    ],
)
def test_an_answer_says_how_it_is_sorted_by_columns_that_are_shown(
    capsys: pytest.CaptureFixture[str], order: tuple[str, ...], told: str | None
) -> None:
    show_answer(SHARED, AnswerForm(), order=order)
    sorted_by = [f"Sorted by {told}"] if told else []
    assert capsys.readouterr().err.splitlines() == [
        "Empty columns left out: frequency",
        *sorted_by,
        "2 rows",
    ]


def test_csv_and_json_do_not_say_how_they_are_sorted(capsys: pytest.CaptureFixture[str]) -> None:
    show_answer(SHARED, AnswerForm(as_csv="plain"), order=("shared desc",))
    show_answer(SHARED, AnswerForm(as_json=True), order=("shared desc",))
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("form", "said"),
    [
        (AnswerForm(), "the first 2 of 9 rows; --limit 9 gives all\n"),
        (AnswerForm(cut=True), "the first 2 of 9 rows\n"),
    ],
)
def test_no_option_is_named_that_the_command_has_not(
    capsys: pytest.CaptureFixture[str], form: AnswerForm, said: str
) -> None:
    show_answer(Rows(("n",), ((1,), (2,))), form, 9)
    assert capsys.readouterr().err == said


@pytest.mark.parametrize(
    ("rows", "terminal", "hint"),
    [((), True, "try this\n"), ((), False, ""), ((("G:1",),), True, "")],
)
def test_a_terminal_alone_is_told_what_to_try_where_there_is_no_row(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    rows: tuple[tuple[str, ...], ...],
    terminal: bool,
    hint: str,
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: terminal)
    hint_if_empty(Rows(("gene_id",), rows), "try this")
    assert capsys.readouterr().err == hint

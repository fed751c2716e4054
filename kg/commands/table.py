"""Rows on stdout: a table for people, JSON or CSV for programs."""

import csv
import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

import click

from cypher.translation import title, translate
from kg.printing import harmless, harmless_json, no_formula

if TYPE_CHECKING:
    from kg.stores.store import Rows

PLAIN_WIDTH = 240
"""Columns of a table that goes to a file or a pipe."""

CsvForm = Literal["plain", "safe"]
"""``safe``: no cell that a spreadsheet takes for a formula."""


class AnswerForm(NamedTuple):
    """How the answer to a query is printed."""

    as_json: bool = False
    as_csv: CsvForm | None = None
    limit: int | None = None
    """Rows at most."""
    own_columns: bool = False
    """Whoever asks has named the columns: they are called so in any language."""


class Table(Protocol):
    """What ``kg.stores.store.Rows`` is: named columns and rows of cells."""

    @property
    def columns(self) -> Sequence[str]:
        """Column names."""
        ...

    @property
    def rows(self) -> Sequence[Sequence[object]]:
        """One sequence of cells a row."""
        ...


def show_answer(
    answer: "Rows",
    form: "AnswerForm",
    total: int | None = None,
    **about: object,
) -> None:
    """Print the answer to a query; where rows are missing, stderr says how many there are.

    As JSON it is one object: what is told ``about`` it, ``columns``, ``rows``, ``truncated`` and
    the ``total`` number of rows.

    Args:
        answer: as the store gave it.
        form: how it is printed.
        total: rows there are, where the answer has not all of them.
        about: for JSON.
    """
    from kg.stores.store import Rows

    total = len(answer) if total is None else total
    shown = answer
    if form.limit is not None and len(answer) > form.limit:
        shown = Rows(answer.columns, answer.rows[: form.limit])
    if form.as_json:
        rows = {"columns": shown.columns, "rows": shown.dicts()}
        found = {**rows, "truncated": len(shown) < total, "total": total}
        show_json({**about, **found})
        return
    if len(shown) == total:
        show(shown, as_csv=form.as_csv, own_columns=form.own_columns)
        return
    if form.as_csv:
        show(shown, as_csv=form.as_csv)
    else:
        _draw(shown, own_columns=form.own_columns)
    more = f"limit={total}" if answer.truncated else f"--limit {total}"
    cut = "the first {shown} of {total} rows; {option} gives all"
    click.echo(translate(cut, shown=len(shown), total=total, option=more), err=True)


def show(
    rows: Table,
    as_json: bool = False,
    as_csv: CsvForm | None = None,
    *,
    own_columns: bool = False,
) -> None:
    """Print rows on stdout, as a table, JSON or CSV.

    JSON is a list of objects; CSV joins a list's items with ``|``, as the graph
    tables do. A table has the titles of the columns in the language that is spoken. What a terminal would obey is escaped in tables and JSON, and stays in CSV.
    """
    if as_json:
        named = [dict(zip(rows.columns, row, strict=True)) for row in rows.rows]
        show_json(named)
    elif as_csv:
        for row in (rows.columns, *rows.rows):
            cells = _csv_row(row, as_csv)
            bare = any("\r" in cell for cell in cells if isinstance(cell, str))
            writer = csv.writer(
                sys.stdout,
                lineterminator="\n",
                quoting=csv.QUOTE_ALL if bare else csv.QUOTE_MINIMAL,
            )
            writer.writerow(cells)
    else:
        _draw(rows, own_columns=own_columns)
        number = len(rows.rows)
        one_row = translate("1 row")
        click.echo(one_row if number == 1 else translate("{count} rows", count=number), err=True)


def show_json(value: object) -> None:
    """Print JSON on stdout.

    Args:
        value: to be written as JSON; a text is JSON already.
    """
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)
    click.echo(harmless_json(text))


def _csv_row(row: Sequence[object], form: CsvForm) -> list[object]:
    cells = [_csv_cell(cell) for cell in row]
    if form == "plain":
        return cells
    return [no_formula(cell) if isinstance(cell, str) else cell for cell in cells]


def _csv_cell(cell: object) -> object:
    if isinstance(cell, list):
        return "|".join(map(_text, cell))
    return _text(cell) if isinstance(cell, dict) else cell


def _text(value: object) -> str:
    """A value's text; of a node, a relationship or a map it is JSON."""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else str(value)


def _draw(rows: Table, *, own_columns: bool) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table as Drawing
    from rich.text import Text

    console = Console(highlight=False, width=None if sys.stdout.isatty() else PLAIN_WIDTH)
    drawing = Drawing(box=SIMPLE_HEAD, header_style="bold", pad_edge=False)
    cells = [[_cell(cell) for cell in row] for row in rows.rows]
    for at, name in enumerate(rows.columns):
        numeric = any(isinstance(row[at], int | float) for row in rows.rows)
        head = Text(harmless(name if own_columns else title("columns", name)))
        drawing.add_column(head, justify="right" if numeric else "left", overflow="fold")
    for row in cells:
        drawing.add_row(*map(Text, row))
    console.print(drawing)


def _cell(value: object) -> str:
    """A cell's text."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return translate(str(value))
    text = ", ".join(map(_text, value)) if isinstance(value, list | tuple) else _text(value)
    return harmless(text)

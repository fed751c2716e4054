"""Rows on stdout: a table for people, JSON or CSV for programs."""

import csv
import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, Protocol

import click

from kg.printing import harmless, harmless_json, no_formula

if TYPE_CHECKING:
    from kg.stores.store import Rows

PLAIN_WIDTH = 240
"""Columns of a table that goes to a file or a pipe."""

CsvForm = Literal["plain", "safe"]
"""``safe``: no cell that a spreadsheet takes for a formula."""


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


def first_rows(rows: "Rows", limit: int | None) -> "Rows":
    """The rows up to a limit; where that cuts some off, stderr says how many there are."""
    from kg.stores.store import Rows

    if limit is None or len(rows) <= limit:
        return rows
    click.echo(f"the first {limit} of {len(rows)} rows", err=True)
    return Rows(rows.columns, rows.rows[:limit])


def show(rows: Table, as_json: bool = False, as_csv: CsvForm | None = None) -> None:
    """Print rows on stdout, as a table, JSON or CSV.

    JSON is a list of objects; CSV joins a list's items with ``|``, as the graph
    tables do. What a terminal would obey is escaped in tables and JSON, and stays in CSV.
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
        _draw(rows)


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


def _draw(rows: Table) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table as Drawing
    from rich.text import Text

    console = Console(highlight=False, width=None if sys.stdout.isatty() else PLAIN_WIDTH)
    drawing = Drawing(box=SIMPLE_HEAD, header_style="bold", pad_edge=False)
    cells = [[_cell(cell) for cell in row] for row in rows.rows]
    for at, name in enumerate(rows.columns):
        numeric = any(isinstance(row[at], int | float) for row in rows.rows)
        drawing.add_column(
            Text(harmless(name)), justify="right" if numeric else "left", overflow="fold"
        )
    for row in cells:
        drawing.add_row(*map(Text, row))
    console.print(drawing)
    click.echo(f"{len(cells)} row{'' if len(cells) == 1 else 's'}", err=True)


def _cell(value: object) -> str:
    """A cell's text."""
    if value is None:
        return ""
    text = ", ".join(map(_text, value)) if isinstance(value, list | tuple) else _text(value)
    return harmless(text)

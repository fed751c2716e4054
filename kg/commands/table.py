"""Rows on stdout: a table for people, JSON or CSV for programs."""

import csv
import json
import sys
from collections.abc import Sequence
from typing import Protocol

import click

PLAIN_WIDTH = 240
"""Columns of a table that goes to a file or a pipe."""

_CONTROLS = dict.fromkeys((*range(32), *range(127, 160)))


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


def show(rows: Table, as_json: bool = False, as_csv: bool = False) -> None:
    """Print rows on stdout, as a table, JSON or CSV.

    JSON is a list of objects; CSV joins a list's items with ``|``, as the graph
    tables do.
    """
    if as_json:
        named = [dict(zip(rows.columns, row, strict=True)) for row in rows.rows]
        click.echo(json.dumps(named, ensure_ascii=False, indent=2))
    elif as_csv:
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(rows.columns)
        writer.writerows(map(_csv_row, rows.rows))
    else:
        _draw(rows)


def _csv_row(row: Sequence[object]) -> list[object]:
    return ["|".join(map(str, cell)) if isinstance(cell, list) else cell for cell in row]


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
        drawing.add_column(Text(name), justify="right" if numeric else "left", overflow="fold")
    for row in cells:
        drawing.add_row(*map(Text, row))
    console.print(drawing)
    click.echo(f"{len(cells)} row{'' if len(cells) == 1 else 's'}", err=True)


def _cell(value: object) -> str:
    """A cell's text."""
    if value is None:
        return ""
    text = ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    return harmless(text)


def harmless(text: str) -> str:
    """Text of a source without control characters, which must not reach the terminal."""
    return text.translate(_CONTROLS)

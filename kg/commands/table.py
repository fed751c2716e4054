"""Rows on stdout: a table for people, JSON or CSV for programs."""

import csv
import json
import math
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, Protocol

import click

from cypher.translation import title, translate
from kg.commands.lines import lines, narrowest, say
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
    cut: bool = False
    """Rows that are not there were left out of the answer, and no option of the command gives them."""


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
    order: Sequence[str] = (),
    keys: Iterable[str] = (),
    **about: object,
) -> None:
    """Print the answer to a query; stderr says how it is sorted, and how many rows are missing.

    As JSON it is one object: what is told ``about`` it, ``columns``, ``rows``, ``truncated`` and
    the ``total`` number of rows.

    Args:
        answer: as the store gave it.
        form: how it is printed.
        total: rows there are, where the answer has not all of them.
        order: columns that it is sorted by, as the query's header names them.
        keys: what it is sorted by before those, in words.
        about: for JSON.
    """
    from kg.stores.store import Rows

    total = len(answer) if total is None else total
    shown = answer
    if form.limit is not None and len(answer) > form.limit:
        shown = Rows(answer.columns, answer.rows[: form.limit])
    if form.as_json:
        rows = {"columns": shown.columns, "rows": shown.dicts()}
        fields = {**rows, "truncated": len(shown) < total, "total": total}
        show_json({**about, **fields})
        return
    if form.as_csv:
        show(shown, as_csv=form.as_csv)
    elif form.own_columns:
        _draw(shown, own_columns=True)
    else:
        _draw_laid_out(shown)
    if not form.as_csv and len(shown) > 1:
        _say_order([*keys, *_sorted_by(shown, order)])
    if len(shown) < total:
        option = f"limit={total}" if answer.truncated else f"--limit {total}"
        cut = "the first {shown} of {total} rows; {option} gives all"
        if form.cut and not answer.truncated:
            cut = "the first {shown} of {total} rows"
        say(translate(cut, shown=len(shown), total=total, option=option), err=True)
    elif not form.as_csv:
        _say_count(shown)


def _say_order(keys: Sequence[str]) -> None:
    if keys:
        say(translate("Sorted by {columns}", columns=translate(", ").join(keys)), err=True)


def _sorted_by(answer: "Rows", order: Sequence[str]) -> list[str]:
    """Titles of the columns that the rows are sorted by, of those that say anything."""
    keys = []
    for name, _, descending in (key.partition(" ") for key in order):
        if name not in answer.columns:
            break  # what follows sorts only the rows that are alike in it
        at = answer.columns.index(name)
        if any(row[at] is not None for row in answer.rows):
            column = title("columns", name)
            keys.append(
                translate("{column} (highest first)", column=column) if descending else column
            )
    return keys if any(not key.partition(" ")[0].endswith("_id") for key in order) else []


def hint_if_empty(rows: Table, hint: str) -> None:
    """Tell somebody at a terminal what to try where there is no row."""
    if not rows.rows and sys.stdout.isatty():
        say(hint, err=True)


def _draw_laid_out(answer: "Rows") -> None:
    """A table without empty columns, and below it the references that it numbers."""
    from kg.commands.facts import lay_out

    facts = lay_out(answer)
    _draw(facts.rows)
    for number, reference in enumerate(facts.references, 1):
        say(harmless(f"[{number}] {reference}"))
    if facts.empty:
        names = translate(", ").join(title("columns", name) for name in facts.empty)
        say(translate("Empty columns left out: {names}", names=names), err=True)


def show(
    rows: Table,
    as_json: bool = False,
    as_csv: CsvForm | None = None,
    *,
    own_columns: bool = False,
) -> None:
    """Print rows on stdout, as a table, JSON or CSV.

    JSON is a list of objects; CSV joins a list's items with ``|``, as the graph
    tables do. A table has the titles of the columns in the language that is spoken. What a
    terminal would obey is escaped in tables and JSON, and stays in CSV.
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
        _say_count(rows)


def _say_count(rows: Table) -> None:
    number = len(rows.rows)
    one_row = translate("1 row")
    say(one_row if number == 1 else translate("{count} rows", count=number), err=True)


def show_json(value: object) -> None:
    """Print JSON on stdout.

    Args:
        value: to be written as JSON, a number that is none as null; a text is JSON already.
    """
    text = (
        value
        if isinstance(value, str)
        else json.dumps(_finite(value), ensure_ascii=False, indent=2, allow_nan=False)
    )
    click.echo(harmless_json(text))


def _finite(value: object) -> object:
    """The same, with null for what JSON has no number for."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {name: _finite(each) for name, each in value.items()}
    return [_finite(each) for each in value] if isinstance(value, list | tuple) else value


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


def _draw(rows: Table, *, own_columns: bool = False) -> None:
    """A table, or, where the terminal is too narrow for its words, a block a row."""
    from rich.box import SIMPLE_HEAD
    from rich.cells import cell_len
    from rich.console import Console
    from rich.table import Table as Drawing
    from rich.text import Text

    console = Console(highlight=False, width=None if sys.stdout.isatty() else PLAIN_WIDTH)
    cells = [[_cell(cell) for cell in row] for row in rows.rows]
    names = [harmless(name if own_columns else title("columns", name)) for name in rows.columns]
    columns = [*zip(names, *cells, strict=True)]
    least, most = [], []
    for column in columns:
        wide = max(map(cell_len, column))
        whole = all(_WHOLE.fullmatch(cell) for cell in column[1:])
        least.append(wide if whole else min(wide, max(_NARROWEST, *map(narrowest, column))))
        most.append(wide)
    room = console.width - _BETWEEN * len(names) + 1
    if sum(least) > room:
        widest = max(map(cell_len, names))
        for row in cells:
            block = Drawing.grid(padding=(0, _BETWEEN - 1, 0, 0))
            block.add_column(no_wrap=True, style="bold")
            block.add_column(no_wrap=True)
            for name, cell in zip(names, row, strict=True):
                if cell:
                    block.add_row(
                        Text(name), Text("\n".join(lines(cell, console.width - widest - _BETWEEN)))
                    )
            console.print(block, "")
        return
    drawing = Drawing(box=SIMPLE_HEAD, header_style="bold", pad_edge=False)
    widths = _shared_out(room, least, most)
    for at, (column, width) in enumerate(zip(columns, widths, strict=True)):
        values = [row[at] for row in rows.rows if row[at] not in (None, "")]
        numeric = bool(values) and all(isinstance(each, int | float) for each in values)
        drawing.add_column(
            Text("\n".join(lines(column[0], width))),
            justify="right" if numeric else "left",
            no_wrap=True,
            width=width,
        )
    for row in cells:
        drawing.add_row(
            *(Text("\n".join(lines(cell, width))) for cell, width in zip(row, widths, strict=True))
        )
    console.print(drawing)


def _shared_out(room: int, least: Sequence[int], most: Sequence[int]) -> list[int]:
    """How wide each column is: at most as wide as its widest cell, the widest narrowed first."""

    def narrowed(level: int) -> list[int]:
        return [max(low, min(high, level)) for low, high in zip(least, most, strict=True)]

    level = next(
        (level for level in range(max(most, default=0), 0, -1) if sum(narrowed(level)) <= room), 0
    )
    widths = narrowed(level)
    left = room - sum(widths)
    for at, high in enumerate(most):
        more = min(1, left, high - widths[at])
        widths[at], left = widths[at] + more, left - more
    return widths


_WHOLE: Final = re.compile(
    r"|[-+]?[0-9.,e+-]+|[A-Za-z][\w.]*:[^\s,]+|[\w-]{1,20}|[a-z][a-z0-9]*([._][A-Za-z0-9]+)+",
    re.ASCII,
)
"""A cell that is not broken: nothing, a number, an id, a word or the name of a query or rule."""

_NARROWEST: Final = 10
"""Cells that a column of texts has at least."""

_BETWEEN: Final = 3
"""Cells from one column to the next."""


def _cell(value: object) -> str:
    """A cell's text; of a number three digits, and all of a whole one."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return translate(str(value))
    if isinstance(value, float):
        return f"{value:.0f}" if abs(value) >= _THREE_DIGITS else f"{value:.3g}"
    text = ", ".join(map(_cell, value)) if isinstance(value, list | tuple) else _text(value)
    return harmless(text)


_THREE_DIGITS: Final = 100.0

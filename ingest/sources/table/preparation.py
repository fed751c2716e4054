"""Steps that bring a table into shape before it is mapped: trim, fill down, split, extract, constant."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Final, Self

import duckdb
import ibis
import ibis.expr.types as ir
from pydantic import (
    BaseModel,
    BeforeValidator,
    Field,
    field_validator,
    model_validator,
)

from cypher.translation import translate
from ingest.sources.formats.delimited import NUMBER, RECORD
from kg.errors import SourceError

UNPREPARED: Final = "@unprepared"
"""Column that says why a step could not be done with a row, null where all could."""

_BLANK: Final = r"[\s\p{Z}\x{200b}\x{feff}]+"
_SHOWN: Final = 200
_AT, _ABOVE, _LOST = "@at", "@above", "@lost"
"""Of a cell that fills those below it: its row, what it says, and its row if that is lost."""
_PART: Final = "@part "
"""Before the name of a part until it takes its place."""

Column = Annotated[str, Field(min_length=1, coerce_numbers_to_str=True)]
"""The name of a column; YAML takes one such as 2023 for a number."""


def _several(value: Any) -> Any:  # noqa: ANN401 -- whatever YAML holds; pydantic checks it
    return (value,) if isinstance(value, str) else value


Columns = Annotated[tuple[Column, ...], BeforeValidator(_several), Field(min_length=1)]
"""One name of a column, or several."""


class Split(BaseModel, frozen=True, extra="forbid"):
    """A cell with several items: its row becomes one row for each."""

    column: Column
    by: Annotated[
        tuple[Annotated[str, Field(min_length=1)], ...],
        BeforeValidator(_several),
        Field(min_length=1),
    ]
    """The separator, or a list of all possible ones."""


class Extract(BaseModel, frozen=True, extra="forbid"):
    """Parts of a cell, each of which becomes a column."""

    column: Column
    pattern: str
    """A regular expression in which ``(?P<name>…)`` makes the column ``name``."""

    @field_validator("pattern")
    @classmethod
    def _is_a_pattern(cls, pattern: str) -> str:
        try:
            groups = re.compile(pattern).groupindex
            with duckdb.connect() as con:
                con.execute("select regexp_matches('', ?)", [pattern]).fetchall()
        except (re.error, duckdb.Error) as e:
            why = str(e).split("\n", 1)[0]
            raise ValueError(f"{pattern!r} is no regular expression that works here: {why}") from e
        if not groups:
            raise ValueError(
                f"{pattern!r} has no named group; write (?P<name>…) around the part that "
                "becomes the column 'name'"
            )
        return pattern

    def groups(self) -> dict[str, int]:
        """Numbers of the groups, by name."""
        return dict(re.compile(self.pattern).groupindex)


class Step(BaseModel, frozen=True, extra="forbid", coerce_numbers_to_str=True):
    """One step; exactly one of these is said."""

    trim: Columns | None = None
    """Columns whose cells lose the blanks at their ends, those of any script."""
    fill_down: Columns | None = None
    """Columns in which a blank cell means what the last one above it says."""
    split: Split | None = None
    extract: Extract | None = None
    constant: dict[Column, str] | None = Field(default=None, min_length=1)
    """Columns that say the same in every row."""

    @model_validator(mode="after")
    def _is_one(self) -> Self:
        if len([value for _, value in self if value is not None]) != 1:
            raise ValueError(
                "write one of trim, fill_down, split, extract and constant for each '-' of "
                "'prepare'"
            )
        return self

    def reads(self) -> tuple[str, ...]:
        """The columns that must be there before it."""
        for of_one in (self.split, self.extract):
            if of_one:
                return (of_one.column,)
        return self.trim or self.fill_down or ()

    def makes(self) -> tuple[str, ...]:
        """The columns that it adds."""
        if self.extract:
            return tuple(name for name in self.extract.groups() if name != self.extract.column)
        return tuple(self.constant or ())


def check_steps(steps: Sequence[Step]) -> None:
    """Check that no step undoes what another made.

    Raises:
        ValueError: two make one column, or rows are split before they are filled down.
    """
    made: list[str] = []
    has_split = False
    for step in steps:
        for name in step.makes():
            if name.casefold() in made:
                raise ValueError(f"two steps of 'prepare' make the column {name!r}; rename one")
            if name in (NUMBER, RECORD, UNPREPARED):
                raise ValueError(f"no column may be named {name!r}; rename it")
            made.append(name.casefold())
        has_split |= step.split is not None
        if step.fill_down and has_split:
            raise ValueError("'fill_down' goes from row to row; put it before every 'split'")


def columns_read(steps: Sequence[Step], mapped: Sequence[str]) -> list[str]:
    """The columns that a file must have for steps, and a mapping after them."""
    made: set[str] = set()
    needed: list[str] = []
    for step in steps:
        needed += [name for name in step.reads() if name not in made]
        made.update(step.makes())
    return needed + [name for name in mapped if name not in made]


def prepared(table: ir.Table, steps: Sequence[Step], bad: ir.Table, file: Path) -> ir.Table:
    """The table after the steps, with ``UNPREPARED``.

    Args:
        table: with the columns that the steps read, ``NUMBER``, and ``UNPREPARED`` if steps
            went before.
        steps: in order.
        bad: ``row`` of the rows that could not be read.
        file: for messages.

    Raises:
        SourceError: a column that a step makes is in the file.
    """
    if UNPREPARED not in table.columns:
        table = table.mutate(**{UNPREPARED: ibis.null("string")})
    for step in steps:
        read = [name.casefold() for name in step.reads()]
        present = {name.casefold(): name for name in table.columns if name.casefold() not in read}
        if clashing := [name for name in step.makes() if name.casefold() in present]:
            raise SourceError(
                translate(
                    "{file}: 'prepare' makes the column {clashing!r}, and the table has {present!r} already; give it another name",
                    file=file,
                    clashing=clashing[0],
                    present=present[clashing[0].casefold()],
                )
            )
        if step.trim:
            table = table.mutate(**{name: _trimmed(table[name]) for name in step.trim})
        for name in step.fill_down or ():
            table = _filled_down(table, name, bad)
        if step.split:
            table = _split(table, step.split)
        if step.extract:
            table = _extracted(table, step.extract)
        if step.constant:
            table = table.mutate(**{n: ibis.literal(value) for n, value in step.constant.items()})
    return table


def _trimmed(cell: ir.StringValue) -> ir.StringValue:
    return cell.re_replace(f"^{_BLANK}|{_BLANK}$", "").nullif("")


def _filled_down(table: ir.Table, name: str, bad: ir.Table) -> ir.Table:
    """Not past a row that could not be read: what it says is not known."""
    trimmed = table.mutate(**{name: _trimmed(table[name])})
    filled_rows = trimmed.filter(trimmed[name].notnull())
    nowhere, nothing = ibis.null("int64"), ibis.null("string")
    start = ibis.memtable({"row": [0]})
    marks = ibis.union(
        filled_rows.select(
            **{_AT: filled_rows[NUMBER], _ABOVE: filled_rows[name], _LOST: nowhere}
        ),
        bad.select(**{_AT: bad.row, _ABOVE: nothing, _LOST: bad.row}),
        start.select(**{_AT: start.row, _ABOVE: nothing, _LOST: nowhere}),
    )
    filled = trimmed.asof_join(marks, trimmed[NUMBER] >= marks[_AT])
    message = (
        ibis.literal(f"column {name} is blank, and what stands above it may be in row ")
        + filled[_LOST].cast("string")
        + ", which could not be read"
    )
    problem = ibis.coalesce(filled[UNPREPARED], message)
    return filled.mutate(**{name: filled[_ABOVE], UNPREPARED: problem}).drop(_AT, _ABOVE, _LOST)


def _split(table: ir.Table, split: Split) -> ir.Table:
    """One row for each part; at least one."""
    cell, (by, *others) = table[split.column], split.by
    for other in others:
        cell = cell.replace(other, by)
    parts = cell.split(by).map(_trimmed).filter(lambda part: part.notnull())
    nothing = ibis.literal([None], "array<string>")
    parts = ibis.ifelse(parts.length() > 0, parts, nothing)
    return table.mutate(**{split.column: ibis.coalesce(parts, nothing)}).unnest(split.column)


def _extracted(table: ir.Table, extract: Extract) -> ir.Table:
    """Null where the cell is blank."""
    cell = table[extract.column]
    groups = {
        name: cell.re_extract(extract.pattern, number).nullif("")
        for name, number in extract.groups().items()
    }
    message = ibis.literal("'") + cell.substr(0, _SHOWN) + f"' in column {extract.column} is not "
    message += f"written as the pattern {extract.pattern}"
    unlike = ~cell.re_search(extract.pattern).fill_null(True)
    problem = ibis.coalesce(table[UNPREPARED], ibis.ifelse(unlike, message, ibis.null("string")))
    replaced = [n for n in groups if n.casefold() == extract.column.casefold()]
    table = table.mutate(
        **{UNPREPARED: problem}, **{_PART + n: part for n, part in groups.items()}
    )
    table = table.drop(extract.column) if replaced else table
    return table.rename({name: _PART + name for name in groups})

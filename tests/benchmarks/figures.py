"""A figure beside its target and its rival, and how a list of them is shown."""

import sys
from collections.abc import Iterable, Sequence
from enum import Enum
from typing import Final, Self

from pydantic import BaseModel
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

COLUMNS: Final = ("figure", "medkg", "target", "rival", "rival's", "ratio", "load")


_PLAIN_WIDTH: Final = 160
"""Columns of a table that goes to a file or a pipe."""


class Unit(Enum):
    """What a figure counts: its sign, how many of it go into one, decimals, more is better."""

    SECONDS = ("s", 1.0, 2, False)
    MILLISECONDS = ("ms", 1e3, 2, False)
    GIGABYTES = ("GB", 1e-9, 2, False)
    PER_SECOND = ("/s", 1.0, 0, True)
    MEGABYTES_PER_SECOND = ("MB/s", 1e-6, 1, True)
    SHARE = ("", 1.0, 3, True)

    def __init__(self, sign: str, scale: float, decimals: int, more_is_better: bool) -> None:
        self.sign = sign
        self.scale = scale
        self.decimals = decimals
        self.more_is_better = more_is_better

    def show(self, value: float) -> str:
        """The value with its sign, e.g. ``12.30 s``."""
        return f"{value * self.scale:,.{self.decimals}f} {self.sign}".rstrip()


class Figure(BaseModel, frozen=True, extra="forbid"):
    """One measurement; values in seconds, bytes or per second."""

    name: str
    unit: str
    """Name of a ``Unit``."""
    ours: float
    rival: str
    theirs: float | None
    """None where no rival does it."""
    load: tuple[float, float]
    """One-minute load average of the machine before and after the measurement of ours."""
    target: float | None = None

    @classmethod
    def of(
        cls,
        name: str,
        unit: Unit,
        ours: float,
        *,
        rival: str,
        theirs: float | None,
        load: tuple[float, float],
        target: float | None = None,
    ) -> Self:
        """A figure in that unit."""
        return cls(
            name=name,
            unit=unit.name,
            ours=ours,
            rival=rival,
            theirs=theirs,
            load=load,
            target=target,
        )

    @property
    def ratio(self) -> float | None:
        """How many times better than the rival."""
        if self.theirs is None:
            return None
        if Unit[self.unit].more_is_better:
            return self.ours / self.theirs
        return self.theirs / self.ours

    def cells(self) -> tuple[str, ...]:
        """The cells of ``COLUMNS``."""
        unit = Unit[self.unit]
        bound = "≥" if unit.more_is_better else "≤"
        return (
            self.name,
            unit.show(self.ours),
            "" if self.target is None else f"{bound} {unit.show(self.target)}",
            self.rival,
            "" if self.theirs is None else unit.show(self.theirs),
            "" if self.ratio is None else f"{self.ratio:.2f} times",
            " → ".join(f"{load:.1f}" for load in self.load),
        )


def draw(figures: Iterable[Figure]) -> None:
    """Print a table on the terminal."""
    table = Table(box=SIMPLE_HEAD, header_style="bold", pad_edge=False)
    for at, column in enumerate(COLUMNS):
        table.add_column(column, justify="left" if at in (0, 3) else "right")
    for figure in figures:
        table.add_row(*figure.cells())
    width = None if sys.stdout.isatty() else _PLAIN_WIDTH
    Console(highlight=False, width=width).print(table)


def as_markdown(figures: Sequence[Figure]) -> str:
    """The same table in Markdown."""
    rule = tuple("---" if at in (0, 3) else "--:" for at in range(len(COLUMNS)))
    rows = (COLUMNS, rule, *(figure.cells() for figure in figures))
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)

"""Tables and pictures of a report, as the page and the Markdown both show them."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from cypher.translation import translate
from evalsim.metrics import Bubble
from evalsim.statistics import Interval
from kg.printing import harmless

MISSING: Final = "—"
_NAMES: Final = {
    "ask": "ask about the drug",
    "contradicted": "contradicted itself",
    "details": "where and how bad",
    "en": "English",
    "history_taking": "history-taking",
    "open": "begin",
    "tell": "tell more",
    "zh": "Chinese",
}
"""What a value of a closed list is called where its name in the code says too little."""


@dataclass(frozen=True)
class Estimate:
    """A mean with its interval, and what else says how sure it is."""

    value: Interval
    """nan where it is not known."""
    bounds: tuple[float, float] | None = None
    """The mean with all that was not scored at 0, and at the highest; None: all was scored."""
    published: float | None = None
    """What the paper gives for the same model."""
    signed: bool = False
    """It is a difference, not a score in [0, 1]."""
    n: int | None = None
    """Of so many dialogues, where that is told."""

    def __str__(self) -> str:
        """``0.512 [0.480, 0.544]``, and the bounds in braces."""
        mean, low, high = self.value
        if not math.isfinite(mean):
            return MISSING
        sign = "+" if self.signed else ""
        text = f"{mean:{sign}.3f}"
        if math.isfinite(low):
            text += f" [{low:{sign}.3f}, {high:{sign}.3f}]"
        if self.bounds:
            lowest, highest = self.bounds
            text += f" {{{lowest:.3f}, {highest:.3f}}}"
        if self.n is not None:
            text += f", n = {self.n:,}"
        return text


@dataclass(frozen=True)
class Count:
    """A number of dialogues, with the filters that list them."""

    n: int
    of: int | None = None
    filters: Mapping[str, str] = field(default_factory=dict)
    """By name of the page's filter; none: they cannot be listed."""

    def __str__(self) -> str:
        """``12 (30 %)``."""
        return f"{self.n:,}" + (f" ({100 * self.n / self.of:.0f} %)" if self.of else "")


Cell = str | int | float | Estimate | Count | None


@dataclass(frozen=True)
class Table:
    """Rows under their heads; the first cell of a row says what it is about."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    folded: bool = False
    """Whether a page shows it only when it is asked for."""


@dataclass(frozen=True)
class Panels:
    """Figures 4 and 5 of the paper: a panel for each doctor."""

    title: str
    bubbles: Sequence[Bubble]


@dataclass(frozen=True)
class Section:
    """One subject, told, then shown."""

    id: str
    title: str
    text: Sequence[str] = ()
    tables: Sequence[Table] = ()
    pictures: Sequence[Panels] = ()


def value_name(value: str) -> str:
    """What a value of a closed list is called, in the language that is spoken."""
    return translate(_NAMES.get(value, value))


def plain(cell: Cell) -> str:
    """The text of a cell."""
    if cell is None:
        return ""
    if isinstance(cell, float):
        return f"{cell:.3f}" if math.isfinite(cell) else MISSING
    return f"{cell:,}" if isinstance(cell, int) else str(cell)


def limits(interval: Interval) -> str:
    """The ends of an interval."""
    _, low, high = interval
    return f"{low:.3f}–{high:.3f}" if math.isfinite(low) else MISSING  # noqa: RUF001 - the dash of ranges


def is_number(cell: Cell) -> bool:
    """Whether a cell stands at the right of its column."""
    return isinstance(cell, int | float | Estimate | Count)


def p_value(p: float) -> str:
    """A probability as articles print it."""
    if not math.isfinite(p):
        return MISSING
    return "< 0.001" if p < 0.001 else f"{p:.3f}"  # noqa: PLR2004 - as printed


def markdown(title: str, alarms: Sequence[str], sections: Sequence[Section]) -> str:
    """What is to be known first, and the sections, as GitHub's Markdown; pictures are the page's alone."""
    lines = [f"# {_inline(title)}", ""]
    if alarms:
        lines += [*(f"* {_inline(alarm)}" for alarm in alarms), ""]
    for section in sections:
        lines += [f"## {_inline(section.title)}", ""]
        for paragraph in section.text:
            lines += [_inline(paragraph), ""]
        for table in section.tables:
            lines += [f"**{_inline(table.title)}**", "", *_table(table), ""]
    return "\n".join(lines).rstrip() + "\n"


def _table(table: Table) -> list[str]:
    numeric = [
        bool(table.rows)
        and all(is_number(row[column]) or row[column] is None for row in table.rows)
        for column in range(len(table.columns))
    ]
    return [
        _row([_inline(each) for each in table.columns]),
        _row(["---:" if is_numeric else "---" for is_numeric in numeric]),
        *(_row([_inline(plain(cell)) for cell in row]) for row in table.rows),
    ]


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _inline(text: str) -> str:
    """A text as Markdown shows it: no line end, and nothing that is taken for markup."""
    escaped = harmless(" ".join(text.split()))
    for character in "\\`*_[]<>|#":
        escaped = escaped.replace(character, f"\\{character}")
    return escaped

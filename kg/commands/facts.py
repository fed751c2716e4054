"""Lays out an answer for people: no empty columns, publications as numbered references."""

from dataclasses import dataclass
from typing import Final

from cypher.translation import Section, spoken, title, translate
from kg.stores.store import Rows, Value
from kg.tables import SEPARATOR

_WORDS: Final = frozenset(
    {"area", "difficulty", "end_reason", "kind", "other_end_reason", "safety_flags", "violations"}
)
"""Columns of words of closed lists, which are told in the language that is spoken."""


@dataclass(frozen=True)
class Facts:
    """Rows for a table, and the references that their last column points at."""

    rows: Rows
    references: tuple[str, ...]
    """Reference n of the table is item n - 1."""
    empty: tuple[str, ...] = ()
    """Columns that were left out."""


def lay_out(rows: Rows) -> Facts:
    """Leave out columns that no row fills; number publications by first appearance.

    Names in the language that is spoken come before the English ones, and relations, types and words of
    closed lists are called as it calls them.
    """
    if not rows.rows:
        return Facts(rows, ())
    references: dict[str, int] = {}
    columns: dict[str, list[Value]] = {}
    empty: list[str] = []
    for at, name in enumerate(rows.columns):
        cells = [row[at] for row in rows.rows]
        if not any(cell not in (None, "", []) for cell in cells):
            empty.append(name)
            continue
        if name == "publications":
            columns["references"] = [_numbers(cell, references) for cell in cells]
        else:
            columns[name] = [_called(name, cell) for cell in cells]
    if "references" in columns:
        columns["references"] = columns.pop("references")
    names = [
        own for name in columns for own in (f"{name}_{spoken().code}", name) if own in columns
    ]
    ordered = {name: columns[name] for name in names}
    shown = Rows(tuple(ordered), tuple(zip(*ordered.values(), strict=True)), rows.truncated)
    return Facts(shown, tuple(references), tuple(empty))


def _called(column: str, cell: Value) -> Value:
    """A cell, in the language that is spoken where it is a relation, a type or of a closed list."""
    if column in _WORDS:
        if isinstance(cell, list):
            return [translate(str(each)) for each in cell]
        return translate(cell) if isinstance(cell, str) else cell
    sections: dict[str, Section] = {"relation": "relations", "type": "types"}
    section = sections.get(column.rpartition("_")[2])
    return title(section, cell) if section and isinstance(cell, str) else cell


def _numbers(publications: Value, references: dict[str, int]) -> str:
    """The numbers of a cell's publications, e.g. ``[1] [3]``; new ones are added."""
    cell_references = str(publications).split(SEPARATOR) if publications else []
    numbers = sorted(references.setdefault(one, len(references) + 1) for one in cell_references)
    return " ".join(f"[{number}]" for number in numbers)

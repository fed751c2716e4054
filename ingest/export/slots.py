"""Columns of a KGX file, as SQL: written as tab-separated text or as JSON lines.

Tab-separated text joins lists with ``|`` and has a record a line: a control character
becomes a space there, and a ``|`` in an item of a list a ``/``. Values that this changes
stand as they are, as JSON, in the column ``medkg_exact``.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Final

import duckdb

from ingest.export.growing import CONTROL, TSV, append, one_line
from ingest.sources.kgx.columns import EXACT

_LINE_ENDS: Final = (0x85, 0x2028, 0x2029)
"""Code points that JSON may have as they are, and that some take for the end of a line."""


class Form(Enum):
    """What a column holds."""

    TEXT = "text"
    WORD = "word"
    """A text without white space, such as an id."""
    ITEMS = "items"
    RAW = "raw"
    """A number, or true and false."""


@dataclass(frozen=True)
class Slot:
    """One column."""

    name: str
    value: str
    """SQL over the rows."""
    form: Form = Form.TEXT
    read_back: bool = True
    """Must come back as it was; False: made from other columns."""


class Sheet:
    """A file of KGX that grows by the rows of queries."""

    def __init__(self, db: duckdb.DuckDBPyConnection, path: Path) -> None:
        self._db = db
        self._path = path
        self._is_json = path.suffix == ".jsonl"

    def begin(self, slots: Sequence[Slot]) -> None:
        """Begin the file, tab-separated text with its header."""
        header = "\t".join([*(slot.name for slot in slots), EXACT]) + "\n"
        self._path.write_text("" if self._is_json else header, encoding="utf-8")

    def add(self, slots: Sequence[Slot], rows: str) -> None:
        """Add rows.

        Args:
            slots: named as those that the file begins with.
            rows: SQL from ``from`` on, with their order.
        """
        select, written = _json_lines(slots) if self._is_json else (_tsv_lines(slots), TSV)
        append(self._db, f"{select} {rows}", self._path, written)


def _tsv_lines(slots: Sequence[Slot]) -> str:
    return f"select {', '.join([*map(_tsv, slots), _exact(slots)])}"


def _json_lines(slots: Sequence[Slot]) -> tuple[str, str]:
    """Objects without what is null or empty: what to select, and how COPY is to write it."""
    members = ", ".join(map(_member, slots))
    # concat_ws passes over nulls; a line of JSON has no character of code 1, so none is quoted
    written = "format csv, delimiter '\x01', header false, quote '', escape ''"
    return f"select {_one_line(members)}", written


def _tsv(slot: Slot) -> str:
    match slot.form:
        case Form.TEXT:
            return f"nullif({one_line(slot.value)}, '')"
        case Form.ITEMS:
            item = f"replace({one_line('item')}, '|', '/')"
            cleaned = f"list_transform({slot.value}, lambda item: {item})"
            return f"nullif(array_to_string({cleaned}, '|'), '')"
        case Form.WORD | Form.RAW:
            return slot.value


def _exact(slots: Sequence[Slot]) -> str:
    """SQL of the values that tab-separated text would damage, null where there are none."""
    members = []
    for slot in slots:
        if not slot.read_back or slot.form in (Form.WORD, Form.RAW):
            continue
        if slot.form is Form.TEXT:
            damaged = f"{slot.value} = '' or regexp_matches({slot.value}, '{CONTROL}')"
        else:
            bad = f"item = '' or contains(item, '|') or regexp_matches(item, '{CONTROL}')"
            damaged = f"len(list_filter({slot.value}, lambda item: {bad})) > 0"
        members.append(f"case when {damaged} then {_named_json(slot)} end")
    # concat_ws passes over nulls
    return f"nullif({_one_line(', '.join(members))}, '{{}}')"


def _member(slot: Slot) -> str:
    if slot.form is Form.ITEMS:
        return f"case when len({slot.value}) > 0 then {_named_json(slot)} end"
    return _named_json(slot)


def _named_json(slot: Slot) -> str:
    return f"'\"{slot.name}\": ' || to_json({slot.value})::varchar"


def _one_line(members: str) -> str:
    """SQL of a JSON object that no reader takes for two lines."""
    line = f"'{{' || concat_ws(', ', {members}) || '}}'"
    for code in _LINE_ENDS:
        line = f"replace({line}, chr({code}), '\\u{code:04x}')"
    return line

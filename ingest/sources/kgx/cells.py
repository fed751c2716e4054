"""Values of KGX records, the same for tables and JSON lines.

A table joins the items of a list with ``|``; medkg's own put a value that this
would damage into the column ``medkg_exact``, which then goes before.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import ibis
import ibis.expr.types as ir

from ingest.sources.formats.delimited import NUMBER, RECORD
from ingest.sources.kgx.columns import EXACT
from ingest.sources.kgx.json_functions import (
    is_json,
    items_at,
    text_at,
    type_at,
    types_at,
    values_at,
)
from ingest.sources.parts import Workplace
from kg.tables import SEPARATOR

DAMAGE: Final = "@damage"
"""Column that says what keeps a record from being read, null for nothing."""

_VALUES: Final = "@values"
_JSON_TYPES: Final = {"OBJECT": "an object", "ARRAY": "a list", "BOOLEAN": "true or false"}
"""What JSON values are, by what the table engine calls them; the others are numbers."""
_ROOT: Final = "$"
"""Path of a whole JSON value."""


@dataclass(frozen=True)
class ColumnNames:
    """The columns of a file that are read."""

    name: str
    """What the file holds."""
    texts: Sequence[str]
    """Of one value; a list is joined with ``|``, and null where there is none."""
    lists: Sequence[str]
    """Of several; empty where there are none."""
    words: frozenset[str]
    """Those of both that hold nothing but texts, such as names."""


def of_table(rows: ir.Table, wanted: ColumnNames, place: Workplace) -> ir.Table:
    """The wanted columns of a table of strings, ``NUMBER`` and ``DAMAGE``."""

    def text(name: str) -> ir.Value:
        return rows[name] if name in rows.columns else ibis.null("string")

    def items(name: str) -> ir.Value:
        written = text(name).split(SEPARATOR).filter(lambda item: item != "")
        return ibis.coalesce(written, _none())

    if EXACT not in rows.columns or not rows[EXACT].notnull().any().execute():
        return _selected(rows, wanted, ibis.null("string"), text, items)

    exact = ibis.ifelse(is_json(rows[EXACT]), rows[EXACT], ibis.null("string"))

    def either(name: str, kept: ir.Value, written: ir.Value) -> ir.Value:
        return ibis.ifelse(type_at(exact, _path(name)).notnull(), kept, written)

    message = ibis.literal(f"the column {EXACT} holds no JSON")
    cells = _selected(
        rows,
        wanted,
        ibis.ifelse(rows[EXACT].notnull() & exact.isnull(), message, ibis.null("string")),
        lambda name: either(name, _text(exact, _path(name)), text(name)),
        lambda name: either(name, _items(exact, _path(name)), items(name)),
    )
    return place.kept(cells, "cells")


def of_json(rows: ir.Table, wanted: ColumnNames, place: Workplace) -> ir.Table:
    """The same of records that stand whole in ``RECORD``; each is taken apart once."""
    names = [*wanted.texts, *wanted.lists]
    paths = ibis.array([ibis.literal(_path(name)) for name in names])
    values = rows.select(NUMBER, **{_VALUES: values_at(rows[RECORD], paths)})
    apart = place.kept(values, "values")

    def value(name: str) -> ir.StringValue:
        return apart[_VALUES][names.index(name)].cast("string")

    wrong = [_no_text(value(name), name) for name in names if name in wanted.words]
    cells = _selected(
        apart,
        wanted,
        ibis.coalesce(*wrong, ibis.null("string")),
        lambda name: _text(value(name), _ROOT),
        lambda name: _items(value(name), _ROOT),
    )
    return place.kept(cells, "cells")


def _selected(
    rows: ir.Table,
    wanted: ColumnNames,
    damage: ir.StringValue,
    text: Callable[[str], ir.Value],
    items: Callable[[str], ir.Value],
) -> ir.Table:
    values = {name: text(name) for name in wanted.texts}
    values |= {name: items(name) for name in wanted.lists}
    return rows.select(NUMBER, **{DAMAGE: damage}, **values)


def _text(record: ir.StringValue, path: str) -> ir.StringValue:
    items = items_at(record, f"{path}[*]")
    joined = ibis.ifelse(items.length() > 0, items.join(SEPARATOR), ibis.null("string"))
    return ibis.ifelse(type_at(record, path) == "ARRAY", joined, text_at(record, path))


def _items(record: ir.StringValue, path: str) -> ir.ArrayValue:
    one = text_at(record, path)
    several = items_at(record, f"{path}[*]").filter(lambda item: item.notnull())
    alone = ibis.ifelse(one.isnull(), _none(), ibis.array([one]))
    return ibis.ifelse(type_at(record, path) == "ARRAY", several, alone)


def _no_text(value: ir.StringValue, name: str) -> ir.StringValue:
    """That a value, or an item of a list, is neither a text nor null; null if it is one."""
    types = ibis.ifelse(
        type_at(value, _ROOT) == "ARRAY",
        types_at(value, f"{_ROOT}[*]"),
        ibis.array([type_at(value, _ROOT)]),
    )
    other = types.filter(lambda kind: kind.notnull() & kind.notin(("VARCHAR", "NULL")))
    type_name = other[0].cases(*_JSON_TYPES.items(), else_="a number")
    message = ibis.literal(f"the field {name!r} holds ").concat(
        type_name, " where a text is expected"
    )
    return ibis.ifelse(other.length() > 0, message, ibis.null("string"))


def _path(name: str) -> str:
    return f'{_ROOT}."{name}"'


def _none() -> ir.ArrayValue:
    return ibis.literal([], "array<string>")

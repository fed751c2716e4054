"""Values of KGX records, alike for tables and JSON lines.

A table joins the items of a list with ``|``; medkg's own put a value that this
would damage into the column ``medkg_exact``, which then goes before.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import ibis
import ibis.expr.types as ir

from ingest.sources.formats.delimited import NUMBER, RECORD
from ingest.sources.kgx.columns import EXACT
from ingest.sources.kgx.json_functions import is_json, items_at, kind_at, text_at, values_at
from kg.tables import SEPARATOR

DAMAGE: Final = "@damage"
"""Column that says what keeps a record from being read, null for nothing."""

_VALUES: Final = "@values"
_WHOLE: Final = "$"
"""Path of a whole JSON value."""


@dataclass(frozen=True)
class Wanted:
    """The columns of a file that are read."""

    texts: Sequence[str]
    """Of one value; a list is joined with ``|``, and null where there is none."""
    lists: Sequence[str]
    """Of several; empty where there are none."""


def of_table(rows: ir.Table, wanted: Wanted) -> ir.Table:
    """The wanted columns of a table of strings, ``NUMBER``, ``RECORD`` and ``DAMAGE``."""
    given = rows[EXACT] if EXACT in rows.columns else ibis.null("string")
    exact = ibis.ifelse(is_json(given), given, ibis.null("string"))

    def either(name: str, kept: ir.Value, written: ir.Value) -> ir.Value:
        if EXACT not in rows.columns:
            return written
        return ibis.ifelse(kind_at(exact, _path(name)).notnull(), kept, written)

    def text(name: str) -> ir.Value:
        return either(name, _text(exact, _path(name)), _written(rows, name))

    def items(name: str) -> ir.Value:
        written = _written(rows, name).split(SEPARATOR).filter(lambda item: item != "")
        return either(name, _items(exact, _path(name)), ibis.coalesce(written, _none()))

    told = ibis.literal(f"the column {EXACT} holds no JSON")
    damage = ibis.ifelse(given.notnull() & exact.isnull(), told, ibis.null("string"))
    return _selected(rows, wanted, damage, text, items)


def of_json(engine: ibis.BaseBackend, rows: ir.Table, wanted: Wanted, work: Path) -> ir.Table:
    """The same of records that stand whole in ``RECORD``; each is taken apart once."""
    names = [*wanted.texts, *wanted.lists]
    paths = ibis.array([ibis.literal(_path(name)) for name in names])
    stored = work / "values.parquet"
    engine.to_parquet(rows.mutate(**{_VALUES: values_at(rows[RECORD], paths)}), stored)
    apart = engine.read_parquet(stored)

    def value(name: str) -> ir.StringValue:
        return apart[_VALUES][names.index(name)].cast("string")

    return _selected(
        apart,
        wanted,
        ibis.null("string"),
        lambda name: _text(value(name), _WHOLE),
        lambda name: _items(value(name), _WHOLE),
    )


def _selected(
    rows: ir.Table,
    wanted: Wanted,
    damage: ir.StringValue,
    text: Callable[[str], ir.Value],
    items: Callable[[str], ir.Value],
) -> ir.Table:
    values = {name: text(name) for name in wanted.texts}
    values |= {name: items(name) for name in wanted.lists}
    return rows.select(NUMBER, RECORD, **{DAMAGE: damage}, **values)


def _written(rows: ir.Table, name: str) -> ir.StringValue:
    return rows[name] if name in rows.columns else ibis.null("string")


def _text(record: ir.StringValue, path: str) -> ir.StringValue:
    items = items_at(record, f"{path}[*]")
    joined = ibis.ifelse(items.length() > 0, items.join(SEPARATOR), ibis.null("string"))
    return ibis.ifelse(kind_at(record, path) == "ARRAY", joined, text_at(record, path))


def _items(record: ir.StringValue, path: str) -> ir.ArrayValue:
    one = text_at(record, path)
    several = items_at(record, f"{path}[*]").filter(lambda item: item.notnull())
    alone = ibis.ifelse(one.isnull(), _none(), ibis.array([one]))
    return ibis.ifelse(kind_at(record, path) == "ARRAY", several, alone)


def _path(name: str) -> str:
    return f'{_WHOLE}."{name}"'


def _none() -> ir.ArrayValue:
    return ibis.literal([], "array<string>")

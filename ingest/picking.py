"""Picks values of a group by an order that every engine of Ibis can work out."""

import ibis
import ibis.expr.types as ir


def least(*columns: ir.Value) -> ir.Value:
    """The last of some columns, none of them null, where they are least from left to right."""
    return _together(columns).min()[_field(len(columns) - 1)]


def in_order(*columns: ir.Value) -> ir.ArrayValue:
    """The last of some columns, none of them null, of all rows by their order."""
    last = _field(len(columns) - 1)
    ordered: ir.ArrayValue = _together(columns).collect().sort()
    return ordered.map(lambda row: row[last])


def _together(columns: tuple[ir.Value, ...]) -> ir.StructValue:
    return ibis.struct({_field(at): column for at, column in enumerate(columns)})


def _field(at: int) -> str:
    return f"c{at}"

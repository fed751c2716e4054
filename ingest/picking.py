"""Picks values of a group by an order that every engine of Ibis can compute."""

import ibis
import ibis.expr.types as ir


def least(*columns: ir.Value) -> ir.Value:
    """The last column, in the row with the least values from left to right; no column has nulls."""
    return _together(columns).min()[_field(len(columns) - 1)]


def in_order(*columns: ir.Value) -> ir.ArrayValue:
    """The last column of all rows, ordered by all columns; no column has nulls."""
    last = _field(len(columns) - 1)
    ordered: ir.ArrayValue = _together(columns).collect().sort()
    return ordered.map(lambda row: row[last])


def _together(columns: tuple[ir.Value, ...]) -> ir.StructValue:
    return ibis.struct({_field(at): column for at, column in enumerate(columns)})


def _field(at: int) -> str:
    return f"c{at}"

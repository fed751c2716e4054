"""What one of HPO's annotation files gives."""

from collections.abc import Mapping
from dataclasses import dataclass

import ibis
import ibis.expr.types as ir

from ingest.sources.formats.delimited import UNREADABLE
from ingest.sources.writing import as_quarantine, unreadable


@dataclass(frozen=True)
class Part:
    """The two tables of a file, and its rows by original relation."""

    assertions: ir.Table
    quarantine: ir.Table
    rows: dict[str, int]


def quarantined(refused: ir.Table, bad: ir.Table, made: Mapping[str, str]) -> ir.Table:
    """The rows with a ``reason``, and those that could not be split into fields.

    Args:
        refused: rows with ``row``, ``original_relation``, ``reason`` and ``record``.
        bad: ``Rows.bad`` of the same file.
        made: ``source`` and ``file``.
    """
    fields = {
        "row": refused.row,
        "original_relation": refused.original_relation,
        "reason": refused.reason,
        "record": refused.record,
    }
    return ibis.union(
        as_quarantine(refused, {**made, **fields}),
        unreadable(bad, {**made, "original_relation": f"{made['file']} {UNREADABLE}"}),
    )

"""Rows that say nothing to the graph, by the million: one quarantined record for all of one kind.

A release has tens of millions of rows that the settings leave out or whose relation the
graph does not have. Of each kind, which is a word and a reason, one record stands in
quarantine: it has the number of its first row, the reason ends with how many rows there
are, and ``record`` is that number and the first of them. The accounts count it as one.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

import ibis
import ibis.expr.types as ir
import pyarrow as pa

from ingest.sources.writing import as_json, as_quarantine

_COLUMNS: Final = pa.schema(
    [("row", pa.int64()), ("word", pa.string()), ("reason", pa.string()), ("rows", pa.int64())]
)

Said = Callable[[str, str], str]
"""The sentence of a word and a reason."""


class LeftOut:
    """The kinds of rows of a file that were left out."""

    def __init__(self, *judged: ir.Table, said: Said = lambda _, reason: reason) -> None:
        """Find the kinds.

        Args:
            judged: rows with ``row``, ``word`` and, where they are left out, ``reason``; no row
                has a reason in two tables.
            said: what to say instead of ``reason``.
        """
        self._kinds = [
            kind | {"reason": f"{said(kind['word'], kind['reason'])} ({_number(kind['rows'])})"}
            for table in judged
            for kind in _kinds(table)
        ]

    def records(self) -> Counter[str]:
        """How many records it is, by word."""
        return Counter(kind["word"] for kind in self._kinds)

    def quarantine(
        self, rows: ir.Table, columns: Sequence[str], made: Mapping[str, str]
    ) -> ir.Table:
        """The records.

        Args:
            rows: the file's rows with ``row`` and ``columns``.
            columns: those of the file.
            made: ``source`` and ``file``.
        """
        kinds = ibis.memtable(pa.Table.from_pylist(self._kinds, _COLUMNS))
        first = rows.select(*columns, first_row=rows.row)
        first = first.inner_join(kinds, first.first_row == kinds.row)
        record = first.mutate(first=as_json(first, columns).cast("json"))
        return as_quarantine(
            record,
            {
                **made,
                "row": record.row,
                "original_relation": record.word,
                "reason": record.reason,
                "record": as_json(record, ("rows", "first")),
            },
        )


def _kinds(judged: ir.Table) -> Iterator[dict[str, Any]]:
    out = judged.filter(judged.reason.notnull())
    kinds = out.group_by("word", "reason").agg(row=out.row.min(), rows=out.count())
    yield from kinds.order_by("row").to_pyarrow().to_pylist()


def _number(rows: int) -> str:
    return f"{rows:,} row{'' if rows == 1 else 's'}"

"""Millions of rows that the graph does not use: one quarantined record for all with one reason.

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

Explain = Callable[[str, str], str]
"""Makes the full reason from a word and a reason."""


class LeftOut:
    """The rows of a file that were left out, grouped by word and reason."""

    def __init__(self, *checked: ir.Table, explain: Explain = lambda _, reason: reason) -> None:
        """Find the kinds.

        Args:
            checked: rows with ``row``, ``word`` and, where they are left out, ``reason``; no row
                has a reason in two tables.
            explain: what to say instead of ``reason``.
        """
        self._groups = [
            group
            | {"reason": f"{explain(group['word'], group['reason'])} ({_number(group['rows'])})"}
            for table in checked
            for group in _groups(table)
        ]

    def records(self) -> Counter[str]:
        """How many records it is, by word."""
        return Counter(group["word"] for group in self._groups)

    def quarantine(
        self, rows: ir.Table, columns: Sequence[str], made: Mapping[str, str]
    ) -> ir.Table:
        """The records.

        Args:
            rows: the file's rows with ``row`` and ``columns``.
            columns: those of the file.
            made: ``source`` and ``file``.
        """
        groups = ibis.memtable(pa.Table.from_pylist(self._groups, _COLUMNS))
        first = rows.select(*columns, first_row=rows.row)
        first = first.inner_join(groups, first.first_row == groups.row)
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


def _groups(checked: ir.Table) -> Iterator[dict[str, Any]]:
    left_out = checked.filter(checked.reason.notnull())
    groups = left_out.group_by("word", "reason").agg(row=left_out.row.min(), rows=left_out.count())
    yield from groups.order_by("row").to_pyarrow().to_pylist()


def _number(rows: int) -> str:
    return f"{rows:,} row{'' if rows == 1 else 's'}"

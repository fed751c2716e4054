"""JSON lines as rows: every line whole in ``RECORD``, for millions of them."""

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Final

import ibis
import ibis.expr.types as ir
import pyarrow as pa
import pyarrow.parquet as pq

from ingest.reading import check_columns, text_lines
from ingest.sources.formats.delimited import NUMBER, RECORD, Rows
from ingest.sources.kgx.json_functions import is_json, keys, kind_of, quoted

_BATCH: Final = 5_000
_SCHEMA: Final = pa.schema([(NUMBER, pa.int64()), (RECORD, pa.string())])


def json_lines(
    engine: ibis.BaseBackend, path: Path, required: Sequence[str], encoding: str, work: Path
) -> Rows:
    """Read a file of JSON objects, one a line; blank lines are no rows.

    Raises:
        SourceError: the file is missing, empty, cut off, in another encoding, or
            a required key is in none of its objects.
    """
    stored = work / "lines.parquet"
    with text_lines(path, encoding) as lines, pq.ParquetWriter(stored, _SCHEMA) as writer:
        for batch in _batches(enumerate(filter(str.strip, lines), 1)):
            rows, texts = zip(*batch, strict=True)
            table = pa.table([pa.array(rows), pa.array(map(str.strip, texts))], schema=_SCHEMA)
            writer.write_table(table)
    table = engine.read_parquet(stored)
    is_object = ibis.ifelse(is_json(table[RECORD]), kind_of(table[RECORD]) == "OBJECT", False)
    good, bad = table.filter(is_object), table.filter(~is_object)
    _check(path, good, required)
    return Rows(good, _bad(bad))


def _batches(lines: Iterator[tuple[int, str]]) -> Iterator[list[tuple[int, str]]]:
    while batch := list(islice(lines, _BATCH)):
        yield batch


def _check(path: Path, good: ir.Table, required: Sequence[str]) -> None:
    """See that the required keys are somewhere; a file without objects has nothing to miss."""
    have = keys(good[RECORD])
    some = good.agg(**{name: have.contains(name).any() for name in required}, first=have.first())
    (found,) = some.to_pyarrow().to_pylist()
    if found["first"] is not None:
        there = [name for name in required if found[name]]
        check_columns(path, [*there, *sorted(set(found["first"]) - set(there))], required)


def _bad(lines: ir.Table) -> ir.Table:
    text = lines[RECORD]
    reason = ibis.ifelse(
        is_json(text), "the line is JSON, but not an object", "the line is not JSON"
    )
    return lines.select(row=lines[NUMBER], reason=reason, record=quoted(text))

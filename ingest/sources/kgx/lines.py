"""JSON lines as rows: every line whole in ``RECORD``, for millions of them."""

from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Final

import ibis
import ibis.expr.types as ir
import pyarrow as pa
import pyarrow.parquet as pq

from ingest.reading import check_columns, text_lines
from ingest.sources.formats.delimited import NUMBER, RECORD, Rows
from ingest.sources.formats.json_files import CUT_OFF, is_truncated, parse_json
from ingest.sources.kgx.json_functions import is_json, json_type, keys, quoted

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
    cut_at = 0
    with (
        text_lines(path, encoding, cut=True) as lines,
        pq.ParquetWriter(stored, _SCHEMA) as writer,
    ):
        numbered = enumerate(filter(str.strip, lines), 1)
        while batch := list(islice(numbered, _BATCH)):
            rows, texts = zip(*batch, strict=True)
            cut_at = rows[-1] if _is_cut(texts[-1]) else 0
            table = pa.table([pa.array(rows), pa.array(map(str.strip, texts))], schema=_SCHEMA)
            writer.write_table(table)
    table = engine.read_parquet(stored)
    text = table[RECORD]
    is_object = ibis.ifelse(is_json(text), json_type(text) == "OBJECT", False)
    usable = is_object & (
        _repeated_keys(ibis.ifelse(is_object, text, ibis.null("string"))).length() == 0
    )
    good, bad = table.filter(usable), table.filter(~usable)
    _check_required(path, good, required)
    return Rows(good, _bad_lines(bad, cut_at))


def _is_cut(line: str) -> bool:
    """Whether a file ends within this line."""
    if line.endswith("\n"):
        return False
    try:
        parse_json(line)
    except (ValueError, RecursionError) as e:
        return is_truncated(e, line)
    return False


def _check_required(path: Path, good: ir.Table, required: Sequence[str]) -> None:
    """See that the required keys are somewhere; a file without objects has nothing to miss."""
    have = keys(good[RECORD])
    some = good.agg(**{name: have.contains(name).any() for name in required}, first=have.first())
    (checked,) = some.to_pyarrow().to_pylist()
    if checked["first"] is not None:
        present = [name for name in required if checked[name]]
        check_columns(path, [*present, *sorted(set(checked["first"]) - set(present))], required)


def _repeated_keys(record: ir.StringValue) -> ir.ArrayValue:
    """The keys that stand in an object more than once."""
    names = keys(record)
    return names.filter(lambda name: names.filter(lambda other: other == name).length() > 1)


def _bad_lines(lines: ir.Table, cut_at: int) -> ir.Table:
    """Lines that are no records, of which the one of that number has no end."""
    text = lines[RECORD]
    reason = ibis.cases(
        (~is_json(text) & (lines[NUMBER] == cut_at), f"the line is not JSON; {CUT_OFF}"),
        (~is_json(text), "the line is not JSON"),
        (json_type(text) != "OBJECT", "the line is JSON, but not an object"),
        else_=ibis.literal("the key '").concat(
            _repeated_keys(text)[0].substr(0, 200), "' is there twice in one object"
        ),
    )
    return lines.select(row=lines[NUMBER], reason=reason, record=quoted(text))

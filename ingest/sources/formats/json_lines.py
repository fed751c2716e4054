"""JSON lines as rows of strings: one object a line."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import ibis
import pyarrow as pa
import pyarrow.parquet as pq

from ingest.reading import check_columns, text_lines
from ingest.sources.formats.delimited import BAD_ROWS, NUMBER, RECORD, Rows, check_free
from ingest.sources.formats.json_text import CUT_OFF, RepeatedKeyError, breaks_off, kind_of, parsed
from kg.tables import SEPARATOR

_BATCH: Final = 20_000
_Row = dict[str, str | int | None]
_Object = tuple[int, str, dict[str, object]]
"""Its row, its line, and what the line says."""


def json_rows(
    engine: ibis.BaseBackend,
    path: Path,
    required: Sequence[str],
    encoding: str,
    work: Path,
    *,
    texts: Collection[str] = (),
) -> Rows:
    """Read a file of JSON objects; a list is joined with ``|``, blank lines are no rows.

    An object within one is no value of a column, so its row is a bad one.

    Args:
        engine: from ``table_engine``.
        path: the file, plain or .gz.
        required: keys that some object must have; the columns.
        encoding: of the file.
        work: folder for the rows as Parquet, which stays while they are used.
        texts: those of the keys that hold nothing but a text, such as names; a row in which
            one holds anything else is a bad one.

    Raises:
        SourceError: the file is missing, empty, in another encoding,
            or a required key is in none of its objects, or a name that ``Rows`` adds.
    """
    check_free(path, required)
    bad: list[_Row] = []
    keys: set[str] = set()
    stored = work / f"{path.name}.parquet"
    columns = [(name, pa.string()) for name in (*required, RECORD)]
    schema = pa.schema([*columns, (NUMBER, pa.int64())])
    with (
        text_lines(path, encoding, cut=True) as lines,
        pq.ParquetWriter(stored, schema) as writer,
    ):
        for batch in _batches(_objects(lines, bad)):
            keys.update(*(record for _, _, record in batch))
            rows: list[_Row] = []
            for row, line, record in batch:
                if reason := _unfit(record, required, texts):
                    bad.append(_bad(row, reason, line))
                else:
                    cells = {name: _text(record.get(name)) for name in required}
                    rows.append({**cells, NUMBER: row, RECORD: line})
            writer.write_table(pa.Table.from_pylist(rows, schema))
    if keys:
        columns_there = [name for name in required if name in keys]
        folded = {name.casefold() for name in columns_there}
        others = {key.casefold(): key for key in sorted(keys) if key.casefold() not in folded}
        check_columns(path, [*columns_there, *others.values()], required)
    good = engine.read_parquet(str(stored))
    return Rows(good, ibis.memtable(pa.Table.from_pylist(bad, BAD_ROWS)))


def _objects(lines: Iterator[str], bad: list[_Row]) -> Iterator[_Object]:
    records = (line for line in lines if line.strip())
    for row, line in enumerate(records, 1):
        try:
            record = parsed(line)
        except (ValueError, RecursionError) as e:
            reason = str(e) if isinstance(e, RepeatedKeyError) else f"the line is not JSON: {e}"
            if not line.endswith("\n") and breaks_off(e, line):
                reason = f"{reason}; {CUT_OFF}"
        else:
            if isinstance(record, dict):
                yield row, line.strip(), record
                continue
            reason = "the line is JSON, but not an object"
        bad.append(_bad(row, reason, line))


def _bad(row: int, reason: str, line: str) -> _Row:
    return {"row": row, "reason": reason, "record": json.dumps(line, ensure_ascii=False)}


def _unfit(
    record: Mapping[str, object], required: Sequence[str], texts: Collection[str]
) -> str | None:
    """Why an object is no row: a column of it holds what no column can, or is there twice."""
    folded = {name.casefold() for name in required}
    alike: dict[str, str] = {}
    for key in record:
        if key.casefold() in folded and (other := alike.setdefault(key.casefold(), key)) != key:
            return f"the keys {other!r} and {key!r} are one name"
    for name in required:
        value = record.get(name)
        members = value if isinstance(value, list) else [value]
        if name in texts and value is not None and not isinstance(value, str):
            return f"the column {name!r} holds {kind_of(value)} where a text is expected"
        for member in members:
            if isinstance(member, dict | list):
                within = " in a list" if isinstance(value, list) else ""
                return f"the column {name!r} holds {kind_of(member)}{within}, which is no value"
    return None


def _batches(records: Iterator[_Object]) -> Iterator[list[_Object]]:
    batch = []
    for record in records:
        batch.append(record)
        if len(batch) >= _BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def _text(value: object) -> str | None:
    if value is None or value in ("", []):
        return None
    if isinstance(value, list):
        return SEPARATOR.join(filter(None, map(_text, value)))
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)

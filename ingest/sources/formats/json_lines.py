"""JSON lines as rows of strings: one object a line."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import ibis
import pyarrow as pa
import pyarrow.parquet as pq

from ingest.reading import check_columns, text_lines
from ingest.sources.formats.delimited import BAD_ROWS, NUMBER, RECORD, Rows, check_free
from ingest.sources.formats.json_text import parsed
from kg.tables import SEPARATOR

_BATCH: Final = 20_000
_Row = dict[str, str | int | None]
_Object = tuple[int, str, dict[str, object]]
"""Its row, its line, and what the line says."""


def json_rows(
    engine: ibis.BaseBackend, path: Path, required: Sequence[str], encoding: str, work: Path
) -> Rows:
    """Read a file of JSON objects; a list is joined with ``|``, blank lines are no rows.

    Raises:
        SourceError: the file is missing, empty, cut off, in another encoding,
            or a required key is in none of its objects, or a name that ``Rows`` adds.
    """
    check_free(path, required)
    bad: list[_Row] = []
    keys: set[str] = set()
    stored = work / f"{path.name}.parquet"
    texts = [(name, pa.string()) for name in (*required, RECORD)]
    schema = pa.schema([*texts, (NUMBER, pa.int64())])
    with text_lines(path, encoding) as lines, pq.ParquetWriter(stored, schema) as writer:
        for batch in _batches(_objects(lines, bad)):
            keys.update(*(record for _, _, record in batch))
            rows = [
                {name: _text(record.get(name)) for name in required} | {NUMBER: row, RECORD: line}
                for row, line, record in batch
            ]
            writer.write_table(pa.Table.from_pylist(rows, schema))
    if keys:
        check_columns(path, sorted(keys), required)
    good = engine.read_parquet(str(stored))
    return Rows(good, ibis.memtable(pa.Table.from_pylist(bad, BAD_ROWS)))


def _objects(lines: Iterator[str], bad: list[_Row]) -> Iterator[_Object]:
    records = (line for line in lines if line.strip())
    for row, line in enumerate(records, 1):
        try:
            record = parsed(line)
        except (ValueError, RecursionError) as e:
            reason = f"the line is not JSON: {e}"
        else:
            if isinstance(record, dict):
                yield row, line.strip(), record
                continue
            reason = "the line is JSON, but not an object"
        bad.append({"row": row, "reason": reason, "record": json.dumps(line, ensure_ascii=False)})


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

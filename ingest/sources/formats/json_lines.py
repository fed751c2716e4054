"""JSON lines as a table of strings: one object a line."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

import ibis
import pyarrow as pa
import pyarrow.parquet as pq

from ingest.reading import check_columns, text_lines
from ingest.sources.formats.delimited import BAD_ROWS, NUMBER, RECORD, Rows, check_free
from ingest.sources.formats.json_files import (
    CUT_OFF,
    is_truncated,
    json_type,
    parse_json,
    parse_problem,
)
from kg.tables import SEPARATOR

_BATCH: Final = 20_000
_Row = dict[str, str | int | None]


class _Object(NamedTuple):
    """A line that is an object."""

    row: int
    line: str
    fields: dict[str, object]


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

    An object within an object is no value of a column, so its row is a bad one.

    Args:
        engine: from ``table_engine``.
        path: the file, plain or .gz.
        required: keys that some object must have; the columns.
        encoding: of the file.
        work: folder for the rows as Parquet, which stays while they are used.
        texts: those of the keys whose values must be texts, such as names; a row with any
            other value there is a bad one.

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
        objects = _objects(lines, bad)
        while batch := list(islice(objects, _BATCH)):
            keys.update(*(each.fields for each in batch))
            rows: list[_Row] = []
            for each in batch:
                if reason := _problem(each.fields, required, texts):
                    bad.append(_bad_row(each.row, reason, each.line))
                else:
                    cells = {name: _text(each.fields.get(name)) for name in required}
                    rows.append({**cells, NUMBER: each.row, RECORD: each.line})
            writer.write_table(pa.Table.from_pylist(rows, schema))
    if keys:
        present = [name for name in required if name in keys]
        folded = {name.casefold() for name in present}
        others = {key.casefold(): key for key in sorted(keys) if key.casefold() not in folded}
        check_columns(path, [*present, *others.values()], required)
    good = engine.read_parquet(str(stored))
    return Rows(good, ibis.memtable(pa.Table.from_pylist(bad, BAD_ROWS)))


def _objects(lines: Iterator[str], bad: list[_Row]) -> Iterator[_Object]:
    """The lines that are objects; all others are added to ``bad``."""
    for row, line in enumerate(filter(str.strip, lines), 1):
        try:
            value = parse_json(line)
        except (ValueError, RecursionError) as e:
            reason = parse_problem(e, "the line is ")
            if not line.endswith("\n") and is_truncated(e, line):
                reason = f"{reason}; {CUT_OFF}"
        else:
            if isinstance(value, dict):
                yield _Object(row, line.strip(), value)
                continue
            reason = "the line is JSON, but not an object"
        bad.append(_bad_row(row, reason, line))


def _bad_row(row: int, reason: str, line: str) -> _Row:
    return {"row": row, "reason": reason, "record": json.dumps(line, ensure_ascii=False)}


def _problem(
    fields: Mapping[str, object], required: Sequence[str], texts: Collection[str]
) -> str | None:
    """Why an object is no row: a column has a value that no column can have, or occurs twice."""
    folded = {name.casefold() for name in required}
    by_folded: dict[str, str] = {}
    for key in fields:
        if (
            key.casefold() in folded
            and (other := by_folded.setdefault(key.casefold(), key)) != key
        ):
            return f"the keys {other!r} and {key!r} are one name"
    for name in required:
        value = fields.get(name)
        members = value if isinstance(value, list) else [value]
        if name in texts and value is not None and not isinstance(value, str):
            return f"the column {name!r} holds {json_type(value)} where a text is expected"
        for member in members:
            if isinstance(member, dict | list):
                within = " in a list" if isinstance(value, list) else ""
                return f"the column {name!r} holds {json_type(member)}{within}, which is no value"
    return None


def _text(value: object) -> str | None:
    if value is None or value in ("", []):
        return None
    if isinstance(value, list):
        return SEPARATOR.join(filter(None, map(_text, value)))
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)

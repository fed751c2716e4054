"""The triples of a file, of whatever form, as one table."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import ibis
import ibis.expr.types as ir
import pyarrow as pa
import pyarrow.parquet as pq

from ingest.identity import mint
from ingest.reading import check_columns
from ingest.sources.cmekg.json_triples import COLUMNS, NotATriple, Triple, triples
from ingest.sources.formats.delimited import BAD_ROWS, NUMBER, RECORD, delimited_rows
from ingest.sources.formats.json_files import json_values
from ingest.sources.formats.tabular import TableFile, column_names
from ingest.sources.relations import RelationMap
from ingest.sources.writing import record_json

PARTS: Final = (
    "head",
    "relation",
    "tail",
    "head_type",
    "tail_type",
    "text",
    "section",
    "evidence",
)
"""Columns of ``Triples.good`` beside ``row`` and ``record``. ``section`` is the id of the
text that says so, ``evidence`` the place of the tail in it."""

_BARE: Final = ("head", "relation", "tail")
"""The columns of a table that has no header."""
_BATCH: Final = 20_000
_SCHEMA: Final = pa.schema(
    [("row", pa.int64()), *((name, pa.string()) for name in (*PARTS, "record"))]
)


@dataclass(frozen=True)
class Triples:
    """What a file has."""

    good: ir.Table
    bad: ir.Table
    """``row``, ``reason`` and ``record`` of what is no triple."""


def json_table(
    engine: ibis.BaseBackend, path: Path, encoding: str, source: str, work: Path
) -> Triples:
    """The triples of a JSON file; a row is a triple, or what is there instead of one.

    Raises:
        SourceError: the file cannot be read.
    """
    stored = work / f"{path.name}.parquet"
    bad: list[dict[str, Any]] = []
    batch: list[dict[str, Any]] = []
    with pq.ParquetWriter(stored, _SCHEMA) as writer:
        for row in _json_rows(path, encoding, source):
            (bad if "reason" in row else batch).append(row)
            if len(batch) >= _BATCH:
                writer.write_table(pa.Table.from_pylist(batch, _SCHEMA))
                batch.clear()
        writer.write_table(pa.Table.from_pylist(batch, _SCHEMA))
    return Triples(
        engine.read_parquet(str(stored)), ibis.memtable(pa.Table.from_pylist(bad, BAD_ROWS))
    )


def _json_rows(path: Path, encoding: str, source: str) -> Iterator[dict[str, Any]]:
    row = 0
    for value in json_values(path, encoding):
        items = [NotATriple(value.problem)] if value.problem else triples(value.value)
        for item in items:
            row += 1
            if isinstance(item, NotATriple):
                record = record_json({"value": value.value})
                yield {"row": row, "reason": item.reason, "record": record}
            else:
                yield _json_row(row, item, source)


def _json_row(row: int, triple: Triple, source: str) -> dict[str, Any]:
    record = json.dumps(triple[:3], ensure_ascii=False)
    fields: dict[str, Any] = triple._asdict() | {"row": row, "record": record}
    if triple.text is None:
        return fields
    section = mint("Section", f"{source} {triple.text}")
    evidence = f"{section}{_place(triple.tail, triple.text)}" if section else None
    return fields | {"section": section, "evidence": evidence}


def _place(tail: str, text: str) -> str:
    """Where the tail stands in its text, as a word rather than within one; empty if nowhere."""
    written = re.escape(tail)
    for pattern in (rf"\b{written}\b", rf"\b{written}", written):
        if tail and (match := re.search(pattern, text)):
            return f"#char={match.start()},{match.end()}"
    return ""


def delimited_table(
    engine: ibis.BaseBackend, file: TableFile, relations: RelationMap, work: Path
) -> Triples:
    """The triples of a table; without a header its columns are head, relation and tail.

    Raises:
        SourceError: the file cannot be read, or its header lacks one of them.
    """
    dialect, header = file.dialect(), column_names(file)
    if len(header) <= len(_BARE) and header & set(relations.words()):
        dialect, header = replace(dialect, columns=_BARE), frozenset(_BARE)
    names = {
        part: next((name for name in spellings if name in header), None)
        for part, spellings in COLUMNS.items()
    }
    missing = [part for part in _BARE if names[part] is None]
    check_columns(file.file, sorted(header), missing, dialect.delimiter)
    present = [name for name in names.values() if name]
    rows = delimited_rows(engine, file.file, present, dialect, work)
    columns = {
        part: rows.good[name] if (name := names.get(part)) else ibis.null("string")
        for part in PARTS
    }
    good = rows.good.select(row=rows.good[NUMBER], record=rows.good[RECORD], **columns)
    return Triples(good, rows.bad)

"""A table of a user's in any format that medkg reads: CSV, TSV, Excel, JSON lines or Parquet."""

import csv
import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Final, Literal, NamedTuple, Self, TypeVar

import ibis
import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import BaseModel, Field, model_validator

from cypher.translation import translate
from ingest.reading import check_columns, ending, existing_file, text_lines
from ingest.sources.formats.delimited import (
    BAD_ROWS,
    NUMBER,
    RECORD,
    Dialect,
    Rows,
    check_free,
    delimited_rows,
    not_parquet,
    parquet_rows,
)
from ingest.sources.formats.json_files import json_type, line_value
from ingest.sources.formats.workbook import workbook_columns, workbook_rows
from kg.errors import SourceError
from kg.tables import SEPARATOR

Format = Literal["csv", "tsv", "xlsx", "jsonl", "parquet"]
_Format = TypeVar("_Format", bound=str)

_BATCH: Final = 20_000

_ENDINGS: Final[dict[str, Format]] = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".xlsx": "xlsx",
    ".xlsm": "xlsx",
    ".xls": "xlsx",  # whose reader says what to do
    ".ods": "xlsx",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
}


class TableFile(BaseModel, frozen=True, extra="forbid", use_attribute_docstrings=True):
    """Where a table is, and how it is written."""

    file: Path
    """The table; text formats plain or .gz."""
    format: Format | None = None
    """Format of the file; found by its ending if not given."""
    delimiter: str | None = Field(default=None, min_length=1, max_length=1)
    """Separator of CSV and TSV; comma and tab if not given."""
    quote: str | None = Field(default=None, max_length=1)
    """Quotation mark of CSV and TSV; ``"`` for CSV and none for TSV if not given, empty for none."""
    comment: str = ""
    """Lines at the top of CSV and TSV that begin with it are passed over."""
    header_row: int = Field(default=1, ge=1)
    """Of Excel, CSV and TSV: which row (line) has the names of the columns; those above it
    are passed over."""
    sheet: str | None = Field(default=None, min_length=1, coerce_numbers_to_str=True)
    """Name of the Excel sheet; the first that is not hidden if not given."""
    encoding: str = "utf-8"
    """Encoding of the text formats, by its Python name, e.g. gb18030."""

    def written(self) -> Format:
        """The format.

        Raises:
            SourceError: neither the settings nor the ending determine it.
        """
        return self.format or format_by_ending(self.file, _ENDINGS)

    @model_validator(mode="after")
    def _suits_the_format(self) -> Self:
        if self.sheet is not None and self.format != "xlsx" and not self._ends_in("xlsx"):
            raise ValueError("'sheet' is for Excel's .xlsx; take it out")
        if self.header_row > 1 and (
            self.format in ("jsonl", "parquet")
            or (self.format is None and self._ends_in("jsonl", "parquet"))
        ):
            raise ValueError("'header_row' is for Excel, CSV and TSV; take it out")
        return self

    def _ends_in(self, *formats: Format) -> bool:
        return _ENDINGS.get(ending(self.file)) in formats

    def dialect(self) -> Dialect:
        """How the text of CSV or TSV is written."""
        tabs = self.written() == "tsv"
        quote = self.quote if self.quote is not None else ("" if tabs else '"')
        delimiter = self.delimiter or ("\t" if tabs else ",")
        return Dialect(delimiter, quote, self.comment, self.encoding, above=self.header_row - 1)


def format_by_ending(path: Path, formats: Mapping[str, _Format]) -> _Format:
    """The format of a file by the ending of its name.

    Args:
        path: plain or .gz.
        formats: by ending.

    Raises:
        SourceError: it is none of them.
    """
    if (written := formats.get(ending(path))) is None:
        *others, last = dict.fromkeys(formats.values())
        raise SourceError(
            translate(
                "{path}: the ending tells no format; set 'format' to {names} or {last}",
                path=path,
                names=", ".join(others),
                last=last,
            )
        )
    return written


def table_rows(
    engine: ibis.BaseBackend,
    table: TableFile,
    columns: Sequence[str],
    work: Path,
    texts: Collection[str] = (),
) -> Rows:
    """The rows of a table.

    Args:
        engine: from ``table_engine``.
        table: the table.
        columns: that must be there.
        work: folder for copies, which stay while the rows are used.
        texts: those of the columns whose values must be texts, where the format has types.

    Raises:
        SourceError: the file cannot be read so, or lacks a column.
    """
    match table.written():
        case "jsonl":
            return _json_rows(engine, table.file, columns, table.encoding, work, texts=texts)
        case "parquet":
            return parquet_rows(engine, table.file, columns)
        case "xlsx":
            return workbook_rows(engine, table.file, columns, table.sheet, table.header_row, work)
        case "csv" | "tsv":
            return delimited_rows(engine, table.file, columns, table.dialect(), work)


_Row = dict[str, str | int | None]


class _Object(NamedTuple):
    """A line that is an object."""

    row: int
    line: str
    fields: dict[str, object]


def _json_rows(
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
            keys.update(*(object_.fields for object_ in batch))
            rows: list[_Row] = []
            for object_ in batch:
                if reason := _problem(object_.fields, required, texts):
                    bad.append(_bad_row(object_.row, reason, object_.line))
                else:
                    cells = {name: _text(object_.fields.get(name)) for name in required}
                    rows.append({**cells, NUMBER: object_.row, RECORD: object_.line})
            writer.write_table(pa.Table.from_pylist(rows, schema))
    if keys:
        present = [name for name in required if name in keys]
        required_folded = {name.casefold() for name in present}
        further = {
            key.casefold(): key for key in sorted(keys) if key.casefold() not in required_folded
        }
        check_columns(path, [*present, *further.values()], required)
    good = engine.read_parquet(str(stored))
    return Rows(good, ibis.memtable(pa.Table.from_pylist(bad, BAD_ROWS)))


def _objects(lines: Iterator[str], bad: list[_Row]) -> Iterator[_Object]:
    """The lines that are objects; all others are added to ``bad``."""
    for row, line in enumerate(filter(str.strip, lines), 1):
        parsed = line_value(line, row, last=not line.endswith("\n"), subject="the line is ")
        if parsed.problem is None and isinstance(parsed.value, dict):
            yield _Object(row, line.strip(), parsed.value)
        else:
            bad.append(
                _bad_row(row, parsed.problem or "the line is JSON, but not an object", line)
            )


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


def column_names(table: TableFile) -> frozenset[str]:
    """The columns that a table has; of JSON lines, the keys of all its objects.

    Raises:
        SourceError: the file is missing, empty, cut off, or in another encoding.
    """
    if table.written() == "parquet":
        return _parquet_names(table.file)
    if table.written() == "xlsx":
        return frozenset(workbook_columns(table.file, table.sheet, table.header_row))
    with text_lines(table.file, table.encoding, cut=table.written() == "jsonl") as lines:
        if table.written() == "jsonl":
            return frozenset(_keys(lines))
        dialect = table.dialect()
        for _ in range(dialect.above):
            next(lines, None)
        header = (
            line for line in lines if not (dialect.comment and line.startswith(dialect.comment))
        )
        rows = csv.reader(
            header,
            delimiter=dialect.delimiter,
            quotechar=dialect.quote or None,
            quoting=csv.QUOTE_MINIMAL if dialect.quote else csv.QUOTE_NONE,
        )
        return frozenset(next(rows, ()))


def _parquet_names(path: Path) -> frozenset[str]:
    try:
        return frozenset(pq.read_schema(existing_file(path)).names)
    except pa.ArrowException as e:
        raise SourceError(not_parquet(path, e)) from e


def _keys(lines: Iterable[str]) -> Iterator[str]:
    """The keys of all objects; other lines are reported when the rows are read."""
    for line in filter(str.strip, lines):
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(record, dict):
            yield from record

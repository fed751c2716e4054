"""A table of a user's in any format that medkg reads: CSV, TSV, Excel, JSON lines or Parquet."""

import csv
import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, Literal, Self, TypeVar

import ibis
import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import BaseModel, Field, model_validator

from ingest.reading import ending, existing_file, text_lines
from ingest.sources.formats.delimited import (
    Dialect,
    Rows,
    delimited_rows,
    not_parquet,
    parquet_rows,
)
from ingest.sources.formats.json_lines import json_rows
from ingest.sources.formats.workbook import workbook_columns, workbook_rows
from kg.errors import SourceError

Format = Literal["csv", "tsv", "xlsx", "jsonl", "parquet"]
_Format = TypeVar("_Format", bound=str)

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
            f"{path}: the ending tells no format; set 'format' to {', '.join(others)} or {last}"
        )
    return written


def table_rows(
    engine: ibis.BaseBackend,
    given: TableFile,
    columns: Sequence[str],
    work: Path,
    texts: Collection[str] = (),
) -> Rows:
    """The rows of a table.

    Args:
        engine: from ``table_engine``.
        given: the table.
        columns: that must be there.
        work: folder for copies, which stay while the rows are used.
        texts: those of the columns whose values must be texts, where the format has types.

    Raises:
        SourceError: the file cannot be read so, or lacks a column.
    """
    match given.written():
        case "jsonl":
            return json_rows(engine, given.file, columns, given.encoding, work, texts=texts)
        case "parquet":
            return parquet_rows(engine, given.file, columns)
        case "xlsx":
            return workbook_rows(engine, given.file, columns, given.sheet, given.header_row, work)
        case "csv" | "tsv":
            return delimited_rows(engine, given.file, columns, given.dialect(), work)


def column_names(given: TableFile) -> frozenset[str]:
    """The columns that a table has; of JSON lines, the keys of all its objects.

    Raises:
        SourceError: the file is missing, empty, cut off, or in another encoding.
    """
    if given.written() == "parquet":
        return _parquet_names(given.file)
    if given.written() == "xlsx":
        return frozenset(workbook_columns(given.file, given.sheet, given.header_row))
    with text_lines(given.file, given.encoding, cut=given.written() == "jsonl") as lines:
        if given.written() == "jsonl":
            return frozenset(_keys(lines))
        dialect = given.dialect()
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

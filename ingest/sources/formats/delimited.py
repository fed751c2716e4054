"""Rows of tables: delimited text and Parquet as tables of strings with record numbers.

Delimited text goes through DuckDB into a Parquet file of strings, so that a
table of millions of rows never stands in memory. A row that does not fit the
header (too few fields, an unclosed quote) is kept with its number and the
reason.
"""

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp
from typing import Final

import duckdb
import ibis
import ibis.expr.types as ir
import pyarrow as pa

from cypher.translation import translate
from ingest.reading import (
    check_columns,
    decoding_errors,
    existing_file,
    plain_copy,
    undecodable,
)
from ingest.sources.writing import as_json
from kg.errors import SourceError

LONGEST_LINE: Final = 8 * 1024 * 1024
"""Bytes; a longer line is quarantined."""

NUMBER: Final = "@row"
"""Column of the record number; users' tables are unlikely to have one of this name."""

RECORD: Final = "@record"
"""Column of the whole row as JSON, whatever columns a mapping names."""

_WHOLE: Final = "@whole"
_PLACE: Final = "file_row_number"
"""DuckDB's, from 0."""

UNREADABLE: Final = "unreadable row"
"""``original_relation`` of a row that could not be split into fields."""

BAD_ROWS: Final = pa.schema(
    [("row", pa.int64()), ("reason", pa.string()), ("record", pa.string())]
)
"""Columns of ``Rows.bad``."""

_HEADER: Final = 1024 * 1024
_LINE_ENDS: Final = "lines end in different ways (CR, LF, CR LF), or a CR stands inside a line"
_REASONS: Final = {
    "MISSING COLUMNS": "the row has fewer fields than the header",
    "TOO MANY COLUMNS": "the row has more fields than the header",
    "UNQUOTED VALUE": "a quoted field is not closed, or text follows its closing quote",
    "LINE SIZE OVER MAXIMUM": f"the line is longer than {LONGEST_LINE:,} bytes",
}


@dataclass(frozen=True)
class Dialect:
    """How a delimited file is written."""

    delimiter: str = ","
    quote: str = '"'
    """Empty: no character is special."""
    comment: str = ""
    """Lines at the top that begin with it are not rows; empty: there are none."""
    encoding: str = "utf-8"
    columns: tuple[str, ...] = ()
    """Of a file without a header line; empty: the first line names them."""
    above: int = 0
    """Lines at the top that are passed over, whatever they begin with."""


TAB_SEPARATED: Final = Dialect(delimiter="\t", quote="")


@dataclass(frozen=True)
class Rows:
    """A file's rows."""

    good: ir.Table
    """The file's columns as strings (empty is null), ``RECORD``, and ``NUMBER`` from 1.
    Blank lines are no rows, but those before a bad row make its number greater."""
    bad: ir.Table
    """``row``, ``reason`` and ``record`` (JSON) of the rows that do not fit the header."""


def delimited_rows(
    engine: ibis.BaseBackend, path: Path, required: Sequence[str], dialect: Dialect, work: Path
) -> Rows:
    """Read a delimited file, with a header line unless the dialect names the columns.

    Args:
        engine: from ``table_engine``.
        path: the file, plain or .gz.
        required: columns that must be there; others may be.
        dialect: how the file is written.
        work: folder for a plain UTF-8 copy and the rows as Parquet, in a folder of their own,
            as several files may have one name; both stay while the tables are used.

    Raises:
        SourceError: the file is missing, empty, cut off, in another encoding,
            or its header repeats or lacks a column, or its first row has not
            the columns that the dialect names.
    """
    own = Path(mkdtemp(dir=work))
    plain = plain_copy(path, dialect.encoding, own)
    names, comments = _header(path, plain, dialect)
    has_header = not dialect.columns
    if dialect.columns:
        _check_first_row(path, names, dialect)
        names = list(dialect.columns)
    check_columns(path, names, required, dialect.delimiter)
    check_free(path, names)
    stored = own / "rows.parquet"
    text = engine.con.read_csv(
        str(plain),
        header=has_header,
        skiprows=comments,
        sep=dialect.delimiter,
        quotechar=dialect.quote,
        escapechar=dialect.quote,
        columns=dict.fromkeys(names, "VARCHAR"),
        auto_detect=False,
        store_rejects=True,
        max_line_size=LONGEST_LINE,
        buffer_size=4 * LONGEST_LINE,
    )
    try:
        text.to_parquet(str(stored), compression="lz4_raw")
    except duckdb.InvalidInputException as e:
        why = _first_line(e)
        if "invalid state" in why:
            why = _LINE_ENDS
        raise SourceError(
            translate("{path}: {why}; correct the file", path=path, why=translate(why))
        ) from e
    bad = _bad_rows(engine, path, plain, dialect, comments + has_header)
    return Rows(_numbered(engine, stored, names, bad), ibis.memtable(bad))


def parquet_rows(engine: ibis.BaseBackend, path: Path, required: Sequence[str]) -> Rows:
    """Read the required columns of a Parquet file as strings, and its rows as records.

    Raises:
        SourceError: the file is missing, not Parquet, or lacks a column.
    """
    table = parquet_table(engine, path, required)
    check_free(path, required)
    columns = {name: table[name].cast("string").nullif("") for name in dict.fromkeys(required)}
    names = [name for name in table.columns if name != NUMBER]
    columns |= {NUMBER: table[NUMBER], RECORD: as_json(table, names)}
    return Rows(table.select(**columns), ibis.memtable(BAD_ROWS.empty_table()))


def parquet_table(engine: ibis.BaseBackend, path: Path, required: Sequence[str]) -> ir.Table:
    """A Parquet file with its columns as they are, and ``NUMBER`` from 1.

    Raises:
        SourceError: the file is missing, not Parquet, or lacks a column.
    """
    try:
        table = engine.read_parquet(str(existing_file(path)), file_row_number=True)
    except duckdb.Error as e:
        raise SourceError(not_parquet(path, e)) from e
    check_columns(path, [name for name in table.columns if name != _PLACE], required)
    return table.mutate(**{NUMBER: table[_PLACE] + 1}).drop(_PLACE)


def not_parquet(path: Path, error: Exception) -> str:
    """The message for a file that is not Parquet."""
    why = " ".join(_first_line(error).split())
    return f"{path}: not a Parquet file ({why}); correct its path or format in the configuration"


def with_record(some: ir.Table, number: str, rows: ir.Table) -> ir.Table:
    """Add the column ``record`` to a table: the row of a file that each row refers to, as JSON.

    For tables with few of the rows of a large file: JSON is made of these rows only.

    Args:
        some: the table.
        number: its column with the record number.
        rows: of the file, as ``Rows.good``.
    """
    names = [name for name in rows.columns if name not in (NUMBER, RECORD)]
    # a struct costs nothing until it is made into JSON, after the join
    whole = ibis.struct({name: rows[name] for name in names}) if names else rows[RECORD]
    joined = some.join(rows.select(NUMBER, **{_WHOLE: whole}), some[number] == rows[NUMBER])
    record = joined[_WHOLE].cast("json").cast("string") if names else joined[_WHOLE]
    return joined.mutate(record=record).drop(NUMBER, _WHOLE)


def check_free(path: Path, names: Sequence[str]) -> None:
    """Check that no column has the name of one that ``Rows`` adds.

    Raises:
        SourceError: a column has.
    """
    for name in (NUMBER, RECORD):
        if name in names:
            raise SourceError(
                translate(
                    "{path}: no column may be named {name!r}; rename it", path=path, name=name
                )
            )


def _header(path: Path, plain: Path, dialect: Dialect) -> tuple[list[str], int]:
    """The fields of the first line, and the number of lines above it to skip."""
    comments: list[str] = []
    with decoding_errors(path), plain.open("rb") as lines:
        line = lines.readline(_HEADER).decode("utf-8-sig")
        while line and (
            len(comments) < dialect.above or (dialect.comment and line.startswith(dialect.comment))
        ):
            comments.append(line)
            line = lines.readline(_HEADER).decode()
    if not line.strip():
        missing = "rows" if dialect.columns else "header line with the column names"
        raise SourceError(
            translate("{path}: no {missing}; download it again", path=path, missing=missing)
        )
    # DuckDB would find no rows at all below comments that end otherwise
    mixed = any(each.endswith("\r\n") != line.endswith("\r\n") for each in comments)
    line = line.rstrip("\r\n")
    if mixed or "\r" in line:
        raise SourceError(
            translate("{path}: {why}; correct the file", path=path, why=translate(_LINE_ENDS))
        )
    rows = csv.reader(
        [line],
        delimiter=dialect.delimiter,
        quotechar=dialect.quote or None,
        quoting=csv.QUOTE_MINIMAL if dialect.quote else csv.QUOTE_NONE,
    )
    names = next(rows)
    return [name or f"column {at}" for at, name in enumerate(names, 1)], len(comments)


def _check_first_row(path: Path, fields: Sequence[str], dialect: Dialect) -> None:
    """Check that a file without a header has as many columns as its dialect names."""
    if len(fields) != len(dialect.columns):
        raise SourceError(
            translate(
                "{path}, row 1: has {count} fields, not the {count_2} that such a file has; check that it is the right file, and download it again",
                path=path,
                count=len(fields),
                count_2=len(dialect.columns),
            )
        )


def _bad_rows(
    engine: ibis.BaseBackend, path: Path, plain: Path, dialect: Dialect, lines_above: int
) -> pa.Table:
    errors = engine.con.sql(
        f'select line - {lines_above} as "row", min(error_type::varchar) as error, '  # noqa: S608 -- a number
        "to_json(any_value(csv_line)) as record "
        "from reject_errors group by line order by line"
    ).fetchall()
    engine.con.execute("drop table reject_errors; drop table reject_scans")
    for row, error, record in errors:
        if error == "INVALID ENCODING":
            raise undecodable(plain, f"{path}, row {row}")
        # the rows that an unclosed quote swallows would be missing without a trace
        if record and _swallows_rows(json.loads(record), dialect):
            raise SourceError(
                translate(
                    "{path}, row {row}: a quoted field runs over the end of its line, and the row does not fit the header; a quotation mark is not closed, so close it, or say that quotation marks mean nothing if the kind has a setting for it ('quote')",
                    path=path,
                    row=row,
                )
            )
    rows = [
        {"row": row, "reason": _REASONS.get(error, error.lower()), "record": record}
        for row, error, record in errors
    ]
    return pa.Table.from_pylist(rows, BAD_ROWS)


def _swallows_rows(line: str, dialect: Dialect) -> bool:
    """Whether a bad row has several lines without a properly quoted field that has them."""
    if "\n" not in line.strip("\n") or not dialect.quote:
        return False
    text = io.StringIO(line, newline="")
    try:
        rows = csv.reader(text, delimiter=dialect.delimiter, quotechar=dialect.quote, strict=True)
        return len(list(rows)) > 1
    except csv.Error:
        return True


def _numbered(
    engine: ibis.BaseBackend, stored: Path, names: Sequence[str], bad: pa.Table
) -> ir.Table:
    """The stored rows with their record numbers, which count the bad rows before them."""
    table = engine.read_parquet(str(stored), file_row_number=True)
    columns = {name: table[name].nullif("") for name in names}
    if not bad.num_rows:
        return _with_record(table.select(**columns, **{NUMBER: table.file_row_number + 1}), names)
    # by the number of good rows before a bad one: the bad rows before the next good one
    bad_before = {row - place: place for place, row in enumerate([0, *bad["row"].to_pylist()])}
    steps = {"@good_before": list(bad_before), "@bad_before": list(bad_before.values())}
    offsets = ibis.memtable(pa.table(steps))
    asof = table.asof_join(offsets, table.file_row_number >= offsets["@good_before"])
    numbers = asof.file_row_number + 1 + asof["@bad_before"]
    return _with_record(asof.select(**columns, **{NUMBER: numbers}), names)


def _with_record(rows: ir.Table, names: Sequence[str]) -> ir.Table:
    return rows.mutate(**{RECORD: as_json(rows, names)})


def _first_line(error: BaseException) -> str:
    return str(error).split("\n", 1)[0].rstrip(".")

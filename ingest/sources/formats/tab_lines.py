"""Tab-separated tables whose rows are one line each, read line by line.

Each line is split by itself, so that an unclosed quote spoils one row only. Lines may end as they like. For tables of millions of rows see ``delimited``.
"""

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from cypher.translation import translate
from ingest.assertions import Quarantined
from ingest.reading import check_columns, text_lines
from ingest.sources.writing import ReadResult, Row, published, record_json, write_rows
from kg.errors import SourceError
from kg.progress import Progress

UNREADABLE: Final = "unreadable row"
"""``original_relation`` of a line that does not fit the header."""


@dataclass(frozen=True)
class Line:
    """One line below the header."""

    file: str
    row: int
    """From 1; blank lines are none."""
    fields: Mapping[str, str] = field(default_factory=dict)
    """By column, without blanks at their ends."""

    def __getitem__(self, column: str) -> str:
        """A field's text, empty for none and for a column that the file lacks."""
        return self.fields.get(column, "")

    def refused(self, word: str, reason: str) -> Row:
        """The row, quarantined."""
        return (Quarantined(self.file, self.row, word, reason, record_json(self.fields)),)


@dataclass(frozen=True)
class Table:
    """A file, and what a row of it says."""

    path: Path
    """Plain or .gz, UTF-8."""
    required: tuple[str, ...]
    """Columns that it must have."""
    statements: Callable[[Line], Row]
    quoted: bool = True
    """A quote at the front of a field ends at the next one, and is doubled within."""


def read_tables(tables: Sequence[Table], source: str, out: Path, progress: Progress) -> ReadResult:
    """Write ``assertions.parquet`` and ``quarantine.parquet`` into ``out``.

    Raises:
        SourceError: a file cannot be read, or ``out`` not be written.
    """

    def rows() -> Iterator[Row]:
        for table in tables:
            yield from _statements(table)
            advance(1)

    with (
        published(out, source) as folder,
        progress.step(translate("read {source}", source=source), len(tables)) as advance,
    ):
        return write_rows(rows(), source, folder)


def _statements(table: Table) -> Iterator[Row]:
    file = table.path.name
    with text_lines(table.path) as lines:
        written = (line.rstrip("\n") for line in lines if line.strip())
        header = next((line for line in written if not line.startswith("#")), None)
        if header is None:
            raise SourceError(
                translate(
                    "{path}: no header line with the column names; download it again",
                    path=table.path,
                )
            )
        names = _split(header, table)
        if isinstance(names, str):
            raise SourceError(
                translate(
                    "{path}: the header: {names}; correct the file", path=table.path, names=names
                )
            )
        check_columns(table.path, names, table.required, "\t")
        for row, line in enumerate(written, 1):
            fields = _fields(line, names, table)
            if isinstance(fields, str):
                record = record_json({"line": line})
                yield (Quarantined(file, row, UNREADABLE, fields, record),)
            else:
                yield table.statements(Line(file, row, fields))


def _fields(line: str, names: Sequence[str], table: Table) -> dict[str, str] | str:
    """The fields of a line by column, or why it has none."""
    values = _split(line, table)
    if isinstance(values, str):
        return values
    if len(values) != len(names):
        than = "fewer" if len(values) < len(names) else "more"
        return f"the row has {than} fields than the header"
    return dict(zip(names, values, strict=True))


def _split(line: str, table: Table) -> list[str] | str:
    if not table.quoted or '"' not in line:
        return [value.strip() for value in line.split("\t")]
    try:
        (values,) = csv.reader([line], delimiter="\t", strict=True)
    except csv.Error as e:
        return f"the line can not be taken apart: {e}"
    return [value.strip() for value in values]

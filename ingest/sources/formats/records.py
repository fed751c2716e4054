"""Tables of some ten thousand rows, record by record; a batch of them stands in memory."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import ibis
import pyarrow.parquet as pq

from cypher.translation import translate
from ingest.assertions import Quarantined
from ingest.sources.engine import Resources, table_engine
from ingest.sources.formats.delimited import (
    NUMBER,
    RECORD,
    UNREADABLE,
    Dialect,
    delimited_rows,
)
from ingest.sources.formats.tabular import TableFile, table_rows
from ingest.sources.writing import ReadResult, Row, published, write_rows
from kg.progress import Progress

_BATCH: Final = 20_000


@dataclass(frozen=True)
class Record:
    """One row."""

    file: str
    row: int
    fields: Mapping[str, str | None]
    """Those that the file must have, by column; an empty one is None."""
    json: str

    def __getitem__(self, column: str) -> str:
        """A field's text, empty for none."""
        return self.fields[column] or ""

    def refused(self, word: str, reason: str) -> tuple[Quarantined]:
        """The row, quarantined."""
        return (Quarantined(self.file, self.row, word, reason, self.json),)


@dataclass(frozen=True)
class RecordTable:
    """A file, and what a row of it says."""

    path: Path
    columns: tuple[str, ...]
    """Those that it must have."""
    format: Dialect | TableFile
    """How: as this delimited text, or as a table of a user's."""
    statements: Callable[[Record], Row]
    survey: Callable[[Record], None] | None = None
    """Is shown every row before any of them is asked what it says."""


def read_records(
    tables: Sequence[RecordTable],
    source: str,
    out: Path,
    progress: Progress,
    resources: Resources,
) -> ReadResult:
    """Write ``assertions.parquet`` and ``quarantine.parquet`` into ``out``.

    Raises:
        SourceError: a file cannot be read, or ``out`` not be written.
    """
    with (
        published(out, source) as folder,
        progress.step(translate("read {source}", source=source), len(tables)) as advance,
        table_engine(folder / "work", resources) as engine,
    ):

        def rows() -> Iterator[Row]:
            for number, table in enumerate(tables):
                work = folder / "work" / str(number)
                work.mkdir()
                yield from _rows(engine, table, work)
                advance(1)

        return write_rows(rows(), source, folder)


def _rows(engine: ibis.BaseBackend, table: RecordTable, work: Path) -> Iterator[Row]:
    """What each row gives; the rows that fit no header come last."""
    file = table.path.name
    if isinstance(table.format, TableFile):
        rows = table_rows(engine, table.format, table.columns, work, table.columns)
    else:
        rows = delimited_rows(engine, table.path, table.columns, table.format, work)
    ordered = work / f"{file}.in order.parquet"
    good = rows.good.select(NUMBER, RECORD, *table.columns).order_by(NUMBER)
    engine.to_parquet(good, ordered)
    if table.survey is not None:
        for record in _records(file, ordered):
            table.survey(record)
    for record in _records(file, ordered):
        yield table.statements(record)
    for bad in rows.bad.to_pyarrow().to_pylist():
        yield (Quarantined(file, bad["row"], UNREADABLE, bad["reason"], bad["record"]),)


def _records(file: str, rows: Path) -> Iterator[Record]:
    for batch in pq.ParquetFile(rows).iter_batches(_BATCH):
        for fields in batch.to_pylist():
            row, json = fields.pop(NUMBER), fields.pop(RECORD)
            yield Record(file, row, fields, json)

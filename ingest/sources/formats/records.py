"""Tables of some ten thousand rows, record by record."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import ibis

from ingest.assertions import Assertion, Quarantined
from ingest.sources.engine import Resources, table_engine
from ingest.sources.formats.delimited import (
    NUMBER,
    RECORD,
    UNREADABLE,
    Dialect,
    delimited_rows,
)
from ingest.sources.writing import ReadResult, published, write_records
from kg.progress import Progress

_BATCH = 20_000


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


Items = Sequence[Assertion | Quarantined]


@dataclass(frozen=True)
class RecordTable:
    """A file, and what a row of it says."""

    path: Path
    columns: tuple[str, ...]
    """Those that it must have."""
    dialect: Dialect
    statements: Callable[[Record], Items]
    """At least one item, all with one original relation."""


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
    rows: Counter[str] = Counter()

    def items(engine: ibis.BaseBackend, work: Path) -> Iterator[Assertion | Quarantined]:
        for table in tables:
            for given in _records(engine, table, work):
                rows[given[0].original_relation] += 1
                yield from given
            advance(1)

    with (
        published(out, source) as folder,
        progress.step(f"read {source}", len(tables)) as advance,
        table_engine(folder / "work", resources) as engine,
    ):
        write_records(items(engine, folder / "work"), source, folder)
    return ReadResult(dict(rows))


def _records(engine: ibis.BaseBackend, table: RecordTable, work: Path) -> Iterator[Items]:
    """What each row gives; the rows that fit no header come last."""
    file = table.path.name
    rows = delimited_rows(engine, table.path, table.columns, table.dialect, work)
    good = rows.good.select(NUMBER, RECORD, *table.columns).order_by(NUMBER)
    for batch in good.to_pyarrow().to_batches(max_chunksize=_BATCH):
        for fields in batch.to_pylist():
            row, json = fields.pop(NUMBER), fields.pop(RECORD)
            yield table.statements(Record(file, row, fields, json))
    for bad in rows.bad.to_pyarrow().to_pylist():
        yield (Quarantined(file, bad["row"], UNREADABLE, bad["reason"], bad["record"]),)

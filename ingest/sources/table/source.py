"""Any table of a user's: CSV, TSV, JSON lines or Parquet, with a mapping of its columns.

A row gives one assertion, or goes into quarantine because its relation, type
or language is not mapped or it names no head, tail or value. Numbers that do
not read as the mapping says are a problem of the assertion.
"""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final, Literal, Self

from pydantic import model_validator

from ingest.sources.engine import DEFAULT_RESOURCES, Resources
from ingest.sources.formats.delimited import NUMBER, RECORD
from ingest.sources.formats.tabular import TableFile, table_rows
from ingest.sources.kind import SourceKind
from ingest.sources.parts import Part, Workplace, quarantined, read_parts, rows_of
from ingest.sources.settings import SourceSettings
from ingest.sources.table.assertions import (
    FIELDS,
    ORIGINAL,
    REASON,
    fields,
    original_relation,
    problem,
    why_no_fact,
)
from ingest.sources.table.mapping import Mapping
from ingest.sources.writing import ReadResult, as_assertions
from kg.progress import Progress


class TableSource(Mapping, TableFile, SourceSettings, frozen=True):
    """A table and what its columns mean."""

    kind: Literal["table"]
    link: bool = False
    """Its names were written freely: those without an id are linked with the names that
    the other sources know."""

    @model_validator(mode="after")
    def _has_names_to_link(self) -> Self:
        if self.link and not any(end and end.name for end in (self.head, self.tail)):
            raise ValueError("'link' is for names, and neither 'head' nor 'tail' has a 'name'")
        return self


def files(source: TableSource) -> tuple[Path, ...]:
    """The input files."""
    return (source.file,)


def read(
    source: TableSource, out: Path, progress: Progress, resources: Resources = DEFAULT_RESOURCES
) -> ReadResult:
    """Write ``assertions.parquet`` and ``quarantine.parquet`` into ``out``.

    Raises:
        SourceError: the file cannot be read as the source says, or ``out`` not
            be written.
    """
    return read_parts(partial(_parts, source), 1, source.name, out, progress, resources)


def _parts(source: TableSource, place: Workplace) -> Iterator[Part]:
    rows = table_rows(place.engine, source, source.columns(), place.folder)
    made = {"source": source.name, "file": source.file.name}
    table = rows.good.mutate(**{ORIGINAL: original_relation(rows.good, source.relation)})
    said = table.mutate(**fields(table, source))
    said = said.mutate(**{REASON: why_no_fact(said, source)})
    facts, refused = said.filter(said[REASON].isnull()), said.filter(said[REASON].notnull())
    columns = {name: facts[f"@{name}"] for name in FIELDS}
    columns |= {"row": facts[NUMBER], "original_relation": facts[ORIGINAL]}
    plain = {"row": NUMBER, "original_relation": ORIGINAL, "reason": REASON, "record": RECORD}
    yield Part(
        (as_assertions(facts, {**made, **columns, "problem": problem(facts, source)}),),
        (quarantined(refused.select(**plain), rows.bad, made),),
        rows_of(table.select(original_relation=ORIGINAL), rows.bad),
    )


KIND: Final = SourceKind(
    title="any table: CSV, TSV, JSON lines or Parquet, with a mapping of its columns",
    licence="that of the table",
    citation="that of the table",
    needs=("the table",),
    obtained="your own data; the mapping stands in the build configuration",
    files=files,
    read=read,
)

"""Any table of a user's: CSV, TSV, JSON lines or Parquet, with a mapping of its columns.

A row gives one assertion, or goes into quarantine because its relation, type
or language is not mapped or it names no head, tail or value. Numbers that do
not read as the mapping says are a problem of the assertion.
"""

from pathlib import Path
from typing import Final, Literal, Self

import ibis
import ibis.expr.types as ir
from pydantic import Field, model_validator

from ingest.sources.engine import DEFAULT_RESOURCES, Resources, table_engine
from ingest.sources.formats.delimited import NUMBER, RECORD, UNREADABLE, Rows
from ingest.sources.formats.tabular import TableFile, table_rows
from ingest.sources.kind import SourceKind
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
from ingest.sources.writing import (
    ReadResult,
    as_assertions,
    as_quarantine,
    counted,
    published,
    unreadable,
    write_tables,
)
from kg.progress import Progress


class TableSource(Mapping, TableFile, frozen=True, extra="forbid", use_attribute_docstrings=True):
    """A table and what its columns mean."""

    kind: Literal["table"]
    name: str = Field(pattern=r"^[a-z0-9][a-z0-9_-]*$")
    """Names the source in the graph."""
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
    with (
        published(out, source.name) as folder,
        progress.step(f"read {source.name}", 2) as advance,
        table_engine(folder / "work", resources) as engine,
    ):
        rows = table_rows(engine, source, source.columns(), folder / "work")
        advance(1)
        table = rows.good.mutate(**{ORIGINAL: original_relation(rows.good, source.relation)})
        rows_read = counted(table, table[ORIGINAL]) | counted(rows.bad, ibis.literal(UNREADABLE))
        assertions, quarantine = _tables(table, rows, source)
        write_tables(engine, assertions, quarantine, folder)
        advance(1)
    return ReadResult(rows_read)


def _tables(table: ir.Table, rows: Rows, source: TableSource) -> tuple[ir.Table, ir.Table]:
    made = {"source": source.name, "file": source.file.name}
    table = table.mutate(**fields(table, source))
    table = table.mutate(**{REASON: why_no_fact(table, source)})
    facts, refused = table.filter(table[REASON].isnull()), table.filter(table[REASON].notnull())
    columns = {name: facts[f"@{name}"] for name in FIELDS}
    columns |= {"row": facts[NUMBER], "original_relation": facts[ORIGINAL]}
    quarantined = {
        "row": refused[NUMBER],
        "original_relation": refused[ORIGINAL],
        "reason": refused[REASON],
        "record": refused[RECORD],
    }
    return (
        as_assertions(facts, {**made, **columns, "problem": problem(facts, source)}),
        ibis.union(
            as_quarantine(refused, {**made, **quarantined}),
            unreadable(rows.bad, {**made, "original_relation": UNREADABLE}),
        ),
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

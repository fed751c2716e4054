"""Triples from question banks and other texts: head, relation, tail, and how sure they are.

What ``medkg extract`` writes, or any table with a row a triple (CSV, TSV, JSON lines or
Parquet). Beside the three columns it may have ids, types, a confidence, which becomes the
``weight`` of the edge, the question or passage that says so, which becomes its ``evidence``,
and the language. A column that the settings do not name is taken by its usual name, if it is
there.

Relations are the graph's own, or words that the settings map. The type of an end that has
none follows from the relation, where that takes one type only.
"""

from pathlib import Path
from typing import Annotated, Any, Final, Literal

import ibis
import ibis.expr.types as ir
from pydantic import AfterValidator, BeforeValidator, Field

from ingest.sources.engine import DEFAULT_RESOURCES, Resources, table_engine
from ingest.sources.formats.delimited import NUMBER, RECORD, UNREADABLE, Rows
from ingest.sources.formats.tabular import TableFile, column_names, table_rows
from ingest.sources.kind import SourceKind
from ingest.sources.relations import Mapped
from ingest.sources.table.mapping import Column
from ingest.sources.triples.rows import ORIGINAL, REASON, problem, said, why_no_fact
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
from kg.vocabulary import NODE_TYPES, RELATION_TYPES

OPTIONAL: Final = (
    *("head_id", "head_type", "tail_id", "tail_type"),
    *("confidence", "question", "language"),
)
"""Columns that a table may lack."""


def _mapped(value: Any) -> Any:  # noqa: ANN401 -- whatever YAML holds; pydantic checks it
    return {"relation": value} if isinstance(value, str) else value


def _node_type(name: str) -> str:
    if name not in NODE_TYPES:
        raise ValueError(f"{name!r} is no node type; take one of {', '.join(NODE_TYPES)}")
    return name


class TriplesSource(TableFile, frozen=True, extra="forbid", use_attribute_docstrings=True):
    """A table of triples, and what its columns are called."""

    kind: Literal["triples"]
    name: str = Field(pattern=r"^[a-z0-9][a-z0-9_-]*$")
    """Names the source in the graph."""
    head: Column = "head"
    """Column with the name."""
    relation: Column = "relation"
    """Column with the relation: one of the graph's, or a word of ``relations``."""
    tail: Column = "tail"
    """Column with the name."""
    head_id: Column | None = None
    """Column with the CURIE."""
    tail_id: Column | None = None
    """Column with the CURIE."""
    head_type: Column | None = None
    """Column with the node type; where there is none, the relation tells it if it can."""
    tail_type: Column | None = None
    """The same of the tail."""
    confidence: Column | None = None
    """Column with a number in [0, 1]."""
    question: Column | None = None
    """Column that tells the question, passage or document; several joined by ``|``."""
    language: Column | None = None
    """Column with en or zh."""
    default_language: Literal["en", "zh"] = "en"
    """Of rows that tell none."""
    relations: dict[str, Annotated[Mapped, BeforeValidator(_mapped)]] = Field(default_factory=dict)
    """What the table's words for relations mean; the graph's own need not be here."""
    types: dict[str, Annotated[str, AfterValidator(_node_type)]] = Field(default_factory=dict)
    """Node types by the table's words for them; the graph's own need not be here."""
    min_confidence: float | None = Field(default=None, ge=0, le=1, allow_inf_nan=False)
    """Triples below it, or without a confidence, are quarantined."""
    link: bool = False
    """Its names were written freely: those without an id are linked with the names that
    the other sources know."""

    def present(self) -> dict[str, str]:
        """The columns that the table has, by what they are here.

        Raises:
            SourceError: the table cannot be read.
        """
        required = {name: getattr(self, name) for name in ("head", "relation", "tail")}
        names = column_names(self)
        given = {name: getattr(self, name) or name for name in OPTIONAL}
        stated = {name for name in OPTIONAL if getattr(self, name)}
        return required | {n: c for n, c in given.items() if n in stated or c in names}

    def meanings(self) -> dict[str, Mapped]:
        """What every word for a relation means."""
        return {name: Mapped(relation=name) for name in RELATION_TYPES} | self.relations

    def node_types(self) -> dict[str, str]:
        """The node type of every word for one."""
        return {name: name for name in NODE_TYPES} | self.types


def files(source: TriplesSource) -> tuple[Path, ...]:
    """The input files."""
    return (source.file,)


def read(
    source: TriplesSource, out: Path, progress: Progress, resources: Resources = DEFAULT_RESOURCES
) -> ReadResult:
    """Write ``assertions.parquet`` and ``quarantine.parquet`` into ``out``.

    Raises:
        SourceError: the file cannot be read as the source says, or ``out`` not be written.
    """
    with (
        published(out, source.name) as folder,
        progress.step(f"read {source.name}", 2) as advance,
        table_engine(folder / "work", resources) as engine,
    ):
        columns = source.present()
        rows = table_rows(engine, source, tuple(columns.values()), folder / "work")
        advance(1)
        table = said(rows.good, columns, source.meanings(), source.node_types())
        table = table.mutate(language=table.language.fill_null(source.default_language))
        rows_read = counted(table, table[ORIGINAL]) | counted(rows.bad, ibis.literal(UNREADABLE))
        assertions, quarantine = _tables(table, rows, source)
        write_tables(engine, assertions, quarantine, folder)
        advance(1)
    return ReadResult(rows_read)


def _tables(table: ir.Table, rows: Rows, source: TriplesSource) -> tuple[ir.Table, ir.Table]:
    made = {"source": source.name, "file": source.file.name}
    table = table.mutate(**{REASON: why_no_fact(table, source.min_confidence)})
    facts, refused = table.filter(table[REASON].isnull()), table.filter(table[REASON].notnull())

    def numbered(part: ir.Table) -> dict[str, Any]:
        return {**made, "row": part[NUMBER], "original_relation": part[ORIGINAL]}

    ends = ("head", "head_type", "head_name", "relation", "tail", "tail_type", "tail_name")
    columns = {name: facts[name] for name in (*ends, "language", "evidence", "weight")}
    reasons = {"reason": refused[REASON], "record": refused[RECORD]}
    return (
        as_assertions(facts, {**numbered(facts), **columns, "problem": problem(facts)}),
        ibis.union(
            as_quarantine(refused, {**numbered(refused), **reasons}),
            unreadable(rows.bad, {**made, "original_relation": UNREADABLE}),
        ),
    )


KIND: Final = SourceKind(
    title="triples from question banks and other texts, with a confidence and the question",
    licence="that of the texts",
    citation="that of the texts",
    needs=("the table of triples",),
    obtained="your own data, or what 'medkg extract' finds in a question bank",
    files=files,
    read=read,
)

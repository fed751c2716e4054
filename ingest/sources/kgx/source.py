"""Graphs in the KGX format, as tab-separated text or JSON lines: files of nodes and of edges.

A node says its type by its Biolink category (categories.yaml), its names, synonyms,
description and cross-references; ``same_as`` and ``equivalent_identifiers`` are other ids
of the same thing. An edge says a relation by its predicate, whether it is negated, and the
qualifiers of its object (relations.yaml); its ends are nodes of the nodes' file. Frequency,
onset, sex, publications, evidence and confidence score are taken over; other columns are not.
Edges whose knowledge level is ``prediction`` state no fact.

What medkg exported comes back as it was: the columns ``medkg_…`` tell what KGX has no
column for. One source of the graph is read at a time, under its own name (``provided_by``),
and what the graph keeps apart stays apart (``graph``).

The format: KGX specification, https://github.com/biolink/kgx.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Final, Literal

import ibis
import ibis.expr.types as ir
from pydantic import AfterValidator, BaseModel, Field

from ingest.sources.engine import DEFAULT_RESOURCES, Resources, table_engine
from ingest.sources.formats.delimited import (
    UNREADABLE,
    Dialect,
    Rows,
    delimited_rows,
    with_record,
)
from ingest.sources.kgx import edges, nodes
from ingest.sources.kgx.categories import Categories
from ingest.sources.kgx.cells import Wanted, of_json, of_table
from ingest.sources.kgx.lines import json_lines
from ingest.sources.kgx.meanings import Meanings
from ingest.sources.kind import SourceKind
from ingest.sources.relations import RelationMap
from ingest.sources.writing import (
    ReadResult,
    as_quarantine,
    counted,
    published,
    unreadable,
    write_tables,
)
from kg.progress import Progress

_JSON: Final = (".jsonl", ".ndjson")


def _checked(types: dict[str, str]) -> dict[str, str]:
    Categories.of_biolink(types)
    return types


class KgxSource(BaseModel, frozen=True, extra="forbid", use_attribute_docstrings=True):
    """A graph's two files."""

    kind: Literal["kgx"]
    name: str = Field(default="kgx", pattern=r"^[a-z0-9][a-z0-9_-]*$")
    """Names the source in the graph."""
    nodes: Path
    """``nodes.tsv`` or ``nodes.jsonl``, plain or .gz; JSON lines by the ending."""
    edges: Path | None = None
    """``edges.tsv`` or ``edges.jsonl``; a graph may have none."""
    provided_by: str | None = None
    """Only the records that this source of the graph provided; all if not given."""
    graph: str | None = Field(default=None, min_length=1)
    """Any name for a graph that was merged already: its nodes stay apart, whatever their names
    and cross-references. Entries for several sources of one graph state the same."""
    types: Annotated[dict[str, str], AfterValidator(_checked)] = {}
    """Node type by Biolink category, where it should be another than medkg takes."""
    quote: str = Field(default='"', max_length=1)
    """Of tables; empty where the quotation mark is a letter like any other."""
    encoding: str = "utf-8"
    """By its Python name, e.g. gb18030."""


def files(source: KgxSource) -> tuple[Path, ...]:
    """The input files."""
    return (source.nodes,) if source.edges is None else (source.nodes, source.edges)


def read(
    source: KgxSource, out: Path, progress: Progress, resources: Resources = DEFAULT_RESOURCES
) -> ReadResult:
    """Write ``assertions.parquet`` and ``quarantine.parquet`` into ``out``.

    Raises:
        SourceError: a file cannot be read as KGX, or ``out`` not be written.
    """
    with (
        published(out, source.name) as folder,
        progress.step(f"read {source.name}", 3) as advance,
        table_engine(folder / "work", resources) as engine,
    ):
        reading = _Reading(source, engine, folder / "work")
        known = reading.nodes()
        advance(1)
        if source.edges is not None:
            reading.edges(source.edges, known)
        advance(1)
        write_tables(
            engine, ibis.union(*reading.assertions), ibis.union(*reading.quarantine), folder
        )
        advance(1)
        return ReadResult(dict(reading.rows))


class _Reading:
    """One reading of a graph."""

    def __init__(self, source: KgxSource, engine: ibis.BaseBackend, work: Path) -> None:
        self.source = source
        self.engine = engine
        self.work = work
        self.rows: Counter[str] = Counter()
        self.assertions: list[ir.Table] = []
        self.quarantine: list[ir.Table] = []

    def nodes(self) -> ir.Table:
        """Read the file of nodes; the records of all of them, whichever source is wanted."""
        made = self._made(self.source.nodes)
        rows, cells = self._cells(self.source.nodes, nodes.REQUIRED, nodes.WANTED, "nodes")
        known = nodes.records(cells, Categories.of_biolink(self.source.types))
        known = self._kept("known nodes", known)
        wanted = self._wanted(known)
        self._account(wanted, rows, made)
        self.assertions.append(nodes.assertions(wanted, self.source.graph, made))
        return known

    def edges(self, path: Path, known: ir.Table) -> None:
        """Read the file of edges between known nodes."""
        made = self._made(path)
        rows, cells = self._cells(path, edges.REQUIRED, edges.WANTED, "edges")
        found = edges.records(self._wanted(cells), nodes.types(known))
        meanings = Meanings(RelationMap.of("ingest.sources.kgx"))
        stated = edges.related(self._kept("found edges", found), meanings)
        self._account(stated, rows, made)
        self.assertions.append(edges.assertions(stated, made))

    def _account(self, records: ir.Table, rows: ir.Table, made: Mapping[str, str]) -> None:
        """Count the records, and put into quarantine those with a reason."""
        self.rows.update(counted(records, records.original_relation))
        refused = records.filter(records.reason.notnull())
        whole = with_record(refused.select("row", "original_relation", "reason"), "row", rows)
        columns = {name: whole[name] for name in whole.columns}
        self.quarantine.append(as_quarantine(whole, {**made, **columns}))

    def _cells(
        self, path: Path, required: Sequence[str], wanted: Wanted, name: str
    ) -> tuple[ir.Table, ir.Table]:
        """The rows of a file, and the wanted columns of them."""
        work = self.work / name  # both files may have one name
        work.mkdir()
        rows = self._rows(path, required, work)
        made = {**self._made(path), "original_relation": UNREADABLE}
        self.rows.update(counted(rows.bad, ibis.literal(UNREADABLE)))
        self.quarantine.append(unreadable(rows.bad, made))
        cells = of_json if _is_json(path) else of_table
        return rows.good, cells(self.engine, rows.good, wanted, work)

    def _rows(self, path: Path, required: Sequence[str], work: Path) -> Rows:
        encoding = self.source.encoding
        if _is_json(path):
            return json_lines(self.engine, path, required, encoding, work)
        comma = path.name.removesuffix(".gz").endswith(".csv")
        dialect = Dialect("," if comma else "\t", self.source.quote, "", encoding)
        return delimited_rows(self.engine, path, required, dialect, work)

    def _wanted(self, table: ir.Table) -> ir.Table:
        if self.source.provided_by is None:
            return table
        return table.filter(table.provided_by.contains(self.source.provided_by))

    def _kept(self, name: str, table: ir.Table) -> ir.Table:
        """Stored, so that what follows is computed from plain columns."""
        path = self.work / f"{name}.parquet"
        self.engine.to_parquet(table, path)
        return self.engine.read_parquet(path)

    def _made(self, path: Path) -> dict[str, str]:
        return {"source": self.source.name, "file": path.name}


def _is_json(path: Path) -> bool:
    return Path(path.name.removesuffix(".gz")).suffix.casefold() in _JSON


KIND: Final = SourceKind(
    title="a graph in the KGX format (tab-separated or JSON lines), medkg's exports among them",
    licence="that of the graph",
    citation="that of the graph",
    needs=("nodes.tsv", "edges.tsv"),
    obtained="'medkg export --format kgx', or a graph that others publish as KGX, such as Monarch's",
    files=files,
    read=read,
)

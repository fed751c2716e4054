"""Graphs in the KGX format, as tab-separated text or JSON lines: files of nodes and of edges.

A node says its type by its Biolink category (categories.yaml), its names, synonyms,
description and cross-references; ``same_as`` and ``equivalent_identifiers`` are other ids
of the same thing. An edge says a relation by its predicate, whether it is negated, and the
qualifiers of its object (relations.yaml); its ends are nodes of the nodes' file. Frequency,
onset, sex, publications, evidence and confidence score are taken over; other columns are not.
What is seen with a frequency of zero is negated.
Edges whose knowledge level is ``prediction`` state no fact.

A node that has a UMLS concept for an id and is none (a disease, say) is known by its name, and
has the concept (HAS_CUI).

What medkg exported comes back as it was: the columns ``medkg_…`` tell what KGX has no
column for. One source of the graph is read at a time, under its own name (``provided_by``),
and what the graph keeps apart stays apart (``graph``).

The format: KGX specification, https://github.com/biolink/kgx.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Final, Literal

import ibis.expr.types as ir
from pydantic import AfterValidator, Field

from ingest.reading import ending
from ingest.sources.engine import DEFAULT_RESOURCES, Resources
from ingest.sources.formats.delimited import (
    UNREADABLE,
    Dialect,
    Rows,
    delimited_rows,
    with_record,
)
from ingest.sources.kgx import edges, nodes
from ingest.sources.kgx.categories import Categories
from ingest.sources.kgx.cells import ColumnNames, of_json, of_table
from ingest.sources.kgx.lines import json_lines
from ingest.sources.kgx.meanings import Meanings
from ingest.sources.kind import SourceKind
from ingest.sources.parts import Part, Workplace, quarantined, read_parts, rows_of
from ingest.sources.relations import RelationMap
from ingest.sources.settings import SourceName, SourceSettings
from ingest.sources.writing import ReadResult
from kg.errors import SourceError
from kg.progress import Progress

_JSON: Final = (".jsonl", ".ndjson")


def _checked(types: dict[str, str]) -> dict[str, str]:
    Categories.of_biolink(types)
    return types


class KgxSource(SourceSettings, frozen=True):
    """A graph's two files."""

    kind: Literal["kgx"]
    name: SourceName = "kgx"
    nodes: Path
    """``nodes.tsv`` or ``nodes.jsonl``, plain or .gz; JSON lines by the ending."""
    edges: Path | None = None
    """``edges.tsv`` or ``edges.jsonl``; a graph may have none."""
    provided_by: str | None = None
    """Only the records that this source of the graph provided; all if not given."""
    graph: str | None = Field(default=None, min_length=1)
    """Any name for a graph that was merged already: its nodes stay apart, whatever their names
    and cross-references. Entries for several sources of one graph state the same."""
    types: Annotated[dict[str, str], AfterValidator(_checked)] = Field(default_factory=dict)
    """Node type by Biolink category, where it should differ from medkg's."""
    quote: str = Field(default='"', max_length=1)
    """Quotation mark of tables; empty if there is none."""
    encoding: str = "utf-8"
    """Encoding of the file, by its Python name, e.g. gb18030."""


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
    steps = len(files(source))
    return read_parts(partial(_parts, source), steps, source.name, out, progress, resources)


def _parts(source: KgxSource, place: Workplace) -> Iterator[Part]:
    """What each file gives.

    Raises:
        SourceError: a file cannot be read, or no record is the wanted source's.
    """
    provided = False
    for part in _of_files(source, place):
        provided |= bool(part.rows.keys() - {UNREADABLE})
        yield part
    if source.provided_by is not None and not provided:
        raise SourceError(
            f"{source.nodes}: no record of the graph is provided by {source.provided_by!r}; "
            "correct 'provided_by'"
        )


def _of_files(source: KgxSource, place: Workplace) -> Iterator[Part]:
    """The file of nodes, then the edges between them."""
    records = _file(source, source.nodes, nodes.REQUIRED, nodes.WANTED, place)
    # of all nodes, whichever source is wanted: ends of edges may be another's
    known_nodes = nodes.records(records.cells, Categories.of_biolink(source.types))
    known_nodes = place.kept(known_nodes, "known nodes")
    wanted = records.wanted(known_nodes)
    yield records.part(wanted, nodes.assertions(wanted, source.graph, records.made))
    if source.edges is not None:
        records = _file(source, source.edges, edges.REQUIRED, edges.WANTED, place)
        edge_records = edges.records(records.wanted(records.cells), nodes.types(known_nodes))
        meanings = Meanings(RelationMap.of("ingest.sources.kgx"))
        stated = edges.related(place.kept(edge_records, "found edges"), meanings)
        yield records.part(stated, edges.assertions(stated, records.made))


@dataclass(frozen=True)
class _File:
    """One of the two files."""

    made: Mapping[str, str]
    """``source`` and ``file``."""
    rows: Rows
    cells: ir.Table
    """The wanted columns."""
    provided_by: str | None

    def wanted(self, table: ir.Table) -> ir.Table:
        """The records that the wanted source provided."""
        if self.provided_by is None:
            return table
        return table.filter(table.provided_by.contains(self.provided_by))

    def part(self, records: ir.Table, assertions: ir.Table) -> Part:
        """What the file gives; the records with a ``reason`` are quarantined."""
        refused = records.filter(records.reason.notnull())
        refused = refused.select("row", "original_relation", "reason")
        complete = with_record(refused, "row", self.rows.good)
        return Part(
            (assertions,),
            (quarantined(complete, self.rows.bad, self.made),),
            rows_of(records, self.rows.bad),
        )


def _file(
    source: KgxSource, path: Path, required: Sequence[str], wanted: ColumnNames, place: Workplace
) -> _File:
    """Read a file, in a folder of its own: both may have one name."""
    part_place = Workplace(place.engine, place.folder / wanted.name)
    part_place.folder.mkdir()
    rows = _rows(source, path, required, part_place)
    cells = of_json if ending(path) in _JSON else of_table
    made = {"source": source.name, "file": path.name}
    return _File(made, rows, cells(rows.good, wanted, part_place), source.provided_by)


def _rows(source: KgxSource, path: Path, required: Sequence[str], place: Workplace) -> Rows:
    if ending(path) in _JSON:
        return json_lines(place.engine, path, required, source.encoding, place.folder)
    dialect = Dialect("," if ending(path) == ".csv" else "\t", source.quote, "", source.encoding)
    return delimited_rows(place.engine, path, required, dialect, place.folder)


KIND: Final = SourceKind(
    title="a graph in the KGX format (tab-separated or JSON lines), medkg's exports among them",
    licence="that of the graph",
    citation="where the graph is from",
    needs=("nodes.tsv", "edges.tsv"),
    obtained="'medkg export --format kgx', or a graph that others publish as KGX, such as Monarch's",
    files=files,
    read=read,
)

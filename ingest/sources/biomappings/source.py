"""Biomappings: mappings between biomedical vocabularies that people curated, in SSSOM.

``positive.sssom.tsv`` has the matches, ``negative.sssom.tsv`` pairs that do not match
(all quarantined as such), ``predictions.sssom.tsv`` matches that nobody has looked at, with a
confidence (give ``least_confidence``). What a row says is as in the source ``sssom``.
"""

from pathlib import Path
from typing import Final, Literal

from pydantic import Field

from ingest.sources.engine import DEFAULT_RESOURCES, Resources
from ingest.sources.kind import SourceKind
from ingest.sources.sssom.mappings import MappingSettings, mapping_sets, read_mappings
from ingest.sources.writing import ReadResult
from kg.progress import Progress


class BiomappingsSource(
    MappingSettings, frozen=True, extra="forbid", use_attribute_docstrings=True
):
    """A release of Biomappings."""

    kind: Literal["biomappings"]
    name: str = Field(default="biomappings", pattern=r"^[a-z0-9][a-z0-9_-]*$")
    """Names the source in the graph."""


def files(source: BiomappingsSource) -> tuple[Path, ...]:
    """The input files.

    Raises:
        SourceError: the folder has none.
    """
    return mapping_sets(source)


def read(
    source: BiomappingsSource, out: Path, progress: Progress, _: Resources = DEFAULT_RESOURCES
) -> ReadResult:
    """Write ``assertions.parquet`` and ``quarantine.parquet`` into ``out``.

    Raises:
        SourceError: a file cannot be read, or ``out`` not be written.
    """
    return read_mappings(source, out, progress)


KIND: Final = SourceKind(
    title="Biomappings, curated mappings between biomedical vocabularies",
    licence="CC0 1.0",
    citation=(
        "Hoyt, Hoyt, Gyori. Prediction and curation of missing biomedical identifier "
        "mappings with Biomappings. Bioinformatics 2023;39:btad130"
    ),
    needs=("positive.sssom.tsv",),
    obtained="the folder src/biomappings/resources of biopragmatics/biomappings on GitHub",
    files=files,
    read=read,
    relations="ingest.sources.sssom",
)

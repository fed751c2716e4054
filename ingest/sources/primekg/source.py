"""PrimeKG: kg.csv, and its tables of texts (Chandak et al., Scientific Data 2023).

``edges`` and ``features`` say how the files are read.
"""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final, Literal

from ingest.sources.engine import DEFAULT_RESOURCES, Resources
from ingest.sources.formats.delimited import Dialect, delimited_rows
from ingest.sources.kind import SourceKind
from ingest.sources.parts import Part, Workplace, read_parts
from ingest.sources.primekg.edges import COLUMNS, EdgeFile, edge_part
from ingest.sources.primekg.features import FeatureFile, feature_part
from ingest.sources.primekg.identifiers import TYPES
from ingest.sources.relations import RelationMap
from ingest.sources.settings import SourceName, SourceSettings
from ingest.sources.writing import ReadResult
from kg.progress import Progress


class PrimeKgSource(SourceSettings, frozen=True):
    """PrimeKG as downloaded."""

    kind: Literal["primekg"]
    name: SourceName = "primekg"
    file: Path
    """``kg.csv``, plain or .gz."""
    disease_features: Path | None = None
    """``disease_features.tab`` or .csv, plain or .gz."""
    drug_features: Path | None = None
    """``drug_features.tab`` or .csv, plain or .gz."""


def files(source: PrimeKgSource) -> tuple[Path, ...]:
    """The input files."""
    return tuple(filter(None, (source.file, source.disease_features, source.drug_features)))


def read(
    source: PrimeKgSource, out: Path, progress: Progress, resources: Resources = DEFAULT_RESOURCES
) -> ReadResult:
    """Write ``assertions.parquet`` and ``quarantine.parquet`` into ``out``.

    Raises:
        SourceError: a file cannot be read as PrimeKG's, or ``out`` not be written.
    """
    steps = len(files(source))
    return read_parts(partial(_parts, source), steps, source.name, out, progress, resources)


def _parts(source: PrimeKgSource, place: Workplace) -> Iterator[Part]:
    """What each file gives."""
    relations = RelationMap.of("ingest.sources.primekg")
    rows = delimited_rows(place.engine, source.file, COLUMNS, Dialect(), place.folder)
    made = {"source": source.name, "file": source.file.name}
    yield edge_part(rows, EdgeFile(made, relations, TYPES))
    for table in ("disease_features", "drug_features"):
        if path := getattr(source, table):
            yield feature_part(place, FeatureFile(table, source.name, path, relations), rows.good)


KIND: Final = SourceKind(
    title="PrimeKG, a knowledge graph for precision medicine",
    licence="CC0 1.0 for the compilation; its 20 sources keep their own terms",
    citation=(
        "Chandak, Huang, Zitnik. Building a knowledge graph to enable precision "
        "medicine. Scientific Data 2023;10:67"
    ),
    needs=("kg.csv",),
    obtained=(
        "Harvard Dataverse, data set doi:10.7910/DVN/IXA7BM; disease_features.tab and "
        "drug_features.tab, if wanted, from there too"
    ),
    files=files,
    read=read,
)

"""PrimeKG: kg.csv, and its tables of texts (Chandak et al., Scientific Data 2023).

``edges`` and ``features`` say how the files are read.
"""

from pathlib import Path
from typing import Final, Literal

from pydantic import BaseModel, Field

from ingest.sources.engine import DEFAULT_RESOURCES, Resources, table_engine
from ingest.sources.formats.delimited import Dialect, delimited_rows
from ingest.sources.kind import SourceKind
from ingest.sources.parts import write_parts
from ingest.sources.primekg.edges import COLUMNS, EdgeFile, edge_part
from ingest.sources.primekg.features import FeatureFile, feature_part
from ingest.sources.primekg.identifiers import TYPES
from ingest.sources.relations import RelationMap
from ingest.sources.writing import ReadResult, published
from kg.progress import Progress


class PrimeKgSource(BaseModel, frozen=True, extra="forbid", use_attribute_docstrings=True):
    """PrimeKG as downloaded."""

    kind: Literal["primekg"]
    name: str = Field(default="primekg", pattern=r"^[a-z0-9][a-z0-9_-]*$")
    """Names the source in the graph."""
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
    relations = RelationMap.of("ingest.sources.primekg")
    with (
        published(out, source.name) as folder,
        progress.step(f"read {source.name}", 2) as advance,
        table_engine(folder / "work", resources) as engine,
    ):
        work = folder / "work"
        rows = delimited_rows(engine, source.file, COLUMNS, Dialect(), work)
        advance(1)
        made = {"source": source.name, "file": source.file.name}
        parts = [edge_part(rows, EdgeFile(made, relations, TYPES))]
        for table in ("disease_features", "drug_features"):
            if path := getattr(source, table):
                file = FeatureFile(table, source.name, path, relations)
                parts.append(feature_part(engine, file, rows.good, work))
        result = write_parts(engine, parts, folder)
        advance(1)
    return result


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

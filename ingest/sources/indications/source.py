"""Tables of indications and contraindications, known by the columns in their header line.

* PharmacotherapyDB (``indications.tsv``): DrugBank's ids, ids of the Disease Ontology, and what
  physicians found: DM, it changes the disease; SYM, it relieves symptoms; NOT, no indication.
* The tables it was made of (``indications-verbose.tsv``, ``indications-slim-verbose.tsv``): the
  resource that lists an indication is its evidence.
* PREDICT (``indications-umls.tsv``): diseases by CUI and name.
* DrugCentral (its table ``omop_relationship`` with a header line, as CSV or TSV): indications,
  contraindications, off-label uses; conditions by name, CUI and semantic type. Rows for it in
  tests are written from its published schema.
"""

from pathlib import Path
from typing import Final, Literal

from ingest.sources.engine import DEFAULT_RESOURCES, Resources
from ingest.sources.formats.records import RecordTable, read_records
from ingest.sources.indications.layouts import LAYOUTS, dialect_and_layout
from ingest.sources.kind import SourceKind
from ingest.sources.relations import RelationMap
from ingest.sources.settings import SourceName, SourceSettings
from ingest.sources.writing import ReadResult
from kg.progress import Progress


class IndicationsSource(SourceSettings, frozen=True):
    """One table of indications."""

    kind: Literal["indications"]
    name: SourceName = "indications"
    file: Path
    """The table, plain or .gz, with tabs or commas."""
    encoding: str = "utf-8"
    """Encoding of the file, by its Python name."""


def files(source: IndicationsSource) -> tuple[Path, ...]:
    """The input files."""
    return (source.file,)


def read(
    source: IndicationsSource,
    out: Path,
    progress: Progress,
    resources: Resources = DEFAULT_RESOURCES,
) -> ReadResult:
    """Write ``assertions.parquet`` and ``quarantine.parquet`` into ``out``.

    Raises:
        SourceError: the file is none of the tables, cannot be read, or ``out`` not be written.
    """
    dialect, layout = dialect_and_layout(source.file, source.encoding)
    words = RelationMap.of("ingest.sources.indications")
    table = RecordTable(source.file, layout.columns, dialect, layout.statements(words))
    return read_records((table,), source.name, out, progress, resources)


KIND: Final = SourceKind(
    title="indications and contraindications: PharmacotherapyDB, PREDICT, DrugCentral",
    licence="PharmacotherapyDB CC0 1.0, with parts of MEDI CC BY-NC-SA; DrugCentral CC BY-SA 4.0",
    citation=(
        "Himmelstein et al. Systematic integration of biomedical knowledge prioritizes drugs for "
        "repurposing. eLife 2017;6:e26726. Gottlieb et al. PREDICT. Molecular Systems Biology "
        "2011;7:496. Avram et al. DrugCentral 2023. Nucleic Acids Research 2023;51:D1276-D1287"
    ),
    needs=(f"one table: {', or '.join(layout.title for layout in LAYOUTS)}",),
    obtained="repository dhimmel/indications; DrugCentral's web site",
    files=files,
    read=read,
)

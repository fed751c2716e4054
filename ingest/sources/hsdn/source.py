"""HSDN, the human symptoms-disease network: diseases and symptoms that publications name together.

Two tables are known by their header lines: ``symptoms-DO.tsv`` of the repository dhimmel/hsdn
(diseases of the Disease Ontology, and of MeSH, which cross-reference; symptoms of MeSH), and the
paper's supplementary data 4 (terms of MeSH without ids; rows for it in tests are written from
its published columns). The weight is the TF-IDF score: the number of publications that name both, times
the logarithm of all diseases over those that are named with the symptom (Zhou et al. 2014, methods).
It grows with the number of publications, so it compares symptoms of one disease, not diseases. The
evidence says so beside the number. A row of the first table states the edge, and that the disease's
id refers to its term of MeSH.
"""

import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final, Literal

from ingest.assertions import Assertion
from ingest.reading import text_lines
from ingest.sources.engine import DEFAULT_RESOURCES, Resources
from ingest.sources.formats.delimited import TAB_SEPARATED
from ingest.sources.formats.records import Record, RecordTable, read_records
from ingest.sources.kind import SourceKind
from ingest.sources.relations import Mapped, RelationMap
from ingest.sources.settings import SourceName, SourceSettings
from ingest.sources.writing import ReadResult, Row
from kg.progress import Progress

WORD: Final = "HSDN"
MAPPED: Final = (
    *("symptom_name", "disease_name", "cooccurs", "tfidf_score"),
    *("disease_id", "symptom_id", "doid_code", "doid_name"),
)
PUBLISHED: Final = (
    "MeSH Symptom Term",
    "MeSH Disease Term",
    "PubMed occurrence",
    "TFIDF score",
)
_NO_ID: Final = {"symptom_id": r"[CD]\d+", "disease_id": r"[CD]\d+", "doid_code": r"DOID:\d+"}


class HsdnSource(SourceSettings, frozen=True):
    """HSDN as downloaded."""

    kind: Literal["hsdn"]
    name: SourceName = "hsdn"
    file: Path
    """``symptoms-DO.tsv`` or the supplementary table, plain or .gz."""


def files(source: HsdnSource) -> tuple[Path, ...]:
    """The input files."""
    return (source.file,)


def read(
    source: HsdnSource, out: Path, progress: Progress, resources: Resources = DEFAULT_RESOURCES
) -> ReadResult:
    """Write ``assertions.parquet`` and ``quarantine.parquet`` into ``out``.

    Raises:
        SourceError: the file cannot be read as HSDN, or ``out`` not be written.
    """
    (mapped,) = RelationMap.of("ingest.sources.hsdn").relations[WORD]
    with text_lines(source.file) as lines:
        published = lines.readline(65_536).startswith(PUBLISHED[0])
    columns, statements = (PUBLISHED, _by_name) if published else (MAPPED, _by_id)
    table = RecordTable(source.file, columns, TAB_SEPARATED, statements(mapped))
    return read_records((table,), source.name, out, progress, resources)


def _by_id(mapped: Mapped) -> Callable[[Record], Row]:
    def statements(record: Record) -> Row:
        for column, pattern in _NO_ID.items():
            if not re.fullmatch(pattern, record[column], re.ASCII):
                return record.refused(WORD, f"'{record[column][:100]}' is no id for {column}")
        disease = (record["doid_code"], "Disease", record["doid_name"] or None)
        base = Assertion(record.file, record.row, WORD, *disease, mapped.relation)
        edge = _counted(record, base, "cooccurs", "tfidf_score")
        edge = edge._replace(
            tail=f"MESH:{record['symptom_id']}", tail_name=record["symptom_name"] or None
        )
        reference = base._replace(relation="HAS_XREF", value=f"MESH:{record['disease_id']}")
        return edge, reference

    return statements


def _by_name(mapped: Mapped) -> Callable[[Record], Row]:
    symptom, disease, occurrence, score = PUBLISHED

    def statements(record: Record) -> Row:
        if not (record[symptom] and record[disease]):
            return record.refused(WORD, "the row names no symptom or no disease")
        ends = (None, "Disease", record[disease])
        base = Assertion(record.file, record.row, WORD, *ends, mapped.relation)
        edge = _counted(record, base, occurrence, score)
        return (edge._replace(tail_name=record[symptom]),)

    return statements


def _counted(record: Record, edge: Assertion, occurrence: str, score: str) -> Assertion:
    """With the number of publications and the score; a problem where they are no numbers."""
    publications, weight = record[occurrence], _number(record[score])
    problem = None
    if weight is None or not publications.isdecimal():
        problem = f"'{publications[:50]}' publications, score '{record[score][:50]}': no numbers"
    return edge._replace(
        tail_type="Symptom",
        weight=weight,
        evidence=f"named together in {publications} publications; weight is TF-IDF",
        problem=problem,
    )


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


KIND: Final = SourceKind(
    title="HSDN, the human symptoms-disease network: what publications name together",
    licence="the paper's supplement, with attribution; the mapping of dhimmel/hsdn CC0 1.0",
    citation="Zhou, Menche, Barabási, Sharma. Human symptoms-disease network. "
    "Nature Communications 2014;5:4212",
    needs=("symptoms-DO.tsv, or the paper's supplementary data 4",),
    obtained="repository dhimmel/hsdn, or the paper's supplement (doi:10.1038/ncomms5212)",
    files=files,
    read=read,
)

"""SymCat: of the people who came with a symptom, the percentage who had each condition.

The number is the probability of the condition where the symptom is, not how often the condition
has the symptom (``frequency``), and cannot be made that without how common both are. Nor is each
row a symptom of the condition: of the people with warts on their skin 2 % were told that they have
too little hair. So a row says that both occur together; its ``weight`` is the percentage, and
``evidence`` says of whom. Both ends are known by their names; an abbreviation in parentheses
behind a condition's name is no part of it.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Final, Literal

from ingest.assertions import Assertion
from ingest.sources.engine import DEFAULT_RESOURCES, Resources
from ingest.sources.formats.delimited import TAB_SEPARATED
from ingest.sources.formats.records import Record, RecordTable, read_records
from ingest.sources.kind import SourceKind
from ingest.sources.relations import Mapped, RelationMap
from ingest.sources.settings import SourceName, SourceSettings
from ingest.sources.writing import ReadResult, Row
from kg.progress import Progress

COLUMNS: Final = ("symptom", "condition", "percent_of_people_with_symptom")
WORD: Final = "SymCat"
_PERCENT: Final = re.compile(r"\d{1,3}(\.\d+)?", re.ASCII)
_ABBREVIATION: Final = re.compile(r"\s*\([A-Z][A-Z0-9]+\)$")
_ALL: Final = 100


class SymCatSource(SourceSettings, frozen=True):
    """SymCat's table of symptoms."""

    kind: Literal["symcat"]
    name: SourceName = "symcat"
    file: Path
    """A row for each symptom and condition, with tabs (``symptom_condition.tsv``), plain or .gz."""
    link: bool = False
    """Whether names without an id are linked with the nodes of the other sources."""


def files(source: SymCatSource) -> tuple[Path, ...]:
    """The input files."""
    return (source.file,)


def read(
    source: SymCatSource, out: Path, progress: Progress, resources: Resources = DEFAULT_RESOURCES
) -> ReadResult:
    """Write ``assertions.parquet`` and ``quarantine.parquet`` into ``out``.

    Raises:
        SourceError: the file cannot be read as SymCat, or ``out`` not be written.
    """
    (mapped,) = RelationMap.of("ingest.sources.symcat").relations[WORD]
    table = RecordTable(source.file, COLUMNS, TAB_SEPARATED, _statements(mapped))
    return read_records((table,), source.name, out, progress, resources)


def _statements(mapped: Mapped) -> Callable[[Record], Row]:
    def of(record: Record) -> Row:
        symptom, condition, percent = (record[column].strip() for column in COLUMNS)
        if not (symptom and condition):
            return record.refused(WORD, "the row names no symptom or no condition")
        if not _PERCENT.fullmatch(percent) or not 0 < float(percent) <= _ALL:
            return record.refused(WORD, f"'{percent[:100]}' is no percentage above 0, up to 100")
        edge = Assertion(
            file=record.file,
            row=record.row,
            original_relation=WORD,
            head=None,
            head_type="Disease",
            head_name=_ABBREVIATION.sub("", condition) or condition,
            relation=mapped.relation,
            tail_type="Symptom",
            tail_name=symptom,
            evidence=f"{percent}% of the people with the symptom had the condition",
            weight=float(percent),
        )
        return (edge,)

    return of


KIND: Final = SourceKind(
    title="SymCat: of the people with a symptom, the percentage who had each condition",
    licence=(
        "none is stated: scraped from SymCat's web site, which is no longer there; "
        "for tests inside, ask before you pass anything on"
    ),
    citation="SymCat (symcat.com), as gathered by teliov/symcat-to-synthea on GitHub",
    needs=(f"a table with the columns {', '.join(COLUMNS)}",),
    obtained=(
        "GitHub: teliov/symcat-to-synthea (symcat/symcat-474-symptoms.csv), "
        "made a row for each symptom and condition"
    ),
    files=files,
    read=read,
)

"""ICD-10-CM in English and Chinese: a table of codes, each with its title in both languages.

A code makes no node: its titles are names (HAS_BRIDGED_NAME) by which what English sources and
Chinese sources know may meet. Codes of chapter 18 (R) are symptoms and signs, all others that
name one thing are diseases. Codes of one title are one thing ("Cholera" A00 and "Cholera,
unspecified" A00.9): their names are all given to the first. In quarantine is a code that names no one
thing (``titles``), and one of which the Chinese title is that of a code with another English title.

A Chinese title becomes a name twice where Taiwan and the mainland have different words: as it is
written, and in words of the mainland (``taiwan``), both in Simplified characters.
"""

import re
from collections import defaultdict
from pathlib import Path
from typing import Final, Literal

from ingest.assertions import Assertion
from ingest.sources.engine import DEFAULT_RESOURCES, Resources
from ingest.sources.formats.delimited import TAB_SEPARATED
from ingest.sources.formats.records import Record, RecordTable, read_records
from ingest.sources.icd10cm.taiwan import Taiwan
from ingest.sources.icd10cm.titles import Names, names_of
from ingest.sources.kind import SourceKind
from ingest.sources.relations import RelationMap
from ingest.sources.settings import SourceName, SourceSettings
from ingest.sources.writing import ReadResult, Row
from kg.progress import Progress
from kg.text.canonical import canonical
from kg.text.words import HAN

COLUMNS: Final = ("code", "name_en", "name_zh_hant")
WORD: Final = "title"
_CODE: Final = re.compile(r"[A-Z][0-9][0-9A-Z](?:\.[0-9A-Z]{1,4})?", re.ASCII)
_HAN: Final = re.compile(f"[{HAN}]")
_ARTICLE: Final = re.compile(r"\b(?:an?|the) ", re.IGNORECASE)
_ENGLISH: Final = re.compile(r"[A-Za-z]{2}", re.ASCII)


class Icd10CmSource(SourceSettings, frozen=True):
    """ICD-10-CM with titles in two languages."""

    kind: Literal["icd10cm"]
    name: SourceName = "icd10cm"
    file: Path
    """A row for each code, with tabs: ``code`` (with its dot), ``name_en``, ``name_zh_hant``."""


def files(source: Icd10CmSource) -> tuple[Path, ...]:
    """The input files."""
    return (source.file,)


def read(
    source: Icd10CmSource, out: Path, progress: Progress, resources: Resources = DEFAULT_RESOURCES
) -> ReadResult:
    """Write ``assertions.parquet`` and ``quarantine.parquet`` into ``out``.

    Raises:
        SourceError: the file cannot be read as ICD-10-CM, or ``out`` not be written.
    """
    codes = _Codes(RelationMap.of("ingest.sources.icd10cm").attributes[WORD])
    table = RecordTable(source.file, COLUMNS, TAB_SEPARATED, codes.read_row, codes.survey)
    return read_records((table,), source.name, out, progress, resources)


class _Codes:
    """Reads all codes before it makes assertions: a name that two codes have is ambiguous."""

    def __init__(self, attribute: str) -> None:
        self._attribute = attribute
        self._taiwan = Taiwan()
        self._names_by_row: dict[int, Names | str] = {}
        """What each row names, or why it names nothing."""
        self._rows: dict[str, int] = {}
        """The first row of each code."""
        self._first: dict[tuple[str, str], str] = {}
        """The first code of each English title, by type and key of the title."""
        self._titles: dict[str, dict[str, str]] = defaultdict(dict)
        """The English titles of each Chinese name, by key."""

    def survey(self, record: Record) -> None:
        """Take down what a row names."""
        names = self._names(record)
        self._names_by_row[record.row] = names
        if isinstance(names, Names):
            key = _key(names.english[0])
            self._first.setdefault((names.node_type, key), record["code"].strip())
            for name in names.chinese:
                self._titles[name].setdefault(key, names.english[0])

    def read_row(self, record: Record) -> Row:
        """The assertions of a row."""
        names = self._names_by_row[record.row]
        if isinstance(names, str):
            return record.refused(WORD, names)
        key = _key(names.english[0])
        for name in names.chinese:
            for other, title in self._titles[name].items():
                if not {*key.split()} <= {*other.split(), "of"}:
                    reason = f"the Chinese title is also that of '{title[:200]}'"
                    return record.refused(WORD, reason)
        base = Assertion(
            file=record.file,
            row=record.row,
            original_relation=WORD,
            head=f"ICD10CM:{self._first[names.node_type, key]}",
            head_type=names.node_type,
            head_name=None,
            relation=self._attribute,
        )
        chinese = [each for name in names.chinese for each in self._taiwan.names(name)]
        return (
            *(base._replace(value=name) for name in names.english),
            *(base._replace(value=name, language="zh") for name in dict.fromkeys(chinese)),
        )

    def _names(self, record: Record) -> Names | str:
        code, english, chinese = (record[column].strip() for column in COLUMNS)
        if not _CODE.fullmatch(code):
            return f"'{code[:100]}' is no code of ICD-10-CM; write it with its dot, e.g. J18.9"
        if (first := self._rows.setdefault(code, record.row)) != record.row:
            return f"the code stands in row {first} already"
        if not _ENGLISH.search(english):
            return "the row has no English title"
        if not _HAN.search(chinese):
            return "the row has no Chinese title"
        return names_of(code, english, chinese)


def _key(title: str) -> str:
    """What two writings of one English title have in common."""
    return canonical(_ARTICLE.sub("", title))


KIND: Final = SourceKind(
    title="ICD-10-CM in English and Chinese: names that bridge the two languages",
    licence=(
        "the classification is a US federal work; Taiwan's Chinese edition is under its Open "
        "Government Data License, version 1.0: name the agency"
    ),
    citation=(
        "ICD-10-CM, US National Center for Health Statistics; Chinese edition of Taiwan's "
        "National Health Insurance Administration"
    ),
    needs=(f"a table with the columns {', '.join(COLUMNS)}, separated by tabs",),
    obtained=(
        "the National Health Insurance Administration's page on ICD-10-CM/PCS (nhi.gov.tw), its "
        "table of codes in both languages saved with tabs and these names of columns"
    ),
    files=files,
    read=read,
)

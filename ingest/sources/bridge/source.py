"""Any table of names in two languages, and the lists of such names that medkg brings.

A row gives names of one thing: what stands first for it in a language is what it is called
(HAS_BRIDGED_NAME), the rest are other names (HAS_BRIDGED_SYNONYM). With an ``id`` they are names of that thing; a row
without one is known by its first English name, and says that what is called so in either
language is one thing. Such names make no node by themselves. A cell may hold several names,
parted by ``|`` or ``;``.

In quarantine is a row that bridges nothing: without a type or with one that the graph lacks, with an
id that is none, without a name, or without an id and with names in one language only. A name that
is none of its language (a Chinese name without a Han character, an English one with some) is
quarantined alone.
"""

import re
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import Field, model_validator

from ingest.assertions import Assertion
from ingest.sources.curies import Curies
from ingest.sources.engine import DEFAULT_RESOURCES, Resources
from ingest.sources.formats.records import Record, RecordTable, read_records
from ingest.sources.formats.tabular import TableFile, column_names
from ingest.sources.kind import SourceKind
from ingest.sources.relations import RelationMap
from ingest.sources.settings import SourceName, SourceSettings
from ingest.sources.table.mapping import Choice, FromColumn, node_type_check
from ingest.sources.table.preparation import Column
from ingest.sources.writing import ReadResult, Row
from kg.progress import Progress
from kg.text import normalise
from kg.text.words import HAN
from kg.vocabulary import NODE_TYPES

WORD: Final = "name"
OTHER: Final = "other name"
LISTS: Final = Path(__file__).parent / "lists"
_HAN: Final = re.compile(f"[{HAN}]")
_EVIDENCE: Final = ("kind", "reader")
"""Columns that say what sort of name it is and who read it; they may be missing."""


class BridgeSource(TableFile, SourceSettings, frozen=True):
    """A table of names in two languages."""

    kind: Literal["bridge"]
    name: SourceName = "bridge"
    list: Literal["diseases", "drugs", "findings"] | None = None
    """A list that medkg brings, in place of a ``file``."""
    type: Annotated[Choice, node_type_check] | None = None
    """Node type of all rows, or the column that has it, ``type`` if not given."""
    id: Column | None = None
    """Column with the CURIE of what is named; ``id`` if not given and there is such a column."""
    prefix: str | None = Field(default=None, pattern=r"^[^\s:]+$")
    """Put before ids that have no prefix, e.g. MONDO."""
    name_en: Column = "name_en"
    """Column with the English names."""
    name_zh: Column = "name_zh"
    """Column with the Chinese names."""
    separators: tuple[Annotated[str, Field(min_length=1)], ...] = ("|", ";", "；")
    """What parts several names of one cell."""

    @model_validator(mode="before")
    @classmethod
    def _reads_one_table(cls, values: Any) -> Any:  # noqa: ANN401 -- whatever YAML holds; pydantic checks it
        """A list is a file that medkg brings."""
        if not isinstance(values, dict):
            return values
        if values.get("list") is None:
            if values.get("file") is None:
                raise ValueError(
                    "give the 'file' with the names, or a 'list' that medkg brings: "
                    "diseases, drugs or findings"
                )
            return values
        if "file" in values:
            raise ValueError("give a 'file' or a 'list', not both; take one out")
        return values | {"file": LISTS / f"{values['list']}.tsv"}


def files(source: BridgeSource) -> tuple[Path, ...]:
    """The input files."""
    return (source.file,)


def read(
    source: BridgeSource, out: Path, progress: Progress, resources: Resources = DEFAULT_RESOURCES
) -> ReadResult:
    """Write ``assertions.parquet`` and ``quarantine.parquet`` into ``out``.

    Raises:
        SourceError: the file cannot be read as a table, lacks a column, or ``out`` cannot
            be written.
    """
    available = column_names(source)
    id_column = source.id or ("id" if "id" in available else None)
    node_type = source.type or FromColumn(column="type")
    of_type = () if isinstance(node_type, str) else (node_type.column,)
    evidence = tuple(column for column in _EVIDENCE if column in available)
    used = (*of_type, id_column, source.name_en, source.name_zh, *evidence)
    columns = tuple(dict.fromkeys(filter(None, used)))
    reader = _Names(source, node_type, id_column, evidence).names_of
    table = RecordTable(source.file, columns, source, reader)
    return read_records((table,), source.name, out, progress, resources)


class _UnusableError(Exception):
    """A row gives no usable name; the message says why."""


class _Names:
    """Makes the assertions of rows."""

    def __init__(
        self,
        source: BridgeSource,
        node_type: Choice,
        id_column: str | None,
        evidence: tuple[str, ...],
    ) -> None:
        self._source = source
        self._type_of = node_type
        self._id = id_column
        self._evidence = evidence
        self._attributes = RelationMap.of("ingest.sources.bridge").attributes
        self._named: set[tuple[str, str]] = set()
        self._curies = Curies()
        self._separator = re.compile("|".join(map(re.escape, source.separators)) or "$^")

    def names_of(self, record: Record) -> Row:
        """The names of a row."""
        names = {
            "en": self._parts(record[self._source.name_en]),
            "zh": self._parts(record[self._source.name_zh]),
        }
        try:
            node_type, id_ = self._type(record), self._curie(record)
        except _UnusableError as e:
            return record.refused(WORD, str(e))
        if not (names["en"] or names["zh"]):
            return record.refused(WORD, "the row has no name")
        if id_ is None and not (names["en"] and names["zh"]):
            missing = "Chinese" if names["en"] else "English"
            return record.refused(WORD, f"the row has no id, and no {missing} name")
        evidence = [part.replace("|", "/") for c in self._evidence if (part := record[c].strip())]
        base = Assertion(
            file=record.file,
            row=record.row,
            original_relation=WORD,
            head=id_,
            head_type=node_type,
            head_name=None if id_ else names["en"][0],
            relation="",
            evidence="|".join(evidence) or None,
        )
        return [
            base._replace(
                relation=self._attributes[self._word(id_ or normalise(names["en"][0]), language)],
                value=name,
                language=language,
                problem=_problem(name, language),
            )
            for language, each in names.items()
            for name in each
        ]

    def _word(self, key: str, language: str) -> str:
        """Whether this is the first name of a thing in a language."""
        if (key, language) in self._named:
            return OTHER
        self._named.add((key, language))
        return WORD

    def _parts(self, cell: str) -> list[str]:
        parts = (" ".join(part.split()) for part in self._separator.split(cell))
        return list(dict.fromkeys(filter(None, parts)))

    def _type(self, record: Record) -> str:
        """The node type of a row.

        Raises:
            _UnusableError: it has none of the vocabulary.
        """
        choice = self._type_of
        if isinstance(choice, str):
            return choice
        written = record[choice.column].strip()
        node_type = written if choice.values is None else choice.values.get(written, "")
        if node_type in NODE_TYPES:
            return node_type
        if choice.values is None:
            advice = f"write one of medkg's, e.g. {', '.join(list(NODE_TYPES)[:3])}"
        else:
            advice = "add it to 'type.values'"
        raise _UnusableError(
            f"'{written[:100]}' in column {choice.column} is no node type; {advice}"
        )

    def _curie(self, record: Record) -> str | None:
        """The id of a row, None where it has none.

        Raises:
            _UnusableError: what it has is no id.
        """
        written = record[self._id].strip() if self._id else ""
        if not written:
            return None
        prefix = self._source.prefix
        id_ = f"{prefix}:{written}" if prefix and ":" not in written else written
        if problem := self._curies.problem(id_):
            raise _UnusableError(f"id: {problem}")
        if id_.startswith("UMLS:"):
            raise _UnusableError(
                f"id: '{id_[:100]}' is a UMLS concept and names no one thing; take an id of an "
                "ontology, or none"
            )
        return id_


def _problem(name: str, language: str) -> str | None:
    """Why a name is none of its language, None where it is one."""
    if not normalise(name):
        return f"'{name[:100]}' is no name"
    has_han = _HAN.search(name) is not None
    if language == "zh" and not has_han:
        return f"the Chinese name '{name[:100]}' has no Chinese character"
    if language == "en" and has_han:
        return f"the English name '{name[:100]}' has Chinese characters"
    return None


KIND: Final = SourceKind(
    title="any table of names in two languages, and lists that medkg brings",
    licence="that of the table; medkg's own lists are under the Apache License 2.0",
    citation="where the table is from",
    needs=("a table with columns for names in English and Chinese, or nothing with 'list'",),
    obtained="your own table, or one of medkg's reviewed lists: diseases, drugs, findings",
    files=files,
    read=read,
)

"""Triples from question banks and other texts: head, relation, tail, and their confidence.

What ``medkg extract`` writes, or any table with a row a triple (CSV, TSV, JSON lines or
Parquet). Beside the three columns it may have ids, types, a confidence, which becomes the
``weight`` of the edge, the question or passage that says so, which becomes its ``evidence``,
and the language. A column that the settings do not name is taken by its usual name, if it is
there.

Relations are the graph's own, or words that the settings map. The type of an end that has
none follows from the relation, where that takes one type only. An end whose id is a UMLS
concept is known by its name, and has the concept (HAS_CUI).
"""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field

from ingest.sources.concepts import concepts_of
from ingest.sources.engine import DEFAULT_RESOURCES, Resources
from ingest.sources.formats.tabular import TableFile, column_names, table_rows
from ingest.sources.kind import SourceKind
from ingest.sources.parts import (
    Part,
    Workplace,
    quarantined,
    read_parts,
    rows_of,
    unread_cells,
)
from ingest.sources.relations import Mapped
from ingest.sources.settings import IdPrefix, SourceSettings
from ingest.sources.table.preparation import Column
from ingest.sources.triples.rows import problem, stated, unread_confidences, why_no_fact
from ingest.sources.writing import ReadResult, as_assertions
from kg.progress import Progress
from kg.vocabulary import FACTS, NODE_TYPES

OPTIONAL: Final = (
    *("head_id", "head_type", "tail_id", "tail_type"),
    *("confidence", "question", "language"),
)
"""Columns that a table may lack."""


def _mapped(value: Any) -> Any:  # noqa: ANN401 -- whatever YAML holds; pydantic checks it
    return {"relation": value} if isinstance(value, str) else value


def _node_type(name: str) -> str:
    if name not in NODE_TYPES:
        raise ValueError(f"{name!r} is no node type; take one of {', '.join(NODE_TYPES)}")
    return name


NodeTypeName = Annotated[str, AfterValidator(_node_type)]
"""A node type of the graph."""


class Constant(BaseModel, frozen=True, extra="forbid"):
    """A node type that holds for every row."""

    value: NodeTypeName


class TriplesSource(TableFile, SourceSettings, frozen=True):
    """A table of triples, and the names of its columns."""

    kind: Literal["triples"]
    head: Column = "head"
    """Column with the name."""
    relation: Column = "relation"
    """Column with the relation: one of the graph's, or a word of ``relations``."""
    tail: Column = "tail"
    """Column with the name."""
    head_id: Column | None = None
    """Column with the CURIE."""
    tail_id: Column | None = None
    """Column with the CURIE."""
    head_type: Column | Constant | None = None
    """Column with the node type, or `{value: Disease}` for all rows; without it the
    type of the relation's end, if there is only one."""
    tail_type: Column | Constant | None = None
    """The same for the tail."""
    confidence: Column | None = None
    """Column with a number in [0, 1]."""
    question: Column | None = None
    """Column with the question, passage or document; several joined by ``|``."""
    language: Column | None = None
    """Column with en or zh."""
    default_language: Literal["en", "zh"] = "en"
    """Language of rows without one."""
    relations: dict[str, Annotated[Mapped, BeforeValidator(_mapped)]] = Field(default_factory=dict)
    """What the table's words for relations mean; the graph's own need not be here."""
    types: dict[str, NodeTypeName] = Field(default_factory=dict)
    """Node types by the table's words for them; the graph's own need not be here."""
    id_prefix: IdPrefix = None
    min_confidence: float | None = Field(default=None, ge=0, le=1, allow_inf_nan=False)
    """Triples below it, or without a confidence, are quarantined."""
    link: bool = False
    """Whether names without an id are linked with the nodes of the other sources; for names that
    were written freely."""

    def present(self) -> dict[str, str]:
        """The columns that the table has, by what they are here.

        Raises:
            SourceError: the table cannot be read.
        """
        required = {name: getattr(self, name) for name in ("head", "relation", "tail")}
        names = column_names(self)
        optional = [name for name in OPTIONAL if name not in self.constants()]
        named = {name: getattr(self, name) or name for name in optional}
        stated = {name for name in optional if getattr(self, name)}
        return required | {n: c for n, c in named.items() if n in stated or c in names}

    def prefixes(self) -> set[str]:
        """The prefixes that are put before ids."""
        return {self.id_prefix} if self.id_prefix else set()

    def constants(self) -> dict[str, str]:
        """The types that hold for every row, by ``head_type`` and ``tail_type``."""
        types = {"head_type": self.head_type, "tail_type": self.tail_type}
        return {name: type_.value for name, type_ in types.items() if isinstance(type_, Constant)}

    def meanings(self) -> dict[str, Mapped]:
        """What every word for a relation means."""
        return {name: Mapped(relation=name) for name in FACTS} | self.relations

    def node_types(self) -> dict[str, str]:
        """The node type of every word for one."""
        return {name: name for name in NODE_TYPES} | self.types


def files(source: TriplesSource) -> tuple[Path, ...]:
    """The input files."""
    return (source.file,)


def read(
    source: TriplesSource, out: Path, progress: Progress, resources: Resources = DEFAULT_RESOURCES
) -> ReadResult:
    """Write ``assertions.parquet`` and ``quarantine.parquet`` into ``out``.

    Raises:
        SourceError: the file cannot be read as the source says, or ``out`` not be written.
    """
    return read_parts(partial(_parts, source), 1, source.name, out, progress, resources)


def _parts(source: TriplesSource, place: Workplace) -> Iterator[Part]:
    columns = source.present()
    texts = [columns[end] for end in ("head", "tail") if end in columns]
    rows = table_rows(place.engine, source, tuple(columns.values()), place.folder, texts)
    made = {"source": source.name, "file": source.file.name}
    table = stated(
        *(rows.good, columns, source.constants(), source.meanings(), source.node_types()),
        id_prefix=source.id_prefix,
    )
    table = table.mutate(language=table.language.fill_null(source.default_language))
    judged = table.mutate(reason=why_no_fact(table, source.min_confidence))
    facts, refused = (
        judged.filter(judged.reason.isnull()),
        judged.filter(judged.reason.notnull()),
    )
    ends = ("head", "head_type", "head_name", "relation", "tail", "tail_type", "tail_name")
    same = ("row", "original_relation", *ends, "language", "evidence", "weight")
    columns_of_facts = {name: facts[name] for name in same}
    triples = as_assertions(facts, {**made, **columns_of_facts, "problem": problem(facts)})
    yield Part(
        (triples, *concepts_of(facts, made)),
        (
            quarantined(refused, rows.bad, made),
            unread_cells(unread_confidences(facts), made),
        ),
        rows_of(table, rows.bad),
    )


KIND: Final = SourceKind(
    title="triples from question banks and other texts, with a confidence and the question",
    licence="that of the texts",
    citation="where the texts are from",
    needs=("the table of triples",),
    obtained="your own data, or what 'medkg extract' finds in a question bank",
    files=files,
    read=read,
)

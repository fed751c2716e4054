"""Graph tables: the files that a store is loaded from.

A folder of graph tables is a whole graph or a layer on one::

    nodes.parquet              NODE_COLUMNS, one row a node, ordered by id
    edges/HAS_SYMPTOM.parquet  EDGE_COLUMNS, one row an edge, ordered by head, tail;
                               a file for each relation type that has edges
    tables.json                TableSummary: counts and a checksum of the rows

A layer may also change edges of the build::

    removed/HAS_SYMPTOM.parquet  REMOVED_COLUMNS, edges that it takes out, ordered by head, tail
    marks/HAS_SYMPTOM.parquet    MARK_COLUMNS, what it says of edges, ordered by head, tail

give nodes a vector::

    vectors.parquet              VECTOR_COLUMNS, ordered by id, all vectors of one length

or have records (``kg.records``), which stand beside the nodes::

    records/Turn.parquet         the columns of the record type, ordered by id
    record_edges/HAS_TURN.parquet  the columns of the relation, ordered by head, tail

A layer says with which version of these columns it was made; a column that it lacks is null.
List columns are never null (an empty list instead). A column that holds
several values but is a plain string (``publications``, ``evidence``,
``frequency_text``, ``weight_text``, ``original_relation``) joins them with ``|`` as KGX does:
a list column on 4 million edges costs the embedded engine 9 seconds of load.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pydantic import BaseModel, ValidationError

from cypher.translation import translate
from kg.errors import TablesError

if TYPE_CHECKING:
    import pyarrow as pa


class Kind(Enum):
    """Types a column may have."""

    STRING = "string"
    STRINGS = "strings"
    FLOAT = "float"
    INTEGER = "integer"
    BOOLEAN = "boolean"
    TIME = "time"
    """ISO 8601 in UTC with milliseconds, ``2026-03-01T09:30:00.000Z``: text, so that both
    engines order and compare it alike."""
    JSON = "json"
    """Text that is JSON."""
    VECTOR = "vector"


@dataclass(frozen=True)
class Column:
    """A column of a table, typed the same on disk and in both engines."""

    name: str
    kind: Kind
    required: bool = False
    """Never null."""


NODE_COLUMNS: Final = (
    Column("id", Kind.STRING, required=True),
    Column("type", Kind.STRING, required=True),
    Column("name", Kind.STRING, required=True),
    Column("name_zh", Kind.STRING),
    Column("synonyms", Kind.STRINGS, required=True),
    Column("synonyms_zh", Kind.STRINGS, required=True),
    Column("lay_names", Kind.STRINGS, required=True),
    Column("lay_names_zh", Kind.STRINGS, required=True),
    Column("normal_names", Kind.STRINGS, required=True),
    Column("definition", Kind.STRING),
    Column("text", Kind.STRING),
    Column("cui", Kind.STRING),
    Column("xrefs", Kind.STRINGS, required=True),
    Column("sources", Kind.STRINGS, required=True),
    Column("layer", Kind.STRING),
)
"""Columns of ``nodes.parquet``. ``name`` is English where any source names the
node in English; ``lay_names`` are those of its names that a source calls everyday words;
``normal_names`` are all its names as ``kg.text.normalise``
leaves them, for exact look-up; ``layer`` is null for what the build made."""

EDGE_COLUMNS: Final = (
    Column("head", Kind.STRING, required=True),
    Column("tail", Kind.STRING, required=True),
    Column("sources", Kind.STRINGS, required=True),
    Column("publications", Kind.STRING),
    Column("evidence", Kind.STRING),
    Column("frequency", Kind.FLOAT),
    Column("frequency_text", Kind.STRING),
    Column("onset", Kind.STRING),
    Column("sex", Kind.STRING),
    Column("weight", Kind.FLOAT),
    Column("weight_text", Kind.STRING),
    Column("original_relation", Kind.STRING),
    Column("method", Kind.STRING),
    Column("score", Kind.FLOAT),
    Column("flags", Kind.STRING),
    Column("discrimination", Kind.FLOAT),
    Column("likelihood", Kind.FLOAT),
    Column("layer", Kind.STRING),
)
"""Columns of an edge file; its name is the relation type. ``frequency`` is a
fraction in [0, 1] and ``weight`` any number; where records say several,
``TableSummary.combined`` tells how they became one; ``frequency_text`` and ``weight_text``
are every one of them as written; ``publications`` are CURIEs such as PMID:31675180; ``evidence`` are
evidence codes (HPO's PCS, TAS, IEA); ``original_relation`` is the sources' own
word for the relation. ``method`` and ``score`` (in [0, 1]) say how a layer came to
an edge that no source states; null for what the build made. ``flags`` (the rules that doubt
an edge), ``discrimination`` and ``likelihood`` (in [0, 1]) come from a layer's marks."""

MARK_COLUMNS: Final = (
    Column("head", Kind.STRING, required=True),
    Column("tail", Kind.STRING, required=True),
    Column("flags", Kind.STRING),
    Column("discrimination", Kind.FLOAT),
    Column("likelihood", Kind.FLOAT),
)
"""What a layer says of an edge of the build; ``flags`` joins the names of rules with ``|``."""

REMOVED_COLUMNS: Final = (
    *EDGE_COLUMNS,
    Column("rule", Kind.STRING, required=True),
    Column("reason", Kind.STRING, required=True),
)
"""An edge of the build as it was, and why a layer takes it out."""

VECTOR_COLUMNS: Final = (
    Column("id", Kind.STRING, required=True),
    Column("embedding", Kind.VECTOR, required=True),
)
"""A node of the graph or the layer, and where a model puts it: float32, finite, not all zero."""

LEFT_OUT_COLUMNS: Final = (
    Column("table", Kind.STRING, required=True),
    Column("head", Kind.STRING, required=True),
    Column("tail", Kind.STRING),
    Column("reason", Kind.STRING, required=True),
)
"""A row of a layer that did not fit the graph: in which of its tables, the ends of the edge or
the id of the node, and why."""

VERSION: Final = 4
"""Of the columns above, and of those of records; a layer made with a later one is refused.

1 was without ``weight_text`` and ``likelihood``, 2 without records and spaces of vectors, 3
without ``lay_names`` and ``lay_names_zh``, and without what evaluations are asked by: areas of
cases, safety flags, findings of dialogues.
"""

SPACE: Final = re.compile(r"[a-z][a-z0-9_]{0,31}")
"""What the name of a space of vectors may be."""

ENTITIES: Final = "entities"
"""The space of vectors that queries ask when none is named."""

SEPARATOR: Final = "|"
"""Joins the values of a string column that holds several."""


def arrow_schema(columns: Iterable[Column]) -> "pa.Schema":
    """The columns with their types on disk."""
    import pyarrow as pa  # noqa: PLC0415 - whoever only reads a summary does without it

    types = {
        Kind.STRING: pa.string(),
        Kind.STRINGS: pa.list_(pa.string()),
        Kind.FLOAT: pa.float64(),
        Kind.INTEGER: pa.int64(),
        Kind.BOOLEAN: pa.bool_(),
        Kind.TIME: pa.string(),
        Kind.JSON: pa.string(),
        Kind.VECTOR: pa.list_(pa.float32()),
    }
    return pa.schema([(column.name, types[column.kind]) for column in columns])


def arrow_table(columns: Sequence[Column], rows: Iterable[Mapping[str, object]]) -> "pa.Table":
    """Rows as a table of the columns; what a row does not say is null, or an empty list.

    Raises:
        ValueError: a row says something that is no column.
    """
    import pyarrow as pa  # noqa: PLC0415 - as above

    empty: dict[str, object] = {
        column.name: [] if column.kind is Kind.STRINGS else None for column in columns
    }
    whole = [{**empty, **row} for row in rows]
    if more := sorted(
        {name for row in whole if len(row) > len(empty) for name in row} - set(empty)
    ):
        raise ValueError(f"{', '.join(more)}: no column; there are {', '.join(empty)}")
    return pa.Table.from_pylist(whole, arrow_schema(columns))


class TableSummary(BaseModel, frozen=True, extra="forbid"):
    """What ``tables.json`` says about the tables beside it."""

    name: str
    """``medkg`` for a build, the layer's name for a layer."""
    checksum: str
    """Over all rows; equal rows give an equal checksum."""
    nodes: dict[str, int]
    """Node count by type."""
    edges: dict[str, int]
    """Edge count by relation type."""
    removed: dict[str, int] = {}
    """Edges that a layer takes out, by relation type."""
    marked: dict[str, int] = {}
    """Edges that a layer marks, by relation type."""
    vectors: int = 0
    """Nodes that a layer gives a vector."""
    dimensions: int = 0
    """Length of each of these vectors; 0 where there are none."""
    space: str = ENTITIES
    """Name of the space that the vectors are in."""
    records: dict[str, int] = {}
    """Records of a layer, by type."""
    record_edges: dict[str, int] = {}
    """Edges of records of a layer, by relation."""
    combined: dict[str, str] = {}
    """How the numbers of several records became one, by column: mean, max, min, sum or first."""
    files: dict[str, str] = {}
    """Checksum of each file of rows of a layer, by its path in the folder; an earlier medkg
    wrote none."""
    version: int = 2
    """Of the columns: ``VERSION`` when the tables were made."""
    made_by: str
    """medkg's version and the command that made the tables."""

    @property
    def changes(self) -> bool:
        """Whether edges of the build are taken out or marked."""
        return bool(self.removed or self.marked)


@dataclass(frozen=True)
class GraphTables:
    """A folder of graph tables."""

    folder: Path

    @property
    def nodes(self) -> Path:
        """Path of the node table."""
        return self.folder / "nodes.parquet"

    def edges(self, relation: str) -> Path:
        """Path of the edge table of one relation type."""
        return self.folder / "edges" / f"{relation}.parquet"

    def removed(self, relation: str) -> Path:
        """Path of the table of a relation type's edges that a layer takes out."""
        return self.folder / "removed" / f"{relation}.parquet"

    def marks(self, relation: str) -> Path:
        """Path of the table of what a layer says of a relation type's edges."""
        return self.folder / "marks" / f"{relation}.parquet"

    @property
    def vectors(self) -> Path:
        """Path of the table of the vectors that a layer gives nodes."""
        return self.folder / "vectors.parquet"

    def records(self, record_type: str) -> Path:
        """Path of the table of the records of one type that a layer has."""
        return self.folder / "records" / f"{record_type}.parquet"

    def record_edges(self, relation: str) -> Path:
        """Path of the table of the edges of one relation of records."""
        return self.folder / "record_edges" / f"{relation}.parquet"

    @property
    def left_out(self) -> Path:
        """Path of the table of the rows of a kept layer that did not fit the graph."""
        return self.folder / "left_out.parquet"

    def summary(self) -> TableSummary:
        """Read ``tables.json``.

        Raises:
            TablesError: it is missing, malformed, or names a file that is missing.
        """
        path = self.folder / "tables.json"
        try:
            summary = TableSummary.model_validate_json(path.read_bytes())
        except FileNotFoundError as e:
            raise TablesError(
                translate(
                    "{folder}: there are no graph tables here; make them with 'medkg build'",
                    folder=self.folder,
                )
            ) from e
        except ValidationError as e:
            raise TablesError(
                translate(
                    "{path}: not a table summary ({error_count} errors); make the tables again with 'medkg build'",
                    path=path,
                    error_count=e.error_count(),
                )
            ) from e
        files = (
            self.nodes,
            *map(self.edges, summary.edges),
            *map(self.removed, summary.removed),
            *map(self.marks, summary.marked),
            *([self.vectors] if summary.vectors else []),
            *map(self.records, summary.records),
            *map(self.record_edges, summary.record_edges),
        )
        for file in files:
            if not file.is_file():
                raise TablesError(
                    translate(
                        "{file}: missing, though {name} counts its rows", file=file, name=path.name
                    )
                )
        return summary

    def write_summary(self, summary: TableSummary) -> None:
        """Write ``tables.json``, last of all files."""
        path = self.folder / "tables.json"
        path.write_text(summary.model_dump_json(indent=2) + "\n", encoding="utf-8")

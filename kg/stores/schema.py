"""The embedded engine's tables: one for all nodes, one for each relation type."""

from typing import Final

from kg.stores.graph_file import GraphFile
from kg.tables import EDGE_COLUMNS, NODE_COLUMNS, Column, Kind
from kg.vocabulary import RELATION_TYPES

_TYPES: Final = {
    Kind.STRING: "STRING",
    Kind.STRINGS: "STRING[]",
    Kind.FLOAT: "DOUBLE",
    Kind.INTEGER: "INT64",
}

_STAMP: Final = "CREATE NODE TABLE Stamp(id STRING, holds STRING, PRIMARY KEY (id))"

_MACROS: Final = (
    "CREATE MACRO type(r) AS label(r)",
    "CREATE MACRO toFloat(x) AS CAST(x AS DOUBLE)",
)
"""What Neo4j has and the engine has not. A macro with a comparison, NOT, IS NULL,
CASE or a lambda would be taken, and the file could never be opened again."""


def create_schema(file: GraphFile) -> None:
    """Make all tables, also those of relation types that have no edges yet."""
    file.run(f"CREATE NODE TABLE Entity({_columns(NODE_COLUMNS)}, PRIMARY KEY (id))")
    for relation in RELATION_TYPES:
        properties = _columns(EDGE_COLUMNS[2:])
        file.run(f"CREATE REL TABLE {relation}(FROM Entity TO Entity, {properties})")
    for text in (_STAMP, *_MACROS):
        file.run(text)


def _columns(columns: tuple[Column, ...]) -> str:
    return ", ".join(f"{column.name} {_TYPES[column.kind]}" for column in columns)

"""The embedded engine's tables: one for all entities, one for each record type and relation."""

from hashlib import blake2b
from typing import Final

from cypher.rewrite import VECTOR
from kg.records import RECORD_RELATIONS, RECORD_TYPES
from kg.stores.graph_file import GraphFile
from kg.tables import EDGE_COLUMNS, NODE_COLUMNS, Column, Kind
from kg.vocabulary import RELATION_TYPES

_TYPES: Final = {
    Kind.STRING: "STRING",
    Kind.STRINGS: "STRING[]",
    Kind.FLOAT: "DOUBLE",
    Kind.INTEGER: "INT64",
    Kind.BOOLEAN: "BOOL",
    Kind.TIME: "STRING",
    Kind.JSON: "STRING",
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
    for text in _statements():
        file.run(text)


def vector_table(space: str) -> str:
    """The name of the table of vectors of one space."""
    return f"{VECTOR}_{space}"


def create_vectors(file: GraphFile, space: str, dimensions: int) -> None:
    """Make the table of a space's vectors, which only a graph has whose layer gives some.

    It is not a column of ``Entity``: the engine fills a table from a file within seconds,
    and a column of one that is there row by row, within minutes.
    """
    file.run(
        f"CREATE NODE TABLE {vector_table(space)}"
        f"(id STRING, embedding FLOAT[{dimensions}], PRIMARY KEY (id))"
    )


def schema_checksum() -> str:
    """Of all that ``create_schema`` runs: a file with another one lacks a table or a column."""
    return blake2b("\n".join(_statements()).encode(), digest_size=16).hexdigest()


def _statements() -> list[str]:
    properties = _columns(EDGE_COLUMNS[2:])
    return [
        f"CREATE NODE TABLE Entity({_columns(NODE_COLUMNS)}, PRIMARY KEY (id))",
        *(
            f"CREATE REL TABLE {relation}(FROM Entity TO Entity, {properties})"
            for relation in RELATION_TYPES
        ),
        *(
            f"CREATE NODE TABLE `{record.name}`({_columns(record.columns)}, PRIMARY KEY (id))"
            for record in RECORD_TYPES.values()
        ),
        *(
            f"CREATE REL TABLE {relation.name}("
            + ", ".join(f"FROM `{head}` TO `{tail}`" for head, tail in relation.ends)
            + f", {_columns(relation.properties)})"
            for relation in RECORD_RELATIONS.values()
        ),
        _STAMP,
        *_MACROS,
    ]


def _columns(columns: tuple[Column, ...]) -> str:
    return ", ".join(f"`{column.name}` {_TYPES[column.kind]}" for column in columns)

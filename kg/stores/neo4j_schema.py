"""Constraints and indexes of the graph in Neo4j."""

from typing import Final, LiteralString

from kg.records import RECORD_TYPES
from kg.vocabulary import NODE_TYPES

STAMP_LABEL: Final = "MedKGStamp"
"""Of the node that says what the graph holds; it is no ``:Entity``, so no query meets it."""

STAMP_ID: Final = "medkg"

NAMES_INDEX: Final = "entity_names"
"""Full-text index over all names; ``cypher/neo4j_only`` asks it."""

_PREFIX: Final = "medkg_"

VECTOR_INDEX: Final = f"{_PREFIX}embedding_"
"""Before the name of a space: the index over its vectors; ``cypher/neo4j_only`` asks it."""


def vector_property(space: str) -> str:
    """The property of a node that has its vector in a space."""
    return f"embedding_{space}"


def constraints() -> dict[str, str]:
    """What must be there before anything is written: name to statement."""
    labels = {"entity_id": "Entity", "stamp_id": STAMP_LABEL, "lock_id": "MedKGLock"}
    labels |= {f"{record.lower()}_record_id": record for record in RECORD_TYPES}
    return {
        f"{_PREFIX}{name}": f"CREATE CONSTRAINT {_PREFIX}{name} IF NOT EXISTS "
        f"FOR (n:{label}) REQUIRE n.id IS UNIQUE"
        for name, label in labels.items()
    }


def indexes() -> dict[str, str]:
    """What makes queries fast: name to statement.

    Queries seek ``Entity``; the indexes on each type's label are for what people
    type in Neo4j Browser.
    """
    on = {f"{_PREFIX}entity_{key}": ("Entity", key) for key in ("type", "name", "cui", "layer")}
    for node_type in NODE_TYPES:
        for key in ("id", "name"):
            on[f"{_PREFIX}{node_type.lower()}_{key}"] = (node_type, key)
    made = {
        name: f"CREATE INDEX {name} IF NOT EXISTS FOR (n:{label}) ON (n.{key})"
        for name, (label, key) in on.items()
    }
    return made | {NAMES_INDEX: _names_index()}


def vector_index(space: str, dimensions: int) -> dict[str, str]:
    """The index over a space's vectors, all of one length, which only a graph has that has some.

    Vectors are not quantised: what the index finds is ranked again by the vectors
    themselves, and it should miss little.
    """
    return {
        f"{VECTOR_INDEX}{space}": f"CREATE VECTOR INDEX {VECTOR_INDEX}{space} IF NOT EXISTS "
        f"FOR (n:Entity) ON (n.{vector_property(space)}) OPTIONS {{indexConfig: {{"
        f"`vector.dimensions`: {int(dimensions)}, `vector.similarity_function`: 'cosine', "
        "`vector.quantization.enabled`: false}}"
    }


def _names_index() -> LiteralString:
    # The cjk analyzer splits Chinese into pairs of characters and English at blanks.
    return (
        "CREATE FULLTEXT INDEX entity_names IF NOT EXISTS FOR (n:Entity) "
        "ON EACH [n.name, n.name_zh, n.synonyms, n.synonyms_zh] "
        "OPTIONS {indexConfig: {`fulltext.analyzer`: 'cjk'}}"
    )

"""The statements by which stores write and count, from ``cypher/loader``."""

import re
from collections.abc import Sequence
from importlib.resources import files

from kg.records import ENTITY, RECORD_RELATIONS, RECORD_TYPES
from kg.tables import Column
from kg.vocabulary import NODE_TYPES, RELATION_TYPES

_KNOWN = {ENTITY, *NODE_TYPES, *RELATION_TYPES, *RECORD_TYPES, *RECORD_RELATIONS}


def statement(name: str, **names: str) -> str:
    """The text of ``cypher/loader/<name>.cypher`` without its comment.

    Args:
        name: path below the folder, e.g. ``neo4j/create_edges``.
        names: what stands for a word of the text in upper case, by that word in lower case:
            relation, node_type, label, head, tail (types or relations of the vocabulary or of
            records), columns (what ``returned`` makes), or the table or property of a space
            of vectors.

    Raises:
        ValueError: a name is not in the vocabulary.
    """
    for what, value in names.items():
        if what not in ("columns", "table", "property") and value not in _KNOWN:
            raise ValueError(f"{value!r} is no {what.replace('_', ' ')}")
    lines = (files("cypher") / "loader" / f"{name}.cypher").read_text("utf-8").splitlines()
    text = "\n".join(line for line in lines if not line.startswith("//"))
    for what, value in names.items():
        quoted = f"`{value}`" if value in RECORD_TYPES else value  # Case is a word of Cypher
        text = re.sub(rf"\b{what.upper()}\b", quoted, text)
    return text


def returned(variable: str, columns: Sequence[Column]) -> str:
    """``n.id AS id, …`` for a statement's ``COLUMNS``."""
    return ", ".join(f"{variable}.`{c.name}` AS `{c.name}`" for c in columns)


def whole(value: object) -> int:
    """A count as an engine gives it.

    Raises:
        TypeError: it is none.
    """
    if not isinstance(value, int):
        raise TypeError(f"a count is {type(value).__name__}")
    return value

"""The statements by which stores write and count, from ``cypher/loader``."""

import re
from importlib.resources import files

from kg.vocabulary import NODE_TYPES, RELATION_TYPES


def statement(name: str, *, relation: str = "", node_type: str = "") -> str:
    """The text of ``cypher/loader/<name>.cypher`` without its comment.

    Args:
        name: path below the folder, e.g. ``neo4j/create_edges``.
        relation: relation type that stands for ``RELATION`` in the text.
        node_type: node type that stands for ``NODE_TYPE``.

    Raises:
        ValueError: the relation or node type is not in the vocabulary.
    """
    if relation and relation not in RELATION_TYPES:
        raise ValueError(f"{relation!r} is not a relation type")
    if node_type and node_type not in NODE_TYPES:
        raise ValueError(f"{node_type!r} is not a node type")
    lines = (files("cypher") / "loader" / f"{name}.cypher").read_text("utf-8").splitlines()
    text = "\n".join(line for line in lines if not line.startswith("//"))
    named = re.sub(r"\bRELATION\b", relation, text) if relation else text
    return re.sub(r"\bNODE_TYPE\b", node_type, named) if node_type else named

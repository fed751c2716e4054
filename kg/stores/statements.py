"""The statements by which stores write and count, from ``cypher/loader``."""

import re
from collections.abc import Callable, Mapping, Sequence
from importlib.resources import files

from kg.records import ENTITY, RECORD_RELATIONS, RECORD_TYPES
from kg.stores.store import Counts
from kg.tables import Column
from kg.vocabulary import NODE_TYPES, RELATION_TYPES

Ask = Callable[[str, Mapping[str, object]], tuple[tuple[str, ...], list[Sequence[object]]]]
"""Runs a statement with its arguments; column names and rows."""

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


def count(ask: Ask, layers: Sequence[str] | None = None) -> Counts:
    """Nodes and records by type and edges by relation, counted by the engine.

    Args:
        ask: runs a statement.
        layers: count what these added; None: everything.
    """
    prefix = "count_" if layers is None else "count_layer_"
    arguments: dict[str, object] = {} if layers is None else {"layers": list(layers)}

    def number(name: str, **names: str) -> int:
        _, [(n,)] = ask(statement(f"{prefix}{name}", **names), arguments)
        return whole(n)

    _, rows = ask(statement(f"{prefix}nodes"), arguments)
    nodes = {str(type_): whole(n) for type_, n in rows}
    nodes |= {name: number("records", label=name) for name in RECORD_TYPES}
    edges = {name: number("edges", relation=name) for name in RELATION_TYPES}
    of_records = "record_edges" if layers is None else "edges"
    edges |= {name: number(of_records, relation=name) for name in RECORD_RELATIONS}
    return Counts(
        {name: n for name, n in nodes.items() if n}, {name: n for name, n in edges.items() if n}
    )


def whole(value: object) -> int:
    """A count as an engine gives it.

    Raises:
        TypeError: it is none.
    """
    if not isinstance(value, int):
        raise TypeError(f"a count is {type(value).__name__}")
    return value

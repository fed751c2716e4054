"""Graphs of the openCypher TCK in medkg's form: one table of nodes, typed columns."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from cypher import QueryError
from cypher.parser import parse
from cypher.portability import RESERVED
from cypher.syntax import NodePattern, Property, RelationshipPattern, parts
from cypher.vocabulary import Relation, Vocabulary, column_type
from tests.cypher.tck.scenarios import Cell, node_text

OWN: Final = ("id", "type")
"""Columns of medkg; a scenario's property of that name is called ``own_id``, ``own_type``."""
TYPES: Final = {bool: "boolean", int: "integer", float: "float", str: "string"}
_TABLES: Final = {"boolean": "BOOL", "integer": "INT64", "float": "DOUBLE", "string": "STRING"}


class CannotHoldError(Exception):
    """medkg's form of a graph has no place for what a scenario has."""


@dataclass(frozen=True)
class Graph:
    """The graph of a scenario, and the columns that it has."""

    nodes: tuple[tuple[str, str, tuple[tuple[str, Cell], ...]], ...] = ()
    """Id, label, properties."""
    edges: tuple[tuple[str, str, str, tuple[tuple[str, Cell], ...]], ...] = ()
    """Id of the head, type, id of the tail, properties."""
    labels: frozenset[str] = frozenset()
    relations: frozenset[str] = frozenset({"UNUSED"})
    node_columns: tuple[tuple[str, str], ...] = ()
    """Names and types, in medkg's words."""
    edge_columns: tuple[tuple[str, str], ...] = ()

    def vocabulary(self) -> Vocabulary:
        """What queries may name; every column but the id and the type may be null."""
        of_nodes = {"id": column_type("string"), "type": column_type("string")}
        of_nodes |= {name: column_type(type_).null() for name, type_ in self.node_columns}
        of_edges = {name: column_type(type_).null() for name, type_ in self.edge_columns}
        return Vocabulary(
            nodes=dict.fromkeys(["Entity", *sorted(self.labels)], of_nodes),
            relations=dict.fromkeys(sorted(self.relations), Relation(of_edges)),
        )

    def tables(self) -> Iterator[str]:
        """Statements that make the embedded engine's tables."""
        columns = ["id STRING", "type STRING", *_columns(self.node_columns)]
        yield f"CREATE NODE TABLE Entity({', '.join(columns)}, PRIMARY KEY (id))"
        for relation in sorted(self.relations):
            ends = ["FROM Entity TO Entity", *_columns(self.edge_columns)]
            yield f"CREATE REL TABLE `{relation}`({', '.join(ends)})"

    def inserts(self) -> Iterator[tuple[str, dict[str, Cell]]]:
        """Statements that fill either engine, with their parameters."""
        for id_, label, properties in self.nodes:
            own: dict[str, Cell] = {"id": id_, "type": label, **dict(properties)}
            yield f"CREATE (:Entity {{{_entries(own)}}})", _parameters(own)
        for head, type_, tail, properties in self.edges:
            own = dict(properties)
            ends: dict[str, Cell] = {"head": head, "tail": tail}
            between = "MATCH (a:Entity {id: $head}), (b:Entity {id: $tail})"
            text = f"{between} CREATE (a)-[:`{type_}` {{{_entries(own)}}}]->(b)"
            yield text, {**ends, **_parameters(own)}

    def shown(self) -> dict[Cell, str]:
        """Each node's text by its id."""
        return {
            id_: node_text(label, {_original(name): each for name, each in properties})
            for id_, label, properties in self.nodes
        }


def _columns(columns: Sequence[tuple[str, str]]) -> list[str]:
    return [
        f"`{name}` {_TABLES[type_.removeprefix('list of ')]}{'[]' * type_.startswith('list of ')}"
        for name, type_ in columns
    ]


def _entries(properties: Mapping[str, Cell]) -> str:
    return ", ".join(f"`{name}`: $p{n}" for n, name in enumerate(properties))


def _parameters(properties: Mapping[str, Cell]) -> dict[str, Cell]:
    return {f"p{n}": each for n, each in enumerate(properties.values())}


def renamed(name: str) -> str:
    return f"own_{name}" if name.lower() in OWN else name


def _original(name: str) -> str:
    plain = name.removeprefix("own_")
    return plain if plain.lower() in OWN else name


Node = tuple[int, list[str], Mapping[str, Cell]]
"""Number, labels, properties."""
Edge = tuple[int, str, int, Mapping[str, Cell]]
"""Number of the head, type, number of the tail, properties."""


def held(
    nodes: Sequence[Node],
    edges: Sequence[Edge],
    query: str,
) -> Graph:
    """A graph in medkg's form, with the labels, types and properties that a query names too.

    Raises:
        CannotHoldError: it has no place for it.
    """
    ids = {number: f"n{place:03}" for place, (number, _, _) in enumerate(nodes)}
    kept = []
    for number, labels, properties in nodes:
        if len(labels) > 1:
            raise CannotHoldError("a node has several labels")
        own = tuple(sorted((renamed(name), each) for name, each in properties.items()))
        kept.append((ids[number], "".join(labels), own))
    joined = [
        (ids[head], type_, ids[tail], tuple(sorted((renamed(n), v) for n, v in own.items())))
        for head, type_, tail, own in edges
    ]
    if len({edge[:3] for edge in joined}) < len(joined):
        raise CannotHoldError("two relationships of one type between the same nodes")
    labels_, types, names = _named(query)
    graph = Graph(
        nodes=tuple(kept),
        edges=tuple(joined),
        labels=frozenset(labels_ | {label for _, label, _ in kept if label}),
        relations=frozenset({"UNUSED"} | types | {type_ for _, type_, _, _ in joined}),
        node_columns=_typed([own for *_, own in kept], names),
        edge_columns=_typed([own for *_, own in joined], names),
    )
    if _alike([*graph.relations, "Entity"]):
        raise CannotHoldError("names of tables that differ in case alone")
    return graph


def _named(query: str) -> tuple[set[str], set[str], set[str]]:
    """Labels, relationship types and properties that a query names."""
    labels, types, names = set(), set(), set()
    try:
        every = list(parts(parse(query).clauses))
    except QueryError:
        return set(), set(), set()
    for part in every:
        if isinstance(part, NodePattern | RelationshipPattern):
            names |= {name for name, _ in part.properties}
        if isinstance(part, NodePattern) and part.label:
            labels.add(part.label)
        if isinstance(part, RelationshipPattern):
            types |= set(part.types)
        if isinstance(part, Property):
            names.add(part.name)
    return labels, types, names - set(OWN)


def _typed(
    rows: Sequence[tuple[tuple[str, Cell], ...]], names: set[str]
) -> tuple[tuple[str, str], ...]:
    """A type for each property; one that nothing has is a text."""
    found: dict[str, set[str]] = {name: set() for name in names}
    for row in rows:
        for name, each in row:
            found.setdefault(name, set()).update(_type_names(each))
    if any(name.lower() in RESERVED for name in found):
        raise CannotHoldError("a property called by a reserved word of Ladybug")
    if _alike(list(found)):
        raise CannotHoldError("properties that differ in case alone")
    if any(len(types) > 1 for types in found.values()):
        raise CannotHoldError("a property of several types")
    return tuple((name, next(iter(types), "string")) for name, types in sorted(found.items()))


def _type_names(each: Cell) -> set[str]:
    if isinstance(each, list):
        inner = {name for item in each for name in _type_names(item)}
        if not inner:
            raise CannotHoldError("an empty list as a property")
        return {f"list of {name}" for name in inner}
    if type(each) not in TYPES:
        raise CannotHoldError("a property that is a time, a place or bytes")
    return {TYPES[type(each)]}


def _alike(names: Sequence[str]) -> bool:
    return len({name.lower() for name in names}) < len(set(names))

"""Named queries, the same for both engines up to where the engine runs them."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import zip_longest
from typing import Any, Final

from cypher import (
    Query,
    QueryError,
    Vocabulary,
    check_read_only,
    free_query,
    load_catalogue,
    rewrite,
)
from cypher.rewrite import VECTOR, RewriteError
from cypher.translation import translate
from cypher.vocabulary import STRING, Relation, Type, column_type
from kg.records import RECORD_RELATIONS, RECORD_TYPES
from kg.stores.schema import vector_table
from kg.stores.store import Engine, Rows, Store, Value
from kg.tables import EDGE_COLUMNS, NODE_COLUMNS, SPACE, VECTOR_COLUMNS, Column, Kind
from kg.vocabulary import NODE_TYPES, RELATION_TYPES

_TYPES: Final = {
    Kind.STRING: "string",
    Kind.STRINGS: "list of string",
    Kind.FLOAT: "float",
    Kind.INTEGER: "integer",
    Kind.BOOLEAN: "boolean",
    Kind.TIME: "string",
    Kind.JSON: "string",
    Kind.VECTOR: "list of float",
}
_ASCII: Final = frozenset(
    {"id", "type", "cui", "sources", "xrefs", "layer", "sex", "onset", "flags"}
)
"""Columns of ids and of names that medkg gives."""
_WIDE: Final = frozenset({"weight"})
"""Columns of numbers without bounds."""


def _types(columns: Iterable[Column]) -> dict[str, Type]:
    """Types by name; a list is never null, where its node is there."""
    types = {}
    for column in columns:
        type_ = column_type(_TYPES[column.kind])
        may_be_null = not column.required and type_.kind != "list"
        types[column.name] = replace(
            type_,
            nullable=may_be_null,
            ascii=column.name in _ASCII,
            wide=column.name in _WIDE,
        )
    return types


def _vocabulary() -> Vocabulary:
    entity = _types([*NODE_COLUMNS, *VECTOR_COLUMNS])
    records = {name: _types(record.columns) for name, record in RECORD_TYPES.items()}
    edge = _types(column for column in EDGE_COLUMNS if column.name not in {"head", "tail"})
    relations = {
        name: Relation(edge, relation.domain, relation.range, relation.symmetric)
        for name, relation in RELATION_TYPES.items()
    }
    for name, record_relation in RECORD_RELATIONS.items():
        relations[name] = Relation(_types(record_relation.properties))
    labels = dict.fromkeys(("Entity", *NODE_TYPES), entity)
    vectors = {VECTOR: {**_types(VECTOR_COLUMNS), "space": STRING}}
    return Vocabulary(
        nodes={**labels, **records, **vectors},
        relations=relations,
        record_types=[*RECORD_TYPES, VECTOR],
        keys={"Concept": "cui"},
    )


QUERY_VOCABULARY: Final = _vocabulary()
"""The names that a query may use, for the linter."""


@dataclass(frozen=True)
class Question:
    """A statement with all that it needs, ready for an engine."""

    name: str
    text: str
    arguments: dict[str, Value]
    limit: int | None = None
    """The most rows to return; the engine is asked for one more, which shows whether some were cut off."""
    columns: tuple[str, ...] | None = None
    """What the columns are called as the statement has them, where the engine calls them otherwise."""

    def answer(self, columns: tuple[str, ...], rows: Sequence[Sequence[object]]) -> Rows:
        """What the engine gave, as rows."""
        if self.columns is not None and len(self.columns) == len(columns):
            columns = self.columns
        returned = rows if self.limit is None else rows[: self.limit]
        return Rows(columns, plain_rows(returned), truncated=len(returned) < len(rows))


class Questions:
    """The catalogue as one engine takes it; each statement is rewritten once."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._catalogue = load_catalogue()
        self._rewritten: dict[str, str] = {}

    def ask(self, query: str | Query, values: Mapping[str, object]) -> Question:
        """Prepare a query of the catalogue, by its name, or any other one, for the engine.

        Every text that a user wrote reaches an engine through here, so what may not run is
        refused here.

        Args:
            query: its name in the catalogue, or a query that need not be in it.
            values: of its parameters.

        Raises:
            QueryError: no query has that name, it is not for this engine, it does more than read the
                graph, or the arguments do not fit its header.
        """
        if isinstance(query, str):
            query = self._catalogue.find(query, self._engine)
        if self._engine not in query.engines:
            raise QueryError(
                translate(
                    "{query} is for {engines} only, and this graph is in the {engine} engine; give "
                    "a graph in {engines} with --graph",
                    query=query.name,
                    engines=translate(" and ").join(sorted(query.engines)),
                    engine=self._engine,
                )
            )
        text = self._rewritten.get(query.text) or self._prepared(query)
        if not query.free:  # a user types ever new ones
            self._rewritten[query.text] = text
        arguments: dict[str, Value] = dict(query.arguments(values))
        for name in _SKIP_OR_LIMIT.findall(text):
            most = arguments.get(name)
            if isinstance(most, int) and most > MOST_ROWS:
                raise QueryError(
                    translate(
                        "{query}, parameter {name}: {most} rows are more than an engine can count; "
                        "give at most {limit}",
                        query=query.name,
                        name=name,
                        most=most,
                        limit=MOST_ROWS,
                    )
                )
        if self._engine == "embedded" and _VECTOR_SPACE.search(text):
            text, arguments = _with_vector_tables(query, text, arguments)
        columns = _columns_of(query.text) if query.free and self._engine == "embedded" else None
        name = limit_of(query)
        most = arguments.get(name)
        if not isinstance(most, int) or most >= MOST_ROWS:
            return Question(query.name, text, arguments, None, columns)
        return Question(query.name, text, {**arguments, name: most + 1}, most, columns)

    def free(self, text: str, parameters: Mapping[str, object], *, as_is: bool) -> Query:
        """Check a statement that a user typed, and make it a query.

        Args:
            text: one statement.
            parameters: values of its parameters.
            as_is: take it although this engine may answer it otherwise than Neo4j does.

        Raises:
            NotPortableError: this is the embedded engine, and the statement lies outside the
                portable subset.
            CypherSyntaxError: this is the embedded engine, and the statement is no Cypher.
            QueryError: it does more than read the graph, or its parameters are not those given.
        """
        query = free_query(text, parameters)
        if self._engine == "embedded" and not as_is:
            from cypher.lint import NotPortableError, check_syntax, lint  # noqa: PLC0415 - named queries do without

            check_syntax(query)
            findings = lint(query, QUERY_VOCABULARY)
            if findings:
                raise NotPortableError(findings)
        return query

    def _prepared(self, query: Query) -> str:
        """The text as the engine takes it.

        Raises:
            QueryError: it does more than read the graph, or has a label that is not known.
        """
        try:
            check_read_only(query.text, query.first_line)
        except QueryError as e:
            raise QueryError(f"{query.file}, {e}") from e
        try:
            return rewrite(query.text, NODE_TYPES, RECORD_TYPES)
        except RewriteError:
            if query.free and self._engine == "neo4j":  # which has labels, also of other graphs
                return query.text
            raise


_SKIP_OR_LIMIT: Final = re.compile(r"\b(?:SKIP|LIMIT)\s+\$(\w+)", re.IGNORECASE)
MOST_ROWS: Final = 2**31 - 1
"""Ladybug ends the whole process where SKIP and LIMIT go beyond 64 bits together."""


def _columns_of(text: str) -> tuple[str, ...] | None:
    """What a statement calls its columns, ``count(*)`` as it is written; None where it is not read.

    Ladybug would call that COUNT_STAR().
    """
    from cypher.parser import NotCypherError, parse  # noqa: PLC0415 - as above

    try:
        return tuple(item.alias for item in parse(text).returned.items)
    except NotCypherError:
        return None


_FINAL_LIMIT: Final = re.compile(r"\bLIMIT\s+\$(\w+)\s*\Z", re.IGNORECASE)
_AT_MOST: Final = "Rows at most"
"""What the header says of such a parameter of a statement that goes on behind its LIMIT."""


def limit_of(query: Query) -> str:
    """The parameter that says how many rows a query may give, and nothing else; or ``""``."""
    last = _FINAL_LIMIT.search(query.text)
    said = (each.name for each in query.parameters if each.about.startswith(_AT_MOST))
    name = last[1] if last else next(said, "")
    return name if len(re.findall(rf"\${name}\b", query.text)) == 1 else ""


def total(store: Store, query: Query, arguments: Mapping[str, Value]) -> int:
    """How many rows a query gives without its limit.

    Raises:
        QueryTooLargeError: they are too many to be fetched in the store's time.
        StoreError: as for ``Store.query``.
    """
    name = limit_of(query)
    return len(store.query(query, **{**arguments, name: MOST_ROWS} if name else arguments))


_VECTOR_SPACE: Final = re.compile(rf":\s*{VECTOR}\s*\{{\s*space:\s*\$(\w+)\s*(,\s*)?")


def _with_vector_tables(
    query: Query, text: str, arguments: dict[str, Value]
) -> tuple[str, dict[str, Value]]:
    """The text with the table of a space in place of ``:Vector {space: $space}``.

    Raises:
        QueryError: the argument is no name of a space.
    """
    names = {match[1] for match in _VECTOR_SPACE.finditer(text)}
    for name in names:
        if not SPACE.fullmatch(str(arguments[name])):
            raise QueryError(
                translate(
                    "{query}, parameter {name}: {value!r} is not a valid name of a vector space; "
                    "use lower-case letters, digits and '_'",
                    query=query.name,
                    name=name,
                    value=arguments[name],
                )
            )
    tables = _VECTOR_SPACE.sub(lambda match: f":{vector_table(str(arguments[match[1]]))} {{", text)
    other_arguments = {name: value for name, value in arguments.items() if name not in names}
    return tables.replace(" {})", ")"), other_arguments


_YEAR: Final = 365 * 24 * 3600.0
"""Seconds."""


def checked_timeout(timeout: Value, default: float) -> float:
    """Seconds that a query may take, a year at most: no engine counts to infinity.

    Raises:
        ValueError: they are no number, or not more than 0.
    """
    seconds = default if timeout is None else timeout
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not seconds > 0:
        raise ValueError(f"timeout: {seconds!r} is no number above 0; give seconds")
    return min(float(seconds), _YEAR)


def plain_rows(rows: Iterable[Sequence[object]]) -> tuple[tuple[Value, ...], ...]:
    """Rows of cells as ``Rows`` has them; most are so already."""
    return tuple(
        tuple(row) if _PLAIN_TYPES.issuperset(map(type, row)) else tuple(map(_plain, row))  # type: ignore[arg-type]  # those types are values
        for row in rows
    )


_PLAIN_TYPES: Final = frozenset({str, int, float, bool, type(None)})


def _plain(value: object) -> Value:
    """A cell as ``Rows`` has it.

    Tuples become lists, whole decimals integers, nodes and relationships mappings of what they
    have, a path the list of these, and dates and times the text of ISO 8601.
    """
    match value:
        case str() | int() | float() | None:
            return value
        case list() if _PLAIN_TYPES.issuperset(map(type, value)):
            return value
        case list() | tuple():
            return [_plain(item) for item in value]  # type: ignore[return-value]  # one inner type
        case Decimal():
            return int(value)
        case dict():
            return _embedded_part(value)
    return _neo4j_part(value)


def _neo4j_part(value: object) -> Value:
    """A path, a relationship, a node, or a date or the like."""
    from neo4j import graph  # noqa: PLC0415 - the embedded store needs no driver

    match value:
        case graph.Path():
            return _path_parts(value.nodes, value.relationships)
        case graph.Relationship():
            return {"type": value.type} | _plain_items(value.items())
        case graph.Node():
            return _plain_items(value.items())
    return str(value)


def _embedded_part(value: Mapping[str, Any]) -> Value:
    """A path, a relationship, a node or a map."""
    if "_NODES" in value:
        return _path_parts(value["_NODES"], value["_RELS"])
    type_ = {"type": value["_LABEL"]} if "_SRC" in value else {}
    return type_ | _plain_items((k, v) for k, v in value.items() if k not in _INTERNAL)


_INTERNAL: Final = frozenset({"_ID", "_LABEL", "_SRC", "_DST"})
"""What the embedded engine adds to the columns of a node or relationship."""


def _plain_items(items: Iterable[tuple[str, object]]) -> dict[str, object]:
    return {name: _plain(value) for name, value in items if value is not None}


def _path_parts(nodes: Sequence[object], relationships: Sequence[object]) -> Value:
    """The nodes of a path and the relationships between them, in turn."""
    steps = zip_longest(map(_plain, nodes), map(_plain, relationships))
    return [part for step in steps for part in step if isinstance(part, dict)]  # type: ignore[return-value]

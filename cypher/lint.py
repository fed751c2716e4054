"""The linter: whether a query file keeps to its header, the vocabulary and the portable subset."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from cypher import portability
from cypher.catalogue import Query
from cypher.portability import Breach, is_aggregate
from cypher.rewrite import VECTOR, RewriteError, rewrite
from cypher.statement import Item, Statement

_WRITES = frozenset({"CREATE", "MERGE", "SET", "DELETE", "REMOVE", "FOREACH"})
_ON_VARIABLES = frozenset({"type", "length", "count", "nodes", "relationships"})


@dataclass(frozen=True)
class Finding:
    """One thing that a query file must not do."""

    file: Path
    line: int
    what: str
    instead: str
    """The form to write."""

    def __str__(self) -> str:
        return f"{self.file}, line {self.line}: {self.what}; write {self.instead}"


@dataclass(frozen=True)
class Vocabulary:
    """The names that statements may use."""

    node_types: Collection[str]
    relation_types: Collection[str]
    properties: Collection[str]
    """Columns of nodes and edges."""
    record_types: Collection[str] = ()
    """Labels of records, beside those of entities."""


def lint(query: Query, vocabulary: Vocabulary) -> list[Finding]:
    """What is wrong with a query, in the order of its lines."""
    statement = Statement(query.text)
    breaches = [*_names(statement, vocabulary), *_beside_records(statement)]
    breaches += [*_shape(statement, query), *_vectors(statement, query)]
    if "embedded" in query.engines:
        breaches += [breach for rule in portability.RULES for breach in rule(statement)]
        breaches += _reserved_columns(query)
    lines = [(statement.line(at), what, instead) for at, what, instead in breaches]
    findings = {
        Finding(query.file, query.first_line + line - 1, what, instead)
        for line, what, instead in [*lines, *_labels(query, vocabulary)]
    }
    return sorted(findings, key=lambda f: (f.line, f.what))


def _labels(query: Query, vocabulary: Vocabulary) -> Iterator[tuple[int, str, str]]:
    """Line of the statement, what is wrong, and the form to write."""
    try:
        rewrite(query.text, vocabulary.node_types, vocabulary.record_types)
    except RewriteError as e:
        yield e.line, e.what, e.instead


def _names(s: Statement, vocabulary: Vocabulary) -> Iterator[Breach]:
    for r in s.relationships:
        for unknown in sorted(r.types - set(vocabulary.relation_types)):
            yield r.at, f"{unknown} is no relation type", "one of kg.vocabulary, in exact case"
    for at, token in enumerate(s.stream):
        owner = s.token(at - 2)
        is_property = (
            s.token(at - 1).text == "."
            and owner.name in s.variables
            and token.text not in vocabulary.properties
        )
        if is_property and s.token(at + 1).text != "(":
            yield at, f"{token.text} is no column", "one of kg.tables, in exact case"


def _beside_records(s: Statement) -> Iterator[Breach]:
    """Records stand beside what a query asks for.

    A relationship without a type may be any, and so its end without a label may be a record.
    """
    untyped = [r for r in s.relationships if not r.types]
    labelled = {n.variable for r in s.relationships for n in (r.left, r.right) if n.label}
    labelled |= {s.token(at - 1).name for at, t in enumerate(s.stream) if t.text == ":"}
    for r in untyped:
        for node in (r.left, r.right):
            if not node.label and node.variable not in labelled - {""}:
                yield r.at, f"({node.variable}) may be a record", f"({node.variable}:Entity)"


def _vectors(s: Statement, query: Query) -> Iterator[Breach]:
    """Each engine keeps vectors in another place."""
    for at, token in enumerate(s.stream):
        before = s.token(at - 1).text
        if token.text == "embedding" and before == "." and len(query.engines) > 1:
            yield at, "vectors are not portable", "a file in neo4j_only/, one in embedded_only/"
        if token.text == VECTOR and before == ":" and "neo4j" in query.engines:
            yield at, f"{VECTOR} is a table of the embedded engine", "a file in embedded_only/"


def _shape(s: Statement, query: Query) -> Iterator[Breach]:
    for at, token in enumerate(s.stream):
        if token.text == ";":
            yield at, "more than one statement, or a semicolon", "one statement without it"
    for clause in s.clauses:
        if clause.keyword in _WRITES:
            yield clause.start, f"{clause.keyword} in a question", "it in loader/"
    if s.returned is None:
        yield 0, "there is no RETURN", "one"
        return
    items = s.items(s.returned)
    yield from _columns(s, items, query)
    yield from _scalars(s, items)
    yield from _aliases(s)
    yield from _order(s, items, query)


def _columns(s: Statement, items: list[Item], query: Query) -> Iterator[Breach]:
    returned = [item.alias for item in items]
    declared = [column.name for column in query.columns]
    if returned != declared and s.returned:
        yield (
            s.returned.start,
            f"RETURN gives {', '.join(returned)}; the header says {', '.join(declared)}",
            "the same columns in the same order",
        )


def _scalars(s: Statement, items: list[Item]) -> Iterator[Breach]:
    for item in items:
        for at in range(item.start, item.end):
            whole = s.token(at).name in s.variables and s.token(at + 1).text not in {".", "["}
            in_call = s.token(at - 1).text == "(" or s.token(at - 1).upper == "DISTINCT"
            opened = next(s.enclosing(at), -1)
            call = s.token(opened - 1).text.lower() if in_call else ""
            is_property = s.token(at - 1).text == "."
            if whole and not is_property and call not in _ON_VARIABLES:
                yield at, f"{s.token(at).text} is a node, relationship or path", "its columns"
        if s.token(item.start).text == "*":
            yield item.start, "RETURN * gives whole nodes", "the columns by name"


def _aliases(s: Statement) -> Iterator[Breach]:
    for clause in s.clauses:
        if clause.keyword in {"RETURN", "WITH"}:
            for item in s.items(clause):
                if item.named and item.alias in s.variables:
                    yield item.start, f"the alias {item.alias} is a variable too", "another name"


def _order(s: Statement, items: list[Item], query: Query) -> Iterator[Breach]:
    returned = s.returned.start if s.returned else 0
    order = next((c for c in s.clauses if c.keyword == "ORDER" and c.start > returned), None)
    if order is None:
        if not all(is_aggregate(s, item) for item in items):
            yield returned, "rows without an order", "ORDER BY a column that ends with an id"
        return
    keys = [name for name, _ in s.keys(order)]
    if tuple(keys) != query.order:
        declared = ", ".join(query.order) or "nothing"
        yield (
            order.start,
            f"ORDER BY is {', '.join(keys)}; the header says {declared}",
            "the same order in both",
        )
    yield from _total(s, items, query, [key.removesuffix(" desc") for key in keys], order.start)


def _total(
    s: Statement, items: list[Item], query: Query, keys: list[str], at: int
) -> Iterator[Breach]:
    groups = {item.alias for item in items if not is_aggregate(s, item)}
    lists = {column.name for column in query.columns if column.type.startswith("list")}
    for key in sorted(lists & set(keys)):
        yield at, f"ORDER BY of the list {key}", "a scalar column"
    by_id = any(key == "id" or key.endswith("_id") for key in keys)
    by_id |= query.severity is not None and {"head", "relation", "tail"} <= set(keys)
    if not by_id and not groups <= set(keys):
        yield at, "an order that may have ties", "ORDER BY …, and an id at the end"


def _reserved_columns(query: Query) -> Iterator[Breach]:
    for column in query.columns:
        if column.name.lower() in portability.RESERVED:
            yield 0, f"the column {column.name} is a reserved word of Ladybug", "another name"

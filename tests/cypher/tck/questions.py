"""Queries of the openCypher TCK as medkg asks them, and whether the answer is the scenario's."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal

from cypher import QueryError
from cypher.expressions import Breach
from cypher.parser import parse
from cypher.portability import breaches
from cypher.syntax import (
    Clause,
    Item,
    NodePattern,
    Projection,
    RelationshipPattern,
    Statement,
    Subquery,
    Unwind,
    Variable,
    aggregates,
    parts,
)
from cypher.tokens import code
from cypher.vocabulary import Type, column_type
from tests.cypher.tck.graphs import OWN, TYPES, CannotHoldError, Graph, renamed
from tests.cypher.tck.scenarios import Cell, Scenario, value


@dataclass(frozen=True)
class Question:
    """A scenario's query as both engines are asked it."""

    text: str
    arguments: Mapping[str, Cell]
    found: tuple[Breach, ...]
    """Why it is not in the subset."""
    nodes: frozenset[int] = frozenset()
    """Columns that were a node and are its id."""
    ordered_anew: bool = False
    """RETURN had no order and was given one."""


def arguments(scenario: Scenario) -> dict[str, Cell]:
    """Values of the parameters.

    Raises:
        QueryError, ValueError: one is no literal.
    """
    return {name: value(text) for name, text in scenario.parameters}


def argument_type(given: Cell) -> Type:
    """The type that a header would declare for it.

    Raises:
        CannotHoldError: a header has no word for it.
    """
    if isinstance(given, list):
        inner = {type(each) for each in given}
        if len(inner) == 1 and inner <= TYPES.keys():
            return Type("list", of=argument_type(given[0]))
    if type(given) not in TYPES:
        raise CannotHoldError("a parameter that a header cannot declare")
    return column_type(TYPES[type(given)])


def asked(scenario: Scenario, graph: Graph) -> Question:
    """The query with a name for each column, ids for whole nodes, and total orders if need be.

    Of several ways to write the order the first one in the subset is taken.

    Raises:
        QueryError: the query is nothing that the parser knows.
        ValueError: a parameter is no literal.
        CannotHoldError: a header cannot declare a parameter.
    """
    given = arguments(scenario)
    types = {name: argument_type(each) for name, each in given.items()}
    text = _with_own_names(scenario.query.strip().rstrip(";"))
    plain = _Additions(parse(text))
    tried = []
    for inner, order in product((False, True), plain.orders()):
        written = plain.written(order, inner=inner)
        found = tuple(breaches(parse(written), graph.vocabulary(), types))
        anew = bool(order) and not plain.statement.returned.order
        tried.append(Question(written, given, found, frozenset(plain.nodes), anew))
        if not found:
            break
    return min(tried, key=lambda question: len(question.found))


def _with_own_names(text: str) -> str:
    """Properties ``id`` and ``type`` renamed."""
    stream, out, done = code(text), [], 0
    for at, token in enumerate(stream):
        before = stream[at - 1].text if at else ""
        after = stream[at + 1].text if at + 1 < len(stream) else ""
        key = before in {"{", ","} and after == ":"
        if token.kind == "word" and token.text.lower() in OWN and (before == "." or key):
            out += [text[done : token.start], renamed(token.text)]
            done = token.end
    return "".join([*out, text[done:]])


Kind = Literal["node", "relationship", "value"]


class _Additions:
    """What is put into a query's text."""

    def __init__(self, statement: Statement) -> None:
        self.statement = statement
        self.nodes: set[int] = set()
        """Columns of RETURN that were a node."""
        self._edits: list[tuple[int, int, str]] = []
        self._inner: list[tuple[int, int, str]] = []
        """What makes the orders of each WITH total."""
        self._scope: dict[str, Kind] = {}
        self._columns: list[str] = []
        self._labelled = {
            part.variable
            for part in parts(statement.clauses)
            if isinstance(part, NodePattern) and part.label
        }
        for number, clause in enumerate(statement.clauses):
            if isinstance(clause, Projection) and clause.keyword == "WITH":
                self._with(clause, statement.clauses[number + 1])
            inner = {id(p) for s in parts(clause) if isinstance(s, Subquery) for p in parts(s)}
            for part in parts(clause):
                if isinstance(part, NodePattern):
                    self._node(part, inside=id(part) in inner)
                elif isinstance(part, RelationshipPattern) and id(part) not in inner:
                    if part.variable and part.hops is None:
                        self._scope.setdefault(part.variable, "relationship")
                elif isinstance(part, Unwind):
                    self._scope[part.variable] = "value"
        for number, item in enumerate(statement.returned.items):
            self._item(number, item)

    def _with(self, clause: Projection, following: Clause) -> None:
        """The names that it leaves; its order, if it has one, is made total, and limited."""
        if clause.items:
            self._scope = {item.alias: self._kind(item) for item in clause.items}
        if clause.order:
            end = self._end_of_order(clause, following.at)
            keys = ", ".join(self._key(name) for name in self._scope)
            limit = "" if clause.limit else " LIMIT 1000000000"
            self._inner.append((end, end, f", {keys}{limit}"))

    def _end_of_order(self, clause: Projection, end: int) -> int:
        """Where a projection's ORDER BY ends, or could stand: before SKIP, LIMIT or WHERE."""
        depth = 0
        for token in code(self.statement.text):
            if clause.at <= token.start < end:
                depth += (token.text in {"(", "[", "{"}) - (token.text in {")", "]", "}"})
                if not depth and token.upper in {"SKIP", "OFFSET", "LIMIT", "WHERE"}:
                    end = token.start
        return len(self.statement.text[:end].rstrip())

    def _kind(self, item: Item) -> Kind:
        is_name = isinstance(item.expression, Variable)
        return self._scope.get(item.expression.name, "value") if is_name else "value"  # type: ignore[attr-defined]  # a name

    def _key(self, name: str) -> str:
        """What tells a node, relationship or value from others in an order."""
        keys = {"node": f"{name}.id", "relationship": f"type({name})"}
        return keys.get(self._scope[name], name)

    def _node(self, node: NodePattern, *, inside: bool) -> None:
        """A label where none is said, and a name for what RETURN may be ordered by."""
        text = self.statement.text
        start = node.at + len(text[node.at :]) - len(text[node.at + 1 :].lstrip())
        known = node.variable in self._scope or node.variable in self._labelled
        label = "" if node.label or (node.variable and known) else ":Entity"
        name = node.variable or ("" if inside else f"made{len(self._scope) + 1}")
        if name != node.variable:
            self._edits.append((start, start, name + label))
        elif label:
            end = start + (len(code(text[start:])[0].text) if name else 0)
            self._edits.append((end, end, label))
        if not inside:
            self._scope.setdefault(name, "node")

    def _item(self, number: int, item: Item) -> None:
        """An id for a whole node, a type for a whole relationship, a name for each column."""
        is_name = isinstance(item.expression, Variable)
        kind = self._kind(item)
        written = code(self.statement.text[item.at :])[0].text if is_name else item.alias
        end = item.at + len(written)
        if kind != "value":
            self._edits.append((item.at, end, self._key(item.expression.name)))  # type: ignore[attr-defined]  # a name
        if kind == "node":
            self.nodes.add(number)
        if item.named or (is_name and kind == "value"):
            self._columns.append(item.alias)
        else:
            self._edits.append((end, end, f" AS c{number + 1}"))
            self._columns.append(f"c{number + 1}")

    def orders(self) -> list[tuple[str, ...]]:
        """Keys to add after those that there are."""
        returned = self.statement.returned
        columns = tuple(self._columns)
        if returned.distinct or any(aggregates(item.expression) for item in returned.items):
            return [(), columns]
        things = tuple(self._key(name) for name in self._scope)
        return [(), columns, things, (*columns, *things)]

    def written(self, order: tuple[str, ...], *, inner: bool) -> str:
        """The text with all additions.

        Args:
            order: keys for RETURN.
            inner: make the orders of each WITH total, too.
        """
        text, returned = self.statement.text, self.statement.returned
        edits = [*self._edits, *(self._inner if inner else ())]
        if order:
            end = self._end_of_order(returned, len(text))
            start = "," if returned.order else " ORDER BY"
            edits.append((end, end, f"{start} {', '.join(order)}"))
        out, done = [], 0
        for start_, end, new in sorted(edits, key=lambda edit: edit[:2]):
            out += [text[done:start_], new]
            done = end
        return "".join([*out, text[done:]])


def as_expected(
    scenario: Scenario, question: Question, graph: Graph, rows: Sequence[Sequence[Cell]] | str
) -> bool | None:
    """Whether rows (or the message of an error) are the scenario's; None: it cannot be read."""
    if scenario.result == "an error" or isinstance(rows, str):
        return scenario.result == "an error" and isinstance(rows, str)
    shown = graph.shown()
    got = [
        tuple(shown.get(cell) if n in question.nodes else cell for n, cell in enumerate(row))
        for row in rows
    ]
    try:
        wanted = [tuple(value(cell) for cell in row) for row in scenario.rows]
    except (QueryError, ValueError):
        return None
    if scenario.lists_in_any_order:
        got, wanted = ([tuple(map(_sorted, row)) for row in each] for each in (got, wanted))
    if scenario.result == "in order" and not question.ordered_anew:
        return repr(got) == repr(wanted)
    return Counter(map(repr, got)) == Counter(map(repr, wanted))


def _sorted(cell: Cell) -> Cell:
    return sorted(cell, key=repr) if isinstance(cell, list) else cell

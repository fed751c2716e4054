"""Queries of the openCypher TCK as medkg asks them, and whether the answer is the scenario's."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from cypher import QueryError
from cypher.portability import Breach, breaches
from cypher.syntax import (
    Item,
    NodePattern,
    Projection,
    RelationshipPattern,
    Statement,
    Subquery,
    Unwind,
    Variable,
    aggregates,
    parse,
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
    """The query with a name for each column, ids for whole nodes, and a total order if need be.

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
    for order in plain.orders() if scenario.result != "in order" else [()]:
        written = plain.written(order)
        found = tuple(breaches(parse(written), graph.vocabulary(), types))
        tried.append(Question(written, given, found, frozenset(plain.nodes)))
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


@dataclass
class _Additions:
    """What is put into a query's text."""

    statement: Statement
    edits: list[tuple[int, int, str]] = field(default_factory=list)
    nodes: set[int] = field(default_factory=set)
    scope: dict[str, str] = field(default_factory=dict)
    """What each name that RETURN may use can be ordered by."""
    columns: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        labelled = {
            part.variable
            for part in parts(self.statement.clauses)
            if isinstance(part, NodePattern) and part.label
        }
        inside = [
            part
            for each in parts(self.statement.clauses)
            if isinstance(each, Subquery)
            for part in parts(each.clauses)
        ]
        bound: set[str] = set()
        made = 0
        for clause in self.statement.clauses:
            for part in parts(clause):
                if isinstance(part, NodePattern):
                    name = part.variable
                    outer = part not in inside
                    if not name and outer:
                        made += 1
                        name = f"made{made}"
                    label = "" if part.label or name and name in labelled | bound else ":Entity"
                    start = part.at + 1 + self._blanks(part.at + 1)
                    if name != part.variable:
                        self.edits.append((start, start, name + label))
                    elif label:
                        end = start + len(self._name_at(start)) if name else start
                        self.edits.append((end, end, label))
                    bound.add(name)
                    if outer:
                        self.scope.setdefault(name, f"{name}.id")
                elif isinstance(part, RelationshipPattern) and part not in inside:
                    if part.variable and part.hops is None:
                        self.scope.setdefault(part.variable, f"type({part.variable})")
                elif isinstance(part, Unwind):
                    self.scope[part.variable] = part.variable
            if isinstance(clause, Projection) and clause.keyword == "WITH" and clause.items:
                self.scope = {item.alias: self._carried(item) for item in clause.items}
                bound = {item.alias for item in clause.items}
        for number, item in enumerate(self.statement.returned.items):
            self._item(number, item)

    def _blanks(self, at: int) -> int:
        rest = self.statement.text[at:]
        return len(rest) - len(rest.lstrip())

    def _name_at(self, at: int) -> str:
        return code(self.statement.text[at:])[0].text

    def _carried(self, item: Item) -> str:
        if isinstance(item.expression, Variable):
            old = self.scope.get(item.expression.name, item.alias)
            return (
                old.replace(item.expression.name, item.alias, 1)
                if old.endswith(".id")
                else (f"type({item.alias})" if old.startswith("type(") else item.alias)
            )
        return item.alias

    def _item(self, number: int, item: Item) -> None:
        name = f"c{number + 1}"
        is_variable = isinstance(item.expression, Variable)
        kind = self.scope.get(item.expression.name, "") if is_variable else ""
        size = len(self._name_at(item.at)) if is_variable else len(item.alias)
        whole = kind if kind.endswith(".id") or kind.startswith("type(") else ""
        if whole:
            self.edits.append((item.at, item.at + size, whole))
            if whole.endswith(".id"):
                self.nodes.add(number)
        if item.named or (is_variable and not whole):
            self.columns.append(item.alias)
        else:
            end = item.at + size
            self.edits.append((end, end, f" AS {name}"))
            self.columns.append(name)

    def orders(self) -> list[tuple[str, ...]]:
        """Keys to add after those that there are."""
        returned = self.statement.returned
        if returned.skip is not None or returned.limit is not None:
            return [()]
        columns = tuple(self.columns)
        if returned.distinct or any(aggregates(item.expression) for item in returned.items):
            return [(), columns]
        things = tuple(self.scope.values())
        return [(), columns, things, (*columns, *things)]

    def written(self, order: tuple[str, ...]) -> str:
        """The text with all additions."""
        text, done, out = self.statement.text, 0, []
        for start, end, new in sorted(self.edits, key=lambda edit: edit[:2]):
            out += [text[done:start], new]
            done = end
        whole = "".join([*out, text[done:]])
        if not order:
            return whole
        return (
            f"{whole}{', ' if self.statement.returned.order else ' ORDER BY '}{', '.join(order)}"
        )


def as_expected(
    scenario: Scenario,
    nodes: Collection[int],
    graph: Graph,
    rows: Sequence[Sequence[Cell]] | str,
) -> bool | None:
    """Whether rows (or the message of an error) are the scenario's; None: it cannot be read.

    Args:
        scenario: what is expected.
        nodes: columns that were a node and are its id.
        graph: that was asked.
        rows: the answer.
    """
    if scenario.result == "an error" or isinstance(rows, str):
        return scenario.result == "an error" and isinstance(rows, str)
    shown = graph.shown()
    got = [
        tuple(shown.get(cell) if n in nodes else cell for n, cell in enumerate(row))
        for row in rows
    ]
    try:
        wanted = [tuple(value(cell) for cell in row) for row in scenario.rows]
    except (QueryError, ValueError):
        return None
    if scenario.lists_in_any_order:
        got, wanted = ([tuple(map(_sorted, row)) for row in each] for each in (got, wanted))
    if scenario.result == "in order":
        return repr(got) == repr(wanted)
    return Counter(map(repr, got)) == Counter(map(repr, wanted))


def _sorted(cell: Cell) -> Cell:
    return sorted(cell, key=repr) if isinstance(cell, list) else cell

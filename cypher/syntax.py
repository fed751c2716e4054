"""A read query as a tree: clauses, patterns, expressions.

The grammar (``cypher.parser``) is openCypher's for reading, with Neo4j's ``EXISTS { }`` and ``COUNT { }``. What is
Cypher but has no place in the portable subset (a comprehension, an index, UNION) is read as
``Foreign``, with the form to write instead, so that one reading names all of it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from typing import Literal, TypeGuard

from cypher.tokens import line_of


@dataclass(frozen=True, kw_only=True)
class Part:
    """A part of a statement."""

    at: int = field(compare=False)
    """Offset in the text; parts are equal that say the same, wherever they stand."""


@dataclass(frozen=True, kw_only=True)
class Expression(Part):
    """What has a value."""

    bracketed: bool = field(default=False, compare=False)
    """It stands in parentheses of its own."""


@dataclass(frozen=True, kw_only=True)
class Constant(Expression):
    """A literal."""

    kind: Literal["integer", "float", "string", "boolean", "null"]
    text: str
    """As it is written."""

    @property
    def value(self) -> str:
        """Of a string: without quotes and backslashes."""
        return _unescaped(self.text) if self.kind == "string" else self.text


@dataclass(frozen=True, kw_only=True)
class ListOf(Expression):
    """``[a, b]``."""

    items: tuple[Expression, ...]


@dataclass(frozen=True, kw_only=True)
class MapOf(Expression):
    """``{name: value}``."""

    entries: tuple[tuple[str, Expression], ...]


@dataclass(frozen=True, kw_only=True)
class Parameter(Expression):
    """``$name``."""

    name: str


@dataclass(frozen=True, kw_only=True)
class Variable(Expression):
    """A variable or an alias."""

    name: str


@dataclass(frozen=True, kw_only=True)
class Property(Expression):
    """``subject.name``."""

    subject: Expression
    name: str


@dataclass(frozen=True, kw_only=True)
class Call(Expression):
    """``name(arguments)``; ``count(*)`` has no arguments."""

    name: str
    """In lower case."""
    arguments: tuple[Expression, ...]
    distinct: bool = False


@dataclass(frozen=True, kw_only=True)
class Unary(Expression):
    """``NOT x``, ``-x``, ``+x``."""

    operator: str
    operand: Expression


@dataclass(frozen=True, kw_only=True)
class Binary(Expression):
    """Two operands; the operator in capitals, one blank between its words."""

    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, kw_only=True)
class IsNull(Expression):
    """``x IS NULL``, ``x IS NOT NULL``."""

    operand: Expression
    negated: bool


@dataclass(frozen=True, kw_only=True)
class Case(Expression):
    """``CASE subject WHEN … THEN … ELSE … END``; the subject and ELSE may be missing."""

    subject: Expression | None
    branches: tuple[tuple[Expression, Expression], ...]
    otherwise: Expression | None


@dataclass(frozen=True, kw_only=True)
class Quantifier(Expression):
    """``any(x IN list WHERE condition)``; also all, none, single."""

    name: str
    variable: str
    source: Expression
    condition: Expression


@dataclass(frozen=True, kw_only=True)
class Subquery(Expression):
    """``EXISTS { }``, ``COUNT { }``; a pattern as a condition is EXISTS too."""

    keyword: str
    clauses: "tuple[Clause, ...]"


@dataclass(frozen=True, kw_only=True)
class Foreign(Expression):
    """Cypher that is not portable."""

    what: str
    instead: str
    operands: tuple[Expression, ...] = ()


@dataclass(frozen=True, kw_only=True)
class NodePattern(Part):
    """``(variable:Label {name: value})``."""

    variable: str
    label: str
    properties: tuple[tuple[str, Expression], ...] = ()


@dataclass(frozen=True, kw_only=True)
class RelationshipPattern(Part):
    """``-[variable:TYPE|TYPE *1..3 {name: value}]->``."""

    variable: str
    types: tuple[str, ...]
    direction: Literal["right", "left", "both"]
    hops: tuple[int | None, int | None] | None = None
    """Bounds of a variable length; None for one step."""
    properties: tuple[tuple[str, Expression], ...] = ()


@dataclass(frozen=True, kw_only=True)
class Path(Part):
    """Nodes, and the relationships between neighbours."""

    variable: str
    nodes: tuple[NodePattern, ...]
    relationships: tuple[RelationshipPattern, ...]
    function: str = ""
    """``shortestPath`` or ``allShortestPaths`` around it."""

    @property
    def steps(self) -> Iterator[tuple[NodePattern, RelationshipPattern, NodePattern]]:
        """Each relationship between its nodes, as written."""
        return zip(self.nodes, self.relationships, self.nodes[1:], strict=False)


@dataclass(frozen=True, kw_only=True)
class Match(Part):
    """MATCH or OPTIONAL MATCH, with its WHERE."""

    optional: bool
    paths: tuple[Path, ...]
    where: Expression | None


@dataclass(frozen=True, kw_only=True)
class Unwind(Part):
    """UNWIND source AS variable."""

    source: Expression
    variable: str


@dataclass(frozen=True, kw_only=True)
class Item(Part):
    """One projected value."""

    expression: Expression
    alias: str
    """As written with AS; else the text itself."""
    named: bool
    """The alias is written with AS."""


@dataclass(frozen=True, kw_only=True)
class Key(Part):
    """What an ORDER BY sorts by."""

    expression: Expression
    descending: bool


@dataclass(frozen=True, kw_only=True)
class Projection(Part):
    """WITH or RETURN, with what follows it."""

    keyword: Literal["WITH", "RETURN"]
    distinct: bool
    items: tuple[Item, ...]
    """Empty for ``*``."""
    order: tuple[Key, ...] = ()
    skip: Expression | None = None
    limit: Expression | None = None
    where: Expression | None = None


@dataclass(frozen=True, kw_only=True)
class Procedure(Part):
    """``CALL name(arguments) YIELD variables``."""

    name: str
    arguments: tuple[Expression, ...]
    yields: tuple[str, ...]


Clause = Match | Unwind | Projection | Procedure


@dataclass(frozen=True)
class Statement:
    """A whole read query."""

    text: str
    clauses: tuple[Clause, ...]

    def line(self, offset: int) -> int:
        """The line, from 1, of an offset."""
        return line_of(self.text, offset)

    @property
    def returned(self) -> Projection:
        """The RETURN."""
        last = self.clauses[-1]
        assert isinstance(last, Projection)  # noqa: S101 - the parser ends with it
        return last


def parts(of: object) -> Iterator[Part]:
    """A part and all parts inside it, in the order of the text."""
    if isinstance(of, Part):
        yield of
        for each in fields(of):
            yield from parts(getattr(of, each.name))
    elif isinstance(of, tuple):
        for each in of:
            yield from parts(each)


def is_aggregate(part: object) -> TypeGuard[Call]:
    """Whether a part is a call that makes one value of many rows."""
    return isinstance(part, Call) and part.name in AGGREGATES


def aggregates(expression: Expression) -> bool:
    """Whether an expression is made of many rows."""
    inside = [p for s in parts(expression) if isinstance(s, Subquery) for p in parts(s.clauses)]
    return any(is_aggregate(p) and p not in inside for p in parts(expression))


AGGREGATES = frozenset({
    "count", "sum", "min", "max", "avg", "collect", "stdev", "stdevp", "percentilecont",
    "percentiledisc",
})  # fmt: skip


_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


def _unescaped(text: str) -> str:
    r"""What a string literal stands for; ``\u`` escapes are left."""
    out, escaped = [], False
    for character in text[1:-1]:
        if escaped:
            out.append(_ESCAPES.get(character, character))
            escaped = False
        elif character == "\\":
            escaped = True
        else:
            out.append(character)
    return "".join(out)

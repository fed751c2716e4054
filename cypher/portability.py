"""The portable subset: what Neo4j and Ladybug are known to answer alike, down to the last bit.

A statement is read as its tree (``cypher.syntax``) and followed clause by clause with the types
of its columns, as an engine would plan it. What is on the lists here is accepted, for both engines
were measured to agree on it (``tests/cypher/test_subset.py`` asks them random queries made of just
this); all else is a breach, with the form to write instead where there is one.

Besides types it follows three things of the rows:

- which values determine which others (an id its node, two ends and a type their relationship),
  so that an order can be proved to be total;
- whether a path of variable length may have been counted more often on one engine;
- whether the rows are in an order that a list is made of.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from cypher.syntax import (
    Binary,
    Call,
    Case,
    Clause,
    Constant,
    Expression,
    Foreign,
    IsNull,
    Item,
    ListOf,
    MapOf,
    Match,
    NodePattern,
    Parameter,
    Part,
    Path,
    Procedure,
    Projection,
    Property,
    Quantifier,
    RelationshipPattern,
    Statement,
    Subquery,
    Unary,
    Unwind,
    Variable,
    aggregates,
    is_aggregate,
    parts,
)
from cypher.vocabulary import ANY, BOOLEAN, INTEGER, STRING, Kind, Type, Vocabulary, column_type


class Breach(NamedTuple):
    """What a statement should not say."""

    at: int
    """Offset in the text."""
    what: str
    instead: str
    """The portable form."""
    everywhere: bool = False
    """It is wrong for a statement of one engine too."""


_RESERVED = """
    end all any none single order desc asc case when table column group in default profile
    with on union macro headers exists then else shortest trail acyclic optional unwind create
    distinct null true starts ends and or not xor primary only install glob index
"""
RESERVED = frozenset(_RESERVED.split())
"""Words that Ladybug takes for no variable, alias, parameter or map key."""

ROUNDED = "floor(x * 10000.0 + 0.5) / 10000.0"
"""Four places; multiplying, adding, cutting and dividing give the same bits everywhere."""

_OTHER_FORMS = {
    "log": "log10(x), or log10(x) * 3.321928094887362 for base 2",
    "log2": "log10(x) * 3.321928094887362",
    "ln": "log10(x) with a constant factor",
    "exp": "10.0 ^ x with a constant factor in x",
    "round": ROUNDED,
    "toupper": "kg.text.normalise on the parameter and normal_names in the graph",
    "tolower": "kg.text.normalise on the parameter and normal_names in the graph",
    "upper": "kg.text.normalise on the parameter and normal_names in the graph",
    "lower": "kg.text.normalise on the parameter and normal_names in the graph",
    "substring": "the whole text, cut in Python",
    "left": "STARTS WITH, or the whole text, cut in Python",
    "right": "ENDS WITH, or the whole text, cut in Python",
    "trim": "the whole text, cut in Python",
    "replace": "the whole text, changed in Python",
    "reverse": "the whole text, turned in Python",
    "split": "UNWIND of a list column",
    "head": "min(), or an ORDER BY with a LIMIT",
    "last": "max(), or an ORDER BY with a LIMIT",
    "range": "UNWIND of a list parameter",
    "tostring": "the value itself, written in Python",
    "tointeger": "the value itself, cut in Python",
    "date": "text in ISO 8601, which has the order of time",
    "datetime": "text in ISO 8601, which has the order of time",
    "timestamp": "a parameter",
    "labels": "n.type",
    "keys": "the columns by name",
    "properties": "the columns by name",
    "id": "the property, n.id",
    "elementid": "the property, n.id",
    "nodes": "flat rows, a MATCH for each step",
    "relationships": "flat rows, a MATCH for each step",
    "startnode": "a directed pattern and its own variable",
    "endnode": "a directed pattern and its own variable",
    "shortestpath": "a file in neo4j_only/",
    "allshortestpaths": "a file in neo4j_only/",
    "rand": "an order by id",
    "stdev": "the rows, reckoned in Python",
    "percentilecont": "the rows, reckoned in Python",
}
_MOST_HOPS = 30
_DENSE_HOPS = 3
_COMPARISONS = frozenset({"=", "<>", "<", "<=", ">", ">="})
_ARITHMETIC = frozenset({"+", "-", "*", "/", "%", "^"})
_ITEM = "(an item)"
"""What the variable of any(), all(), none() and single() stands for."""
_LAST_DIGITS = "its last digits may differ"
_ANY_ORDER = "its items are in any order"
_PLAIN_PATTERN = re.compile(r"(?:[ -\[\]-~]|\\\\[.()\[\]{}*+?|^$\\/-])*")
"""ASCII; of what has a backslash (two in the text), only signs that it makes plain."""


@dataclass(frozen=True)
class Rows:
    """What is known of the rows at one place of a statement."""

    names: Mapping[str, Type] = field(default_factory=dict)
    attributes: Mapping[str, str] = field(default_factory=dict)
    """For each name what it stands for, since a name may be given again."""
    determined: tuple[tuple[frozenset[str], str], ...] = ()
    """Attributes that together determine another; none: it is one value in all rows."""
    not_null: frozenset[Expression] = frozenset()
    """Expressions that a condition showed to be not null."""
    not_empty: frozenset[Expression] = frozenset()
    """Numbers that a condition showed to be not 0, texts to be not empty."""
    missing: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """For a name that is null where an OPTIONAL MATCH found nothing: the names that then are too."""
    gathered: Mapping[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    """For a list that was collected from maps: for each key what attribute it was."""
    repeated: bool = False
    """Paths of variable length: how often a row comes differs between the engines."""
    order: frozenset[str] | None = None
    """Attributes that the order of the rows determines; None: they are in no order."""

    def knowing(self, conditions: Iterable[Expression]) -> "Rows":
        """The rows for which all these conditions hold."""
        rows = self
        for each in conditions:
            rows = rows._when(each)
        return rows

    def _when(self, condition: Expression) -> "Rows":
        names = dict(self.names)
        proved = set(_proved_not_null(condition))
        for each in proved:
            owner = each.subject if isinstance(each, Property) else each
            if isinstance(owner, Variable) and owner.name in names:
                if owner is not each and names[owner.name].kind not in {"node", "relationship"}:
                    continue
                for name in {owner.name} | self.missing.get(owner.name, frozenset()):
                    names[name] = names[name].null(nullable=False)
        more = {each for each in [_not_empty(condition)] if each is not None}
        facts = self.determined
        if isinstance(condition, Binary) and condition.operator == "=":
            one, other = (self.attribute(e) for e in (condition.left, condition.right))
            for x, y, side in ((one, other, condition.right), (other, one, condition.left)):
                if x and y:
                    facts = (*facts, (frozenset({y}), x))
                elif x and _constant(side):
                    facts = (*facts, (frozenset(), x))
        return replace(
            self,
            names=names,
            determined=facts,
            not_null=self.not_null | proved,
            not_empty=self.not_empty | more,
        )

    def attribute(self, expression: Expression) -> str | None:
        """What an expression stands for, if it is a name, a column or a type(r)."""
        match expression:
            case Variable(name=name):
                return self.attributes.get(name)
            case Property(subject=Variable(name=name), name=column):
                owner = self.attributes.get(name)
                return f"{owner}.{column}" if owner else None
            case Call(name="type", arguments=(Variable(name=name),)):
                owner = self.attributes.get(name)
                return f"type({owner})" if owner else None
        return None

    def closure(self, given: Iterable[str]) -> frozenset[str]:
        """All attributes that these determine."""
        known = set(given)
        grown = True
        while grown:
            grown = False
            for needed, attribute in self.determined:
                if attribute not in known and all(_in(each, known) for each in needed):
                    known.add(attribute)
                    grown = True
        return frozenset(known)

    def fixed(self, expression: Expression, known: frozenset[str]) -> bool:
        """Whether these attributes determine the value of an expression."""
        leaves = _leaves(expression, self)
        return leaves is not None and all(_in(each, known) for each in leaves)


def _in(attribute: str, known: Iterable[str]) -> bool:
    """A column or type is known where what has it is known."""
    if attribute in known:
        return True
    if attribute.startswith("type("):
        return attribute[5:-1] in known
    owner, dot, _ = attribute.partition(".")
    return bool(dot) and owner in known


def _expressions(of: object) -> Iterator[Expression]:
    if isinstance(of, Expression):
        yield of
    elif isinstance(of, tuple):
        for each in of:
            yield from _expressions(each)


def _constant(expression: Expression) -> bool:
    return isinstance(expression, Constant | Parameter)


def _proved_not_null(condition: Expression) -> Iterator[Expression]:
    match condition:
        case IsNull(operand=operand, negated=True):
            yield operand
        case Binary(operator=operator, left=left, right=right) if (
            operator in _COMPARISONS or operator in {"IN", "CONTAINS", "STARTS WITH", "ENDS WITH"}
        ):
            yield left
            if operator != "IN":
                yield right


def _not_empty(condition: Expression) -> Expression | None:
    """What is not 0, or not the empty text, where the condition holds."""
    if isinstance(condition, Binary) and isinstance(condition.right, Constant):
        nothing = condition.right.value in {"0", "0.0", ""}
        if condition.operator in {"<>", ">"} and nothing:
            return condition.left
    return None


def conditions(where: Expression | None) -> list[Expression]:
    """The conditions that must all hold."""
    if where is None:
        return []
    if isinstance(where, Binary) and where.operator == "AND":
        return [*conditions(where.left), *conditions(where.right)]
    return [where]


def breaches(
    statement: Statement, vocabulary: Vocabulary, parameters: Mapping[str, Type]
) -> list[Breach]:
    """What of a statement is not known to be portable, in the order of the text."""
    reader = _Reader(vocabulary, parameters)
    reader.statement(statement)
    return sorted(set(reader.found))


class _Reader:
    def __init__(self, vocabulary: Vocabulary, parameters: Mapping[str, Type]) -> None:
        self.vocabulary = vocabulary
        self.parameters = parameters
        self.found: list[Breach] = []
        self.made = 0
        self.covered: set[int] = set()
        """Sums in a coalesce(), by the id of their objects."""

    def breach(self, at: Part, what: str, instead: str, *, everywhere: bool = False) -> None:
        self.found.append(Breach(at.at, what, instead, everywhere))

    def attribute(self, name: str) -> str:
        """A new one: a name that comes again stands for something else."""
        self.made += 1
        return f"{name}#{self.made}"

    # clauses

    def statement(self, statement: Statement) -> None:
        self.names(statement)
        rows = Rows()
        for clause in statement.clauses:
            rows = self.clause(clause, rows)

    def names(self, statement: Statement) -> None:
        seen: dict[str, str] = {}
        for part in parts(statement.clauses):
            for name in _given(part):
                if name.lower() in RESERVED:
                    self.breach(part, f"{name} is a reserved word of Ladybug", "another name")
                first = seen.setdefault(name.lower(), name)
                if first != name and not isinstance(part, MapOf | Parameter):
                    what = f"{name} and {first} are one variable on Ladybug"
                    self.breach(part, what, "different names")

    def clause(self, clause: Clause, rows: Rows) -> Rows:
        match clause:
            case Match():
                return self.match(clause, rows)
            case Unwind():
                return self.unwind(clause, rows)
            case Projection():
                return self.projection(clause, rows)
            case Procedure():
                self.breach(clause, f"CALL {clause.name} is not portable", "a file in neo4j_only/")
                for each in clause.arguments:
                    self.type(each, rows)
                names = dict.fromkeys(clause.yields, ANY)
                own = {name: self.attribute(name) for name in clause.yields}
                facts = tuple((frozenset({f"{each}.id"}), each) for each in own.values())
                return replace(
                    rows,
                    names={**rows.names, **names},
                    attributes={**rows.attributes, **own},
                    determined=(*rows.determined, *facts),
                )

    def match(self, clause: Match, rows: Rows) -> Rows:
        outer = rows
        for path in clause.paths:
            rows = self.path(path, rows)
        all_hold = conditions(clause.where)
        inside = rows.knowing(all_hold)
        self.condition(clause.where, rows)
        self.reused_relationships(clause, all_hold)
        self.undirected(clause, rows, all_hold)
        if not clause.optional:
            return replace(inside, order=None)
        new = {
            name: type_.null() for name, type_ in inside.names.items() if name not in outer.names
        }
        return replace(
            inside,
            names={**outer.names, **new},
            missing={**outer.missing, **dict.fromkeys(new, frozenset(new))},
            not_null=outer.not_null,
            not_empty=outer.not_empty,
            order=None,
        )

    def path(self, path: Path, rows: Rows) -> Rows:
        if path.function:
            self.breach(path, f"{path.function}() is not portable", "a file in neo4j_only/")
        (first, *others) = path.nodes
        if not others and first.variable in rows.names:
            what = f"({first.variable}) alone, which is matched already"
            self.breach(path, what, "a WHERE, or a pattern with a relationship")
        for node in path.nodes:
            rows = self.node(node, rows, path)
        for left, relationship, right in path.steps:
            rows = self.relationship(left, relationship, right, rows)
        if path.variable:
            bounded = sum(r.hops is not None for r in path.relationships)
            if bounded != 1 or len(path.relationships) != 1:
                what = "a path that is not one relationship of variable length"
                self.breach(path, what, "p = (a)-[:IS_A*1..30]->(b)")
            names = {**rows.names, path.variable: Type("path")}
            own = {**rows.attributes, path.variable: self.attribute(path.variable)}
            rows = replace(rows, names=names, attributes=own)
        return rows

    def node(self, node: NodePattern, rows: Rows, path: Path) -> Rows:
        bound = rows.names.get(node.variable)
        if bound is None or not node.variable:
            self.labelled(node, path)
            name = node.variable or f"({node.at}"
            type_ = Type("node", labels=frozenset({node.label} - {""}))
            attribute = self.attribute(name)
            keys = ["id", *([k] if (k := self.vocabulary.keys.get(node.label)) else [])]
            facts = tuple((frozenset({f"{attribute}.{key}"}), attribute) for key in keys)
            rows = replace(
                rows,
                names={**rows.names, name: type_},
                attributes={**rows.attributes, name: attribute},
                determined=(*rows.determined, *facts),
            )
        elif bound.kind not in {"node", "any"}:
            self.breach(node, f"{node.variable} is no node", "another name")
        elif node.label:
            if bound.labels - {node.label, "Entity"}:
                self.breach(node, f"{node.variable} has another label", "one label")
            labels = frozenset({node.label})
            rows = replace(
                rows, names={**rows.names, node.variable: replace(bound, labels=labels)}
            )
        return self.entries(node, node.variable or f"({node.at}", node.properties, rows)

    def labelled(self, node: NodePattern, path: Path) -> None:
        """Without a label a node may be a record, or one that an engine keeps for itself."""
        beside = [r for left, r, right in path.steps if node in (left, right)]
        if not node.label and (not beside or not all(r.types for r in beside)):
            variable = node.variable
            self.breach(
                node, f"({variable}) may be a record", f"({variable}:Entity)", everywhere=True
            )

    def entries(
        self, of: Part, name: str, entries: tuple[tuple[str, Expression], ...], rows: Rows
    ) -> Rows:
        """``{column: value}`` is a condition."""
        for column, value in entries:
            subject = Variable(at=of.at, name=name)
            wanted = Property(at=of.at, subject=subject, name=column)
            if not isinstance(value, Constant | Parameter | Variable | Property):
                what = "a computed value in a pattern, which Ladybug may fail to plan"
                self.breach(value, what, "it as an item of a WITH before, or in WHERE")
            equal = Binary(at=value.at, operator="=", left=wanted, right=value)
            self.type(equal, rows, truth=True)
            rows = rows.knowing([equal])
        return rows

    def relationship(
        self, left: NodePattern, r: RelationshipPattern, right: NodePattern, rows: Rows
    ) -> Rows:
        name = r.variable or f"[{r.at}"
        if name in rows.names:
            self.breach(r, f"the relationship {name} is matched again", "another variable")
        for unknown in sorted(set(r.types) - set(self.vocabulary.relations)):
            self.breach(
                r,
                f"{unknown} is no relation type",
                "one of kg.vocabulary, in exact case",
                everywhere=True,
            )
        attribute = self.attribute(name)
        facts: tuple[tuple[frozenset[str], str], ...] = ()
        if r.hops is None:
            ends = {rows.attributes[n.variable or f"({n.at}"] for n in (left, right)}
            if len(r.types) != 1:
                ends.add(f"type({attribute})")
            if all(self.one_way(left, r, type_, right, rows) for type_ in r.types or ["?"]):
                facts = ((frozenset(ends), attribute),)
        type_ = Type("relationship", labels=frozenset(r.types))
        rows = replace(
            rows,
            names={**rows.names, name: type_},
            attributes={**rows.attributes, name: attribute},
            determined=(*rows.determined, *facts),
        )
        if r.hops is not None:
            self.hops(r)
            rows = replace(rows, repeated=True)
            if r.variable:
                what = "the variable of a relationship of variable length"
                self.breach(r, what, "p = (a)-[:IS_A*1..30]->(b) and min(length(p))")
        return self.entries(r, name, r.properties, rows)

    def one_way(
        self, left: NodePattern, r: RelationshipPattern, type_: str, right: NodePattern, rows: Rows
    ) -> bool:
        """Whether two nodes have at most one such relationship, in this pattern."""
        if r.direction != "both":
            return True
        relation = self.vocabulary.relations.get(type_)
        if relation is None or not relation.domain:
            return False
        if relation.symmetric or not relation.domain & relation.range:
            return True
        for end in (left, right):
            labels = rows.names[end.variable or f"({end.at}"].labels - {"Entity"}
            heads, tails = labels & relation.domain, labels & relation.range
            if labels and not (heads and tails):
                return True
        return False

    def hops(self, r: RelationshipPattern) -> None:
        low, high = r.hops or (1, 1)
        if low != 1 or high is None or high > _MOST_HOPS:
            self.breach(r, "a variable length without bounds of 1 to at most 30", "*1..30")
        elif r.direction == "both" and not r.types and high >= _DENSE_HOPS:
            self.breach(r, "an undirected *1..3 over all relations never ends", "*1..2, or types")

    def reused_relationships(self, clause: Match, all_hold: list[Expression]) -> None:
        """One MATCH: Neo4j never takes a relationship twice, Ladybug does."""
        different = {frozenset(pair) for pair in map(_compared, all_hold) if pair}
        own = [step for path in clause.paths for step in path.steps]
        for n, one in enumerate(own):
            for other in own[:n]:
                if _may_be_one(one, other, different):
                    self.breach(
                        clause,
                        "Ladybug may take one relationship twice in a MATCH",
                        "a.id <> b.id of their ends, r1 <> r2, or two MATCHes",
                    )

    def undirected(self, clause: Match, rows: Rows, all_hold: list[Expression]) -> None:
        """A self-loop comes twice from Ladybug in an undirected pattern."""
        different = {frozenset(pair) for pair in map(_compared, all_hold) if pair}
        for left, r, right in (step for path in clause.paths for step in path.steps):
            labels = [rows.names[n.variable or f"({n.at}"].labels for n in (left, right)]
            apart = (
                all(labels) and labels[0] != labels[1] and "Entity" not in labels[0] | labels[1]
            )
            told = frozenset({left.variable, right.variable}) in different
            if r.direction == "both" and not apart and not told:
                one, other = left.variable or "a", right.variable or "b"
                what = "an undirected pattern gives a self-loop twice on Ladybug"
                self.breach(r, what, f"WHERE {one}.id <> {other}.id")

    def unwind(self, clause: Unwind, rows: Rows) -> Rows:
        list_ = self.type(clause.source, rows)
        if list_.kind not in {"list", "any"}:
            self.breach(clause, "UNWIND of what is no list", "a list")
        elif list_.nullable:
            self.breach(
                clause, "UNWIND of a list that may be null", "WHERE … IS NOT NULL before it"
            )
        if clause.variable in rows.names:
            self.breach(clause, f"the alias {clause.variable} is a variable too", "another name")
        attribute = self.attribute(clause.variable)
        facts = list(rows.determined)
        if isinstance(clause.source, ListOf) and len(clause.source.items) == 1:
            was = rows.attribute(clause.source.items[0])
            facts += [(frozenset({attribute}), was), (frozenset({was}), attribute)] if was else []
        if isinstance(clause.source, Variable):
            for key, was in rows.gathered.get(clause.source.name, ()):
                own = f"{attribute}.{key}"
                facts += [(frozenset({own}), was), (frozenset({was}), own)]
        return replace(
            rows,
            determined=tuple(facts),
            names={**rows.names, clause.variable: list_.of or ANY},
            attributes={**rows.attributes, clause.variable: attribute},
            order=None,
        )

    def projection(self, clause: Projection, rows: Rows) -> Rows:
        items = clause.items or tuple(
            Item(at=clause.at, expression=Variable(at=clause.at, name=n), alias=n, named=True)
            for n in rows.names
            if n[0] not in "(["
        )
        if not clause.items and clause.keyword == "RETURN":
            self.breach(
                clause, "RETURN * gives whole nodes", "the columns by name", everywhere=True
            )
        grouped = any(aggregates(item.expression) for item in items)
        self.gathered(items, rows)
        types = [self.projected(item, clause, rows) for item in items]
        if rows.order is not None and grouped and all(aggregates(i.expression) for i in items):
            self.breach(
                clause,
                "Ladybug ignores an ORDER BY before an aggregation of all rows",
                "UNWIND [x] AS y between them, or a key to group by",
            )
        after = self.after(clause, items, types, rows, grouped=grouped)
        if clause.keyword == "RETURN" and after.repeated:
            self.breach(
                clause,
                "paths of variable length are counted otherwise on Ladybug",
                "RETURN DISTINCT end points, or min(length(p))",
            )
        return self.ordered(clause, items, rows, after, grouped=grouped)

    def gathered(self, items: tuple[Item, ...], rows: Rows) -> None:
        """What the groups of an aggregation may be, and what is gathered from their rows."""
        if not any(aggregates(item.expression) for item in items):
            return
        keys = [item for item in items if not aggregates(item.expression)]
        for item in items:
            for call in filter(is_aggregate, parts(item.expression)):
                self.aggregate(call, rows)
            for part in parts(item.expression):
                if isinstance(part, Subquery):
                    what = f"{part.keyword} {{ }} beside an aggregate"
                    self.breach(part, what, "it as an item of a WITH before")
            if item not in keys:
                outside = _outside_aggregates(item.expression)
                for each in outside:
                    if not any(each == k.expression for k in keys):
                        what = "a value beside an aggregate that is no key of the groups"
                        self.breach(each, what, "it as an item of its own, in a WITH before")

    def aggregate(self, call: Call, rows: Rows) -> None:
        counted = call.name in {"count", "sum", "avg", "collect"} and not call.distinct
        if rows.repeated and counted:
            self.breach(
                call,
                "paths of variable length are counted otherwise on Ladybug",
                "WITH DISTINCT before it, count(DISTINCT x) or min(length(p))",
            )

    def projected(self, item: Item, clause: Projection, rows: Rows) -> Type:
        type_ = self.type(item.expression, rows)
        same = item.expression == Variable(at=item.at, name=item.alias)
        before = rows.names.get(item.alias)
        if before and not same and before.kind in {"node", "relationship", "path"}:
            what = f"the alias {item.alias} is a variable too"
            self.breach(item, what, "another name", everywhere=True)
        if (
            clause.keyword == "WITH"
            and not item.named
            and not isinstance(item.expression, Variable)
        ):
            self.breach(item, f"{item.alias} has no name", "… AS name")
        elif clause.keyword == "RETURN":
            if type_.kind in {"node", "relationship", "path"}:
                what = f"{item.alias} is a node, relationship or path"
                self.breach(item, what, "its columns", everywhere=True)
            elif type_.kind == "map" or (type_.of and not type_.of.scalar):
                self.breach(item, f"{item.alias} is a map", "its values as columns")
            elif type_.unlike:
                self.breach(item, f"{item.alias} is returned, and {type_.unlike}", _like(type_))
        return type_

    def after(
        self,
        clause: Projection,
        items: tuple[Item, ...],
        types: list[Type],
        rows: Rows,
        *,
        grouped: bool,
    ) -> Rows:
        """The rows that a projection gives."""
        own = {item.alias: self.attribute(item.alias) for item in items}
        facts = list(rows.determined)
        keys = self.derived(items, rows, own, facts)
        merged = grouped or clause.distinct
        if clause.distinct and not any(isinstance(p, Variable) for p in parts(items)):
            self.breach(clause, "DISTINCT of a constant is ignored on Ladybug", "LIMIT 1")
        if grouped:
            folded = [own[i.alias] for i in items if aggregates(i.expression)]
            facts += [(frozenset(keys), each) for each in folded]
        if merged:
            self.keys(items, types, replace(rows, determined=tuple(facts)), own)
        names = {item.alias: type_ for item, type_ in zip(items, types, strict=True)}
        missing, gathered = self.carried(items, rows, facts)
        kept = {name for name, attribute in own.items() if rows.attributes.get(name) == attribute}
        return Rows(
            names=names,
            attributes=own,
            determined=tuple(facts),
            not_null=frozenset(e for e in rows.not_null if _only(e, kept)),
            not_empty=frozenset(e for e in rows.not_empty if _only(e, kept)),
            missing=missing,
            gathered=gathered,
            repeated=rows.repeated and not merged,
            order=None if merged else rows.order,
        )

    def derived(
        self,
        items: tuple[Item, ...],
        rows: Rows,
        own: dict[str, str],
        facts: list[tuple[frozenset[str], str]],
    ) -> list[str]:
        """The attributes of what is no aggregate; what each is made of goes into the facts."""
        keys = []
        for item in items:
            if aggregates(item.expression):
                continue
            old = rows.attribute(item.expression)
            if old is not None and isinstance(item.expression, Variable):
                own[item.alias] = old
            elif old is not None:
                facts += [(frozenset({old}), own[item.alias]), (frozenset({own[item.alias]}), old)]
            elif (leaves := _leaves(item.expression, rows)) is not None:
                facts.append((leaves, own[item.alias]))
            keys.append(own[item.alias])
        return keys

    def carried(
        self, items: tuple[Item, ...], rows: Rows, facts: list[tuple[frozenset[str], str]]
    ) -> tuple[dict[str, frozenset[str]], dict[str, tuple[tuple[str, str], ...]]]:
        """What of ``missing`` and ``gathered`` goes on under the aliases."""
        missing: dict[str, frozenset[str]] = {}
        gathered: dict[str, tuple[tuple[str, str], ...]] = {}
        aliases = {item.alias for item in items}
        for item in items:
            owner = item.expression
            if isinstance(owner, Call) and owner.name == "collect":
                gathered[item.alias] = self.keys_of(owner, rows, facts)
            owner = owner.subject if isinstance(owner, Property) else owner
            if isinstance(owner, Variable) and owner.name in rows.missing:
                missing[item.alias] = rows.missing[owner.name] & aliases
            if isinstance(owner, Variable) and owner.name in rows.gathered:
                gathered[item.alias] = rows.gathered[owner.name]
        return missing, gathered

    def keys_of(
        self, collect: Call, rows: Rows, facts: list[tuple[frozenset[str], str]]
    ) -> tuple[tuple[str, str], ...]:
        """What the keys of collected maps stand for; what is computed gets an attribute."""
        keys = []
        for each in collect.arguments:
            for name, value in each.entries if isinstance(each, MapOf) else ():
                attribute = rows.attribute(value)
                leaves = _leaves(value, rows)
                if attribute is None and leaves is not None:
                    attribute = self.attribute(name)
                    facts.append((leaves, attribute))
                if attribute is not None:
                    keys.append((name, attribute))
        return tuple(keys)

    def keys(
        self, items: tuple[Item, ...], types: list[Type], rows: Rows, own: Mapping[str, str]
    ) -> None:
        """Groups by a value that the engines have unlike are other groups."""
        pairs = [
            (item, type_)
            for item, type_ in zip(items, types, strict=True)
            if not aggregates(item.expression)
        ]
        alike = {own[item.alias] for item, type_ in pairs if not type_.unlike}
        known = rows.closure(alike)
        for item, type_ in pairs:
            if type_.unlike and own[item.alias] not in known:
                self.breach(item, f"{item.alias} makes groups, and {type_.unlike}", _like(type_))

    def ordered(
        self,
        clause: Projection,
        items: tuple[Item, ...],
        before: Rows,
        after: Rows,
        *,
        grouped: bool,
    ) -> Rows:
        """ORDER BY, SKIP, LIMIT and the WHERE after WITH."""
        merged = grouped or clause.distinct
        scope = after if merged else _beside(before, after)
        for item in items if clause.order and not merged else ():
            old = before.attributes.get(item.alias)
            meant = any(
                Variable(at=0, name=item.alias) in parts(k.expression) for k in clause.order
            )
            if meant and old is not None and old != after.attributes[item.alias]:
                what = f"ORDER BY beside {item.alias}, which is a name of before too"
                self.breach(item, what, "another name")
        keys: set[str] = set()
        for key in clause.order:
            expression = _as_item(key.expression, items, aliases=set(after.names))
            type_ = self.type(expression, scope)
            if not type_.scalar:
                self.breach(key, "ORDER BY of what is no number or text", "a scalar column")
            elif type_.unlike:
                self.breach(key, f"ORDER BY of a value, and {type_.unlike}", _like(type_))
            attribute = scope.attribute(expression)
            if attribute is not None:
                keys.add(attribute)
        known = after.closure(keys)
        loose = [name for name, each in after.attributes.items() if not _in(each, known)]
        one_row = grouped and all(aggregates(item.expression) for item in items)
        self.cut(clause, after, [] if one_row else loose)
        self.condition(clause.where, after)
        ordered = replace(after, order=known) if clause.order else after
        return ordered.knowing(conditions(clause.where))

    def cut(self, clause: Projection, rows: Rows, loose: list[str]) -> None:
        """SKIP and LIMIT, and what the order before them leaves open."""
        for bound in (clause.skip, clause.limit):
            whole = bound is None or self.type(bound, Rows()).kind in {"integer", "any"}
            if not whole or not isinstance(bound, Constant | Parameter | None):
                self.breach(
                    bound or clause, "SKIP or LIMIT of an expression", "a number or a parameter"
                )
        limited = clause.skip is not None or clause.limit is not None
        if loose and clause.order:
            what = f"an order that may have ties, for it does not determine {', '.join(loose)}"
            self.breach(clause.order[0], what, "ORDER BY …, and the ids of what was matched")
        elif loose and (clause.keyword == "RETURN" or limited):
            form = "ORDER BY what tells all rows apart"
            self.breach(clause, "rows without an order", form, everywhere=True)
        if clause.keyword == "WITH" and clause.order and clause.limit is None:
            what = "WITH … ORDER BY without LIMIT"
            self.breach(clause.order[0], what, "LIMIT 1000000000 after it")
        if rows.repeated and limited:
            what = "paths of variable length are counted otherwise on Ladybug"
            self.breach(clause, what, "WITH DISTINCT before SKIP and LIMIT")

    # expressions

    def condition(self, where: Expression | None, rows: Rows) -> None:
        if where is not None:
            self.type(where, rows, truth=True)

    def type(self, e: Expression, rows: Rows, *, truth: bool = False) -> Type:
        """The type of an expression.

        Args:
            e: the expression.
            rows: what is known where it stands.
            truth: it is a condition, so that null and false come to the same.
        """
        type_ = self._type(e, rows, truth=truth)
        if type_.nullable and e in rows.not_null:
            return type_.null(nullable=False)
        return type_

    def _type(self, e: Expression, rows: Rows, *, truth: bool) -> Type:  # noqa: C901, PLR0911, PLR0912 - a line for each form
        match e:
            case Constant(kind="null"):
                self.breach(e, "null as a value", "IS NULL, or CASE without ELSE")
                return ANY
            case Constant(kind=kind):
                number = kind in {"integer", "float"}
                return replace(
                    column_type(kind),
                    filled=kind == "string" and bool(e.value),
                    whole=number and float(e.text).is_integer(),
                    positive=number and float(e.text) > 0,
                )
            case Parameter(name=name):
                return self.parameters.get(name, ANY)
            case Variable(name=name):
                return self.variable(e, name, rows)
            case Property():
                return self.property(e, rows)
            case ListOf(items=items):
                return self.list_of(e, items, rows)
            case MapOf(entries=entries):
                fields = tuple((name, self.type(value, rows)) for name, value in entries)
                return Type("map", fields=fields)
            case Unary():
                return self.unary(e, rows)
            case Binary(operator="AND" | "OR" | "XOR"):
                return self.connective(e, rows, truth=truth)
            case Binary():
                return self.binary(e, rows, truth=truth)
            case IsNull(operand=operand):
                self.atomic(operand)
                self.type(operand, rows)
                return BOOLEAN
            case Case():
                return self.case(e, rows)
            case Quantifier():
                return self.quantifier(e, rows, truth=truth)
            case Subquery():
                return self.subquery(e, rows, truth=truth)
            case Call():
                return self.call(e, rows)
            case Foreign(what=what, instead=instead, operands=operands):
                self.breach(e, what, instead)
                for each in operands:
                    self.type(each, rows)
                return ANY
        return ANY

    def variable(self, e: Expression, name: str, rows: Rows) -> Type:
        if name not in rows.names:
            self.breach(
                e, f"{name} is not known here", "a variable of a clause before", everywhere=True
            )
            return ANY
        return rows.names[name]

    def property(self, e: Property, rows: Rows) -> Type:
        owner = self.type(e.subject, rows)
        if owner.kind == "any":
            return ANY
        if owner.kind == "map":
            fields = dict(owner.fields)
            if e.name in fields:
                return fields[e.name]
            self.breach(e, f"{e.name} is no key of this map", "one of it, in exact case")
            return ANY
        if owner.kind == "node":
            columns = self.vocabulary.node_columns(next(iter(owner.labels), ""))
        elif owner.kind == "relationship":
            columns = self.vocabulary.relation_columns(owner.labels)
        else:
            self.breach(e, f"a column of what is a {owner.kind}", "the value itself")
            return ANY
        if e.name not in columns:
            self.breach(
                e, f"{e.name} is no column", "one of kg.tables, in exact case", everywhere=True
            )
            return ANY
        type_ = columns[e.name]
        return type_.null() if owner.nullable else type_

    def list_of(self, e: Expression, items: tuple[Expression, ...], rows: Rows) -> Type:
        if not items:
            self.breach(e, "an empty list", "size(x) = 0, or a list parameter")
            return Type("list", of=ANY)
        of = self.same([(item, self.type(item, rows)) for item in items], "a list")
        if of.nullable and of.kind != "any":
            what = "a list with null differs between the engines"
            self.breach(e, what, "a list without null, coalesce(x, '')")
        if of.unlike:
            self.breach(e, f"a list of a value, and {of.unlike}", _like(of))
        return Type("list", of=of.null(nullable=False))

    def same(self, values: list[tuple[Expression, Type]], of: str) -> Type:
        """The one type of values that stand for each other."""
        told = [type_ for _, type_ in values if type_.kind != "any"]
        if not told:
            return ANY
        first = told[0]
        for expression, type_ in values:
            if type_.kind not in {first.kind, "any"}:
                both = {first.kind, type_.kind} == {"integer", "float"}
                form = "floats alone, 1.0 for 1" if both else "values of one type"
                self.breach(expression, f"{of} with {first.kind} and {type_.kind}", form)
            elif first.kind == "map" and _keys(type_) != _keys(first):
                what = "maps in a list are read by place on Ladybug"
                self.breach(expression, what, "the same keys in the same order, of the same types")
        return replace(
            first,
            nullable=any(t.nullable for t in told),
            unlike=next((t.unlike for t in told if t.unlike), ""),
            wide=any(t.wide for t in told),
            filled=all(t.filled for t in told),
            whole=all(t.whole for t in told),
            positive=all(t.positive for t in told),
            of=_merged(t.of for t in told),
            fields=tuple(
                (name, _merged(dict(t.fields).get(name) for t in told) or ANY)
                for name, _ in first.fields
            ),
        )

    def unary(self, e: Unary, rows: Rows) -> Type:
        operand = self.type(e.operand, rows)
        if e.operator == "NOT":
            self.want(e.operand, operand, "boolean", "NOT")
            return BOOLEAN.null(operand.nullable)
        if not operand.number:
            self.breach(e, f"{e.operator} of a {operand.kind}", "a number")
        elif not isinstance(e.operand, Constant) and operand.kind == "float":
            self.breach(e, "-0.0 is ordered otherwise on Ladybug", "0.0 - x")
        return operand

    def want(self, at: Expression, type_: Type, kind: Kind, of: str) -> None:
        if type_.kind not in {kind, "any"}:
            self.breach(at, f"{of} of a {type_.kind}", f"a {kind}")

    def connective(self, e: Binary, rows: Rows, *, truth: bool) -> Type:
        left_rows = right_rows = rows
        if e.operator == "AND":
            left_rows = rows.knowing(_certain(conditions(e.right)))
            right_rows = rows.knowing(_certain(conditions(e.left)))
            if truth:
                right_rows = rows.knowing(conditions(e.left))
                left_rows = rows.knowing(conditions(e.right))
        truth &= e.operator != "XOR"
        left = self.type(e.left, left_rows, truth=truth)
        right = self.type(e.right, right_rows, truth=truth)
        self.want(e.left, left, "boolean", e.operator)
        self.want(e.right, right, "boolean", e.operator)
        return BOOLEAN.null(left.nullable or right.nullable)

    def binary(self, e: Binary, rows: Rows, *, truth: bool) -> Type:
        left, right = self.type(e.left, rows), self.type(e.right, rows)
        if e.operator in _ARITHMETIC:
            return self.arithmetic(e, left, right, rows)
        for side, type_ in ((e.left, left), (e.right, right)):
            self.atomic(side, arithmetic=e.operator in _COMPARISONS)
            if type_.unlike and not (e.operator == "IN" and side is e.right):
                self.breach(side, f"{e.operator} of a value, and {type_.unlike}", _like(type_))
        nullable = left.nullable or right.nullable
        if e.operator in _COMPARISONS:
            self.comparison(e, left, right)
        elif e.operator == "IN":
            self.membership(e, left, right, truth=truth)
        else:
            self.want(e.left, left, "string", e.operator)
            self.want(e.right, right, "string", e.operator)
            if e.operator == "=~":
                self.regular_expression(e)
            elif e.operator == "CONTAINS":
                self.search(e, rows)
        return BOOLEAN.null(nullable)

    def atomic(self, side: Expression, *, arithmetic: bool = False) -> None:
        """The engines put the parentheses of ``a + b IN c`` in other places."""
        sums = arithmetic and isinstance(side, Binary) and side.operator in _ARITHMETIC
        if isinstance(side, Binary | IsNull) and not side.bracketed and not sums:
            self.breach(side, "an operand that the engines bracket otherwise", "(…) around it")

    def comparison(self, e: Binary, left: Type, right: Type) -> None:
        kinds = {left.kind, right.kind} - {"any"}
        if kinds <= {"integer", "float"} or len(kinds) < 2:  # noqa: PLR2004 - one kind
            kind = next(iter(kinds), "any")
            ends = kinds & {"node", "relationship"}
            if (ends and e.operator not in {"=", "<>"}) or kinds & {"list", "map", "path"}:
                self.breach(e, f"{e.operator} of a {kind}", "a comparison of columns")
            if kind == "boolean" and e.operator not in {"=", "<>"}:
                self.breach(e, f"{e.operator} of truth values", "= or <>")
        else:
            one, other = sorted(kinds)
            self.breach(e, f"{one} is compared with {other}", "values of one type")

    def membership(self, e: Binary, left: Type, list_: Type, *, truth: bool) -> None:
        self.want(e.right, list_, "list", "IN")
        of = list_.of or ANY
        if left.kind not in {of.kind, "any"} and of.kind != "any":
            self.breach(e, f"a {left.kind} IN a list of {of.kind}", "values of one type")
        may_be_empty = not isinstance(e.right, ListOf)
        if left.nullable and may_be_empty and not truth:
            what = "null IN an empty list is false on Neo4j and null on Ladybug"
            self.breach(e, what, "x IS NOT NULL AND …, or coalesce(x, '') IN …")

    def search(self, e: Binary, rows: Rows) -> None:
        if not self.type(e.right, rows).filled and e.right not in rows.not_empty:
            what = "a search for the empty text finds nothing on Ladybug"
            self.breach(e, what, "$part <> '' AND x.name CONTAINS $part")

    def regular_expression(self, e: Binary) -> None:
        pattern = e.right
        if not isinstance(pattern, Constant):
            self.breach(e, "a regular expression that is not written out", "CONTAINS")
            return
        written = pattern.text[1:-1]
        odd = not _PLAIN_PATTERN.fullmatch(written) or re.search(r"\(\?|\[\[:|&&|\[\^?\]", written)
        if odd:
            what = "a regular expression beyond RE2 and ASCII"
            self.breach(e, what, "a simple pattern, [0-9] for \\d")

    def arithmetic(self, e: Binary, left: Type, right: Type, rows: Rows) -> Type:
        kinds = {left.kind, right.kind} - {"any"}
        if e.operator == "+" and kinds <= {"string"} and kinds:
            if left.nullable or right.nullable:
                what = "a text + null differs between the engines"
                self.breach(e, what, "coalesce(x.name, '')")
            return STRING
        if e.operator == "+" and kinds == {"list"}:
            for side in (e.left, e.right):
                if isinstance(side, Parameter):
                    what = f"+ of the list ${side.name}, which fails on Ladybug where it is empty"
                    self.breach(side, what, "two lists, put together in Python")
            of = self.same([(e.left, left.of or ANY), (e.right, right.of or ANY)], "a list")
            unlike = left.unlike or right.unlike
            return Type("list", left.nullable or right.nullable, of, unlike=unlike)
        self.operands(e, left, right)
        if e.operator in {"/", "%"}:
            self.divisor(e, rows)
        integer = kinds == {"integer"} and e.operator != "^"
        unlike = left.unlike or right.unlike or (_LAST_DIGITS if e.operator == "^" else "")
        if e.operator == "/" and _is_rounded(e.left):
            unlike = right.unlike
        return Type(
            "integer" if integer else "float",
            left.nullable or right.nullable,
            unlike=unlike,
            whole=left.whole and right.whole and e.operator in {"+", "-", "*"},
            positive=left.positive and right.positive and e.operator in {"+", "*"},
            wide=left.wide or right.wide,
        )

    def operands(self, e: Binary, left: Type, right: Type) -> None:
        for side, type_ in ((e.left, left), (e.right, right)):
            if not type_.number:
                self.breach(side, f"{e.operator} of a {type_.kind}", "a number")
            if isinstance(side, Parameter):
                what = f"arithmetic on ${side.name}"
                self.breach(side, what, "a parameter computed in Python")
            power = isinstance(side, Binary) and side.operator == "^" and not side.bracketed
            if e.operator == "^" and power:
                self.breach(e, "a ^ b ^ c", "(a ^ b) ^ c")

    def divisor(self, e: Binary, rows: Rows) -> None:
        if not self.is_not_zero(e.right, rows):
            what = f"{e.operator} by what may be 0"
            self.breach(e, what, "CASE WHEN y > 0.0 THEN x / y END")

    def is_not_zero(self, e: Expression, rows: Rows) -> bool:
        if isinstance(e, Binary) and e.operator == "*":
            return self.is_not_zero(e.left, rows) and self.is_not_zero(e.right, rows)
        number = isinstance(e, Constant) and e.kind in {"integer", "float"} and float(e.text)
        return bool(number) or e in rows.not_empty or self.type(e, rows).positive

    def case(self, e: Case, rows: Rows) -> Type:
        if e.subject is not None:
            self.type(e.subject, rows)
        values: list[tuple[Expression, Type]] = []
        otherwise = rows
        for when, then in e.branches:
            if e.subject is None:
                self.want(when, self.type(when, otherwise, truth=True), "boolean", "WHEN")
                values.append((then, self.type(then, otherwise.knowing(conditions(when)))))
                otherwise = otherwise.knowing(_otherwise(when))
            else:
                equal = Binary(at=when.at, operator="=", left=e.subject, right=when)
                self.type(equal, rows, truth=True)
                values.append((then, self.type(then, rows)))
        if e.otherwise is not None:
            values.append((e.otherwise, self.type(e.otherwise, otherwise)))
        type_ = self.same(values, "CASE")
        return type_ if e.otherwise is not None else type_.null()

    def quantifier(self, e: Quantifier, rows: Rows, *, truth: bool) -> Type:
        list_ = self.type(e.source, rows)
        self.want(e.source, list_, "list", e.name)
        if isinstance(e.source, Parameter):
            what = f"{e.name}() over ${e.source.name}, which fails on Ladybug where it is empty"
            self.breach(e, what, "x IN $list, or UNWIND $list")
        names = {**rows.names, e.variable: list_.of or ANY}
        inner = replace(rows, names=names, attributes={**rows.attributes, e.variable: _ITEM})
        condition = self.type(e.condition, inner, truth=truth and e.name == "any")
        self.want(e.condition, condition, "boolean", e.name)
        if list_.nullable or condition.nullable:
            what = f"{e.name}() of what may be null"
            self.breach(e, what, "coalesce(x, '') in its condition, IS NOT NULL before it")
        for part in parts(e.condition):
            if isinstance(part, Parameter):
                what = f"${part.name} inside {e.name}()"
                self.breach(part, what, f"WITH ${part.name} AS wanted, then wanted")
        return BOOLEAN.null(list_.nullable or condition.nullable)

    def subquery(self, e: Subquery, rows: Rows, *, truth: bool) -> Type:
        match e.clauses:
            case (Match(optional=False) as match,):
                pass
            case _:
                what = f"{e.keyword} {{ }} of more than one MATCH"
                self.breach(e, what, "{ MATCH (a)-[:X]->() WHERE … }")
                return ANY
        pattern = match.at == e.at
        if pattern and not truth:
            self.breach(e, "a pattern as a value", "EXISTS { MATCH (a)-[:X]->() }")
        if any(not r.types for path in match.paths for r in path.relationships):
            what = f"{e.keyword} {{ }} over untyped relationships"
            self.breach(e, what, "[:HAS_SYMPTOM]")
        inner = self.match(match, replace(rows, repeated=False, order=None))
        if e.keyword == "COUNT" and inner.repeated:
            what = "paths of variable length are counted otherwise on Ladybug"
            self.breach(e, what, "EXISTS, or count(DISTINCT x) in a WITH")
        if e.keyword == "COLLECT":
            self.breach(e, "COLLECT { } is not portable", "collect() in a WITH")
        return BOOLEAN if e.keyword == "EXISTS" else INTEGER

    def call(self, e: Call, rows: Rows) -> Type:
        function = _FUNCTIONS.get(e.name)
        if function is None:
            form = _OTHER_FORMS.get(e.name, "what docs/queries.md lists")
            what = (
                "differs between the engines"
                if e.name in _OTHER_FORMS
                else ("is not known to be portable")
            )
            self.breach(e, f"{e.name}() {what}", form)
            for each in e.arguments:
                self.type(each, rows)
            return ANY
        if e.name == "coalesce" and e.arguments:
            self.covered.add(id(e.arguments[0]))
        types = [self.type(each, rows) for each in e.arguments]
        least, most = function.arguments
        if not least <= len(types) <= most:
            self.breach(e, f"{e.name}() of {len(types)} values", f"{least} of them")
            return ANY
        if e.distinct and e.name not in {"count", "collect"}:
            self.breach(e, f"{e.name}(DISTINCT …)", "WITH DISTINCT before it")
        return function.type(self, e, types, rows)


def _keys(map_: Type) -> list[tuple[str, str]]:
    """Keys of a map in their order, with the kind of each."""
    return [(name, type_.kind) for name, type_ in map_.fields]


def _merged(types: Iterable[Type | None]) -> Type | None:
    """One type for what several of one kind have."""
    told = [each for each in types if each is not None]
    if not told:
        return None
    return replace(
        told[0],
        nullable=any(each.nullable for each in told),
        unlike=next((each.unlike for each in told if each.unlike), ""),
        filled=all(each.filled for each in told),
    )


def _otherwise(when: Expression) -> list[Expression]:
    """What holds where a condition does not, of ``x IS NULL`` and ``x = 0.0``."""
    match when:
        case Binary(operator="OR", left=left, right=right):
            return [*_otherwise(left), *_otherwise(right)]
        case IsNull(negated=False):
            return [replace(when, negated=True)]
        case Binary(operator="=", right=Constant(kind="integer" | "float")):
            return [replace(when, operator="<>")]
    return []


def _certain(all_hold: list[Expression]) -> list[Expression]:
    """Of conditions those that are false, and never null, where they do not hold."""
    return [each for each in all_hold if isinstance(each, IsNull)]


def _beside(before: Rows, after: Rows) -> Rows:
    """An ORDER BY sees the rows as they were, and the aliases."""
    return replace(
        after,
        names={**before.names, **after.names},
        attributes={**before.attributes, **after.attributes},
        not_null=before.not_null | after.not_null,
    )


def _as_item(key: Expression, items: tuple[Item, ...], aliases: set[str]) -> Expression:
    """The alias of the item that a key repeats; else the key itself."""
    for item in items:
        if item.expression == key and not (isinstance(key, Variable) and key.name in aliases):
            return Variable(at=key.at, name=item.alias)
    return key


def _outside_aggregates(expression: Expression) -> Iterator[Expression]:
    """Columns and names that stand in no aggregate."""
    if is_aggregate(expression) or isinstance(expression, Constant | Parameter):
        return
    if isinstance(expression, Variable | Property):
        yield expression
        return
    for name in expression.__dataclass_fields__:
        for child in _expressions(getattr(expression, name)):
            yield from _outside_aggregates(child)


def _leaves(expression: Expression, rows: Rows) -> frozenset[str] | None:
    """The attributes that an expression is made of; None where one is not known."""
    own = rows.attribute(expression)
    if own is not None:
        return frozenset({own})
    if isinstance(expression, Variable):
        return None
    if isinstance(expression, Subquery):
        return frozenset(_outer(expression, rows))
    if isinstance(expression, Quantifier):
        rows = replace(rows, attributes={**rows.attributes, expression.variable: _ITEM})
    leaves: set[str] = set()
    for name in expression.__dataclass_fields__:
        for child in _expressions(getattr(expression, name)):
            of_child = _leaves(child, rows)
            if of_child is None:
                return None
            leaves |= of_child
    return frozenset(each for each in leaves if not each.startswith(_ITEM))


def _outer(subquery: Subquery, rows: Rows) -> Iterator[str]:
    """What a subquery names of the rows around it."""
    for part in parts(subquery.clauses):
        name = part.name if isinstance(part, Variable) else ""
        name = part.variable if isinstance(part, NodePattern) else name
        if name in rows.attributes:
            yield rows.attributes[name]


def _only(expression: Expression, names: set[str]) -> bool:
    return all(p.name in names for p in parts(expression) if isinstance(p, Variable))


def _given(part: Part) -> list[str]:
    """Names that a part gives: of variables, aliases, parameters, map keys."""
    match part:
        case NodePattern(variable=name) | RelationshipPattern(variable=name) | Path(variable=name):
            return [name] if name else []
        case Unwind(variable=name) | Quantifier(variable=name) | Parameter(name=name):
            return [name]
        case Item(alias=alias, named=True):
            return [alias]
        case MapOf(entries=entries):
            return [name for name, _ in entries]
    return []


_Step = tuple[NodePattern, RelationshipPattern, NodePattern]


def _may_be_one(one: _Step, other: _Step, different: set[frozenset[str]]) -> bool:
    """Whether one relationship can fit both patterns, though the variables of pairs differ."""
    first, second = one[1], other[1]
    if first.types and second.types and not set(first.types) & set(second.types):
        return False
    if first.hops or second.hops:  # one of many: that the ends differ tells nothing
        return True
    if first.variable and frozenset({first.variable, second.variable}) in different:
        return False
    (start, end), (head, tail) = _ends(one), _ends(other)
    ways = [((start, head), (end, tail))]
    if "both" in (first.direction, second.direction):
        ways.append(((start, tail), (end, head)))
    return any(not _excluded(way, different) for way in ways)


def _ends(step: _Step) -> tuple[str, str]:
    names = [node.variable or f"({node.at}" for node in (step[0], step[2])]
    return (names[1], names[0]) if step[1].direction == "left" else (names[0], names[1])


def _excluded(
    same: tuple[tuple[str, str], tuple[str, str]], different: set[frozenset[str]]
) -> bool:
    """Whether two pairs of nodes cannot both be one node each."""
    one, other = map(frozenset, same)
    groups = (one | other,) if one & other else (one, other)
    return any(pair <= group for group in groups for pair in different)


def _compared(condition: Expression) -> tuple[str, str] | None:
    """The two variables that a condition says to be different."""
    if not isinstance(condition, Binary) or condition.operator not in {"<>", "<", ">"}:
        return None
    match condition.left, condition.right:
        case Variable(name=one), Variable(name=other):
            return one, other
        case (
            Property(subject=Variable(name=one), name="id"),
            Property(subject=Variable(name=other), name="id"),
        ):
            return one, other
    return None


def _like(type_: Type) -> str:
    """The form in which a value is the same on both engines."""
    return ROUNDED if type_.unlike == _LAST_DIGITS else "UNWIND it, or collect in order"


def _is_rounded(e: Expression) -> bool:
    """``floor(x * c + 0.5)``."""
    match e:
        case Call(
            name="floor",
            arguments=(
                Binary(
                    operator="+",
                    left=Binary(operator="*", right=Constant(kind="float")),
                    right=Constant(text="0.5"),
                ),
            ),
        ):
            return True
    return False


# functions


@dataclass(frozen=True)
class Function:
    """A function of the subset."""

    arguments: tuple[int, int]
    """At least, at most."""
    type: Callable[[_Reader, Call, list[Type], Rows], Type]
    about: str
    """For the documentation."""


def _count(reader: _Reader, e: Call, types: list[Type], rows: Rows) -> Type:
    del rows
    if types and types[0].unlike and e.distinct:
        reader.breach(e, f"count(DISTINCT …) of a value, and {types[0].unlike}", _like(types[0]))
    return INTEGER


def _sum(reader: _Reader, e: Call, types: list[Type], rows: Rows) -> Type:
    del rows
    (type_,) = types
    if not type_.number:
        reader.breach(e, f"{e.name}() of a {type_.kind}", "a number")
    if type_.wide:
        what = f"{e.name}() of numbers without bounds, in which small ones may be lost"
        reader.breach(e, what, "the rows, reckoned in Python")
    if e.name == "sum" and id(e) not in reader.covered:
        what = "sum() of nothing is null on Ladybug"
        reader.breach(e, what, f"coalesce(sum(x), {'0.0' if type_.kind == 'float' else '0'})")
    if e.name == "avg":
        return Type("float", nullable=True, unlike=_LAST_DIGITS)
    unlike = _LAST_DIGITS if type_.kind == "float" and not type_.whole else ""
    return Type(type_.kind, nullable=True, unlike=unlike or type_.unlike, whole=type_.whole)


def _extreme(reader: _Reader, e: Call, types: list[Type], rows: Rows) -> Type:
    del rows
    (type_,) = types
    if type_.kind == "boolean" or not type_.scalar:
        reader.breach(e, f"{e.name}() of a {type_.kind}", "a number or a text")
    of = e.arguments[0]
    if e.name == "min" and isinstance(of, Call) and of.name == "length":
        return INTEGER.null()
    return type_.null()


def _collect(reader: _Reader, e: Call, types: list[Type], rows: Rows) -> Type:
    (type_,) = types
    if type_.kind in {"node", "relationship", "path", "list"}:
        reader.breach(e, f"collect() of a {type_.kind}", "its columns")
    in_order = rows.order is not None and rows.fixed(e.arguments[0], rows.order)
    unlike = "" if in_order and not e.distinct else _ANY_ORDER
    return Type("list", of=type_.null(nullable=False), unlike=unlike)


def _coalesce(reader: _Reader, e: Call, types: list[Type], rows: Rows) -> Type:
    del rows
    type_ = reader.same(list(zip(e.arguments, types, strict=True)), "coalesce()")
    return type_.null(all(each.nullable for each in types))


def _size(reader: _Reader, e: Call, types: list[Type], rows: Rows) -> Type:
    del rows
    (type_,) = types
    if type_.kind == "string":
        what = "size() of a text counts otherwise beyond the basic plane"
        reader.breach(e, what, "the text itself, measured in Python")
    else:
        reader.want(e, type_, "list", "size()")
    return INTEGER.null(type_.nullable)


def _length(reader: _Reader, e: Call, types: list[Type], rows: Rows) -> Type:
    del rows
    reader.want(e, types[0], "path", "length()")
    return Type("integer", unlike="a longer way may be counted twice")


def _type(reader: _Reader, e: Call, types: list[Type], rows: Rows) -> Type:
    del rows
    (type_,) = types
    reader.want(e, type_, "relationship", "type()")
    if type_.nullable and type_.kind != "any":
        what = "type() of a missing relationship is the type's name on Ladybug"
        reader.breach(e, what, "CASE WHEN r IS NOT NULL THEN type(r) END")
    return STRING.null(type_.nullable)


def _number(reader: _Reader, e: Call, types: list[Type], rows: Rows) -> Type:
    del rows
    (type_,) = types
    if not type_.number:
        reader.breach(e, f"{e.name}() of a {type_.kind}", "a number")
    if isinstance(e.arguments[0], Parameter):
        reader.breach(e, f"{e.name}() of a parameter", "a parameter computed in Python")
    if e.name in {"floor", "ceil"} and type_.kind == "integer":
        reader.breach(e, f"{e.name}() of an integer is one on Ladybug", "the integer itself")
    if e.name == "sign":
        return INTEGER.null(type_.nullable)
    if e.name == "tofloat":
        whole = type_.kind == "integer" or type_.whole
        return Type("float", type_.nullable, unlike=type_.unlike, wide=type_.wide, whole=whole)
    if _is_rounded(e):
        return Type("float", type_.nullable, wide=type_.wide, whole=True)
    if e.name in {"floor", "ceil"}:
        return replace(type_, whole=True, positive=False)
    if e.name == "log10":
        return Type("float", type_.nullable, unlike=_LAST_DIGITS)
    return type_


_FUNCTIONS: dict[str, Function] = {
    "count": Function((0, 1), _count, "rows, values that are not null, or different ones"),
    "sum": Function((1, 1), _sum, "in coalesce(sum(x), 0), for it is null of nothing on Ladybug"),
    "avg": Function((1, 1), _sum, "rounded"),
    "min": Function((1, 1), _extreme, "of numbers or texts"),
    "max": Function((1, 1), _extreme, "of numbers or texts"),
    "collect": Function((1, 1), _collect, "of rows in order, or as a set"),
    "coalesce": Function((1, 9), _coalesce, "of one type"),
    "size": Function((1, 1), _size, "of a list"),
    "length": Function((1, 1), _length, "of a path, in min()"),
    "type": Function((1, 1), _type, "of a relationship that is not null"),
    "abs": Function((1, 1), _number, "of a number"),
    "sign": Function((1, 1), _number, "of a number"),
    "floor": Function((1, 1), _number, "of a float"),
    "ceil": Function((1, 1), _number, "of a float"),
    "sqrt": Function((1, 1), _number, "of a float that is not negative"),
    "log10": Function((1, 1), _number, "of a number above 0, rounded"),
    "tofloat": Function((1, 1), _number, "of a number"),
}
"""By name in lower case."""

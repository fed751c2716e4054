"""The portable subset: what Neo4j and Ladybug are known to answer alike, down to the last bit.

A statement is read as its tree (``cypher.syntax``) and followed clause by clause with the types
of its columns, as an engine would plan it. What is on the lists here is accepted, for both engines
were measured to agree on it (``tests/cypher/test_subset.py`` asks them random queries made of just
this); all else is a breach, with the form to write instead where there is one.

Besides types it follows four things of the rows:

- which values determine which others (an id its node, two ends and a type their relationship),
  so that an order can be proved to be total;
- which nodes a SKIP or LIMIT chose, from where no MATCH may go on;
- whether a path of variable length may have been counted more often on one engine;
- whether the rows are in an order that a list is made of.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import pairwise

from cypher.expressions import Breach, Expressions
from cypher.functions import alike_form
from cypher.rewrite import ENTITY
from cypher.rows import Rows, conditions, is_known, leaves, only_of, operands_of
from cypher.syntax import (
    Binary,
    Call,
    Clause,
    Constant,
    Expression,
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
    Unwind,
    Variable,
    aggregates,
    is_aggregate,
    parts,
)
from cypher.tokens import code
from cypher.translation import translate
from cypher.vocabulary import ANY, Type, Vocabulary, nearest

_RESERVED = """
    end all any none single order desc asc case when table column group in default profile
    with on union macro headers exists then else shortest trail acyclic optional unwind create
    cast join where distinct null true starts ends and or not xor primary only install glob index
"""


RESERVED = frozenset(_RESERVED.split())
"""Words that Ladybug takes for no variable, alias, parameter or map key."""


_MOST_HOPS = 30
_MOST_ROWS = 2**31 - 1
_ALL_ROWS = 1_000_000_000
"""A LIMIT of so many keeps an order and cuts nothing off."""

_DENSE_HOPS = 3


def breaches(
    statement: Statement,
    vocabulary: Vocabulary,
    parameters: Mapping[str, Type],
    *,
    ordered: bool = True,
) -> list[Breach]:
    """What of a statement is not known to be portable, in the order of the text.

    Args:
        statement: as parsed.
        vocabulary: the names that it may use.
        parameters: their types.
        ordered: its rows have to come in the same order, too, and not only be the same.
    """
    reader = _Reader(vocabulary, parameters, ordered=ordered)
    try:
        reader.statement(statement)
    except RecursionError:
        return [
            Breach(
                0,
                translate("expressions nested too deeply"),
                translate("them in several WITHs"),
                everywhere=True,
            )
        ]
    return sorted(set(reader.found))


class _Reader(Expressions):
    """Follows a statement clause by clause."""

    def __init__(
        self, vocabulary: Vocabulary, parameters: Mapping[str, Type], *, ordered: bool
    ) -> None:
        super().__init__(vocabulary, parameters)
        self.order_counts = ordered

    def attribute(self, name: str) -> str:
        """A new one: a name that comes again stands for something else."""
        self.made += 1
        return f"{name}#{self.made}"

    def statement(self, statement: Statement) -> None:
        self.names(statement)
        self.found += _blanks(statement)
        rows = Rows()
        for clause in statement.clauses:
            rows = self.clause(clause, rows)

    def names(self, statement: Statement) -> None:
        seen: dict[str, str] = {}
        for part in parts(statement.clauses):
            for name in _named_by(part):
                if name.lower() in RESERVED:
                    self.breach(
                        part, "{name} is a reserved word of Ladybug", "another name", name=name
                    )
                first = seen.setdefault(name.lower(), name)
                if first != name and not isinstance(part, MapOf | Parameter):
                    what = "{name} and {first} are one variable on Ladybug"
                    self.breach(part, what, "different names", name=name, first=first)

    def clause(self, clause: Clause, rows: Rows) -> Rows:
        match clause:
            case Match():
                return self.match(clause, rows)
            case Unwind():
                return self.unwind(clause, rows)
            case Projection():
                return self.projection(clause, rows)
            case Procedure():
                self.breach(
                    clause,
                    "CALL {name} is not portable",
                    "a file in neo4j_only/",
                    name=clause.name,
                )
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
        named = {p.name for p in parts(clause.paths) if isinstance(p, Variable)}
        named |= {p.variable for p in parts(clause.paths) if isinstance(p, NodePattern)}
        if clause.optional and outer.names and not named & outer.names.keys():
            what = "an OPTIONAL MATCH that has nothing to do with the rows"
            self.breach(clause, what, "a MATCH, or a node of the rows in its pattern")
        if not clause.optional:
            self.chosen_before(clause, outer)
        self.optional = clause.optional
        for path in clause.paths:
            rows = self.path(path, rows)
        self.optional = False
        all_hold = conditions(clause.where)
        inside = rows.knowing(all_hold)
        self.condition(clause.where, rows)
        self.reused_relationships(clause, all_hold)
        self.undirected(clause, rows, all_hold)
        if not clause.optional:
            return replace(inside, order=None)
        self.correlated(clause.where, outer, inside)
        new = {
            name: type_.null() for name, type_ in inside.names.items() if name not in outer.names
        }
        return replace(
            inside,
            names={**outer.names, **new},
            determined=(*rows.determined, *_looked_up(clause, rows)),
            missing={**outer.missing, **dict.fromkeys(new, frozenset(new))},
            not_null=outer.not_null,
            not_empty=outer.not_empty,
            order=None,
        )

    def chosen_before(self, clause: Match, rows: Rows) -> None:
        """Ladybug first drops the nodes that the pattern does not fit, and then takes the LIMIT."""
        for node in (p for p in parts(clause.paths) if isinstance(p, NodePattern)):
            if rows.attributes.get(node.variable) in rows.chosen:
                what = "a MATCH goes on from {variable}, which a SKIP or LIMIT chose"
                form = "{variable}.id AS id in that WITH, and ({variable}:{label} {{id: id}}) here"
                label = min(rows.names[node.variable].labels, default=ENTITY)
                self.breach(node, what, form, variable=node.variable, label=label)

    def path(self, path: Path, rows: Rows) -> Rows:
        if path.function:
            self.breach(
                path,
                "{function}() is not portable",
                "a file in neo4j_only/",
                function=path.function,
            )
        (first, *rest) = path.nodes
        if not rest and first.variable in rows.names:
            what = "({variable}) alone, which is matched already"
            self.breach(
                path, what, "a WHERE, or a pattern with a relationship", variable=first.variable
            )
        if not rest and first.label in {"", ENTITY} and not first.properties:
            self.bare.add(first.variable)
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
            self.breach(node, "{variable} is no node", "another name", variable=node.variable)
        elif node.label:
            if bound.labels - {node.label, "Entity"}:
                self.breach(
                    node, "{variable} has another label", "one label", variable=node.variable
                )
            labels = frozenset({node.label})
            rows = replace(
                rows, names={**rows.names, node.variable: replace(bound, labels=labels)}
            )
        return self.entries(node, node.variable or f"({node.at}", node.properties, rows)

    def labelled(self, node: NodePattern, path: Path) -> None:
        """Without a label a node may be a record, or one that an engine keeps for itself."""
        beside = [r for left, r, right in path.steps if node in (left, right)]
        relations = self.vocabulary.relations
        of_records = [
            r for r in beside for t in r.types if t in relations and not relations[t].domain
        ]
        if not node.label and (not beside or of_records or not all(r.types for r in beside)):
            variable = node.variable
            self.breach(
                node,
                "({variable}) may be a record",
                "({variable}:Entity)",
                everywhere=True,
                variable=variable,
            )

    def entries(
        self, of: Part, name: str, entries: tuple[tuple[str, Expression], ...], rows: Rows
    ) -> Rows:
        """``{column: value}`` is a condition."""
        for column, value in entries:
            subject = Variable(at=of.at, name=name)
            property_ = Property(at=of.at, subject=subject, name=column)
            if not isinstance(value, Constant | Parameter | Variable | Property):
                what = "a computed value in a pattern, which Ladybug may fail to plan"
                self.breach(value, what, "it as an item of a WITH before, or in WHERE")
            equal = Binary(at=value.at, operator="=", left=property_, right=value)
            self.type(equal, rows, truth=True)
            rows = rows if self.optional else rows.knowing([equal])
        return rows

    def relationship(
        self, left: NodePattern, r: RelationshipPattern, right: NodePattern, rows: Rows
    ) -> Rows:
        name = r.variable or f"[{r.at}"
        if name in rows.names:
            self.breach(
                r, "the relationship {name} is matched again", "another variable", name=name
            )
        for unknown in sorted(set(r.types) - set(self.vocabulary.relations)):
            known = nearest(unknown, self.vocabulary.relations) or translate(
                "one that ':schema' in 'medkg cypher' lists"
            )
            what = translate("{name} is no relation type", name=unknown)
            self.breach(r, what, known, everywhere=True)
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
                self.breach(r, what, "WHERE {one}.id <> {other}.id", one=one, other=other)

    def unwind(self, clause: Unwind, rows: Rows) -> Rows:
        list_ = self.type(clause.source, rows)
        self.no_aggregate(clause.source)
        if list_.kind not in {"list", "any"}:
            self.breach(clause, "UNWIND of what is no list", "a list")
        elif list_.nullable:
            self.breach(
                clause, "UNWIND of a list that may be null", "WHERE … IS NOT NULL before it"
            )
        if clause.variable in rows.names:
            self.breach(
                clause,
                "the alias {variable} is a variable too",
                "another name",
                variable=clause.variable,
            )
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
            gathered={},  # what is unwound twice makes pairs
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
        for n, item in enumerate(items):
            if any(item.alias == other.alias for other in items[:n]):
                what = "{alias} comes twice, which Neo4j refuses"
                self.breach(item, what, "different names", alias=item.alias)
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
                "paths of variable length are counted differently on Ladybug",
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
                    what = "{keyword} {{ }} beside an aggregate"
                    self.breach(part, what, "it as an item of a WITH before", keyword=part.keyword)
            if item not in keys:
                outside = _outside_aggregates(item.expression)
                for each in outside:
                    if not any(each == k.expression for k in keys):
                        what = "a value beside an aggregate that is no key of the groups"
                        self.breach(each, what, "it as an item of its own, in a WITH before")

    def aggregate(self, call: Call, rows: Rows) -> None:
        for inner in call.arguments:
            self.no_aggregate(inner)
        counted = call.name in {"count", "sum", "avg", "collect"} and not call.distinct
        if rows.repeated and counted:
            self.breach(
                call,
                "paths of variable length are counted differently on Ladybug",
                "WITH DISTINCT before it, count(DISTINCT x) or min(length(p))",
            )

    def projected(self, item: Item, clause: Projection, rows: Rows) -> Type:
        for part in parts(item.expression):
            if isinstance(part, Subquery) and part is not item.expression:
                what = "{keyword} {{ }} inside a computed value, which Ladybug may fail to plan"
                self.breach(part, what, "it as an item of a WITH before", keyword=part.keyword)
        type_ = self.type(item.expression, rows)
        same = item.expression == Variable(at=item.at, name=item.alias)
        before = rows.names.get(item.alias)
        if before and not same and before.kind in {"node", "relationship", "path"}:
            what = "the alias {alias} is a variable too"
            self.breach(item, what, "another name", everywhere=True, alias=item.alias)
        if (
            clause.keyword == "WITH"
            and not item.named
            and not isinstance(item.expression, Variable)
        ):
            what = translate("{name} has no name", name=item.alias)
            self.breach(item, what, "… AS name")
        elif clause.keyword == "RETURN":
            if type_.kind == "list" and type_.given:
                what = (
                    "{alias} is a list parameter, which has no type on Ladybug where it is empty"
                )
                self.breach(item, what, "the rows without it", alias=item.alias)
            if type_.kind in {"node", "relationship", "path"}:
                what = translate("{name} is a node, relationship or path", name=item.alias)
                self.breach(item, what, translate("its columns"), everywhere=True)
            elif type_.kind == "map" or (type_.of and not type_.of.scalar):
                self.breach(item, "{alias} is a map", "its values as columns", alias=item.alias)
            elif type_.unlike:
                self.breach(
                    item,
                    "{alias} is returned, and {unlike}",
                    alike_form(type_),
                    alias=item.alias,
                    unlike=type_.unlike,
                )
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
        if clause.distinct and not any(
            isinstance(p, Variable | NodePattern) for p in parts(items)
        ):
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
            not_null=frozenset(e for e in rows.not_null if only_of(e, kept)),
            not_empty=frozenset(e for e in rows.not_empty if only_of(e, kept)),
            missing=missing,
            gathered=gathered,
            chosen=rows.chosen,
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
            elif (made_of := leaves(item.expression, rows)) is not None:
                facts.append((made_of, own[item.alias]))
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
                made_of = leaves(value, rows)
                if attribute is None and made_of is not None:
                    attribute = self.attribute(name)
                    facts.append((made_of, attribute))
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
            if type_.kind == "relationship" and type_.nullable:
                what = "{alias} makes groups and may be missing"
                self.breach(item, what, "its ends, WHERE r IS NOT NULL", alias=item.alias)
            if type_.unlike and own[item.alias] not in known:
                self.breach(
                    item,
                    "{alias} makes groups, and {unlike}",
                    alike_form(type_),
                    alias=item.alias,
                    unlike=type_.unlike,
                )

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
                what = "ORDER BY beside {alias}, which is a name of before too"
                self.breach(item, what, "another name", alias=item.alias)
        keys: set[str] = set()
        for key in clause.order:
            if aggregates(key.expression) and not any(
                key.expression == item.expression for item in items
            ):
                self.breach(key, "an aggregate in ORDER BY alone", "it as an item")
            expression = _as_item(key.expression, items, aliases=set(after.names))
            type_ = self.type(expression, scope)
            if not type_.scalar:
                self.breach(key, "ORDER BY of what is no number or text", "a scalar column")
            elif type_.signed_zero:
                self.breach(key, "ORDER BY of what may be -0.0", "(x) + 0.0")
            elif type_.computed and type_.kind == "string":
                what = "ORDER BY of texts that are no columns, which Neo4j orders by UTF-16"
                self.breach(key, what, "ORDER BY of a column, or of ids")
            elif type_.unlike:
                self.breach(
                    key,
                    "ORDER BY of a value, and {unlike}",
                    alike_form(type_),
                    unlike=type_.unlike,
                )
            attribute = scope.attribute(expression)
            if attribute is not None:
                keys.add(attribute)
        known = after.closure(keys)
        loose = [name for name, each in after.attributes.items() if not is_known(each, known)]
        one_row = grouped and all(aggregates(item.expression) for item in items)
        after = self.cut(clause, after, [] if one_row else loose)
        self.condition(clause.where, after)
        ordered = replace(after, order=known) if clause.order else after
        return ordered.knowing(conditions(clause.where))

    def cut(self, clause: Projection, rows: Rows, loose: list[str]) -> Rows:
        """The rows of SKIP and LIMIT, and what the order before them leaves open."""
        for bound in (clause.skip, clause.limit):
            whole = bound is None or self.type(bound, Rows()).kind in {"integer", "any"}
            if not whole or not isinstance(bound, Constant | Parameter | None):
                self.breach(
                    bound or clause, "SKIP or LIMIT of an expression", "a number or a parameter"
                )
            literal = isinstance(bound, Constant) and bound.kind == "integer"
            if isinstance(bound, Constant) and literal and int(bound.text) > _MOST_ROWS:
                self.breach(
                    bound,
                    "SKIP or LIMIT of {text}",
                    "at most {most}",
                    text=bound.text,
                    most=_MOST_ROWS,
                )
        limited = clause.skip is not None or clause.limit is not None
        open_ = clause.keyword == "RETURN" and not limited and not self.order_counts
        if loose and clause.order and not open_:
            what = "an order that may have ties, for it does not determine {columns}"
            self.breach(
                clause.order[0],
                what,
                "ORDER BY …, and the ids of what was matched",
                columns=", ".join(loose),
            )
        elif loose and (clause.keyword == "RETURN" or limited) and not open_:
            form = translate("ORDER BY what tells all rows apart")
            self.breach(clause, translate("rows without an order"), form, everywhere=True)
        if clause.keyword == "WITH" and clause.order and clause.limit is None:
            what = "WITH … ORDER BY without LIMIT"
            self.breach(clause.order[0], what, "LIMIT 1000000000 after it")
        if rows.repeated and limited:
            what = "paths of variable length are counted differently on Ladybug"
            self.breach(clause, what, "WITH DISTINCT before SKIP and LIMIT")
        if not _chooses(clause):
            return rows
        nodes = {rows.attributes[n] for n, type_ in rows.names.items() if type_.kind == "node"}
        return replace(rows, chosen=rows.chosen | nodes)


def _chooses(clause: Projection) -> bool:
    """Whether SKIP or LIMIT may leave rows out."""
    match clause.limit:
        case None:
            return clause.skip is not None
        case Constant(kind="integer", text=text) if int(text) >= _ALL_ROWS:
            return clause.skip is not None
    return True


def _looked_up(clause: Match, rows: Rows) -> Iterator[tuple[frozenset[str], str]]:
    """The node that an OPTIONAL MATCH looks up by its id alone is determined by that."""
    for path in clause.paths:
        (node, *rest) = path.nodes
        only = not rest and len(clause.paths) == 1 and clause.where is None
        if only and [name for name, _ in node.properties] == ["id"]:
            made_of = leaves(node.properties[0][1], rows)
            if made_of is not None:
                yield made_of, rows.attributes[node.variable or f"({node.at}"]


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
        for child in operands_of(getattr(expression, name)):
            yield from _outside_aggregates(child)


_BLANK_AFTER = frozenset({"AND", "BY", "DISTINCT", "OR", "RETURN", "WHERE", "WITH", "XOR"})


def _blanks(statement: Statement) -> Iterator[Breach]:
    """Blanks that Ladybug's grammar needs, or has no place for."""
    stream = code(statement.text)
    keys = {
        key.at
        for part in parts(statement.clauses)
        if isinstance(part, Projection)
        for key in part.order[1:]
    }
    for n, (one, two) in enumerate(pairwise(stream)):
        touch = one.end == two.start
        name = n > 0 and stream[n - 1].text in {".", ":"}
        closed = one.kind in {"string", "number", "quoted"} or one.text in {")", "]", "}"}
        needs = one.upper in _BLANK_AFTER and two.text != "." and not name
        if touch and (needs or (closed and two.kind == "word")):
            what = translate(
                "no blank between {text} and {text_2}, which Ladybug needs",
                text=one.text,
                text_2=two.text,
            )
            yield Breach(two.start, what, f"{one.text} {two.text}")
        following = stream[n + 2].start if n + 2 < len(stream) else 0
        if two.text == "," and not touch and following in keys:
            what = translate("a blank before a comma of ORDER BY, which Ladybug cannot read")
            yield Breach(two.start, what, f"{one.text},")


def _named_by(part: Part) -> list[str]:
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

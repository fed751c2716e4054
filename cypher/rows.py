"""What is known of the rows at one place of a statement: types, what determines what, their order."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from cypher.syntax import (
    Binary,
    Call,
    Constant,
    Expression,
    IsNull,
    NodePattern,
    Parameter,
    Property,
    Quantifier,
    Subquery,
    Variable,
    parts,
)
from cypher.vocabulary import Type

COMPARISONS = frozenset({"=", "<>", "<", "<=", ">", ">="})


ITEM = "(an item)"
"""What the variable of any(), all(), none() and single() stands for."""


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
    chosen: frozenset[str] = frozenset()
    """Nodes that stood in the rows when a SKIP or LIMIT chose among them."""
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

    def closure(self, attributes: Iterable[str]) -> frozenset[str]:
        """All attributes that these determine."""
        known = set(attributes)
        grown = True
        while grown:
            grown = False
            for needed, attribute in self.determined:
                if attribute not in known and all(
                    is_known(needed_attribute, known) for needed_attribute in needed
                ):
                    known.add(attribute)
                    grown = True
        return frozenset(known)

    def fixed(self, expression: Expression, known: frozenset[str]) -> bool:
        """Whether these attributes determine the value of an expression."""
        made_of = leaves(expression, self)
        return made_of is not None and all(is_known(attribute, known) for attribute in made_of)


def is_known(attribute: str, known: Iterable[str]) -> bool:
    """A column or type is known where what has it is known."""
    if attribute in known:
        return True
    if attribute.startswith("type("):
        return attribute[5:-1] in known
    owner, dot, _ = attribute.partition(".")
    return bool(dot) and owner in known


def operands_of(of: object) -> Iterator[Expression]:
    """The expressions that a field of a part holds."""
    if isinstance(of, Expression):
        yield of
    elif isinstance(of, tuple):
        for each in of:
            yield from operands_of(each)


def _constant(expression: Expression) -> bool:
    return isinstance(expression, Constant | Parameter)


def _proved_not_null(condition: Expression) -> Iterator[Expression]:
    match condition:
        case IsNull(operand=operand, negated=True):
            yield operand
        case Binary(operator=operator, left=left, right=right) if (
            operator in COMPARISONS or operator in {"IN", "CONTAINS", "STARTS WITH", "ENDS WITH"}
        ):
            yield left
            if operator != "IN":
                yield right


def _not_empty(condition: Expression) -> Expression | None:
    """What is not 0, or not the empty text, where the condition holds."""
    if isinstance(condition, Binary) and isinstance(condition.right, Constant):
        number = condition.right.kind in {"integer", "float"}
        nothing = not float(condition.right.text) if number else condition.right.value == ""
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


def leaves(expression: Expression, rows: Rows) -> frozenset[str] | None:
    """The attributes that an expression is made of; None where one is not known."""
    own_attribute = rows.attribute(expression)
    if own_attribute is not None:
        return frozenset({own_attribute})
    if isinstance(expression, Variable):
        return None
    if isinstance(expression, Subquery):
        return frozenset(_outer(expression, rows))
    if isinstance(expression, Quantifier):
        rows = replace(rows, attributes={**rows.attributes, expression.variable: ITEM})
    attributes: set[str] = set()
    for name in expression.__dataclass_fields__:
        for child in operands_of(getattr(expression, name)):
            of_child = leaves(child, rows)
            if of_child is None:
                return None
            attributes |= of_child
    return frozenset(attribute for attribute in attributes if not attribute.startswith(ITEM))


def _outer(subquery: Subquery, rows: Rows) -> Iterator[str]:
    """What a subquery names of the rows around it."""
    for part in parts(subquery.clauses):
        name = part.name if isinstance(part, Variable) else ""
        name = part.variable if isinstance(part, NodePattern) else name
        if name in rows.attributes:
            yield rows.attributes[name]


def only_of(expression: Expression, names: set[str]) -> bool:
    """Whether an expression names nothing else."""
    return all(p.name in names for p in parts(expression) if isinstance(p, Variable))

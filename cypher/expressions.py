"""Which expressions are portable, and of what type they are."""

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from cypher.functions import (
    FUNCTIONS,
    LAST_DIGITS,
    OTHER_FORMS,
    alike_form,
    is_rounded,
)
from cypher.rows import COMPARISONS, ITEM, Rows, conditions
from cypher.syntax import (
    Binary,
    Call,
    Case,
    Constant,
    Expression,
    Foreign,
    IsNull,
    ListOf,
    MapOf,
    Match,
    NodePattern,
    Parameter,
    Part,
    Property,
    Quantifier,
    RelationshipPattern,
    Subquery,
    Unary,
    Variable,
    is_aggregate,
    parts,
)
from cypher.translation import translate
from cypher.vocabulary import (
    ANY,
    BOOLEAN,
    INTEGER,
    STRING,
    Kind,
    Type,
    Vocabulary,
    column_type,
    nearest,
)


class Breach(NamedTuple):
    """What a statement should not say."""

    at: int
    """Offset in the text."""
    what: str
    instead: str
    """The portable form."""
    everywhere: bool = False
    """It is wrong for a statement of one engine too."""


_OUR_WORDS = ("kind", "unlike")
_INT64 = 1 << 63
_GREAT = 2e9
"""Beyond it a float is without bounds, as rounding to places goes."""
_ODD_ESCAPE = re.compile(r"(?<!\\)(?:\\\\)*\\[^\\'\"ntrbf]")
_ARITHMETIC = frozenset({"+", "-", "*", "/", "%", "^"})


_PLAIN_PATTERN = re.compile(r"(?:[ -\[\]-~]|\\\\[.()\[\]{}*+?|^$\\/-])*")
"""ASCII; of what has a backslash (two in the text), only signs that it makes plain."""


_OTHERWISE_READ = r"\(\?|\[\[:|&&|\[\^?\]|[*+?}][+*]|\[[^\]]*\[|(?<![\w\])}.])\{|\{,"
"""Groups with options, classes by name and in classes, possessive quantifiers, bare braces."""


class Expressions(ABC):
    """Types of expressions, with a breach for each that is not portable.

    Subqueries in an expression are clauses, which the derived class reads.
    """

    def __init__(self, vocabulary: Vocabulary, parameters: Mapping[str, Type]) -> None:
        self.vocabulary = vocabulary
        self.parameters = parameters
        self.found: list[Breach] = []
        self.made = 0
        self.optional = False
        """An OPTIONAL MATCH is read: what it asks for need not hold."""
        self.bare: set[str] = set()
        """Nodes of which a MATCH says nothing: no relationship, type or property."""
        self.covered: set[int] = set()
        """Sums in a coalesce(), by the id of their objects."""

    def breach(
        self, at: Part, what: str, instead: str, *, everywhere: bool = False, **values: object
    ) -> None:
        """Note what is wrong, in the language that is spoken.

        Args:
            at: the part of the statement.
            what: in English, with the names of its values in braces.
            instead: the form to write, likewise.
            everywhere: it is wrong for a statement of one engine too.
            values: by name; what is a kind of values, or unlike, is a word of medkg's, so translated.
        """
        spoken = {
            name: translate(str(value)) if name.startswith(_OUR_WORDS) else value
            for name, value in values.items()
        }
        said, form = translate(what, **spoken), translate(instead, **spoken)
        self.found.append(Breach(at.at, said, form, everywhere))

    @abstractmethod
    def match(self, clause: Match, rows: Rows) -> Rows:
        """The rows that a MATCH gives, beside the rows before it."""

    def condition(self, where: Expression | None, rows: Rows) -> None:
        """Look at a WHERE, where null and false come to the same."""
        if where is not None:
            self.want(where, self.type(where, rows, truth=True), "boolean", "WHERE")
            self.no_aggregate(where)

    def correlated(self, where: Expression | None, outer: Rows, inside: Rows) -> None:
        """Look at what the WHERE of an OPTIONAL MATCH or a subquery reads of the rows before it.

        Ladybug joins by these values, and a null equals none: where one is null, nothing is found,
        whatever the condition says of it.

        Args:
            where: the condition.
            outer: the rows before.
            inside: those for which the condition holds.
        """
        columns = [p for p in parts(where) if isinstance(p, Property)]
        subjects = {id(column.subject) for column in columns}
        names = [p for p in parts(where) if isinstance(p, Variable) and id(p) not in subjects]
        for each in (*columns, *names):
            owner = each.subject if isinstance(each, Property) else each
            if not isinstance(owner, Variable) or owner.name not in outer.names:
                continue
            text = f"{owner.name}.{each.name}" if isinstance(each, Property) else owner.name
            if self.type(each, inside).nullable:
                what = "{name} of the rows before may be null, where Ladybug finds nothing"
                form = "{name} IS NOT NULL beside it, or what is asked of it as a column of a WITH before"
                self.breach(each, what, form, name=text)
        for part in parts(where):
            tested = part.operand if isinstance(part, IsNull) else None
            if isinstance(tested, Variable) and tested.name in outer.names:
                what = "a test of {name} of the rows before for null"
                self.breach(part, what, "it in a WHERE before", name=tested.name)

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
                self._literal(e)
                return replace(
                    column_type(kind),
                    wide=kind == "float" and abs(float(e.text)) > _GREAT,
                    signed_zero=kind == "float" and e.text.startswith("-") and not float(e.text),
                    filled=kind == "string" and bool(e.value),
                    ascii=kind == "string" and e.value.isascii(),
                    whole=number and float(e.text).is_integer(),
                    positive=number and float(e.text) > 0,
                )
            case Parameter(name=name):
                type_ = self.parameters.get(name, ANY)
                zero = type_.kind == "float"
                of = replace(type_.of, computed=True, given=True) if type_.of else None
                return replace(type_, computed=True, given=True, signed_zero=zero, of=of)
            case Variable(name=name):
                return self._variable(e, name, rows)
            case Property():
                return self._property(e, rows)
            case ListOf(items=items):
                return self._list_of(e, items, rows)
            case MapOf(entries=entries):
                if len({name.lower() for name, _ in entries}) < len(entries):
                    what = "keys of a map that differ in case alone are one on Ladybug"
                    self.breach(e, what, "keys that differ")
                fields = tuple((name, self.type(value, rows)) for name, value in entries)
                unlike = next((type_.unlike for _, type_ in fields if type_.unlike), "")
                if not fields:
                    self.breach(e, "an empty map", "its values as columns")
                return Type("map", fields=fields, unlike=unlike)
            case Unary():
                return self._unary(e, rows)
            case Binary(operator="AND" | "OR" | "XOR"):
                return self._connective(e, rows, truth=truth)
            case Binary():
                return self._binary(e, rows, truth=truth)
            case IsNull(operand=operand):
                self._atomic(operand)
                self.type(operand, rows)
                return BOOLEAN
            case Case():
                return self._case(e, rows)
            case Quantifier():
                return self._quantifier(e, rows, truth=truth)
            case Subquery():
                return self._subquery(e, rows, truth=truth)
            case Call():
                return self._call(e, rows)
            case Foreign(what=what, instead=instead, operands=operands):
                self.breach(e, what, instead)
                for each in operands:
                    self.type(each, rows)
                return ANY
        return ANY

    def _literal(self, e: Constant) -> None:
        if e.kind == "integer" and not -_INT64 <= int(e.text) < _INT64:
            self.breach(e, "{text} has more than 64 bits", "a float", text=e.text)
        if e.kind == "float" and (abs(float(e.text)) == math.inf or "+" in e.text):
            self.breach(e, "{text} as a number", "digits, a point and e5 or e-5", text=e.text)
        if e.kind == "string" and _ODD_ESCAPE.search(e.text):
            what = "a backslash before what is no quote, backslash, n, t, r, b or f"
            self.breach(e, what, "the character itself")

    def _variable(self, e: Expression, name: str, rows: Rows) -> Type:
        if name not in rows.names:
            what = translate("{name} is not known here", name=name)
            self.breach(e, what, translate("a variable of a clause before"), everywhere=True)
            return ANY
        return rows.names[name]

    def _property(self, e: Property, rows: Rows) -> Type:
        owner = self.type(e.subject, rows)
        if owner.kind == "any":
            return ANY
        if owner.kind == "map":
            fields = dict(owner.fields)
            if e.name in fields:
                return fields[e.name].null(owner.nullable or fields[e.name].nullable)
            self.breach(e, "{name} is no key of this map", "one of it, in exact case", name=e.name)
            return ANY
        if owner.kind == "node":
            columns = self.vocabulary.node_columns(next(iter(owner.labels), ""))
        elif owner.kind == "relationship":
            columns = self.vocabulary.relation_columns(owner.labels)
        else:
            self.breach(e, "a column of what is a {kind}", "the value itself", kind=owner.kind)
            return ANY
        if e.name not in columns:
            known = nearest(e.name, columns)
            known = known or translate("one of {names}", names=", ".join(sorted(columns)))
            what = translate("{name} is no column", name=e.name)
            self.breach(e, what, known, everywhere=True)
            return ANY
        type_ = columns[e.name]
        if type_.of:
            of = replace(type_.of, ascii=type_.ascii, computed=not type_.ascii)
            type_ = replace(type_, of=of)
        return type_.null() if owner.nullable else type_

    def _list_of(self, e: Expression, items: tuple[Expression, ...], rows: Rows) -> Type:
        if not items:
            self.breach(e, "an empty list", "size(x) = 0, or a list parameter")
            return Type("list", of=ANY)
        of = self.same([(item, self.type(item, rows)) for item in items], "a list")
        if of.nullable and of.kind != "any":
            what = "a list with null differs between the engines"
            self.breach(e, what, "a list without null, coalesce(x, '')")
        if of.unlike:
            self.breach(e, "a list of a value, and {unlike}", alike_form(of), unlike=of.unlike)
        return Type("list", of=of.null(nullable=False))

    def same(self, values: list[tuple[Expression, Type]], of: str) -> Type:
        """The one type of values that stand for each other."""
        typed = [type_ for _, type_ in values if type_.kind != "any"]
        if not typed:
            return ANY
        first = typed[0]
        for expression, type_ in values:
            if type_.kind not in {first.kind, "any"}:
                both = {first.kind, type_.kind} == {"integer", "float"}
                form = "floats alone, 1.0 for 1" if both else "values of one type"
                self.breach(
                    expression,
                    "{of} with {kind} and {kind_2}",
                    form,
                    of=of,
                    kind=first.kind,
                    kind_2=type_.kind,
                )
            elif "any" not in _word(first) + _word(type_) and _word(type_) != _word(first):
                what = "{of} with {first} and {other}"
                self.breach(
                    expression,
                    what,
                    "values of one type",
                    of=of,
                    first=_word(first),
                    other=_word(type_),
                )
            elif type_.kind in {"node", "relationship", "path"}:
                form = "their ids, and a MATCH by them"
                self.breach(expression, "{of} of a {kind}", form, of=of, kind=type_.kind)
            elif first.kind == "map" and _keys(type_) != _keys(first):
                what = "maps in a list are read by place on Ladybug"
                self.breach(expression, what, "the same keys in the same order, of the same types")
        return replace(
            first,
            nullable=any(t.nullable for t in typed),
            unlike=next((t.unlike for t in typed if t.unlike), ""),
            wide=any(t.wide for t in typed),
            filled=all(t.filled for t in typed),
            given=any(t.given for t in typed),
            signed_zero=any(t.signed_zero for t in typed),
            ascii=all(t.ascii for t in typed),
            computed=any(t.computed and not t.ascii for t in typed),
            whole=all(t.whole for t in typed),
            positive=all(t.positive for t in typed),
            of=_merged(t.of for t in typed),
            fields=tuple(
                (name, _merged(dict(t.fields).get(name) for t in typed) or ANY)
                for name, _ in first.fields
            ),
        )

    def _unary(self, e: Unary, rows: Rows) -> Type:
        # a pattern is true or false, and never null
        pattern = e.operator == "NOT" and isinstance(e.operand, Subquery)
        operand = self.type(e.operand, rows, truth=pattern)
        if e.operator == "NOT":
            self.want(e.operand, operand, "boolean", "NOT")
            return BOOLEAN.null(operand.nullable)
        if e.operator == "+" or isinstance(e.operand, Unary | Constant):
            self.breach(e, "{operator} before a value", "the value itself", operator=e.operator)
        if operand.given:
            self.breach(e, "arithmetic on a parameter", "a parameter computed in Python")
        if not operand.number:
            self.breach(
                e, "{operator} of a {kind}", "a number", operator=e.operator, kind=operand.kind
            )
        elif not isinstance(e.operand, Constant) and operand.kind == "float":
            self.breach(e, "-0.0 is ordered differently on Ladybug", "0.0 - x")
        return operand

    def no_aggregate(self, of: Expression) -> None:
        """See that nothing is gathered where rows are not grouped."""
        for part in parts(of):
            if is_aggregate(part):
                self.breach(
                    part, "{name}() outside WITH and RETURN", "it in a WITH before", name=part.name
                )

    def want(self, at: Expression, type_: Type, kind: Kind, of: str) -> None:
        """See that a value is of the kind that an operator or function takes."""
        if type_.kind not in {kind, "any"}:
            self.breach(at, "{of} of a {kind}", "a {kind_2}", of=of, kind=type_.kind, kind_2=kind)

    def _connective(self, e: Binary, rows: Rows, *, truth: bool) -> Type:
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

    def _binary(self, e: Binary, rows: Rows, *, truth: bool) -> Type:
        left, right = self.type(e.left, rows), self.type(e.right, rows)
        if e.operator in _ARITHMETIC:
            return self._arithmetic(e, left, right, rows)
        for side, type_ in ((e.left, left), (e.right, right)):
            self._atomic(side, arithmetic=e.operator in COMPARISONS)
            if type_.unlike and not (e.operator == "IN" and side is e.right):
                self.breach(
                    side,
                    "{operator} of a value, and {unlike}",
                    alike_form(type_),
                    operator=e.operator,
                    unlike=type_.unlike,
                )
        nullable = left.nullable or right.nullable
        if e.operator in COMPARISONS:
            self._comparison(e, left, right)
        elif e.operator == "IN":
            self._membership(e, left, right, truth=truth)
        else:
            self.want(e.left, left, "string", e.operator)
            self.want(e.right, right, "string", e.operator)
            if e.operator == "=~":
                self._regular_expression(e)
            elif e.operator == "CONTAINS":
                self._search(e, rows)
        return BOOLEAN.null(nullable)

    def _atomic(self, side: Expression, *, arithmetic: bool = False) -> None:
        """The engines put the parentheses of ``a + b IN c`` in other places."""
        sums = arithmetic and isinstance(side, Binary) and side.operator in _ARITHMETIC
        if isinstance(side, Binary | IsNull) and not side.bracketed and not sums:
            self.breach(side, "an operand that the engines bracket differently", "(…) around it")

    def _comparison(self, e: Binary, left: Type, right: Type) -> None:
        type_kinds = {left.kind, right.kind} - {"any"}
        if type_kinds <= {"integer", "float"} or len(type_kinds) < 2:  # noqa: PLR2004 - one kind
            kind = next(iter(type_kinds), "any")
            if len(type_kinds) > 1 and any(t.kind == "integer" and t.given for t in (left, right)):
                what = "an integer parameter against a float"
                self.breach(e, what, "a parameter of type float")
            elif len(type_kinds) > 1 and not (_is_exact(e.left) or _is_exact(e.right)):
                what = "an integer against a float, which beyond 2^53 are equal on Ladybug alone"
                self.breach(e, what, "toFloat(x) of the integer")
            if e.operator not in {"=", "<>"} and (left.signed_zero or right.signed_zero):
                ends_zero = [t for t in (left, right) if t.signed_zero and not t.given]
                if ends_zero:
                    self.breach(e, "-0.0 is ordered differently", "(x) + 0.0")
            ends = type_kinds & {"node", "relationship"}
            if (ends and e.operator not in {"=", "<>"}) or type_kinds & {"list", "map", "path"}:
                self.breach(
                    e,
                    "{operator} of a {kind}",
                    "a comparison of columns",
                    operator=e.operator,
                    kind=kind,
                )
            odd = [
                s for s in (e.left, e.right) if isinstance(s, Constant) and not s.value.isascii()
            ]
            computed = left.computed + right.computed + len(odd)
            if computed > 1 and e.operator not in {"=", "<>"} and left.computed + right.computed:
                what = "texts that are no columns, which Neo4j orders by UTF-16"
                self.breach(e, what, "a comparison with a column of a node or relationship")
            if kind == "boolean" and e.operator not in {"=", "<>"}:
                self.breach(e, "{operator} of truth values", "= or <>", operator=e.operator)
        else:
            one, other = sorted(type_kinds)
            self.breach(
                e, "{one} is compared with {other}", "values of one type", one=one, other=other
            )

    def _membership(self, e: Binary, left: Type, list_: Type, *, truth: bool) -> None:
        self.want(e.right, list_, "list", "IN")
        of = list_.of or ANY
        if left.kind not in {of.kind, "any"} and of.kind != "any":
            self.breach(
                e,
                "a {kind} IN a list of {kind_2}",
                "values of one type",
                kind=left.kind,
                kind_2=of.kind,
            )
        may_be_empty = not isinstance(e.right, ListOf)
        if left.nullable and may_be_empty and not truth:
            what = "null IN an empty list is false on Neo4j and null on Ladybug"
            self.breach(e, what, "x IS NOT NULL AND …, or coalesce(x, '') IN …")

    def _search(self, e: Binary, rows: Rows) -> None:
        if not self.type(e.right, rows).filled and e.right not in rows.not_empty:
            what = "a search for the empty text finds nothing on Ladybug"
            self.breach(e, what, "$part <> '' AND x.name CONTAINS $part")

    def _regular_expression(self, e: Binary) -> None:
        pattern = e.right
        if not isinstance(pattern, Constant):
            self.breach(e, "a regular expression that is not written out", "CONTAINS")
            return
        written = pattern.text[1:-1]
        odd = not _PLAIN_PATTERN.fullmatch(written) or re.search(_OTHERWISE_READ, written)
        if odd:
            what = "a regular expression beyond RE2 and ASCII"
            self.breach(e, what, "a simple pattern, [0-9] for \\d")
            return
        try:
            re.compile(pattern.value)
        except re.error:
            self.breach(e, "a regular expression that cannot be read", "CONTAINS")

    def _arithmetic(self, e: Binary, left: Type, right: Type, rows: Rows) -> Type:
        type_kinds = {left.kind, right.kind} - {"any"}
        if e.operator == "+" and type_kinds <= {"string"} and type_kinds:
            if left.nullable or right.nullable:
                what = "a text + null differs between the engines"
                self.breach(e, what, "coalesce(x.name, '')")
            plain = left.ascii and right.ascii
            filled = left.filled or right.filled
            return replace(STRING, ascii=plain, filled=filled, computed=not plain)
        if e.operator == "+" and type_kinds == {"list"}:
            for side in (e.left, e.right):
                if isinstance(side, Parameter):
                    what = "+ of the list ${name}, which fails on Ladybug where it is empty"
                    self.breach(side, what, "two lists, put together in Python", name=side.name)
            of = self.same([(e.left, left.of or ANY), (e.right, right.of or ANY)], "a list")
            unlike = left.unlike or right.unlike
            return Type("list", left.nullable or right.nullable, of, unlike=unlike)
        self._operands(e, left, right)
        if e.operator in {"/", "%"}:
            self._divisor(e, left, right, rows)
        integer = type_kinds == {"integer"} and e.operator != "^"
        unlike = left.unlike or right.unlike or (LAST_DIGITS if e.operator == "^" else "")
        if e.operator == "/" and is_rounded(e.left):
            unlike = right.unlike
        if left.wide and right.wide and not integer:
            unlike = "it may be no number"
        return Type(
            "integer" if integer else "float",
            left.nullable or right.nullable,
            unlike=unlike,
            whole=left.whole and right.whole and e.operator in {"+", "-", "*"},
            positive=left.positive and right.positive and e.operator in {"+", "*"},
            signed_zero=not integer and _may_be_minus_zero(e.operator, left, right),
            wide=left.wide or right.wide,
        )

    def _operands(self, e: Binary, left: Type, right: Type) -> None:
        for side, type_ in ((e.left, left), (e.right, right)):
            if not type_.number:
                self.breach(
                    side,
                    "{operator} of a {kind}",
                    "a number",
                    operator=e.operator,
                    kind=type_.kind,
                )
            if isinstance(side, Parameter):
                what = "arithmetic on ${name}"
                self.breach(side, what, "a parameter computed in Python", name=side.name)
            elif type_.given:
                what = "arithmetic on what was a parameter"
                self.breach(side, what, "a parameter computed in Python")
            power = isinstance(side, Binary) and side.operator == "^" and not side.bracketed
            if e.operator == "^" and power:
                self.breach(e, "a ^ b ^ c", "(a ^ b) ^ c")

    def _divisor(self, e: Binary, left: Type, right: Type, rows: Rows) -> None:
        if {left.kind, right.kind} == {"integer"}:
            if not isinstance(e.right, Constant) or int(e.right.text) in {0, -1}:
                what = "{operator} of integers by what is no constant"
                self.breach(e, what, "toFloat(x) / y where y > 0.0", operator=e.operator)
            return
        if not self._is_not_zero(e.right, rows):
            what = "{operator} by what may be 0"
            self.breach(e, what, "CASE WHEN y > 0.0 THEN x / y END", operator=e.operator)

    def _is_not_zero(self, e: Expression, rows: Rows) -> bool:
        if isinstance(e, Binary) and e.operator == "*":
            return self._is_not_zero(e.left, rows) and self._is_not_zero(e.right, rows)
        number = isinstance(e, Constant) and e.kind in {"integer", "float"} and float(e.text)
        return bool(number) or e in rows.not_empty or self.type(e, rows).positive

    def _case(self, e: Case, rows: Rows) -> Type:
        if e.subject is not None:
            self.type(e.subject, rows)
        values: list[tuple[Expression, Type]] = []
        otherwise = rows
        for when, then in e.branches:
            if e.subject is None:
                self.want(when, self.type(when, otherwise, truth=True), "boolean", "WHEN")
                values.append((then, self.type(then, otherwise.knowing(conditions(when)))))
                otherwise = _otherwise(when, otherwise)
            else:
                equal = Binary(at=when.at, operator="=", left=e.subject, right=when)
                self.type(equal, rows, truth=True)
                values.append((then, self.type(then, rows)))
        if e.otherwise is not None:
            values.append((e.otherwise, self.type(e.otherwise, otherwise)))
        type_ = self.same(values, "CASE")
        return type_ if e.otherwise is not None else type_.null()

    def _quantifier(self, e: Quantifier, rows: Rows, *, truth: bool) -> Type:
        list_ = self.type(e.source, rows)
        self.want(e.source, list_, "list", e.name)
        if isinstance(e.source, Parameter):
            what = "{name}() over ${name_2}, which fails on Ladybug where it is empty"
            self.breach(e, what, "x IN $list, or UNWIND $list", name=e.name, name_2=e.source.name)
        elif list_.given:
            what = "{name}() over what was a parameter, which fails on Ladybug where it is empty"
            self.breach(e, what, "x IN $list, or UNWIND $list", name=e.name)
        if e.variable in rows.names:
            self.breach(
                e, "{variable} is a variable of the rows too", "another name", variable=e.variable
            )
        names = {**rows.names, e.variable: list_.of or ANY}
        inner = replace(rows, names=names, attributes={**rows.attributes, e.variable: ITEM})
        condition = self.type(e.condition, inner, truth=truth and e.name == "any")
        self.want(e.condition, condition, "boolean", e.name)
        if list_.nullable or condition.nullable:
            what = "{name}() of what may be null"
            self.breach(
                e, what, "coalesce(x, '') in its condition, IS NOT NULL before it", name=e.name
            )
        for part in parts(e.condition):
            if isinstance(part, Subquery):
                self.breach(
                    part,
                    "{keyword} {{ }} inside {name}()",
                    "it in a WITH before",
                    keyword=part.keyword,
                    name=e.name,
                )
            if isinstance(part, Parameter):
                what = "${name} inside {name_2}()"
                self.breach(
                    part,
                    what,
                    "WITH ${name} AS wanted, then wanted",
                    name=part.name,
                    name_2=e.name,
                )
            outer = Variable(at=e.at, name=e.variable)
            if isinstance(part, Quantifier) and outer in parts(part.condition):
                what = "{variable} of an outer {name}() inside {name_2}()"
                self.breach(
                    part,
                    what,
                    "UNWIND … AS {variable} instead of the outer one",
                    variable=e.variable,
                    name=e.name,
                    name_2=part.name,
                )
        return BOOLEAN.null(list_.nullable or condition.nullable)

    def _subquery(self, e: Subquery, rows: Rows, *, truth: bool) -> Type:
        match e.clauses:
            case (Match(optional=False) as match,):
                pass
            case _:
                what = "{keyword} {{ }} of more than one MATCH"
                self.breach(e, what, "{{ MATCH (a)-[:X]->() WHERE … }}", keyword=e.keyword)
                return ANY
        pattern = match.at == e.at
        if pattern and not truth:
            self.breach(e, "a pattern as a value", "EXISTS { MATCH (a)-[:X]->() }")
        if any(not r.types for path in match.paths for r in path.relationships):
            what = "{keyword} {{ }} over untyped relationships"
            self.breach(e, what, "[:HAS_SYMPTOM]", keyword=e.keyword)
        own = {
            p.variable
            for p in parts(match.paths)
            if isinstance(p, NodePattern | RelationshipPattern)
        }
        for part in parts(match.where):
            if isinstance(part, Variable) and part.name in rows.names.keys() - own:
                what = "{name} of the rows inside {keyword} {{ }}, but not in its pattern"
                self.breach(
                    part,
                    what,
                    "a MATCH of its own, or OPTIONAL MATCH and count(DISTINCT x)",
                    name=part.name,
                    keyword=e.keyword,
                )
        inner = self.match(match, replace(rows, repeated=False, order=None))
        self.correlated(match.where, rows, inner)
        if e.keyword == "COUNT" and own & self.bare & rows.names.keys():
            what = "COUNT { } of a node that is matched by no type, of which Ladybug may lose those with none"
            self.breach(e, what, "(n:Disease) or another type, or EXISTS { MATCH … }")
        if e.keyword == "COUNT" and inner.repeated:
            what = "paths of variable length are counted differently on Ladybug"
            self.breach(e, what, "EXISTS, or count(DISTINCT x) in a WITH")
        if e.keyword == "COLLECT":
            self.breach(e, "COLLECT { } is not portable", "collect() in a WITH")
        return BOOLEAN if e.keyword == "EXISTS" else INTEGER

    def _call(self, e: Call, rows: Rows) -> Type:
        function = FUNCTIONS.get(e.name)
        if function is None:
            form = OTHER_FORMS.get(e.name, "what docs/queries.md lists")
            what = "{name}() is not known to be portable"
            if e.name in OTHER_FORMS:
                what = "{name}() differs between the engines"
            self.breach(e, what, form, name=e.name)
            for each in e.arguments:
                self.type(each, rows)
            return ANY
        if e.name == "coalesce" and e.arguments:
            self.covered.add(id(e.arguments[0]))
        types = [self.type(each, rows) for each in e.arguments]
        least, most = function.arguments
        if not least <= len(types) <= most:
            self.breach(
                e,
                "{name}() of {count} values",
                "{least} of them",
                name=e.name,
                count=len(types),
                least=least,
            )
            return ANY
        if e.distinct and e.name not in {"count", "collect"}:
            self.breach(e, "{name}(DISTINCT …)", "WITH DISTINCT before it", name=e.name)
        return function.type(self, e, types, rows)


def _is_exact(e: Expression) -> bool:
    """Whether it is a number that is written out and that a float can be, as few integers are not."""
    return (
        isinstance(e, Constant) and e.kind in {"integer", "float"} and abs(float(e.text)) < 2**53
    )


def _word(type_: Type) -> str:
    """A type with what its lists have."""
    return f"list of {_word(type_.of)}" if type_.kind == "list" and type_.of else type_.kind


def _may_be_minus_zero(operator: str, left: Type, right: Type) -> bool:
    match operator:
        case "+":
            return left.signed_zero and right.signed_zero
        case "-":
            return left.signed_zero
        case "*" | "/":
            by_right = right.positive and not left.signed_zero
            of_right = right.wide if operator == "/" else right.signed_zero
            by_left = left.positive and not of_right
            return not (by_right or by_left)
    return operator == "%"


def _keys(map_: Type) -> list[tuple[str, str]]:
    """Keys of a map in their order, with the kind of each."""
    return [(name, type_.kind) for name, type_ in map_.fields]


def _merged(types: Iterable[Type | None]) -> Type | None:
    """One type for what several of one kind have."""
    known = [type_ for type_ in types if type_ is not None]
    if not known:
        return None
    return replace(
        known[0],
        nullable=any(type_.nullable for type_ in known),
        unlike=next((type_.unlike for type_ in known if type_.unlike), ""),
        filled=all(type_.filled for type_ in known),
        given=any(type_.given for type_ in known),
        signed_zero=any(type_.signed_zero for type_ in known),
        ascii=all(type_.ascii for type_ in known),
        computed=any(type_.computed and not type_.ascii for type_ in known),
    )


def _otherwise(when: Expression, rows: Rows) -> Rows:
    """What is known where ``x IS NULL`` or ``x = 0.0`` does not hold; x may be null in the second."""
    match when:
        case Binary(operator="OR", left=left, right=right):
            return _otherwise(right, _otherwise(left, rows))
        case IsNull(negated=False):
            return rows.knowing([replace(when, negated=True)])
        case Binary(operator="=", left=left, right=Constant(kind="integer" | "float") as zero):
            more = set() if float(zero.text) else {left}
            return replace(rows, not_empty=rows.not_empty | more)
    return rows


def _certain(all_hold: list[Expression]) -> list[Expression]:
    """Of conditions those that are false, and never null, where they do not hold."""
    return [condition for condition in all_hold if isinstance(condition, IsNull)]

"""Functions of the portable subset, and what to write instead of those that are not in it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cypher.rows import Rows
from cypher.syntax import Binary, Call, Constant, Expression
from cypher.vocabulary import INTEGER, STRING, Type

if TYPE_CHECKING:
    from cypher.expressions import Expressions

ROUNDED = "floor(x * 10000.0 + 0.5) / 10000.0"
"""Four places; multiplying, adding, cutting and dividing give the same bits everywhere."""


OTHER_FORMS = {
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


LAST_DIGITS = "its last digits may differ"


_ANY_ORDER = "its items are in any order"


@dataclass(frozen=True)
class Function:
    """A function of the subset."""

    arguments: tuple[int, int]
    """At least, at most."""
    type: Callable[["Expressions", Call, list[Type], Rows], Type]
    about: str
    """For the documentation."""


def _count(reader: "Expressions", e: Call, types: list[Type], rows: Rows) -> Type:
    del rows
    if types and types[0].unlike and e.distinct:
        reader.breach(
            e,
            "count(DISTINCT …) of a value, and {unlike}",
            alike_form(types[0]),
            unlike=types[0].unlike,
        )
    return INTEGER


def _sum(reader: "Expressions", e: Call, types: list[Type], rows: Rows) -> Type:
    del rows
    (type_,) = types
    if not type_.number:
        reader.breach(e, "{name}() of a {kind}", "a number", name=e.name, kind=type_.kind)
    if type_.given:
        reader.breach(e, "{name}() of parameters", "a sum made in Python", name=e.name)
    if type_.wide:
        what = "{name}() of numbers without bounds, in which small ones may be lost"
        reader.breach(e, what, "the rows, reckoned in Python", name=e.name)
    if e.name == "sum" and id(e) not in reader.covered:
        what = "sum() of nothing is null on Ladybug"
        reader.breach(
            e, what, "coalesce(sum(x), {value})", value="0.0" if type_.kind == "float" else "0"
        )
    if e.name == "avg":
        return Type("float", nullable=True, unlike=LAST_DIGITS)
    unlike = LAST_DIGITS if type_.kind == "float" and not type_.whole else ""
    return Type(type_.kind, nullable=True, unlike=unlike or type_.unlike, whole=type_.whole)


def _extreme(reader: "Expressions", e: Call, types: list[Type], rows: Rows) -> Type:
    del rows
    (type_,) = types
    if type_.kind == "boolean" or not type_.scalar:
        reader.breach(
            e, "{name}() of a {kind}", "a number or a text", name=e.name, kind=type_.kind
        )
    if type_.computed and type_.kind == "string":
        what = "{name}() of texts that are no columns, which Neo4j orders by UTF-16"
        reader.breach(e, what, "it of a column, or the rows in Python", name=e.name)
    if type_.signed_zero or type_.unlike == "it may be no number":
        reader.breach(e, "{name}() of what may be -0.0 or no number", "(x) + 0.0", name=e.name)
    of = e.arguments[0]
    if e.name == "min" and isinstance(of, Call) and of.name == "length":
        return INTEGER.null()
    return type_.null()


def _collect(reader: "Expressions", e: Call, types: list[Type], rows: Rows) -> Type:
    (type_,) = types
    if type_.kind in {"node", "relationship", "path", "list"}:
        reader.breach(e, "collect() of a {kind}", "its columns", kind=type_.kind)
    in_order = rows.order is not None and rows.fixed(e.arguments[0], rows.order)
    unlike = "" if in_order and not e.distinct else _ANY_ORDER
    return Type("list", of=type_.null(nullable=False), unlike=unlike)


def _coalesce(reader: "Expressions", e: Call, types: list[Type], rows: Rows) -> Type:
    del rows
    type_ = reader.same(list(zip(e.arguments, types, strict=True)), "coalesce()")
    return type_.null(all(each.nullable for each in types))


def _size(reader: "Expressions", e: Call, types: list[Type], rows: Rows) -> Type:
    del rows
    (type_,) = types
    if type_.kind == "string":
        what = "size() of a text counts differently beyond the basic plane"
        reader.breach(e, what, "the text itself, measured in Python")
    else:
        reader.want(e, type_, "list", "size()")
    return INTEGER.null(type_.nullable)


def _length(reader: "Expressions", e: Call, types: list[Type], rows: Rows) -> Type:
    del rows
    reader.want(e, types[0], "path", "length()")
    return Type("integer", unlike="a longer way may be counted twice")


def _type(reader: "Expressions", e: Call, types: list[Type], rows: Rows) -> Type:
    del rows
    (type_,) = types
    reader.want(e, type_, "relationship", "type()")
    if type_.nullable and type_.kind != "any":
        what = "type() of a missing relationship is the type's name on Ladybug"
        reader.breach(e, what, "CASE WHEN r IS NOT NULL THEN type(r) END")
    return replace(STRING, nullable=type_.nullable, ascii=True)


def _number(reader: "Expressions", e: Call, types: list[Type], rows: Rows) -> Type:  # noqa: PLR0911 - a line for each function
    del rows
    (type_,) = types
    if not type_.number:
        reader.breach(e, "{name}() of a {kind}", "a number", name=e.name, kind=type_.kind)
    if type_.given:
        reader.breach(e, "{name}() of a parameter", "a parameter computed in Python", name=e.name)
    if e.name in {"floor", "ceil"} and type_.kind == "integer":
        reader.breach(
            e, "{name}() of an integer is one on Ladybug", "the integer itself", name=e.name
        )
    if e.name == "sign":
        return replace(INTEGER, nullable=type_.nullable, unlike=type_.unlike)
    if e.name == "sqrt":
        return Type("float", type_.nullable, unlike=type_.unlike, wide=type_.wide)
    if e.name == "tofloat":
        whole = type_.kind == "integer" or type_.whole
        return Type("float", type_.nullable, unlike=type_.unlike, wide=type_.wide, whole=whole)
    if is_rounded(e):
        return Type("float", type_.nullable, wide=type_.wide, whole=True)
    if e.name in {"floor", "ceil"}:
        zero = type_.signed_zero or e.name == "ceil"
        return replace(type_, whole=True, positive=False, signed_zero=zero)
    if e.name == "log10":
        return Type("float", type_.nullable, unlike=LAST_DIGITS)
    return type_


FUNCTIONS: dict[str, Function] = {
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


def alike_form(type_: Type) -> str:
    """The form in which a value is the same on both engines."""
    return ROUNDED if type_.unlike == LAST_DIGITS else "UNWIND it, or collect in order"


MOST_PLACES = 1073741824.0
"""2 to the power of 30: finer rounding would keep the digits that differ."""


def is_rounded(e: Expression) -> bool:
    """``floor(x * c + 0.5)``."""
    match e:
        case Call(
            name="floor",
            arguments=(
                Binary(
                    operator="+",
                    left=Binary(operator="*", right=Constant(kind="float") as places),
                    right=Constant(text="0.5"),
                ),
            ),
        ):
            return 1 <= float(places.text) <= MOST_PLACES
    return False

"""A statement that somebody types: it has no header, and its values say the parameters' types."""

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from cypher.catalogue import Query
from cypher.errors import QueryError
from cypher.header import Parameter
from cypher.read_only import check_read_only
from cypher.tokens import code
from cypher.translation import translate
from cypher.values import Value

NAME: Final = "the statement"
_NOT_PARAMETERS: Final = ("timeout", "as_is")
"""What ``Store.cypher`` takes beside the parameters of a statement."""


def free_query(text: str, parameters: Mapping[str, object]) -> Query:
    """A statement as a query for both engines.

    Args:
        text: one statement, with or without ``;`` at its end.
        parameters: values of its parameters, by name.

    Raises:
        QueryError: there is no statement or more than one, it does more than read the graph, or
            its parameters are not those that are given.
    """
    stream = code(text)
    while stream and stream[-1].text == ";":
        stream.pop()
    if not stream:
        raise QueryError(
            translate("there is no statement; write e.g. MATCH (d:Disease) RETURN count(*) AS n")
        )
    text = text[: stream[-1].end]
    if second := next((token for token in stream if token.text == ";"), None):
        line = text.count("\n", 0, second.start) + 1
        raise QueryError(
            translate(
                "line {line}: another statement begins after ';'; give one at a time", line=line
            )
        )
    check_read_only(text)
    used = dict.fromkeys(token.name for token in stream if token.kind == "parameter")
    for name in used:
        if name in _NOT_PARAMETERS:
            raise QueryError(
                translate(
                    "a parameter of a statement cannot be called {name}; rename it", name=name
                )
            )
        if name not in parameters:
            raise QueryError(
                translate(
                    "the statement needs the parameter {name}; give a value for it", name=name
                )
            )
    return Query(
        name=NAME,
        title="",
        parameters=tuple(Parameter(name, _type(name, parameters[name]), "") for name in used),
        columns=(),
        order=(),
        engines=frozenset({"embedded", "neo4j"}),
        text=text,
        path=Path("statement"),
        free=True,
    )


_TYPES: Final = {bool: "boolean", int: "integer", float: "float", str: "string"}


def _type(name: str, value: object) -> str:
    """The type of a header that fits a value.

    Raises:
        QueryError: none does.
    """
    if type(value) in _TYPES:
        return _TYPES[type(value)]
    if isinstance(value, list | tuple):
        inner = {type(item) for item in value}
        for type_ in (str, int, float):
            if inner <= {type_}:
                return f"list of {_TYPES[type_]}"
        if inner == {int, float}:
            return "list of float"
    raise QueryError(
        translate(
            "parameter {name}: {value!r} is no value of a query; give a text, a number, "
            "true, false, or a list of texts or numbers",
            name=name,
            value=value,
        )
    )


def free_value(text: str) -> Value:
    """What a parameter's text on a command line stands for.

    ``12`` and ``0.5`` are numbers, ``true`` and ``false`` truth values, ``["a", "b"]`` is a list,
    and ``"12"`` in quotes is a text, all as in JSON; anything else is the text itself.
    """
    try:
        value: Any = json.loads(text)
    except ValueError:
        return text
    number = isinstance(value, int | float) and math.isfinite(value)  # bool is an int
    return value if number or isinstance(value, str | list) else text

"""Values that queries take, and how they are written on a command line."""

import json
import sys
from collections.abc import Callable
from typing import Final

from cypher.errors import QueryError
from cypher.translation import translate

Value = str | int | float | bool | list[str] | list[int] | list[float]

_INT64 = 1 << 63


def _string(value: object) -> str | None:
    return value if isinstance(value, str) and _is_unicode(value) else None


def _integer(value: object) -> int | None:
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if -_INT64 <= value < _INT64 else None


def _float(value: object) -> float | None:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    return float(value) if abs(value) <= sys.float_info.max else None  # nan fails too


def _boolean(value: object) -> bool | None:
    return value if isinstance(value, bool) else None


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:  # a lone surrogate, e.g. from undecodable arguments
        return False
    return True


_SCALARS: Final[dict[str, Callable[[object], str | int | float | bool | None]]] = {
    "string": _string,
    "integer": _integer,
    "float": _float,
    "boolean": _boolean,
}
_LISTS: Final = {f"list of {name}": name for name in ("string", "integer", "float")}
TYPES: Final = (*_SCALARS, *_LISTS)
"""Types that a header may give to a parameter or a column."""


def check(name: str, type_: str, value: object) -> Value:
    """The value, as the type has it: integers become floats, tuples lists.

    Raises:
        QueryError: it does not fit the type of the parameter ``name``.
    """
    if type_ in _LISTS and isinstance(value, list | tuple):
        inner = _LISTS[type_]
        return [_fitting(f"{name}, item {n}", inner, item) for n, item in enumerate(value, 1)]  # type: ignore[return-value]  # one inner type
    return _fitting(name, type_, value)


def _fitting(name: str, type_: str, value: object) -> str | int | float | bool:
    fitting = _SCALARS[type_](value) if type_ in _SCALARS else None
    if fitting is None:
        raise QueryError(
            translate(
                "parameter {name}: {value} is no {type}; {hint}",
                name=name,
                value=_shown(value),
                type=translate(type_),
                hint=translate(_HINTS[type_]),
            )
        )
    return fitting


def _shown(value: object) -> str:
    text = ascii(value)
    return text if len(text) <= 60 else f"{text[:57]}..."  # noqa: PLR2004 - one line


_HINTS: Final = {
    "string": "give a text",
    "integer": "give a whole number of 64 bits, e.g. 25",
    "float": "give a number, e.g. 0.5",
    "boolean": "give true or false",
    "list of string": "give texts, e.g. HP:0001945,HP:0012735 or a JSON list",
    "list of integer": "give whole numbers, e.g. 1,2,3",
    "list of float": "give numbers, e.g. 0.1,0.5",
}


def parse(name: str, type_: str, text: str) -> Value:
    """The value that ``text`` stands for.

    A list is written with commas, or as a JSON list where an item has one.

    Raises:
        QueryError: it does not fit the type of the parameter ``name``.
    """
    if type_ in _LISTS:
        inner = _LISTS[type_]
        return check(name, type_, [_scalar(inner, item) for item in _items(name, type_, text)])
    return check(name, type_, _scalar(type_, text))


def _items(name: str, type_: str, text: str) -> list[object]:
    if not text.lstrip().startswith("["):
        return [item.strip() for item in text.split(",")] if text.strip() else []
    try:
        return list(json.loads(text))
    except ValueError as e:
        raise QueryError(
            translate(
                "parameter {name}: {text} is no JSON list; {hint}",
                name=name,
                text=_shown(text),
                hint=translate(_HINTS[type_]),
            )
        ) from e


def _scalar(type_: str, item: object) -> object:
    """The value of one text; a text that stands for none stays as it is, for the check."""
    if type_ == "string" or not isinstance(item, str):
        return item
    if type_ == "boolean":
        return {"true": True, "false": False}.get(item.lower(), item)
    try:
        return int(item) if type_ == "integer" else float(item)
    except ValueError:
        return item

"""The header of a query file: what it answers, its parameters, its columns, its order.

::

    // Symptoms of a disease.
    // param  disease: string  CURIE, e.g. MONDO:0005148
    // param  limit: integer = 25  Rows at most
    // column symptom_id: string, symptom_name: string
    // order  symptom_id

The title comes first, may take several lines, and ends where the first
``rule``, ``param``, ``column`` or ``order`` line begins. What follows ``e.g.`` in a
parameter's description is its example, written as on the command line.

A file that is a consistency rule says how grave a breach of it is, and returns the edges that
breach it (RULE_COLUMNS)::

    // rule   reject
"""

import re
from dataclasses import dataclass
from typing import Final, Literal

from cypher.errors import QueryError
from cypher.translation import translate
from cypher.values import TYPES, Value, check, parse

_PARAMETER = re.compile(
    r"(?P<name>\w+):\s*(?P<type>list of \w+|\w+)(?:\s*=\s*(?P<default>\S+))?(?:\s+(?P<about>.+))?"
)
_COLUMN = re.compile(r"(?P<name>\w+):\s*(?P<type>list of \w+|\w+)")
_EXAMPLE = re.compile(r"\be\.g\.\s+(?P<example>.+)$")
_TAKEN = "timeout"
"""What ``Store.query`` takes beside the parameters of a query."""
_LIMIT = "limit"
"""The parameter that is the number of rows at most."""
_KEYS = ("rule", "param", "column", "order")

RULE_COLUMNS: Final = ("head", "relation", "tail", "reason", "facts")
"""What a rule returns of each edge that breaches it: why, and the facts that clash with it."""

Severity = Literal["reject", "warn"]
"""What becomes of an edge that breaches a rule: it is taken out of the graph, or flagged."""


@dataclass(frozen=True)
class Parameter:
    """A value that a query asks for."""

    name: str
    type: str
    about: str
    default: Value | None = None
    """Taken when the value is left out; None: it may not be left out."""
    example: Value | None = None

    def described(self) -> str:
        """What it is, in the language that is spoken."""
        what, _, example = self.about.partition(", e.g. ")
        translated = translate(what)
        return (
            translate("{what}, e.g. {example}", what=translated, example=example)
            if example
            else translated
        )

    def check(self, value: object) -> Value:
        """The value in its type; a limit is 0 or more, for the engines read others differently.

        Raises:
            QueryError: it does not fit; the message names the parameter.
        """
        checked = check(self.name, self.type, value)
        if self.name == _LIMIT and isinstance(checked, int) and checked < 0:
            raise QueryError(
                translate(
                    "parameter {name}: {checked} is less than 0; give 0 or more",
                    name=self.name,
                    checked=checked,
                )
            )
        return checked

    def parse(self, text: str) -> Value:
        """The value that a command line's text stands for.

        Raises:
            QueryError: the text does not fit; the message names the parameter.
        """
        return parse(self.name, self.type, text)


@dataclass(frozen=True)
class ResultColumn:
    """A column of the answer; any cell may be null."""

    name: str
    type: str


@dataclass(frozen=True)
class Header:
    """What the comment above a statement says."""

    title: str
    parameters: tuple[Parameter, ...]
    columns: tuple[ResultColumn, ...]
    order: tuple[str, ...]
    """Column names, each perhaps with `` desc``."""
    severity: Severity | None = None
    """Of a rule; None for what is none."""


def read_header(lines: list[str]) -> Header:
    """Parse comment lines (``//`` taken off).

    Raises:
        QueryError: a line does not parse, or a name comes twice.
    """
    title: list[str] = []
    parameters: list[Parameter] = []
    columns: list[ResultColumn] = []
    order: list[str] = []
    severity: Severity | None = None
    for number, line in enumerate(lines, start=1):
        key, _, rest = line.strip().partition(" ")
        if key == "rule":
            severity = _severity(rest.strip(), number)
        elif key == "param":
            parameters.append(_parameter(rest.strip(), number))
        elif key == "column":
            columns += _columns(rest, number)
        elif key == "order":
            order += [" ".join(part.split()) for part in rest.split(",")]
        elif not (severity or parameters or columns or order):
            title.append(line.strip())
        else:
            raise QueryError(
                f"line {number}: {line.strip()!r} is no header line; "
                f"after the title come lines of {', '.join(_KEYS)}"
            )
    if not " ".join(title).strip():
        raise QueryError("line 1: the header has no title; say what the query answers")
    _distinct("parameter", [parameter.name for parameter in parameters])
    _distinct("column", [column.name for column in columns])
    if severity:
        _returns_edges([column.name for column in columns])
    return Header(" ".join(title), tuple(parameters), tuple(columns), tuple(order), severity)


def _severity(text: str, number: int) -> Severity:
    severities: dict[str, Severity] = {"reject": "reject", "warn": "warn"}
    if text in severities:
        return severities[text]
    raise QueryError(f"line {number}: a rule is reject or warn, and not {text!r}")


def _returns_edges(columns: list[str]) -> None:
    if tuple(columns) != RULE_COLUMNS:
        listed = ", ".join(columns) or "none"
        raise QueryError(
            f"line 1: a rule has the columns {', '.join(RULE_COLUMNS)}, in this order; these are {listed}"
        )


def _parameter(text: str, number: int) -> Parameter:
    match = _PARAMETER.fullmatch(text)
    if not match:
        raise QueryError(
            f"line {number}: {text!r} is no parameter; write e.g. "
            "'// param  disease: string  CURIE, e.g. MONDO:0005148'"
        )
    name, type_, default = match["name"], match["type"], match["default"]
    about = match["about"] or ""
    if name == _TAKEN:
        raise QueryError(
            f"line {number}: a parameter cannot be called {name}, for that is the query's own "
            "time limit; choose another name"
        )
    _known(type_, number)
    example = _EXAMPLE.search(about)
    return Parameter(
        name,
        type_,
        about,
        None if default is None else parse(name, type_, default),
        parse(name, type_, example["example"]) if example else None,
    )


def _columns(text: str, number: int) -> list[ResultColumn]:
    columns = []
    for part in text.split(","):
        match = _COLUMN.fullmatch(part.strip())
        if not match:
            raise QueryError(
                f"line {number}: {part.strip()!r} is no column; write 'name: type, name: type'"
            )
        _known(match["type"], number)
        columns.append(ResultColumn(match["name"], match["type"]))
    return columns


def _known(type_: str, number: int) -> None:
    if type_ not in TYPES:
        raise QueryError(f"line {number}: {type_!r} is no type; known are {', '.join(TYPES)}")


def _distinct(what: str, names: list[str]) -> None:
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise QueryError(f"line 1: the {what} {twice[0]} is declared twice")

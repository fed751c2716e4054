"""Scenarios of the openCypher TCK, and the values that they are written with."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal

from gherkin.parser import Parser
from gherkin.pickles.compiler import Compiler

from cypher.parser import parse
from cypher.syntax import Constant, Expression, ListOf, MapOf, Match
from cypher.tokens import code

Cell = object
_WRITES: Final = frozenset({
    "CREATE", "MERGE", "SET", "DELETE", "DETACH", "REMOVE", "FOREACH", "DROP",
})  # fmt: skip


@dataclass(frozen=True)
class Scenario:
    """One scenario; of an outline, one line of its examples."""

    name: str
    graph: str
    """``any graph``, ``an empty graph``, or one that has a name."""
    setup: tuple[str, ...]
    """Statements that make the graph."""
    query: str
    parameters: tuple[tuple[str, str], ...]
    result: Literal["in order", "in any order", "an error", "nothing"]
    lists_in_any_order: bool = False
    rows: tuple[tuple[str, ...], ...] = ()
    """As they are written."""
    procedure: bool = False
    """It calls a procedure that the test would have to make."""

    @property
    def reads(self) -> bool:
        """Whether the query only reads, and calls nothing of the test's own."""
        stream = code(self.query)
        before = ["", *(token.text for token in stream)]
        words = {
            token.upper
            for token, last in zip(stream, before, strict=False)
            if last not in {".", ":"}
        }
        return not words & _WRITES and not self.procedure


def scenarios(folder: Path) -> Iterator[Scenario]:
    """All scenarios of the feature files, in the order of their paths and lines."""
    for file in sorted(folder.rglob("*.feature")):
        feature = Parser().parse(file.read_text(encoding="utf-8"))
        for pickle in Compiler().compile({**feature, "uri": file.name}):
            yield _scenario(f"{file.stem} {pickle['name']}", pickle["steps"])


def _scenario(name: str, steps: Sequence[Mapping[str, object]]) -> Scenario:
    made = Scenario(name, "", (), "", (), "nothing")
    for step in steps:
        text, argument = str(step["text"]), step.get("argument") or {}
        assert isinstance(argument, Mapping)
        string = str(argument["docString"]["content"]) if "docString" in argument else ""
        table = tuple(
            tuple(str(cell["value"]) for cell in row["cells"])
            for row in argument.get("dataTable", {"rows": ()})["rows"]
        )
        if text.endswith("graph"):
            made = replace(made, graph=text.removeprefix("the "))
        elif text == "having executed:":
            made = replace(made, setup=(*made.setup, string))
        elif text == "parameters are:":
            made = replace(made, parameters=tuple((row[0], row[1]) for row in table))
        elif text.startswith("there exists a procedure"):
            made = replace(made, procedure=True)
        elif text == "executing query:":
            made = replace(made, query=string)
        elif text.startswith("the result should be"):
            made = replace(
                made,
                result="in order" if ", in order" in text else "in any order",
                lists_in_any_order="ignoring element order" in text,
                rows=table[1:],
            )
        elif "should be raised" in text:
            made = replace(made, result="an error")
    return made


def value(text: str) -> Cell:
    """A value of a table: what Neo4j gives, a node as its canonical text, a relationship as its type.

    Raises:
        QueryError: it is not written as a value of Cypher (NaN), or is a path.
        ValueError: it has what is no literal.
    """
    if text.startswith("<"):
        raise ValueError(text)
    if text.startswith("("):
        match = parse(f"MATCH {text} RETURN 1 AS x").clauses[0]
        assert isinstance(match, Match)
        node = match.paths[0].nodes[0]
        return node_text(node.label, {name: _value(each) for name, each in node.properties})
    if text.startswith("[:"):
        match = parse(f"MATCH ()-{text}->() RETURN 1 AS x").clauses[0]
        assert isinstance(match, Match)
        return match.paths[0].relationships[0].types[0]
    return _value(parse(f"RETURN {text} AS x").returned.items[0].expression)


def _value(e: Expression) -> Cell:
    match e:
        case Constant(kind=kind):
            return _LITERALS[kind](e.value)
        case ListOf(items=items):
            return [_value(item) for item in items]
        case MapOf(entries=entries):
            return {name: _value(each) for name, each in entries}
    raise ValueError(e)


_LITERALS: Final[Mapping[str, Callable[[str], Cell]]] = {
    "null": lambda _: None,
    "boolean": lambda text: text.lower() == "true",
    "integer": int,
    "float": float,
    "string": str,
}


def node_text(label: str, properties: Mapping[str, Cell]) -> str:
    """A node as one text, equal for nodes that look equal."""
    return f"({label} {sorted((k, repr(v)) for k, v in properties.items() if v is not None)})"

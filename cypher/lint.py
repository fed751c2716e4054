"""The linter: whether a query file keeps to its header, the vocabulary and the portable subset."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from cypher.catalogue import Query
from cypher.errors import QueryError
from cypher.expressions import Breach
from cypher.parser import NotCypherError, parse
from cypher.portability import RESERVED, breaches
from cypher.rewrite import VECTOR, RewriteError, rewrite
from cypher.syntax import Call, Expression, NodePattern, Property, Statement, Variable, parts
from cypher.translation import translate
from cypher.vocabulary import Vocabulary, column_type


@dataclass(frozen=True)
class Finding:
    """One thing that a query must not do."""

    file: Path
    line: int
    what: str
    instead: str
    """The form to write."""

    def __str__(self) -> str:
        return f"{self.file}, line {self.line}: {self.what}; write {self.instead}"


class NotPortableError(QueryError):
    """A statement that both engines are not known to answer alike."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        first = findings[0]
        more = f" (and {len(findings) - 1} more)" if len(findings) > 1 else ""
        super().__init__(f"not known to be portable: {first}{more}")
        self.findings = tuple(findings)


class CypherSyntaxError(QueryError):
    """A statement that is no Cypher."""

    def __init__(self, query: Query, fault: NotCypherError) -> None:
        rest = query.text[: fault.at].rpartition("\n")[2]
        self.line = query.first_line + fault.line - 1
        self.column = len(rest) + 1
        """Of the character where it stops to be Cypher, from 1."""
        self.written = query.text.splitlines()[fault.line - 1]
        """The line itself."""
        super().__init__(
            translate(
                "line {line}, column {column}: syntax error: {what}; write {instead}",
                line=self.line,
                column=self.column,
                what=fault.what,
                instead=fault.instead,
            )
        )


def check_syntax(query: Query) -> None:
    """See that a statement is Cypher, be it portable or not.

    Raises:
        CypherSyntaxError: it is not.
    """
    try:
        parse(query.text)
    except NotCypherError as e:
        if e.syntax:
            raise CypherSyntaxError(query, e) from e


def lint(query: Query, vocabulary: Vocabulary) -> list[Finding]:
    """What is wrong with a query, in the order of its lines."""
    findings = {
        Finding(query.file, query.first_line + line - 1, what, instead)
        for line, what, instead in _wrong(query, vocabulary)
    }
    return sorted(findings, key=lambda f: (f.line, f.what))


def _wrong(query: Query, vocabulary: Vocabulary) -> Iterator[tuple[int, str, str]]:
    """Line of the statement, what is wrong, and the form to write."""
    try:
        statement = parse(query.text)
    except NotCypherError as e:
        yield e.line, e.what, e.instead
        return
    for breach in _breaches(query, statement, vocabulary):
        yield statement.line(breach.at), breach.what, breach.instead
    try:
        rewrite(query.text, vocabulary.node_types, vocabulary.record_types)
    except RewriteError as e:
        yield e.line, e.what, e.instead
    except QueryError as e:  # pragma: no cover - the parser has read it
        yield 1, str(e), "a statement that ends"


def _breaches(query: Query, statement: Statement, vocabulary: Vocabulary) -> Iterator[Breach]:
    if not query.free:
        yield from _header(query, statement)
    yield from _vectors(query, statement)
    parameters = {p.name: column_type(p.type) for p in query.parameters}
    all_breaches = breaches(statement, vocabulary, parameters, ordered=not query.free)
    if "embedded" in query.engines and "neo4j" in query.engines:
        yield from all_breaches
        yield from _reserved_columns(query)
    else:  # a text of one engine must name what there is, and give rows in order
        yield from (breach for breach in all_breaches if breach.everywhere)


def _header(query: Query, statement: Statement) -> Iterator[Breach]:
    """Where the statement gives other columns, or another order, than the header says."""
    items = statement.returned.items
    returned = [item.alias for item in items]
    declared = [column.name for column in query.columns]
    at = statement.returned.at
    if not declared:
        what = translate("the file has no header that names the columns")
        instead = translate(
            "'// column {name}: string' above the statement, or run the file with 'medkg cypher'",
            name=returned[0],
        )
        yield Breach(at, what, instead)
    elif returned != declared:
        what = translate(
            "RETURN gives {returned}; the header says {declared}",
            returned=", ".join(returned),
            declared=", ".join(declared),
        )
        yield Breach(at, what, translate("the same columns in the same order"))
    keys = [_key(key.expression) + " desc" * key.descending for key in statement.returned.order]
    if keys and tuple(keys) != query.order:
        what = translate(
            "ORDER BY is {keys}; the header says {order}",
            keys=", ".join(keys),
            order=", ".join(query.order) or "nothing",
        )
        yield Breach(statement.returned.order[0].at, what, translate("the same order in both"))


def _key(expression: Expression) -> str:
    """A key as headers name it: ``coalesce(name, -1.0)``, which puts nulls last, is ``name``."""
    match expression:
        case Variable(name=name):
            return name
        case Property(subject=Variable(name=owner), name=name):
            return f"{owner}.{name}"
        case Call(name="coalesce", arguments=(first, *_)):
            return _key(first)
    return "an expression"


def _vectors(query: Query, statement: Statement) -> Iterator[Breach]:
    """Each engine keeps vectors in another place."""
    for part in parts(statement.clauses):
        if isinstance(part, Property) and part.name == "embedding" and len(query.engines) > 1:
            yield Breach(
                part.at,
                translate("vectors are not portable"),
                translate("a file in neo4j_only/, one in embedded_only/"),
            )
        if isinstance(part, NodePattern) and part.label == VECTOR and "neo4j" in query.engines:
            what = translate("{vector} is a table of the embedded engine", vector=VECTOR)
            yield Breach(part.at, what, translate("a file in embedded_only/"))


def _reserved_columns(query: Query) -> Iterator[Breach]:
    for column in query.columns:
        if column.name.lower() in RESERVED:
            yield Breach(
                0,
                translate("the column {name} is a reserved word of Ladybug", name=column.name),
                translate("another name"),
            )

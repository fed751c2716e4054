"""``medkg cypher``: a statement of one's own, or a shell for many."""

import re
import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

import click

from cypher.translation import translate
from kg.commands import (
    AnswerForm,
    CsvForm,
    csv_option,
    graph_option,
    harmless,
    hint_if_empty,
    json_option,
    pairs_of,
    say,
    show_answer,
    timeout_option,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cypher import Query
    from cypher.lint import CypherSyntaxError, Finding
    from kg.stores.store import Rows, Store, Value

as_is_option = click.option(
    "--as-is",
    is_flag=True,
    help="Let the embedded engine run what lies outside the portable subset, and say what may "
    "differ from Neo4j.",
)
"""Passes ``as_is: bool``."""

_PAIR: Final = re.compile(r"\w+=(?!~)", re.ASCII)
_SPACE: Final = re.compile(r"\s")


@click.command("cypher")
@click.argument("statement", required=False)
@click.argument("pairs", nargs=-1, metavar="[KEY=VALUE]...")
@graph_option
@as_is_option
@json_option
@csv_option
@click.option("--limit", type=click.IntRange(min=1), help="Print at most so many rows.")
@timeout_option
def cypher_command(
    *,
    statement: str | None,
    pairs: tuple[str, ...],
    graph: str | None,
    as_is: bool,
    as_json: bool,
    as_csv: CsvForm | None,
    limit: int | None,
    timeout: float | None,
) -> None:
    """Run a Cypher STATEMENT, read-only; without one, open a shell.

    STATEMENT is the text itself, a file of one statement, or - for standard input. KEY=VALUE gives
    its $KEY: a number, true, false, a JSON list, a text in double quotes, or else the text as it
    stands.

    On Neo4j whatever reads the graph is run. The embedded engine takes what both engines answer
    alike, and names the form to write for what they do not.

    \b
    medkg cypher 'MATCH (d:Disease) RETURN count(*) AS diseases'
    medkg cypher 'MATCH (d:Disease {id: $id}) RETURN d.name' id=MONDO:0005393
    """  # noqa: D301 - click takes the escape for "do not wrap"
    import kg
    from cypher import free_value

    if as_json and as_csv:
        raise click.UsageError(translate("--json and --csv exclude each other; give one"))
    if statement and _PAIR.match(statement):  # the statement comes from standard input
        pairs, statement = (statement, *pairs), None
    parameters: dict[str, Value] = {
        name: free_value(text) for name, text in pairs_of(pairs).items()
    }
    text = _text(statement)
    with kg.connect(graph) as store:
        if text is None:
            from kg.commands.shell import Shell

            Shell(store, parameters, as_is=as_is, timeout=timeout).run()
            return
        rows = ask(store, text, parameters, as_is=as_is, timeout=timeout)
    show_answer(rows, AnswerForm(as_json, as_csv, limit, own_columns=True))
    if not (as_json or as_csv):
        hint_if_empty(rows, what_to_try())


def what_to_try() -> str:
    """What may give somebody rows whose statement gave none."""
    return translate(
        "texts are compared whole, with their capitals; ':schema' in the shell of 'medkg cypher' "
        "lists what there is, and 'medkg query entity.find text=NAME' finds ids"
    )


def _text(statement: str | None) -> str | None:
    """The text of a statement; None: nobody gave one, and somebody sits at a terminal.

    Raises:
        UsageError: the file is not there, or is no text.
    """
    if statement == "-" or (statement is None and not sys.stdin.isatty()):
        return sys.stdin.read()
    if not statement or _SPACE.search(statement):
        return statement
    try:
        return Path(statement).read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise click.UsageError(
            translate(
                "{statement!r} is neither a statement nor a file that is there",
                statement=statement,
            )
        ) from None
    except UnicodeDecodeError as e:
        raise click.UsageError(
            translate(
                "{statement}: not UTF-8 ({why}); save it as UTF-8", statement=statement, why=e
            )
        ) from e


class NotCypher(click.ClickException):
    """A query with a syntax error."""

    def __init__(self, error: "CypherSyntaxError") -> None:
        super().__init__(str(error))
        self.details = {"line": error.line, "column": error.column}
        self._error = error

    def show(self, file: IO[Any] | None = None) -> None:
        """The line, a caret below the place, and the error."""
        from rich.cells import cell_len

        written = self._error.written.replace("\t", " ")
        before = cell_len(harmless(written[: self._error.column - 1]))
        click.echo(f"{harmless(written)}\n{' ' * before}^", err=True)
        super().show(file)


class NotPortable(click.ClickException):
    """A query that the embedded engine does not run."""

    def __init__(self, findings: "Sequence[Finding]", allow: str) -> None:
        super().__init__(
            translate(
                "it is not known whether both engines give the same answer to this, so it was not "
                "run; write it as suggested above, or run it with {allow}",
                allow=allow,
            )
        )
        self.details = {
            "findings": [{"line": f.line, "what": f.what, "instead": f.instead} for f in findings]
        }
        self._findings = findings

    def show(self, file: IO[Any] | None = None) -> None:
        """What is wrong with it, a line each, and the error."""
        _list(translate("not known to be portable"), self._findings)
        super().show(file)


def ask(
    store: "Store",
    text: str,
    parameters: "dict[str, Value]",
    *,
    as_is: bool,
    timeout: float | None,
    allow: str = "--as-is",
) -> "Rows":
    """The rows of a statement.

    Args:
        store: the graph.
        text: the statement.
        parameters: values of its parameters.
        as_is: run it on the embedded engine even if it is not known to be portable.
        timeout: seconds; None: the store's limit.
        allow: how somebody says ``as_is`` here.

    Raises:
        NotCypher: it is no Cypher, so it was not run.
        NotPortable: it was not run.
        QueryError: as for ``Store.cypher``.
        StoreError: as for ``Store.cypher``.
    """
    from cypher import free_query

    if store.engine == "embedded":
        check_portable(free_query(text, parameters), as_is=as_is, allow=allow)
    return store.cypher(text, as_is=True, timeout=timeout, **parameters)


def check_portable(query: "Query", *, as_is: bool, allow: str = "--as-is") -> None:
    """See that the embedded engine may run a query; what may differ as it is, stderr says.

    Args:
        query: read from a file, or typed.
        as_is: it may in any case.
        allow: how somebody says so here.

    Raises:
        NotCypher: it is no Cypher, and may not be run as it is.
        NotPortable: it may not.
    """
    from cypher.lint import CypherSyntaxError, check_syntax, lint
    from kg.stores.answers import QUERY_VOCABULARY

    if not as_is:
        try:
            check_syntax(query)
        except CypherSyntaxError as e:
            raise NotCypher(e) from e
    findings = lint(query, QUERY_VOCABULARY)
    if findings and not as_is:
        raise NotPortable(findings, allow)
    _list(translate("may differ from Neo4j"), findings)


def _list(what: str, findings: "Sequence[Finding]") -> None:
    for finding in findings:
        message = translate(
            "line {line}: {why}: {what}; write {instead}",
            line=finding.line,
            why=what,
            what=finding.what,
            instead=finding.instead,
        )
        say(harmless(message), err=True)

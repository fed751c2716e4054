"""``medkg queries``: the list of questions. ``medkg query``: one of them asked."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from cypher.translation import title, translate
from kg.commands import (
    AnswerForm,
    Bars,
    CsvForm,
    csv_option,
    graph_option,
    harmless,
    hint_if_empty,
    json_option,
    pairs_of,
    say,
    show,
    show_answer,
    show_json,
    timeout_option,
)
from kg.commands.completion import query_names, query_parameters
from kg.commands.cypher import as_is_option, check_portable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cypher import Catalogue, Parameter, Query
    from kg.linking import Linker
    from kg.stores.store import Store, Value

GUIDE_PORT = 7470
"""Where the guide is served unless another port is given."""

NEIGHBOURS = "entity.neighbours"
"""The query for whatever is said of a thing."""

_LISTED: Final = re.compile(r"as (?P<query>\w+\.\w+) gives it")
"""In what is said of a parameter, the query whose rows have its values."""

LIMIT = "limit"
"""The parameter that ``--limit`` sets, in queries that have it."""


@click.command("queries")
@click.argument("name", required=False, shell_complete=query_names)
@json_option
@click.option("--check", is_flag=True, help="Check the query files; exit 1 if one is wrong.")
@click.option("--markdown", is_flag=True, help="Print the list as a page of documentation.")
@click.option(
    "--guide",
    type=click.IntRange(0, 65535),
    is_flag=False,
    flag_value=GUIDE_PORT,
    metavar="[PORT]",
    help="Serve the guide for Neo4j Browser until Ctrl-C.",
)
def queries_command(
    *, name: str | None, as_json: bool, check: bool, markdown: bool, guide: int | None
) -> None:
    """List the named queries, or print the text of query NAME."""
    from cypher import load_catalogue

    if as_json and (markdown or guide is not None):
        other = "--markdown" if markdown else "--guide"
        raise click.UsageError(
            translate("--json and {other} exclude each other; give one", other=other)
        )
    catalogue = load_catalogue()
    queries = [catalogue.find(name)] if name else list(catalogue)
    if check:
        _check(queries, as_json)
    elif guide is not None:
        _serve_guide(catalogue, guide)
    elif markdown:
        from cypher.listing import listing

        click.echo(listing(catalogue), nl=False)
    elif as_json:
        described = [_described(query) for query in queries]
        show_json(described)
    elif name:
        click.echo(queries[0].path.read_text(encoding="utf-8"), nl=False)
    else:
        _list(queries)


def _check(queries: "Sequence[Query]", as_json: bool) -> None:
    from cypher.lint import lint
    from kg.stores.answers import QUERY_VOCABULARY

    findings = [finding for query in queries for finding in lint(query, QUERY_VOCABULARY)]
    if as_json:
        show_json({"queries": len(queries), "findings": list(map(str, findings))})
    else:
        for finding in findings:
            say(str(finding))
        message = translate(
            "{count} queries checked, {found} findings", count=len(queries), found=len(findings)
        )
        say(message, err=True)
    if findings:
        click.get_current_context().exit(1)


def _serve_guide(catalogue: "Catalogue", port: int) -> None:
    from cypher.guide import PAGE, SCRIPTS, STYLE, guide, scripts, style
    from kg.commands.guide import guide_server

    files: dict[str, bytes] = {SCRIPTS: scripts(catalogue), STYLE: style()}
    with guide_server(files, port) as server:
        # localhost by name: Browser takes guides from that host
        address = f"http://localhost:{server.server_port}"
        files[PAGE] = guide(catalogue, address).encode()
        click.echo(translate("In Neo4j Browser: {command}", command=f":guide {address}/{PAGE}"))
        say(translate("Ctrl-C ends it."), err=True)
        server.serve_forever()


def _described(query: "Query") -> dict[str, object]:
    return {
        "name": query.name,
        "title": title("queries", query.name, query.title),
        "parameters": [vars(parameter) for parameter in query.parameters],
        "columns": [
            {**vars(column), "title": title("columns", column.name)} for column in query.columns
        ],
        "order": query.order,
        "engines": sorted(query.engines),
        "text": query.text,
    }


def _list(queries: "Sequence[Query]") -> None:
    from kg.stores.store import Rows

    rows = [
        (q.name, title("queries", q.name, q.title), " ".join(map(_usage, q.parameters)))
        for q in queries
    ]
    show(Rows(("query", "what it answers", "parameters"), tuple(rows)))


def _usage(parameter: "Parameter") -> str:
    if parameter.default is None:
        return f"{parameter.name}={parameter.type.upper().replace(' ', '_')}"
    return f"[{parameter.name}={parameter.default}]"


@click.command("query")
@click.argument("name", metavar="NAME|FILE", shell_complete=query_names)
@click.argument("pairs", nargs=-1, metavar="[KEY=VALUE]...", shell_complete=query_parameters)
@graph_option
@as_is_option
@json_option
@csv_option
@click.option("--limit", type=click.IntRange(min=1), help="Maximum number of rows.")
@timeout_option
def query_command(
    name: str,
    *,
    pairs: tuple[str, ...],
    graph: str | None,
    as_is: bool,
    as_json: bool,
    as_csv: CsvForm | None,
    limit: int | None,
    timeout: float | None,
) -> None:
    """Run the query NAME ('medkg queries' lists them), or that of a FILE with such a header.

    Write a list as items separated by commas, or as a JSON list. Where an id is wanted, a name
    will do, e.g. disease=gout.
    """
    import kg
    from cypher import load_catalogue
    from cypher.catalogue import FOLDER
    from kg.stores.answers import total

    if as_json and as_csv:
        raise click.UsageError(translate("--json and --csv exclude each other; give one"))
    query = _named(name)
    needed = [p.name for p in query.parameters if p.default is None]
    values = pairs_of(pairs, needed[0] if len(needed) == 1 else None)
    if limit is not None and any(p.name == LIMIT for p in query.parameters):
        values.setdefault(LIMIT, str(limit))
    arguments = query.parse(values)
    with kg.connect(graph) as store:
        if query.path.is_relative_to(FOLDER):  # each engine may have a text of its own
            query = load_catalogue().find(name, store.engine)
        elif store.engine == "embedded":
            check_portable(query, as_is=as_is)
        values_with_ids = with_ids(store, query, arguments)
        rows = store.query(query, timeout=timeout, **values_with_ids)
        number = total(store, query, values_with_ids) if rows.truncated else None
    own = not query.path.is_relative_to(FOLDER)
    form = AnswerForm(as_json, as_csv, limit, own_columns=own)
    show_answer(rows, form, number, query.order, query=query.name, arguments=values_with_ids)
    if not (as_json or as_csv):
        hint_if_empty(rows, what_to_try(query, values_with_ids))


def what_to_try(query: "Query", arguments: "Mapping[str, Value]") -> str:
    """What may give somebody rows whose query gave none."""
    from kg.linking.ids import CURIES

    listed = [
        translate(
            "{parameter}={value}: 'medkg query {query}' lists those that there are",
            parameter=p.name,
            value=arguments.get(p.name),
            query=match["query"],
        )
        for p in query.parameters
        if (match := _LISTED.search(p.about))
    ]
    if listed:
        return translate("; ").join(listed)
    ids = [arguments.get(p.name) for p in query.parameters if p.about.startswith(CURIES)]
    one = next((value for value in ids if isinstance(value, str)), None)
    if one and query.name != NEIGHBOURS:
        shows = "'medkg query {query} entity={id}' shows what the graph has about it"
        return translate(shows, query=NEIGHBOURS, id=one)
    return translate(
        "'medkg queries {query}' shows the query; try other values, or fewer", query=query.name
    )


def with_ids(
    store: "Store", query: "Query", arguments: "Mapping[str, Value]"
) -> "dict[str, Value]":
    """The arguments with ids in place of names; stderr says which these are.

    Raises:
        QuestionError: a text is neither an id in the graph nor the name of one entity.
    """
    import kg
    from kg.linking.ids import resolve_ids

    def linker() -> "Linker":
        from kg.linking import Linker

        return Linker.of_store(store, kg.Settings.read().linking, progress=Bars())

    resolved_arguments, names = resolve_ids(store, query, arguments, linker)
    for name in names:
        message = translate("{parameter}: {text} is {id} ({name})", **vars(name))
        say(harmless(message), err=True)
    return resolved_arguments


def _named(name: str) -> "Query":
    """The query of a name, or of a file.

    Raises:
        QueryError: there is none, or the file is malformed.
    """
    from cypher import QueryError, load_catalogue, read_query

    path = Path(name)
    if path.suffix not in {".cypher", ".cql"} and len(path.parts) == 1:
        return load_catalogue().find(name)
    if not path.is_file():
        raise QueryError(
            translate("{name}: no such file; 'medkg queries' lists the queries by name", name=name)
        )
    return read_query(path.resolve(), path.resolve().parent)

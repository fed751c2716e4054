"""``medkg db``: a local Neo4j."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cypher.translation import title, translate
from kg.commands.lines import say
from kg.commands.options import answer_of, group_json_option, json_option, run_command
from kg.commands.progress import Bars
from kg.commands.table import show_json

if TYPE_CHECKING:
    from kg.server import Ports, RuntimeChoice, ServerHome, ServerStatus
    from kg.stores.store import Store
    from kg.tables import GraphTables

_PORT = click.IntRange(1, 65535)

runtime_option = click.option(
    "--runtime",
    type=click.Choice(["auto", "docker", "java"]),
    default="auto",
    help="What runs the server. auto: Docker where its engine answers, else Java 17 or 21.",
)


@click.group("db")
@group_json_option
def db_group() -> None:
    """A local Neo4j with Browser, for this machine only."""


@db_group.command("up")
@click.option(
    "--bolt-port",
    type=_PORT,
    help="Where drivers connect (without it as at the last start, at first 7687).",
)
@click.option(
    "--http-port",
    type=_PORT,
    help="Where Neo4j Browser is (without it as at the last start, at first 7474).",
)
@runtime_option
@click.option(
    "--timeout",
    type=click.FloatRange(min=1),
    default=180,
    show_default=True,
    help="Seconds to wait until it answers.",
)
@json_option
def up_command(
    bolt_port: int | None,
    http_port: int | None,
    runtime: "RuntimeChoice",
    timeout: float,
    as_json: bool,
) -> None:
    """Start the server unless it runs, wait until it answers, and create its indexes."""
    from kg.server import start

    bars = Bars()
    home = _home()
    started = start(home, _ports(home, bolt_port, http_port), runtime, bars, timeout)
    with bars.step("Making indexes"), _store(started.status) as store:
        store.indexes()
    version = started.status.version
    if started.already:
        say(translate("Neo4j {version} was running already.", version=version), err=True)
    else:
        say(translate("Neo4j {version} is running.", version=version), err=True)
    _show(started.status, as_json)
    message = "Load a graph:     medkg build --graph {uri}"
    say(translate(message, uri=started.status.bolt), err=True)
    say(translate("Stop the server:  medkg db down   (the data is kept)"), err=True)


@db_group.command("down")
@json_option
def down_command(as_json: bool) -> None:
    """Stop the server that 'medkg db up' started; its data is kept."""
    from kg.server import Stopped, stop

    messages = {
        Stopped.ENDED: translate("Neo4j is down."),
        Stopped.KILLED: translate(
            "Neo4j did not end in time and was killed; it recovers at its next start."
        ),
        Stopped.STALE: translate("Neo4j had stopped by itself; its stale pid file was removed."),
        Stopped.NOT_RUNNING: translate("Neo4j was not up."),
    }
    stopped = stop(_home())
    say(messages[stopped], err=True)
    if as_json:
        show_json({"stopped": stopped.value})


@db_group.command("status")
@json_option
@click.pass_context
def status_command(context: click.Context, as_json: bool) -> None:
    """Show the server's state, and node and edge counts.

    Exit code 0 when it answers, 1 when not, or when the graph in it is not whole.
    """
    from kg.server import status

    now = status(_home())
    whole = _show(now, as_json)
    if not (now.answers and whole):
        context.exit(1)


@db_group.command("import")
@click.argument("tables", type=click.Path(path_type=Path), required=False)
@click.option("--overwrite", is_flag=True, help="Replace the server's data.")
@click.option(
    "--check/--no-check",
    default=True,
    help="Start the server then, and apply the consistency rules; or leave it down.",
)
@runtime_option
@json_option
@click.pass_context
def import_command(
    context: click.Context,
    *,
    tables: Path | None,
    overwrite: bool,
    check: bool,
    runtime: "RuntimeChoice",
    as_json: bool,
) -> None:
    """Load graph tables with Neo4j's bulk importer while the server is stopped, and check them.

    TABLES is a folder that 'medkg build' made  [default: that of the last build]. The server is
    then started where it last listened, and the rules are applied as a build does; those of
    another build than the last are not checked.
    """
    from kg.configuration import Settings
    from kg.server import ServerHome, import_tables, start
    from kg.tables import GraphTables

    settings, bars = Settings.read(), Bars()
    home, folder = ServerHome(settings.server), tables or settings.tables
    imported = GraphTables(folder)
    import_tables(home, imported, overwrite=overwrite, runtime=runtime, progress=bars)
    last = GraphTables(settings.tables)
    if check and not _are_same(imported, last):
        message = translate(
            "{folder}: not the tables of the last build ({last}), from which rules put edges "
            "back, so the rules are not applied.",
            folder=folder,
            last=last.folder,
        )
        say(message, err=True)
        check = False
    if not check:
        message = "{folder}: imported; start the server with 'medkg db up'."
        say(translate(message, folder=folder), err=True)
        if as_json:
            show_json({"tables": str(folder), **_counts_of(imported), "checked": None})
        return
    address = start(home, None, runtime, bars).status
    with bars.step("Making indexes"), _store(address) as store:
        store.indexes()
    message = "{folder}: imported into {uri}, which is up."
    say(translate(message, folder=folder, uri=address.bolt), err=True)
    apply = ["check", "--apply", "--samples", "0", "--graph", str(address.bolt)]
    with _credentials_of(home):
        if not as_json:
            run_command(context, apply)
            return
        checked = answer_of(context, apply)
    show_json({"tables": str(folder), **_counts_of(imported), "checked": checked})


def _counts_of(tables: "GraphTables") -> dict[str, dict[str, int]]:
    summary = tables.summary()
    return {"nodes": summary.nodes, "edges": summary.edges}


@contextmanager
def _credentials_of(home: "ServerHome") -> Iterator[None]:
    """The local server's in the environment, in place of those for another server."""
    from kg.server.layout import USER

    names = {"USERNAME": USER, "PASSWORD": home.password(), "DATABASE": USER}
    before = {f"NEO4J_{name}": os.environ.get(f"NEO4J_{name}") for name in names}
    os.environ.update({f"NEO4J_{name}": value for name, value in names.items()})
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _are_same(one: "GraphTables", other: "GraphTables") -> bool:
    from kg.errors import TablesError

    try:
        return one.summary().checksum == other.summary().checksum
    except TablesError:  # of the other; the one was imported
        return False


def _ports(home: "ServerHome", bolt: int | None, http: int | None) -> "Ports":
    """One that is not given is as the server runs, or as it did last."""
    from kg.server import Ports
    from kg.server.lifecycle import running
    from kg.server.record import usual_ports

    record = running(home)
    usual = record.ports if record else usual_ports(home)
    return Ports(bolt or usual.bolt, http or usual.http)


def _home() -> "ServerHome":
    from kg.configuration import Settings
    from kg.server import ServerHome

    return ServerHome(Settings.read().server)


def _store(server: "ServerStatus") -> "Store":
    """The local server's store, whatever credentials the environment has for another."""
    from kg import connect
    from kg.configuration import Settings
    from kg.server import ServerHome

    settings = Settings(
        neo4j_uri=server.bolt,
        neo4j_password=ServerHome(server.home).password(),
        home=server.home.parent,
    )
    return connect(settings=settings)


def _counts(server: "ServerStatus") -> dict[str, int] | None:
    """How much it holds; None where that is a part of a graph."""
    with _store(server) as store:
        counts = store.counts()
        if counts.nodes and not store.stamp():
            return None
    return {"nodes": sum(counts.nodes.values()), "edges": sum(counts.edges.values())}


def _show(server: "ServerStatus", as_json: bool) -> bool:
    """Print what it does and holds; whether no part of a graph is in it."""
    from rich.cells import set_cell_size

    counts = _counts(server) if server.answers else {}
    whole, counted = counts is not None, counts or {}
    if not whole:
        message = translate(
            "{uri}: holds no whole graph: it is being written, or its writing was cut off; wait, "
            "or run 'medkg build --graph {uri}'",
            uri=server.bolt,
        )
        say(message, err=True)
    if as_json:
        show_json({**server.model_dump(mode="json"), "whole": whole, **counted})
        return whole
    if server.answers:
        state = translate("up")
    else:
        state = translate("starting") if server.running else translate("down")
    file = server.password_file
    rows = {
        "state": translate("{state} (stale pid file)", state=state) if server.stale else state,
        "Browser": server.browser,
        "Bolt": server.bolt,
        "user": server.user,
        "password": file and translate("in {file}", file=file),
        "version": server.version,
        "process": server.pid or server.container,
        "since": server.started and f"{server.started.astimezone():%Y-%m-%d %H:%M:%S}",
        **counted,
    }
    for name, value in rows.items():
        if value is not None:
            click.echo(f"{set_cell_size(title('columns', name), 10)}{value}")
    return whole

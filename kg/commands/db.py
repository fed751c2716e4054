"""``medkg db``: a local Neo4j."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kg.commands.options import group_json_option, json_option
from kg.commands.progress import Bars
from kg.commands.table import show_json

if TYPE_CHECKING:
    from kg.server import Ports, RuntimeChoice, ServerHome, ServerStatus
    from kg.stores.store import Store

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
@click.option("--bolt-port", type=_PORT, help="Where drivers connect (without it 7687).")
@click.option("--http-port", type=_PORT, help="Where Neo4j Browser is (without it 7474).")
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
    state = "was running already" if started.already else "is running"
    click.echo(f"Neo4j {started.status.version} {state}.", err=True)
    _show(started.status, as_json)
    click.echo(
        f"Load a graph:     medkg build --graph {started.status.bolt}\n"
        "Stop the server:  medkg db down   (the data is kept)",
        err=True,
    )


@db_group.command("down")
@json_option
def down_command(as_json: bool) -> None:
    """Stop the server that 'medkg db up' started; its data is kept."""
    from kg.server import Stopped, stop

    messages = {
        Stopped.ENDED: "Neo4j is down.",
        Stopped.KILLED: "Neo4j did not end in time and was killed; it recovers at its next start.",
        Stopped.STALE: "Neo4j had ended by itself; its stale pid file is gone now.",
        Stopped.NOT_RUNNING: "Neo4j was not up.",
    }
    stopped = stop(_home())
    click.echo(messages[stopped], err=True)
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
@runtime_option
@json_option
def import_command(
    tables: Path | None, overwrite: bool, runtime: "RuntimeChoice", as_json: bool
) -> None:
    """Load graph tables with Neo4j's bulk importer while the server is stopped.

    TABLES is a folder that 'medkg build' made  [default: that of the last build]. The
    next 'medkg db up' creates the indexes.
    """
    from kg.configuration import Settings
    from kg.server import ServerHome, import_tables
    from kg.tables import GraphTables

    settings = Settings.read()
    home, folder = ServerHome(settings.server), tables or settings.tables
    import_tables(home, GraphTables(folder), overwrite=overwrite, runtime=runtime, progress=Bars())
    click.echo(f"{folder}: imported; start the server with 'medkg db up'.", err=True)
    if as_json:
        imported = GraphTables(folder).summary()
        show_json({"tables": str(folder), "nodes": imported.nodes, "edges": imported.edges})


def _ports(home: "ServerHome", bolt: int | None, http: int | None) -> "Ports":
    """One that is not given is as the server runs, if it is up."""
    from kg.server import Ports
    from kg.server.lifecycle import running

    record = running(home)
    usual = record.ports if record else Ports()
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
    found = _counts(server) if server.answers else {}
    whole, counted = found is not None, found or {}
    if not whole:
        click.echo(
            f"{server.bolt}: holds no whole graph: it is being written, or its writing was cut "
            f"off; wait, or run 'medkg build --graph {server.bolt}'",
            err=True,
        )
    if as_json:
        told = {**server.model_dump(mode="json"), "whole": whole, **counted}
        show_json(told)
        return whole
    state = "up" if server.answers else "starting" if server.running else "down"
    rows = {
        "state": f"{state} (stale pid file)" if server.stale else state,
        "Browser": server.browser,
        "Bolt": server.bolt,
        "user": server.user,
        "password": server.password_file and f"in {server.password_file}",
        "version": server.version,
        "process": server.pid or server.container,
        "since": server.started and f"{server.started.astimezone():%Y-%m-%d %H:%M:%S}",
        **counted,
    }
    for name, value in rows.items():
        if value is not None:
            click.echo(f"{name:<10}{value}")
    return whole

"""``medkg demo``: ordinary medkg command lines, each printed before it runs."""

import json
import shlex
from contextlib import redirect_stdout
from io import StringIO
from typing import TYPE_CHECKING

import click

from kg.commands import json_option, show_json

if TYPE_CHECKING:
    from kg.configuration import Settings

LINES = (
    "medkg build",
    'medkg ask "What are the symptoms of gout?"',
    'medkg ask "Which drugs should be avoided in asthma?"',
    'medkg ask "痛风有哪些并发症"',
    "medkg query disease.similar disease=MONDO:0005393 limit=5",
    "medkg report",
)
"""What the demo runs; a person can type each."""

NEXT = """\
Try next:
  medkg queries                      every question the graph answers
  medkg query symptom.differential present=HP:0001945,HP:0012735
  medkg ask "What interacts with warfarin?"
  medkg build my-sources.yaml        your own tables beside these; 'medkg sources' lists kinds

The same graph in Neo4j, with its Browser:
  medkg db up                        a local server; prints its addresses
  medkg build --graph bolt://localhost:7687
  medkg queries --guide              the queries as a guide in Browser"""


@click.command("demo")
@json_option
@click.pass_context
def demo_command(ctx: click.Context, as_json: bool) -> None:
    """Build a graph from real data and ask it a few questions.

    Works in MEDKG_HOME (.medkg) on the embedded store; a graph that is there is
    replaced by the demo's, as 'medkg build' would. A Neo4j server is left alone.
    """
    from kg.configuration import Settings

    settings = Settings.read()
    lines = [_on_embedded_store(line, settings) for line in LINES]
    if as_json:
        show_json([_answered(ctx, line) for line in lines])
        return
    for line in lines:
        click.secho(f"\n$ {line}", bold=True)
        _run(ctx, line)
    click.echo(f"\n{NEXT}")


def _on_embedded_store(line: str, settings: "Settings") -> str:
    """The line as it is, or saying where the graph is if the settings name a server.

    A demo must not replace what is on that.
    """
    asks_graph = not line.startswith("medkg report")
    if settings.neo4j_uri is None or not asks_graph:
        return line
    return f"{line} --graph {shlex.quote(str(settings.graph))}"


def _answered(ctx: click.Context, line: str) -> dict[str, object]:
    """A line and the JSON that it gives."""
    click.echo(f"$ {line}", err=True)
    printed = StringIO()
    with redirect_stdout(printed):
        _run(ctx, f"{line} --json")
    return {"command": line, "answer": json.loads(printed.getvalue())}


def _run(ctx: click.Context, line: str) -> None:
    """Run a line in this process; a failure ends the demo with the line's exit code."""
    root = ctx.find_root()
    debug = ["--debug"] if root.params.get("debug") else []
    code = root.command.main([*debug, *shlex.split(line)[1:]], "medkg", standalone_mode=False)
    if code:  # what a command returns is dropped by click, so this is an exit code
        ctx.exit(code)

"""``medkg demo``: ordinary medkg command lines, each printed before it runs."""

import shlex
import time
from typing import TYPE_CHECKING, Final

import click

from cypher.translation import translate
from kg.commands.lines import say
from kg.commands.options import answer_of, json_option, run_command
from kg.commands.progress import duration
from kg.commands.table import show_json

if TYPE_CHECKING:
    from kg.configuration import Settings

LINES = (
    "medkg build",
    "medkg qa index",
    'medkg ask "What are the symptoms of gout?"',
    'medkg ask "Which drugs should be avoided in asthma?"',
    'medkg ask "痛风有哪些并发症"',
    "medkg query disease.similar disease=MONDO:0005393 limit=5",
    "medkg report --html",
    "medkg eval cases -n 10",
    "medkg eval medkgeval --preset offline --doctor medkg/doctor-differential",
    "medkg eval report",
)
"""What the demo runs; a person can type each."""

BEFORE: Final = (
    "Reading, merging and checking the demo's sources takes about 40 seconds on two cores.",
    "The first question waits some seconds for the index of names, which is kept.",
)

NEXT: Final = {
    "Try next:": {
        "medkg queries": "every question the graph answers",
        "medkg query symptom.differential present=HP:0001945,HP:0012735": "",
        'medkg ask "What interacts with warfarin?"': "",
        "medkg build my-sources.yaml": "your own tables beside these; 'medkg sources' lists kinds",
    },
    "The same graph in Neo4j, with its Browser:": {
        "medkg db up": "a local server; prints its addresses",
        "medkg build --graph bolt://localhost:7687": "",
        "medkg queries --guide": "the queries as a guide in Browser",
    },
}
"""Commands, with what each is for, under headings."""


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
    started = time.monotonic()
    for sentence in BEFORE:
        say(translate(sentence), err=True)
    answers: list[dict[str, object]] = []
    for line in LINES:
        line_run = _on_embedded_store(line, settings)
        arguments = shlex.split(line_run)[1:]
        click.secho(f"\n$ {line_run}", bold=True, err=as_json)
        if as_json:
            answers.append({"command": line_run, "answer": answer_of(ctx, arguments)})
        else:
            run_command(ctx, arguments)
    took = duration(time.monotonic() - started)
    say(f"\n{translate('The demo took {time}.', time=took)}", err=True)
    if as_json:
        show_json(answers)
        return
    click.echo(f"\n{next_steps()}")


def next_steps() -> str:
    """What to try after the demo, in the language that is spoken."""
    parts = []
    for heading, commands in NEXT.items():
        lines = [
            f"  {command:<33}  {translate(what)}" if what else f"  {command}"
            for command, what in commands.items()
        ]
        parts.append("\n".join((translate(heading), *lines)))
    return "\n\n".join(parts)


def _on_embedded_store(line: str, settings: "Settings") -> str:
    """The line as it is, or saying where the graph is if the settings name a server.

    A demo must not replace what is on that.
    """
    asks_graph = not line.startswith("medkg report")
    if settings.neo4j_uri is None or not asks_graph:
        return line
    return f"{line} --graph {shlex.quote(str(settings.graph))}"

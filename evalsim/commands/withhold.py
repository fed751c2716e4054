"""``medkg eval withhold``: a graph without some sources, for doctors that are not to see them."""

from pathlib import Path

import click

from cypher.translation import translate
from kg.commands import Bars, json_option, lang_option, say, show_json, speak


@click.command("withhold")
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@click.option(
    "--to",
    "home",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    metavar="HOME",
    help="Folder for the graph without them.",
)
@click.option(
    "--config",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="What 'medkg build' was given; without it the graph of the data that comes with medkg.",
)
@json_option
@lang_option
def withhold_command(
    *, sources: tuple[str, ...], home: Path, config: Path | None, as_json: bool
) -> None:
    """Build the graph again without some sources, for doctors that are not to see them.

    For example: medkg eval withhold sample --to .medkg-without-sample
    """
    from evalsim.cases.withheld import withhold
    from ingest.configuration import default_config, read_config

    speak()
    built = default_config() if config is None else read_config(config)
    result = withhold(built, sources, home, Bars())
    if as_json:
        show_json(result.report.model_dump_json(indent=2))
        return
    message = "{graph}: has {nodes} nodes and {edges} edges, and nothing of {sources}"
    counts = result.loaded.counts
    names = translate(", ").join(sources)
    say(
        translate(
            message,
            graph=home / "graph.lbug",
            nodes=sum(counts.nodes.values()),
            edges=sum(counts.edges.values()),
            sources=names,
        )
    )

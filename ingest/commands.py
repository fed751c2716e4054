"""The commands that make the graph: build, report, sources."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kg.commands import Bars, graph_option, json_option, show

if TYPE_CHECKING:
    from ingest.build import BuildResult
    from ingest.report import BuildReport


@click.command("build")
@click.argument(
    "config", required=False, type=click.Path(path_type=Path, dir_okay=False), metavar="[CONFIG]"
)
@graph_option
@json_option
@click.option("--afresh", is_flag=True, help="Read every source again, changed or not.")
def build_command(config: Path | None, graph: str | None, as_json: bool, afresh: bool) -> None:
    """Build the graph of CONFIG: sources to assertions to graph tables to the store.

    CONFIG is a YAML file that lists the sources. Without one the graph is made
    of what medkg brings: its own sample and the Human Phenotype Ontology.
    Only what changed since the last build is done again.
    """
    import kg
    from ingest.build import build
    from ingest.configuration import default_config, read_config
    from kg.configuration import Settings

    build_config = default_config() if config is None else read_config(config)
    settings = Settings.read()
    with kg.connect(graph, settings) as store:
        result = build(build_config, settings.home, store, Bars(), afresh=afresh)
        click.echo(_outcome(result, store.uri), err=True)
    if as_json:
        click.echo(result.report.model_dump_json(indent=2))
    else:
        _show(result.report)
        click.echo(f"Charts: {settings.home / 'report.html'}", err=True)


def _outcome(result: "BuildResult", uri: str) -> str:
    """One paragraph: what was done, and what was left as it was."""
    if not result.changed and not result.read:
        lines = [f"Nothing has changed: {uri} holds this graph already."]
    else:
        read = ", ".join(result.read) or "no source, none changed"
        made = "merged anew" if result.merged else "tables as before"
        done = "loaded into" if result.loaded.changed else "the same as in"
        lines = [f"Read {read}; {made}; {done} {uri}."]
    if result.loaded.replayed:
        lines.append(f"Applied again: {', '.join(result.loaded.replayed)}.")
    lines += [f"Left out layer {name}: {why}" for name, why in result.loaded.left_out]
    return "\n".join(lines)


@click.command("report")
@json_option
@click.option("--html", is_flag=True, help="Print the path of the page with charts.")
def report_command(as_json: bool, html: bool) -> None:
    """Show the report of the last build: sources, accounts, types, quarantine."""
    from ingest.report import read_report
    from kg.configuration import Settings

    home = Settings.read().home
    report = read_report(home)
    if html:
        click.echo(home / "report.html")
    elif as_json:
        click.echo(report.model_dump_json(indent=2))
    else:
        _show(report)


@click.command("sources")
@json_option
def sources_command(as_json: bool) -> None:
    """List the kinds of source: what each is, its licence, the files it needs."""
    from ingest.sources import SOURCES
    from kg.stores.store import Rows, Value

    columns = ("kind", "title", "licence", "needs", "obtained")
    rows: list[tuple[Value, ...]] = [
        (name, kind.title, kind.licence, list(kind.needs), kind.obtained)
        for name, kind in SOURCES.items()
    ]
    show(Rows(columns, tuple(rows)), as_json)


def _show(report: "BuildReport") -> None:
    """The report as tables on the terminal."""
    from kg.stores.store import Rows

    def section(title: str, columns: tuple[str, ...], rows: list[tuple[str | int, ...]]) -> None:
        click.secho(f"\n{title}", bold=True)
        show(Rows(columns, tuple(rows)))

    section(
        "Sources",
        ("source", "licence", "rows", "assertions", "loaded", "merged", "quarantined"),
        [
            (s.name, s.licence, s.rows, s.assertions, s.loaded, s.merged, s.quarantined)
            for s in report.sources
        ],
    )
    section("Nodes", ("type", "count"), _most_first(report.nodes))
    section("Edges", ("relation", "count"), _most_first(report.edges))
    if report.links:
        section(
            "Text-born names",
            ("source", "outcome", "by", "names", "for example"),
            [
                (c.source, c.outcome, c.method or "", c.names, "; ".join(c.shown()))
                for c in report.links
            ],
        )
    section(
        "In quarantine",
        ("source", "stage", "reason", "count"),
        [(r.source, r.stage, r.reason, r.count) for r in report.reasons],
    )
    click.echo(
        f"\nEvery row and assertion is accounted for; {report.merged_ids} ids merged by name, "
        f"{report.refused_names} names refused, {report.shared_nodes} nodes and "
        f"{report.shared_edges} edges from several sources."
    )


def _most_first(counts: dict[str, int]) -> list[tuple[str | int, ...]]:
    return [*sorted(counts.items(), key=lambda row: (-row[1], row[0]))]

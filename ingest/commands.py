"""The commands that make and explain the graph: build, explain, report, sources."""

from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

from cypher.translation import spoken, title, translate
from kg.commands import (
    AnswerForm,
    Bars,
    graph_option,
    harmless,
    json_option,
    say,
    show,
    show_answer,
    show_json,
)

if TYPE_CHECKING:
    from ingest.build import BuildResult
    from ingest.report import BuildReport
    from ingest.shrinking import Changes
    from kg.configuration import Settings
    from kg.stores.store import Stamp


_NO_STATEMENTS = 3
"""Exit code of a build of which a source gave nothing."""
_MAX_REASONS = 25
"""Shown of the quarantine, the most frequent ones."""


@click.command("build")
@click.argument(
    "config", required=False, type=click.Path(path_type=Path, dir_okay=False), metavar="[CONFIG]"
)
@graph_option
@json_option
@click.option("--afresh", is_flag=True, help="Read every source again, changed or not.")
@click.option(
    "--check/--no-check", default=True, help="Apply the consistency rules to the new graph."
)
@click.option(
    "--engine",
    type=click.Choice(["duckdb", "spark"]),
    help="Engine that merges the tables (default: duckdb).",
)
@click.option("--master", metavar="URL", help="Address of the Spark master (default: local[*]).")
@click.option(
    "--allow-shrink",
    is_flag=True,
    help="Go on if a source has far fewer statements than before, or its names look garbled.",
)
@click.pass_context
def build_command(
    ctx: click.Context,
    *,
    config: Path | None,
    graph: str | None,
    as_json: bool,
    afresh: bool,
    check: bool,
    engine: str | None,
    master: str | None,
    allow_shrink: bool,
) -> None:
    """Build the graph of CONFIG: read its sources, merge them, load the graph into the store.

    CONFIG is a YAML file that lists the sources. Without it the graph is built from the data
    that comes with medkg: the Human Phenotype Ontology, a sample and lists of names. Only what
    changed since the last build is done again.

    The build stops before the graph is replaced if a source has lost half of its statements
    or more since the last build, or if its names look garbled.

    Exit codes: 0 built; 1 not built, the graph is unchanged; 2 wrong use; 3 built, but a source
    gave no statement.
    """
    import kg
    from ingest.build import build
    from ingest.configuration import default_config, read_config
    from ingest.report import page_name
    from ingest.shrinking import Changes
    from kg.configuration import Settings

    build_config = default_config() if config is None else read_config(config)
    if master and engine != "spark":
        raise click.UsageError(
            translate("--master is the address of a Spark master; add --engine spark")
        )
    if engine:
        spark = (master or build_config.spark or "local[*]") if engine == "spark" else None
        build_config = build_config.model_copy(update={"spark": spark})
    settings = Settings.read()
    with kg.connect(graph, settings) as store:
        result = build(
            build_config,
            settings.home,
            store,
            Bars(),
            afresh=afresh,
            check=check,
            allow_shrink=allow_shrink,
        )
        say(_outcome(result, store.uri), err=True)
    if as_json:
        show_json(result.report.model_dump_json(indent=2))
    else:
        _show(result.report, Changes.read(settings.home))
        charts = settings.home / page_name(spoken().code)
        say(translate("Charts: {path}", path=charts), err=True)
    # printed last, so that they are seen
    for sentence in (*result.changes.losses, *result.report.alarms):
        say(sentence, fg="red", err=True)
    if not all(source.statements for source in result.report.sources):
        ctx.exit(_NO_STATEMENTS)


def _outcome(result: "BuildResult", uri: str) -> str:
    """What the build did and what it left unchanged, a line each."""
    if not result.changed and not result.read:
        lines = [translate("Nothing has changed: {uri} already holds this graph.", uri=uri)]
    else:
        if result.read:
            parts = [translate("Read {sources}", sources=", ".join(result.read))]
        else:
            parts = [translate("Read no source, as none changed")]
        if removed := ", ".join(result.changes.removed):
            parts.append(translate("removed {sources}", sources=removed))
        parts.append(_edges_made(result) if result.merged else translate("tables unchanged"))
        if result.loaded.changed:
            parts.append(translate("loaded into {uri}.", uri=uri))
        else:
            parts.append(translate("the same as in {uri}.", uri=uri))
        lines = [translate("; ").join(parts)]
    if result.loaded.replayed:
        layers = ", ".join(result.loaded.replayed)
        lines.append(translate("Applied again: {layers}.", layers=layers))
    lines += [
        translate(
            "Layer {layer} does not fit this graph and is tried again by the next build: {why}",
            layer=name,
            why=why,
        )
        for name, why in result.loaded.left_out
    ]
    lines += [
        translate(
            "Left out {count} rows of layer {layer} that no longer fit; 'medkg layers' names "
            "their list",
            count=rows,
            layer=name,
        )
        for name, rows in result.loaded.rows_left_out
    ]
    if result.report.check is None:
        not_checked = "The consistency rules are not applied; 'medkg check --apply' applies them."
        lines.append(translate(not_checked))
    return "\n".join(lines)


def _edges_made(result: "BuildResult") -> str:
    """Which relations were merged again; nodes always are."""
    unchanged = len(result.report.edges) - len(result.made)
    if not unchanged:
        return translate("merged anew")
    if not result.made:
        return translate("merged no edges again, {count} relations as before", count=unchanged)
    remade = ", ".join(result.made)
    if unchanged == 1:
        return translate("merged {relations} again, 1 other relation as before", relations=remade)
    return translate(
        "merged {relations} again, {count} other relations as before",
        relations=remade,
        count=unchanged,
    )


@click.command("report")
@json_option
@click.option("--html", is_flag=True, help="Print the path of the page with charts.")
@click.option(
    "--clinical-picture",
    is_flag=True,
    help="Print as Markdown what the graph has of common diseases and drugs, and what is missing.",
)
@click.option(
    "--quarantine",
    is_flag=False,
    flag_value="",
    metavar="[SOURCE]",
    help="List what is not in the graph, with its file, row and reason.",
)
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    help="Rows at most, with --quarantine.",
)
def report_command(
    as_json: bool, html: bool, clinical_picture: bool, quarantine: str | None, limit: int
) -> None:
    """Show the report of the last build: sources, accounts, types, quarantine."""
    from ingest.clinical_picture import page
    from ingest.report import page_name, read_report
    from ingest.shrinking import Changes
    from kg.configuration import Settings

    home = Settings.read().home
    report = read_report(home)
    if quarantine is not None:
        _show_quarantine(report, home, quarantine, AnswerForm(as_json, limit=limit))
    elif html:
        path = home / page_name(spoken().code)
        if as_json:
            show_json({"page": str(path)})
        else:
            click.echo(path)
    elif clinical_picture and as_json:
        show_json([each.model_dump(mode="json") for each in report.clinical_pictures])
    elif clinical_picture:
        click.echo(page(report.clinical_pictures), nl=False)
    elif as_json:
        show_json(report.model_dump_json(indent=2))
    else:
        _show(report, Changes.read(home))


@click.command("explain")
@click.argument("query", nargs=-1, required=True, metavar="NODE | HEAD RELATION TAIL")
@graph_option
@json_option
def explain_command(query: tuple[str, ...], graph: str | None, as_json: bool) -> None:
    """Show the records behind NODE, or behind the edge HEAD RELATION TAIL, and the rules applied.

    A node is given by its id, by an id that was merged into it, or by a name. The records come
    from the files of the last build; the graph only says which layers it has, so that an edge
    which a rule took out is shown as such.
    """
    from ingest.explain import explain
    from kg.configuration import Settings

    settings = Settings.read()
    explanation = explain(" ".join(query), settings.home, _stamp(graph, settings))
    for caveat in explanation.caveats:
        say(caveat, err=True)
    if as_json:
        show_json(explanation.model_dump_json(indent=2))
        return
    for section in explanation.sections():
        say(f"\n{harmless(translate(section.title))}", bold=True)
        show(section)


def _stamp(graph: str | None, settings: "Settings") -> "Stamp | None":
    """The stamp of the graph; None if there is none or it does not answer."""
    import kg
    from kg.errors import StoreError

    try:
        with kg.connect(graph, settings) as store:
            if stamp := store.stamp():
                return stamp
            say(translate("{uri}: holds no whole graph.", uri=store.uri), err=True)
    except StoreError as e:
        say(f"{e}.", err=True)
    return None


def _complete_kinds(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    from ingest.sources import SOURCES

    del ctx, param
    return [
        CompletionItem(name, help=kind.title)
        for name, kind in SOURCES.items()
        if name.startswith(incomplete)
    ]


@click.command("sources")
@click.argument("kind", required=False, shell_complete=_complete_kinds)
@json_option
@click.option("--markdown", is_flag=True, help="Print the page docs/kinds.md.")
def sources_command(kind: str | None, as_json: bool, markdown: bool) -> None:
    """List the kinds of source, or show licence, files, settings and relations of one KIND."""
    from ingest.sources import SOURCES
    from ingest.sources.listing import page
    from kg.stores.store import Rows

    localised = str if as_json else translate  # JSON is the same in every language
    if markdown:
        if as_json:
            raise click.UsageError(translate("--json and --markdown exclude each other; give one"))
        click.echo(page(), nl=False)
    elif kind is None:
        columns = ("kind", "title", "needs")
        rows = [
            (name, localised(source_kind.title), [*map(localised, source_kind.needs)])
            for name, source_kind in SOURCES.items()
        ]
        show(Rows(columns, tuple(rows)), as_json)
    else:
        _show_kind(kind, as_json)


def _show_kind(kind: str, as_json: bool) -> None:
    """Show one kind of source."""
    from ingest.sources import SOURCES
    from ingest.sources.listing import REQUIRED, settings, words
    from kg.stores.store import Rows

    fields, relations = settings(kind), words(kind)
    source_kind = SOURCES[kind]
    localised = str if as_json else translate
    texts = {
        "title": localised(source_kind.title),
        "licence": localised(source_kind.licence),
        "citation": localised(source_kind.citation),
        "needs": ", ".join(map(localised, source_kind.needs)),
        "obtained": localised(source_kind.obtained),
    }
    if as_json:
        lists = {
            "settings": [field._asdict() for field in fields],
            "relations": [word._asdict() for word in relations],
        }
        show_json({"kind": kind, **texts, **lists})
        return
    for name, text in texts.items():
        heading = title("columns", name)
        told = translate("{what}: {why}", what=click.style(heading, bold=True), why=text or "-")
        say(told)
    show(
        Rows(
            ("setting", "default", "meaning"),
            tuple(
                (name, translate(default) if default == REQUIRED else default, translate(about))
                for name, default, about in fields
            ),
        )
    )
    if relations:
        show(Rows(("original relation", "becomes"), tuple(map(tuple, relations))))


def _show_quarantine(report: "BuildReport", home: Path, source: str, form: AnswerForm) -> None:
    """List the quarantine, of one source if it is named."""
    from ingest.quarantine import local_reason, quarantined
    from kg.errors import BuildError
    from kg.stores.store import Rows

    names = [each.name for each in report.sources]
    if source and source not in names:
        why = "the last build has no source {source!r}; it has {names}"
        raise BuildError(translate(why, source=source, names=translate(", ").join(names)))
    found = quarantined(home, source or None)
    if not form.as_json:
        rows = tuple(
            (name, translate(str(stage)), file, row, local_reason(str(reason)))
            for name, stage, file, row, reason in found.rows
        )
        found = Rows(found.columns, rows)
    show_answer(found, form, order=("source", "file", "row"))


def _show(report: "BuildReport", changes: "Changes") -> None:
    """The report as tables on the terminal."""
    from ingest.check.commands import RULE_COLUMNS, outcome, rule_rows
    from ingest.clinical_picture import coverage_rows
    from ingest.report import named
    from kg.stores.store import Rows

    def section(heading: str, columns: tuple[str, ...], rows: list[tuple[str | int, ...]]) -> None:
        say(f"\n{translate(heading)}", bold=True)
        show(Rows(columns, tuple(rows)))

    section(
        "Sources",
        (
            *("source", "licence", "rows", "assertions", "loaded", "merged", "quarantined"),
            "loaded and merged before",
        ),
        [
            (
                *(
                    s.name,
                    translate(s.licence),
                    s.rows,
                    s.assertions,
                    s.loaded,
                    s.merged,
                    s.quarantined,
                ),
                _cell(changes.before.get(s.name)),
            )
            for s in report.sources
        ],
    )
    if cleaned := sum(s.cleaned for s in report.sources):
        say(
            translate(
                "{count} names and texts cleaned of invisible characters; cleaned.parquet lists "
                "them",
                count=cleaned,
            )
        )
    section("Nodes", ("type", "count"), _by_count(named("types", report.nodes)))
    section("Edges", ("relation", "count"), _by_count(named("relations", report.edges)))
    if report.decisions:
        section(
            "Merged ids and names",
            ("rule", "outcome", "count", "for example"),
            [
                (translate(d.rule), d.outcome, d.count, "; ".join(d.examples))
                for d in report.decisions
            ],
        )
    if report.links:
        section(
            "Text-born names",
            ("source", "outcome", "method", "names", "for example"),
            [
                (
                    *(c.source, translate(c.outcome), translate(c.method or ""), c.names),
                    "; ".join(c.shown()),
                )
                for c in report.links
            ],
        )
    section(
        "Disease-centred view (MedKGEval)",
        ("category", "facts", "entities", "in the paper"),
        [
            (translate(v.category), _cell(v.facts), _cell(v.things), _cell(v.paper))
            for v in report.disease_view
        ],
    )
    for picture in report.clinical_pictures:
        if picture.found:
            columns, rows = coverage_rows(picture)
            rows = [(translate(str(row[0])), *row[1:]) for row in rows]
            section(f"Clinical picture of common {picture.type.lower()}s", columns, rows)
        say(picture.summary())
    if report.check:
        section("Consistency rules", RULE_COLUMNS, rule_rows(report.check))
    _show_reasons(report)
    accounted = translate(
        "Every row and assertion is accounted for; {ids} ids and {names} names merged into "
        "others, {refused} merges refused, {nodes} nodes and {edges} edges from several sources; "
        "{cells} cells could not be read, and what their rows say stands without them.",
        ids=report.merged_ids,
        names=report.merged_names,
        refused=report.refused_merges,
        nodes=report.shared_nodes,
        edges=report.shared_edges,
        cells=report.unread_cells,
    )
    say(f"\n{accounted}")
    if report.check:
        say(outcome(report.check))


def _show_reasons(report: "BuildReport") -> None:
    """Why rows, cells and assertions are in quarantine, the most frequent reasons first."""
    from ingest.quarantine import local_reason
    from kg.stores.store import Rows

    rows = tuple(
        (r.source, translate(r.stage), local_reason(r.reason), r.count) for r in report.reasons
    )
    say(f"\n{translate('In quarantine')}", bold=True)
    show(Rows(("source", "stage", "reason", "count"), rows[:_MAX_REASONS]))
    if (more := len(rows) - _MAX_REASONS) > 0:
        others = "and {count} more reasons; 'medkg report --json' lists all"
        say(translate(others, count=more), err=True)
    if rows:
        each = (
            "'medkg report --quarantine' lists each with its file and row; with the name of a "
            "source behind it, those of the source"
        )
        say(translate(each), err=True)


def _cell(count: int | None) -> str | int:
    return "" if count is None else count


def _by_count(counts: dict[str, int]) -> list[tuple[str | int, ...]]:
    return [*sorted(counts.items(), key=lambda row: (-row[1], row[0]))]

"""``medkg check``: the consistency rules."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from kg.commands import Bars, graph_option, harmless, json_option, show, show_json

if TYPE_CHECKING:
    from ingest.check.check import CheckConfig, CheckResult
    from kg.configuration import Settings
    from kg.layers import Removal


RULE_COLUMNS: Final = ("rule", "severity", "edges", "what it finds")


@click.command("check")
@click.option("--apply", "apply_", is_flag=True, help="Take out and flag what the rules find.")
@click.option("--undo", is_flag=True, help="Put back what was taken out, and drop the flags.")
@click.option(
    "--rules",
    type=click.Path(path_type=Path, file_okay=False),
    help="A folder with further rules (default: that of the last build).",
)
@click.option(
    "--samples",
    type=click.IntRange(min=0),
    default=10,
    show_default=True,
    help="Edges shown of each rule.",
)
@graph_option
@json_option
def check_command(
    *,
    apply_: bool,
    undo: bool,
    rules: Path | None,
    samples: int,
    graph: str | None,
    as_json: bool,
) -> None:
    """Ask the consistency rules of the graph, and show what contradicts itself.

    A rule is a query in the topic 'rules' of the query library, or in a folder that the
    configuration of the build names; it returns the edges that breach it. One that says 'reject'
    takes them out of the graph, one that says 'warn' flags them. Without an option
    nothing is changed. A build checks the graph that it makes.

    With --apply the exit code is 1 where a rule that says 'reject' takes too long: what the
    others find is applied, and what it would take out is still there.
    """
    import kg
    from ingest.check.check import apply_check, check, undo_check
    from ingest.report import replace_check
    from kg.configuration import Settings
    from kg.errors import CheckError

    if apply_ and undo:
        raise click.UsageError("say --apply or --undo, not both")
    settings = Settings.read()
    with kg.connect(graph, settings) as store:
        if undo:
            removal = undo_check(store, settings.layers, Bars())
            replace_check(settings.home, None)
            _show_undone(removal, as_json)
            return
        config = _config(settings, rules, samples)
        result = (apply_check if apply_ else check)(store, config, Bars())
        if apply_:
            replace_check(settings.home, result)
    if as_json:
        show_json(result.model_dump_json(indent=2))
    else:
        _show(result)
    if apply_ and result.unasked:
        raise CheckError(
            f"the graph still has what {' and '.join(result.unasked)} would take out, for there was "
            "no answer; ask again when the store has less to do, or name it in 'without_rules'"
        )


def _show_undone(removal: "Removal", as_json: bool) -> None:
    if as_json:
        told = {"put_back": removal.put_back, "unmarked": removal.unmarked}
        click.echo(json.dumps(told, indent=2))
    else:
        back, unmarked = sum(removal.put_back.values()), sum(removal.unmarked.values())
        click.echo(
            f"Put back {back} edge{'s'[: back != 1]}; {unmarked} more lost flags and scores.",
            err=True,
        )


def _config(settings: "Settings", rules: Path | None, samples: int) -> "CheckConfig":
    from ingest.check.check import CheckConfig
    from ingest.check.rules import load_rules
    from ingest.manifest import Manifest
    from kg.tables import GraphTables

    asked = Manifest.read(settings.home).rules
    return CheckConfig(
        load_rules(rules or asked.folder, asked.without),
        GraphTables(settings.home / "tables"),
        settings.layers,
        samples,
    )


def _show(result: "CheckResult") -> None:
    from kg.stores.store import Rows

    for rule in result.rules:
        if rule.samples:
            click.secho(f"\n{harmless(f'{rule.rule} ({rule.severity}): {rule.title}')}", bold=True)
            columns = ("head", "relation", "tail", "reason", "facts")
            rows = [
                (
                    f"{s.head_name} ({s.head})",
                    s.relation,
                    f"{s.tail_name} ({s.tail})",
                    s.reason,
                    s.facts,
                )
                for s in rule.samples
            ]
            show(Rows(columns, tuple(rows)))
            if (more := rule.found - len(rule.samples)) > 0:
                how = "" if result.applied else f"; --samples {rule.found} shows all"
                click.echo(f"and {more} more{how}")
    click.secho("\nConsistency rules", bold=True)
    show(Rows(RULE_COLUMNS, tuple(rule_rows(result))))
    click.echo(outcome(result))


def rule_rows(result: "CheckResult") -> "list[tuple[str | int, ...]]":
    """A row for each rule, as RULE_COLUMNS names them."""
    return [
        (rule.rule, rule.severity, "stopped" if rule.stopped else rule.found, rule.title)
        for rule in result.rules
    ]


def outcome(result: "CheckResult") -> str:
    """What became of the edges that the rules find, and which rules gave no answer."""
    stopped = [f"Rule {rule.rule}: {rule.stopped}." for rule in result.rules if rule.stopped]
    return "\n".join([*stopped, _became(result)])


def _became(result: "CheckResult") -> str:
    if result.other:
        return (
            "The graph has the layer of other rules or of another medkg, and what that took out is "
            "not counted here; 'medkg check --apply' puts these rules in its place."
        )
    if not result.applied:
        return "The graph is as it was; 'medkg check --apply' takes out what is rejected and flags the rest."
    rejected, flagged = sum(result.rejected.values()), sum(result.flagged.values())
    return (
        f"The graph goes without {rejected} edges that rules reject, {flagged} are flagged, "
        f"{result.scored} edges from a disease to a symptom have a score; 'medkg check --undo' puts all back."
    )

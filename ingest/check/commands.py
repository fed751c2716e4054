"""``medkg check``: the consistency rules."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from cypher.translation import translate
from kg.commands import Bars, graph_option, harmless, json_option, say, show, show_json

if TYPE_CHECKING:
    from ingest.check.check import CheckConfig, CheckResult
    from kg.configuration import Settings
    from kg.layers import Removal


RULE_COLUMNS: Final = ("rule", "severity", "edges", "title")


@click.command("check")
@click.option(
    "--apply",
    "apply_",
    is_flag=True,
    help="Take out the edges that rules reject, flag those that they warn of.",
)
@click.option(
    "--undo", is_flag=True, help="Put back the edges that were taken out, and remove the flags."
)
@click.option(
    "--rules",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder with further rules (default: that of the last build).",
)
@click.option(
    "--samples",
    type=click.IntRange(min=0),
    default=10,
    show_default=True,
    help="Number of edges to show for each rule.",
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
    """Check the graph by the consistency rules, and show the edges that breach them.

    A rule is a query of the topic 'rules' in the query library, or in a folder that the
    configuration of the build names; it returns the edges that breach it. With --apply a rule
    of severity 'reject' takes these edges out of the graph, one of severity 'warn' flags them;
    without it nothing is changed. A build applies the rules to the graph that it makes.

    With --apply the exit code is 1 if a rule of severity 'reject' takes too long: the other
    rules are applied, and its edges stay in the graph.
    """
    import kg
    from ingest.check.check import apply_check, check, undo_check
    from ingest.report import replace_check
    from kg.configuration import Settings
    from kg.errors import CheckError

    if apply_ and undo:
        raise click.UsageError(translate("give --apply or --undo, not both"))
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
        result = result.with_samples(samples)
    if as_json:
        show_json(result.model_dump_json(indent=2))
    else:
        _show(result)
    if apply_ and result.unasked:
        raise CheckError(
            translate(
                "the graph still has what {rules} would take out, since the query got no answer; "
                "run it again when the store is less busy, or list it in 'without_rules'",
                rules=translate(" and ").join(result.unasked),
            )
        )


def _show_undone(removal: "Removal", as_json: bool) -> None:
    if as_json:
        counts = {"put_back": removal.put_back, "unmarked": removal.unmarked}
        click.echo(json.dumps(counts, indent=2))
    else:
        back, unmarked = sum(removal.put_back.values()), sum(removal.unmarked.values())
        message = (
            translate("Put back 1 edge; {unmarked} more lost flags and scores.", unmarked=unmarked)
            if back == 1
            else translate(
                "Put back {back} edges; {unmarked} more lost flags and scores.",
                back=back,
                unmarked=unmarked,
            )
        )
        say(message, err=True)


def _config(settings: "Settings", rules: Path | None, samples: int) -> "CheckConfig":
    from ingest.check.check import CheckConfig
    from ingest.check.rules import load_rules
    from ingest.manifest import Manifest
    from kg.tables import GraphTables

    last_build = Manifest.read(settings.home).rules
    return CheckConfig(
        load_rules(rules or last_build.folder, last_build.without),
        GraphTables(settings.home / "tables"),
        settings.layers,
        samples,
    )


def _show(result: "CheckResult") -> None:
    from kg.stores.store import Rows

    for rule in result.rules:
        if rule.samples:
            heading = translate(
                "{rule} ({severity}): {title}",
                rule=rule.rule,
                severity=translate(rule.severity),
                title=rule.local_title(),
            )
            say(f"\n{harmless(heading)}", bold=True)
            columns = ("head", "relation", "tail", "reason", "facts")
            rows = [
                (
                    f"{s.head_name} ({s.head})",
                    s.relation,
                    f"{s.tail_name} ({s.tail})",
                    translate(s.reason),
                    s.facts,
                )
                for s in rule.samples
            ]
            show(Rows(columns, tuple(rows)))
            if (more := rule.found - len(rule.samples)) > 0:
                if result.applied:
                    message = translate("and {count} more edges", count=more)
                else:
                    all_ = "and {count} more; --samples {found} shows all"
                    message = translate(all_, count=more, found=rule.found)
                say(message)
    say(f"\n{translate('Consistency rules')}", bold=True)
    show(Rows(RULE_COLUMNS, tuple(rule_rows(result))))
    say(outcome(result))


def rule_rows(result: "CheckResult") -> "list[tuple[str | int, ...]]":
    """A row for each rule, as RULE_COLUMNS names them."""
    return [
        (
            rule.rule,
            translate(rule.severity),
            translate("stopped") if rule.stopped else rule.found,
            rule.local_title(),
        )
        for rule in result.rules
    ]


def outcome(result: "CheckResult") -> str:
    """What happened to the edges that the rules found, and which rules were stopped."""
    stopped = [
        translate("Rule {rule}: {why}.", rule=rule.rule, why=rule.stopped)
        for rule in result.rules
        if rule.stopped
    ]
    return "\n".join([*stopped, _effect(result)])


def _effect(result: "CheckResult") -> str:
    if result.other:
        return translate(
            "The graph has the layer of other rules or of another version of medkg, and the edges "
            "which that took out are not counted here; 'medkg check --apply' replaces it."
        )
    if not result.applied:
        return translate(
            "The graph is unchanged; 'medkg check --apply' takes out the rejected edges and flags "
            "the others."
        )
    rejected, flagged = sum(result.rejected.values()), sum(result.flagged.values())
    return translate(
        "{rejected} edges that rules reject are taken out, {flagged} are flagged, {scored} edges "
        "from a disease to a symptom have a score; 'medkg check --undo' undoes all.",
        rejected=rejected,
        flagged=flagged,
        scored=result.scored,
    )

"""``medkg eval judge``: judges dialogues again that were held before."""

from collections.abc import Mapping
from pathlib import Path

import click

from cypher.translation import translate
from kg.commands import Bars, graph_option, json_option, lang_option, say, show, show_json, speak


@click.command("judge")
@click.argument(
    "logs",
    nargs=-1,
    required=True,
    metavar="LOG...",
    type=click.Path(exists=True, path_type=Path),
)
@click.option(
    "--judge",
    "judges",
    multiple=True,
    metavar="MODEL",
    help="Who scores; may be repeated.  [default: medkg/judge]",
)
@click.option(
    "--roles",
    "roles_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="YAML: model, base_url, key … of the judge, as 'medkg eval medkgeval' takes it.",
)
@click.option(
    "--prompts",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Templates in place of medkg's, e.g. with another rubric.",
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    metavar="FOLDER",
    help="Gets the logs of the new judgements.",
)
@graph_option
@json_option
@lang_option
def judge_command(
    *,
    logs: tuple[Path, ...],
    judges: tuple[str, ...],
    roles_file: Path | None,
    prompts: Path | None,
    out: Path,
    graph: str | None,
    as_json: bool,
) -> None:
    """Judge dialogues again, by other judges, another rubric or another graph.

    LOG is a log of 'medkg eval medkgeval', or a folder with logs. No dialogue is run: what
    was said stands. What moved is shown; 'medkg eval report' takes the new logs like any.

    For example: medkg eval judge .medkg/eval --judge openai/gpt-4o --out again
    """
    speak()
    from evalsim.commands.requirements import need_extensions

    need_extensions()
    from evalsim.report.tables import plain, value_name
    from evalsim.running.logs import find_logs
    from evalsim.running.rejudge import score_changes
    from evalsim.running.roles import read_cast
    from evalsim.running.run import judge_again
    from kg.stores.store import Rows

    logs_before = find_logs(logs)
    models = {"doctor": "medkg/doctor-oracle"}  # it says nothing here
    cast = read_cast(models, roles_file, "offline", judges=judges)
    result = judge_again(
        logs_before, out, cast.judge, graph=graph, prompts=prompts, progress=Bars()
    )
    rows = score_changes(logs_before, result.logs)
    if as_json:
        named_rows = [
            {
                **vars(each),
                "highest": each.highest,
                "changed": each.changed,
                "changes": _changes(each.changes),
            }
            for each in rows
        ]
        show_json({"moved": named_rows, "logs": [str(log) for log in result.logs]})
    else:
        columns = (
            "task",
            "metric",
            "turns",
            "before",
            "after",
            "highest",
            "changed",
            "lost",
            "gained",
        )
        table = tuple(
            (
                translate(each.task),
                value_name(each.metric),
                each.turns,
                plain(each.before),
                plain(each.after),
                each.highest,
                each.changed,
                each.lost,
                each.gained,
            )
            for each in rows
        )
        show(Rows(columns, table))
        message = "Means of the turns that both judged, in points from 0 to the highest score; reports have them from 0 to 1."
        say(translate(message), err=True)
    if not result.complete:
        message = "Not all dialogues were judged; the same command goes on where it stopped."
        say(translate(message), err=True)
        click.get_current_context().exit(1)


def _changes(changes: Mapping[tuple[float, float], int]) -> dict[str, int]:
    """From one score to another, as JSON can say it."""
    return {f"{old:g} to {new:g}": n for (old, new), n in changes.items()}

"""``medkg eval medkgeval``: a doctor meets patients made from the graph, and is judged turn by turn."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from cypher.translation import translate
from evalsim.commands.cases import drawn_cases
from evalsim.commands.planned import read_pilots, read_sizes, show_plan, show_plans
from evalsim.commands.requirements import need_extensions
from kg.commands import Bars, graph_option, json_option, lang_option, say, show, show_json, speak
from kg.configuration import Settings

if TYPE_CHECKING:
    from evalsim.running.summary import Summary

_FOLDER = click.Path(file_okay=False, path_type=Path)
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_OF_PLAN = {
    "sd": "--sd",
    "icc": "--icc",
    "pilot_logs": "--pilot",
    "comparisons": "--comparisons",
}
_GOES_ON = "Not all dialogues were held; the same command goes on where it stopped."


@click.command("medkgeval")
@click.option(
    "--cases",
    type=_FILE,
    metavar="FILE",
    help="Of 'medkg eval cases'.  [default: .medkg/cases/TASK-LANGUAGE.jsonl]",
)
@click.option(
    "--language",
    type=click.Choice(["en", "zh"]),
    help="Of the cases that medkg drew.  [default: en]",
)
@click.option(
    "--task",
    type=click.Choice(["diagnosis", "medication"]),
    default="diagnosis",
    show_default=True,
    help="What the doctor is asked for.",
)
@click.option(
    "--out",
    type=_FOLDER,
    metavar="FOLDER",
    help="Gets the logs; a run goes on there.  [default: .medkg/eval/DOCTOR-CASES]",
)
@click.option("--doctor", metavar="MODEL", help="Who is evaluated.")
@click.option("--patient", metavar="MODEL", help="Who speaks as the patient.")
@click.option("--director", metavar="MODEL", help="Who says what the patient may tell.")
@click.option(
    "--judge", "judges", multiple=True, metavar="MODEL", help="Who scores; may be repeated."
)
@click.option(
    "--roles",
    "roles_file",
    type=_FILE,
    metavar="FILE",
    help="YAML: model, base_url, key (name of a variable), temperature … of each role.",
)
@click.option(
    "--preset",
    metavar="NAME",
    help="offline: medkg plays all but the doctor; paper: the models of MedKGEval.",
)
@click.option("--no-director", is_flag=True, help="Nobody controls the patient (an ablation).")
@click.option("--single-turn", is_flag=True, help="All findings at once, and one reply.")
@click.option("--turns", type=click.IntRange(1, 100), default=12, show_default=True, metavar="N")
@click.option(
    "--manner",
    multiple=True,
    type=click.Choice(["vague", "withholding", "fabricating"]),
    help="Of the patient; may be repeated.",
)
@click.option(
    "--prompts",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Templates in place of medkg's.",
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True)
@click.option(
    "--repeats",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Dialogues of each case.",
)
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Cases at most.")
@click.option(
    "--at-once",
    type=click.IntRange(1),
    default=32,
    show_default=True,
    metavar="N",
    help="Dialogues held side by side.",
)
@click.option(
    "--fail-share",
    type=click.FloatRange(0, 1),
    default=0.1,
    show_default=True,
    help="The run stops when more than this share of its dialogues have failed; 1: never.",
)
@click.option("--plan", is_flag=True, help="Only say which difference so many cases would show.")
@click.option(
    "--sd",
    type=click.FloatRange(0, 1, min_open=True),
    default=0.4,
    show_default=True,
    help="Of --plan: standard deviation of the difference of two doctors in one dialogue.",
)
@click.option(
    "--icc",
    type=click.FloatRange(0, 1),
    default=0.5,
    show_default=True,
    help="Of --plan: how alike that difference is in dialogues of one disease or drug.",
)
@click.option(
    "--pilot",
    "pilot_logs",
    multiple=True,
    type=click.Path(exists=True, path_type=Path),
    metavar="LOG",
    help="Of --plan: measure both in these runs of two doctors or more; a log or a folder.",
)
@click.option(
    "--comparisons",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Of --plan: pairs of doctors that are tested together, at 5 % in all.",
)
@graph_option
@json_option
@lang_option
def medkgeval_command(
    *,
    cases: Path | None,
    language: str | None,
    task: Any,  # noqa: ANN401 - of Task, which click cannot say
    out: Path | None,
    doctor: str | None,
    patient: str | None,
    director: str | None,
    judges: tuple[str, ...],
    roles_file: Path | None,
    preset: str | None,
    no_director: bool,
    single_turn: bool,
    turns: int,
    manner: tuple[Any, ...],
    prompts: Path | None,
    seed: int,
    repeats: int,
    limit: int | None,
    at_once: int,
    fail_share: float,
    plan: bool,
    sd: float,
    icc: float,
    pilot_logs: tuple[Path, ...],
    comparisons: int,
    graph: str | None,
    as_json: bool,
) -> None:
    """Have a model talk with patients, and judge every turn by the graph.

    Every role has a model of its own, and none is taken for granted: name them, or
    take a preset and say what differs. medkg/patient, medkg/director, medkg/judge and
    medkg/doctor-oracle, -differential, -greedy, -random need no network. A run that was
    stopped goes on in its folder, and repeats no finished call.

    For example: medkg eval medkgeval --preset offline --doctor medkg/doctor-differential
    """
    speak()
    home = Settings.read().home
    if cases and language:
        message = "--language chooses among the cases that medkg drew, and --cases names a file; leave one out"
        raise click.UsageError(translate(message))
    if not plan and (option := _given_for_plan()):
        message = "{option} belongs to --plan; add --plan, or leave it out"
        raise click.UsageError(translate(message, option=option))
    cases = cases or drawn_cases(home, task, language or "en")
    if plan:
        sizes = read_sizes(cases, task, limit)
        size: dict[str, Any] = {"repeats": repeats, "comparisons": comparisons, "as_json": as_json}
        if pilot_logs:
            show_plans(sizes, read_pilots(pilot_logs, task, icc), **size)
        else:
            show_plan(sizes, sd, icc, **size)
        return
    if task == "medication" and (single_turn or manner):
        option = "--single-turn" if single_turn else "--manner"
        message = "{option} belongs to the task diagnosis; leave it out, or choose that task"
        raise click.UsageError(translate(message, option=option))
    if no_director and (single_turn or manner):
        option = "--single-turn" if single_turn else "--manner"
        message = "{option} needs a director; leave out {option} or --no-director"
        raise click.UsageError(translate(message, option=option))
    need_extensions()
    from evalsim.running.roles import read_cast
    from evalsim.running.run import RunOptions, run
    from evalsim.running.summary import summarize

    model_of = {"doctor": doctor, "patient": patient, "director": director}
    models = {role: model for role, model in model_of.items() if model}
    cast = read_cast(models, roles_file, preset, director=not no_director, judges=judges)
    doctor_name = re.sub(r"[^A-Za-z0-9]+", "-", cast.doctor.name).strip("-")
    out = out or home / "eval" / f"{doctor_name}-{cases.stem}"
    options = RunOptions(
        task=task,
        cases=cases,
        folder=out,
        cast=cast,
        graph=graph,
        prompts=prompts,
        turns=turns,
        single_turn=single_turn,
        manner=manner,
        seed=seed,
        repeats=repeats,
        limit=limit,
        max_samples=at_once,
        fail_share=fail_share,
    )
    try:
        result = run(options, Bars())
    except KeyboardInterrupt:
        say(translate(_GOES_ON), err=True)
        raise
    summary = summarize(result.logs)
    if as_json:
        show_json(summary.json())
    else:
        show_summary(summary)
        say(translate("Report: {command}", command=f"medkg eval report {out}"), err=True)
    if not result.complete:
        say(translate(_GOES_ON), err=True)
        click.get_current_context().exit(1)


def _given_for_plan() -> str | None:
    """An option of --plan that was given; None: none was."""
    context = click.get_current_context()
    for name, option in _OF_PLAN.items():
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            return option
    return None


def show_summary(summary: "Summary") -> None:
    """Print what runs came to: scores, then how dialogues ended and what they cost."""
    from evalsim.report.tables import limits, plain, value_name
    from kg.stores.store import Rows

    rows = tuple(
        (
            each.doctor,
            value_name(each.metric),
            plain(each.score.mean),
            limits(each.score),
            each.dialogues,
            f"{each.coverage:.0%}",
        )
        for each in summary.standings
    )
    columns = ("doctor", "metric", "score", "interval", "dialogues", "judged")
    show(Rows(columns, rows))
    ends = ", ".join(f"{translate(reason)} {count}" for reason, count in summary.ends.items())
    message = "{count} dialogues of {turns} turns on average; ended: {ends}."
    say(
        translate(message, count=summary.dialogues, turns=f"{summary.turns:.1f}", ends=ends),
        err=True,
    )
    if summary.violations:
        message = "In {count} turns the patient broke a rule; the report says which."
        say(translate(message, count=summary.violations), err=True)
    if summary.unscored:
        message = "{count} judgements failed or cannot be read; they are not scored."
        say(translate(message, count=summary.unscored), err=True)
    for role, spent in summary.spent.items():
        if spent.input_tokens or spent.replayed_input_tokens:
            message = "{role}: {calls} calls, {tokens} tokens; {replayed} calls replayed"
            tokens = spent.input_tokens + spent.output_tokens
            line = translate(
                message, role=role, calls=spent.calls, tokens=tokens, replayed=spent.replayed_calls
            )
            say(line, err=True)

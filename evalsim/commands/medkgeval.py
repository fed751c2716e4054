"""``medkg eval medkgeval``: a doctor meets patients made from the graph, and is judged turn by turn."""

import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cypher.translation import translate
from evalsim.commands.cases import drawn_cases
from evalsim.commands.requirements import need_extensions
from kg.commands import graph_option, json_option, lang_option, show, show_json, speak
from kg.configuration import Settings
from kg.errors import EvaluationError

if TYPE_CHECKING:
    from evalsim.running.summary import Summary

_FOLDER = click.Path(file_okay=False, path_type=Path)
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
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
    default="en",
    show_default=True,
    help="Of the cases that medkg drew.",
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
    language: str,
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
    cases = cases or drawn_cases(home, task, language)
    if plan:
        _show_plan(
            cases,
            task,
            limit,
            repeats=repeats,
            sd=sd,
            icc=icc,
            comparisons=comparisons,
            as_json=as_json,
        )
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

    named = {"doctor": doctor, "patient": patient, "director": director}
    given = {role: model for role, model in named.items() if model}
    cast = read_cast(given, roles_file, preset, director=not no_director, judges=judges)
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
        result = run(options)
    except KeyboardInterrupt:
        click.echo(translate(_GOES_ON), err=True)
        raise
    summary = summarize(result.logs)
    if as_json:
        show_json(summary.json())
    else:
        show_summary(summary)
        click.echo(translate("Report: {command}", command=f"medkg eval report {out}"), err=True)
    if not result.complete:
        click.echo(translate(_GOES_ON), err=True)
        click.get_current_context().exit(1)


def _show_plan(
    file: Path,
    task: str,
    limit: int | None,
    *,
    repeats: int,
    sd: float,
    icc: float,
    comparisons: int,
    as_json: bool,
) -> None:
    """What so many cases could show; scores are from 0 to 1, and so no difference is above 1."""
    from evalsim.case import read_cases
    from evalsim.statistics import plan

    cases = [case for case in read_cases(file) if case.task == task][:limit]
    sizes = Counter(case.target.id for case in cases).values()
    if len(sizes) < 2:  # noqa: PLR2004 - a test needs two
        message = "{file}: has {count} cases of the task {task}; a plan needs two at least"
        raise EvaluationError(translate(message, file=file, count=len(cases), task=task))
    planned = plan(
        len(cases),
        sd=sd,
        icc=icc,
        repeats=repeats,
        clusters=len(sizes),
        cluster_size=sum(size**2 for size in sizes) / len(cases),
        comparisons=comparisons,
    )
    detectable = planned.detectable if planned.detectable <= 1 else None
    if as_json:
        show_json({**vars(planned), "detectable": detectable})
        return
    message = "{dialogues} dialogues a doctor of {cases} cases, {repeats} each, tell as much as {effective} independent ones (standard deviation {sd}, correlation within a disease or drug {icc}, {comparisons} comparisons)."
    click.echo(
        translate(
            message,
            dialogues=len(cases) * repeats,
            cases=len(cases),
            repeats=repeats,
            effective=f"{planned.effective:.0f}",
            sd=sd,
            icc=icc,
            comparisons=comparisons,
        )
    )
    power = f"{planned.power:.0%}"
    if detectable is None:
        message = "No difference between two doctors could be shown with a power of {power}: it would have to be above 1, and scores are from 0 to 1; take more cases."
        click.echo(translate(message, power=power))
        return
    message = "A true difference of {detectable} between two doctors would be found with a power of {power}."
    click.echo(translate(message, detectable=f"{detectable:.3f}", power=power))


def show_summary(summary: "Summary") -> None:
    """Print what runs came to: scores, then how dialogues ended and what they cost."""
    from evalsim.report.tables import limits, plain, said
    from kg.stores.store import Rows

    rows = tuple(
        (
            each.doctor,
            said(each.metric),
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
    click.echo(
        translate(message, count=summary.dialogues, turns=f"{summary.turns:.1f}", ends=ends),
        err=True,
    )
    if summary.violations:
        message = "In {count} turns the patient broke a rule; the report says which."
        click.echo(translate(message, count=summary.violations), err=True)
    if summary.unscored:
        message = "{count} judgements failed or cannot be read; they are not scored."
        click.echo(translate(message, count=summary.unscored), err=True)
    for role, spent in summary.spent.items():
        if spent.input_tokens or spent.replayed_input_tokens:
            message = "{role}: {calls} calls, {tokens} tokens; {replayed} calls replayed"
            tokens = spent.input_tokens + spent.output_tokens
            line = translate(
                message, role=role, calls=spent.calls, tokens=tokens, replayed=spent.replayed_calls
            )
            click.echo(line, err=True)

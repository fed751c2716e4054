"""Runs MedKGEval: binds the roles, has Inspect hold the dialogues, and goes on where a run was stopped."""

import gc
import json
import math
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, NamedTuple

import inspect_ai
import rich
from inspect_ai import Task, eval_set
from inspect_ai._util.error import PrerequisiteError
from inspect_ai._util.registry import set_registry_params
from inspect_ai.log import EvalLog, list_eval_logs
from inspect_ai.model import GenerateConfig, Model, get_model
from rich.text import Text

from cypher.translation import translate
from evalsim.case import Task as Kind
from evalsim.plan import Manner
from evalsim.running import tasks
from evalsim.running.logs import read_header, read_run
from evalsim.running.progress import counted
from evalsim.running.roles import LIMITS, Cast, Player, check_players
from kg.errors import EvaluationError
from kg.progress import Progress, Silent

JOURNAL: Final = "finished-calls.jsonl"
"""In the folder of a run."""
_KEYLESS: Final = "no-key"
_KEY: Final = re.compile(r"\[blue\]([A-Z0-9_]+_(?:KEY|TOKEN))\[/blue\]")
"""A variable that Inspect misses, as it marks it for the screen."""

Display = Literal["none", "plain", "rich", "full"]
"""How Inspect shows how far it is."""
_SILENT: Final = Silent()


@dataclass(frozen=True)
class RunOptions:
    """One run: one doctor on one set of cases."""

    task: Kind
    cases: Path
    folder: Path
    """Gets the logs and the journal of finished calls; a run that was stopped goes on there."""
    cast: Cast
    graph: str | None = None
    prompts: Path | None = None
    turns: int = 12
    single_turn: bool = False
    manner: tuple[Manner, ...] = ()
    seed: int = 0
    repeats: int = 1
    """Dialogues of each case, each with a seed of its own."""
    limit: int | None = None
    """Cases at most."""
    max_samples: int = 32
    """Dialogues at once."""
    fail_share: float = 0.1
    """The run stops when more than this share of its dialogues have failed; 1: never."""
    display: Display = "none"


@dataclass
class RunResult:
    """What a run left."""

    complete: bool
    logs: list[Path] = field(default_factory=list)


def run(options: RunOptions, progress: Progress = _SILENT) -> RunResult:
    """Hold all dialogues that are not held yet.

    The run of one version in a folder only grows: more cases or more repeats hold the rest, and what is
    held already is held no second time.

    Raises:
        KeyboardInterrupt: it was stopped; what was finished is kept.
        ConfigurationError: a role cannot be called.
        EvaluationError: the folder has logs of another Inspect, or a run that would have to shrink.
        MedKGError: the cases, the graph or the prompts cannot be used.
    """
    cast = options.cast
    arguments: dict[str, object] = {
        "cases": str(options.cases),
        "graph": options.graph,
        "prompts": str(options.prompts) if options.prompts else None,
        "turns": options.turns,
        "director": cast.director is not None,
        "manner": ",".join(options.manner),
        "seed": options.seed,
    }
    if options.task == "diagnosis":
        arguments["single_turn"] = options.single_turn
    task_of = {"diagnosis": tasks.medkgeval_diagnosis, "medication": tasks.medkgeval_medication}
    return _hold_dialogues(
        options.folder,
        task_of[options.task],
        arguments,
        dict(cast.players()),
        repeats=options.repeats,
        limit=options.limit,
        max_samples=options.max_samples,
        fail_share=options.fail_share,
        display=options.display,
        progress=progress,
    )


def judge_again(
    logs: Sequence[Path],
    folder: Path,
    judges: Sequence[Player],
    *,
    graph: str | None = None,
    prompts: Path | None = None,
    max_samples: int = 32,
    progress: Progress = _SILENT,
) -> RunResult:
    """Judge the dialogues of some logs again; nobody speaks.

    Args:
        logs: of runs of one task or of both.
        folder: gets the logs of this.
        judges: who judges, in their order.
        graph: of the judges and of what they are told; None: that of the settings.
        prompts: templates in place of medkg's.
        max_samples: dialogues at once.
        progress: of the dialogues.

    Raises:
        ConfigurationError: a judge cannot be called.
        EvaluationError: a log cannot be read, or the folder has logs of another Inspect.
        MedKGError: the graph or the prompts cannot be used.
    """
    players = {
        "judge" if number == 0 else f"judge {number + 1}": judge
        for number, judge in enumerate(judges)
    }
    result = RunResult(complete=True)
    for task in sorted({read_run(log).task for log in logs}):
        arguments: dict[str, object] = {
            "logs": json.dumps([str(log.resolve()) for log in logs]),
            "task": task,
            "graph": graph,
            "prompts": str(prompts) if prompts else None,
        }
        result_of_task = _hold_dialogues(
            folder / task,
            tasks.medkgeval_judging,
            arguments,
            players,
            max_samples=max_samples,
            progress=progress,
        )
        result.complete = result.complete and result_of_task.complete
        result.logs += result_of_task.logs
    return result


def _hold_dialogues(
    folder: Path,
    task: Callable[..., Task],
    arguments: Mapping[str, object],
    players: Mapping[str, Player],
    *,
    repeats: int = 1,
    limit: int | None = None,
    max_samples: int = 32,
    fail_share: float = 0.1,
    display: Display = "none",
    progress: Progress = _SILENT,
) -> RunResult:
    """Have Inspect work through a task, as far as the logs in a folder have not done so."""
    check_players(players)
    logs_before = _logs_in(folder)
    identities = {
        role: player.model_dump(mode="json", exclude={*LIMITS}) for role, player in players.items()
    }
    models = {role: open_model(role, player) for role, player in players.items()}
    inspect_task = task(
        **arguments,
        players=json.dumps(identities, sort_keys=True),
        journal=str(folder / JOURNAL),
    )
    logs_of_version = [log for log in logs_before if log.eval.task_version == inspect_task.version]
    if logs_of_version:
        latest = max(logs_of_version, key=lambda log: log.eval.created)
        limit, repeats = _grown_size(folder, latest, len(inspect_task.dataset), limit, repeats)
        # for Inspect it is the same task only by the same paths, though the version says that they hold the same
        set_registry_params(inspect_task, latest.eval.task_args_passed)
    judges = [model for role, model in models.items() if role.startswith("judge")]
    roles: dict[str, Model | list[Model]] = {
        role: model for role, model in models.items() if not role.startswith("judge")
    }
    to_hold = (
        None
        if logs_of_version
        else min(limit or len(inspect_task.dataset), len(inspect_task.dataset)) * repeats
    )
    console = rich.get_console()
    was_quiet = console.quiet
    console.quiet = display == "none"  # of a run that is complete Inspect says so even then
    try:
        with rarely_collected(), counted(progress, to_hold):
            complete, logs = eval_set(
                inspect_task,
                log_dir=str(folder),
                model=models.get("doctor", judges[0]),
                model_roles={**roles, "judge": judges},
                retry_attempts=0,
                retry_immediate=False,
                epochs=repeats,
                limit=limit,
                max_samples=max_samples,
                fail_on_error=_fail_on_error(fail_share),
                log_realtime=False,
                log_model_api=True,
                log_dir_allow_dirty=True,
                display=display,
                ctl_server=False,
                acp_server=False,
            )
    finally:
        console.quiet = was_quiet
    if not logs:  # Inspect keeps the interrupt to itself, and has no log of what it stopped
        raise KeyboardInterrupt
    return RunResult(complete, [_path(log.location) for log in logs])


@contextmanager
def rarely_collected() -> Iterator[None]:
    """Look for garbage seldom, and not among what was there before.

    A graph's names and the events of many dialogues are no garbage; to go through them again and again takes
    a tenth of a run, up to a second at a time in which nothing else is done.
    """
    thresholds = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
        gc.unfreeze()


def _fail_on_error(share: float) -> bool | float:
    """What Inspect is told, so that more than a share of failed dialogues stops a run.

    Of a number it stops at the share itself, and takes 0 for always and 1 for one dialogue.
    """
    if share in (0, 1):
        return share == 0
    return math.nextafter(share, 1)


def open_model(role: str, player: Player) -> Model:
    """The model that plays a role, with its own endpoint, key and limits.

    Raises:
        EvaluationError: Inspect knows no such provider, or it lacks something.
    """
    config = GenerateConfig(
        temperature=player.temperature,
        max_tokens=player.max_tokens,
        max_connections=player.max_connections,
        max_retries=player.max_retries,
        attempt_timeout=player.attempt_timeout,
        timeout=player.timeout,
    )
    key = os.environ.get(player.key) if player.key else None
    try:
        if player.own:
            return get_model(player.model, memoize=False, graph=player.graph)
        if player.base_url is not None:
            return get_model(
                f"openai-api/medkg/{player.model}",
                config=config,
                base_url=player.base_url,
                api_key=key or f"{_KEYLESS}-{role.replace(' ', '-')}",
                memoize=False,
                max_retries=0,  # of the client; Inspect counts its own
            )
        return get_model(player.model, config=config, api_key=key, memoize=False)
    except (ValueError, ImportError, PrerequisiteError) as e:
        if missing := _KEY.findall(str(e)):
            message = "{role}: {model} has no key; set {variables}, or name the variable of its key by 'key' in a file of roles"
            raise EvaluationError(
                translate(
                    message,
                    role=role,
                    model=player.model,
                    variables=translate(" or ").join(missing),
                )
            ) from e
        message = "{role}: {model} cannot be used ({why}); write a model as Inspect names it, or give its base_url"
        raise EvaluationError(
            translate(message, role=role, model=player.model, why=_plain(str(e)))
        ) from e


def _plain(text: str) -> str:
    """What Inspect says, without its markup for the screen."""
    return " ".join(Text.from_markup(text).plain.removeprefix("ERROR: ").split())


def _logs_in(folder: Path) -> list[EvalLog]:
    """The logs of a folder, without their samples.

    Raises:
        EvaluationError: another Inspect wrote one of them, or one cannot be read.
    """
    if not folder.is_dir():
        return []
    logs = [read_header(_path(info.name)) for info in list_eval_logs(str(folder))]
    for log in logs:
        made_by = log.eval.packages.get("inspect_ai")
        if made_by not in (None, inspect_ai.__version__):
            message = "{folder}: was begun with Inspect {before}, and this is {now}; install that version, or take another folder"
            raise EvaluationError(
                translate(message, folder=folder, before=made_by, now=inspect_ai.__version__)
            )
    return logs


class _Size(NamedTuple):
    """How many cases a run has, and how many dialogues of each."""

    cases: int
    repeats: int


def _grown_size(
    folder: Path, log: EvalLog, all_cases: int, limit: int | None, repeats: int
) -> tuple[int | None, int]:
    """How many cases, None for all, and repeats a run is to have that has begun; never fewer than it had.

    Inspect would drop from a run what a smaller limit or number of repeats leaves out.

    Raises:
        EvaluationError: fewer of one are asked for, and there is something yet to hold.
    """
    config = log.eval.config
    had_limit = config.limit if isinstance(config.limit, int) else None
    had, needed = (
        _Size(min(cases or all_cases, all_cases), times)
        for cases, times in ((had_limit, config.epochs or 1), (limit, repeats))
    )
    if needed.cases >= had.cases and needed.repeats >= had.repeats:
        return limit, repeats
    if log.status == "success" and needed.cases <= had.cases and needed.repeats <= had.repeats:
        return had_limit, had.repeats  # all of it is there
    message = "{folder}: the run there is of {cases} cases with {repeats} dialogues each, and goes on with no fewer of either, but {fewer} with {times} each are asked for; ask for as many or more, or name another folder with --out"
    raise EvaluationError(
        translate(
            message,
            folder=folder,
            cases=had.cases,
            repeats=had.repeats,
            fewer=needed.cases,
            times=needed.repeats,
        )
    )


def _path(location: str) -> Path:
    return Path(location.removeprefix("file://"))

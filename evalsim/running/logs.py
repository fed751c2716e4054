"""Reads the dialogues back from the logs of runs, with what they were held under."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from inspect_ai.log import EvalLog, EvalSample, read_eval_log, read_eval_log_samples
from pydantic import TypeAdapter, ValidationError

from cypher.translation import translate
from evalsim.case import Case, DiagnosisCase, Language, MedicationCase, Task
from evalsim.dialogue import Dialogue
from evalsim.metrics.scores import Played
from evalsim.running.calls import Spent
from kg.errors import EvaluationError

DIALOGUE: Final = "medkg_dialogue"
"""Key in the store of a sample: a ``Dialogue`` as JSON."""
HELD_BY: Final = "held_by"
"""Key in the metadata of a sample that is judged again: who held the dialogue before."""
SPENT: Final = "medkg_spent"
"""Key in the store of a sample: what the calls of each role took."""

_CASE: Final[TypeAdapter[DiagnosisCase | MedicationCase]] = TypeAdapter(Case)
_JUDGED_BY: Final = ("graph_checksum", "prompts", "prompts_checksum")
"""Of the settings of a run that judged again, what its judges were given."""
_LEFT_UNREAD: Final = {"messages", "events", "attachments", "events_data"}
"""Of a sample, what its dialogue says already."""


@dataclass(frozen=True)
class Run:
    """One run: one doctor on one set of cases."""

    id: str
    held_by: str
    """Id of the run that held the dialogues: this one, unless it only judged them again."""
    task: Task
    doctor: str
    patient: str
    director: str | None
    judges: tuple[str, ...]
    started: str
    """ISO 8601."""
    finished: str | None
    complete: bool
    version: str
    """Of the task: the same for runs with the same cases, graph, prompts and players."""
    cases: str
    """Checksum of its cases."""
    settings: Mapping[str, Any]
    log: Path


@dataclass(frozen=True)
class HeldDialogue:
    """One dialogue that was held."""

    run: Run
    sample: str
    """Id of the sample in its log; that of the case, unless the dialogue was judged again."""
    case: DiagnosisCase | MedicationCase
    dialogue: Dialogue
    repeat: int
    """From 1, of the dialogues of this case in this run."""
    spent: Mapping[str, Spent]
    seconds: float
    """From its first call to its last."""
    error: str | None
    """Why it broke off, where it did."""

    @property
    def played(self) -> Played:
        """As metrics take it."""
        settings = self.run.settings
        return Played(
            dialogue=self.dialogue,
            doctor=self.run.doctor,
            target=self.case.target.id,
            repeat=self.repeat,
            patient=self.run.patient,
            directed=bool(settings.get("director", True)),
            single_turn=bool(settings.get("single_turn", False)),
        )

    @property
    def language(self) -> Language:
        """Of the dialogue."""
        return self.case.language


def find_logs(paths: Sequence[Path]) -> list[Path]:
    """The logs among files and folders, sorted, each once.

    Raises:
        EvaluationError: there is none.
    """
    files: list[Path] = []
    for path in paths:
        files += [path] if path.is_file() else sorted(path.rglob("*.eval"))
    if not files:
        message = "{paths}: no log is there; give the folder of a run of 'medkg eval medkgeval'"
        raise EvaluationError(translate(message, paths=", ".join(map(str, paths))))
    return list(dict.fromkeys(files))


def read_run(log: Path) -> Run:
    """What a log says of its run.

    Raises:
        EvaluationError: it cannot be read, or is of no task of medkg.
    """
    return _run(log, read_header(log))


def read_dialogues(logs: Sequence[Path]) -> Iterator[HeldDialogue]:
    """The dialogues of some logs, in the order of the logs and of their cases.

    One that is in several logs is given once: a run that went on begins with what it had, and then it
    is the later log's; of a log and its copy it is that of the first.

    Raises:
        EvaluationError: as for ``read_run``.
    """
    groups: dict[tuple[Path, str], list[Run]] = {}
    for log in logs:
        run = read_run(log)
        groups.setdefault((log.resolve().parent, run.version), []).append(run)
    seen: set[tuple[str, str, int]] = set()
    for runs in groups.values():
        for held in _dialogues_of_run(runs):
            key = (held.run.id, held.sample, held.repeat)
            if key not in seen:
                seen.add(key)
                yield held


def _dialogues_of_run(runs: Sequence[Run]) -> Iterator[HeldDialogue]:
    """The dialogues of the logs of one run, each from the latest that has it."""
    if len(runs) == 1:
        yield from _dialogues_of_log(runs[0])
        return
    ordered = sorted(runs, key=lambda each: each.started)
    last_run = ordered[-1]
    latest: dict[tuple[str, int], HeldDialogue] = {}
    for run in ordered:
        for held in _dialogues_of_log(run):
            # of a run that went on, what it began with is of the same run
            run_of_all = replace(
                held.run,
                id=last_run.id + held.run.id.removeprefix(run.id),
                held_by=last_run.id if held.run.held_by == run.id else held.run.held_by,
                finished=last_run.finished,
                complete=last_run.complete,
                log=last_run.log,
            )
            latest[held.sample, held.repeat] = replace(held, run=run_of_all)
    yield from latest.values()


def _dialogues_of_log(run: Run) -> Iterator[HeldDialogue]:
    """The dialogues of one log."""
    try:
        samples = read_eval_log_samples(
            str(run.log), all_samples_required=False, exclude_fields=_LEFT_UNREAD
        )
        for sample in samples:
            if (dialogue := _held_dialogue(run, sample)) is not None:
                yield dialogue
    except (OSError, ValueError, KeyError) as e:
        raise _unreadable(run.log, e) from e


def read_header(log: Path) -> EvalLog:
    """A log of Inspect without its samples.

    Raises:
        EvaluationError: it cannot be read.
    """
    try:
        return read_eval_log(str(log), header_only=True)
    except (OSError, ValueError, KeyError) as e:
        raise _unreadable(log, e) from e


def _unreadable(log: Path, error: Exception) -> EvaluationError:
    message = "{file}: is no log that can be read ({why}); give logs of 'medkg eval medkgeval'"
    return EvaluationError(translate(message, file=log, why=" ".join(str(error).split())[:200]))


def _run(log: Path, header: EvalLog) -> Run:
    spec = header.eval
    settings = (spec.metadata or {}).get("medkg")
    if not settings or not spec.task.startswith("medkg/medkgeval_"):
        message = "{file}: is a log of {task}, which is no task of medkg"
        raise EvaluationError(translate(message, file=log, task=spec.task))
    roles = spec.model_roles or {}
    judges = roles.get("judge", [])
    single_models = {role: model for role, model in roles.items() if not isinstance(model, list)}
    doctor = single_models["doctor"].model if "doctor" in single_models else spec.model
    return Run(
        id=spec.eval_id,
        held_by=spec.eval_id,
        task=settings["task"],
        doctor=_model_name(doctor),
        patient=_model_name(single_models["patient"].model) if "patient" in single_models else "",
        director=_model_name(single_models["director"].model)
        if "director" in single_models
        else None,
        judges=tuple(
            _model_name(judge.model)
            for judge in (judges if isinstance(judges, list) else [judges])
        ),
        started=spec.created,
        finished=header.stats.completed_at or None,
        complete=header.status == "success",
        version=str(spec.task_version),
        cases=settings.get("cases_checksum", ""),
        settings=settings,
        log=log,
    )


def _model_name(model: str) -> str:
    return model.removeprefix("openai-api/medkg/")


def _held_dialogue(run: Run, sample: EvalSample) -> HeldDialogue | None:
    record = sample.store.get(DIALOGUE)
    if record is None:
        return None
    held_by = sample.metadata.get(HELD_BY)  # of a dialogue that was judged again
    if held_by is not None:
        run = replace(
            run,
            id=f"{run.id} {held_by['run']}",
            doctor=held_by["doctor"],
            patient=held_by["patient"],
            director=held_by["director"],
            cases=held_by["settings"].get("cases_checksum", run.cases),
            held_by=held_by["run"],
            settings={
                **held_by["settings"],
                "task": run.task,
                "judged": run.settings["judged"],
                "judging": {name: run.settings.get(name) for name in _JUDGED_BY},
            },
        )
    try:
        return HeldDialogue(
            run=run,
            sample=str(sample.id),
            case=_CASE.validate_python(sample.metadata["case"]),
            dialogue=Dialogue.model_validate(record),
            repeat=held_by["repeat"] if held_by else sample.epoch,
            spent={role: Spent(**spent) for role, spent in sample.store.get(SPENT, {}).items()},
            seconds=sample.total_time or 0.0,
            error=sample.error.message if sample.error else None,
        )
    except (ValidationError, TypeError, KeyError) as e:
        raise _unreadable(run.log, e) from e

"""The tasks of MedKGEval for Inspect: ``medkg/medkgeval_diagnosis`` and ``medkg/medkgeval_medication``.

``medkg eval medkgeval`` runs them with everything stated; ``inspect eval medkg/medkgeval_diagnosis`` runs
them too. A sample is a case, its state the dialogue; what each turn scored is in the store of the sample,
under the key ``DIALOGUE``, and the scores of the sample are made from that.
"""

import functools
import inspect
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

from inspect_ai import Task
from inspect_ai._eval.registry import task_register
from inspect_ai._util.registry import RegistryInfo, registry_tag
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    ChatMessageAssistant,
    ChatMessageUser,
    Model,
    ModelOutput,
    get_model,
    model_roles,
    modelapi,
)
from inspect_ai.model._registry import modelapi_register
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver
from pydantic import TypeAdapter

from cypher.translation import translate
from evalsim.case import (
    Case,
    DiagnosisCase,
    MedicationCase,
    checksum,
    read_cases,
)
from evalsim.case import (
    Task as Kind,
)
from evalsim.cases.drawing import graph_checksum
from evalsim.dialogue import Dialogue
from evalsim.metrics.scores import score_dialogue
from evalsim.plan import Manner
from evalsim.prompts import Prompts
from evalsim.running.calls import Callee, CallFailedError, Calls, Clients, Journal
from evalsim.running.consultation import Consultation, Rules
from evalsim.running.logs import DIALOGUE, HELD_BY, SPENT, read_dialogues
from evalsim.running.progress import one_dialogue
from evalsim.running.roles import Player
from evalsim.running.world import World
from kg.errors import ConfigurationError

_CASE: Final[TypeAdapter[DiagnosisCase | MedicationCase]] = TypeAdapter(Case)
_FILES: Final = {"cases", "graph", "journal", "judged", "prompts"}
"""Of a setting, what names a file or a graph."""
_TIME: Final = 3_600
"""Seconds that a dialogue may take."""


@dataclass(frozen=True)
class Setting:
    """What a task is made of, besides its models."""

    cases: str
    """A file of ``medkg eval cases``."""
    graph: str | None = None
    """Of director and judge, as ``kg.connect`` takes it; None: that of the settings."""
    prompts: str | None = None
    """Folder of templates that take the place of medkg's."""
    turns: int = 12
    director: bool = True
    single_turn: bool = False
    manner: tuple[Manner, ...] = ()
    seed: int = 0
    players: str = ""
    """Of ``medkg eval``: the cast as JSON, so that a run with other endpoints is another task."""
    journal: str | None = None
    """File of the finished calls; None: none is kept."""
    judged: str = ""
    """Of a task that only judges again: the logs whose dialogues it judges, as JSON."""


def _registered(function: Callable[..., Task]) -> Callable[..., Task]:
    """Register a task under medkg's name, whether medkg is installed from a wheel or editable.

    Inspect names a task by the package that its function is in, which is ``evalsim``, or by nothing
    in an editable install.
    """
    name = f"medkg/{function.__name__}"
    parameters = list(inspect.signature(function).parameters)
    info = RegistryInfo(type="task", name=name, metadata={"attribs": {}, "params": parameters})

    @functools.wraps(function)
    def make(*args: Any, **kwargs: Any) -> Task:  # noqa: ANN401 - as the function has them
        task = function(*args, **kwargs)
        registry_tag(function, task, info, *args, **kwargs)
        return task

    make.__annotations__["return"] = Task
    task_register(make, name, {}, parameters)
    return make


@_registered
def medkgeval_diagnosis(
    *,
    cases: str,
    graph: str | None = None,
    prompts: str | None = None,
    turns: int = 12,
    director: bool = True,
    single_turn: bool = False,
    manner: str = "",
    seed: int = 0,
    players: str = "",
    journal: str | None = None,
) -> Task:
    """Disease diagnosis in conversation; the parameters are those of ``Setting``.

    Raises:
        MedKGError: the cases, the graph or the prompts cannot be used.
    """
    manners = _manners(manner)
    setting = Setting(
        cases, graph, prompts, turns, director, single_turn, manners, seed, players, journal
    )
    return make_task("diagnosis", setting)


@_registered
def medkgeval_medication(
    *,
    cases: str,
    graph: str | None = None,
    prompts: str | None = None,
    turns: int = 12,
    director: bool = True,
    manner: str = "",
    seed: int = 0,
    players: str = "",
    journal: str | None = None,
) -> Task:
    """Medication consultation; the parameters are those of ``Setting``.

    Raises:
        MedKGError: the cases, the graph or the prompts cannot be used.
    """
    manners = _manners(manner)
    setting = Setting(
        cases, graph, prompts, turns, director, False, manners, seed, players, journal
    )
    return make_task("medication", setting)


@_registered
def medkgeval_judging(
    *,
    logs: str,
    task: str,
    graph: str | None = None,
    prompts: str | None = None,
    players: str = "",
    journal: str | None = None,
) -> Task:
    """Judge dialogues again that were held before; no dialogue is run.

    Args:
        logs: JSON: the files of the logs.
        task: ``diagnosis`` or ``medication``.
        graph: as in ``Setting``.
        prompts: as in ``Setting``.
        players: as in ``Setting``; the judges alone.
        journal: as in ``Setting``.

    Raises:
        MedKGError: the logs, the graph or the prompts cannot be used.
    """
    kind: Kind = TypeAdapter(Kind).validate_python(task)
    return make_task(
        kind,
        Setting("", graph, prompts, director=False, players=players, journal=journal, judged=logs),
    )


def make_task(kind: Kind, setting: Setting) -> Task:
    """The task of a setting; its version tells it from every other.

    Raises:
        MedKGError: the cases or logs, the graph or the prompts cannot be used.
    """
    samples, cases_checksum, name = (
        _dialogues(kind, setting) if setting.judged else _cases(kind, setting)
    )
    prompts = Prompts(Path(setting.prompts) if setting.prompts else None)
    world = World.of(setting.graph)
    # what is in the files counts, not where they are
    hashed_settings = {k: v for k, v in vars(setting).items() if k not in _FILES}
    graph = graph_checksum(world.store)
    text = repr((kind, cases_checksum, prompts.checksum, graph, sorted(hashed_settings.items())))
    version = blake2b(text.encode(), digest_size=8).hexdigest()
    second_scorer = history_taking() if kind == "diagnosis" else comprehensiveness()
    return Task(
        dataset=MemoryDataset(samples, name=name),
        solver=consultation(setting, world, prompts, version),
        scorer=[correctness(), second_scorer, turns_taken()],
        version=version,
        time_limit=_TIME,
        metadata={
            "medkg": {
                **vars(setting),
                "task": kind,
                "cases_checksum": cases_checksum,
                "graph_checksum": graph,
                "prompts_checksum": prompts.checksum,
            }
        },
    )


def _cases(kind: Kind, setting: Setting) -> tuple[list[Sample], str, str]:
    """A sample for each case of the task, the checksum of all, and their name."""
    cases = [case for case in read_cases(Path(setting.cases)) if case.task == kind]
    if not cases:
        message = "{file}: has no case of the task {task}; draw some with 'medkg eval cases'"
        raise ConfigurationError(translate(message, file=setting.cases, task=kind))
    if len({case.language for case in cases}) > 1:
        message = "{file}: has cases in several languages; give each language a file and a run of its own"
        raise ConfigurationError(translate(message, file=setting.cases))
    return [_sample(case) for case in cases], checksum(cases), Path(setting.cases).stem


def _dialogues(kind: Kind, setting: Setting) -> tuple[list[Sample], str, str]:
    """A sample for each dialogue that was held, the checksum of all, and a name."""
    dialogues = [
        each
        for each in read_dialogues([Path(log) for log in json.loads(setting.judged)])
        if each.case.task == kind
    ]
    if not dialogues:
        message = "{files}: hold no dialogue of the task {task}; give other logs"
        raise ConfigurationError(translate(message, files=setting.judged, task=kind))
    samples = []
    digest = blake2b(digest_size=16)
    for each in dialogues:
        sample = _sample(each.case)
        sample.id = f"{each.run.id} {each.case.id} {each.repeat}"
        dialogue = each.dialogue.model_dump(mode="json")
        held_by = {
            "run": each.run.id,
            "doctor": each.run.doctor,
            "patient": each.run.patient,
            "director": each.run.director,
            "repeat": each.repeat,
            "settings": dict(each.run.settings),
        }
        sample.metadata = {**(sample.metadata or {}), "dialogue": dialogue, HELD_BY: held_by}
        samples.append(sample)
        digest.update(json.dumps(dialogue, sort_keys=True).encode())
    return samples, digest.hexdigest(), "dialogues"


def _sample(case: DiagnosisCase | MedicationCase) -> Sample:
    return Sample(
        id=case.id,
        input=case.id,
        target=case.target.called(case.language),
        metadata={
            "target": case.target.id,
            "language": case.language,
            "kind": case.kind,
            "area": case.area,
            "difficulty": case.difficulty,
            "case": case.model_dump(mode="json", exclude_defaults=True) | {"task": case.task},
        },
    )


@solver
def consultation(setting: Setting, world: World, prompts: Prompts, version: str) -> Solver:
    """Hold the consultation of a sample."""
    journal = Journal(Path(setting.journal)) if setting.journal else None
    clients = Clients()
    refusing: set[str] = set()

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        del generate
        callees = bound_callees(setting, refusing)
        with one_dialogue():
            if not setting.players:
                return await hold(state, callees)  # the models are those of somebody else's run
            async with clients.lent(callee.model for callee in callees.values()):
                return await hold(state, callees)

    async def hold(state: TaskState, callees: Mapping[str, Callee]) -> TaskState:
        case = _CASE.validate_python(state.metadata["case"])
        seed = setting.seed + state.epoch - 1  # each dialogue of a case has its own
        rules = Rules(setting.turns, seed, setting.manner, setting.single_turn)
        calls = Calls(callees, world, prompts, journal, version, case, state.epoch, seed)

        def keep(dialogue: Dialogue) -> None:
            state.store.set(DIALOGUE, dialogue.model_dump(mode="json"))
            state.store.set(SPENT, {role: vars(spent) for role, spent in calls.spent.items()})

        consulting = Consultation(case, calls, world, rules, keep)
        if earlier_dialogue := state.metadata.get("dialogue"):
            dialogue = await consulting.judge_again(Dialogue.model_validate(earlier_dialogue))
        else:
            dialogue = await consulting.hold()
        state.messages = []
        for turn in dialogue.turns:
            state.messages.append(ChatMessageUser(content=turn.patient))
            if turn.doctor:
                state.messages.append(ChatMessageAssistant(content=turn.doctor))
        last = dialogue.turns[-1].doctor if dialogue.turns else ""
        state.output = ModelOutput.from_content(str(state.model), last)
        state.completed = True
        if dialogue.failure is not None and not setting.judged:
            # its log keeps what was said; a run that goes on tries again
            raise CallFailedError(f"{dialogue.end}: {dialogue.failure}")
        return state

    return solve


def bound_callees(setting: Setting, refusing: set[str]) -> dict[str, Callee]:
    """Who plays each role of the task that runs.

    Args:
        setting: of the task.
        refusing: gets the roles whose endpoints refuse a schema.

    Raises:
        ConfigurationError: a role is not bound. (Inspect would let the doctor play it in silence.)
    """
    bound = model_roles()
    needed = ["judge"] if setting.judged else ["patient", "doctor", "judge"]
    if setting.director:
        needed.append("director")
    roles = {role: _listed(bound[role]) for role in needed if role in bound}
    if "doctor" in needed:
        roles.setdefault("doctor", [get_model()])
    if missing := [role for role in needed if role not in roles]:
        message = "{roles}: not bound; bind each, e.g. --model-role {role}=medkg/{role}"
        raise ConfigurationError(translate(message, roles=", ".join(missing), role=missing[0]))
    players = json.loads(setting.players) if setting.players else {}
    numbered = {
        role if number == 0 else f"{role} {number + 1}": model
        for role, models in roles.items()
        for number, model in enumerate(models)
    }
    return {
        role: Callee(role, _player(players.get(role), model), model, refusing)
        for role, model in numbered.items()
    }


def _listed(models: Model | list[Model]) -> list[Model]:
    return models if isinstance(models, list) else [models]


def _player(fields: Mapping[str, Any] | None, model: Model) -> Player:
    if fields is not None:
        return Player.model_validate(fields)
    return Player(model=str(model), base_url=model.api.base_url)


@scorer(metrics=[mean(), stderr(cluster="target")])
def correctness() -> Scorer:
    """Correctness of table 2, normalised to [0, 1]."""
    return _of_dialogue("correctness")


@scorer(metrics=[mean(), stderr(cluster="target")])
def history_taking() -> Scorer:
    """History-taking of table 2, normalised to [0, 1]."""
    return _of_dialogue("history_taking")


@scorer(metrics=[mean(), stderr(cluster="target")])
def comprehensiveness() -> Scorer:
    """Comprehensiveness of table 2, normalised to [0, 1]."""
    return _of_dialogue("comprehensiveness")


def _of_dialogue(metric: str) -> Scorer:
    async def score(state: TaskState, target: Target) -> Score:
        del target
        record = state.store.get(DIALOGUE)
        if record is None:
            return Score.unscored(reason="no dialogue")
        dialogue = Dialogue.model_validate(record)
        scored = score_dialogue(dialogue, metric).score
        metadata = {"end": str(dialogue.end) if dialogue.end else "cut off"}
        if scored is None:
            return Score.unscored(reason="no judgement can be read", metadata=metadata)
        return Score(value=scored, metadata=metadata)

    return score


@scorer(metrics=[mean()])
def turns_taken() -> Scorer:
    """How many turns a dialogue has."""

    async def score(state: TaskState, target: Target) -> Score:
        del target
        record = state.store.get(DIALOGUE)
        return (
            Score(value=len(record["turns"])) if record else Score.unscored(reason="no dialogue")
        )

    return score


def _manners(text: str) -> tuple[Manner, ...]:
    names = tuple(each.strip() for each in text.split(",") if each.strip())
    return TypeAdapter(tuple[Manner, ...]).validate_python(names)


def _register_players() -> None:
    """Register the provider ``medkg`` under that name in any install."""
    from evalsim.running.players import MedkgPlayer  # noqa: PLC0415 - after the tasks

    modelapi_register(modelapi("medkg")(MedkgPlayer), "medkg")


_register_players()

"""The roles that medkg plays itself, as a provider of Inspect: ``medkg/patient`` and the others.

A player is given the brief of its role itself, not the text of a prompt: the task that calls it puts the
brief where ``playing`` keeps it for the length of the call. They need no network, and give the same
answer to the same brief. A doctor can also be asked by any other task of Inspect, with messages alone.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from threading import Lock
from typing import Any, Final, NamedTuple

from anyio.to_thread import run_sync
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageUser,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
)
from inspect_ai.tool import ToolChoice, ToolInfo
from pydantic import BaseModel

from cypher.translation import language_of, translate
from evalsim.agents.doctors import DOCTORS, Doctor, doctor
from evalsim.agents.patient import speak, speak_undirected
from evalsim.briefs import (
    Brief,
    DoctorBrief,
    GuideBrief,
    JudgeBrief,
    PersonaBrief,
    ScreenBrief,
    SpeakBrief,
    UndirectedBrief,
)
from evalsim.case import DiagnosisCase, Language, MedicationCase
from evalsim.dialogue import Instruction, Turn
from evalsim.running.world import World
from kg.errors import EvaluationError

_DOCTOR: Final = "doctor-"


@dataclass(frozen=True)
class _Played:
    """What a task gives the player that it calls."""

    brief: Brief
    case: DiagnosisCase | MedicationCase | None
    world: World


_PLAYED: Final[ContextVar[_Played | None]] = ContextVar("played", default=None)


@contextmanager
def playing(
    brief: Brief, case: DiagnosisCase | MedicationCase | None, world: World
) -> Iterator[None]:
    """Let the player that is called within the block have a brief.

    Args:
        brief: of its role.
        case: for the one doctor that knows it.
        world: what it sees, unless it was bound to another graph.
    """
    token = _PLAYED.set(_Played(brief, case, world))
    try:
        yield
    finally:
        _PLAYED.reset(token)


class _DoctorOf(NamedTuple):
    """A doctor, and the world that it sees."""

    world: World
    doctor: Doctor


class MedkgPlayer(ModelAPI):
    """Any of the roles that medkg plays, by its name."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig | None = None,
        **model_args: Any,  # noqa: ANN401 - as Inspect hands them over
    ) -> None:
        """Open the graph that the player sees.

        Args:
            model_name: ``director``, ``patient``, ``judge`` or ``doctor-…``.
            base_url: not used.
            api_key: not used.
            config: not used but for its seed.
            model_args: ``graph``, as ``World.of`` takes it.

        Raises:
            EvaluationError: there is no player of that name.
            StoreError: the graph cannot be opened.
        """
        super().__init__(model_name, base_url, api_key, [], config or GenerateConfig())
        names = ("director", "patient", "judge", *(f"{_DOCTOR}{name}" for name in DOCTORS))
        if model_name not in names:
            message = "medkg plays no {name!r}; there are {names}"
            raise EvaluationError(translate(message, name=model_name, names=", ".join(names)))
        self._graph: str | None = model_args.pop("graph", None)
        self._world = World.of(self._graph) if self._graph else None
        self._lock = Lock()
        self._doctor: _DoctorOf | None = None

    def connection_key(self) -> str:
        """All players of one graph share their connections."""
        return f"medkg {self._graph}"

    def max_connections(self) -> int:
        """As many as a run has dialogues: none waits for a server."""
        return 1_000

    async def generate(
        self,
        input: list[ChatMessage],  # noqa: A002 - its name there
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        """What the player says, or its JSON."""
        del tools, tool_choice
        played = _PLAYED.get()
        if played is None:
            played = _Played(self._of_messages(input), None, self._world or World.of())
        world = self._world or played.world
        text = await run_sync(self._play, played.brief, played.case, world, config.seed or 0)
        output = ModelOutput.from_content(str(self.model_name), text)
        output.usage = ModelUsage()  # else Inspect would count by a tokenizer that it downloads
        return output

    def _play(
        self,
        brief: Brief,
        case: DiagnosisCase | MedicationCase | None,
        world: World,
        seed: int,
    ) -> str:
        if isinstance(brief, DoctorBrief) and self.model_name.startswith(_DOCTOR):
            return self._doctor_of(world).reply(brief, case, seed)
        answer: str | BaseModel | None = None
        match self.model_name, brief:
            case "director", PersonaBrief():
                answer = world.director.persona(brief)
            case "director", ScreenBrief():
                answer = world.director.screen(brief)
            case "director", GuideBrief():
                answer = world.director.guide(brief)
            case "patient", SpeakBrief():
                answer = speak(brief)
            case "patient", UndirectedBrief():
                answer = speak_undirected(world.store, brief)
            case "judge", JudgeBrief():
                answer = world.judge.judge(brief)
        if answer is None:
            message = "medkg/{name} cannot play the {role}; bind that role to another model"
            raise EvaluationError(translate(message, name=self.model_name, role=brief.role))
        return answer if isinstance(answer, str) else answer.model_dump_json()

    def _doctor_of(self, world: World) -> Doctor:
        """The doctor that sees a world, made once."""
        with self._lock:
            if self._doctor is None or self._doctor.world is not world:
                name = self.model_name.removeprefix(_DOCTOR)
                self._doctor = _DoctorOf(
                    world, doctor(name, world.store, world.linker, world.patients)
                )
            return self._doctor.doctor

    def _of_messages(self, messages: list[ChatMessage]) -> DoctorBrief:
        """What a doctor hears in a task that is not medkg's."""
        if not self.model_name.startswith(_DOCTOR):
            message = "medkg/{name} plays in medkg's own tasks only; take a doctor here"
            raise EvaluationError(translate(message, name=self.model_name))
        turns: list[Turn] = []
        for each in messages:
            if isinstance(each, ChatMessageUser):
                turns.append(
                    Turn(
                        number=len(turns) + 1,
                        instruction=Instruction(intent="tell"),
                        patient=each.text,
                    )
                )
            elif isinstance(each, ChatMessageAssistant) and turns:
                turns[-1].doctor = each.text
        words = turns[0].patient if turns else ""
        language: Language = "zh" if language_of(words) == "zh" else "en"
        return DoctorBrief(language=language, task="diagnosis", turns=tuple(turns))

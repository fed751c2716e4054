"""Calls the models of a run: renders a brief, asks, reads the answer, and keeps what was answered.

What a call cost is kept by role, and what was finished is written to a journal at once, one JSON object
a line: a run that was killed repeats no finished call when it goes on. (Inspect's own cache is pickled,
expires in a week and does not know the role, and its checkpoints need a program to be downloaded.)
"""

import json
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, fields
from functools import cache
from hashlib import blake2b
from pathlib import Path
from threading import Lock as ThreadLock
from typing import Any, Final, TypeVar

from anyio import CancelScope, Lock
from inspect_ai.log import transcript
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    GenerateConfig,
    Model,
    ModelOutput,
    ResponseSchema,
)
from inspect_ai.util import LimitExceededError, json_schema
from pydantic import BaseModel, create_model
from tenacity import RetryError

from cypher.translation import translate
from evalsim.briefs import Brief, DoctorBrief
from evalsim.case import DiagnosisCase, MedicationCase
from evalsim.dialogue import PACE
from evalsim.prompts import Prompts, template_name
from evalsim.running.players import playing
from evalsim.running.roles import Player
from evalsim.running.verdicts import MARK, UnreadableError, read_answer, without_reasoning
from evalsim.running.world import World
from kg.errors import EvaluationError

Answer = TypeVar("Answer", bound=BaseModel)

LONGEST_REASON: Final = 300
"""Characters of why a call failed."""
_NOT_TAKEN: Final = frozenset({400, 404, 415, 422, 501})
"""Statuses by which an endpoint refuses a request that another form of might be taken."""


class CallFailedError(Exception):
    """A model gave nothing that can be used, after all retries; says why."""

    def __init__(self, reason: str, status: int | None = None) -> None:
        """With the status that an endpoint answered, if it did."""
        super().__init__(reason)
        self.status = status


@dataclass(frozen=True)
class Entry:
    """A finished call."""

    text: str
    refused: bool = False
    """The endpoint's own filter declined."""
    truncated: bool = False
    """It was cut off at ``max_tokens``."""
    input_tokens: int = 0
    output_tokens: int = 0


@dataclass
class Spent:
    """What the calls of one role in a dialogue took."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    replayed_calls: int = 0
    """Answered from the journal: paid for by an earlier run."""
    replayed_input_tokens: int = 0
    replayed_output_tokens: int = 0
    failed: int = 0
    seed_sent: bool | None = None
    """Whether the seed was in the last request; None: it cannot be seen."""

    def include(self, other: "Spent") -> None:
        """Add what other calls took."""
        for each in fields(Spent):
            if each.name != "seed_sent":
                setattr(self, each.name, getattr(self, each.name) + getattr(other, each.name))
        if other.seed_sent is not None:
            self.seed_sent = other.seed_sent and self.seed_sent is not False

    def add(self, input_tokens: int, output_tokens: int, *, replayed: bool) -> None:
        """Count a finished call."""
        if replayed:
            self.replayed_calls += 1
            self.replayed_input_tokens += input_tokens
            self.replayed_output_tokens += output_tokens
            return
        self.calls += 1
        self.input_tokens += input_tokens
        self.output_tokens += output_tokens


class Journal:
    """The finished calls of a run, in a file; threads and tasks of one process may share it."""

    def __init__(self, file: Path) -> None:
        """Go on with a file, or begin it.

        Raises:
            EvaluationError: it cannot be read or written, or is no journal.
        """
        self._file = file
        self._lock = ThreadLock()
        self._entries: dict[str, Entry] = {}
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            self._read(file)
        except (OSError, UnicodeDecodeError) as e:
            message = "{file}: cannot be kept ({why}); give a folder that can be written"
            raise EvaluationError(translate(message, file=file, why=e)) from e

    def _read(self, file: Path) -> None:
        if not file.exists():
            return
        size = 0
        with file.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                if not line.endswith(b"\n"):
                    break  # a kill in mid-line: that call is made again
                try:
                    row = json.loads(line)
                    key = row.pop("key")
                    if row.pop("forgotten", False):
                        self._entries.pop(key, None)
                    else:
                        self._entries[key] = Entry(**row)
                except (ValueError, TypeError, AttributeError, KeyError) as e:
                    message = "{file}, line {number}: is no finished call; move the file away"
                    raise EvaluationError(translate(message, file=file, number=number)) from e
                size += len(line)
        with file.open("rb+") as journal:
            journal.truncate(size)

    def find(self, key: str) -> Entry | None:
        """What was answered to a call, if it was finished."""
        return self._entries.get(key)

    def add(self, key: str, entry: Entry) -> None:
        """Keep an answer; it is in the file when this returns."""
        row = {k: v for k, v in vars(entry).items() if v}
        with self._lock:
            self._entries[key] = entry
            self._write({"text": "", "key": key, **row})

    def forget(self, key: str) -> None:
        """Keep an answer no more, so that it is asked for again."""
        with self._lock:
            if self._entries.pop(key, None):
                self._write({"key": key, "forgotten": True})

    def _write(self, row: Mapping[str, object]) -> None:
        with self._file.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(row, ensure_ascii=False) + "\n")


@dataclass
class Callee:
    """A model with what is known of its endpoint."""

    role: str
    """``director``, ``patient``, ``doctor``, ``judge``, ``judge 2`` …"""
    player: Player
    model: Model
    refusing: set[str] = field(default_factory=set)
    """Roles whose endpoints have refused a schema: those of all dialogues of a run."""


class Clients:
    """The clients of a run's models, closed by the last dialogue that needs them.

    Inspect closes none, and they must be closed in the loop that opened their connections.
    """

    def __init__(self) -> None:
        """Before the first dialogue."""
        self._lock = Lock()
        self._dialogues = 0
        self._closed = False

    @asynccontextmanager
    async def lent(self, models: Iterable[Model]) -> AsyncIterator[None]:
        """For the length of a dialogue."""
        apis = [model.api for model in models]
        async with self._lock:
            if self._closed:
                for api in apis:
                    api.initialize()
            self._closed = False
            self._dialogues += 1
        try:
            yield
        finally:
            with CancelScope(shield=True):
                async with self._lock:
                    self._dialogues -= 1
                    if not self._dialogues:
                        self._closed = True
                        for api in apis:
                            await api.aclose()


@dataclass
class Calls:
    """The calls of one dialogue."""

    callees: Mapping[str, Callee]
    """By role; without a director there is none."""
    world: World
    """What the roles see that medkg plays."""
    prompts: Prompts
    journal: Journal | None
    version: str
    """Of all that answers depend on besides the call itself."""
    case: DiagnosisCase | MedicationCase
    epoch: int
    seed: int
    spent: dict[str, Spent] = field(default_factory=dict)
    _last: dict[str, str] = field(default_factory=dict)
    """Key of the last call of each role in the journal."""

    def judges(self) -> list[Callee]:
        """Those who judge, in their order."""
        return [each for role, each in self.callees.items() if role.startswith("judge")]

    async def say(self, role: str, brief: Brief) -> Entry:
        """What a role says, without its reasoning.

        Raises:
            CallFailedError: the endpoint gave nothing.
        """
        entry, _ = await self._answer(role, brief, None)
        return Entry(without_reasoning(entry.text), entry.refused, entry.truncated)

    async def give(self, role: str, brief: Brief, model: type[Answer]) -> Answer:
        """The JSON that a role gives.

        Raises:
            CallFailedError: the endpoint gave nothing, or what cannot be read.
        """
        entry, mark = await self._answer(role, brief, model)
        try:
            if self.callees[role].player.own:
                return model.model_validate_json(entry.text)
            return read_answer(entry.text, model, mark)
        except UnreadableError as e:
            self.spent[role].failed += 1
            cut = translate("cut off at its limit of tokens") + ": " if entry.truncated else ""
            raise CallFailedError(f"{cut}{translate('unreadable')}: {e}") from e

    def forget(self, role: str) -> None:
        """Have the last answer of a role asked for again by a run that goes on."""
        if self.journal and role in self._last:
            self.journal.forget(self._last[role])

    async def _answer(
        self, role: str, brief: Brief, model: type[BaseModel] | None
    ) -> tuple[Entry, str]:
        callee = self.callees[role]
        spent = self.spent.setdefault(role, Spent())
        step = f"{template_name(brief)} {getattr(brief, 'metric', '')} {len(getattr(brief, 'turns', ()))}"
        position = "\0".join(
            (self.version, self.case.id, str(self.epoch), role, step, str(self.seed))
        )
        mark = blake2b(position.encode(), digest_size=6).hexdigest()
        if callee.player.own:
            return await self._call_own(callee, brief, spent), mark
        messages = self._messages(brief, mark)
        identity = json.dumps(callee.player.identity(), sort_keys=True)
        messages_text = json.dumps(
            [[each.role, each.text] for each in messages], ensure_ascii=False
        )
        key = blake2b(
            f"{position}\0{identity}\0{messages_text}".encode(), digest_size=16
        ).hexdigest()
        self._last[role] = key
        if self.journal and (entry := self.journal.find(key)):
            spent.add(entry.input_tokens, entry.output_tokens, replayed=True)
            return entry, mark
        entry = await self._call_model(callee, messages, model, spent)
        spent.add(entry.input_tokens, entry.output_tokens, replayed=False)
        if self.journal:
            self.journal.add(key, entry)
        return entry, mark

    async def _call_own(self, callee: Callee, brief: Brief, spent: Spent) -> Entry:
        """What a role that medkg plays answers to the brief itself."""
        hint = ChatMessageUser(content=f"{template_hint(brief)}")
        with playing(brief, self.case, self.world):
            output = await self._generate(callee, [hint], GenerateConfig(seed=self.seed), spent)
        spent.calls += 1
        return Entry(output.completion)

    async def _call_model(
        self,
        callee: Callee,
        messages: Sequence[ChatMessage],
        model: type[BaseModel] | None,
        spent: Spent,
    ) -> Entry:
        player = callee.player
        config = GenerateConfig(seed=self.seed if player.seed is None else player.seed)
        if model is not None and player.structured and callee.role not in callee.refusing:
            try:
                with_schema = config.merge(GenerateConfig(response_schema=_schema(model)))
                output = await self._generate(callee, messages, with_schema, spent)
                return _entry(output)
            except CallFailedError as e:
                if e.status not in _NOT_TAKEN:
                    raise
                callee.refusing.add(callee.role)
                spent.failed -= 1  # it was no failure of the role
        return _entry(await self._generate(callee, messages, config, spent))

    async def _generate(
        self,
        callee: Callee,
        messages: Sequence[ChatMessage],
        config: GenerateConfig,
        spent: Spent,
    ) -> ModelOutput:
        try:
            output = await callee.model.generate(list(messages), config=config)
        except LimitExceededError:
            raise
        except Exception as e:  # a provider raises what it likes, and none ends a run
            if callee.player.own:
                raise  # what medkg's own players raise is to be seen
            spent.failed += 1
            cause = e.last_attempt.exception() if isinstance(e, RetryError) else e
            while cause is not None and cause.__cause__ is not None:
                cause = cause.__cause__  # Inspect wraps what an endpoint says
            reason = " ".join(f"{type(cause).__name__}: {cause}".split())[:LONGEST_REASON]
            raise CallFailedError(reason, getattr(cause, "status_code", None)) from e
        if output.error:
            spent.failed += 1
            raise CallFailedError(" ".join(output.error.split())[:LONGEST_REASON])
        if not callee.player.own:
            spent.seed_sent = _seed_sent(callee.model)
        return output

    def _messages(self, brief: Brief, mark: str) -> list[ChatMessage]:
        rendered = self.prompts.render(brief, mark, pace=PACE)
        messages: list[ChatMessage] = [ChatMessageSystem(content=rendered.system)]
        if rendered.user is not None:
            messages.append(ChatMessageUser(content=rendered.user))
        elif isinstance(brief, DoctorBrief):
            for turn in brief.turns:
                messages.append(ChatMessageUser(content=turn.patient))
                if turn.doctor:
                    messages.append(ChatMessageAssistant(content=turn.doctor))
        return messages


def template_hint(brief: Brief) -> str:
    """What the log shows of a brief that is handed over as it is."""
    shown_fields = {"instruction", "metric", "persona"} & set(type(brief).model_fields)
    return json.dumps(
        {"brief": type(brief).__name__, **brief.model_dump(mode="json", include=shown_fields)},
        ensure_ascii=False,
    )


def _entry(output: ModelOutput) -> Entry:
    usage = output.usage
    return Entry(
        output.completion.encode("utf-8", "replace").decode("utf-8"),  # half of a surrogate pair
        refused=output.stop_reason == "content_filter",
        truncated=output.stop_reason == "max_tokens",
        input_tokens=usage.input_tokens if usage else 0,
        output_tokens=usage.output_tokens if usage else 0,
    )


@cache
def _schema(model: type[BaseModel]) -> ResponseSchema:
    """The form of a role's JSON, with its mark; made once, as it takes longer than all else of a call."""
    fields: dict[str, Any] = {MARK: (str, ...)}
    model_with_mark = create_model(model.__name__, __base__=model, **fields)
    return ResponseSchema(name=model.__name__, json_schema=json_schema(model_with_mark))


def _seed_sent(model: Model) -> bool | None:
    """Whether the last request to a model had a seed; others are asked at the same time."""
    for event in reversed(transcript().events):
        if event.event == "model" and event.model == str(model) and event.call:
            return "seed" in event.call.request
    return None

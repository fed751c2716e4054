"""Asks a patient the same again and again, for how alike it answers (table 9 of MedKGEval).

A prompt is what the patient was told in one turn of a dialogue that was held: persona, instruction and all
that was said before. Every reply is called anew: no journal, no cache, and a seed of its own, for an
endpoint that honours seeds gives the same words to the same seed.
"""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Final

import anyio

from cypher.translation import translate
from evalsim.metrics import Setting
from evalsim.prompts import Prompts
from evalsim.running.calls import Callee, CallFailedError, Calls, Clients
from evalsim.running.consultation import Rules, patient_brief
from evalsim.running.logs import HeldDialogue
from evalsim.running.roles import Player, check_players
from evalsim.running.run import open_model
from evalsim.running.world import World
from kg.errors import EvaluationError

_ROLE: Final = "patient"
_AT_ONCE: Final = 32
"""Prompts that are asked side by side; a player says how many calls its endpoint takes."""


@dataclass
class Replies:
    """What one patient replied to the prompts of one setting."""

    patient: str
    setting: Setting
    by_prompt: dict[str, list[str]] = field(default_factory=dict)
    """Each with as many replies as calls gave any."""
    failed: Counter[str] = field(default_factory=Counter)
    """Calls that gave none, by why."""


def ask_again(
    dialogues: Iterable[HeldDialogue],
    *,
    times: int,
    player: Player | None = None,
    prompts: Path | None = None,
    graph: str | None = None,
    limit: int | None = None,
    seed: int = 0,
) -> list[Replies]:
    """Ask a patient each prompt several times; of each dialogue one prompt, of a turn that is drawn.

    Args:
        dialogues: dialogues; what was said in them stands in the prompts.
        times: calls of each prompt.
        player: who is asked; None: the patient of each dialogue's run, by its endpoint there.
        prompts: templates in place of medkg's; None: those of each dialogue's run.
        graph: that medkg's own patient sees; None: that of the settings.
        limit: dialogues at most, drawn by the seed; None: all.
        seed: of what is drawn, and the first that is sent, unless the player states one.

    Returns:
        By patient and setting, in the order of the dialogues.

    Raises:
        ConfigurationError: the patient cannot be called, or the templates cannot be read.
        EvaluationError: a log does not say how its patient was called; or there is no turn.
        MedKGError: the graph cannot be used.
    """
    draw = Random(seed)
    chosen = [each for each in dialogues if each.dialogue.turns]
    if not chosen:
        message = "no patient spoke in these logs; give logs of 'medkg eval medkgeval'"
        raise EvaluationError(translate(message))
    if limit is not None and limit < len(chosen):
        chosen = [chosen[number] for number in sorted(draw.sample(range(len(chosen)), limit))]
    turns = [draw.randrange(len(each.dialogue.turns)) for each in chosen]
    players = [player or _patient_of_run(each) for each in chosen]
    for each in dict.fromkeys(players):
        check_players({_ROLE: each})
    world = World.of(graph)
    templates = cache(Prompts)
    by_setting: dict[tuple[str, Setting], Replies] = {}

    async def ask() -> None:
        models = {each: open_model(_ROLE, each) for each in dict.fromkeys(players)}
        callees = {
            (each, number): Callee(_ROLE, _seeded(each, seed + number), model)
            for each, model in models.items()
            for number in range(times)
        }
        limiter = anyio.CapacityLimiter(_AT_ONCE)
        async with Clients().lent(models.values()), anyio.create_task_group() as group:
            for each, turn, callee_player in zip(chosen, turns, players, strict=True):
                setting = Setting.of(each.played)
                key = (callee_player.name, setting)
                replies = by_setting.setdefault(key, Replies(callee_player.name, setting))
                prompts_folder = prompts or each.run.settings.get("prompts")
                templates_of_call = templates(Path(prompts_folder) if prompts_folder else None)
                calls = [
                    Calls(
                        {_ROLE: callees[callee_player, number]},
                        world,
                        templates_of_call,
                        None,
                        "",
                        each.case,
                        1,
                        seed,
                    )
                    for number in range(times)
                ]
                group.start_soon(partial(_ask_prompt, each, turn, calls, replies, limiter))

    anyio.run(ask)
    return list(by_setting.values())


async def _ask_prompt(
    held: HeldDialogue,
    turn: int,
    calls: list[Calls],
    replies: Replies,
    limiter: anyio.CapacityLimiter,
) -> None:
    """Ask one prompt by each of some calls, one after the other."""
    dialogue_before = held.dialogue.model_copy(update={"turns": held.dialogue.turns[:turn]})
    brief = patient_brief(
        held.case,
        dialogue_before,
        held.dialogue.turns[turn].instruction,
        _rules(held),
        directed=held.played.directed,
    )
    texts = replies.by_prompt.setdefault(f"{held.run.id} {held.sample} {held.repeat}", [])
    async with limiter:
        for each in calls:
            try:
                texts.append((await each.say(_ROLE, brief)).text)
            except CallFailedError as e:
                replies.failed[str(e)] += 1


def _rules(held: HeldDialogue) -> Rules:
    settings = held.run.settings
    return Rules(
        seed=settings.get("seed", 0) + held.repeat - 1, manner=tuple(settings.get("manner", ()))
    )


def _patient_of_run(held: HeldDialogue) -> Player:
    """The patient of a dialogue, as its log says who it was.

    Raises:
        EvaluationError: it does not.
    """
    players = json.loads(held.run.settings.get("players") or "{}")
    if _ROLE not in players:
        message = "{file}: does not say how its patient was called; name one with --patient"
        raise EvaluationError(translate(message, file=held.run.log))
    return Player.model_validate(players[_ROLE])


def _seeded(player: Player, seed: int) -> Player:
    """A player that sends a seed, unless it states one."""
    return player if player.seed is not None else player.model_copy(update={"seed": seed})

"""Dialogues of medkg's own agents by a plain loop, without Inspect, and their judgements."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, TypedDict

from evalsim.agents.director import Director
from evalsim.agents.patient import speak
from evalsim.briefs import (
    DoctorBrief,
    GuideBrief,
    JudgeBrief,
    Metric,
    PersonaBrief,
    ScreenBrief,
    SpeakBrief,
    Verdict,
)
from evalsim.case import DiagnosisCase, Language, MedicationCase, Task
from evalsim.dialogue import Dialogue, Instruction, Turn
from evalsim.judging.judge import Judge
from evalsim.plan import Persona, Plan

METRICS: dict[str, tuple[Metric, ...]] = {
    "diagnosis": ("correctness", "history_taking", "safety"),
    "medication": ("correctness", "comprehensiveness", "safety"),
}


class About(TypedDict):
    """What every brief says."""

    language: Language
    task: Task


@dataclass(frozen=True)
class Scored:
    """A verdict, with what it was given on."""

    case: DiagnosisCase | MedicationCase
    doctor: str
    persona: Persona
    turns: tuple[Turn, ...]
    metric: Metric
    verdict: Verdict
    seconds: float


class Speaks(Protocol):
    """A doctor."""

    @property
    def name(self) -> str:
        """Of the doctor."""

    def reply(
        self, brief: DoctorBrief, case: DiagnosisCase | MedicationCase | None, seed: int
    ) -> str:
        """What is said."""


def hold(
    case: DiagnosisCase | MedicationCase,
    doctor: Speaks,
    director: Director,
    judge: Judge,
    seed: int,
    *,
    metrics: Sequence[Metric] = (),
) -> Iterator[Scored]:
    """Hold one dialogue to its end; every turn is judged on every metric, or on those that are given.

    The correctness of a diagnosis is judged where the dialogue ends.
    """
    about = About(language=case.language, task=case.task)
    persona = director.persona(PersonaBrief(case=case, seed=seed, **about))
    screening = director.screen(ScreenBrief(case=case, persona=persona, seed=seed, **about))
    plan = Plan(persona=persona, **dict(screening))
    dialogue = Dialogue(case=case.id, plan=plan, language=case.language, task=case.task)
    instruction: Instruction | None = dialogue.first(case)
    while instruction is not None:
        said = speak(
            SpeakBrief(
                persona=persona,
                instruction=instruction,
                drug=case.target.called(case.language) if case.task == "medication" else None,
                turns=tuple(dialogue.turns),
                seed=seed,
                **about,
            )
        )
        turn = Turn(number=len(dialogue.turns) + 1, instruction=instruction, patient=said)
        dialogue.turns.append(turn)
        turn.doctor = doctor.reply(DoctorBrief(turns=tuple(dialogue.turns), **about), case, seed)
        guidance = director.guide(
            GuideBrief(
                case=case,
                plan=plan,
                turns=tuple(dialogue.turns),
                unreleased=dialogue.unreleased(),
                seed=seed,
                **about,
            )
        )
        instruction = dialogue.follow(case, guidance)
        for metric in metrics or METRICS[case.task]:
            if case.task == "diagnosis" and metric == "correctness" and instruction is not None:
                continue
            brief = JudgeBrief(
                metric=metric,
                case=case,
                persona=persona,
                turns=tuple(each.model_copy() for each in dialogue.turns),
                references=(),
                **about,
            )
            before = time.perf_counter()
            verdict = judge.judge(brief)
            seconds = time.perf_counter() - before
            yield Scored(case, doctor.name, persona, brief.turns, metric, verdict, seconds)


def mean(scores: Sequence[float]) -> float:
    """Of scores; nan for none."""
    return sum(scores) / len(scores) if scores else float("nan")

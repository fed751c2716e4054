"""What the differential doctor says of each case in each setting, and what the judge gives for it."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, Literal

from pydantic import BaseModel

from evalsim.agents.doctors import Doctor, Notes
from evalsim.briefs import DoctorBrief, JudgeBrief
from evalsim.case import DiagnosisCase, write_cases
from evalsim.cases.imported import ImportReport
from evalsim.dialogue import Instruction, Turn
from evalsim.running.logs import HeldDialogue, read_dialogues
from evalsim.running.roles import read_cast
from evalsim.running.run import RunOptions, run
from evalsim.running.world import World
from kg.differential import Assessment, Patient, assess
from tests.experiments.judging.dialogues import hold

Setting = Literal["opening", "interactive", "findings", "text"]
"""Told: what the patient says first; in a dialogue; all findings at once; the whole text at once."""
SETTINGS: Final[tuple[Setting, ...]] = ("opening", "interactive", "findings", "text")
SEED: Final = 22
_AT_ONCE: Final = 4


class Outcome(BaseModel, frozen=True):
    """One diagnosis."""

    case: str
    setting: Setting
    closed: bool
    """The doctor knows that it is one of the answers that the set offers."""
    score: int
    """0 to 3, of the judge; 0 where the dialogue came to no diagnosis."""
    said: str
    """The doctor's last words."""


class Outcomes(BaseModel, frozen=True):
    """All that one set came to."""

    report: ImportReport
    cases: tuple[DiagnosisCase, ...]
    """All that were read."""
    met: tuple[str, ...]
    """Ids of those that the doctor met."""
    outcomes: tuple[Outcome, ...]
    diseases: int
    """Of the graph, that have findings."""
    violations: int
    """Turns of the interactive setting in which the patient broke a rule."""
    turns: float
    """Mean, in the interactive setting."""


class ClosedDoctor(Doctor):
    """The differential doctor, where it can only be one of some diseases."""

    def __init__(self, world: World, among: Sequence[str]) -> None:
        super().__init__("differential", world.store, world.linker)
        self._among = [*among]

    def _assess(self, notes: Notes) -> Assessment:
        """As the doctor does; where it notes nothing, what the sources name most is likeliest."""
        if not notes.present:
            return Assessment([], [])
        patient = Patient(notes.present, notes.absent, notes.age, notes.sex)
        return assess(self._store, patient, 15, 30, among=self._among)


def play(
    world: World, graph: Path, cases: Sequence[DiagnosisCase], folder: Path
) -> tuple[list[Outcome], list[HeldDialogue]]:
    """Open diagnosis: the dialogues by ``medkg eval medkgeval``, single texts directly.

    Returns:
        The outcomes, and the dialogues of the interactive setting and of all findings at once.
    """
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "cases.jsonl"
    write_cases(cases, file)
    doctor = Doctor("differential", world.store, world.linker)
    found = [*_of_texts(world, doctor, cases, closed=False)]
    held: list[HeldDialogue] = []
    for setting in ("interactive", "findings"):
        own = _held(graph, file, folder / setting, single_turn=setting == "findings")
        held += own
        for each in own:
            turns = each.dialogue.turns
            score = _score(turns[-1]) if turns else 0
            said = turns[-1].doctor if turns else ""
            found.append(_outcome(each.case.id, setting, score, said))
    return found, held


def play_closed(
    world: World,
    cases: Iterable[tuple[DiagnosisCase, Sequence[str]]],
    held: Sequence[HeldDialogue],
) -> Iterator[Outcome]:
    """The same, of the diseases that the set offers alone."""
    told = {
        each.case.id: each.dialogue.turns[0].patient
        for each in held
        if each.run.settings.get("single_turn")
    }
    for case, among in cases:
        doctor = ClosedDoctor(world, among)
        yield from _of_texts(world, doctor, [case], closed=True)
        yield _judged(world, doctor, case, "findings", told[case.id], closed=True)
        [last] = hold(case, doctor, world.director, world.judge, SEED, metrics=("correctness",))
        said = last.turns[-1].doctor
        yield _outcome(case.id, "interactive", last.verdict.score or 0, said, closed=True)


def _of_texts(
    world: World, doctor: Doctor, cases: Sequence[DiagnosisCase], *, closed: bool
) -> Iterator[Outcome]:
    for case in cases:
        yield _judged(world, doctor, case, "opening", case.opening or "", closed=closed)
        yield _judged(world, doctor, case, "text", case.everything or "", closed=closed)


def _judged(
    world: World, doctor: Doctor, case: DiagnosisCase, setting: Setting, text: str, *, closed: bool
) -> Outcome:
    """One reply to one text."""
    brief = DoctorBrief(language=case.language, task="diagnosis", turns=(), everything=text)
    said = doctor.reply(brief, None, SEED)
    turn = Turn(number=1, instruction=Instruction(intent="open"), patient=text, doctor=said)
    judging = JudgeBrief(
        metric="correctness",
        case=case,
        language=case.language,
        task="diagnosis",
        turns=(turn,),
        references=(),
    )
    score = world.judge.judge(judging).score or 0
    return _outcome(case.id, setting, score, said, closed=closed)


def _outcome(
    case: str, setting: Setting, score: int, said: str, *, closed: bool = False
) -> Outcome:
    return Outcome(case=case, setting=setting, closed=closed, score=score, said=said)


def _held(graph: Path, cases: Path, folder: Path, *, single_turn: bool) -> list[HeldDialogue]:
    cast = read_cast({"doctor": "medkg/doctor-differential"}, preset="offline")
    options = RunOptions(
        task="diagnosis",
        cases=cases,
        folder=folder,
        cast=cast,
        graph=str(graph),
        single_turn=single_turn,
        seed=SEED,
        max_samples=_AT_ONCE,
    )
    return [*read_dialogues(run(options).logs)]


def _score(turn: Turn) -> int:
    scores = [each.score for each in turn.judgements if each.metric == "correctness"]
    return int(scores[0] or 0) if scores else 0

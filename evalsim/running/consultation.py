"""One consultation: the director prepares, then patient and doctor speak in turn, judged as they go.

Section 4 of MedKGEval. Each round the patient says what the director lets it say, the utterance is
audited, the doctor replies, every judge scores the reply while the dialogue goes on, and the director
reads the reply and says what comes next. A role that fails ends the dialogue with a reason, or leaves
one judgement unscored; neither ends the run.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, get_args

from anyio import create_task_group
from anyio.to_thread import run_sync

from evalsim.briefs import (
    DoctorBrief,
    GraphVerdict,
    GuideBrief,
    JudgeBrief,
    Metric,
    PersonaBrief,
    ScreenBrief,
    SpeakBrief,
    UndirectedBrief,
    Verdict,
)
from evalsim.case import Attribute, DiagnosisCase, MedicationCase
from evalsim.dialogue import Dialogue, EndReason, Guidance, Instruction, Judgement, Reading, Turn
from evalsim.judging.references import references
from evalsim.metrics.scores import highest
from evalsim.plan import Manner, Persona, Plan, Screening
from evalsim.running.calls import LONGEST_REASON, Callee, CallFailedError, Calls, Entry
from evalsim.running.world import World

SAFETY: Final[Metric] = "safety"
GRAPH_JUDGE: Final = "medkg/judge"


@dataclass(frozen=True)
class Rules:
    """How consultations go."""

    limit: int = 12
    """Turns at most."""
    seed: int = 0
    manner: tuple[Manner, ...] = ()
    """Of the patient."""
    single_turn: bool = False
    """All findings at once, and one reply (the single-turn rows of table 5)."""


@dataclass
class Consultation:
    """One case, as one doctor meets it."""

    case: DiagnosisCase | MedicationCase
    calls: Calls
    world: World
    rules: Rules
    keep: Callable[[Dialogue], None]
    """Called after every turn, so that what was said is not lost when the dialogue is cut off."""

    @property
    def directed(self) -> bool:
        """Whether there is a director."""
        return "director" in self.calls.callees

    async def hold(self) -> Dialogue:
        """Hold it to its end."""
        try:
            plan = await self._plan()
        except CallFailedError as e:
            return self._failed_dialogue(e)
        dialogue = Dialogue(
            case=self.case.id,
            task=self.case.task,
            language=self.case.language,
            plan=plan,
            limit=1 if self.rules.single_turn else self.rules.limit,
        )
        self.keep(dialogue)
        instruction: Instruction | None = dialogue.first(
            self.case, all_at_once=self.rules.single_turn
        )
        while instruction is not None:
            instruction = await self._round(dialogue, instruction)
            self.keep(dialogue)
        return dialogue

    async def judge_again(self, dialogue: Dialogue) -> Dialogue:
        """A dialogue as it was held, its turns judged anew; nobody speaks."""
        rejudged = dialogue.model_copy(deep=True)
        for number, turn in enumerate(rejudged.turns, 1):
            end = rejudged.end if number == len(rejudged.turns) else None
            if end in (EndReason.SILENT, EndReason.REFUSED) and turn.reading is None:
                turn.judgements = self._lowest_judgements(turn, end)
            elif not turn.doctor or end is EndReason.DIRECTOR_FAILED:
                turn.judgements = ()  # no judge was asked about it
            else:
                so_far = rejudged.model_copy(update={"turns": rejudged.turns[:number]})
                ended = end not in (None, EndReason.PATIENT_FAILED)
                turn.judgements = await self._judgements(so_far, ended=ended)
            self.keep(rejudged)
        return rejudged

    async def _plan(self) -> Plan:
        """The persona, and what it has; without a director the graph's own decides the persona."""
        brief = PersonaBrief(
            language=self.case.language, task=self.case.task, case=self.case, seed=self.rules.seed
        )
        if not self.directed:
            persona = self.world.director.persona(brief)
            return Plan(persona=persona, **dict(_unscreened(self.case)))
        persona = await self.calls.give("director", brief, Persona)
        screen = ScreenBrief(
            language=self.case.language,
            task=self.case.task,
            case=self.case,
            persona=persona,
            seed=self.rules.seed,
        )
        screening = await self.calls.give("director", screen, Screening)
        plan = Plan(persona=persona, **dict(_checked_screening(screening, self.case)))
        if not self.rules.manner or isinstance(self.case, MedicationCase):
            return plan
        director, rules = self.world.director, self.rules
        conduct = await run_sync(director.conduct, self.case, plan, rules.manner, rules.seed)
        return plan.model_copy(update={"conduct": conduct})

    async def _round(self, dialogue: Dialogue, instruction: Instruction) -> Instruction | None:
        """One turn; what the patient does next, None at the end."""
        turn = Turn(number=len(dialogue.turns) + 1, instruction=instruction, patient="")
        try:
            turn.patient = await self._patient(dialogue, instruction)
        except CallFailedError as e:
            self._failed(dialogue, EndReason.PATIENT_FAILED, e)
            return None
        turn.violations = await run_sync(
            partial(self.world.auditor.audit, directed=self.directed), self.case, dialogue, turn
        )
        dialogue.turns.append(turn)
        if not self.directed:  # nobody has said what is to be told
            earlier_turns = dialogue.turns[:-1]
            dialogue.hear(
                await run_sync(self.world.auditor.instruction_for, self.case, earlier_turns, turn)
            )
        try:
            reply = await self._doctor(dialogue)
        except CallFailedError as e:
            self._failed(dialogue, EndReason.DOCTOR_FAILED, e)
            return None
        turn.doctor = reply.text
        if reply.refused or not turn.doctor:
            dialogue.end = EndReason.REFUSED if reply.refused else EndReason.SILENT
            turn.judgements = self._lowest_judgements(turn, dialogue.end)
            return None
        return await self._after(dialogue)

    async def _after(self, dialogue: Dialogue) -> Instruction | None:
        """Judge the last reply and let the director read it."""
        turn = dialogue.turns[-1]
        try:
            guidance = await self._guidance(dialogue)
            following = dialogue.follow(self.case, guidance)
        except (CallFailedError, ValueError) as e:  # the latter: it breaks a dialogue's rules
            self._failed(dialogue, EndReason.DIRECTOR_FAILED, e)
            return None
        turn.judgements = await self._judgements(dialogue, ended=following is None)
        return following

    async def _patient(self, dialogue: Dialogue, instruction: Instruction) -> str:
        brief = patient_brief(self.case, dialogue, instruction, self.rules, directed=self.directed)
        entry = await self.calls.say("patient", brief)
        if self.directed and not entry.text:
            raise CallFailedError("the patient said nothing")
        return entry.text

    async def _doctor(self, dialogue: Dialogue) -> Entry:
        single = self.rules.single_turn
        brief = DoctorBrief(
            language=self.case.language,
            task=self.case.task,
            turns=() if single else tuple(dialogue.turns),
            everything=dialogue.turns[-1].patient if single else None,
        )
        reply = await self.calls.say("doctor", brief)
        if reply.truncated and not reply.text:
            raise CallFailedError(
                "cut off at its limit of tokens before it had said anything; raise its max_tokens"
            )
        return reply

    async def _guidance(self, dialogue: Dialogue) -> Guidance:
        brief = GuideBrief(
            language=self.case.language,
            task=self.case.task,
            case=self.case,
            plan=dialogue.plan,
            turns=tuple(dialogue.turns),
            unreleased=dialogue.unreleased(),
            seed=self.rules.seed,
        )
        if not self.directed:
            return await run_sync(self.world.director.guide, brief)
        guidance = await self.calls.give("director", brief, Guidance)
        if self.calls.callees["director"].player.own:
            return guidance
        reply = dialogue.turns[-1].doctor
        own_reading = await run_sync(self.world.reader.read, reply)
        return guidance.model_copy(update={"reading": _with_ids(guidance.reading, own_reading)})

    async def _judgements(self, dialogue: Dialogue, *, ended: bool) -> tuple[Judgement, ...]:
        """Every judge on every metric of the turn, side by side, then the safety flags."""
        metrics = self._metrics(dialogue.turns[-1], ended=ended)
        briefs = [await run_sync(self._brief, dialogue, metric) for metric in metrics]
        judgements: dict[tuple[int, int], Judgement] = {}

        async def judge(position: tuple[int, int], callee: Callee, brief: JudgeBrief) -> None:
            judgements[position] = await self._judgement(callee, brief)

        async with create_task_group() as group:
            for j, callee in enumerate(self.calls.judges()):
                for m, brief in enumerate(briefs):
                    group.start_soon(judge, (j, m), callee, brief)
        safety = await run_sync(
            self.world.judge.judge, self._brief(dialogue, SAFETY, with_references=False)
        )
        flags = Judgement(
            judge=GRAPH_JUDGE,
            metric=SAFETY,
            score=None,
            applies=False,
            reason=safety.reason,
            facts=safety.facts,
            flags=safety.flags,
        )
        return (*(judgements[position] for position in sorted(judgements)), flags)

    def _metrics(self, turn: Turn, *, ended: bool) -> tuple[Metric, ...]:
        """What a turn is judged on; a diagnosis is judged where the dialogue ends."""
        if self.case.task == "medication":
            return ("correctness", "comprehensiveness")
        history: tuple[Metric, ...] = ("history_taking",) if turn.takes_history else ()
        if self.rules.single_turn:
            history = ()
        return (*history, "correctness") if ended else history

    def _lowest_judgements(self, turn: Turn, reason: EndReason) -> tuple[Judgement, ...]:
        """Of a doctor who declines or says nothing: the lowest score on everything."""
        return tuple(
            Judgement(judge=callee.player.name, metric=metric, score=0, reason=str(reason))
            for callee in self.calls.judges()
            for metric in self._metrics(turn, ended=True)
        )

    async def _judgement(self, callee: Callee, brief: JudgeBrief) -> Judgement:
        judge_and_metric: dict[str, Any] = {"judge": callee.player.name, "metric": brief.metric}
        form = GraphVerdict if callee.player.own else Verdict
        try:
            verdict = await self.calls.give(callee.role, brief, form)
        except CallFailedError as e:
            return Judgement(**judge_and_metric, score=None, reason=str(e))
        most = highest(brief.task, brief.metric)
        if verdict.score is not None and not 0 <= verdict.score <= most:
            return Judgement(
                **judge_and_metric, score=None, reason=f"{verdict.score}: not 0 to {most}"
            )
        return Judgement(
            **judge_and_metric,
            score=verdict.score,
            applies=not isinstance(verdict, GraphVerdict) or verdict.applies,
            reason=verdict.reason,
            facts=verdict.facts,
            flags=verdict.flags,
        )

    def _brief(
        self, dialogue: Dialogue, metric: Metric, with_references: bool = True
    ) -> JudgeBrief:
        """What a judge is told; medkg's own asks the graph itself."""
        turns, persona = tuple(dialogue.turns), dialogue.plan.persona
        facts: tuple[str, ...] = ()
        if with_references and not all(callee.player.own for callee in self.calls.judges()):
            facts = references(
                self.world.store,
                self.case,
                metric,
                turns,
                persona=persona,
                moments=self.world.judge.moments,
            )
        return JudgeBrief(
            language=self.case.language,
            task=self.case.task,
            metric=metric,
            case=self.case,
            persona=persona,
            turns=turns,
            references=facts,
            single_turn=self.rules.single_turn,
        )

    def _failed_dialogue(self, error: Exception) -> Dialogue:
        """A dialogue that never began."""
        persona = Persona(age=40.0, sex="female")
        dialogue = Dialogue(
            case=self.case.id,
            task=self.case.task,
            language=self.case.language,
            plan=Plan(persona=persona),
        )
        self._failed(dialogue, EndReason.DIRECTOR_FAILED, error)
        self.keep(dialogue)
        return dialogue

    def _failed(self, dialogue: Dialogue, reason: EndReason, error: Exception) -> None:
        """End a dialogue that a role failed in; what it said last is asked for again."""
        self.calls.forget(reason.partition(" ")[0])
        dialogue.end = reason
        dialogue.failure = " ".join(str(error).split())[:LONGEST_REASON]


def patient_brief(
    case: DiagnosisCase | MedicationCase,
    dialogue: Dialogue,
    instruction: Instruction,
    rules: Rules,
    *,
    directed: bool,
) -> SpeakBrief | UndirectedBrief:
    """What the patient is told in the turn that follows those of a dialogue."""
    common: dict[str, Any] = {
        "language": case.language,
        "task": case.task,
        "persona": dialogue.plan.persona,
        "turns": tuple(dialogue.turns),
        "seed": rules.seed,
    }
    if not directed:
        return UndirectedBrief(case=case, **common)
    return SpeakBrief(
        instruction=instruction,
        drug=case.target.called(case.language) if isinstance(case, MedicationCase) else None,
        **common,
    )


def _checked_screening(screening: Screening, case: DiagnosisCase | MedicationCase) -> Screening:
    """A screening that names only what the case has.

    Raises:
        CallFailedError: it names something else, or nothing to begin with.
    """
    if isinstance(case, MedicationCase):
        keys_of_facts = {(fact.attribute, fact.id) for fact in case.facts}
        unknown: Sequence[object] = [
            each for each in screening.questions if each not in keys_of_facts
        ]
        is_empty = not screening.questions
    else:
        finding_ids = {finding.id for finding in case.findings}
        unknown = [
            each for each in (*screening.told, *screening.further) if each not in finding_ids
        ]
        is_empty = not screening.told
    if unknown or is_empty:
        raise CallFailedError(f"screening: {unknown[0] if unknown else 'nothing'} to tell")
    return screening


def _with_ids(reading: Reading, own_reading: Reading) -> Reading:
    """What a language model reads in a reply, with the things that the graph knows by their ids.

    A model cannot know them, and judges compare by them.
    """
    linked = ("asked", "diagnoses", "treatments", "advised_against")
    return reading.model_copy(
        update={
            **{name: getattr(own_reading, name) for name in linked},
            "said_diagnosis": own_reading.said_diagnosis or reading.said_diagnosis,
            "urgent": own_reading.urgent or reading.urgent,
        }
    )


def _unscreened(case: DiagnosisCase | MedicationCase) -> Screening:
    """What a case has, as it comes."""
    if isinstance(case, MedicationCase):
        first_facts = [case.of(a)[:1] for a in get_args(Attribute)]
        return Screening(
            questions=tuple((f.attribute, f.id) for each in first_facts for f in each)
        )
    return Screening(told=tuple(finding.id for finding in case.findings))

"""A dialogue as it goes: who the patient is, what may be told, what was said, and how it ended.

The director's state lives here, and only here: what is released, what the doctor has asked for, and
whether the dialogue has ended. No text of a role decides that by itself. ``Dialogue.follow`` takes
what the director read in the doctor's reply and holds it to the rules of section 4 of MedKGEval: one
or two findings a round, nothing that the case has not, and an end of a closed list.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from evalsim.case import Attribute, DiagnosisCase, Language, MedicationCase, Task, Thing
from evalsim.plan import Plan

PACE: Final = 2
"""Findings that a patient tells in one round unasked, at most."""


class EndReason(StrEnum):
    """Why a dialogue ended; there is no other reason."""

    DIAGNOSED = "diagnosed"
    """The doctor committed to a diagnosis."""
    NO_DIAGNOSIS = "no diagnosis"
    """All was told, the patient asked for a diagnosis, and the doctor gave none."""
    ALL_ASKED = "all asked"
    """A medication consultation came to the end of its questions."""
    TURN_LIMIT = "turn limit"
    REFUSED = "refused"
    """The doctor declined to go on."""
    SILENT = "silent"
    """The doctor's reply was empty."""
    DOCTOR_FAILED = "doctor failed"
    """Its endpoint gave no reply, after all retries."""
    PATIENT_FAILED = "patient failed"
    DIRECTOR_FAILED = "director failed"
    """Its endpoint gave no reply, or one that cannot be read or that breaks the rules."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Supply(_Frozen):
    """The patient's answer to one thing that the doctor asked for."""

    about: Thing
    answer: Literal["yes", "no", "not known"]
    source: Literal["graph", "filler"]
    """``filler``: the graph has nothing on it, so that the answer is made up to be harmless."""
    releases: str | None = None
    """Id of the finding of the case that a yes tells of; None where the answer is none."""


Topic = Literal[
    "age",
    "sex",
    "history",
    "past",
    "pregnancy",
    "duration",
    "severity",
    "place",
    "course",
    "details",
    "medicines",
    "allergies",
    "family",
    "smoking",
    "alcohol",
    "occupation",
    "lifestyle",
    "tests",
]
"""What else a doctor asks for; ``course``: what makes it better or worse; ``details``: how it is;
``past``: whether it was so before, and operations."""
OF_PERSONA: Final[tuple[Topic, ...]] = ("age", "sex", "history", "pregnancy")
"""Topics that the persona answers; what is said to others is filler."""


class Reading(_Frozen):
    """What a doctor's reply does."""

    asked: tuple[Thing, ...] = ()
    """Findings that it asks for, in their order."""
    topics: tuple[Topic, ...] = ()
    open: bool = False
    """It invites further complaints ("anything else?")."""
    vague: bool = False
    """It asks, and nothing says for what ("tell me more")."""
    diagnoses: tuple[Thing, ...] = ()
    """Conditions that it gives as the diagnosis, the likeliest first."""
    said_diagnosis: str | None = None
    """The words of the first one, whether the graph knows it or not."""
    final: bool = False
    """It commits to a diagnosis, and does not ask on."""
    treatments: tuple[Thing, ...] = ()
    """Drugs and procedures that it advises."""
    advised_against: tuple[Thing, ...] = ()
    """Drugs and procedures that it advises against."""
    urgent: bool = False
    """It sends the patient to urgent care."""
    unknown: bool = False
    """It says that it does not know."""
    refused: bool = False


Intent = Literal["open", "answer", "tell", "ask back", "ask for a diagnosis", "ask"]
"""What the patient does in a turn: begins; answers; tells more; asks what the doctor means; asks
for a diagnosis, as all is told; asks about the drug."""


class Instruction(_Frozen):
    """What the director has the patient do; the patient knows nothing else of the case."""

    intent: Intent
    tell: tuple[Thing, ...] = ()
    """Findings to tell, with their everyday words."""
    supplies: tuple[Supply, ...] = ()
    topics: tuple[Topic, ...] = ()
    """To be answered: by the persona, else harmlessly."""
    filler: tuple[Topic, ...] = ()
    """Those of the topics that nothing is known of."""
    tested: tuple[str, ...] = ()
    """Of what is told or answered, ids of what the patient knows from a test."""
    vague: bool = False
    """On purpose without degree, place or time; ``tell`` has groups in place of findings."""
    withheld: tuple[Thing, ...] = ()
    """Asked for, had, and on purpose denied or not talked about."""
    fabricated: tuple[Thing, ...] = ()
    """To be told, on purpose, though the patient has it not."""
    attribute: Attribute | None = None
    fact: Thing | None = None
    """What a medication question is about."""

    @property
    def released(self) -> tuple[str, ...]:
        """Ids of what it tells, and of the findings of the case that its answers tell of."""
        released_by_answers = (supply.releases for supply in self.supplies)
        return (*(thing.id for thing in self.tell), *(id_ for id_ in released_by_answers if id_))


class Guidance(_Frozen):
    """What the director makes of a doctor's reply."""

    reading: Reading
    supplies: tuple[Supply, ...] = ()
    tell: tuple[str, ...] = ()
    """Ids of the findings to be told next, unasked."""
    topics: tuple[Topic, ...] | None = None
    """Those of the reading that no supply answers; None: all."""


Rule = Literal[
    "named the target",
    "paraphrased the target",
    "told what was not released",
    "volunteered",
    "contradicted",
    "invented",
    "refused a known fact",
    "ended early",
    "wrong language",
]


class Violation(_Frozen):
    """A rule of patients that an utterance breaks."""

    rule: Rule
    about: str
    """An id, or the words."""
    start: int | None = None
    stop: int | None = None
    """Offsets into the utterance, in code points."""


Flag = Literal["contraindicated drug advised", "emergency missed", "treated before asking"]
"""What is unsafe in a reply; there is nothing else."""


class Judgement(_Frozen):
    """What one judge says of a turn on one metric."""

    judge: str
    metric: str
    score: float | None
    """None: not scored."""
    applies: bool = True
    """False: the judge says that there is nothing to score, so that no score is missing."""
    reason: str
    """Why this score; why not scored."""
    facts: tuple[str, ...] = ()
    """What it stands on, a sentence each."""
    flags: tuple[str, ...] = ()
    """Safety flags that it raises."""


class Turn(BaseModel):
    """One round: the patient speaks, the doctor replies."""

    model_config = ConfigDict(extra="forbid")

    number: int
    """From 1."""
    instruction: Instruction
    patient: str
    violations: tuple[Violation, ...] = ()
    doctor: str = ""
    reading: Reading | None = None
    """None until the reply is read, or where there is none."""
    judgements: tuple[Judgement, ...] = ()

    @property
    def takes_history(self) -> bool:
        """Whether the doctor can still take the history in this turn.

        Not where the patient has told all and asks for a diagnosis, nor where the doctor gives one
        after earlier turns; a doctor that diagnoses in the first turn could have asked.
        """
        diagnoses = self.number > 1 and self.reading is not None and self.reading.final
        return self.instruction.intent != "ask for a diagnosis" and not diagnoses


class Dialogue(BaseModel):
    """A conversation about one case."""

    model_config = ConfigDict(extra="forbid")

    case: str
    """Id of the case."""
    task: Task
    language: Language
    plan: Plan
    limit: int = 12
    """Turns at most."""
    turns: list[Turn] = Field(default_factory=list)
    released: list[str] = Field(default_factory=list)
    """Ids of findings that the patient was let to tell, in their order."""
    hinted: list[str] = Field(default_factory=list)
    """Ids of findings of which a vague patient told the group, in their order."""
    asked_for_diagnosis: bool = False
    end: EndReason | None = None
    """None: it was cut off, by a limit of time or by its run's end."""
    failure: str | None = None
    """Why a role failed, where one ended it."""

    def first(
        self, case: DiagnosisCase | MedicationCase, *, all_at_once: bool = False
    ) -> Instruction:
        """What the patient begins with: the first finding, or the first question.

        Args:
            case: that the dialogue is about.
            all_at_once: the patient tells everything, so that the reply is to be the diagnosis.
        """
        if isinstance(case, MedicationCase):
            return self._question(case, 0)
        tell = self._tellable() if all_at_once else self.unreleased()[:1]
        self.asked_for_diagnosis = all_at_once
        return self._instruction(case, "open", tell, all_at_once=all_at_once)

    def follow(
        self, case: DiagnosisCase | MedicationCase, guidance: Guidance
    ) -> Instruction | None:
        """Go on as the director says, within the rules; None when the dialogue has ended.

        Args:
            case: that the dialogue is about.
            guidance: what the director makes of the reply in the last turn.

        Raises:
            ValueError: the guidance tells what the patient has not, or too much at a time.
        """
        self.turns[-1].reading = guidance.reading
        self.end = self._end(guidance.reading)
        if self.end:
            return None
        if isinstance(case, MedicationCase):
            return self._question(case, len(self.turns))
        return self._next(case, guidance)

    def hear(self, instruction: Instruction) -> None:
        """Take what a patient without a director has said for what it was let to say.

        Args:
            instruction: that it would have followed to say what it has said in the last turn.
        """
        self.turns[-1].instruction = instruction
        finding_ids = {*self.plan.told, *self.plan.further}
        released = (id_ for turn in self.turns for id_ in turn.instruction.released)
        self.released = list(dict.fromkeys(id_ for id_ in released if id_ in finding_ids))

    def unreleased(self) -> tuple[str, ...]:
        """Findings that the patient has yet to tell unasked, in their order."""
        already_said = {*self.released, *self.hinted}
        return tuple(
            id_ for id_ in self._tellable() if id_ in self.plan.told and id_ not in already_said
        )

    def _tellable(self) -> tuple[str, ...]:
        finding_ids = (*self.plan.told, *self.plan.further)
        return tuple(id_ for id_ in finding_ids if id_ not in self.plan.conduct.withheld)

    def _end(self, reading: Reading) -> EndReason | None:
        """Why the dialogue ends after a reply; None: it goes on."""
        conditions = {
            EndReason.REFUSED: reading.refused,
            EndReason.ALL_ASKED: self.task == "medication"
            and len(self.turns) >= len(self.plan.questions),
            EndReason.DIAGNOSED: self.task == "diagnosis" and reading.final,
            EndReason.NO_DIAGNOSIS: self.asked_for_diagnosis,
            EndReason.TURN_LIMIT: len(self.turns) >= self.limit,
        }
        return next((reason for reason, holds in conditions.items() if holds), None)

    def _next(self, case: DiagnosisCase, guidance: Guidance) -> Instruction:
        finding_ids = {*self.plan.told, *self.plan.further}
        supplied = [s.releases for s in guidance.supplies if s.releases]
        if unknown := sorted({*supplied, *guidance.tell} - finding_ids):
            raise ValueError(f"{unknown[0]}: this patient does not have it")
        if len(guidance.tell) > PACE:
            raise ValueError(f"{len(guidance.tell)} findings at once; {PACE} a round at most")
        reading = guidance.reading
        topics = reading.topics if guidance.topics is None else guidance.topics
        if guidance.supplies or topics:
            return self._instruction(case, "answer", guidance.tell, guidance.supplies, topics)
        if guidance.tell:
            return self._instruction(case, "tell", guidance.tell)
        if self.unreleased() and reading.vague:
            return Instruction(intent="ask back")
        # a round goes by without news only for a vague question
        if next_ids := self.unreleased()[:1]:
            return self._instruction(case, "tell", next_ids)
        self.asked_for_diagnosis = True
        return Instruction(intent="ask for a diagnosis")

    def _instruction(
        self,
        case: DiagnosisCase,
        intent: Intent,
        tell: Sequence[str],
        supplies: Sequence[Supply] = (),
        topics: tuple[Topic, ...] = (),
        *,
        all_at_once: bool = False,
    ) -> Instruction:
        """What the patient is to say, as its conduct is; notes what that lets out."""
        conduct = self.plan.conduct
        withheld = tuple(s.about for s in supplies if self._is_withheld(s))
        answers = tuple(self._answer(s) for s in supplies if not self._is_withheld(s))
        released = [s.releases for s in answers if s.releases]
        tell = [id_ for id_ in tell if id_ not in conduct.withheld]
        things = _things(case, tell)
        if conduct.vague:
            groups = (conduct.groups[id_] for id_ in tell if id_ in conduct.groups)
            things = tuple(dict.fromkeys(groups))
            ids_of_groups = [id_ for id_, group in conduct.groups.items() if group in things]
            self.hinted += dict.fromkeys(
                i for i in (*tell, *ids_of_groups) if i not in self.hinted
            )
        else:
            released += tell
        self.released += [id_ for id_ in dict.fromkeys(released) if id_ not in self.released]
        fabricated = self._fabricated(answers)[: None if all_at_once else len(self.turns) % 2]
        return Instruction(
            intent=intent,
            tell=things,
            supplies=answers,
            topics=topics,
            filler=tuple(topic for topic in topics if topic not in OF_PERSONA),
            tested=tuple(id_ for id_ in released if id_ in self.plan.tested),
            vague=conduct.vague,
            withheld=withheld,
            fabricated=fabricated,
        )

    def _is_withheld(self, supply: Supply) -> bool:
        """Whether an answer is kept back: the first time that it is asked for."""
        if supply.releases not in self.plan.conduct.withheld:
            return False
        withheld_before = (thing.id for turn in self.turns for thing in turn.instruction.withheld)
        return supply.about.id not in withheld_before

    def _answer(self, supply: Supply) -> Supply:
        """An answer as the patient's conduct is: of a group for a group, and yes for a lie."""
        conduct, id_ = self.plan.conduct, supply.releases
        reading = self.turns[-1].reading
        things_asked = reading.asked if reading else ()
        is_specific = any(_names(thing) & _names(supply.about) for thing in things_asked)
        if id_ and id_ in conduct.groups and id_ not in self.released and not is_specific:
            return Supply(about=conduct.groups[id_], answer="yes", source="graph")
        fabricated_ids = {thing.id for turn in self.turns for thing in turn.instruction.fabricated}
        if supply.about.id in fabricated_ids:
            return Supply(about=supply.about, answer="yes", source="filler")
        return supply

    def _fabricated(self, answers: Sequence[Supply]) -> tuple[Thing, ...]:
        """What is made up and was neither told nor denied yet; one is told in every second turn."""
        instructions = [turn.instruction for turn in self.turns]
        supplies = (*answers, *(s for each in instructions for s in each.supplies))
        ids_spoken_of = {s.about.id for s in supplies} | {
            t.id for each in instructions for t in each.fabricated
        }
        return tuple(
            thing for thing in self.plan.conduct.fabricated if thing.id not in ids_spoken_of
        )

    def _question(self, case: MedicationCase, number: int) -> Instruction:
        attribute, id_ = self.plan.questions[number]
        fact = next(f for f in case.facts if f.id == id_ and f.attribute == attribute)
        return Instruction(intent="ask", attribute=attribute, fact=fact.bare())


def _things(case: DiagnosisCase, ids: Sequence[str]) -> tuple[Thing, ...]:
    findings = {finding.id: finding for finding in case.findings}
    return tuple(findings[id_].bare() for id_ in ids)


def _names(thing: Thing) -> set[str]:
    """What tells a thing from others: its id and its names."""
    return {thing.id, *(n.casefold() for n in (thing.name, thing.name_zh) if n)}

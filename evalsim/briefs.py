"""What each role is told, and what it gives back.

A brief is all that a role knows. It is rendered to text for a language model by the template of its
name (``evalsim.prompts``); a role that medkg plays itself (``medkg/…``) is given the brief as it is.
Either way what comes back is the same: an utterance, or JSON of the model that ``gives`` names, so that
both are read by the same code.
"""

from typing import ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from evalsim.case import DiagnosisCase, Language, MedicationCase, Task
from evalsim.dialogue import Guidance, Instruction, Turn
from evalsim.plan import Persona, Plan, Screening

Role = Literal["director", "patient", "doctor", "judge"]
Metric = Literal["correctness", "comprehensiveness", "history_taking", "safety"]
"""Of table 2, and the safety flags."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Verdict(_Frozen):
    """A judge's answer: why first, then the score."""

    reason: str
    score: int | None = None
    """None: it gives none."""
    facts: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()


class GraphVerdict(Verdict):
    """The answer of the judge that medkg plays, which alone may say that there is nothing to score."""

    applies: bool = True
    """False: the metric does not apply to the reply."""


class Brief(_Frozen):
    """Of any role."""

    role: ClassVar[Role]
    gives: ClassVar[type[BaseModel] | None] = None
    """Model of its JSON; None: an utterance."""

    language: Language
    task: Task


class ScreenBrief(Brief):
    """The director filters and orders what a case has, for a persona."""

    role: ClassVar[Role] = "director"
    gives: ClassVar[type[BaseModel] | None] = Screening

    case: DiagnosisCase | MedicationCase = Field(discriminator="task")
    persona: Persona
    seed: int


class PersonaBrief(Brief):
    """The director makes who the patient is."""

    role: ClassVar[Role] = "director"
    gives: ClassVar[type[BaseModel] | None] = Persona

    case: DiagnosisCase | MedicationCase = Field(discriminator="task")
    seed: int


class GuideBrief(Brief):
    """The director reads the doctor's last reply, and says what the patient may answer."""

    role: ClassVar[Role] = "director"
    gives: ClassVar[type[BaseModel] | None] = Guidance

    case: DiagnosisCase | MedicationCase = Field(discriminator="task")
    plan: Plan
    turns: tuple[Turn, ...]
    """The last one has the reply."""
    unreleased: tuple[str, ...]
    seed: int


class SpeakBrief(Brief):
    """The patient says what the director lets it say."""

    role: ClassVar[Role] = "patient"

    persona: Persona
    instruction: Instruction
    drug: str | None = None
    """The name of the drug that is asked about; None in a diagnosis."""
    turns: tuple[Turn, ...]
    """Those before."""
    seed: int


class UndirectedBrief(Brief):
    """The patient of the ablation: it knows the case and has no director."""

    role: ClassVar[Role] = "patient"

    case: DiagnosisCase | MedicationCase = Field(discriminator="task")
    persona: Persona
    turns: tuple[Turn, ...]
    seed: int


class DoctorBrief(Brief):
    """The doctor hears the patient; nothing else is known to it."""

    role: ClassVar[Role] = "doctor"

    turns: tuple[Turn, ...]
    """The last one has no reply yet; of the others only what was said is shown."""
    everything: str | None = None
    """Single-turn: all findings at once; then there are no turns."""


class JudgeBrief(Brief):
    """The judge scores one reply on one metric, by references from the graph."""

    role: ClassVar[Role] = "judge"
    gives: ClassVar[type[BaseModel] | None] = Verdict

    metric: Metric
    case: DiagnosisCase | MedicationCase = Field(discriminator="task")
    persona: Persona | None = None
    """Who the patient is: a drug may be right for one and forbidden to another; None: not told."""
    turns: tuple[Turn, ...]
    """The last one has the reply that is judged."""
    references: tuple[str, ...]
    """Facts of the graph, a sentence each."""
    single_turn: bool = False
    """The doctor was told everything at once, and had nobody to ask."""

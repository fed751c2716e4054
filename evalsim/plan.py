"""What is decided before the first word: who the patient is, what it has and tells, how it behaves."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from evalsim.case import Attribute, Sex, Thing

Style = Literal["plain", "terse", "talkative", "anxious"]
"""How a patient speaks."""
Speaker = Literal["patient", "mother", "father", "spouse", "relative"]
"""Who speaks: a caregiver for an infant, or for somebody who cannot."""


Manner = Literal["vague", "withholding", "fabricating"]
"""What a patient does on purpose, where it is asked to."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Persona(_Frozen):
    """Who the patient is, consistent with the case."""

    age: float = Field(ge=0, le=130)
    """Years."""
    sex: Sex
    speaker: Speaker = "patient"
    style: Style = "plain"
    history: tuple[Thing, ...] = ()
    """Conditions that the patient knows of."""
    pregnant: bool = False


class LeftOut(_Frozen):
    """A finding of the case that this patient does not have, or does not tell."""

    id: str
    reason: str
    """Of medkg's director: of the closed list in ``evalsim.agents.director``; of another any words."""


class Screening(_Frozen):
    """What the director lets a patient have, and in which order it is told."""

    told: tuple[str, ...] = ()
    """Ids of findings that the patient tells without being asked, in this order."""
    further: tuple[str, ...] = ()
    """Ids of findings that the patient has, and tells when asked."""
    left_out: tuple[LeftOut, ...] = ()
    tested: tuple[str, ...] = ()
    """Of both, what nobody feels: the patient knows it from a test, and says so."""
    questions: tuple[tuple[Attribute, str], ...] = ()
    """Of a medication consultation: the attribute of each round, and the id of its fact."""


class Conduct(_Frozen):
    """What a patient does on purpose, as its manner is; none of it breaks a rule."""

    vague: bool = False
    """It says of a finding only its group, or that something is not right, until asked for it."""
    groups: dict[str, Thing] = {}
    """Of a vague patient: the group of each finding that has one, by the finding's id."""
    withheld: tuple[str, ...] = ()
    """Ids of findings that it tells only when it is asked for them a second time."""
    fabricated: tuple[Thing, ...] = ()
    """What it says it has, in this order, and has not."""


class Plan(Screening):
    """What the director prepares before the first word."""

    persona: Persona
    conduct: Conduct = Conduct()

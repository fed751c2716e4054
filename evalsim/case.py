"""Cases: what one conversation is about, frozen with the facts of the graph behind it.

A case is drawn from a graph, or read from a published set, once; every model then meets the same.
It holds what the disease or the drug has in the graph, unfiltered: what of it one patient has,
and in which order it is told, the director decides (``evalsim.dialogue.Plan``).
"""

import json
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from cypher.translation import translate
from kg.errors import EvaluationError

Task = Literal["diagnosis", "medication"]
"""Disease diagnosis (DD) and medication consultation (MC), section 4 of MedKGEval."""
Language = Literal["en", "zh"]
Sex = Literal["male", "female"]
Difficulty = Literal["easy", "medium", "hard"]
Attribute = Literal["indication", "contraindication", "precaution", "interaction"]
BY_DANGER: Final[tuple[Attribute, ...]] = (
    "contraindication",
    "precaution",
    "interaction",
    "indication",
)
"""Attributes, what is dangerous to leave out first."""
"""What a round of a medication consultation is about."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Thing(_Frozen):
    """An entity of the graph."""

    id: str
    type: str
    name: str
    name_zh: str | None = None
    words: tuple[str, ...] = ()
    """Everyday words for it in the language of the case, the most usual first; of an imported
    case, the words of its text."""

    @property
    def names(self) -> tuple[str, ...]:
        """All that it is called, in every language, everyday words last."""
        return tuple(filter(None, (self.name, self.name_zh, *self.words)))

    def called(self, language: Language) -> str:
        """Its name in a language, else in English."""
        return (self.name_zh or self.name) if language == "zh" else self.name

    def bare(self) -> "Thing":
        """Without what only the director may know of it, such as how often it is seen."""
        return Thing(**{name: getattr(self, name) for name in Thing.model_fields})


class Finding(Thing):
    """A finding that the disease of a case has in the graph."""

    frequency: float | None = None
    """In how many of its patients, in [0, 1]; None: no source says."""
    discrimination: float | None = None
    """How well it tells the disease from others, in [0, 1]; None: not scored."""
    sources: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    """Consistency rules that warn of it."""


class Fact(Thing):
    """What the graph says of the drug of a case."""

    attribute: Attribute
    sources: tuple[str, ...] = ()


class _Case(_Frozen):
    id: str
    """Unique in a set of cases, and the same whenever it is drawn again."""
    language: Language
    target: Thing
    """The disease to be found, or the drug that is asked about."""
    synonyms: tuple[str, ...] = ()
    """Other names of the target in any language; no patient says one."""
    cuis: tuple[str, ...] = ()
    area: str = ""
    """Of medicine, for what is drawn evenly and reported apart; empty: not known."""
    kind: str = ""
    """What sort of target it is, likewise."""
    difficulty: Difficulty | None = None
    origin: str = "graph"
    """``graph``, or the published set that it is from."""
    graph: str = ""
    """Checksum of the graph that its facts are of."""


class DiagnosisCase(_Case):
    """A disease that a doctor is to find."""

    task: Literal["diagnosis"] = "diagnosis"
    findings: tuple[Finding, ...]
    """What the disease has; at least one."""
    absent: tuple[Thing, ...] = ()
    """What the disease is said not to have, or the patient of an imported case has not."""
    comorbid: tuple[Thing, ...] = ()
    """Conditions that go with it, of which the patient's history may have some."""
    onset: float | None = None
    """The least age at which it begins, in years."""
    sex: Sex | None = None
    """The one sex that has it."""
    age: float | None = None
    """The patient's, in years, where an imported case states it."""
    opening: str | None = None
    """What the patient of an imported case says first."""
    everything: str | None = None
    """All that an imported case tells, in its own words, without the diagnosis."""


class MedicationCase(_Case):
    """A drug that somebody asks about."""

    task: Literal["medication"] = "medication"
    facts: tuple[Fact, ...]
    """At least an indication and a contraindication."""

    def of(self, attribute: Attribute) -> tuple[Fact, ...]:
        """The facts of one attribute, in their order."""
        return tuple(fact for fact in self.facts if fact.attribute == attribute)


Case = Annotated[DiagnosisCase | MedicationCase, Field(discriminator="task")]
_CASE: Final[TypeAdapter[DiagnosisCase | MedicationCase]] = TypeAdapter(Case)


def read_cases(path: Path) -> list[DiagnosisCase | MedicationCase]:
    """Read cases that ``write_cases`` wrote, one JSON object a line.

    Raises:
        EvaluationError: the file cannot be read, a line is no case, or an id comes twice.
    """
    try:
        lines = path.read_text("utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as e:
        message = "{file}: cannot be read ({why}); give a file of 'medkg eval cases'"
        raise EvaluationError(translate(message, file=path, why=e)) from e
    cases: dict[str, DiagnosisCase | MedicationCase] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            case = _CASE.validate_json(line)
        except ValidationError as e:
            first = e.errors()[0]
            where = ".".join(str(each) for each in first["loc"]) or "line"
            message = "{file}, line {number}: is no case ({where}: {why}); draw the cases again"
            raise EvaluationError(
                translate(message, file=path, number=number, where=where, why=first["msg"])
            ) from e
        if case.id in cases:
            message = "{file}, line {number}: the case {id} comes twice; take one of them out"
            raise EvaluationError(translate(message, file=path, number=number, id=case.id))
        cases[case.id] = case
    if not cases:
        message = "{file}: has no case; draw some with 'medkg eval cases'"
        raise EvaluationError(translate(message, file=path))
    return list(cases.values())


def write_cases(cases: Iterable[DiagnosisCase | MedicationCase], path: Path) -> None:
    """Write cases, one JSON object a line; the same cases give the same bytes.

    Raises:
        OSError: the file cannot be written.
    """
    path.write_text("".join(f"{_line(case)}\n" for case in cases), "utf-8")


def checksum(cases: Sequence[DiagnosisCase | MedicationCase]) -> str:
    """Tells a set of cases apart from any other: of their ids and all their facts."""
    digest = blake2b(digest_size=16)
    for case in cases:
        digest.update(_line(case).encode() + b"\n")
    return digest.hexdigest()


def _line(case: DiagnosisCase | MedicationCase) -> str:
    return json.dumps(case.model_dump(mode="json"), ensure_ascii=False, sort_keys=True)

"""The public sets, row by row: which file, what a row offers as answers, and in which part it says what."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import yaml

from evalsim.cases.sets import Origin
from tests.experiments.diagnosis.cases import CHOSEN


@dataclass(frozen=True)
class PublicSet:
    """One of them."""

    name: str
    origin: Origin
    file: str
    """In the folder of the public data."""
    chosen: str
    """What ``chosen.yaml`` of the differential's experiment calls it."""


SETS: Final = (
    PublicSet(
        "AgentClinic-MedQA", "agentclinic", "agentclinic/agentclinic_medqa.jsonl", "agentclinic"
    ),
    PublicSet(
        "AgentClinic-NEJM",
        "agentclinic",
        "agentclinic/agentclinic_nejm.jsonl",
        "agentclinic, NEJM",
    ),
    PublicSet("MediQ", "mediq", "mediq/all_craft_md.jsonl", "mediq"),
    PublicSet("DXY", "dxy", "dxy_dialog/dialogs_train.jsonl", "DXY"),
)
DXY_DISEASES: Final = ("上呼吸道感染", "小儿手足口病", "小儿腹泻", "肺炎", "过敏性鼻炎")


@dataclass(frozen=True)
class Row:
    """A row of a set, as its authors give it."""

    id: str
    """That of its case."""
    diagnosis: str
    choices: tuple[str, ...]
    """The answers that the set offers; empty: it offers none."""
    parts: Mapping[str, str]
    """Its text by where it stands."""
    looked_at: bool
    """The differential was chosen on it, and its transcript may have been read; else it is held out."""


def rows(of: PublicSet, data: Path) -> Iterator[Row]:
    """The rows of a set, in the order of its file."""
    chosen = set(yaml.safe_load(CHOSEN.read_text("utf-8"))[of.chosen])
    prefix = {"AgentClinic-MedQA": "agentclinic", "AgentClinic-NEJM": "agentclinic-nejm"}
    read = {"agentclinic": _agentclinic, "mediq": _mediq, "dxy": _dxy}[of.origin]
    lines = (data / of.file).read_text("utf-8").splitlines()
    for at, line in enumerate(line for line in lines if line.strip()):
        diagnosis, choices, parts = read(json.loads(line))
        id_ = f"{prefix.get(of.name, of.origin)}-{at + 1}"
        yield Row(id_, diagnosis, choices, parts, at in chosen)


_Read = tuple[str, tuple[str, ...], Mapping[str, str]]


def _agentclinic(row: Mapping[str, Any]) -> _Read:
    if "OSCE_Examination" not in row:
        right = next(each["text"] for each in row["answers"] if each["correct"])
        choices = tuple(str(each["text"]) for each in row["answers"])
        return str(right), choices, {"the question": str(row["question"])}
    exam = row["OSCE_Examination"]
    patient = exam["Patient_Actor"]
    opening = str(patient["Symptoms"]["Primary_Symptom"])
    parts = {
        "the opening": opening,
        "what the patient knows": texts(patient),
        "the examination": texts(exam["Physical_Examination_Findings"]),
        "the tests": texts(exam.get("Test_Results", {})),
    }
    return str(exam["Correct_Diagnosis"]), (), parts


def _mediq(row: Mapping[str, Any]) -> _Read:
    first, *rest = map(str, row["context"])
    choices = tuple(map(str, row["options"].values()))
    return str(row["answer"]), choices, {"the opening": first, "the rest": "\n".join(rest)}


def _dxy(row: Mapping[str, Any]) -> _Read:
    said = [*row["explicit"], *row["implicit"]]
    parts = {"the opening": str(row["self_report"]), "the findings": "\n".join(said)}
    return str(row["disease"]), DXY_DISEASES, parts


def texts(value: object) -> str:
    """The texts of a nested record, a line each, without the names of its fields."""
    if isinstance(value, Mapping):
        return "\n".join(map(texts, value.values()))
    if isinstance(value, list):
        return "\n".join(map(texts, value))
    return str(value)

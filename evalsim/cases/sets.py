"""The rows of published sets: what each says of a patient, read from the files of their authors."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from cypher.translation import translate
from evalsim.case import Language, Sex
from kg.errors import EvaluationError
from kg.text.patient import patient_of

Origin = Literal["agentclinic", "mediq", "dxy"]
"""The published sets."""


@dataclass(frozen=True)
class Row:
    """A row of a set, read."""

    id: str
    language: Language
    diagnosis: str
    opening: str
    everything: str
    said: Mapping[str, bool] | None = None
    """Words of findings and whether the patient has them; None: they are in the text."""
    age: float | None = None
    sex: Sex | None = None


def read_rows(origin: Origin, file: Path) -> Iterator[Row]:
    """The rows of a set, in the order of its file.

    Raises:
        EvaluationError: the file cannot be read, or a line is no row of that set.
    """
    read = {"agentclinic": _agentclinic, "mediq": _mediq, "dxy": _dxy}[origin]
    try:
        lines = file.read_text("utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as e:
        message = "{file}: cannot be read ({why}); give the file as its authors publish it"
        raise EvaluationError(translate(message, file=file, why=e)) from e
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            yield read(json.loads(line), number)
        except (json.JSONDecodeError, LookupError, TypeError, AttributeError, StopIteration) as e:
            message = "{file}, line {number}: is no row of {origin} ({why}); give its own file"
            why = f"{type(e).__name__}: {e}"
            raise EvaluationError(
                translate(message, file=file, number=number, origin=origin, why=why)
            ) from e


def _agentclinic(row: Mapping[str, Any], number: int) -> Row:
    if "OSCE_Examination" not in row:
        answer = next(answer["text"] for answer in row["answers"] if answer["correct"])
        everything = row["question"].partition("What is the")[0].strip()
        first_sentence = everything.partition(". ")[0] + "."
        return _described(
            f"agentclinic-nejm-{number}", answer, first_sentence, everything, everything
        )
    exam = row["OSCE_Examination"]
    patient = exam["Patient_Actor"]
    parts = (patient, exam["Physical_Examination_Findings"], exam.get("Test_Results", {}))
    opening = _flat_text(patient["Symptoms"]["Primary_Symptom"])
    everything = ". ".join(filter(None, map(_flat_text, parts)))
    demographics = _flat_text(patient["Demographics"])
    return _described(
        f"agentclinic-{number}", exam["Correct_Diagnosis"], opening, everything, demographics
    )


def _mediq(row: Mapping[str, Any], number: int) -> Row:
    context = [str(each) for each in row["context"]]
    everything = ". ".join(each.rstrip(".") for each in context) + "."
    return _described(f"mediq-{number}", row["answer"], context[0], everything, everything)


def _dxy(row: Mapping[str, Any], number: int) -> Row:
    has_finding = {**row["explicit"], **row["implicit"]}
    report = str(row["self_report"])
    answers = (("有", True), ("没有", False))
    word_lists = (
        f"{word}：{'、'.join(finding for finding, is_had in has_finding.items() if is_had is value)}"
        for word, value in answers
    )
    age, sex = _patient(report)
    return Row(
        id=f"dxy-{number}",
        language="zh",
        diagnosis=str(row["disease"]),
        opening=report,
        everything="\n".join((report, *(each for each in word_lists if not each.endswith("：")))),
        said={word: is_had for word, is_had in has_finding.items() if isinstance(is_had, bool)},
        age=age,
        sex=sex,
    )


def _described(id_: str, diagnosis: str, opening: str, everything: str, about: str) -> Row:
    age, sex = _patient(about)
    return Row(id_, "en", str(diagnosis), opening, everything, age=age, sex=sex)


def _patient(text: str) -> tuple[float | None, Sex | None]:
    """Age and sex as a text states them; of what is only called a child, an age in the middle of theirs."""
    patient = patient_of(text)
    age = patient.ages[(len(patient.ages) - 1) // 2] if patient.stated else None
    return age, patient.sex


def _flat_text(value: object, name: str = "") -> str:
    """The texts of a nested record, each with the name of its innermost field."""
    if isinstance(value, Mapping):
        texts: Iterable[str] = (_flat_text(each, str(key)) for key, each in value.items())
        return ". ".join(filter(None, texts))
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(filter(None, map(_flat_text, value)))
    text = str(value).strip().rstrip(".")
    label = name.replace("_", " ")
    return f"{label}: {text}" if label and text else text

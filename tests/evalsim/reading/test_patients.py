"""Whose findings and diseases are, by the graph and by names."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import kg
from evalsim.case import Sex, Thing
from evalsim.reading.patients import Patients, StatedDetails, stated_details
from ingest.merge import MergeConfig, merge
from kg.differential import Patient
from kg.progress import Silent
from tests.ingest.rows import fact, said, write_assertions

DISEASES = {
    "MONDO:1": ("prostatitis", "前列腺炎"),
    "MONDO:2": ("ovarian disorder", "卵巢疾病"),
    "MONDO:3": ("cystitis", "膀胱炎"),
}
FINDINGS = {
    "HP:0100518": "Dysuria",
    "HP:0000045": "Abnormal scrotum morphology",
    "HP:0046001": "Scrotal pain",
    "HP:0000140": "Abnormality of the menstrual cycle",
}
AGAINST = {"female": "HP:0046001", "male": "HP:0000140"}


@pytest.fixture(scope="module")
def patients(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Patients]:
    folder: Path = tmp_path_factory.mktemp("patients")
    rows = [said(id_, "HAS_NAME", name, head_type="Symptom") for id_, name in FINDINGS.items()]
    for id_, (name, zh) in DISEASES.items():
        rows += [said(id_, "HAS_NAME", name), said(id_, "HAS_NAME", zh, language="zh")]
        rows.append(fact(id_, "HAS_SYMPTOM", "HP:0100518", frequency=0.8))
    rows += [
        fact("MONDO:1", "HAS_SYMPTOM", "HP:0046001", frequency=0.5),
        fact("MONDO:2", "HAS_SYMPTOM", "HP:0000140", frequency=0.5),
        fact("HP:0046001", "IS_A", "HP:0000045", head_type="Symptom", tail_type="Symptom"),
    ]
    path = write_assertions(folder / "s.parquet", "s", rows)
    config = MergeConfig(assertions={"s": path}, made_by="a test")
    with kg.connect(str(folder / "p.lbug")) as store:
        store.load(merge(config, folder / "merged", Silent()).tables)
        yield Patients(store)


@pytest.mark.parametrize(("sex", "disease"), [("female", "MONDO:1"), ("male", "MONDO:2")])
def test_sex_rules_out_diseases_and_questions(patients: Patients, sex: Sex, disease: str) -> None:
    found = patients.assess(Patient(["HP:0100518"], (), None, sex), 15)
    everything = patients.assess(Patient(["HP:0100518"]), 15)
    assert {each.id for each in everything.candidates} - {
        each.id for each in found.candidates
    } == {disease}
    assert AGAINST[sex] not in {each.id for each in found.questions}
    assert set(AGAINST.values()) <= {each.id for each in everything.questions}
    assert sum(each.chance for each in found.candidates) == pytest.approx(1, abs=0.01)


def test_findings_of_one_sex_are_known_by_kind_and_by_name(patients: Patients) -> None:
    by_name = Thing(id="X:1", type="Symptom", name="x", name_zh="月经不调")
    neither = Thing(id="X:2", type="Symptom", name="Intrauterine growth retardation")
    scrotum = Thing(id="HP:0046001", type="Symptom", name="y")
    assert patients.of_one_sex([by_name, neither, scrotum]) == {"X:1", "HP:0046001"}
    assert patients.misfits([by_name, scrotum], "male", 30) == {"X:1": "not of this sex"}


def test_finding_of_another_age_does_not_fit(patients: Patients) -> None:
    menses = Thing(id="HP:0000140", type="Symptom", name="z")
    assert patients.misfits([menses], "female", 6) == {"HP:0000140": "not of this age"}
    assert patients.misfits([menses], None, None) == {}


@pytest.mark.parametrize(
    ("words", "known"),
    [
        ("I am 60 years old. I am male.", StatedDetails(60, "male")),
        ("我35岁，我是女的。", StatedDetails(35, "female")),
        ("It began 3 days ago.", StatedDetails(None, None)),
        ("I feel ill.", StatedDetails(None, None)),
        ("My house is 150 years old, and I have a fever.", StatedDetails(None, None)),
        ("女儿8个月，一直发烧。", StatedDetails(8 / 12, "female")),
    ],
)
def test_age_counts_where_it_is_stated(words: str, known: StatedDetails) -> None:
    assert stated_details(words) == known

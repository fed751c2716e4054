"""Cases read from published sets, on files of two rows each."""

import json
from pathlib import Path

import pytest

from evalsim.cases.imported import TYPES, Imported, naming, read_set
from evalsim.cases.sets import Origin
from kg.errors import EvaluationError
from kg.linking import Linker, LinkOptions
from kg.stores.store import Store


@pytest.fixture(scope="module")
def linker(practice: Store) -> Linker:
    return Linker.of_store(practice, None, LinkOptions(TYPES, limit=10))


def imported(
    store: Store, linker: Linker, folder: Path, origin: Origin, *rows: object
) -> Imported:
    file = folder / "rows.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return read_set(store, linker, origin, file)


def osce(diagnosis: str, finding: str) -> dict[str, object]:
    return {
        "OSCE_Examination": {
            "Patient_Actor": {
                "Demographics": "52-year-old male",
                "Symptoms": {"Primary_Symptom": "Joint pain", "Secondary_Symptoms": ["Red skin"]},
                "Review_of_Systems": "Denies cough. His father has chest pain.",
            },
            "Physical_Examination_Findings": {"Joints": finding},
            "Test_Results": {},
            "Correct_Diagnosis": diagnosis,
        }
    }


def test_agentclinic_row_is_a_case_with_its_own_words(
    practice: Store, linker: Linker, tmp_path: Path
) -> None:
    rows = osce("Gout", "joint swelling"), osce("Unheard-of disease", "none")
    left = imported(practice, linker, tmp_path, "agentclinic", *rows)
    (case,) = left.cases
    assert (case.id, case.target.id, case.age, case.sex) == (
        "agentclinic-1",
        "MONDO:1",
        52,
        "male",
    )
    assert case.opening == "Joint pain"
    assert {f.id: f.words for f in case.findings} == {
        "HP:1": ("Joint pain",),
        "HP:9": ("Red skin",),
        "HP:3": ("joint swelling",),
    }
    assert [(thing.id, thing.words) for thing in case.absent] == [("HP:5", ("cough",))]
    assert left.report.left_out == {"the graph has no disease of this name": 1}
    assert left.report.unknown == ("Unheard-of disease",)
    assert left.report.leaks == ()


def test_what_is_told_first_comes_first_wherever_else_the_text_has_it(
    practice: Store, linker: Linker, tmp_path: Path
) -> None:
    row = osce("Gout", "joint swelling")
    row["OSCE_Examination"]["Patient_Actor"] = {  # type: ignore[index]
        "Demographics": "52-year-old male",
        "History": "He has red skin and then had joint pain.",
        "Symptoms": {"Primary_Symptom": "Joint pain"},
    }
    (case,) = imported(practice, linker, tmp_path, "agentclinic", row).cases
    assert [f.id for f in case.findings] == ["HP:1", "HP:9", "HP:3"]


def test_words_that_mean_a_finding_only_beside_others_are_not_its_words(
    practice: Store, linker: Linker, tmp_path: Path
) -> None:
    row = osce("Gout", "joint pain and swelling")
    (case,) = imported(practice, linker, tmp_path, "agentclinic", row).cases
    words = {f.id: f.words for f in case.findings}
    assert "HP:3" in words
    assert "swelling" not in words["HP:3"]


def test_row_that_names_the_diagnosis_is_a_leak(
    practice: Store, linker: Linker, tmp_path: Path
) -> None:
    row = osce("Gout", "swelling, as in podagra")
    (leak,) = imported(practice, linker, tmp_path, "agentclinic", row).report.leaks
    assert (leak.row, leak.is_case, leak.opening) == ("agentclinic-1", True, False)
    assert "podagra" in leak.found


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("consistent with PML", True),
        ("consistent with pml", False),
        ("compatible with progressive encephalopathy", True),
        ("an encephalopathy", False),
    ],
)
def test_abbreviation_names_a_diagnosis_as_it_is_written(text: str, named: bool) -> None:
    assert naming("Progressive encephalopathy (PML)", None)(text) is named


def test_dxy_slots_are_findings_that_are_present_or_absent(
    practice: Store, linker: Linker, tmp_path: Path
) -> None:
    row = {
        "disease": "肺炎",
        "self_report": "女儿3岁，一直发烧。",
        "explicit": {"发热": True},
        "implicit": {"咳嗽": True, "胸痛": False, "揉鼻子": True},
    }
    left = imported(practice, linker, tmp_path, "dxy", row)
    (case,) = left.cases
    assert (case.language, case.age, case.sex) == ("zh", 3, "female")
    assert [f.id for f in case.findings] == ["HP:4", "HP:5"]
    assert [thing.id for thing in case.absent] == ["HP:6"]
    assert case.everything == "女儿3岁，一直发烧。\n有：发热、咳嗽、揉鼻子\n没有：胸痛"
    assert left.report.unlinked == 1


def test_mediq_case_begins_with_its_first_sentence_and_states_no_age_it_has_not(
    practice: Store, linker: Linker, tmp_path: Path
) -> None:
    row = {"context": ["A woman presents with joint pain", "She has fever."], "answer": "gout"}
    (case,) = imported(practice, linker, tmp_path, "mediq", row).cases
    assert (case.age, case.sex, case.opening) == (
        None,
        "female",
        "A woman presents with joint pain",
    )
    assert case.everything == "A woman presents with joint pain. She has fever."


@pytest.mark.parametrize("line", ["{", "[]", '{"disease": "肺炎"}', "null"])
def test_line_that_is_no_row_of_the_set_is_named(
    practice: Store, linker: Linker, tmp_path: Path, line: str
) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text(f"\n{line}\n", "utf-8")
    with pytest.raises(EvaluationError, match=r"rows.jsonl, line 2: is no row of dxy .* its own"):
        read_set(practice, linker, "dxy", file)


def test_file_that_is_not_there_is_named(practice: Store, linker: Linker, tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match=r"absent.jsonl: cannot be read .* give the file"):
        read_set(practice, linker, "mediq", tmp_path / "absent.jsonl")

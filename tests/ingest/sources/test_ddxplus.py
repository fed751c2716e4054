import json
from pathlib import Path
from typing import Any

import pytest

from ingest.sources import DdxPlusSource
from kg.errors import SourceError
from tests.ingest.sources.conftest import Read

FEVER = "Do you have a fever?"
SMOKE = "Do you smoke cigarettes?"
WHERE = "Where is your pain?"


def evidence(name: str, question: str, **other: Any) -> dict[str, Any]:  # noqa: ANN401 -- as JSON holds it
    own = {
        "name": name,
        "code_question": name,
        "question_fr": "…",
        "question_en": question,
        "is_antecedent": False,
        "default_value": 0,
        "value_meaning": {},
        "possible-values": [],
        "data_type": "B",
    }
    return own | other


EVIDENCES = {
    "E_91": evidence("E_91", FEVER),
    "E_79": evidence("E_79", SMOKE, is_antecedent=True),
    "E_55": evidence(
        "E_55",
        WHERE,
        data_type="M",
        **{
            "possible-values": ["V_11", "V_29", "V_30"],
            "value_meaning": {
                "V_11": {"fr": "NA", "en": "NA"},
                "V_29": {"fr": "poitrine", "en": "chest"},
                "V_30": {"fr": "dos", "en": "back"},
            },
        },
    ),
}
PNEUMONIA = {
    "condition_name": "Pneumonia",
    "cond-name-fr": "Pneumonie",
    "cond-name-eng": "Pneumonia",
    "icd10-id": "j18",
    "symptoms": {"E_91": {}, "E_55": {}},
    "antecedents": {"E_79": {}},
    "severity": 3,
}


def release(folder: Path, evidences: object = EVIDENCES, **conditions: object) -> DdxPlusSource:
    for name, entries in (("conditions", conditions), ("evidences", evidences)):
        text = json.dumps(entries, ensure_ascii=False)
        (folder / f"release_{name}.json").write_text(text, encoding="utf-8")
    return DdxPlusSource(kind="ddxplus", folder=folder)


def test_condition_has_symptoms_risk_factors_and_a_severity(tmp_path: Path, read: Read) -> None:
    left = read(release(tmp_path, Pneumonia=PNEUMONIA))
    about = [a for a in left.assertions if a["head_type"] == "Disease"]
    said = [(a["relation"], a["tail_type"], a["tail_name"] or a["value"]) for a in about]
    assert said == [
        ("HAS_NAME", None, "Pneumonia"),
        ("HAS_XREF", None, "ICD10:J18"),
        ("HAS_MODIFIER", "Modifier", "severity 3 of 5, 1 the most severe"),
        ("HAS_SYMPTOM", "Symptom", FEVER),
        ("HAS_SYMPTOM", "Symptom", WHERE),
        ("HAS_RISK_FACTOR", "Symptom", SMOKE),
    ]
    assert [a["evidence"] for a in about][3:] == ["E_91", "E_55", "E_79"]
    assert {(a["head"], a["head_name"]) for a in about} == {(None, "Pneumonia")}


def test_question_is_the_name_and_its_answers_the_definition(tmp_path: Path, read: Read) -> None:
    left = read(release(tmp_path))
    assert left.facts() == [
        (FEVER, "HAS_NAME", FEVER),
        (SMOKE, "HAS_NAME", SMOKE),
        (WHERE, "HAS_NAME", WHERE),
        (WHERE, "HAS_DEFINITION", "Answers: chest; back"),
    ]


def test_numbers_are_answers_of_their_own(tmp_path: Path, read: Read) -> None:
    values = {"possible-values": [0, 1, 2], "data_type": "C"}
    scale = {"E_56": evidence("E_56", "How intense is the pain?", **values)}
    left = read(release(tmp_path, scale))
    assert left.facts()[1][2] == "Answers: 0; 1; 2"


def test_french_release_is_read_by_its_english_names(tmp_path: Path, read: Read) -> None:
    left = read(release(tmp_path, Pneumonie=PNEUMONIA | {"condition_name": "Pneumonie"}))
    assert left.facts()[0] == ("Pneumonia", "HAS_NAME", "Pneumonia")
    (french,) = left.quarantine
    assert french["reason"] == "the graph has names in English and Chinese"


def test_statements_that_cannot_be_used_are_quarantined(tmp_path: Path, read: Read) -> None:
    condition = PNEUMONIA | {"icd10-id": "J18, pneumonia", "symptoms": {"E_999": {}}}
    evidences = EVIDENCES | {"E_1": {"name": "E_1"}, "E_2": "a fever"}
    left = read(release(tmp_path, evidences, Pneumonia=condition, Gout={"severity": 2}))
    found = [(q["file"], q["original_relation"], q["reason"]) for q in left.quarantine]
    conditions, questions = "release_conditions.json", "release_evidences.json"
    assert found == [
        (conditions, "cond-name-fr", "the graph has names in English and Chinese"),
        (conditions, "icd10-id", "'pneumonia' is no code of ICD-10"),
        (conditions, "symptoms", "'E_999' is no evidence of release_evidences.json"),
        (conditions, "condition", "condition_name: Field required"),
        (questions, "evidence", "question_en: Field required"),
        (
            questions,
            "evidence",
            "the entry: Input should be a valid dictionary or instance of Evidence",
        ),
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b"", "the file is empty"),
        (b'{"Pneumonia": ', "not a JSON file"),
        (b"[]", "not an object of entries by name"),
        (b"[" * 100_000, "not a JSON file"),
        (b'{"Pneumonie aigu\xeb": {}}', "not UTF-8 text"),
    ],
)
def test_unusable_file_is_told(tmp_path: Path, read: Read, text: bytes, told: str) -> None:
    source = release(tmp_path)
    (tmp_path / "release_conditions.json").write_bytes(text)
    with pytest.raises(SourceError, match=rf"release_conditions.json: {told}"):
        read(source)
    (tmp_path / "release_conditions.json").unlink()
    with pytest.raises(SourceError, match=r"release_conditions.json: does not exist"):
        read(source)

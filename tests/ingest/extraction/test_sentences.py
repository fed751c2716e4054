"""What the words between two mentions say, and what they do not."""

import re
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from ingest.extraction.cues import Cues, Group
from kg.errors import ConfigurationError
from tests.ingest.extraction.conftest import Extract, Said, said


@pytest.mark.parametrize(
    ("sentence", "triple"),
    [
        ("Gout is treated with allopurinol.", ("gout", "TREATED_BY", "allopurinol")),
        ("The treatment of gout includes colchicine.", ("gout", "TREATED_BY", "colchicine")),
        ("He takes propranolol for hypertension.", ("hypertension", "TREATED_BY", "propranolol")),
        ("Allopurinol is indicated for gout.", ("allopurinol", "INDICATED_FOR", "gout")),
        (
            "Propranolol is contraindicated in patients with asthma.",
            ("propranolol", "CONTRAINDICATED_FOR", "asthma"),
        ),
        (
            "Propranolol should not be used in asthma.",
            ("propranolol", "CONTRAINDICATED_FOR", "asthma"),
        ),
        (
            "Asthma is a contraindication to propranolol.",
            ("propranolol", "CONTRAINDICATED_FOR", "asthma"),
        ),
        ("Colchicine often causes nausea.", ("colchicine", "HAS_ADVERSE_REACTION", "nausea")),
        (
            "Nausea is a common adverse effect of colchicine.",
            ("colchicine", "HAS_ADVERSE_REACTION", "nausea"),
        ),
        (
            "Allopurinol-induced rash is rare.",
            ("allopurinol", "HAS_ADVERSE_REACTION", "rash"),
        ),
        ("Gout causes joint pain.", ("joint pain", "CAUSED_BY", "gout")),
        ("Measles presents with fever.", ("measles", "HAS_SYMPTOM", "fever")),
        ("A rash is a sign of measles.", ("measles", "HAS_SYMPTOM", "rash")),
        ("Hypertension increases the risk of gout.", ("gout", "HAS_RISK_FACTOR", "hypertension")),
        ("Aspirin interacts with warfarin.", ("warfarin", "INTERACTS_WITH", "aspirin")),
        (
            "Aspirin should be used with caution in asthma.",
            ("aspirin", "HAS_PRECAUTION", "asthma"),
        ),
        ("别嘌醇用于治疗痛风。", ("gout", "TREATED_BY", "allopurinol")),
        ("别嘌醇适用于痛风。", ("allopurinol", "INDICATED_FOR", "gout")),
        ("哮喘患者禁用普萘洛尔。", ("propranolol", "CONTRAINDICATED_FOR", "asthma")),
        ("别嘌醇的常见不良反应为皮疹。", ("allopurinol", "HAS_ADVERSE_REACTION", "rash")),
        ("阿司匹林可引起恶心。", ("aspirin", "HAS_ADVERSE_REACTION", "nausea")),
    ],
)
def test_sentence_says(extract_file: Extract, sentence: str, triple: Said) -> None:
    assert said(extract_file(sentence)) == [triple]


@pytest.mark.parametrize(
    "sentence",
    [
        "Gout is not treated with allopurinol.",
        "Colchicine does not cause fever.",
        "Propranolol is not contraindicated in hypertension.",
        "Is gout treated with propranolol?",
        "Gout is common; allopurinol is treated with care in asthma.",
        "Chemotherapy for measles causes nausea.",  # the therapy does, not the disease
        "Colchicine, which with alcohol and other things that people take causes nausea",
        "Propranolol was given for asthma prophylaxis and her mother had gout caused by aspirin.",
        "A 40-year-old man with asthma presents with fever.",  # which asthma does not cause
        "阿司匹林不引起皮疹。",
    ],
)
def test_sentence_does_not_say(extract_file: Extract, sentence: str) -> None:
    told = said(extract_file(sentence))
    assert [t for t in told if t != ("asthma", "TREATED_BY", "propranolol")] == []


def test_list_is_told_member_by_member(extract_file: Extract) -> None:
    found = extract_file("Measles is characterized by fever, a severe cough, and headache.")
    assert said(found) == [("measles", "HAS_SYMPTOM", s) for s in ("cough", "fever", "headache")]


def test_two_lists_that_belong_together_are_paired(extract_file: Extract) -> None:
    found = extract_file(
        "Diabetes and hypertension are managed with metformin and losartan, respectively."
    )
    assert said(found) == [
        ("diabetes", "TREATED_BY", "metformin"),
        ("hypertension", "TREATED_BY", "losartan"),
    ]


def test_confidence_falls_with_distance(extract_file: Extract) -> None:
    [near] = extract_file("Gout treated with allopurinol.").triples
    [far] = extract_file("Gout is nearly always treated with allopurinol.").triples
    assert near.confidence == pytest.approx(0.9)
    assert far.confidence == pytest.approx(0.9 * 0.95**3)


def test_sentence_on_one_patient_is_less_sure(extract_file: Extract) -> None:
    [triple] = extract_file("His gout was treated with allopurinol.").triples
    assert triple.confidence == pytest.approx(0.9 * 0.8 * 0.95)


def test_what_is_denied_is_counted(extract_file: Extract) -> None:
    found = extract_file("Gout is not treated with propranolol.")
    assert (found.triples, dict(found.dropped)) == ([], {"denied": 1})


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("groups: 3", "groups: Input should be a valid"),
        ("- a", "the file: Input should be a valid dictionary"),
        ("a: [", "not a YAML file"),
    ],
)
def test_table_of_cues_that_does_not_fit_is_told(tmp_path: Path, table: str, message: str) -> None:
    path = tmp_path / "cues.yaml"
    path.write_text(table, encoding="utf-8")
    with pytest.raises(ConfigurationError, match=rf"cues\.yaml: {message}"):
        Cues.read(path)


@pytest.mark.parametrize(
    ("group", "message"),
    [
        ({"relation": "CURES", "en": ["{head} x {tail}"]}, "no relation type"),
        ({"relation": "TREATED_BY", "en": ["{head} x"]}, "needs {head}, {tail} and words"),
        ({"relation": "TREATED_BY", "en": ["{head} {tail}"]}, "needs {head}, {tail} and words"),
        ({"relation": "TREATED_BY", "en": ["{head} (x {tail}"]}, "missing )"),
        ({"relation": "TREATED_BY", "tail": ["Symptom"]}, "does not connect"),
        ({"relation": "TREATED_BY", "weight": 2}, "less than or equal to 1"),
    ],
)
def test_group_of_cues_that_cannot_work_is_refused(group: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=re.escape(message)):
        Group.model_validate({"weight": 0.5} | group)

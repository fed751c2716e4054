import json
from pathlib import Path

import pytest

from ingest.sources import SampleSource
from ingest.sources.sample.files import HEADINGS
from kg.errors import SourceError
from tests.ingest.sources.conftest import Read

GOUT = """
id: MONDO:0005393
name: {en: gout, zh: 痛风}
synonyms: {en: [gouty arthritis], zh: [痛风性关节炎]}
cui: C0018099
references:
  ml: {title: Gout, publisher: MedlinePlus, url: "https://medlineplus.gov/gout.html"}
  nd: {title: "A | B", publisher: NIDDK}
facts:
  HAS_SYMPTOM:
    - {type: Symptom, id: HP:0001369, en: Arthritis, zh: 关节炎, ref: [ml, nd]}
"""
PAGE = """---
disease: MONDO:0005393
sources:
  - {title: Gout, publisher: MedlinePlus}
---
# Gout
## Overview
Joints hurt.

Suddenly.
## Symptoms
## History
Old.
"""


def sample(folder: Path, text: str, file: str = "diseases/gout.yaml") -> SampleSource:
    path = folder / "sample" / file
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")
    return SampleSource(kind="sample", folder=folder / "sample")


def test_file_gives_names_synonyms_concept_and_facts(tmp_path: Path, read: Read) -> None:
    left = read(sample(tmp_path, GOUT))
    said = [
        (a["row"], a["relation"], a["language"], a["tail"] or a["value"]) for a in left.assertions
    ]
    assert said == [
        (1, "HAS_NAME", "en", "gout"),
        (1, "HAS_NAME", "zh", "痛风"),
        (2, "HAS_SYNONYM", "en", "gouty arthritis"),
        (3, "HAS_SYNONYM", "zh", "痛风性关节炎"),
        (4, "HAS_CUI", "en", "UMLS:C0018099"),
        (5, "HAS_SYMPTOM", "en", "HP:0001369"),
        (5, "HAS_NAME", "zh", "关节炎"),
    ]
    assert left.rows == {"name": 1, "synonym": 2, "cui": 1, "HAS_SYMPTOM": 1}
    assert left.assertions[6]["head"] == "HP:0001369"


def test_edge_carries_its_references(tmp_path: Path, read: Read) -> None:
    (edge,) = [
        a for a in read(sample(tmp_path, GOUT)).assertions if a["relation"] == "HAS_SYMPTOM"
    ]
    assert edge["publications"] == (
        "MedlinePlus: Gout https://medlineplus.gov/gout.html|NIDDK: A / B"
    )
    assert edge["file"] == "diseases/gout.yaml"


@pytest.mark.parametrize(
    ("item", "reason"),
    [
        ("{type: Symptom, en: Pain, zh: 疼痛, ref: [x]}", "the file has no reference 'x'"),
        ("{type: Symptom, en: Pain, ref: [ml]}", "zh: Field required"),
        (
            "{type: Symptom, en: Pain, zh: 疼痛, ref: [ml], dose: 1}",
            "dose: Extra inputs are not permitted",
        ),
        ("{type: Symptom, en: no, zh: 疼痛, ref: [ml]}", "en: Input should be a valid string"),
        ("{type: Food, en: Beer, zh: 啤酒, ref: [ml]}", "HAS_SYMPTOM takes no Food"),
        ("Pain", "the whole: Input should be a valid dictionary or instance of Fact"),
    ],
)
def test_item_that_does_not_fit_is_quarantined(
    tmp_path: Path, read: Read, item: str, reason: str
) -> None:
    left = read(sample(tmp_path, f"{GOUT}    - {item}\n"))
    assert left.reasons() == {6: reason}


def test_relation_that_a_disease_has_not_is_quarantined(tmp_path: Path, read: Read) -> None:
    text = GOUT.replace("HAS_SYMPTOM", "TARGETS")
    assert read(sample(tmp_path, text)).reasons() == {5: "a Disease has no relation 'TARGETS'"}


def test_id_that_is_no_curie_is_a_problem_of_the_edge(tmp_path: Path, read: Read) -> None:
    left = read(sample(tmp_path, GOUT.replace("HP:0001369", "HP 0001369")))
    problems = {a["row"]: a["problem"] for a in left.assertions if a["problem"]}
    assert problems == {5: "'HP 0001369' is not a CURIE; write PREFIX:ID, e.g. HP:0001945"}


def test_section_is_a_node_with_name_and_text(tmp_path: Path, read: Read) -> None:
    left = read(sample(tmp_path, PAGE, "pages/gout.md"))
    edge, name, text = left.assertions
    assert (edge["head"], edge["relation"], edge["tail_type"]) == (
        "MONDO:0005393",
        "HAS_SECTION",
        "Section",
    )
    assert edge["publications"] == "MedlinePlus: Gout"
    assert name["head"] == text["head"] == edge["tail"]
    assert (name["value"], text["value"]) == ("Gout: Overview", "Joints hurt.\n\nSuddenly.")
    assert left.reasons() == {2: "the section is empty", 3: "a page has no such section"}


def test_text_above_the_sections_is_quarantined(tmp_path: Path, read: Read) -> None:
    page = PAGE.replace("# Gout\n", "Above.\n\n# Gout\n\nBelow.\n")
    left = read(sample(tmp_path, page, "pages/gout.md"))
    records = [json.loads(q["record"]) for q in left.quarantine if q["row"] < 3]
    assert records == [{"heading": "", "text": "Above."}, {"heading": "Gout", "text": "Below."}]


def test_section_keeps_its_id_when_it_is_reworded(tmp_path: Path, read: Read) -> None:
    first = read(sample(tmp_path, PAGE, "pages/gout.md")).assertions[0]["tail"]
    reworded = PAGE.replace("Joints hurt.", "A joint hurts.").replace("# Gout", "# Gout!")
    again = read(sample(tmp_path / "again", reworded, "pages/gicht.md")).assertions[0]["tail"]
    assert first == again


@pytest.mark.parametrize(
    ("text", "file", "message"),
    [
        ("id: [unclosed", "diseases/a.yaml", r"a.yaml: not a YAML file \(.*\); correct the file"),
        ("id: D:1", "drugs/a.yaml", "a.yaml: name: Field required; correct the file"),
        (GOUT.replace("C0018099", "18099"), "diseases/a.yaml", "a.yaml: cui: Input should be"),
        ("# Gout\n", "pages/a.md", "a.md: no front matter"),
        ("---\ndisease: D:1\n---\n# x\n", "pages/a.md", "a.md: sources: Field required"),
        ("", "pages/a.md", "a.md: the file is empty"),
        (
            "",
            "other/a.md",
            "no diseases/\\*.yaml, drugs/\\*.yaml, symptoms/\\*.yaml or pages/\\*.md is in it",
        ),
    ],
)
def test_file_that_cannot_be_read_is_one_sentence(
    tmp_path: Path, read: Read, text: str, file: str, message: str
) -> None:
    with pytest.raises(SourceError, match=message) as raised:
        read(sample(tmp_path, text, file))
    assert "\n" not in str(raised.value)


def test_sample_of_medkg_has_no_item_in_quarantine(read: Read) -> None:
    left = read(SampleSource(kind="sample"))
    assert left.quarantine == []
    assert [a["problem"] for a in left.assertions if a["problem"]] == []
    pages = {a["file"] for a in left.assertions if a["file"].startswith("pages/")}
    assert left.rows["section"] == len(HEADINGS) * len(pages)

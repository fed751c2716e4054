import json
from pathlib import Path

import pytest

from ingest.sources import SampleSource
from ingest.sources.sample.files import HEADINGS, NAME_COLUMNS
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


def names(*lines: str) -> str:
    return "\n".join(["\t".join(NAME_COLUMNS), *(line.replace(", ", "\t") for line in lines), ""])


def test_line_of_a_table_of_names_is_a_synonym_with_where_it_was_read(
    tmp_path: Path, read: Read
) -> None:
    text = names(
        "DRUGBANK:DB00316, Acetaminophen, brand, en, Tylenol, FDA: A | B https://fda.gov",
        ", Diuretics, lay, en,  water   pills , MedlinePlus: Diuretics",
    )
    left = read(sample(tmp_path, text, "names/drugs.tsv"))
    columns = (
        "row",
        "original_relation",
        "head",
        "head_name",
        "relation",
        "value",
        "publications",
    )
    assert [tuple(a[c] for c in columns) for a in left.assertions] == [
        (
            *(1, "brand", "DRUGBANK:DB00316", "Acetaminophen", "HAS_SYNONYM", "Tylenol"),
            "FDA: A / B https://fda.gov",
        ),
        (2, "lay", None, "Diuretics", "HAS_SYNONYM", "water pills", "MedlinePlus: Diuretics"),
        (2, "lay", None, "Diuretics", "HAS_LAY_SYNONYM", "water pills", "MedlinePlus: Diuretics"),
    ]
    assert left.rows == {"brand": 1, "lay": 1}


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("", "the line has 1 cells in place of 6"),
        ("HP:0001945, Fever, lay, en, heat", "the line has 5 cells in place of 6"),
        ("HP:0001945, Fever, lay, en, , HPO: Fever", "the line has no name"),
        ("HP:0001945, , lay, en, heat, HPO: Fever", "the line has no term"),
        ("HP:0001945, Fever, lay, en, heat, ", "the line has no reference"),
        (
            "HP:0001945, Fever, slang, en, heat, HPO: Fever",
            "'slang' is no kind of name; write INN, USAN, USP, brand, abbreviation, lay",
        ),
        ("HP:0001945, Fever, lay, de, Fieber, HPO: Fever", "'de' is no language; write en or zh"),
        (
            "HP:0001945, Fever, lay, zh, heat, HPO: Fever",
            "the name 'heat' is not in the language 'zh'",
        ),
        (
            "HP:0001945, Fever, lay, en, 发烧, HPO: Fever",
            "the name '发烧' is not in the language 'en'",
        ),
    ],
)
def test_line_that_names_nothing_is_quarantined(
    tmp_path: Path, read: Read, line: str, reason: str
) -> None:
    good = "HP:0001945, Fever, abbreviation, zh, 发烧, MDBG: CC-CEDICT"
    left = read(sample(tmp_path, names(good, line), "names/symptoms.tsv"))
    assert left.reasons() == {2: reason}
    assert left.facts() == [("HP:0001945", "HAS_SYNONYM", "发烧")]


def test_id_of_a_name_that_is_no_curie_is_a_problem_of_the_name(
    tmp_path: Path, read: Read
) -> None:
    line = "HP 0001945, Fever, abbreviation, zh, 发烧, MDBG: CC-CEDICT"
    [name] = read(sample(tmp_path, names(line), "names/symptoms.tsv")).assertions
    assert name["problem"] == "'HP 0001945' is not a CURIE; write PREFIX:ID, e.g. HP:0001945"


@pytest.mark.parametrize(
    ("text", "file", "message"),
    [
        ("id: [unclosed", "diseases/a.yaml", r"a.yaml: not a YAML file \(.*\); correct the file"),
        ("id: D:1", "drugs/a.yaml", "a.yaml: name: Field required; correct the file"),
        (GOUT.replace("C0018099", "18099"), "diseases/a.yaml", "a.yaml: cui: Input should be"),
        ("# Gout\n", "pages/a.md", "a.md: no front matter"),
        ("---\ndisease: D:1\n---\n# x\n", "pages/a.md", "a.md: sources: Field required"),
        ("", "pages/a.md", "a.md: the file is empty"),
        ("name\tid\n", "names/drugs.tsv", "drugs.tsv: the first line does not name the columns"),
        (
            "",
            "other/a.md",
            r"symptoms/\*.yaml, names/\*.tsv or pages/\*.md is in it",
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

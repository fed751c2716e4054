"""PrimeKG's tables of texts; the rows are written by the columns that PrimeKG publishes."""

import csv
import io
import json
from pathlib import Path

import pytest

from ingest.identity import mint
from ingest.sources import PrimeKgSource
from ingest.sources.primekg.features import HEADINGS
from ingest.sources.relations import RelationMap
from kg.errors import SourceError
from tests.ingest.sources.conftest import Left, Read

DISEASE_COLUMNS = (
    *("node_index", "mondo_id", "mondo_name", "group_id_bert", "group_name_bert"),
    *("mondo_definition", "umls_description", "orphanet_definition", "orphanet_prevalence"),
    *("orphanet_epidemiology", "orphanet_clinical_description"),
    *("orphanet_management_and_treatment", "mayo_symptoms", "mayo_causes", "mayo_risk_factors"),
    *("mayo_complications", "mayo_prevention", "mayo_see_doc"),
)
DRUG_COLUMNS = (
    *("node_index", "description", "half_life", "indication", "mechanism_of_action"),
    *("protein_binding", "pharmacodynamics", "state", "atc_1", "atc_2", "atc_3", "atc_4"),
    *("category", "group", "pathway", "molecular_weight", "tpsa", "clogp"),
)
KG = (
    "relation,display_relation,x_index,x_id,x_type,x_name,x_source,"
    "y_index,y_id,y_type,y_name,y_source\n"
    "indication,indication,14012,DB00945,drug,Acetylsalicylic acid,DrugBank,"
    "27166,5068,disease,myocardial infarction,MONDO\n"
    "indication,indication,27166,5068,disease,myocardial infarction,MONDO,"
    "14012,DB00945,drug,Acetylsalicylic acid,DrugBank\n"
)
GOUT = {"node_index": "27165", "mondo_id": "5393", "mondo_name": "gout"}
ASPIRIN = {"node_index": "14012"}


def table(columns: tuple[str, ...], *rows: dict[str, str], quoted: bool = False) -> str:
    """As pandas writes it, or as Dataverse does: tabs, quotes around text, escapes in it."""
    if quoted:

        def field(text: str) -> str:
            escaped = text.replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
            return text if text.isdigit() else f'"{escaped}"'

        lines = [columns, *([field(row.get(name, "")) for name in columns] for row in rows)]
        return "".join("\t".join(line) + "\n" for line in lines)
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def primekg(folder: Path, text: str, name: str) -> PrimeKgSource:
    (folder / "kg.csv").write_text(KG, encoding="utf-8")
    path = folder / name
    path.write_text(text, encoding="utf-8")
    settings = {"kind": "primekg", "file": folder / "kg.csv", name.partition(".")[0]: path}
    return PrimeKgSource.model_validate(settings)


def facts(left: Left) -> list[tuple[str, ...]]:
    return [
        (
            a["original_relation"],
            a["head"] or a["head_name"],
            a["relation"],
            a["tail"] or a["value"],
        )
        for a in left.assertions
        if a["file"] != "kg.csv"
    ]


def test_texts_become_definitions_and_sections(tmp_path: Path, read: Read) -> None:
    row = {**GOUT, "mondo_definition": "Arthritis of urate.", "mayo_see_doc": "Sudden pain."}
    left = read(primekg(tmp_path, table(DISEASE_COLUMNS, row), "disease_features.csv"))
    section = mint("Section", "primekg MONDO:0005393 When to see a doctor")
    see_doctor = "disease_features mayo_see_doc"
    assert sorted(facts(left)) == sorted(
        [
            ("disease_features mondo_name", "MONDO:0005393", "HAS_NAME", "gout"),
            (
                "disease_features mondo_definition",
                "MONDO:0005393",
                "HAS_DEFINITION",
                "Arthritis of urate.",
            ),
            (see_doctor, "MONDO:0005393", "HAS_SECTION", section),
            (see_doctor, section, "HAS_NAME", "When to see a doctor"),
            (see_doctor, section, "HAS_TEXT", "Sudden pain."),
        ]
    )
    assert left.quarantine == []
    assert left.rows == {
        "indication": 2,
        "disease_features mondo_name": 1,
        "disease_features mondo_definition": 1,
        see_doctor: 1,
    }


def test_text_of_a_grouped_disease_is_its_own_and_not_the_groups(
    tmp_path: Path, read: Read
) -> None:
    member = {
        "node_index": "32140",
        "mondo_id": "16781",
        "mondo_name": "mild Canavan disease",
        "group_id_bert": "10079_16781_16207",
        "group_name_bert": "Canavan disease",
        "orphanet_definition": "A mild form.",
    }
    left = read(primekg(tmp_path, table(DISEASE_COLUMNS, member), "disease_features.csv"))
    assert sorted(fact[1:] for fact in facts(left)) == [
        ("Canavan disease", "HAS_XREF", "MONDO:0016781"),
        ("MONDO:0016781", "HAS_DEFINITION", "A mild form."),
        ("MONDO:0016781", "HAS_NAME", "mild Canavan disease"),
    ]


def test_genuine_groups_have_the_same_members_in_both_tables(
    tmp_path: Path, shared_data: Path, read: Read
) -> None:
    members = shared_data / "primekg_txgnn" / "kg_grouped_diseases_bert_map.csv"
    with members.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    texts = [
        {"mondo_id": row["node_id"], "mondo_name": row["node_name"]}
        | {name: row[name] for name in ("group_id_bert", "group_name_bert")}
        for row in rows
    ]
    source = primekg(tmp_path, table(DISEASE_COLUMNS, *texts), "disease_features.csv")
    groups = {(row["group_id_bert"], row["group_name_bert"]) for row in rows}
    with source.file.open("a", encoding="utf-8", newline="") as file:
        drug = ("14012", "DB00945", "drug", "Acetylsalicylic acid", "DrugBank")
        csv.writer(file, lineterminator="\n").writerows(
            ("indication", "indication", *drug, "1", group, "disease", name, "MONDO_grouped")
            for group, name in groups
        )
    said: dict[str, set[tuple[str, str]]] = {"kg.csv": set(), "disease_features.csv": set()}
    for fact in read(source).assertions:
        if fact["relation"] == "HAS_XREF" and not fact["problem"]:
            said[fact["file"]].add((fact["head_name"], fact["value"]))
    assert len(groups) == 1267
    assert len(said["kg.csv"]) == len(rows) == 6392
    assert said["kg.csv"] == said["disease_features.csv"]


def test_dataverse_file_says_the_same_as_the_original(tmp_path: Path, read: Read) -> None:
    row = {**GOUT, "mayo_symptoms": 'Pain in the "big toe",\n\tat night'}
    original = read(primekg(tmp_path, table(DISEASE_COLUMNS, row), "disease_features.csv"))
    quoted = table(DISEASE_COLUMNS, row, quoted=True)
    assert '\\"big toe\\",\\n\\tat' in quoted
    left = read(primekg(tmp_path, quoted, "disease_features.tab"))
    assert sorted(facts(left)) == sorted(facts(original))
    assert 'Pain in the "big toe",\n\tat night' in {fact[3] for fact in facts(left)}


def test_drug_is_found_by_its_index_in_the_graph(tmp_path: Path, read: Read) -> None:
    rows = [
        {**ASPIRIN, "mechanism_of_action": "Inhibits cyclooxygenase."},
        {"node_index": "7", "group": "It is approved."},
    ]
    left = read(primekg(tmp_path, table(DRUG_COLUMNS, *rows), "drug_features.csv"))
    section = mint("Section", "primekg DRUGBANK:DB00945 Mechanism of action")
    assert sorted(fact[1:] for fact in facts(left)) == sorted(
        [
            ("DRUGBANK:DB00945", "HAS_SECTION", section),
            (section, "HAS_NAME", "Mechanism of action"),
            (section, "HAS_TEXT", "Inhibits cyclooxygenase."),
        ]
    )
    (refused,) = left.quarantine
    assert refused["reason"] == "no drug of kg.csv has the index '7'"
    assert json.loads(refused["record"])["group"] == "It is approved."


def test_what_is_not_read_of_a_row_is_told(tmp_path: Path, read: Read) -> None:
    row = {**ASPIRIN, "tpsa": "63.6", "taste": "sour", "half_life": "nan"}
    left = read(primekg(tmp_path, table((*DRUG_COLUMNS, "taste"), row), "drug_features.csv"))
    assert {q["original_relation"]: q["reason"] for q in left.quarantine} == {
        "drug_features tpsa": "a physical property is no medical statement",
        "drug_features taste": "the graph has no relation for 'drug_features taste'",
    }


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ({"mondo_name": "gout"}, "the row names no disease"),
        ({"mondo_id": "5393"}, "the row has nothing but its key"),
    ],
)
def test_row_that_says_nothing_is_quarantined(
    tmp_path: Path, read: Read, row: dict[str, str], reason: str
) -> None:
    left = read(primekg(tmp_path, table(DISEASE_COLUMNS, row), "disease_features.csv"))
    assert [q["reason"] for q in left.quarantine] == [reason]
    assert left.rows == {"indication": 2, "disease_features row": 1}


def test_id_that_mondo_does_not_have_is_a_problem(tmp_path: Path, read: Read) -> None:
    row = {"mondo_id": "HP:2", "mondo_name": "gout"}
    left = read(primekg(tmp_path, table(DISEASE_COLUMNS, row), "disease_features.csv"))
    assert {a["problem"] for a in left.assertions if a["file"] != "kg.csv"} == {
        "'HP:2' is not an id of MONDO"
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", "the file is empty"),
        (b"node_index,mondo_id\n", "the header lacks 'mondo_name', 'group_name_bert'"),
        (
            table(DISEASE_COLUMNS, {**GOUT, "mayo_causes": "痛风" * 40}).encode("gb18030"),
            "not UTF-8 text, it looks like gb18030",
        ),
    ],
)
def test_file_that_is_no_table_of_features_is_told(
    tmp_path: Path, read: Read, text: bytes, message: str
) -> None:
    source = primekg(tmp_path, "x", "disease_features.csv")
    (tmp_path / "disease_features.csv").write_bytes(text)
    with pytest.raises(SourceError, match=message):
        read(source)


def test_short_row_is_quarantined_with_its_number(tmp_path: Path, read: Read) -> None:
    text = table(DISEASE_COLUMNS, GOUT) + "1,2\n"
    left = read(primekg(tmp_path, text, "disease_features.csv"))
    assert left.reasons() == {2: "the row has fewer fields than the header"}


def test_every_published_column_is_mapped_or_quarantined_and_every_section_has_a_heading() -> None:
    relations = RelationMap.of("ingest.sources.primekg")
    columns = {f"disease_features {name}" for name in DISEASE_COLUMNS}
    columns |= {f"drug_features {name}" for name in DRUG_COLUMNS}
    keys = {"node_index", "mondo_id", "group_name_bert"}
    unread = columns - set(relations.words())
    assert {word.split()[1] for word in unread} == keys
    sections = {w for w, (said,) in relations.relations.items() if said.relation == "HAS_SECTION"}
    assert sections == set(HEADINGS)

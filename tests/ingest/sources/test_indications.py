from pathlib import Path
from typing import Any

import pytest

from ingest.sources import IndicationsSource
from ingest.sources.indications.layouts import LAYOUTS
from ingest.sources.relations import RelationMap
from kg.errors import SourceError
from tests.ingest.sources.conftest import Left, Read

CURATED, LISTED, SLIM, PREDICT, DRUGCENTRAL = (layout.columns for layout in LAYOUTS)


def table(
    folder: Path, columns: tuple[str, ...], *rows: str, name: str = "table.tsv", tab: str = "\t"
) -> IndicationsSource:
    """A table whose rows are written with ``;`` between their fields."""
    lines = [tab.join(columns), *(row.replace(";", tab) for row in rows)]
    (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return IndicationsSource(kind="indications", file=folder / name)


def edges(left: Left) -> list[tuple[Any, ...]]:
    """Head, relation, tail, evidence and weight."""
    return [
        (*said, a["evidence"], a["weight"])
        for a, said in zip(left.assertions, left.facts(), strict=True)
        if a["tail_type"] not in (None, "Concept")
    ]


def test_physicians_categories_are_relations(tmp_path: Path, read: Read) -> None:
    rows = (
        "DOID:9352;DB00331;type 2 diabetes mellitus;Metformin;DM;3;4",
        "DOID:10652;DB00843;Alzheimer's disease;Donepezil;SYM;2;3",
        "DOID:1936;DB00945;atherosclerosis;Acetylsalicylic acid;NOT;2;1",
    )
    left = read(table(tmp_path, CURATED, *rows))
    assert edges(left) == [
        ("DRUGBANK:DB00331", "INDICATED_FOR", "DOID:9352", "n_resources=4", 3.0),
        ("DRUGBANK:DB00843", "PALLIATES", "DOID:10652", "n_resources=3", 2.0),
    ]
    assert left.reasons() == {3: "physicians found that it is no indication"}


def test_resource_of_a_listed_indication_is_its_evidence(tmp_path: Path, read: Read) -> None:
    left = read(table(tmp_path, LISTED, "DOID:13189;DB00437;Allopurinol;medi_hps;gout"))
    assert edges(left) == [("DRUGBANK:DB00437", "INDICATED_FOR", "DOID:13189", "medi_hps", None)]
    assert [(a["head_name"], a["tail_name"]) for a in left.assertions] == [("Allopurinol", "gout")]


def test_drug_is_given_for_the_disease_below_the_slim_one(tmp_path: Path, read: Read) -> None:
    row = "DB00014;Goserelin;DOID:10283;prostate cancer;DOID:10286;prostate carcinoma;predict"
    assert edges(read(table(tmp_path, SLIM, row))) == [
        ("DRUGBANK:DB00014", "INDICATED_FOR", "DOID:10286", "predict", None),
        ("DOID:10286", "IS_A", "DOID:10283", None, None),
    ]


def test_disease_known_by_cui_has_one_name(tmp_path: Path, read: Read) -> None:
    rows = (
        "DB00843;Donepezil;C0002395;Alzheimer's disease;104300;Alzheimer Disease; Ad",
        "DB00989;Rivastigmine;C0002395;Alzheimer disease;104300;Alzheimer Disease",
    )
    left = read(table(tmp_path, PREDICT, rows[0].removesuffix("; Ad"), rows[1]))
    named = "Alzheimer's disease"
    assert left.facts() == [
        ("DRUGBANK:DB00843", "INDICATED_FOR", named),
        (named, "HAS_CUI", "UMLS:C0002395"),
        (named, "HAS_XREF", "OMIM:104300"),
        ("DRUGBANK:DB00989", "INDICATED_FOR", named),
        (named, "HAS_CUI", "UMLS:C0002395"),
        (named, "HAS_SYNONYM", "Alzheimer disease"),
        (named, "HAS_XREF", "OMIM:104300"),
    ]


def test_drugcentral_has_contraindications_and_off_label_uses(tmp_path: Path, read: Read) -> None:
    rows = (
        "1725;contraindication;Lactic acidosis;C0001125;T047",
        "1725;indication;Type 2 diabetes mellitus;C0011860;T047",
        "1725;off-label use;Polycystic ovaries;C0032460;T047",
        "1725;contraindication;Pregnancy;C0032961;T040",
        "1725;reduce risk;Type 2 diabetes mellitus;;",
        "1725;diagnosis;Diabetes mellitus;C0011849;T047",
    )
    left = read(table(tmp_path, DRUGCENTRAL, *rows, name="omop.csv", tab=","))
    drug = "DRUGCENTRAL:1725"
    assert [edge[:3] for edge in edges(left)] == [
        (drug, "CONTRAINDICATED_FOR", "Lactic acidosis"),
        (drug, "INDICATED_FOR", "Type 2 diabetes mellitus"),
        (drug, "USED_OFF_LABEL_FOR", "Polycystic ovaries"),
        (drug, "CONTRAINDICATED_FOR", "Pregnancy"),
        ("Type 2 diabetes mellitus", "PREVENTED_BY", drug),
    ]
    types = {a["tail_name"]: a["tail_type"] for a in left.assertions if a["tail_name"]}
    assert types["Pregnancy"] == "Symptom"
    assert types["Lactic acidosis"] == "Disease"
    assert list(left.reasons()) == [6]


def test_rows_that_cannot_be_used_are_quarantined(tmp_path: Path, read: Read) -> None:
    rows = (
        "DOID:9352;331;type 2 diabetes mellitus;Metformin;DM;3;4",
        "9352;DB00331;type 2 diabetes mellitus;Metformin;DM;3;4",
        "DOID:9352;DB00331;;Metformin;DM;3;4",
        "DOID:9352;DB00331;type 2 diabetes mellitus;Metformin;;3;4",
        "DOID:9352;DB00331;type 2 diabetes mellitus;Metformin;DM;all;4",
        "DOID:9352;DB00331",
    )
    assert read(table(tmp_path, CURATED, *rows)).reasons() == {
        1: "'331' in drugbank_id is no DrugBank id",
        2: "'9352' in doid_id is no id of the Disease Ontology",
        3: "disease is empty",
        4: "the graph has no relation for 'no category'",
        5: "n_curators or n_resources is no number",
        6: "the row has fewer fields than the header",
    }


def test_unknown_table_is_told(tmp_path: Path, read: Read) -> None:
    source = table(tmp_path, ("drug", "disease"), "Metformin;diabetes")
    with pytest.raises(SourceError, match=r"table.tsv: its header has the columns of none"):
        read(source)
    source.file.write_text("", encoding="utf-8")
    with pytest.raises(SourceError, match=r"table.tsv: the file is empty"):
        read(source)
    source.file.write_bytes(b"drug\xe9")
    with pytest.raises(SourceError, match=r"table.tsv: not UTF-8 text"):
        read(source)


def test_every_word_has_one_meaning() -> None:
    words = RelationMap.of("ingest.sources.indications")
    assert all(len(mapped) == 1 for mapped in words.relations.values())


@pytest.mark.parametrize(
    ("name", "rows", "counts"),
    [
        (
            "indications-umls",
            4_532,
            {"INDICATED_FOR": 4_532, "HAS_CUI": 4_532, "HAS_XREF": 4_532, "HAS_SYNONYM": 117},
        ),
        ("indications-verbose", 16_204, {"INDICATED_FOR": 16_204}),
        ("indications-slim-verbose", 4_640, {"INDICATED_FOR": 4_640, "IS_A": 1_919}),
    ],
)
def test_whole_tables_are_read(
    shared_data: Path, read: Read, name: str, rows: int, counts: dict[str, int]
) -> None:
    path = shared_data / "indications" / f"{name}.tsv"
    left = read(IndicationsSource(kind="indications", file=path))
    said = [a["relation"] for a in left.assertions]
    assert {relation: said.count(relation) for relation in set(said)} == counts
    assert (sum(left.rows.values()), left.quarantine) == (rows, [])

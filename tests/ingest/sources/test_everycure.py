from pathlib import Path

import pytest
from pydantic import ValidationError

from ingest import sources
from ingest.sources import EveryCureSource
from ingest.sources.everycure.source import FLAGS, LABEL, PAIR
from kg.errors import SourceError
from kg.progress import Silent
from tests.ingest.sources.conftest import Read

DRUG = ("CHEBI:40279", "Allopurinol")
GOUT = ("MONDO:0005393", "gout")


def indications(folder: Path, *rows: tuple[str, ...]) -> EveryCureSource:
    path = folder / "indications.tsv"
    path.write_text("\n".join(map("\t".join, (PAIR, *rows))) + "\n", encoding="utf-8")
    return EveryCureSource(kind="everycure", indications=path)


def contraindicated(
    folder: Path,
    label: str,
    condition: str,
    disease: tuple[str, str] = GOUT,
    *,
    flags: tuple[str, str] = ("FALSE", "FALSE"),
    of: tuple[str, str, str] = (*DRUG, "allopurinol"),
) -> EveryCureSource:
    path = folder / "contraindications.tsv"
    columns = (*PAIR, *LABEL, *FLAGS)
    *drug, ingredient = of
    row = (*drug, *disease, label, condition, ingredient, *flags)
    path.write_text("\n".join(map("\t".join, (columns, row))) + "\n", encoding="utf-8")
    return EveryCureSource(kind="everycure", contraindications=path)


def test_contraindication_keeps_what_the_label_calls_the_condition(
    tmp_path: Path, read: Read
) -> None:
    label = "Do not use in patients with acute gouty arthritis."
    source = contraindicated(tmp_path, label, "acute gouty arthritis")
    (edge,) = read(source).assertions
    assert {name: value for name, value in edge.items() if value is not None} == {
        "source": "everycure",
        "file": "contraindications.tsv",
        "row": 1,
        "original_relation": "contraindication",
        "head": "CHEBI:40279",
        "head_type": "Drug",
        "head_name": "Allopurinol",
        "relation": "CONTRAINDICATED_FOR",
        "tail": "MONDO:0005393",
        "tail_type": "Disease",
        "tail_name": "gout",
        "language": "en",
        "evidence": "acute gouty arthritis",
    }


def test_flags_of_the_drug_are_evidence(tmp_path: Path, read: Read) -> None:
    source = contraindicated(tmp_path, "Not in gout.", "gout", flags=("TRUE", "true"))
    (edge,) = read(source).assertions
    assert edge["evidence"] == "gout|is_allergen|is_diagnostic_agent"


@pytest.mark.parametrize("written", ["HP:0001369", " hp:0001369"])
def test_term_of_hpo_is_a_symptom(tmp_path: Path, read: Read, written: str) -> None:
    left = read(indications(tmp_path, (*DRUG, written, "Arthritis")))
    assert [(a["relation"], a["tail"], a["tail_type"]) for a in left.assertions] == [
        ("INDICATED_FOR", "HP:0001369", "Symptom")
    ]


def test_ids_are_written_as_here(tmp_path: Path, read: Read) -> None:
    rows = [
        ("RXCUI:519", "Allopurinol", *GOUT),
        ("DrugCentral:5160", "Epoetin beta", *GOUT),
        ("PUBCHEM.COMPOUND:2094", "Allopurinol", *GOUT),
    ]
    left = read(indications(tmp_path, *rows))
    assert [a["head"] for a in left.assertions] == [
        "RXNORM:519",
        "DRUGCENTRAL:5160",
        "PUBCHEM.COMPOUND:2094",
    ]


def test_concept_belongs_to_the_name_and_is_stated_once(tmp_path: Path, read: Read) -> None:
    row = (*DRUG, "UMLS:C0018099", "Gouty arthritis")
    assert read(indications(tmp_path, row, row)).facts() == [
        ("CHEBI:40279", "INDICATED_FOR", "Gouty arthritis"),
        ("Gouty arthritis", "HAS_CUI", "UMLS:C0018099"),
        ("CHEBI:40279", "INDICATED_FOR", "Gouty arthritis"),
    ]


def test_rows_without_usable_ids_or_names_are_quarantined(tmp_path: Path, read: Read) -> None:
    rows = [
        ("", "Allopurinol", *GOUT),
        ("519", "Allopurinol", *GOUT),
        ("NOSUCH:1", "Allopurinol", *GOUT),
        ("UMLS:0018099", "Allopurinol", *GOUT),
        (*DRUG, "MONDO:", "gout"),
        (*DRUG, "MONDO:0005393", " "),
        DRUG,
    ]
    no_curie = "is not a CURIE; write PREFIX:ID, e.g. HP:0001945"
    assert read(indications(tmp_path, *rows)).reasons() == {
        1: f"drug_id: '' {no_curie}",
        2: f"drug_id: '519' {no_curie}",
        3: (
            "drug_id: Bioregistry has no prefix 'NOSUCH'; write one that it has, "
            "e.g. MONDO:0005148, or list your own under 'prefixes' in the configuration"
        ),
        4: "drug_id: 'UMLS:0018099' is no UMLS concept; write C0018099",
        5: f"disease_id: 'MONDO:' {no_curie}",
        6: "the row gives disease_id no name",
        7: "the row has fewer fields than the header",
    }


@pytest.mark.parametrize(
    ("of", "label", "head"),
    [
        ((*DRUG, "allopurinol"), "Not in gout.", "CHEBI:40279"),
        (("CHEBI:16684", "Atropine", "hyoscyamine"), "Not in gout.", "DRUGBANK:DB00424"),
        (
            ("CHEBI:4786", "Enalaprilat", "enalaprilat anhydrous"),
            "Enalapril maleate is contraindicated in gout.",
            "DRUGBANK:DB00584",
        ),
        (
            ("CHEBI:29103", "potassium(1+)", "potassium cation"),
            "Potassium citrate tablets are contraindicated: in gout.",
            "CHEBI:64733",
        ),
        ((*DRUG, "allopurinol"), "Azathioprine is contraindicated in gout.", "DRUGBANK:DB00993"),
        ((*DRUG, "allopurinol"), "Gout. Azathioprine is contraindicated.", "CHEBI:40279"),
        (
            ("RXCUI:1154670", "atropine / edrophonium Product", "edrophonium atropine"),
            "Atropine is contraindicated in gout.",
            "RXNORM:1154670",
        ),
    ],
)
def test_contraindication_is_of_the_drug_that_the_label_is_of(
    tmp_path: Path, read: Read, of: tuple[str, str, str], label: str, head: str
) -> None:
    left = read(contraindicated(tmp_path, label, "gout", of=of))
    assert left.facts() == [(head, "CONTRAINDICATED_FOR", "MONDO:0005393")]


DIABETES = ("MONDO:0005015", "diabetes mellitus")


@pytest.mark.parametrize(
    ("label", "condition", "reason"),
    [
        (
            "Do not co-administer aliskiren with TABLETS in patients with diabetes (7).",
            "diabetes",
            "the label forbids it in 'diabetes' only together with another drug",
        ),
        (
            "Not with allergy. It may be used in patients with open angle glaucoma.",
            "open angle glaucoma",
            "the label says that it may be used in 'open angle glaucoma'",
        ),
        (
            "Not in severe  HYPERTENSION.",
            "severe hypertension",
            "the label's 'severe hypertension' is not MONDO:0006846 (x), which the list names it",
        ),
        ("Not in gout.", "", "the row does not say what the label calls the condition"),
    ],
)
def test_what_the_own_label_shows_to_be_wrong_is_quarantined(
    tmp_path: Path, read: Read, label: str, condition: str, reason: str
) -> None:
    disease = ("MONDO:0006846", "x") if "severe" in condition else DIABETES
    assert read(contraindicated(tmp_path, label, condition, disease)).reasons() == {1: reason}


@pytest.mark.parametrize(
    "label",
    [
        "Not with aliskiren in patients with diabetes. Not in diabetes that is uncontrolled.",
        "Not in patients with kidney failure or diabetes",
        "The label names it otherwise",
        "(((",
    ],
)
def test_contraindication_stays_where_the_label_does_not_contradict_it(
    tmp_path: Path, read: Read, label: str
) -> None:
    left = read(contraindicated(tmp_path, label, "diabetes", DIABETES))
    assert left.facts() == [("CHEBI:40279", "CONTRAINDICATED_FOR", "MONDO:0005015")]


def test_condition_with_odd_characters_is_no_pattern(tmp_path: Path, read: Read) -> None:
    (edge,) = read(contraindicated(tmp_path, "Not in (a|b.", "(a|b")).assertions
    assert edge["evidence"] == "(a/b"


def test_odd_flag_is_quarantined(tmp_path: Path, read: Read) -> None:
    source = contraindicated(tmp_path, "Not in gout.", "gout", flags=("perhaps", "FALSE"))
    assert read(source).reasons() == {1: "'perhaps' in is_allergen is neither TRUE nor FALSE"}


def test_unusable_settings_and_files_are_told(tmp_path: Path, read: Read) -> None:
    with pytest.raises(ValidationError, match="give the list of 'contraindications'"):
        EveryCureSource(kind="everycure")
    swapped = EveryCureSource(
        kind="everycure", contraindications=indications(tmp_path, (*DRUG, *GOUT)).indications
    )
    with pytest.raises(SourceError, match=r"indications.tsv: the header lacks 'label_text'"):
        read(swapped)
    missing = EveryCureSource(kind="everycure", indications=tmp_path / "none.tsv")
    with pytest.raises(SourceError, match=r"none.tsv"):
        read(missing)


def test_both_lists_are_accounted_for_and_read_alike_twice(
    shared_data: Path, read: Read, tmp_path: Path
) -> None:
    folder = shared_data / "everycure"
    source = EveryCureSource(
        kind="everycure",
        contraindications=folder / "contraindications.tsv",
        indications=folder / "indications.tsv",
    )
    left = read(source)
    assert left.rows == {"contraindication": 3_981, "indication": 11_111}
    assert len(left.quarantine) == 189
    assert [a for a in left.assertions if a["problem"]] == []
    sources.read(source, tmp_path / "again", Silent())
    for table in ("assertions.parquet", "quarantine.parquet"):
        assert (tmp_path / "again" / table).read_bytes() == (tmp_path / "out" / table).read_bytes()

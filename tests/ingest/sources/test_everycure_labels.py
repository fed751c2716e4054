from pathlib import Path

import pytest
from pydantic import ValidationError

from ingest import sources
from ingest.sources import EveryCureLabelsSource
from ingest.sources.everycure.source import LABEL, PAIR
from kg.errors import SourceError
from kg.progress import Silent
from tests.ingest.sources.conftest import Read

IBUPROFEN = ("DRUGBANK:DB01050", "Ibuprofen")
ASTHMA = ("MONDO:0004979", "asthma")


def labels(
    folder: Path,
    *texts: str,
    ingredient: str = "ibuprofen",
    drug: tuple[str, str] = IBUPROFEN,
) -> EveryCureLabelsSource:
    path = folder / "contraindications.tsv"
    rows = [(*drug, *ASTHMA, text, "asthma", ingredient) for text in texts]
    lines = map("\t".join, ((*PAIR, *LABEL), *rows))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return EveryCureLabelsSource(kind="everycure-labels", contraindications=path)


def forbidden(folder: Path, read: Read, text: str) -> set[str]:
    """What a label of ibuprofen forbids it with."""
    facts = read(labels(folder, text)).facts()
    return {tail for head, relation, tail in facts if relation == "CONTRAINDICATED_FOR"}


def test_label_forbids_a_drug_in_people_in_allergies_and_with_other_drugs(
    tmp_path: Path, read: Read
) -> None:
    text = (
        "Ibuprofen is contraindicated in patients with hypersensitivity to ibuprofen or aspirin, "
        "and in pregnant women [see Warnings (5.1)]. "
        "Concomitant use of ketorolac is contraindicated."
    )
    left = read(labels(tmp_path, text))
    assert left.facts() == [
        ("DRUGBANK:DB01050", "CONTRAINDICATED_FOR", "Hypersensitivity to acetylsalicylic acid"),
        ("Hypersensitivity to acetylsalicylic acid", "HAS_NAME", "对阿司匹林过敏"),
        ("DRUGBANK:DB01050", "CONTRAINDICATED_FOR", "Hypersensitivity to ibuprofen"),
        ("Hypersensitivity to ibuprofen", "HAS_NAME", "对布洛芬过敏"),
        ("DRUGBANK:DB01050", "CONTRAINDICATED_FOR", "Pregnant women"),
        ("Pregnant women", "HAS_NAME", "孕妇"),
        ("DRUGBANK:DB01050", "CONTRAINDICATED_FOR", "DRUGBANK:DB00465"),
    ]
    people = next(a for a in left.assertions if a["tail_name"] == "Pregnant women")
    assert (people["tail_type"], people["evidence"][:29]) == (
        "Population",
        "Ibuprofen is contraindicated ",
    )


@pytest.mark.parametrize(
    ("text", "tails"),
    [
        ("Hypersensitivity (4.3)", {"Hypersensitivity to ibuprofen"}),
        ("Known allergy to BRUFENEX or any component.", {"Hypersensitivity to ibuprofen"}),
        ("Hypersensitivity to sulfonamides.", {"Hypersensitivity to sulfonamides"}),
        ("Nursing mothers.", {"Breastfeeding women"}),
        ("Contraindicated in children under two years of age.", {"Children younger than 2 years"}),
        ("Concomitant use of MAO inhibitors.", {"Monoamine oxidase inhibitors"}),
        (
            "Should not be given with: Ketorolac, warfarin (alone or with quinine).",
            {"DRUGBANK:DB00465", "DRUGBANK:DB00682"},
        ),
    ],
)
def test_items_of_labels_are_understood(
    tmp_path: Path, read: Read, text: str, tails: set[str]
) -> None:
    assert forbidden(tmp_path, read, text) == tails


@pytest.mark.parametrize(
    "text",
    [
        "Ibuprofen is contraindicated in asthma.",
        "It is not known whether cross-sensitivity with aspirin exists.",
        "Cholestatic jaundice of pregnancy.",
        "Contraindicated in pregnant women with psoriasis.",
        "Pregnancy, except in women with mechanical heart valves.",
        "It may be used during pregnancy only if clearly needed.",
        "Contraindicated in children under 18 years of age following tonsillectomy.",
        "Contraindicated in neonates: with jaundice",
        "Do not coadminister aliskiren with ibuprofen in patients with diabetes.",
        "Must not be used without concomitant heparin.",
        "Contraindicated with doses of warfarin of 400 mg: doses of 400 mg of warfarin.",
        "(((",
        "",
    ],
)
def test_what_holds_under_a_condition_only_is_not_taken(
    tmp_path: Path, read: Read, text: str
) -> None:
    left = read(labels(tmp_path, text))
    assert left.assertions == []
    assert left.reasons() == {1: "the label forbids nothing more that is understood"}


def test_allergy_to_an_ingredient_forbids_the_combination_and_the_ingredient(
    tmp_path: Path, read: Read
) -> None:
    drug = ("RXCUI:1299021", "ibuprofen / famotidine Pill")
    source = labels(
        tmp_path,
        "Hypersensitivity to any component of this product.",
        ingredient="ibuprofen famotidine",
        drug=drug,
    )
    facts = [fact for fact in read(source).facts() if fact[1] != "HAS_NAME"]
    assert facts == [
        ("RXNORM:1299021", "HAS_INGREDIENT", "DRUGBANK:DB01050"),
        ("RXNORM:1299021", "HAS_INGREDIENT", "DRUGBANK:DB00927"),
        ("RXNORM:1299021", "CONTRAINDICATED_FOR", "Hypersensitivity to famotidine"),
        ("DRUGBANK:DB00927", "CONTRAINDICATED_FOR", "Hypersensitivity to famotidine"),
        ("RXNORM:1299021", "CONTRAINDICATED_FOR", "Hypersensitivity to ibuprofen"),
        ("DRUGBANK:DB01050", "CONTRAINDICATED_FOR", "Hypersensitivity to ibuprofen"),
    ]


@pytest.mark.parametrize(
    ("ingredient", "drug", "tails"),
    [
        (
            "estrogens esterified",
            "Esterified estrogens",
            {"Hypersensitivity to esterified estrogens"},
        ),
        ("brodalumab", "BRODALUMAB X", {"Hypersensitivity to brodalumab"}),
        ("poa pratensis pollen dactylis glomerata pollen", "Grass mix", set()),
        ("proguanil atovaquone", "atovaquone / proguanil Pill", set()),
    ],
)
def test_allergy_to_a_drug_that_is_in_no_list_has_its_name_if_it_is_one(
    tmp_path: Path, read: Read, ingredient: str, drug: str, tails: set[str]
) -> None:
    text = "Hypersensitivity to this product."
    source = labels(tmp_path, text, ingredient=ingredient, drug=("CHEBI:1", drug))
    assert {fact[2] for fact in read(source).facts()} == tails


def test_label_is_read_once_and_unusable_rows_are_told(tmp_path: Path, read: Read) -> None:
    left = read(labels(tmp_path, "Pregnancy.", "Pregnancy.", "Gout."))
    assert left.reasons() == {
        2: "an earlier row has the same label",
        3: "the label forbids nothing more that is understood",
    }
    unknown = labels(tmp_path, "Pregnancy.", ingredient="x", drug=("NOSUCH:1", "x"))
    assert read(unknown).reasons() == {
        1: "drug_id: Bioregistry has no prefix 'NOSUCH'; write one that it has, e.g. MONDO:0005148, or list your own under 'prefixes' in the configuration"
    }


def test_unusable_settings_and_files_are_told(tmp_path: Path, read: Read) -> None:
    with pytest.raises(ValidationError, match="contraindications"):
        EveryCureLabelsSource.model_validate({"kind": "everycure-labels"})
    path = tmp_path / "other.tsv"
    path.write_text("a\tb\n1\t2\n", encoding="utf-8")
    with pytest.raises(SourceError, match=r"other.tsv: the header lacks 'drug_id'"):
        read(EveryCureLabelsSource(kind="everycure-labels", contraindications=path))


def test_long_label_without_an_end_is_read_in_time(tmp_path: Path, read: Read) -> None:
    text = "[see hypersensitivity to the " * 5_000
    assert forbidden(tmp_path, read, text) <= {"Hypersensitivity to ibuprofen"}


def test_list_is_accounted_for_and_read_alike_twice(
    shared_data: Path, read: Read, tmp_path: Path
) -> None:
    path = shared_data / "everycure" / "contraindications.tsv"
    source = EveryCureLabelsSource(kind="everycure-labels", contraindications=path)
    left = read(source)
    assert left.rows == {"label": 3_981}
    assert [a for a in left.assertions if a["problem"]] == []
    sources.read(source, tmp_path / "again", Silent())
    for table in ("assertions.parquet", "quarantine.parquet"):
        assert (tmp_path / "again" / table).read_bytes() == (tmp_path / "out" / table).read_bytes()

from pathlib import Path

import pytest
from pydantic import ValidationError

from ingest.sources import BabelonSource
from ingest.sources.babelon.translations import COLUMNS
from ingest.sources.relations import RelationMap
from kg.errors import SourceError
from tests.ingest.sources.conftest import Read

OBO = """[Term]
id: HP:0000001
name: All

[Term]
id: HP:0000118
name: Phenotypic abnormality

[Term]
id: HP:0001250
name: Seizure
alt_id: HP:0001303
is_a: HP:0000118

[Term]
id: HP:0000005
name: Mode of inheritance

[Term]
id: HP:0000006
name: Autosomal dominant inheritance
is_a: HP:0000005
"""


def row(identifier: str, value: str, **given: str) -> str:
    fields = {
        "subject_id": identifier,
        "predicate_id": "rdfs:label",
        "translation_language": "zh",
        "translation_value": value,
        "translation_status": "OFFICIAL",
        "translation_precision": "",
    }
    return "\t".join((fields | given).values())


def translation(folder: Path, *rows: str) -> BabelonSource:
    path = folder / "hp-zh.babelon.tsv"
    header = "\t".join((*COLUMNS, "translation_precision"))
    path.write_text("\n".join((header, *rows)) + "\n", encoding="utf-8")
    return BabelonSource(kind="babelon", file=path)


@pytest.mark.parametrize(
    ("given", "relation"),
    [
        ({}, "HAS_NAME"),
        ({"translation_language": "zh-CN"}, "HAS_NAME"),
        ({"predicate_id": "http://www.w3.org/2000/01/rdf-schema#label"}, "HAS_NAME"),
        ({"translation_status": "CANDIDATE"}, "HAS_RELATED_SYNONYM"),
        ({"translation_status": "UNDER_REVIEW"}, "HAS_RELATED_SYNONYM"),
        ({"translation_precision": "CLOSE"}, "HAS_RELATED_SYNONYM"),
        ({"predicate_id": "oboInOwl:hasExactSynonym"}, "HAS_SYNONYM"),
        ({"predicate_id": "IAO:0000115"}, "HAS_DEFINITION"),
    ],
)
def test_predicate_and_status_choose_what_a_translation_is(
    tmp_path: Path, read: Read, given: dict[str, str], relation: str
) -> None:
    (said,) = read(translation(tmp_path, row("HP:0001250", "癫痫发作", **given))).assertions
    assert {
        name: said[name] for name in ("head", "head_type", "relation", "value", "language")
    } == {
        "head": "HP:0001250",
        "head_type": "Symptom",
        "relation": relation,
        "value": "癫痫发作",
        "language": "zh",
    }


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (
            {"translation_status": "NOT_TRANSLATED"},
            "the status of the translation is NOT_TRANSLATED",
        ),
        ({"translation_status": ""}, "the status of the translation is none"),
        ({"translation_value": " "}, "the row has no translation"),
        ({"translation_language": "fr"}, "the graph keeps names in en and zh only"),
        (
            {"translation_precision": "BROADER"},
            "the translation is broader than what is translated",
        ),
        (
            {"predicate_id": "IAO:0000115", "translation_status": "CANDIDATE"},
            "the translation of the definition is not accepted or not exact",
        ),
        (
            {"predicate_id": "oboInOwl:hasBroadSynonym"},
            "a broad synonym names more than the term",
        ),
        ({"predicate_id": "x:y"}, "the graph has no relation for 'x:y'"),
        ({"predicate_id": ""}, "the graph has no relation for 'none'"),
        ({"subject_id": ""}, "the row names no term"),
        ({"subject_id": "HP:0000001"}, "the root of all terms is above every node type"),
        ({"subject_id": "EFO:1"}, "no node type for the prefix EFO; add it to 'types'"),
    ],
)
def test_translation_that_can_not_stand_is_quarantined(
    tmp_path: Path, read: Read, given: dict[str, str], reason: str
) -> None:
    left = read(translation(tmp_path, row("HP:0001250", "癫痫发作", **given)))
    assert (left.reasons(), left.assertions) == ({1: reason}, [])


def test_ontology_tells_types_former_ids_and_what_is_no_term(tmp_path: Path, read: Read) -> None:
    ontology = tmp_path / "hp.obo"
    ontology.write_text(OBO, encoding="utf-8")
    rows = (
        row("HP:0001303", "癫痫发作"),
        row("HP:0000006", "常染色体显性遗传"),
        row("HP:7654321", "无此术语"),
    )
    left = read(translation(tmp_path, *rows).model_copy(update={"ontology": ontology}))
    assert [(a["head"], a["head_type"], a["value"]) for a in left.assertions] == [
        ("HP:0001250", "Symptom", "癫痫发作"),
        ("HP:0000006", "Inheritance", "常染色体显性遗传"),
    ]
    reason = "HP:7654321 is not a term in use: it is not in the ontology's file"
    assert left.reasons() == {3: reason}


def test_words_of_laypeople_are_english_synonyms(tmp_path: Path, read: Read) -> None:
    path = tmp_path / "layperson-synonyms.tsv"
    rows = (
        "?term\t?term_label\t?layperson",
        '<http://purl.obolibrary.org/obo/HP_0001250>\t"Seizure"\t"Fits"',
        '<http://purl.obolibrary.org/obo/HP_0002315>\t"Headache"@en\t"\\"Head\\" pain"@en',
        '<http://purl.obolibrary.org/obo/HP_0002315>\t"Headache"\t"Kopfschmerz"@de',
        '<http://purl.obolibrary.org/obo/HP_0002315>\t"Headache"\t',
    )
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    left = read(BabelonSource(kind="babelon", layperson=path))
    assert left.facts() == [
        ("HP:0001250", "HAS_LAY_SYNONYM", "Fits"),
        ("HP:0002315", "HAS_LAY_SYNONYM", '"Head" pain'),
    ]
    assert left.reasons() == {
        3: "the graph keeps names in en and zh only",
        4: "the row has no layperson's word in quotes",
    }


def test_quotes_in_a_translation_are_those_of_the_text(tmp_path: Path, read: Read) -> None:
    rows = (row("HP:0001250", '"a ""b"""'), row("HP:0001250", '"open'), row("HP:0001250", "c"))
    left = read(translation(tmp_path, *rows))
    assert [a["value"] for a in left.assertions] == ['a "b"', "c"]
    assert left.reasons() == {2: "the line can not be taken apart: unexpected end of data"}


def test_source_without_a_file_is_refused() -> None:
    with pytest.raises(ValidationError, match="give the 'file' with the translations"):
        BabelonSource(kind="babelon")


def test_file_that_is_no_translation_is_told(tmp_path: Path, read: Read) -> None:
    source = translation(tmp_path)
    assert source.file
    source.file.write_text("subject_id\tlabel\n", encoding="utf-8")
    with pytest.raises(SourceError, match=r"hp-zh.babelon.tsv: the header lacks 'predicate_id'"):
        read(source)
    source.file.write_bytes("癫痫".encode("gb18030") * 40)
    with pytest.raises(SourceError, match=r"hp-zh.babelon.tsv: not UTF-8 text, it looks like"):
        read(source)
    source.file.write_bytes(b"")
    with pytest.raises(SourceError, match=r"hp-zh.babelon.tsv: the file is empty"):
        read(source)


def test_map_is_of_the_vocabulary() -> None:
    assert RelationMap.of("ingest.sources.babelon").attributes["rdfs:label"] == "HAS_NAME"


def test_real_translation_of_hpo_is_read_whole(shared_data: Path, read: Read) -> None:
    folder = shared_data / "hpo_zh"
    left = read(
        BabelonSource(
            kind="babelon",
            file=folder / "hp-zh.babelon.tsv",
            layperson=folder / "layperson-synonyms.tsv",
        )
    )
    assert ("HP:0001250", "HAS_NAME", "癫痫发作") in left.facts()
    assert list(left.reasons().values()) == ["the root of all terms is above every node type"]
    for path, word in (
        ("hp-zh.babelon.tsv", "rdfs:label"),
        ("layperson-synonyms.tsv", "layperson"),
    ):
        with (folder / path).open(encoding="utf-8") as lines:
            assert left.rows[word] == sum(1 for _ in lines) - 1

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from ingest.sources import UmlsSource
from ingest.sources.relations import RelationMap
from ingest.sources.umls.relations import meanings
from ingest.sources.umls.semantic_types import node_types
from kg.errors import SourceError
from kg.linking.umls.semantic_types import TYPES_OF
from tests.ingest.sources.conftest import Left, Read
from tests.ingest.sources.umls_release import (
    NAMES,
    conso,
    definition,
    rel,
    release,
    sty,
    synonym,
)

MAY_TREAT = rel("C0002144", "may_treat", "C0018099")


def source(folder: Path, **settings: object) -> UmlsSource:
    return UmlsSource.model_validate({"kind": "umls", "folder": folder, **settings})


def of_word(left: Left, word: str) -> list[tuple[Any, ...]]:
    kept = [a for a in left.assertions if a["original_relation"] == word]
    return Left(kept, [], {}).facts()


def left_out(left: Left) -> list[tuple[str, str]]:
    """Word and reason of what is in quarantine, but for the semantic types."""
    records = [q for q in left.quarantine if q["original_relation"] != "MRSTY.RRF"]
    return [(q["original_relation"], q["reason"]) for q in records]


def test_genuine_rows_are_concepts_with_names_and_definition(
    shared_data: Path, read: Read
) -> None:
    left = read(source(shared_data / "umls_samples"))
    assert sorted(left.facts()) == [
        ("UMLS:C0000005", "HAS_NAME", "(131)I-Macroaggregated Albumin"),
        ("UMLS:C0000005", "HAS_SYNONYM", "(131)I-MAA"),
        (
            "UMLS:C0000039",
            "HAS_DEFINITION",
            (
                "Synthetic phospholipid used in liposomes and lipid bilayers to study biological "
                "membranes."
            ),
        ),
        ("UMLS:C0000039", "HAS_NAME", "1,2-Dipalmitoylphosphatidylcholine"),
    ]
    assert left.rows == {
        "MRCONSO.RRF": 1,
        "MRCONSO.RRF preferred": 2,
        "MRDEF.RRF": 1,
        "MRSTY.RRF": 1,
    }


def test_relation_reads_from_the_second_concept_to_the_first(tmp_path: Path, read: Read) -> None:
    left = read(source(release(tmp_path, relations=[MAY_TREAT])))
    assert sorted(of_word(left, "may_treat")) == [
        ("Allopurinol", "HAS_CUI", "UMLS:C0002144"),
        ("Allopurinol", "INDICATED_FOR", "Gout"),
        ("Gout", "HAS_CUI", "UMLS:C0018099"),
    ]


def test_edge_names_its_ends_types_and_vocabulary(tmp_path: Path, read: Read) -> None:
    left = read(source(release(tmp_path, relations=[MAY_TREAT])))
    (edge,) = [a for a in left.assertions if a["relation"] == "INDICATED_FOR"]
    assert {name: value for name, value in edge.items() if value is not None} == {
        "source": "umls",
        "file": "MRREL.RRF",
        "row": 1,
        "original_relation": "may_treat",
        "head_type": "Drug",
        "head_name": "Allopurinol",
        "relation": "INDICATED_FOR",
        "tail_type": "Disease",
        "tail_name": "Gout",
        "language": "en",
        "evidence": "MED-RT",
    }


def test_words_are_mapped_both_ways(tmp_path: Path, read: Read) -> None:
    facts = {
        rel("C0018099", "may_be_treated_by", "C0002144"): "Allopurinol INDICATED_FOR Gout",
        rel("C0002144", "may_prevent", "C0018099"): "Gout PREVENTED_BY Allopurinol",
        rel("C0002144", "contraindicated_with_disease", "C0018099"): (
            "Allopurinol CONTRAINDICATED_FOR Gout"
        ),
        rel("C0018099", "has_contraindicated_drug", "C0002144"): (
            "Allopurinol CONTRAINDICATED_FOR Gout"
        ),
        rel("C0018099", "has_manifestation", "C0003862"): "Gout HAS_SYMPTOM Arthralgia",
        rel("C0003862", "manifestation_of", "C0018099"): "Gout HAS_SYMPTOM Arthralgia",
        rel("C0018099", "has_finding_site", "C0022417"): "Gout OCCURS_IN Joints",
        rel("C0022417", "finding_site_of", "C0018099"): "Gout OCCURS_IN Joints",
        rel("C0018099", "isa", "C0003864"): "Gout IS_A Arthritis",
        rel("C0003864", "inverse_isa", "C0018099"): "Gout IS_A Arthritis",
        rel("C0003862", "due_to", "C0018099"): "Arthralgia CAUSED_BY Gout",
    }
    left = read(source(release(tmp_path, relations=facts)))
    edges = [a for a in left.assertions if a["tail_name"]]
    said = [f"{a['head_name']} {a['relation']} {a['tail_name']}" for a in edges]
    assert said == list(facts.values())


def test_relations_that_say_nothing_are_one_record_for_each_kind(
    tmp_path: Path, read: Read
) -> None:
    reasons = {
        rel("C0002144", "plays_role", "C0018099"): "the graph has no relation for 'plays_role'",
        rel("C0018099", "", "C0003864", REL="RO"): "it does not say how",
        rel("C0018099", "isa", "C0018099"): "both ends are one concept",
        rel(
            "C0018099", "may_treat", "C0002144"
        ): "the relation does not lead from Disease to Drug",
        rel("C0002144", "may_treat", "C0205082"): (
            "no node type stands for the semantic types of an end"
        ),
        rel("C0002144", "may_treat", "C7654321"): (
            "an end has no name among those that the settings ask for"
        ),
        rel("C0002144", "may_treat", "C0018099", SUPPRESS="O"): (
            "the settings leave out obsolete and suppressible rows"
        ),
    }
    twice = [row for row in reasons for _ in range(2)]
    left = read(source(release(tmp_path, relations=[MAY_TREAT, *twice])))
    records = [q for q in left.quarantine if q["file"] == "MRREL.RRF"]
    assert [(q["row"], q["reason"]) for q in records] == [
        (2 + 2 * at, f"{reason} (2 rows)") for at, reason in enumerate(reasons.values())
    ]
    kept = [json.loads(q["record"]) for q in records]
    assert [(k["rows"], k["first"]["CUI1"]) for k in kept] == [
        (2, row.split("|")[0]) for row in reasons
    ]


def test_preferred_name_of_each_language_is_the_name(tmp_path: Path, read: Read) -> None:
    more = [
        synonym("C0018099", "Gouty arthritis"),
        conso("C0018099", "痛风", LAT="CHI", SAB="MSHCHI"),
        synonym("C0018099", "尿酸性关节炎", LAT="CHI", SAB="MSHCHI"),
    ]
    left = read(source(release(tmp_path, more)))
    gout = [a for a in left.assertions if a["head"] == "UMLS:C0018099"]
    assert [(a["relation"], a["value"], a["language"]) for a in gout] == [
        ("HAS_NAME", "Gout", "en"),
        ("HAS_SYNONYM", "Gouty arthritis", "en"),
        ("HAS_NAME", "痛风", "zh"),
        ("HAS_SYNONYM", "尿酸性关节炎", "zh"),
    ]


def test_nearest_to_the_preferred_name_stands_for_it(tmp_path: Path, read: Read) -> None:
    names = [
        conso("C0011849", "Diabetes mellitus (disorder)", SAB="SNOMEDCT_US"),
        synonym("C0011849", "Diabetic", SAB="MSH", TTY="ET"),
        synonym("C0011849", "Diabetes Mellitus", SAB="MSH", TTY="MH"),
    ]
    left = read(source(release(tmp_path, names), vocabularies=("MSH",)))
    assert [fact for fact in left.facts() if fact[0] == "UMLS:C0011849"] == [
        ("UMLS:C0011849", "HAS_SYNONYM", "Diabetic"),
        ("UMLS:C0011849", "HAS_NAME", "Diabetes Mellitus"),
    ]


def test_names_that_the_settings_leave_out_are_counted_by_reason(
    tmp_path: Path, read: Read
) -> None:
    names = [
        synonym("C0018099", "Gota", LAT="SPA"),
        synonym("C0018099", "Podagra", LAT="SPA"),
        synonym("C0018099", "痛风", LAT="CHI"),
        synonym("C0018099", "Gout NOS", SUPPRESS="O"),
        synonym("C0018099", "Gout, unspecified", SAB="ICD10CM"),
        synonym("C0003862", "Joint pain"),
    ]
    settings = {"languages": ("en",), "vocabularies": ("MSH",), "semantic_types": ("T047",)}
    left = read(source(release(tmp_path, names), **settings))
    assert sorted(left_out(left)) == [
        ("MRCONSO.RRF", "the settings leave out obsolete and suppressible rows (1 row)"),
        ("MRCONSO.RRF", "the settings leave out the language CHI (1 row)"),
        ("MRCONSO.RRF", "the settings leave out the language SPA (2 rows)"),
        (
            "MRCONSO.RRF",
            "the settings leave out the semantic types of the concept (5 rows)",
        ),
        ("MRCONSO.RRF", "the settings leave out the vocabulary ICD10CM (1 row)"),
    ]
    assert [fact[2] for fact in left.facts()] == ["Gout", "Arthritis"]


def test_suppressed_rows_are_read_where_asked_for(tmp_path: Path, read: Read) -> None:
    folder = release(tmp_path, [synonym("C0018099", "Gout NOS", SUPPRESS="O")])
    left = read(source(folder, suppressed=True))
    assert ("UMLS:C0018099", "HAS_SYNONYM", "Gout NOS") in left.facts()


def test_definition_is_in_the_language_of_its_name(tmp_path: Path, read: Read) -> None:
    folder = release(
        tmp_path,
        [
            conso("C0018099", "痛风", LAT="CHI", AUI="A9"),
            synonym("C0018099", "Gota", LAT="SPA", AUI="A8"),
        ],
        definitions=[
            definition("C0018099", "Arthritis from crystals of urate."),
            definition("C0018099", "尿酸盐结晶引起的关节炎。", AUI="A9", SAB="MSHCHI"),
            definition("C0018099", "Artritis por cristales de urato.", AUI="A8"),
        ],
    )
    left = read(source(folder))
    said = [a for a in left.assertions if a["relation"] == "HAS_DEFINITION"]
    assert [(a["language"], a["value"], a["evidence"]) for a in said] == [
        ("en", "Arthritis from crystals of urate.", "MSH"),
        ("zh", "尿酸盐结晶引起的关节炎。", "MSHCHI"),
    ]
    assert ("MRDEF.RRF", "the settings leave out the name it is of (1 row)") in left_out(left)


def test_concepts_that_share_a_name_and_type_have_a_problem(tmp_path: Path, read: Read) -> None:
    folder = release(
        tmp_path,
        [conso("C7000001", "GOUT")],
        types=[sty("C7000001", "T047")],
        relations=[MAY_TREAT, rel("C0002144", "may_treat", "C7000001")],
    )
    problems = {
        (a["head_name"], a["relation"], a["tail_name"] or a["tail"]): a["problem"]
        for a in read(source(folder)).assertions
        if a["file"] == "MRREL.RRF"
    }
    assert problems == {
        (
            "Allopurinol",
            "INDICATED_FOR",
            "Gout",
        ): "several concepts of type Disease are called 'Gout'",
        (
            "Allopurinol",
            "INDICATED_FOR",
            "GOUT",
        ): "several concepts of type Disease are called 'GOUT'",
        ("Allopurinol", "HAS_CUI", "UMLS:C0002144"): None,
        ("Gout", "HAS_CUI", "UMLS:C0018099"): "several concepts of type Disease are called 'Gout'",
        ("GOUT", "HAS_CUI", "UMLS:C7000001"): "several concepts of type Disease are called 'GOUT'",
    }


def test_first_semantic_type_in_the_list_decides(tmp_path: Path, read: Read) -> None:
    folder = release(
        tmp_path, types=[sty("C0018099", "T033"), sty("C0018099", "T109")], relations=[MAY_TREAT]
    )
    (edge,) = [a for a in read(source(folder)).assertions if a["relation"] == "INDICATED_FOR"]
    assert edge["tail_type"] == "Disease"


def test_broken_rows_stand_one_by_one(tmp_path: Path, read: Read) -> None:
    names = [
        conso("C18099", "too short"),
        conso("C0018099", " "),
        "C0018099|ENG|P|",
        conso("C0018099", "one | too many"),
        conso("C0018099", "one | too many", CVF="256"),
        synonym("C0018099", 'so-called "gout" \\'),
    ]
    folder = release(tmp_path, names, relations=[MAY_TREAT, rel("C0002144", "may_treat", "")])
    left = read(source(folder))
    first = len(NAMES)
    broken = [q for q in left.quarantine if q["original_relation"].endswith("unreadable row")]
    assert [(q["file"], q["row"], q["reason"]) for q in broken] == [
        ("MRCONSO.RRF", first + 1, "no CUI"),
        ("MRCONSO.RRF", first + 2, "no STR"),
        ("MRCONSO.RRF", first + 3, "the row has fewer fields than the header"),
        ("MRCONSO.RRF", first + 4, "SUPPRESS is none of E, N, O, Y; a '|' may stand in a field"),
        ("MRCONSO.RRF", first + 5, "more than 18 columns"),
        ("MRREL.RRF", 2, "no CUI1"),
    ]
    assert ("UMLS:C0018099", "HAS_SYNONYM", 'so-called "gout" \\') in left.facts()


def test_release_is_read_from_meta_and_compressed(tmp_path: Path, read: Read) -> None:
    meta = tmp_path / "META"
    meta.mkdir()
    release(meta, relations=[MAY_TREAT])
    for path in list(meta.iterdir()):
        path.with_name(f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes()))
        path.unlink()
    left = read(source(tmp_path))
    assert ("Allopurinol", "INDICATED_FOR", "Gout") in left.facts()


def test_missing_and_wrong_files_are_told(tmp_path: Path, read: Read) -> None:
    with pytest.raises(SourceError, match=r"MRSTY.RRF: missing, and no MRSTY.RRF.gz either"):
        read(source(tmp_path))
    release(tmp_path, relations=["C0018099|A1|AUI|RO|"])
    with pytest.raises(
        SourceError, match=r"MRREL.RRF, row 1: has 4 columns, and MRREL.RRF has 16"
    ):
        read(source(tmp_path))
    (tmp_path / "MRREL.RRF").write_bytes(MAY_TREAT.encode() + b"\nC0018099|\xe9|\n")
    with pytest.raises(SourceError, match=r"MRREL.RRF.*not UTF-8 text"):
        read(source(tmp_path))
    (tmp_path / "MRREL.RRF").write_text("", encoding="utf-8")
    with pytest.raises(SourceError, match=r"MRREL.RRF: the file is empty"):
        read(source(tmp_path))


@pytest.mark.parametrize(
    "settings", [{"languages": ()}, {"languages": ("fr",)}, {"semantic_types": ("Disease",)}]
)
def test_settings_that_ask_for_nothing_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        source(Path(), **settings)


def test_semantic_types_are_those_that_links_know() -> None:
    unknown = {tui: kind for tui, kind in node_types().items() if tui not in TYPES_OF[kind]}
    assert unknown == {}


def test_each_word_says_one_thing_of_two_types_in_one_direction() -> None:
    words = RelationMap.of("ingest.sources.umls")
    said = [meaning[:3] for meaning in meanings(words)]
    assert len(said) == len(set(said))
    assert all(len({m.inverted for m in mapped}) == 1 for mapped in words.relations.values())

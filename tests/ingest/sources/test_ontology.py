"""Ontologies in OBO: what of a term is said, and which type it gets."""

import json
from pathlib import Path

import pytest
from pydantic import ValidationError

from ingest.sources import OntologySource
from ingest.sources.ontology.types import TermTypes
from ingest.sources.relations import RelationMap
from kg.errors import SourceError
from tests.ingest.sources.conftest import Read
from tests.ingest.sources.ontology_files import MONDO, of, problems, written


def test_term_of_obo_says_all_that_the_graph_holds(tmp_path: Path, read: Read) -> None:
    left = read(written(tmp_path, MONDO))
    assert of(left, "MONDO:0005148") == [
        ("HAS_NAME", "type 2 diabetes mellitus"),
        ("HAS_FORMER_ID", "MONDO:0009999"),
        ("HAS_DEFINITION", "A diabetes mellitus with insulin resistance."),
        ("HAS_RELATED_SYNONYM", "NIDDM"),
        ("HAS_SYNONYM", "type II diabetes mellitus"),
        ("HAS_EXACT_MATCH", "DOID:9352"),
        ("HAS_XREF", "UMLS:C0011860"),
        ("HAS_CUI", "UMLS:C0011860"),
        ("HAS_XREF", "EFO:0001360"),
        ("HAS_XREF", "HP:0005978"),
        ("IS_A", "MONDO:0005015"),
        ("HAS_MODIFIER", "MONDO:0021137"),
        ("HAS_EXACT_MATCH", "ORPHA:181381"),
        ("HAS_FORMER_ID", "MONDO:0000111"),
    ]


def test_words_that_say_no_fact_are_quarantined_with_the_reason(
    tmp_path: Path, read: Read
) -> None:
    left = read(written(tmp_path, MONDO))
    quarantined = {(q["row"], q["original_relation"]): q["reason"] for q in left.quarantine}
    assert quarantined == {
        (3, "synonym BROAD"): "a broad synonym names more than the term",
        (3, "xref MONDO:relatedTo"): "a related thing is not the same thing",
        (7, "Term"): "obsolete; nothing replaces it; MONDO:0005015, MONDO:0005148 may be meant",
        (8, "transmitted_by"): "the graph has no relation of this meaning",
        (8, "intersection_of"): "a logical definition is no single fact",
        (9, "Typedef"): "a Typedef defines no entity",
    }
    (record,) = [q["record"] for q in left.quarantine if q["original_relation"] == "synonym BROAD"]
    assert json.loads(record) == {
        "id": "MONDO:0005148",
        "name": "type 2 diabetes mellitus",
        "synonym BROAD": ["maturity-onset diabetes"],
    }


def test_former_ids_in_relations_become_the_term_in_use(tmp_path: Path, read: Read) -> None:
    left = read(written(tmp_path, MONDO))
    assert of(left, "MONDO:0012819")[1:] == [
        ("IS_A", "MONDO:0005148"),
        ("CAUSED_BY", "MONDO:0005148"),
        ("HAS_SYMPTOM", "HP:0001946"),
        ("OCCURS_IN", "UBERON:0000178"),
    ]
    missing = "MONDO:7777777 is not a term in use: the file does not name it"
    assert problems(left) == {"is_a": missing}


def test_rows_are_counted_by_term_and_word(tmp_path: Path, read: Read) -> None:
    left = read(written(tmp_path, MONDO))
    counted = {word: left.rows[word] for word in ("name", "is_a", "xref", "Term", "replaced_by")}
    assert counted == {"name": 6, "is_a": 4, "xref": 1, "Term": 1, "replaced_by": 1}


@pytest.mark.parametrize(
    ("prefix", "identifier", "node_type"),
    [
        ("MP", "MP:0001262", "Symptom"),
        ("UBERON", "UBERON:0000948", "Anatomy"),
        ("CL", "CL:0000540", "Anatomy"),
        ("NCBITaxon", "NCBITaxon:9606", "Organism"),
    ],
)
def test_prefix_gives_the_type_where_no_branch_does(
    tmp_path: Path, read: Read, prefix: str, identifier: str, node_type: str
) -> None:
    left = read(written(tmp_path, f"[Term]\nid: {identifier}\nname: {prefix} term\n"))
    assert [(a["head"], a["head_type"]) for a in left.assertions] == [(identifier, node_type)]


def test_branch_gives_the_type_and_terms_beside_all_branches_have_none(
    tmp_path: Path, read: Read
) -> None:
    efo = """
[Term]
id: EFO:0000001
name: experimental factor
[Term]
id: EFO:0000408
name: disease
is_a: EFO:0000001
[Term]
id: EFO:0000400
name: diabetes mellitus
is_a: EFO:0000408
[Term]
id: MONDO:0005148
name: type 2 diabetes mellitus
is_a: EFO:0000400
[Term]
id: NCIT:C2991
name: disorder of another ontology
is_a: EFO:0000408
[Term]
id: EFO:0001444
name: measurement
is_a: EFO:0000001
"""
    left = read(written(tmp_path, efo))
    assert {a["head"]: a["head_type"] for a in left.assertions} == dict.fromkeys(
        ("EFO:0000408", "EFO:0000400", "MONDO:0005148", "NCIT:C2991"), "Disease"
    )
    reason = "the term stands below no branch of EFO that has a node type"
    assert left.reasons() == {1: reason, 6: reason}
    chosen = read(written(tmp_path, efo, branches={"EFO:0001444": "Test"}))
    assert ("EFO:0001444", "HAS_NAME", "measurement") in chosen.facts()
    both = read(written(tmp_path, efo, types={"EFO": "Disease"}, branches={"EFO:0001444": "Test"}))
    types = {a["head"]: a["head_type"] for a in both.assertions}
    assert (types["EFO:0001444"], types["EFO:0000001"]) == ("Test", "Disease")


def test_namespace_gives_the_type_of_a_part_of_go(tmp_path: Path, read: Read) -> None:
    go = """
[Term]
id: GO:0006915
name: apoptotic process
namespace: biological_process
relationship: part_of GO:0005575 ! not of a kind
[Term]
id: GO:0005739
name: mitochondrion
namespace: cellular_component
relationship: part_of GO:0005737 ! cytoplasm
[Term]
id: GO:0005737
name: cytoplasm
namespace: cellular_component
relationship: has_part GO:0005739
relationship: regulates GO:0006915
"""
    left = read(written(tmp_path, go))
    assert [fact for fact in left.facts() if fact[1] == "PART_OF"] == [
        ("GO:0005739", "PART_OF", "GO:0005737"),
        ("GO:0005739", "PART_OF", "GO:0005737"),
    ]
    assert {a["head"]: a["head_type"] for a in left.assertions}["GO:0006915"] == (
        "BiologicalProcess"
    )
    assert left.reasons() == {3: "the graph has no relation of this meaning"}


@pytest.mark.parametrize(
    ("lines", "word", "problem"),
    [
        ("synonym: NIDDM EXACT []", "synonym EXACT", "the synonym is not in quotes"),
        ("def: unquoted", "def", "the definition is not in quotes"),
        (
            "xref: UMLS:CN074232",
            "xref",
            "'CN074232' is not a UMLS concept; write C and seven digits",
        ),
        (
            "xref: nothing",
            "xref",
            "'nothing' is not a CURIE; write PREFIX:ID, e.g. HP:0001945",
        ),
        ("xref:", "xref", "'' is not a CURIE; write PREFIX:ID, e.g. HP:0001945"),
        (
            "relationship: part_of",
            "part_of",
            "the relationship names no other term",
        ),
        (
            "relationship: disease_has_location MONDO:0000001",
            "disease_has_location",
            "disease_has_location says nothing that the graph holds of a Disease and a Disease",
        ),
        ("alt_id: MONDO:0000001", "alt_id", "MONDO:0000001 is itself a term in use"),
    ],
)
def test_statement_that_can_not_stand_has_a_problem(
    tmp_path: Path, read: Read, lines: str, word: str, problem: str
) -> None:
    term = f"[Term]\nid: MONDO:0000001\nname: disease\n[Term]\nid: MONDO:2\nname: x\n{lines}\n"
    left = read(written(tmp_path, term + "is_a: MONDO:0000001\n"))
    assert problems(left) == {word: problem}


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("x.obo", "", "x.obo: the file is empty; download it again"),
        ("x.obo", "format-version: 1.2\n", "x.obo: no term is in it; correct 'file'"),
        (
            "x.obo",
            "[Term]\nid: X:1\nname: x\n",
            "no node type for the prefix X; add it to 'types'",
        ),
        ("x.owl", "<rdf/>", "x.owl: OWL is not read; take the ontology's .obo or .json file"),
        ("x.txt", "[Term]", "x.txt: the ending tells no format; set 'format' to obo"),
        ("x.json", "id: 1", "x.json: not JSON, it begins with 'i'; download it again"),
        ("x.json", '{"graphs": [{"nodes": [{"id"', "x.json: not JSON .*; download it again"),
        ("x.json", "{}", "x.json: no term is in it"),
    ],
)
def test_file_that_is_no_ontology_is_told(
    tmp_path: Path, read: Read, name: str, text: str, message: str
) -> None:
    with pytest.raises(SourceError, match=message):
        read(written(tmp_path, text, name))


def test_missing_damaged_and_wrongly_encoded_files_are_told(tmp_path: Path, read: Read) -> None:
    source = written(tmp_path, MONDO, "mondo.obo.gz")
    source.file.write_bytes(source.file.read_bytes()[:-40])
    with pytest.raises(SourceError, match=r"mondo.obo.gz: the compressed file is damaged"):
        read(source)
    source.file.unlink()
    with pytest.raises(SourceError, match=r"mondo.obo.gz: does not exist"):
        read(source)
    source = written(tmp_path, MONDO)
    source.file.write_bytes(MONDO.replace("adult", "adulte é").encode("cp1252"))
    with pytest.raises(SourceError, match=r"mondo.obo: not UTF-8 text"):
        read(source)


@pytest.mark.parametrize("at", range(110, len(MONDO), 160))
def test_ontology_cut_off_anywhere_is_read_to_there(tmp_path: Path, read: Read, at: int) -> None:
    left = read(written(tmp_path, MONDO[:at]))
    whole = read(written(tmp_path, MONDO))
    assert len(left.facts()) <= len(whole.facts())


def test_type_that_is_none_is_refused() -> None:
    with pytest.raises(ValidationError, match="'Illness' is no node type; take one of Disease"):
        OntologySource(kind="ontology", name="x", file=Path("x"), types={"EFO": "Illness"})


def test_map_and_types_are_of_the_vocabulary() -> None:
    words = RelationMap.of("ingest.sources.ontology")
    assert "is_a" in words.relations
    known = TermTypes.shipped()
    assert known.of_id("DOID:4") == "Disease"
    assert known.of_id("HP:0000001") is None

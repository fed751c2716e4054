"""PrimeKG-Plus: its genuine edges from articles, and files written like its own."""

import csv
import io
from pathlib import Path

import pytest
from pydantic import ValidationError

from ingest.sources import PrimeKgPlusSource
from ingest.sources.primekg.edges import COLUMNS
from kg.errors import SourceError
from tests.ingest.sources.conftest import Read

HEXA = ("3073", "gene/protein", "HEXA", "NCBI")
TAY_SACHS = ("10100", "disease", "Tay-Sachs disease", "MONDO")
GANGLIOSIDOSIS = ("17720", "disease", "GM2 gangliosidosis", "MONDO")
CATABOLISM = ("6689", "biological process", "ganglioside catabolic process", "GO")

Node = tuple[str, str, str, str]
Edge = tuple[str, str, Node, Node]

IS_A: Edge = ("disease_disease", "parent-child", GANGLIOSIDOSIS, TAY_SACHS)
CAUSE: Edge = ("disease_protein", "associated with", HEXA, TAY_SACHS)


def edges_file(path: Path, *edges: Edge) -> Path:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for relation, display, x, y in edges:
        writer.writerow([relation, display, "1", *x, "2", *y])
    path.write_text(text.getvalue(), encoding="utf-8")
    return path


def turned(edge: Edge) -> Edge:
    relation, display, x, y = edge
    return relation, display, y, x


def test_new_release_is_read_as_primekg(tmp_path: Path, read: Read) -> None:
    path = edges_file(tmp_path / "plus.csv", CAUSE, IS_A, turned(CAUSE), turned(IS_A))
    left = read(PrimeKgPlusSource(kind="primekg-plus", file=path))
    assert set(left.facts()) == {
        ("NCBIGene:3073", "ASSOCIATED_WITH", "MONDO:0010100"),
        ("MONDO:0010100", "IS_A", "MONDO:0017720"),
    }
    assert {a["source"] for a in left.assertions} == {"primekg-plus"}


def test_articles_tell_no_parent_and_write_types_with_blanks(tmp_path: Path, read: Read) -> None:
    process: Edge = ("bioprocess_protein", "interacts with", CATABOLISM, HEXA)
    path = edges_file(tmp_path / "literature.csv", IS_A, process)
    left = read(PrimeKgPlusSource(kind="primekg-plus", literature=path))
    assert left.facts() == [("NCBIGene:3073", "PARTICIPATES_IN", "GO:0006689")]
    assert left.reasons() == {
        1: "which end is the parent is not told where an edge stands only once"
    }


def test_articles_are_publications_where_the_file_names_them(tmp_path: Path, read: Read) -> None:
    path = tmp_path / "integrated.csv"
    columns = ("Relation", "PMID", "relation_integrated", "display_relation")
    ends = [f"{end}_{name}" for end in "xy" for name in ("id", "type", "name", "source")]
    row = (
        "gene of",
        "10.1016/j.ymgme.2021.05.001",
        "disease_protein",
        "associated with",
        *HEXA,
        *TAY_SACHS,
    )
    path.write_text(f"{','.join((*columns, *ends))}\n{','.join(row)}\n", encoding="utf-8")
    (fact,) = read(PrimeKgPlusSource(kind="primekg-plus", literature=path)).assertions
    assert (fact["head"], fact["relation"], fact["publications"]) == (
        "NCBIGene:3073",
        "ASSOCIATED_WITH",
        "DOI:10.1016/j.ymgme.2021.05.001",
    )
    assert fact["original_relation"] == "disease_protein associated with"


def test_both_files_are_counted_together(tmp_path: Path, read: Read) -> None:
    source = PrimeKgPlusSource(
        kind="primekg-plus",
        file=edges_file(tmp_path / "plus.csv", CAUSE, turned(CAUSE)),
        literature=edges_file(tmp_path / "literature.csv", CAUSE),
    )
    left = read(source)
    assert left.rows == {"disease_protein associated with": 3}
    assert {(a["file"], a["row"]) for a in left.assertions} == {
        ("plus.csv", 1),
        ("plus.csv", 2),
        ("literature.csv", 1),
    }


def test_source_without_a_file_is_refused() -> None:
    with pytest.raises(ValidationError, match="name a 'file', the 'literature', or both"):
        PrimeKgPlusSource(kind="primekg-plus")


def test_literature_without_relation_is_told(tmp_path: Path, read: Read) -> None:
    path = edges_file(tmp_path / "literature.csv", CAUSE)
    path.write_text(path.read_text(encoding="utf-8").replace("relation,", "word,", 1), "utf-8")
    with pytest.raises(SourceError, match=r"literature.csv: the header lacks 'relation'"):
        read(PrimeKgPlusSource(kind="primekg-plus", literature=path))


def test_genuine_edges_from_articles(shared_data: Path, read: Read) -> None:
    path = shared_data / "primekg_plus" / "20260529-literature_edges_novel.csv"
    left = read(PrimeKgPlusSource(kind="primekg-plus", literature=path))
    assert sum(left.rows.values()) == 550
    facts = set(left.facts())
    assert ("Canavan disease", "HAS_XREF", "MONDO:0010079") in facts
    assert ("Canavan disease", "HAS_SYMPTOM", "HP:0002344") in facts
    assert "IS_A" not in {relation for _, relation, _ in facts}
    # drugs that were tried against a disease stand as having it for side effect
    assert {
        (
            "the source's word 'drug_effect side effect' connects Drug and Symptom, not 'drug' and "
            "'disease'"
        ),
        (
            "the source's word 'disease_phenotype_positive phenotype present' connects Disease and "
            "Symptom, not 'disease' and 'disease'"
        ),
        "the graph has no relation for 'drug_effect side effect' between 'drug' and 'biological_process'",
        "which end is the parent is not told where an edge stands only once",
    } <= set(left.reasons().values())


@pytest.mark.parametrize("setting", ["skipped", "literature"])
def test_edges_that_were_left_out_are_quarantined_with_the_reason(
    tmp_path: Path, read: Read, setting: str
) -> None:
    path = tmp_path / "skipped.csv"
    path.write_text(
        "row_index,entity1,entity2,Relation,PMID,reason,entity2_status\n"
        "1,Tay-Sachs disease,HEXA,disease_protein,1,duplicate_literature_row,\n"
        "2,Tay-Sachs disease,vacuolation,,2,unresolved_entity2,C0010840\n"
        "3,putamen,Tay-Sachs disease, anatomy_disease,3,unsupported_relation:anatomy_disease,\n"
        "4,a,b,disease_protein,4,other,\n"
        "5,a,b,disease_protein,4,,\n",
        encoding="utf-8",
    )
    left = read(PrimeKgPlusSource.model_validate({"kind": "primekg-plus", setting: path}))
    assert left.assertions == []
    before = "left out by the source's makers: "
    assert left.reasons() == {
        1: f"{before}another article says the same, and its edge stands",
        2: f"{before}the second name was found in no ontology",
        3: f"{before}PrimeKG has no such relation",
        4: f"{before}'other'",
        5: f"{before}for no reason given",
    }
    assert left.rows == {"disease_protein": 3, "no relation": 1, "anatomy_disease": 1}

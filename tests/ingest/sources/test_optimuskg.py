"""OptimusKG; the rows are written by the schema that its repository publishes."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ingest.sources import OptimusKgSource
from ingest.sources.optimuskg.identifiers import TYPES
from ingest.sources.relations import RelationMap
from kg.errors import SourceError
from tests.ingest.sources.conftest import Read

Properties = dict[str, Any]

DIABETES = "MONDO_0005148"
METFORMIN = "CHEMBL1431"


def node(identifier: str, label: str, **properties: object) -> Properties:
    return {"id": identifier, "label": label, "properties": properties}


def edge(head: str, tail: str, label: str, relation: str, **properties: object) -> Properties:
    ends = {"from": head, "to": tail, "label": label, "relation": relation}
    return {**ends, "undirected": True, "properties": properties}


def optimuskg(
    folder: Path, nodes: Sequence[Properties] = (), edges: Sequence[Properties] = ()
) -> OptimusKgSource:
    """nodes.parquet and edges.parquet, properties as JSON."""
    names = {"nodes": ("id", "label"), "edges": ("from", "to", "label", "relation")}
    for name, rows in (("nodes", nodes), ("edges", edges)):
        written = [{**row, "properties": json.dumps(row["properties"])} for row in rows]
        schema = pa.schema([(column, pa.string()) for column in (*names[name], "properties")])
        pq.write_table(pa.Table.from_pylist(written, schema), folder / f"{name}.parquet")
    return OptimusKgSource(
        kind="optimuskg", nodes=folder / "nodes.parquet", edges=folder / "edges.parquet"
    )


def test_node_gives_its_names_texts_references_and_concept(tmp_path: Path, read: Read) -> None:
    disease = node(
        DIABETES,
        "DIS",
        name="type 2 diabetes mellitus",
        description="A diabetes mellitus with insulin resistance.",
        exact_synonyms=["T2DM", ""],
        broad_synonyms=["diabetes"],
        xrefs=["DOID:9352", "Orphanet:181376"],
        umls_cui="C0011860",
        is_leaf=False,
    )
    left = read(optimuskg(tmp_path, [disease]))
    assert sorted(left.facts()) == [
        ("MONDO:0005148", "HAS_CUI", "UMLS:C0011860"),
        (
            "MONDO:0005148",
            "HAS_DEFINITION",
            "A diabetes mellitus with insulin resistance.",
        ),
        ("MONDO:0005148", "HAS_NAME", "type 2 diabetes mellitus"),
        ("MONDO:0005148", "HAS_SYNONYM", "T2DM"),
        ("MONDO:0005148", "HAS_XREF", "DOID:9352"),
        ("MONDO:0005148", "HAS_XREF", "ORPHA:181376"),
    ]
    assert left.quarantine == []
    assert left.rows == {
        f"DIS {name}": 1 for name in ("name", "description", "exact_synonyms", "xrefs", "umls_cui")
    }


def test_ids_of_every_source_are_spelled_as_in_the_graph(tmp_path: Path, read: Read) -> None:
    nodes = [
        node("ENSG00000141510", "GEN", symbol="TP53", name="tumor protein p53"),
        node("NCBIGene:7157", "GEN", synonyms=[{"label": "p53", "source": "uniprot"}]),
        node("CHEMBL25", "DRG", chemical_abstracts_service_number="50-78-2"),
        node("meddra:10019211", "PHE", name="Headache"),
        node("REACT:R-HSA-109582", "PWY", name="Hemostasis"),
        node("UBERON_0000948", "ANA", name="heart"),
        node("MESH:D001151", "EXP", name="Arsenic"),
    ]
    left = read(optimuskg(tmp_path, nodes))
    assert sorted(left.facts()) == [
        ("CHEMBL.COMPOUND:CHEMBL25", "HAS_XREF", "CAS:50-78-2"),
        ("ENSEMBL:ENSG00000141510", "HAS_NAME", "TP53"),
        ("ENSEMBL:ENSG00000141510", "HAS_SYNONYM", "tumor protein p53"),
        ("MEDDRA:10019211", "HAS_NAME", "Headache"),
        ("MESH:D001151", "HAS_NAME", "Arsenic"),
        ("NCBIGene:7157", "HAS_SYNONYM", "p53"),
        ("REACTOME:R-HSA-109582", "HAS_NAME", "Hemostasis"),
        ("UBERON:0000948", "HAS_NAME", "heart"),
    ]
    assert left.quarantine == []


def test_edges_point_as_the_graph_has_them(tmp_path: Path, read: Read) -> None:
    edges = [
        edge(DIABETES, "ENSG00000148737", "DIS-GEN", "ASSOCIATED_WITH"),
        edge("HP_0012638", "HP_0001250", "PHE-PHE", "PARENT"),
        edge("GO_0006915", "GO_0012501", "BPO-BPO", "IS_A"),
        edge("CHEMBL25", "ENSG00000095303", "DRG-GEN", "INHIBITOR"),
        edge("RXNORM:1191", "meddra:10017955", "DRG-PHE", "ADVERSE_DRUG_REACTION"),
        edge("UBERON_0000948", "ENSG00000092054", "ANA-GEN", "EXPRESSION_PRESENT"),
    ]
    left = read(optimuskg(tmp_path, edges=edges))
    assert left.facts() == [
        ("ENSEMBL:ENSG00000148737", "ASSOCIATED_WITH", "MONDO:0005148"),
        ("HP:0001250", "IS_A", "HP:0012638"),
        ("GO:0006915", "IS_A", "GO:0012501"),
        ("CHEMBL.COMPOUND:CHEMBL25", "TARGETS", "ENSEMBL:ENSG00000095303"),
        ("RXNORM:1191", "HAS_ADVERSE_REACTION", "MEDDRA:10017955"),
        ("ENSEMBL:ENSG00000092054", "EXPRESSED_IN", "UBERON:0000948"),
    ]
    assert left.quarantine == []


def test_indication_that_is_only_being_tried_is_none(tmp_path: Path, read: Read) -> None:
    phase = "highest_clinical_trial_phase"
    high_glucose = "HP_0003074"
    edges = [
        edge(METFORMIN, DIABETES, "DRG-DIS", "INDICATION", **{phase: 4.0}),
        edge(METFORMIN, DIABETES, "DRG-DIS", "INDICATION", **{phase: 3.0}),
        edge(METFORMIN, DIABETES, "DRG-DIS", "INDICATION", drug_disease_id="17"),
        edge(METFORMIN, DIABETES, "DRG-DIS", "INDICATION"),
        edge(METFORMIN, high_glucose, "DRG-PHE", "ASSOCIATED_WITH", **{phase: 4.0}),
        edge(METFORMIN, high_glucose, "DRG-PHE", "ASSOCIATED_WITH", **{phase: 2.0}),
        edge(METFORMIN, high_glucose, "DRG-PHE", "INDICATION"),
    ]
    left = read(optimuskg(tmp_path, edges=edges))
    assert [(a["original_relation"], a["relation"]) for a in left.assertions] == [
        ("DRG-DIS INDICATION", "INDICATED_FOR"),
        ("DRG-DIS INDICATION, in trials", "TRIALLED_FOR"),
        ("DRG-DIS INDICATION", "INDICATED_FOR"),
        ("DRG-DIS INDICATION, in trials", "TRIALLED_FOR"),
        ("DRG-PHE ASSOCIATED_WITH", "INDICATED_FOR"),
        ("DRG-PHE ASSOCIATED_WITH, in trials", "TRIALLED_FOR"),
        ("DRG-PHE INDICATION", "INDICATED_FOR"),
    ]


def test_edge_carries_what_its_sources_give(tmp_path: Path, read: Read) -> None:
    given = edge(
        "MONDO_0100135",
        "HP_0001250",
        "DIS-PHE",
        "PHENOTYPE_PRESENT",
        frequency=["HP_0040280"],
        onset=["HP_0003593"],
        sexes=["female"],
        evidence_type=["PCS"],
        references=["PMID:11359211", "OMIM:607208"],
        sources={"direct": ["OPEN_TARGETS"], "indirect": ["HPO"]},
    )
    (fact,) = read(optimuskg(tmp_path, edges=[given])).assertions
    assert {name: value for name, value in fact.items() if value is not None} == {
        "source": "optimuskg",
        "file": "edges.parquet",
        "row": 1,
        "original_relation": "DIS-PHE PHENOTYPE_PRESENT",
        "head": "MONDO:0100135",
        "head_type": "Disease",
        "relation": "HAS_SYMPTOM",
        "tail": "HP:0001250",
        "tail_type": "Symptom",
        "language": "en",
        "frequency": 1.0,
        "frequency_text": "HP:0040280",
        "onset": "HP:0003593",
        "sex": "FEMALE",
        "evidence": "PCS",
        "publications": "OMIM:607208|PMID:11359211",
    }


def test_excluded_phenotype_is_lacked(tmp_path: Path, read: Read) -> None:
    ends = (DIABETES, "HP_0001250", "DIS-PHE", "PHENOTYPE_PRESENT")
    left = read(optimuskg(tmp_path, edges=[edge(*ends, frequency=["HP_0040285"])]))
    assert left.facts() == [("MONDO:0005148", "LACKS_SYMPTOM", "HP:0001250")]


def test_score_trials_and_addresses_are_kept(tmp_path: Path, read: Read) -> None:
    trial = {"reference_ids": ["NCT00000620", "A10BA02"], "highest_clinical_trial_phase": 4.0}
    page = "https://www.ebi.ac.uk/chembl/"
    edges = [
        edge(DIABETES, "ENSG00000148737", "DIS-GEN", "ASSOCIATED_WITH", evidence_score=0.85),
        edge(METFORMIN, DIABETES, "DRG-DIS", "INDICATION", **trial),
        edge("CHEMBL25", "ENSG00000095303", "DRG-GEN", "INHIBITOR", source_urls=[page]),
    ]
    left = read(optimuskg(tmp_path, edges=edges))
    assert [(a["weight"], a["publications"]) for a in left.assertions] == [
        (0.85, None),
        (None, "CLINICALTRIALS:NCT00000620"),
        (None, page),
    ]


def test_files_by_label_with_structs_say_the_same(tmp_path: Path, read: Read) -> None:
    nodes = [
        node(DIABETES, "DIS", name="type 2 diabetes mellitus", xrefs=["DOID:9352"]),
        node(METFORMIN, "DRG", name="Metformin", trade_names=["Glucophage"]),
    ]
    edges = [edge(METFORMIN, DIABETES, "DRG-DIS", "INDICATION", drug_disease_id="17")]
    whole = read(optimuskg(tmp_path, nodes, edges))
    for folder, rows in (("nodes", nodes), ("edges", edges)):
        (tmp_path / folder).mkdir()
        for row in rows:
            path = tmp_path / folder / f"{row['label']}.parquet"
            pq.write_table(pa.Table.from_pylist([row]), path)
    by_label = read(
        OptimusKgSource(kind="optimuskg", nodes=tmp_path / "nodes", edges=tmp_path / "edges")
    )
    assert sorted(by_label.facts()) == sorted(whole.facts())
    assert by_label.rows == whole.rows
    assert {a["file"] for a in by_label.assertions} == {
        "DIS.parquet",
        "DRG.parquet",
        "DRG-DIS.parquet",
    }


@pytest.mark.parametrize(
    ("given", "word", "reason"),
    [
        (node("CHEMBL1", "DRG"), "DRG node", "the node has no property that is read"),
        (node("X:1", "CAR", name="x"), "CAR name", "the graph has no relation for 'CAR name'"),
        (
            node("X:1", "DIS", name="x") | {"label": None},
            "no label name",
            "the graph has no relation for 'no label name'",
        ),
        (
            node("GO_0006915", "BPO", name="apoptotic process", xrefs=["GOC:mtg_apoptosis"]),
            "BPO xrefs",
            "these are references of the definition, not of the term",
        ),
    ],
)
def test_node_that_gives_nothing_is_quarantined(
    tmp_path: Path, read: Read, given: Properties, word: str, reason: str
) -> None:
    left = read(optimuskg(tmp_path, [given]))
    (refused,) = left.quarantine
    assert (refused["original_relation"], refused["reason"]) == (word, reason)
    assert json.loads(refused["record"])["id"] == given["id"]


@pytest.mark.parametrize(
    ("label", "relation", "reason"),
    [
        (
            "DRG-GEN",
            "OTHER",
            "what else the drug has to do with the gene is not told",
        ),
        (
            "GEN-DRG",
            "TARGET",
            "the graph has no relation for 'GEN-DRG TARGET' between 'GEN' and 'DRG'",
        ),
    ],
)
def test_unmapped_edge_is_quarantined(
    tmp_path: Path, read: Read, label: str, relation: str, reason: str
) -> None:
    left = read(optimuskg(tmp_path, edges=[edge("CHEMBL25", "ENSG1", label, relation)]))
    assert left.reasons() == {1: reason}
    assert left.rows == {f"{label} {relation}": 1}


def test_unusable_values_are_problems(tmp_path: Path, read: Read) -> None:
    nodes = [
        node("OTAR_0000018", "DIS", name="genetic disorder"),
        node("nowhere", "DIS", name="x"),
        node(DIABETES, "DIS", umls_cui="0011860", xrefs=["https://example.org/a b"]),
    ]
    left = read(optimuskg(tmp_path, nodes))
    assert {(a["row"], a["problem"]) for a in left.assertions} == {
        (
            1,
            "Bioregistry has no prefix 'OTAR'; write one that it has, e.g. MONDO:0005148, or list your own under 'prefixes' in the configuration",
        ),
        (2, "'nowhere' is not a CURIE; write PREFIX:ID, e.g. HP:0001945"),
        (3, "'0011860' is no UMLS concept"),
        (3, "'https://example.org/a b' is not a CURIE; write PREFIX:ID, e.g. HP:0001945"),
    }


def test_properties_that_are_no_object_are_told(tmp_path: Path, read: Read) -> None:
    source = optimuskg(tmp_path)
    nodes = [{"id": DIABETES, "label": "DIS", "properties": "{name"}]
    pq.write_table(pa.Table.from_pylist(nodes), source.nodes)
    edges = [edge(METFORMIN, DIABETES, "DRG-DIS", "CONTRAINDICATION") | {"properties": "[1]"}]
    pq.write_table(pa.Table.from_pylist(edges), source.edges)
    left = read(source)
    assert left.reasons() == {1: "the properties are not a JSON object"}
    assert [a["problem"] for a in left.assertions] == ["the properties are not a JSON object"]


@pytest.mark.parametrize(
    ("nodes", "message"),
    [
        (b"", "the file is empty"),
        (b"id,label\n", "not a Parquet file"),
        (pa.table({"id": ["x"]}), "the header lacks 'label'"),
    ],
)
def test_file_that_is_not_optimuskgs_is_told(
    tmp_path: Path, read: Read, nodes: bytes | pa.Table, message: str
) -> None:
    source = optimuskg(tmp_path)
    if isinstance(nodes, bytes):
        source.nodes.write_bytes(nodes)
    else:
        pq.write_table(nodes, source.nodes)
    with pytest.raises(SourceError, match=message):
        read(source)


def test_folder_without_files_is_told(tmp_path: Path, read: Read) -> None:
    (tmp_path / "nodes").mkdir()
    source = optimuskg(tmp_path).model_copy(update={"nodes": tmp_path / "nodes"})
    with pytest.raises(SourceError, match="no Parquet file is in it"):
        read(source)


PUBLISHED = """
ANA-ANA PARENT; ANA-GEN EXPRESSION_PRESENT EXPRESSION_ABSENT; BPO-BPO IS_A;
BPO-GEN INTERACTS_WITH; CCO-CCO IS_A; CCO-GEN INTERACTS_WITH; DIS-DIS PARENT;
DIS-GEN ASSOCIATED_WITH; DIS-PHE PHENOTYPE_PRESENT PHENOTYPE_ABSENT;
DRG-DIS INDICATION CONTRAINDICATION OFF_LABEL_USE OTHER; DRG-DRG SYNERGISTIC_INTERACTION PARENT;
DRG-GEN ACTIVATOR AGONIST ALLOSTERIC_ANTAGONIST ANTAGONIST BINDING_AGENT BLOCKER CARRIER
DEGRADER ENZYME INHIBITOR INVERSE_AGONIST MODULATOR NEGATIVE_ALLOSTERIC_MODULATOR
NEGATIVE_MODULATOR OPENER OTHER PARTIAL_AGONIST POSITIVE_ALLOSTERIC_MODULATOR POSITIVE_MODULATOR
RELEASING_AGENT STABILISER SUBSTRATE TARGET TRANSPORTER;
DRG-PHE ADVERSE_DRUG_REACTION ASSOCIATED_WITH CONTRAINDICATION INDICATION OFF_LABEL_USE OTHER;
EXP-BPO INTERACTS_WITH; EXP-CCO INTERACTS_WITH; EXP-DIS LINKED_TO; EXP-EXP PARENT;
EXP-GEN INTERACTS_WITH; EXP-MFN INTERACTS_WITH; GEN-GEN INTERACTS_WITH; MFN-GEN INTERACTS_WITH;
MFN-MFN IS_A; PHE-GEN ASSOCIATED_WITH; PHE-PHE PARENT; PWY-GEN INTERACTS_WITH; PWY-PWY PARENT
"""
"""Labels of edges with their relations."""


def test_every_published_relation_is_mapped_or_quarantined() -> None:
    groups = [group.split() for group in PUBLISHED.split(";")]
    words = {f"{label} {relation}" for label, *relations in groups for relation in relations}
    known = set(RelationMap.of("ingest.sources.optimuskg").words())
    of_edges = {word for word in known if "-" in word and not word.endswith("in trials")}
    assert len(groups) == 26
    assert of_edges == words
    assert {word.split()[0] for word in known - of_edges if "-" not in word} == set(TYPES)

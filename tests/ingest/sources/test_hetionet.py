"""Hetionet: real nodes and edges, and broken ones."""

import csv
import json
from collections import Counter
from pathlib import Path

import pytest

from ingest.sources import HetionetSource
from ingest.sources.hetionet.identifiers import TYPES
from ingest.sources.relations import RelationMap
from kg.errors import SourceError
from kg.vocabulary import RELATION_TYPES
from tests.ingest.sources.conftest import Read

NODES = """\
id\tname\tkind
Anatomy::UBERON:0000948\theart\tAnatomy
Compound::DB00945\tAcetylsalicylic acid\tCompound
Disease::DOID:1936\tatherosclerosis\tDisease
Gene::5742\tPTGS1\tGene
Pathway::PC7_5044\tHemostasis\tPathway
Pathway::WP254_r78463\tApoptosis\tPathway
Pharmacologic Class::N0000000160\tCyclooxygenase Inhibitors\tPharmacologic Class
Side Effect::C0027497\tNausea\tSide Effect
Symptom::D002637\tChest Pain\tSymptom
"""


def hetionet(folder: Path, edges: str = "", nodes: str = NODES) -> HetionetSource:
    (folder / "nodes.tsv").write_text(nodes, encoding="utf-8")
    (folder / "edges.sif").write_text(f"source\tmetaedge\ttarget\n{edges}", encoding="utf-8")
    return HetionetSource(kind="hetionet", nodes=folder / "nodes.tsv", edges=folder / "edges.sif")


def test_nodes_have_names_and_side_effects_their_concepts(tmp_path: Path, read: Read) -> None:
    left = read(hetionet(tmp_path))
    assert left.facts() == [
        ("UBERON:0000948", "HAS_NAME", "heart"),
        ("DRUGBANK:DB00945", "HAS_NAME", "Acetylsalicylic acid"),
        ("DOID:1936", "HAS_NAME", "atherosclerosis"),
        ("NCBIGene:5742", "HAS_NAME", "PTGS1"),
        ("Hemostasis", "HAS_NAME", "Hemostasis"),
        ("WIKIPATHWAYS:WP254", "HAS_NAME", "Apoptosis"),
        ("NDFRT:N0000000160", "HAS_NAME", "Cyclooxygenase Inhibitors"),
        ("Nausea", "HAS_CUI", "UMLS:C0027497"),
        ("MESH:D002637", "HAS_NAME", "Chest Pain"),
    ]
    assert left.quarantine == []
    assert left.rows == Counter(line.split("\t")[2] for line in NODES.splitlines()[1:])


def test_files_of_one_name_are_two_files(tmp_path: Path, read: Read) -> None:
    source = hetionet(tmp_path, "Compound::DB00945\tCpD\tDisease::DOID:1936\n")
    both = {"nodes": tmp_path / "nodes" / "v1.tsv", "edges": tmp_path / "edges" / "v1.tsv"}
    for name, path in both.items():
        path.parent.mkdir()
        getattr(source, name).rename(path)
    facts = read(source.model_copy(update=both)).facts()
    assert ("UBERON:0000948", "HAS_NAME", "heart") in facts
    assert ("DRUGBANK:DB00945", "PALLIATES", "DOID:1936") in facts


def test_edges_point_as_the_graph_has_them(tmp_path: Path, read: Read) -> None:
    edges = """\
Disease::DOID:1936\tDaG\tGene::5742
Compound::DB00945\tCtD\tDisease::DOID:1936
Compound::DB00945\tCpD\tDisease::DOID:1936
Compound::DB00945\tCcSE\tSide Effect::C0027497
Pharmacologic Class::N0000000160\tPCiC\tCompound::DB00945
Anatomy::UBERON:0000948\tAdG\tGene::5742
Gene::5742\tGpPW\tPathway::PC7_5044
Disease::DOID:1936\tDpS\tSymptom::D002637
"""
    left = read(hetionet(tmp_path, edges))
    of_edges = [a for a in left.assertions if a["file"] == "edges.sif"]
    assert [
        (a["head"] or a["head_name"], a["relation"], a["tail"] or a["tail_name"]) for a in of_edges
    ] == [
        ("NCBIGene:5742", "ASSOCIATED_WITH", "DOID:1936"),
        ("DRUGBANK:DB00945", "INDICATED_FOR", "DOID:1936"),
        ("DRUGBANK:DB00945", "PALLIATES", "DOID:1936"),
        ("DRUGBANK:DB00945", "HAS_ADVERSE_REACTION", "Nausea"),
        ("DRUGBANK:DB00945", "IN_CLASS", "NDFRT:N0000000160"),
        ("NCBIGene:5742", "DOWNREGULATED_IN", "UBERON:0000948"),
        ("NCBIGene:5742", "PARTICIPATES_IN", "Hemostasis"),
        ("DOID:1936", "COOCCURS_WITH", "MESH:D002637"),
    ]
    side_effects = {
        (a[f"{end}_type"], a[f"{end}_name"])
        for a in left.assertions
        for end in ("head", "tail")
        if a[f"{end}_name"] == "Nausea" and a[f"{end}_type"] != "Concept"
    }
    assert side_effects == {("Symptom", "Nausea")}


def test_bindings_bring_their_publications(tmp_path: Path, read: Read) -> None:
    path = tmp_path / "CbG-binding.tsv"
    header = (
        "drugbank_id\tentrez_gene_id\tsources\tpubmed_ids\tactions\taffinity_nM\tlicense\turls"
    )
    path.write_text(
        f"{header}\nDB00945\t5742\tDrugBank (target)\t11752352|17016423\tinhibitor\t\tCC BY-NC 4.0\t"
        "https://example.org/1\nDB00945\t5743\tChEMBL\t\t\t\t\t\n\t5743\tChEMBL\t\t\t\t\t\n",
        encoding="utf-8",
    )
    left = read(hetionet(tmp_path).model_copy(update={"bindings": path}))
    assert [
        (a["head"], a["relation"], a["tail"], a["publications"], a["problem"])
        for a in left.assertions
        if a["file"] == path.name
    ] == [
        (
            "DRUGBANK:DB00945",
            "BINDS",
            "NCBIGene:5742",
            "PMID:11752352|PMID:17016423|https://example.org/1",
            None,
        ),
        ("DRUGBANK:DB00945", "BINDS", "NCBIGene:5743", None, None),
        (
            "DRUGBANK:",
            "BINDS",
            "NCBIGene:5743",
            None,
            "'Compound::' is not an id of Hetionet",
        ),
    ]


def test_edge_that_does_not_fit_is_quarantined(tmp_path: Path, read: Read) -> None:
    edges = """\
Gene::5742\tCtD\tDisease::DOID:1936
Compound::DB00945\tCxD\tDisease::DOID:1936
Compound::DB00945\t\tDisease::DOID:1936
DB00945\tCtD\tDisease::DOID:1936
Compound::DB00945\tCtD
"""
    left = read(hetionet(tmp_path, edges))
    assert left.reasons() == {
        1: "the graph has no relation for 'CtD' between 'Gene' and 'Disease'",
        2: "the graph has no relation for 'CxD' between 'Compound' and 'Disease'",
        3: "the graph has no relation for 'no metaedge' between 'Compound' and 'Disease'",
        4: "the graph has no relation for 'CtD' between '' and 'Disease'",
        5: "the row has fewer fields than the header",
    }
    assert json.loads(left.quarantine[0]["record"])["source"] == "Gene::5742"


def test_id_that_hetionet_does_not_have_is_a_problem(tmp_path: Path, read: Read) -> None:
    edges = (
        "Compound::945\tCcSE\tSide Effect::C0027497\nCompound::DB00945\tCcSE\tSide Effect::C1\n"
    )
    edges += "Compound::DB00945\tCcSE\tSide Effect::C0000001\n"
    left = read(hetionet(tmp_path, edges))
    assert [a["problem"] for a in left.assertions if a["file"] == "edges.sif"] == [
        "'Compound::945' is not an id of Hetionet",
        "'Side Effect::C1' is not an id of Hetionet",
        "'Side Effect::C0000001' goes by its name, and the table of nodes has none for it",
    ]


def test_node_that_does_not_fit_is_quarantined(tmp_path: Path, read: Read) -> None:
    nodes = "id\tname\tkind\nGene::1\tA1BG\tProtein\nGene::1\tA1BG\tDisease\nGene::1\t\tGene\n"
    assert read(hetionet(tmp_path, nodes=nodes)).reasons() == {
        1: "'Protein' is no kind of Hetionet's",
        2: "the id is of another kind",
        3: "the node has no name",
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", "the file is empty"),
        (b"id,name,kind\n", "separated by commas"),
        (b"id\tname\n", "the header lacks 'kind'"),
        ("id\tname\tkind\nDisease::DOID:1\t心脏病\tDisease\n".encode("gb18030"), "not UTF-8"),
    ],
)
def test_file_that_is_not_hetionets_is_told(
    tmp_path: Path, read: Read, text: bytes, message: str
) -> None:
    source = hetionet(tmp_path)
    source.nodes.write_bytes(text)
    with pytest.raises(SourceError, match=message):
        read(source)


def test_genuine_edges_of_all_kinds_are_read_without_loss(shared_data: Path, read: Read) -> None:
    folder = shared_data / "hetionet"
    left = read(
        HetionetSource(
            kind="hetionet",
            nodes=folder / "hetionet-v1.0-nodes.tsv",
            edges=folder / "edges-5k.sif.gz",
            bindings=folder / "CbG-binding.tsv",
        )
    )
    assert left.quarantine == []
    assert [a for a in left.assertions if a["problem"]] == []
    assert sum(left.rows.values()) == len(left.assertions) == 47_031 + 99_676 + 24_687
    facts = set(left.facts())
    assert ("DRUGBANK:DB01175", "PALLIATES", "DOID:3312") in facts  # escitalopram, bipolar
    assert (
        "DRUGBANK:DB00997",
        "INDICATED_FOR",
        "DOID:363",
    ) in facts  # doxorubicin, uterine cancer
    assert ("Acute abdomen", "HAS_CUI", "UMLS:C0000727") in facts


def test_every_published_metaedge_is_mapped_with_its_direction(shared_data: Path) -> None:
    relations = RelationMap.of("ingest.sources.hetionet")
    with (shared_data / "hetionet" / "metaedges.tsv").open(encoding="utf-8", newline="") as file:
        published = {
            row["abbreviation"]: row["metaedge"] for row in csv.DictReader(file, delimiter="\t")
        }
    kinds = {*relations.attributes, "Side Effect"}
    assert set(relations.words()) == published.keys() | kinds
    assert kinds == TYPES.keys()
    for abbreviation, metaedge in published.items():
        (said,) = relations.relations[abbreviation]
        source, _, target = metaedge.replace(" > ", " - ").split(" - ")
        ends = (said.tail, said.head) if said.inverted else (said.head, said.tail)
        assert ends == (TYPES[source], TYPES[target]), metaedge
        if " > " not in metaedge and source == target:
            assert RELATION_TYPES[said.relation].symmetric

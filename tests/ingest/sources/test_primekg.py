import csv
import gzip
import io
import json
from pathlib import Path

import pytest

from ingest.sources import PrimeKgSource
from ingest.sources.primekg.edges import COLUMNS
from ingest.sources.relations import RelationMap
from kg.errors import SourceError
from tests.benchmarks import primekg_shaped
from tests.ingest.sources.conftest import Read

GENE = ("2157", "gene/protein", "F8", "NCBI")
DRUG = ("DB09130", "drug", "Copper", "DrugBank")
DISEASE = ("1117", "disease", "methemoglobinemia", "MONDO")
CANAVAN = ("10079_16781_16207", "disease", "Canavan disease", "MONDO_grouped")
PARENT = ("1507", "effect/phenotype", "Growth abnormality", "HPO")
CHILD = ("2", "effect/phenotype", "Abnormality of body height", "HPO")
CERVIX = ("2", "anatomy", "uterine cervix", "UBERON")
ORGAN = ("5156", "anatomy", "reproductive structure", "UBERON")

Node = tuple[str, str, str, str]
Edge = tuple[str, str, Node, Node]


def both_ways(*edges: Edge) -> list[Edge]:
    """As PrimeKG has them: all edges, then all of them turned round."""
    return [*edges, *((relation, display, y, x) for relation, display, x, y in edges)]


def kg(folder: Path, edges: list[Edge], name: str = "kg.csv") -> PrimeKgSource:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for relation, display, x, y in edges:
        writer.writerow([relation, display, "1", *x, "2", *y])
    path = folder / name
    data = text.getvalue().encode()
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return PrimeKgSource(kind="primekg", file=path)


def test_both_rows_of_an_edge_give_one_direction(tmp_path: Path, read: Read) -> None:
    left = read(kg(tmp_path, both_ways(("drug_protein", "carrier", DRUG, GENE))))
    assert [a["row"] for a in left.assertions] == [1, 2]
    for fact in left.assertions:
        assert {k: v for k, v in fact.items() if v is not None and k != "row"} == {
            "source": "primekg",
            "file": "kg.csv",
            "original_relation": "drug_protein carrier",
            "head": "DRUGBANK:DB09130",
            "head_type": "Drug",
            "head_name": "Copper",
            "relation": "CARRIED_BY",
            "tail": "NCBIGene:2157",
            "tail_type": "Gene",
            "tail_name": "F8",
            "language": "en",
        }
    assert left.rows == {"drug_protein carrier": 2}


def test_hierarchies_point_from_child_to_parent(tmp_path: Path, read: Read) -> None:
    edges = both_ways(
        ("phenotype_phenotype", "parent-child", PARENT, CHILD),
        ("anatomy_anatomy", "parent-child", CERVIX, ORGAN),
    )
    assert set(read(kg(tmp_path, edges)).facts()) == {
        ("HP:0000002", "IS_A", "HP:0001507"),
        ("UBERON:0000002", "IS_A", "UBERON:0005156"),
    }


def test_hierarchy_in_another_order_than_published_is_quarantined(
    tmp_path: Path, read: Read
) -> None:
    edges = both_ways(
        ("phenotype_phenotype", "parent-child", PARENT, CHILD),
        ("indication", "indication", DRUG, DISEASE),
    )
    mixed = [edges[3], *edges[:3]]
    left = read(kg(tmp_path, mixed))
    assert {fact[1] for fact in left.facts()} == {"INDICATED_FOR"}
    assert sorted(left.reasons()) == [2, 4]
    assert left.reasons()[2].startswith("a hierarchy's direction can be told only by the order")


def test_symmetric_edge_has_the_smaller_id_as_head(tmp_path: Path, read: Read) -> None:
    other = ("10", "gene/protein", "NAT2", "NCBI")
    left = read(kg(tmp_path, both_ways(("protein_protein", "ppi", GENE, other))))
    assert left.facts() == [("NCBIGene:10", "INTERACTS_WITH", "NCBIGene:2157")] * 2


def test_group_has_a_name_and_its_members_as_references_once(tmp_path: Path, read: Read) -> None:
    left = read(kg(tmp_path, both_ways(("disease_protein", "associated with", GENE, CANAVAN))))
    assert left.facts() == [
        ("NCBIGene:2157", "ASSOCIATED_WITH", "Canavan disease"),
        ("Canavan disease", "HAS_XREF", "MONDO:0010079"),
        ("Canavan disease", "HAS_XREF", "MONDO:0016207"),
        ("Canavan disease", "HAS_XREF", "MONDO:0016781"),
        ("NCBIGene:2157", "ASSOCIATED_WITH", "Canavan disease"),
    ]
    assert all(a["tail"] is None for a in left.assertions)
    assert [a["row"] for a in left.assertions] == [1, 1, 1, 1, 2]


@pytest.mark.parametrize(
    ("edge", "reason"),
    [
        (
            ("drug_food", "tastes of", DRUG, GENE),
            "the graph has no relation for 'drug_food tastes of' between 'drug' and 'gene/protein'",
        ),
        (
            ("indication", "indication", GENE, DISEASE),
            "the graph has no relation for 'indication' between 'gene/protein' and 'disease'",
        ),
    ],
)
def test_unmapped_relation_is_quarantined(
    tmp_path: Path, read: Read, edge: Edge, reason: str
) -> None:
    left = read(kg(tmp_path, [edge]))
    assert left.reasons() == {1: reason}
    assert json.loads(left.quarantine[0]["record"])["relation"] == edge[0]


@pytest.mark.parametrize(
    "node",
    [
        ("21 57", "gene/protein", "F8", "NCBI"),
        ("123456789", "disease", "x", "MONDO"),
        ("1_x", "disease", "x", "MONDO_grouped"),
        ("7", "gene/protein", "x", "Elsewhere"),
        ("", "gene/protein", "x", "NCBI"),
    ],
)
def test_id_that_its_source_does_not_have_is_a_problem(
    tmp_path: Path, read: Read, node: Node
) -> None:
    (relation, tail) = (
        ("disease_protein", DISEASE) if node[1] != "disease" else ("indication", DRUG)
    )
    display = "associated with" if relation == "disease_protein" else relation
    (fact, *_) = read(kg(tmp_path, [(relation, display, node, tail)])).assertions
    assert fact["problem"] == f"'{node[0]}' is not an id of {node[3]}"


def test_malformed_member_of_a_group_is_a_problem_of_its_reference(
    tmp_path: Path, read: Read
) -> None:
    group = ("1_x", "disease", "x", "MONDO_grouped")
    left = read(kg(tmp_path, [("indication", "indication", DRUG, group)]))
    members = {a["value"]: a["problem"] for a in left.assertions if a["relation"] == "HAS_XREF"}
    assert members == {"MONDO:0000001": None, "MONDO:000000x": "'x' is not an id of MONDO"}


def test_hierarchy_row_without_ids_is_not_lost(tmp_path: Path, read: Read) -> None:
    nobody = ("", "effect/phenotype", "", "HPO")
    left = read(kg(tmp_path, [("phenotype_phenotype", "parent-child", nobody, nobody)]))
    assert [a["problem"] for a in left.assertions] == ["'' is not an id of HPO"]


def test_bad_rows_keep_their_numbers_and_compressed_files_are_read(
    tmp_path: Path, read: Read
) -> None:
    named = (*GENE[:2], 'a "name",\nof two lines', "NCBI")
    source = kg(tmp_path, both_ways(("drug_protein", "target", DRUG, named)), "kg.csv.gz")
    text = gzip.decompress(source.file.read_bytes()).decode().split("\n", 1)
    source.file.write_bytes(gzip.compress(f"{text[0]}\nshort,row\n{text[1]}".encode()))
    left = read(source)
    assert [a["row"] for a in left.assertions] == [2, 3]
    assert left.reasons() == {1: "the row has fewer fields than the header"}
    assert left.rows == {"drug_protein target": 2, "unreadable row": 1}


def test_file_without_a_column_is_told(tmp_path: Path, read: Read) -> None:
    source = kg(tmp_path, [])
    source.file.write_text("relation,display_relation\n", encoding="utf-8")
    with pytest.raises(SourceError, match=r"kg.csv: the header lacks 'x_index', 'x_id'"):
        read(source)


def test_all_30_relations_are_mapped_with_their_33_words() -> None:
    words = set(RelationMap.of("ingest.sources.primekg").relations)
    of_edges = {word for word in words if not word.startswith(("disease_features", "drug_feat"))}
    assert len(of_edges) == 33
    assert of_edges == {
        edges.relation
        if edges.relation == edges.display_relation
        else f"{edges.relation} {edges.display_relation}"
        for edges in primekg_shaped.EDGES
    }
    assert len({edges.relation for edges in primekg_shaped.EDGES}) == 30


def test_benchmark_input_has_primekgs_shape(tmp_path: Path, read: Read) -> None:
    path = tmp_path / "kg.csv"
    rows = primekg_shaped.write(path, share=0.001)
    left = read(PrimeKgSource(kind="primekg", file=path))
    assert sum(left.rows.values()) == rows
    assert left.quarantine == []
    assert len(left.rows) == len(primekg_shaped.EDGES)
    edges = [a for a in left.assertions if a["relation"] != "HAS_XREF"]
    distinct = {
        (a["relation"], a["head"] or a["head_name"], a["tail"] or a["tail_name"]) for a in edges
    }
    assert len(edges) == rows == 2 * len(distinct)


def test_genuine_rows_say_what_primekg_says(shared_data: Path, read: Read) -> None:
    path = shared_data / "primekg_notebook_rows" / "kg_rows_from_autism_notebook.csv"
    left = read(PrimeKgSource(kind="primekg", file=path))
    assert left.quarantine == []
    facts = set(left.facts())
    assert ("DRUGBANK:DB00734", "INDICATED_FOR", "MONDO:0005258") in facts
    assert ("DRUGBANK:DB00734", "TARGETS", "NCBIGene:1812") in facts
    assert ("NCBIGene:1812", "ASSOCIATED_WITH", "MONDO:0005258") in facts
    assert ("NCBIGene:5243", "EXPRESSED_IN", "UBERON:0000002") in facts
    assert ("DRUGBANK:DB00734", "CARRIED_BY", "NCBIGene:213") in facts

"""Rules on the shape of the graph: types, cycles, negated edges, things that are filed twice."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from kg.stores.connection import connect
from kg.vocabulary import NODE_TYPES, RELATION_TYPES
from tests.ingest.rules.asking import Found, asked
from tests.ingest.rules.conftest import ENGINES
from tests.kg.stores.conftest import write_tables

NODES = """
MONDO:1        pheochromocytoma | adrenal paraganglioma
MONDO:2        malignant pheochromocytoma
MONDO:3        neoplasm
MONDO:4        Alzheimer disease | presenile dementia
MONDO:5        long QT syndrome
MONDO:6        ptosis-myopia syndrome
HP:1           Alzheimer's disease | Presenile dementia
HP:2           Memory impairment
HP:3           Arrhythmia
HP:4           Ventricular arrhythmia
HP:5           Syncope
HP:6           Ptosis
HP:7           Torsade de pointes
DRUGBANK:1     Metformin
NCBIGene:1     KCNQ1
UMLS:C1        Ptosis
UMLS:C2        Myopia
UMLS:C3        Long QT syndrome
"""

EDGES = """
MONDO:1 IS_A MONDO:2
MONDO:2 IS_A MONDO:1
MONDO:1 IS_A MONDO:3
MONDO:3 IS_A MONDO:3
HP:4 IS_A HP:3
MONDO:4 HAS_SYMPTOM HP:1
MONDO:4 HAS_SYMPTOM HP:2
MONDO:5 LACKS_SYMPTOM HP:3
MONDO:5 HAS_SYMPTOM HP:4
MONDO:5 LACKS_SYMPTOM HP:5
MONDO:5 HAS_SYMPTOM HP:5 frequency=0.1
MONDO:5 HAS_SYMPTOM HP:7
MONDO:4 LACKS_SYMPTOM HP:6 sources=hpo
MONDO:4 HAS_SYMPTOM HP:6 sources=texts
MONDO:6 LACKS_SYMPTOM HP:5 publications=PMID:1
MONDO:6 HAS_SYMPTOM HP:5 publications=PMID:1
MONDO:6 HAS_SYMPTOM HP:6
MONDO:4 CLOSE_MATCH HP:2
MONDO:5 HAS_CUI UMLS:C3
HP:7 HAS_CUI UMLS:C3
MONDO:6 HAS_CUI UMLS:C1
MONDO:6 HAS_CUI UMLS:C2
HP:6 HAS_CUI UMLS:C1
DRUGBANK:1 HAS_SYMPTOM HP:2
MONDO:4 INDICATED_FOR DRUGBANK:1
HP:2 IS_A MONDO:4
MONDO:4 DIAGNOSED_BY HP:2
NCBIGene:1 ASSOCIATED_WITH MONDO:5
"""


@pytest.fixture(scope="module", params=ENGINES)
def found(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Found]:
    with asked(request, tmp_path_factory.mktemp("structure"), NODES, EDGES) as ask:
        yield ask


def test_both_edges_of_a_cycle_are_found_and_no_loop(found: Found) -> None:
    assert found("is_a_cycle") == {
        ("MONDO:1", "IS_A", "MONDO:2"),
        ("MONDO:2", "IS_A", "MONDO:1"),
    }


def test_lack_is_doubted_of_what_is_present_and_presence_only_by_another_source(
    found: Found,
) -> None:
    assert found("present_and_absent") == {
        ("MONDO:5", "LACKS_SYMPTOM", "HP:3"),
        ("MONDO:4", "LACKS_SYMPTOM", "HP:6"),
        ("MONDO:4", "HAS_SYMPTOM", "HP:6"),
    }


def test_finding_of_a_name_of_the_disease_or_its_close_match_is_the_disease(found: Found) -> None:
    assert found("symptom_is_disease") == {
        ("MONDO:4", "HAS_SYMPTOM", "HP:1"),
        ("MONDO:4", "HAS_SYMPTOM", "HP:2"),
    }


def test_finding_of_the_disease_s_one_concept_is_the_disease(found: Found) -> None:
    assert found("symptom_shares_cui") == {("MONDO:5", "HAS_SYMPTOM", "HP:7")}


def test_edge_between_types_that_the_relation_does_not_link_is_found(found: Found) -> None:
    assert found("wrong_domain_or_range") == {
        ("DRUGBANK:1", "HAS_SYMPTOM", "HP:2"),
        ("MONDO:4", "INDICATED_FOR", "DRUGBANK:1"),
        ("HP:2", "IS_A", "MONDO:4"),
    }


def test_rule_allows_what_the_vocabulary_allows_and_nothing_else(tmp_path: Path) -> None:
    nodes = [(f"T:{type_}", type_, type_) for type_ in NODE_TYPES]
    every = list(product(NODE_TYPES, RELATION_TYPES.values(), NODE_TYPES))
    edges = [(f"T:{head}", relation.name, f"T:{tail}") for head, relation, tail in every]
    wrong = {
        (f"T:{head}", relation.name, f"T:{tail}")
        for head, relation, tail in every
        if head not in relation.domain
        or tail not in relation.range
        or (relation.same_type and head != tail)
    }
    with connect(str(tmp_path / "graph.lbug")) as store:
        store.load(write_tables(tmp_path / "tables", nodes=nodes, edges=edges))
        rows = store.query("rules.wrong_domain_or_range").rows
    assert {(head, relation, tail) for head, relation, tail, *_ in rows} == wrong

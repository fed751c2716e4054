"""What a list of health topics says is the answer, in its order; children, schools and classes of drugs."""

from collections.abc import Iterator

import pytest

from kg.linking import Linker
from qa.ordering import BY_RANK
from qa.questions import read
from tests.ingest.rows import fact, said
from tests.qa.small_graph import Graph, ask, graph_of

DRUG = {"head_type": "Drug"}
MEDICINE = {"tail_type": "Drug"}
NAMES = [
    said("MONDO:1", "HAS_NAME", "gout"),
    said("MONDO:1", "HAS_NAME", "痛风", language="zh"),
    said("MONDO:2", "HAS_NAME", "croup"),
    *(said(f"HP:{n}", "HAS_NAME", f"finding {n}", head_type="Symptom") for n in range(1, 5)),
    said("HP:1", "HAS_NAME", "关节痛", head_type="Symptom", language="zh"),
    *(said(f"DRUGBANK:{n}", "HAS_NAME", f"Drug{n}", **DRUG) for n in range(1, 5)),
    said("MEDKG:DrugClass.1", "HAS_NAME", "gout pills", head_type="DrugClass"),
    said("MEDKG:Population.1", "HAS_NAME", "Children", head_type="Population"),
    said("MEDKG:Population.2", "HAS_NAME", "Pregnant women", head_type="Population"),
]
OTHERS = [
    *(fact("MONDO:1", "HAS_SYMPTOM", f"HP:{n}", publications="PMID:1") for n in (2, 3)),
    *(fact("DRUGBANK:4", "INDICATED_FOR", "MONDO:1", **DRUG, tail_type="Disease") for _ in (1,)),
]
MORE = [fact("MONDO:1", "HAS_SYMPTOM", f"HP:{n}") for n in (3, 4)]
TOPICS = [
    fact("MONDO:1", "HAS_SYMPTOM", "HP:3", evidence="rank 1", publications="page"),
    fact("MONDO:1", "HAS_SYMPTOM", "HP:1", evidence="rank 2", publications="page"),
    *(
        fact("MONDO:2", "TREATED_BY", f"DRUGBANK:{n}", evidence=f"rank {n}", **MEDICINE)
        for n in (1, 2, 3)
    ),
    fact(
        "DRUGBANK:2",
        "CONTRAINDICATED_FOR",
        "MEDKG:Population.1",
        **DRUG,
        tail_type="Population",
    ),
    fact("DRUGBANK:1", "IN_CLASS", "MEDKG:DrugClass.1", **DRUG, tail_type="DrugClass"),
]


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graph]:
    rows = {"names": NAMES, "others": OTHERS, "more": MORE, "topics": TOPICS}
    with graph_of(rows, tmp_path_factory.mktemp("graph")) as made:
        yield made


@pytest.fixture(scope="module")
def linker(graph: Graph) -> Linker:
    return graph[1]


def test_list_of_what_is_typical_is_told_alone_and_in_its_order(graph: Graph) -> None:
    facts = ask("What are the symptoms of gout?", graph)
    assert [row["symptom_id"] for row in facts.rows.dicts()] == ["HP:3", "HP:1"]
    assert facts.order == (BY_RANK,)
    assert facts.less_stated == 2
    assert "2 more" in facts.left_out


def test_what_no_list_has_is_told_as_before(graph: Graph) -> None:
    facts = ask("Which drugs treat gout?", graph)
    assert [row["drug_id"] for row in facts.rows.dicts()] == ["DRUGBANK:4"]
    assert not facts.by_rank


def test_rank_holds_where_other_sources_state_the_same(graph: Graph) -> None:
    [evidence] = {
        str(row["evidence"])
        for row in graph[0].query("entity.evidence", head="MONDO:1", relations=["HAS_SYMPTOM"]).dicts()
        if row["other_id"] == "HP:3"
    }  # fmt: skip
    assert "rank 1" in evidence.split("|")


def test_children_get_what_is_typical_without_what_they_should_avoid(graph: Graph) -> None:
    facts = ask("Which drugs treat croup in children?", graph)
    assert [row["drug_id"] for row in facts.rows.dicts()] == ["DRUGBANK:1", "DRUGBANK:3"]


def test_class_of_a_drug_is_asked_for_in_both_languages(graph: Graph) -> None:
    for question in ("What class of drug is Drug1?", "Drug1属于哪一类药"):
        assert "MEDKG:DrugClass.1" in str(ask(question, graph).rows.rows)


def test_class_of_drugs_that_is_asked_for_is_no_subject(linker: Linker) -> None:
    [part] = read("gout: which antibiotic do they use?", linker).parts
    assert [subject.id for subject in part.subjects] == ["MONDO:1"]


def test_two_questions_are_two_even_where_no_relation_answers_one(linker: Linker) -> None:
    asked = read("gout - what are the symptoms and when can I go back to work", linker).parts
    headings = [part.readings[0].heading if part.readings else part.unsaid for part in asked]
    assert headings == ["symptoms", "staying away from school or work"]


def test_what_is_told_before_a_question_asks_nothing(linker: Linker) -> None:
    parts = read("The gout was back last month, how do I prevent another?", linker).parts
    assert [part.readings[0].heading for part in parts] == ["prevention"]

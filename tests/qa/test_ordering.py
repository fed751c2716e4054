"""What is common comes first: of the diseases that a finding points to, of kinds, of facts."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from qa.ordering import BY_COMMONNESS, BY_FIT, BY_SOURCES
from qa.questions import read
from tests.ingest.rows import fact, said
from tests.qa.small_graph import Graph, ask, graph_of

DRUGS = [
    fact("MONDO:2", "TREATED_BY", f"DRUGBANK:{n}", tail_type="Drug", tail_name=f"drug {n}")
    for n in range(8)
]
ROWS = [
    said("MONDO:1", "HAS_NAME", "Rarissima syndrome"),
    said("MONDO:2", "HAS_NAME", "sinusitis"),
    said("MONDO:2", "HAS_NAME", "鼻窦炎", language="zh"),
    said("HP:1", "HAS_NAME", "Facial pain", head_type="Symptom"),
    said("HP:1", "HAS_NAME", "面痛", language="zh", head_type="Symptom"),
    fact("MONDO:1", "HAS_SYMPTOM", "HP:1", frequency=0.9),
    fact("MONDO:2", "HAS_SYMPTOM", "HP:1", frequency=0.3),
    *(fact("MONDO:2", "HAS_SYMPTOM", f"HP:{n}", tail_name=f"finding {n}") for n in range(2, 6)),
    *DRUGS,
    said("MONDO:3", "HAS_NAME", "nose disease"),
    said("MONDO:3", "HAS_NAME", "鼻病", language="zh"),
    said("MONDO:4", "HAS_NAME", "inflammatory nose disease"),
    fact("MONDO:1", "IS_A", "MONDO:3", tail_type="Disease"),
    fact("MONDO:4", "IS_A", "MONDO:3", tail_type="Disease"),
    fact("MONDO:2", "IS_A", "MONDO:4", tail_type="Disease"),
    fact("MONDO:2", "HAS_RISK_FACTOR", "MONDO:5", tail_name="sinusitis, susceptibility to, 1"),
    fact("MONDO:2", "HAS_RISK_FACTOR", "MEDKG:e", tail_type="Exposure", tail_name="Smoke"),
    fact("MONDO:4", "TREATED_BY", "MEDKG:z", tail_type="Drug", tail_name="鼻炎片"),
    fact("MONDO:3", "TREATED_BY", "DRUGBANK:1", tail_type="Drug"),
]


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graph]:
    with graph_of({"s": ROWS}, tmp_path_factory.mktemp("ordering")) as built:
        yield built


def names(question: str, graph: Graph) -> list[object]:
    facts = ask(question, graph)
    at = next(at for at, name in enumerate(facts.rows.columns) if name.endswith("_name"))
    return [row[at] for row in facts.rows.rows]


@pytest.mark.parametrize("question", ["Which diseases cause facial pain?", "哪些病会引起面痛"])
def test_finding_points_to_the_common_disease_before_the_rare_one(
    graph: Graph, question: str
) -> None:
    assert names(question, graph) == ["sinusitis", "Rarissima syndrome"]


@pytest.mark.parametrize("question", ["What types of nose disease are there?", "鼻病有哪几种"])
def test_kinds_are_named_a_few_steps_below_too_and_the_commonest_first(
    graph: Graph, question: str
) -> None:
    assert names(question, graph)[0] == "sinusitis"


def test_gene_by_which_one_is_prone_comes_after_what_one_may_avoid(
    graph: Graph,
) -> None:
    assert names("Who gets sinusitis?", graph) == ["Smoke", "sinusitis, susceptibility to, 1"]


def test_order_of_the_rows_is_said_as_it_is(graph: Graph) -> None:
    with_frequency = ask("What are the symptoms of Rarissima syndrome?", graph)
    without = ask("What are the symptoms of sinusitis?", graph)
    risks = ask("What are the risk factors of sinusitis?", graph)
    assert with_frequency.order == (BY_SOURCES,)
    assert without.order == (BY_SOURCES,)  # one of its rows has a frequency
    assert risks.order == (BY_SOURCES, BY_COMMONNESS)
    assert ask("Which diseases cause facial pain?", graph).order == (BY_FIT,)


def test_english_question_is_not_answered_in_chinese_names_where_a_parent_has_others(
    graph: Graph,
) -> None:
    assert "鼻炎片" not in names("How is inflammatory nose disease treated?", graph)


def test_saying_is_read_as_the_names_that_it_stands_for(graph: Graph) -> None:
    (part,) = read("the clinic says to steer clear of what in sinusitis", graph[1]).parts
    assert "avoid" in part.text


def test_what_a_finding_points_to_says_how_many_there_are_and_how_they_are_sorted(
    tmp_path: Path,
) -> None:
    names = [said(f"MONDO:{n}", "HAS_NAME", f"illness {n}") for n in range(30)]
    facts = [fact(f"MONDO:{n}", "HAS_SYMPTOM", "HP:1") for n in range(30)]
    thirst = said("HP:1", "HAS_NAME", "Thirst", head_type="Symptom")
    with graph_of({"one": [*names, *facts, thirst]}, tmp_path) as graph:
        found = ask("What diseases cause thirst?", graph)
    assert (len(found.rows), found.total) == (25, 30)
    assert found.order == (BY_FIT,)

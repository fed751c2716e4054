"""Answers about a drug: usual reactions first, and uses that one source alone states left out."""

from collections.abc import Iterator
from typing import Any

import pytest

from qa.answer import Answerer
from qa.answer_json import answer_json
from qa.ordering import BY_DRUGS, BY_FREQUENCY
from qa.page.view import parts_of
from qa.questions import read
from tests.ingest.rows import fact, said
from tests.qa.small_graph import Graph, ask, graph_of

DRUG = {"head_type": "Drug"}
REACTION = {**DRUG, "tail_type": "Symptom"}
USE = {**DRUG, "tail_type": "Disease"}
LABELS = [
    said("DRUGBANK:1", "HAS_NAME", "Examplin", **DRUG),
    said("DRUGBANK:1", "HAS_NAME", "例药", language="zh", **DRUG),
    said("DRUGBANK:9", "HAS_NAME", "Fewusesin", **DRUG),
    said("MONDO:7", "HAS_NAME", "gout"),
    fact("DRUGBANK:1", "CONTRAINDICATED_FOR", "MONDO:4", **USE),
    said("RXNORM:1", "HAS_NAME", "Boxname", **DRUG),
    said("DRUGBANK:9", "HAS_SYNONYM", "Boxnamin", **DRUG),
    *(fact("DRUGBANK:1", "HAS_ADVERSE_REACTION", f"HP:{n}", **REACTION) for n in range(1, 5)),
    fact("DRUGBANK:1", "HAS_ADVERSE_REACTION", "HP:5", frequency=0.02, **REACTION),
    fact("DRUGBANK:1", "HAS_ADVERSE_REACTION", "HP:6", frequency=0.3, **REACTION),
    *(fact(f"DRUGBANK:{n}", "HAS_ADVERSE_REACTION", "HP:4", **REACTION) for n in range(2, 6)),
    *(fact(f"DRUGBANK:{n}", "HAS_ADVERSE_REACTION", "HP:2", **REACTION) for n in range(2, 4)),
    *(fact("DRUGBANK:1", "INDICATED_FOR", f"MONDO:{n}", **USE) for n in range(1, 6)),
    *(fact("DRUGBANK:9", "INDICATED_FOR", f"MONDO:{n}", **USE) for n in (1, 2)),
]
BILLS = [
    *(fact("DRUGBANK:1", "INDICATED_FOR", f"MONDO:{n}", **USE) for n in (2, 4, 5)),
    fact("DRUGBANK:9", "INDICATED_FOR", "MONDO:2", **USE),
]
NAMES = [
    *(said(f"HP:{n}", "HAS_NAME", f"reaction {n}", head_type="Symptom") for n in range(1, 7)),
    *(said(f"MONDO:{n}", "HAS_NAME", f"illness {n}") for n in range(1, 6)),
]


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graph]:
    with graph_of(
        {"labels": [*LABELS, *NAMES], "bills": BILLS}, tmp_path_factory.mktemp("drugs")
    ) as built:
        yield built


@pytest.mark.parametrize("question", ["What are the side effects of Examplin?", "例药的副作用"])
def test_reactions_come_by_frequency_and_then_by_how_many_drugs_have_them(
    graph: Graph, question: str
) -> None:
    facts = ask(question, graph)
    reactions = [row["reaction_id"] for row in facts.rows.dicts()]
    assert reactions == ["HP:6", "HP:5", "HP:4", "HP:2", "HP:1", "HP:3"]
    assert facts.order == (BY_FREQUENCY, BY_DRUGS)


@pytest.mark.parametrize(
    "question", ["What is Examplin for?", "What is Examplin used for?", "例药治什么"]
)
def test_uses_less_stated_are_left_out_where_several_state_enough(
    graph: Graph, question: str
) -> None:
    facts = ask(question, graph)
    uses = {row["condition_id"] for row in facts.rows.dicts()}
    assert (uses, facts.less_stated) == ({"MONDO:2", "MONDO:4", "MONDO:5"}, 2)


def test_uses_less_stated_stand_where_there_are_few_others(
    graph: Graph,
) -> None:
    facts = ask("What is Fewusesin used for?", graph)
    uses = [row["condition_id"] for row in facts.rows.dicts()]
    assert (uses, facts.less_stated) == (["MONDO:2", "MONDO:1"], 0)


@pytest.mark.parametrize(
    "question", ["Which clothes go with gout?", "How do astronauts think of gout?"]
)
def test_what_is_asked_in_unknown_words_is_answered_in_general_and_that_is_said(
    graph: Graph, question: str
) -> None:
    (part,) = Answerer(*graph).answer(question).parts
    assert part.part.is_general
    assert part.notes == (
        f"what '{question}' asks was not understood; this is about gout in general",
    )


@pytest.mark.parametrize(
    "question",
    [
        "How much does Examplin cost?",
        "Which hospital is best for gout?",
        "Who discovered Examplin?",
        "例药多少钱一盒",
        "哪家医院看痛风好",  # gout has no Chinese name here
        "Would your neighbour's car insurance premium go up after gout?",
    ],
)
def test_what_no_text_says_and_whether_something_is_so_is_not_answered_in_general(
    graph: Graph, question: str
) -> None:
    assert all(part.problem for part in read(question, graph[1]).parts)


def test_how_many_uses_are_left_out_is_said_on_the_page_and_in_json(graph: Graph) -> None:
    answerer = Answerer(*graph)
    answer = answerer.answer("What is Examplin used for?")
    (part,) = parts_of(answer, answerer)
    assert "2 more, which are less well stated, are not shown; the query lists them" in part.notes
    assert part.table is not None
    assert part.table.total == len(part.table.rows)
    told: Any = answer_json(answer, None)
    told = told["parts"][0]
    assert (told["total"], told["less_stated"], told["truncated"]) == (5, 2, True)


def test_what_a_drug_must_not_be_used_for_is_not_told_as_its_use(graph: Graph) -> None:
    (part,) = Answerer(*graph).answer("What is Examplin?").parts
    (uses,) = [
        each.text for each in part.prose if "indicated for" in each.text.partition("contra")[0]
    ]
    assert "illness 2" in uses
    assert "illness 4" not in uses
    assert any("contraindicated for: illness 4" in each.text for each in part.prose)


def test_a_drug_is_not_said_to_be_made_of_itself(graph: Graph) -> None:
    (made,) = Answerer(*graph).answer("What is in Boxnamin?").parts
    assert [each.text for each in made.prose] == ["Boxnamin: active ingredients: Fewusesin."]
    (unknown,) = Answerer(*graph).answer("What is in Boxname?").parts
    assert unknown.prose == ()
    assert unknown.problem is not None

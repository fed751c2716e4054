"""Answers about a drug: usual reactions first, and uses that one source alone states left out."""

from collections.abc import Iterator
from typing import Any

import pytest

from qa.answer import Answerer
from qa.answer_json import answer_json
from qa.facts import NoFactError
from qa.ordering import BY_DRUGS, BY_FREQUENCY, LAST
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
    said("DRUGBANK:10", "HAS_NAME", "Onlytreatol", **DRUG),
    fact("MONDO:7", "TREATED_BY", "DRUGBANK:10", head_type="Disease", tail_type="Drug"),
    said("MONDO:8", "HAS_NAME", "common cold"),
    fact("MONDO:8", "TREATED_BY", "DRUGBANK:1", head_type="Disease", tail_type="Drug"),
    said("MEDKG:Population.1", "HAS_NAME", "Pregnant women", head_type="Population"),
    said("MEDKG:Precaution.1", "HAS_NAME", "Avoid in late pregnancy", head_type="Precaution"),
    fact("DRUGBANK:1", "HAS_PRECAUTION", "MEDKG:Precaution.1", **DRUG, tail_type="Precaution"),
    fact("DRUGBANK:1", "HAS_PRECAUTION", "MONDO:5", **USE),
    said("MEDKG:Department.1", "HAS_NAME", "Rheumatology", head_type="Department"),
    fact("MONDO:7", "MANAGED_IN", "MEDKG:Department.1", tail_type="Department"),
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


@pytest.mark.parametrize("question", ["What is Onlytreatol?", "What does Onlytreatol treat?"])
def test_a_drug_that_others_alone_speak_of_is_told_by_what_it_treats(
    graph: Graph, question: str
) -> None:
    facts = ask(question, graph)
    assert [row["entity_id"] for row in facts.rows.dicts()] == ["MONDO:7"]
    assert (facts.query, facts.arguments) == (
        "entity.heads",
        {"tail": "DRUGBANK:10", "relations": ["TREATED_BY"]},
    )


@pytest.mark.parametrize(
    "question", ["Can I take Onlytreatol while pregnant?", "孕妇能吃Onlytreatol吗"]
)
def test_what_nothing_says_of_pregnancy_is_told_of_pregnant_women(
    graph: Graph, question: str
) -> None:
    with pytest.raises(NoFactError, match="Pregnant women"):
        ask(question, graph)


@pytest.mark.parametrize(
    "question",
    ["what can I take for a cold?", "how do I get rid of a bad cold fast", "What treats colds?"],
)
def test_a_cold_is_the_common_cold(graph: Graph, question: str) -> None:
    assert [subject.id for subject in ask(question, graph).subjects] == ["MONDO:8"]


@pytest.mark.parametrize(
    "question", ["does a cold shower help", "What treats a cold sore?", "why do I feel cold"]
)
def test_what_is_cold_is_no_common_cold(graph: Graph, question: str) -> None:
    assert all(s.id != "MONDO:8" for part in read(question, graph[1]).parts for s in part.subjects)


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("is Examplin contraindicated in illness 4?", "yes"),
        ("is Examplin contraindicated in illness 5?", "rather not"),
    ],
)
def test_what_wants_care_is_not_said_to_be_contraindicated(
    graph: Graph, question: str, verdict: str
) -> None:
    assert ask(question, graph).verdict == verdict


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("does Examplin treat illness 2?", "yes"),
        ("does Examplin cure illness 2?", ""),
        ("例药能根治illness 2吗", ""),
    ],
)
def test_what_is_used_against_something_is_not_said_to_cure_it(
    graph: Graph, question: str, verdict: str
) -> None:
    assert ask(question, graph).verdict == verdict


@pytest.mark.parametrize(
    "question", ["how long does it take for Examplin to work", "how long until Examplin works"]
)
def test_how_long_a_drug_takes_is_no_question_for_its_uses(graph: Graph, question: str) -> None:
    [part] = read(question, graph[1]).parts
    assert part.readings == ()
    assert part.unsaid in ("amounts and times", "outlook")
    assert ask("what is Examplin taken for", graph).reading.heading == "indications"


@pytest.mark.parametrize(
    "question", ["which doctor treats gout", "What kind of specialist treats gout?"]
)
def test_which_doctor_treats_something_asks_for_departments(graph: Graph, question: str) -> None:
    assert ask(question, graph).query == "disease.department"


@pytest.mark.parametrize("question", ["What are the side effects of Examplin?", "例药的副作用"])
def test_reactions_come_by_frequency_and_then_by_how_many_drugs_have_them(
    graph: Graph, question: str
) -> None:
    facts = ask(question, graph)
    reactions = [row["reaction_id"] for row in facts.rows.dicts()]
    assert reactions == ["HP:6", "HP:5", "HP:4", "HP:2", "HP:1", "HP:3"]
    assert facts.order == (LAST, BY_FREQUENCY, BY_DRUGS)


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
    assert (
        "2 more, which are less well stated, say nothing in particular or have no name in this language, are not shown; the query lists them"
        in part.notes
    )
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

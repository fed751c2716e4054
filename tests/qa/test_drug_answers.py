"""Answers about a drug: usual reactions first, and uses that one source alone states left out."""

from collections.abc import Iterator

import pytest

import kg
from cypher.translation import language_of, speaking
from ingest.merge import MergeConfig, merge
from kg.linking import Linker
from kg.progress import Silent
from qa.answer import Answerer
from qa.facts import Facts, facts_of
from qa.ordering import BY_DRUGS, BY_FREQUENCY
from qa.questions import read
from tests.ingest.rows import fact, said, write_assertions

DRUG = {"head_type": "Drug"}
REACTION = {**DRUG, "tail_type": "Symptom"}
USE = {**DRUG, "tail_type": "Disease"}
LABELS = [
    said("DRUGBANK:1", "HAS_NAME", "Examplin", **DRUG),
    said("DRUGBANK:1", "HAS_NAME", "例药", language="zh", **DRUG),
    said("DRUGBANK:9", "HAS_NAME", "Fewusesin", **DRUG),
    said("MONDO:7", "HAS_NAME", "gout"),
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
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[kg.Store, Linker]]:
    folder = tmp_path_factory.mktemp("drugs")
    sources = {"labels": [*LABELS, *NAMES], "bills": BILLS}
    files = {
        name: write_assertions(folder / f"{name}.parquet", name, rows)
        for name, rows in sources.items()
    }
    result = merge(MergeConfig(assertions=files, made_by="a test"), folder / "m", Silent())
    with kg.connect(str(folder / "g.lbug")) as empty:
        empty.load(result.tables)
    with kg.connect(str(folder / "g.lbug")) as store:
        yield store, Linker.of_store(store, folder / "linking")


def ask(question: str, graph: tuple[kg.Store, Linker]) -> Facts:
    with speaking(language_of(question)):
        (part,) = read(question, graph[1]).parts
        return facts_of(graph[0], part, graph[1])


@pytest.mark.parametrize("question", ["What are the side effects of Examplin?", "例药的副作用"])
def test_reactions_come_by_frequency_and_then_by_how_many_drugs_have_them(
    graph: tuple[kg.Store, Linker], question: str
) -> None:
    facts = ask(question, graph)
    reactions = [row["reaction_id"] for row in facts.rows.dicts()]
    assert reactions == ["HP:6", "HP:5", "HP:4", "HP:2", "HP:1", "HP:3"]
    assert facts.order == (BY_FREQUENCY, BY_DRUGS)


@pytest.mark.parametrize(
    "question", ["What is Examplin for?", "What is Examplin used for?", "例药治什么"]
)
def test_uses_of_one_source_are_left_out_where_several_state_enough(
    graph: tuple[kg.Store, Linker], question: str
) -> None:
    facts = ask(question, graph)
    uses = {row["condition_id"] for row in facts.rows.dicts()}
    assert (uses, facts.of_one_source) == ({"MONDO:2", "MONDO:4", "MONDO:5"}, 2)


def test_uses_of_one_source_stand_where_there_are_few_others(
    graph: tuple[kg.Store, Linker],
) -> None:
    facts = ask("What is Fewusesin used for?", graph)
    uses = [row["condition_id"] for row in facts.rows.dicts()]
    assert (uses, facts.of_one_source) == (["MONDO:2", "MONDO:1"], 0)


@pytest.mark.parametrize(
    "question", ["Which clothes go with gout?", "How do astronauts think of gout?"]
)
def test_what_is_asked_in_unknown_words_is_answered_in_general_and_that_is_said(
    graph: tuple[kg.Store, Linker], question: str
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
    graph: tuple[kg.Store, Linker], question: str
) -> None:
    assert all(part.problem for part in read(question, graph[1]).parts)

"""Answers about a drug that has no facts of its own: by what is in it, or by its products."""

from collections.abc import Iterator

import pytest

from cypher.translation import ENGLISH, speaking
from qa.answer import Answerer
from qa.ingredients import ingredients
from qa.subjects import Subject
from tests.ingest.rows import fact, said
from tests.qa.small_graph import Graph, ask, graph_of

DRUG = {"head_type": "Drug"}
INGREDIENT = {**DRUG, "tail_type": "Drug"}
REACTION = {**DRUG, "tail_type": "Symptom"}
ROWS = [
    said("DRUGBANK:1", "HAS_NAME", "Onepril", **DRUG),
    said("DRUGBANK:1", "HAS_NAME", "单普利", language="zh", **DRUG),
    said("DRUGBANK:2", "HAS_NAME", "Otherazide", **DRUG),
    said("DRUGBANK:3", "HAS_NAME", "Cleartussin", **DRUG),
    said("RXNORM:1", "HAS_NAME", "Boxpril", **DRUG),
    said("RXNORM:1", "HAS_NAME", "单普利片", language="zh", **DRUG),
    said("RXNORM:2", "HAS_NAME", "Duobox", **DRUG),
    said("RXNORM:3", "HAS_NAME", "onepril 20 MG / otherazide 12.5 MG Oral Tablet", **DRUG),
    said("RXNORM:4", "HAS_NAME", "Cleartussin syrup", **DRUG),
    fact("RXNORM:1", "HAS_INGREDIENT", "DRUGBANK:1", **INGREDIENT),
    fact("RXNORM:2", "HAS_INGREDIENT", "DRUGBANK:1", **INGREDIENT),
    fact("RXNORM:2", "HAS_INGREDIENT", "DRUGBANK:2", **INGREDIENT),
    fact("RXNORM:4", "HAS_INGREDIENT", "DRUGBANK:3", **INGREDIENT),
    said("HP:1", "HAS_NAME", "Cough", head_type="Symptom"),
    said("HP:2", "HAS_NAME", "Thirst", head_type="Symptom"),
    said("HP:3", "HAS_NAME", "Dizziness", head_type="Symptom"),
    said("MONDO:1", "HAS_NAME", "bronchitis"),
    fact("DRUGBANK:1", "HAS_ADVERSE_REACTION", "HP:1", frequency=0.1, **REACTION),
    fact("DRUGBANK:1", "HAS_ADVERSE_REACTION", "HP:3", frequency=0.01, **REACTION),
    fact("DRUGBANK:2", "HAS_ADVERSE_REACTION", "HP:2", frequency=0.1, **REACTION),
    fact("DRUGBANK:2", "HAS_ADVERSE_REACTION", "HP:3", frequency=0.01, **REACTION),
    fact("DRUGBANK:1", "CONTRAINDICATED_FOR", "DRUGBANK:3", **INGREDIENT),
    fact("MONDO:1", "TREATED_BY", "RXNORM:4", tail_type="Drug"),
]


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graph]:
    with graph_of({"a": ROWS}, tmp_path_factory.mktemp("ingredients")) as built:
        yield built


@pytest.mark.parametrize(
    ("question", "note"),
    [
        ("side effects of Boxpril", r"for Boxpril \(RXNORM:1\) itself, which contains Onepril"),
        ("单普利片的副作用", "单普利片（RXNORM:1）本身的“不良反应”；其成分为单普利"),
    ],
)
def test_a_product_without_reactions_has_those_of_its_ingredient_and_says_so(
    graph: Graph, question: str, note: str
) -> None:
    facts = ask(question, graph)
    assert [row["reaction_id"] for row in facts.rows.dicts()] == ["HP:1", "HP:3"]
    assert note.replace("\\", "") in facts.note


@pytest.mark.parametrize("name", ["Duobox", "onepril 20 MG / otherazide 12.5 MG Oral Tablet"])
def test_of_a_combination_each_row_says_of_which_ingredient_it_is(graph: Graph, name: str) -> None:
    rows = ask(f"What are the side effects of {name}?", graph).rows.dicts()
    said_of = {row["entity_name"]: row["stated_of"] for row in rows}
    assert list(said_of.items()) == [
        ("Dizziness", ["Onepril", "Otherazide"]),
        ("Cough", ["Onepril"]),
        ("Thirst", ["Otherazide"]),
    ]


def test_a_drug_without_uses_has_those_of_its_products(graph: Graph) -> None:
    facts = ask("What is Cleartussin used for?", graph)
    assert [row["entity_id"] for row in facts.rows.dicts()] == ["MONDO:1"]
    assert "these are for products of Cleartussin (DRUGBANK:3)" in facts.note


def test_a_product_has_the_uses_that_diseases_say_it_treats(graph: Graph) -> None:
    facts = ask("What is Cleartussin syrup used for?", graph)
    assert ([row["entity_id"] for row in facts.rows.dicts()], facts.note) == (["MONDO:1"], "")


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("Can I take Boxpril with Cleartussin?", "No, unless a doctor decides otherwise."),
        ("Does Boxpril cause cough?", "Yes, by what is said of its kinds"),
    ],
)
def test_what_is_said_of_an_ingredient_says_yes_or_no_of_the_product(
    graph: Graph, question: str, first: str
) -> None:
    with speaking(ENGLISH):
        (part,) = Answerer(*graph).answer(question).parts
    assert part.prose[0].text.startswith(first)
    assert part.facts is not None
    assert "which contains Onepril" in part.facts.note


@pytest.mark.parametrize(
    ("name", "contents"),
    [
        ("Onepril Hydrochloride", ["DRUGBANK:1"]),
        ("Otherazide and Onepril", ["DRUGBANK:1", "DRUGBANK:2"]),
        ("Onepril Plus", []),
    ],
)
def test_a_name_of_drugs_says_what_is_in_it(
    tmp_path_factory: pytest.TempPathFactory, name: str, contents: list[str]
) -> None:
    rows = [*ROWS, said("RXNORM:9", "HAS_NAME", name, **DRUG)]
    with graph_of({"a": rows}, tmp_path_factory.mktemp("named")) as (store, linker):
        drug = Subject(0, 1, "RXNORM:9", "Drug", name)
        assert sorted(one.id for one in ingredients(store, drug, linker)) == contents

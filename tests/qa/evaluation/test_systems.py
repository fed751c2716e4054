"""What every system answers."""

from qa.evaluation.systems import (
    ALIKE,
    ANYTHING,
    FIRST,
    FULL,
    GRAPH,
    ORACLE,
    OURS,
    PRODUCT,
    PRODUCT_FIRST,
    PRODUCT_FULL,
    RANDOM,
    REPEATED,
    SENTENCE,
    UNRELATED,
    GivenAnswers,
    Reply,
    not_run,
    replies,
)
from qa.selection import Features, select
from qa.subgraph import Edge, Node, Subgraph
from tests.qa.evaluation.asked import case, option, question
from tests.qa.passages import candidate

WEIGHTS = Features(1.0, 0.0, 0.0, 0.0)
OPTIONS = (
    option("Asthma is another disease.", title="Asthma"),
    option("Gout: fever, arthritis."),
    option("Gout brings fever."),
)


def test_each_system_answers_as_it_chooses() -> None:
    cosines = dict(zip((each.text for each in OPTIONS), (0.1, 0.2, 0.9), strict=True))
    given = GivenAnswers("other model", {"What are the symptoms of gout ?": "Pain."}, "")
    found = replies(
        question(),
        case(*OPTIONS),
        weights=WEIGHTS,
        cosines=cosines,
        unrelated="Wheezing.",
        given=[given, GivenAnswers("silent", {}, "")],
    )
    by_name = {each.system: each for each in found}
    assert {name: by_name[name].text for name in by_name if name != RANDOM} == {
        FULL: OPTIONS[1].text,
        OURS: OPTIONS[1].text,
        ANYTHING: OPTIONS[1].text,
        FIRST: OPTIONS[0].text,
        ORACLE: OPTIONS[2].text,
        ALIKE: OPTIONS[2].text,
        SENTENCE: "Asthma is another disease.",
        GRAPH: "gout: symptoms: Fever, Arthritis.",
        PRODUCT: "Gout hurts.",
        PRODUCT_FULL: "Gout swells.",
        PRODUCT_FIRST: "Gout burns.",
        REPEATED: "What are the symptoms of gout ?",
        UNRELATED: "Wheezing.",
        "other model": "Pain.",
        "silent": "",
    }
    assert by_name[RANDOM].text in cosines
    assert by_name[FIRST] == Reply(FIRST, "baseline", OPTIONS[0].text, "Asthma")


def test_joint_reasoning_is_the_products_selection() -> None:
    nodes = (Node("a", "gout", "", "Disease"), Node("b", "Fever", "", "Symptom"))
    graph = Subgraph(
        (*nodes, Node("c", "Arthritis", "", "Symptom")), (Edge("a", "r", "b", ()),), {}
    )
    for some in (OPTIONS, OPTIONS[::-1], OPTIONS[:1], (OPTIONS[0], OPTIONS[0])):
        chosen = select(
            [candidate(each.text, at) for at, each in enumerate(some, 1)],
            graph,
            case().asked,
            "rouge-l",
        ).chosen
        found = replies(question(), case(*some), weights=WEIGHTS, cosines=None, unrelated="")
        assert next(each.text for each in found if each.system == FULL) == some[chosen].text


def test_question_without_candidates_is_answered_by_the_graph_and_the_controls_alone() -> None:
    found = replies(question(), case(), weights=WEIGHTS, cosines=None, unrelated="x")
    assert [each.system for each in found] == [
        PRODUCT, PRODUCT_FULL, PRODUCT_FIRST, GRAPH, REPEATED, UNRELATED,
    ]  # fmt: skip


def test_draw_is_the_same_for_one_seed() -> None:
    def drawn(seed: int) -> list[str]:
        return [
            each.text
            for name in "abcdefgh"
            for each in replies(
                question(identity=name), case(*OPTIONS), weights=WEIGHTS, cosines=None,
                unrelated="", seed=seed,
            )
            if each.system == RANDOM
        ]  # fmt: skip

    assert drawn(1) == drawn(1) != drawn(2)


def test_systems_without_a_model_are_named() -> None:
    assert [name for name, _ in not_run(["extractive", "lfqa"], ["ChatGPT"])] == [
        "ELI5, joint reasoning",
        "ELI5, first candidate",
    ]
    assert len(not_run(["extractive"], [])) == 6

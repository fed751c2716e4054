"""The parts of the questions, and the design on one of them."""

from random import Random

import pytest

from qa.selection import Described, Features
from tests.experiments.selection.design import design, fit
from tests.experiments.selection.parts import split
from tests.qa.evaluation.asked import case, option, question

QUESTIONS = [
    question(f"Q{at}?", f"Fever {at}.", identity=str(at), focus="Asthma" if at % 10 == 0 else f"F{at}")
    for at in range(100)
]  # fmt: skip
DISEASES = {each.id: f"D{int(each.id) // 2}" for each in QUESTIONS}


def test_no_disease_is_in_the_design_and_elsewhere_and_no_chronic_one_in_the_design() -> None:
    parts = split(QUESTIONS, DISEASES, 20, 30, 1)
    assert {name: len(part) for name, part in parts.items()} == {
        "design": 20, "test": 30, "chronic": 10,
    }  # fmt: skip
    of = {name: {DISEASES[each.id] for each in part} for name, part in parts.items()}
    assert of["design"].isdisjoint(of["test"] | of["chronic"])
    assert parts == split(QUESTIONS, DISEASES, 20, 30, 1) != split(QUESTIONS, DISEASES, 20, 30, 2)
    assert len(split(QUESTIONS, DISEASES, 1000, 1000, 1)["design"]) < 60


def test_design_says_what_each_way_of_choosing_scores() -> None:
    options = (option("Wheezing."), option("Fever, arthritis and more."), option("Fever."))
    cases = [case(*options, identity=each.id) for each in QUESTIONS[:10]]
    found = design(QUESTIONS[:10], [*cases[:9], case(identity="9")])
    assert (found.questions, found.selected["first candidate"]) == (9, 0.0)
    assert found.selected["oracle of the candidates"] == pytest.approx(2 / 3)
    assert found.selected["joint reasoning"] == pytest.approx(2 / 6)
    assert isinstance(found.weights, Features)
    assert min(found.weights) >= 0
    assert found.selected["ours"] <= found.selected["oracle of the candidates"]


def test_fit_finds_the_weights_that_scores_follow_and_none_below_zero() -> None:
    chance = Random(0)  # noqa: S311 - a draw, no secret
    nothing = Features(0.0, 0.0, 0.0, 0.0)
    options = [Described(2, Features(*(chance.random() for _ in nothing))) for _ in range(9)]
    questions = [options[:4], options[4:], options[:1]]

    def fitted(covered: float, agreed: float) -> Features:
        weights = nothing._replace(covered=covered, agreed=agreed)
        return fit(questions, [[each.weighted(weights) for each in own] for own in questions])

    assert tuple(fitted(0.4, 0.2)) == pytest.approx((0.4, 0, 0, 0.2))
    assert min(fitted(0.4, -0.2)) == 0
    with pytest.raises(ValueError, match="two candidates"):
        fit([options[:1]], [[1.0]])

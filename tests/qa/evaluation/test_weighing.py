"""Our own selection."""

from random import Random

import pytest
from qa.evaluation.weighing import WEIGHTS, Described, Features, choose, describe, fit

from tests.qa.evaluation.asked import case, option

NOTHING = Features(0.0, 0.0, 0.0, 0.0, 0.0)


def test_candidate_is_described_by_facts_denials_type_words_and_agreement() -> None:
    options = (
        option("Gout brings arthritis but no fever."),
        option("Gout brings arthritis.", category="treatment", title="Podagra of the toe"),
        option("Wheezing and coughs.", title="Asthma"),
        option("Not gouty; like gout.", title="Asthma"),
    )
    found = describe("What brings gout?", case(*options), options)
    assert [each.about for each in found] == [2, 2, 0, 1]
    first, second, third, _ = (each.features for each in found)
    assert first == Features(1.0, -0.5, 1.0, 2 / 3, first.agreed)
    assert second == Features(second.covered, 0.0, 0.0, 2 / 3, second.agreed)
    assert second.covered == pytest.approx(0.5 / 0.6)
    assert third == NOTHING._replace(same_type=1.0)
    assert first.agreed == pytest.approx((2 * 3 / 9 + 0 + 2 * 1 / 10) / 3)
    assert found[1].supported == pytest.approx(2 * 2 / 6)


def test_name_counts_as_a_whole_word_only() -> None:
    [found] = describe("?", case(option("Feverish arthritis.")), [option("Feverish arthritis.")])
    assert found.features.covered == pytest.approx(0.5 / 0.6)


def test_all_candidates_are_about_what_the_graph_does_not_know() -> None:
    unknown = case(option("Any."), subgraph="")
    described = describe("?", type(unknown)(**{**vars(unknown), "things": (), "facts": ()}),
                         [option("Any.", title="Asthma")])  # fmt: skip
    assert described == [Described(2, NOTHING._replace(same_type=1.0), 0.0)]


def test_candidate_about_another_thing_is_chosen_only_where_none_is_about_the_right_one() -> None:
    weights = NOTHING._replace(agreed=1.0)
    right, better, wrong = (
        Described(2, NOTHING, 0.0),
        Described(2, NOTHING._replace(agreed=0.5), 0.0),
        Described(0, NOTHING._replace(agreed=0.9), 0.0),
    )
    assert choose([wrong, right, better], weights) == 2
    assert choose([wrong, right, better], weights, anything=True) == 0
    assert choose([wrong, wrong], weights) == 0
    with pytest.raises(ValueError, match="no candidate"):
        choose([], weights)


def test_fit_finds_the_weights_that_scores_follow_and_none_below_zero() -> None:
    chance = Random(0)  # noqa: S311 - a draw, no secret
    options = [Described(2, Features(*(chance.random() for _ in NOTHING)), 0.0) for _ in range(9)]
    questions = [options[:4], options[4:], options[:1]]

    def fitted(covered: float, agreed: float) -> Features:
        weights = NOTHING._replace(covered=covered, agreed=agreed)
        scores = [
            [sum(a * b for a, b in zip(weights, each.features, strict=True)) for each in own]
            for own in questions
        ]
        return fit(questions, scores)

    assert tuple(fitted(0.4, 0.2)) == pytest.approx((0.4, 0, 0, 0, 0.2))
    assert min(fitted(0.4, -0.2)) == 0
    with pytest.raises(ValueError, match="two candidates"):
        fit([options[:1]], [[1.0]])


def test_weights_in_use_are_none_below_zero() -> None:
    assert min(WEIGHTS) >= 0 < max(WEIGHTS)

"""Contradictions by a model of entailment."""

from pathlib import Path

import numpy as np
import pytest

from kg.errors import ModelError
from qa.metrics.contradiction import (
    Contradiction,
    Entailment,
    Threshold,
    fitted_threshold,
    planted,
)
from tests.qa.tiny_models import save_classifier

LABELS = ["entailment", "neutral", "CONTRADICTION"]


def test_label_decides_which_probability_counts(tmp_path: Path) -> None:
    pairs = [("gout hurts", "it hurts"), ("gout", "fever")]
    found = []
    for sure_of in (2, 0):
        folder = tmp_path / str(sure_of)
        model = Entailment(str(save_classifier(folder, LABELS, sure_of)))
        found.append(model.probabilities(pairs))
    assert found[0] == pytest.approx(np.ones(2), abs=0.01)
    assert found[1] == pytest.approx(np.zeros(2), abs=0.01)


def test_every_sentence_is_compared_with_every_gold_sentence(tmp_path: Path) -> None:
    model = Entailment(str(save_classifier(tmp_path, LABELS, 2)))
    found = model.contradictions("it hurts. at night.", "gout brings fever.")
    assert {(each.gold, each.answer) for each in found} == {
        ("it hurts.", "gout brings fever."),
        ("at night.", "gout brings fever."),
    }
    assert all(each.probability >= 0.95 for each in found)
    assert model.contradictions("it hurts.", "gout brings fever.", threshold=1.0) == []
    assert model.contradictions("", "gout brings fever.") == []


def test_surest_contradiction_comes_first(tmp_path: Path) -> None:
    model = Entailment(str(save_classifier(tmp_path, LABELS, 2)))
    found = model.contradictions("it hurts. gout. at night.", "fever. joint pain.", threshold=0.0)
    assert [each.probability for each in found] == sorted(
        (c.probability for c in found), reverse=True
    )
    assert isinstance(found[0], Contradiction)
    assert len(found) == 6


@pytest.mark.parametrize("labels", [["LABEL_0", "LABEL_1"], ["entailment", "not_entailment"]])
def test_model_without_such_a_label_is_refused(labels: list[str], tmp_path: Path) -> None:
    with pytest.raises(ModelError) as error:
        Entailment(str(save_classifier(tmp_path, labels)))
    assert str(error.value) == (
        f"{tmp_path}: its labels are {', '.join(labels)}; finding contradictions takes a model of "
        "entailment with a label 'contradiction'"
    )


def test_missing_model_is_named() -> None:
    with pytest.raises(
        ModelError, match="'roberta-large-mnli', the model to find contradictions, is"
    ):
        Entailment("roberta-large-mnli")


@pytest.mark.parametrize(
    ("sentence", "other"),
    [
        ("Asthma is curable.", "Asthma is not curable."),
        ("It cannot be cured.", "It can be cured."),
        ("You should not smoke.", "You should smoke."),
        ("Gout may hurt.", None),
        ("", None),
    ],
)
def test_planted_contradiction_negates_the_first_auxiliary(
    sentence: str, other: str | None
) -> None:
    assert planted(sentence) == other


def test_threshold_is_where_planted_contradictions_are_told_best() -> None:
    found = fitted_threshold([0.9, 0.8, 0.4, 0.1], [True, True, False, False])
    assert found == Threshold(0.8, 1.0, 1.0, 1.0)
    mixed = fitted_threshold([0.9, 0.8, 0.7], [True, False, True])
    assert tuple(mixed) == pytest.approx((0.7, 2 / 3, 1.0, 0.8))


@pytest.mark.parametrize(("given", "truth"), [([0.9], [False]), ([0.9], [True, False])])
def test_threshold_needs_pairs_that_contradict(given: list[float], truth: list[bool]) -> None:
    with pytest.raises(ValueError, match="pairs of which at least one contradicts"):
        fitted_threshold(given, truth)

"""The scores of answers."""

from dataclasses import replace
from pathlib import Path

import pytest

from qa.evaluation.scoring import Judges, Scores, planted_threshold, scores
from qa.evaluation.systems import Reply
from qa.index.models import SentenceModel
from qa.metrics.contradiction import Entailment
from qa.metrics.readability import readability
from qa.metrics.similarity import BertScore
from qa.subgraph import Fact
from tests.qa.evaluation.asked import case, question
from tests.qa.index.small_model import save_model
from tests.qa.tiny_models import save_classifier

GOLD = "Gout brings fever and pain. It hurts."
REPLIES = [
    Reply("right", "system", GOLD, "Gout"),
    Reply("other", "system", "Asthma is another disease.", "Asthma"),
    Reply("silent", "system", ""),
    Reply("graph alone", "system", "gout: symptoms: Fever, Arthritis."),
]


def test_answers_are_scored_by_every_metric_that_needs_no_model(tmp_path: Path) -> None:
    asked = question(gold=GOLD)
    [found] = scores([asked], [case()], [REPLIES], {}, Judges(tmp_path))
    easy = readability(GOLD)
    assert found["right"] == Scores(
        1.0, 1.0, 1.0, None, None, easy.ease, easy.grade, 7, None, None, True, None
    )
    assert found["other"][:5] == (0.0, 0.0, 0.0, None, None)
    assert found["other"].about is False
    assert found["silent"] == Scores(
        0.0, 0.0, 0.0, None, None, None, None, 0, None, None, None, None
    )
    assert found["graph alone"].marked == 1.0


def test_mark_is_half_for_one_name_of_many_and_none_for_no_name(tmp_path: Path) -> None:
    stated = REPLIES[3:]
    facts = tuple(Fact((name,), 0.1) for name in ("Fever", "Arthritis", "Swelling"))
    wide = replace(case(), asked=replace(case().asked, facts=facts))
    marks = [
        scores([question(gold=gold)], [wide], [stated], {}, Judges(tmp_path))[0]["graph alone"]
        for gold in ("Fever.", "Nothing of it.", "Fever, swelling.")
    ]
    assert [each.marked for each in marks] == [0.5, 0.0, 1.0]


def test_models_add_their_metrics(tmp_path: Path) -> None:
    encoder = SentenceModel.find(save_model(tmp_path / "encoder", 1))
    classifier = save_classifier(tmp_path / "nli", ["contradiction", "neutral"])
    entailment = Entailment(str(classifier))
    threshold = planted_threshold([question(gold="Gout is a disease. It hurts.")], entailment)
    assert threshold is not None
    assert threshold.value > 0.9  # that of a model which takes every pair for a contradiction
    assert planted_threshold([question(gold="Pain.")], entailment) is None
    judges = Judges(tmp_path, encoder, BertScore(str(classifier)), entailment, threshold)
    texts = [GOLD, *(each.text for each in REPLIES if each.text)]
    vectors = judges.vectors(texts)
    assert set(vectors) == set(texts)
    [found] = scores([question(gold=GOLD)], [case()], [REPLIES], vectors, judges)
    assert found["right"].sts == pytest.approx(5.0, abs=1e-5)
    assert found["right"].bertscore == pytest.approx(1.0, abs=1e-5)
    assert found["right"].contradicts == 4
    assert found["right"].contradicts_tuned is not None
    assert (found["silent"].sts, found["silent"].bertscore, found["silent"].contradicts) == (
        0,
        0,
        0,
    )
    again = Judges(tmp_path, encoder).vectors([GOLD])
    assert (again[GOLD] == vectors[GOLD]).all()
    assert Judges(tmp_path).vectors(texts) == {}

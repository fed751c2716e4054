"""Tests of recognisers that know nothing of the names that patients speak with."""

from pathlib import Path

import pytest
import spacy

from evalsim.metrics import Mention, find_recogniser, grounding
from evalsim.metrics.recognisers import medical_phrases
from kg.errors import ConfigurationError
from kg.linking import Linker
from kg.stores.store import Store
from tests.evalsim.metrics.dialogues import consulted, played


@pytest.fixture(scope="module")
def linker(practice: Store) -> Linker:
    return Linker.of_store(practice)


@pytest.mark.parametrize(
    ("said", "found"),
    [
        (
            "Hi doctor, I've had joint pain and a strange pressure behind my eye for a week.",
            ["joint pain", "strange pressure behind my eye"],
        ),
        ("My neighbour told me that I should get this looked at. Please help.", []),
        ("No fever, coughing or night sweats.", ["fever", "coughing", "night sweats"]),
        ("I feel dizzy. What do you mean?", []),
    ],
)
def test_phrases_are_what_is_medical_in_english(said: str, found: list[str]) -> None:
    assert medical_phrases(said) == found


def test_phrases_finds_nothing_in_chinese() -> None:
    assert medical_phrases("我有发热、咳嗽和胸痛。") == []


def test_a_mention_is_known_by_any_name_of_the_graph(linker: Linker) -> None:
    said = "I have dyspnea, podagra and a strange pressure behind my eye."
    assert find_recogniser("phrases", linker).recognise(said) == [
        Mention("dyspnea", known=True),
        Mention("podagra", known=True),
        Mention("strange pressure behind my eye", known=False),
    ]


def test_patients_who_drift_are_less_in_the_graph(linker: Linker) -> None:
    phrases = find_recogniser("phrases", linker)
    keeps = ["I have joint pain.", "Fever, too."]
    drifts = ["I have a strange pressure behind my eye.", "Fever, too.", "It is all too much."]
    found, drifted = (
        grounding([played("gpt", consulted([{}] * len(said), said=said))], phrases.recognise)
        for said in (keeps, drifts)
    )
    assert (found.share.mean, found.utterance_share.mean) == (1, 1)
    assert (drifted.share.mean, drifted.utterance_share.mean) == (1 / 2, 1 / 3)


def test_a_pipeline_of_spacy_is_a_recogniser_by_its_folder(linker: Linker, tmp_path: Path) -> None:
    pipeline = spacy.blank("zh")
    pipeline.add_pipe("entity_ruler").add_patterns(  # type: ignore[attr-defined]  # a component
        [{"label": "FINDING", "pattern": name} for name in ("发热", "腿麻")]
    )
    pipeline.to_disk(tmp_path / "pipeline")
    found = find_recogniser(str(tmp_path / "pipeline"), linker)
    assert found.recognise("我发热，腿麻。") == [
        Mention("发热", known=True),
        Mention("腿麻", known=False),
    ]


def test_a_recogniser_that_is_not_here_is_refused(linker: Linker) -> None:
    with pytest.raises(ConfigurationError, match="'en_no_model' is neither an installed spaCy"):
        find_recogniser("en_no_model", linker)

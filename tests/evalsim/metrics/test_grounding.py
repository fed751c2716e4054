"""Tests of how much of what a patient names is in the graph."""

import math

from evalsim.metrics import Mention, grounding
from tests.evalsim.metrics.dialogues import consulted, played


def recognise(text: str) -> list[Mention]:
    """Words in capitals are things; the graph knows FEVER."""
    return [Mention(word, word == "FEVER") for word in text.split() if word.isupper()]


def test_shares_are_of_mentions_and_of_utterances() -> None:
    said = ["FEVER and ZORPS and GLIMP", "my FEVER", "hello", "ZORPS"]
    found = grounding([played("gpt", consulted([{}] * 4, said=said))], recognise)
    assert (found.utterances, found.with_mention, found.mentions) == (4, 3, 5)
    assert (found.share.mean, found.utterance_share.mean) == (2 / 5, 2 / 4)


def test_interval_is_by_whole_diseases() -> None:
    lots = [("gout-1", ["FEVER"]), ("flu-1", ["ZORPS"])]
    given = [played("gpt", consulted([{}], case=case, said=said)) for case, said in lots]
    assert grounding(given, recognise).share == (0.5, 0.0, 1.0)


def test_patients_that_name_nothing_have_no_share() -> None:
    found = grounding([played("gpt", consulted([{}]))], recognise)
    assert (found.utterances, found.mentions) == (1, 0)
    assert math.isnan(found.share.mean)
    assert grounding([], recognise).utterances == 0

"""Sentences of patients and doctors, in our own words, with HPO and MONDO."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.experiments.linking.experiment import Experiment
from tests.experiments.linking.vocabularies import hpo, hpo_in_chinese, mondo, names_table

_TESTS: Final = Path(__file__).parents[2] / "kg" / "linking"
SENTENCES: Final = _TESTS / "sentences.jsonl"
"""Read while the linker was being written: its mistakes on them were looked at. The ids have
the meaning of each mention, as we read it in HPO and MONDO; no physician checked them.
Everything in a sentence that HPO or MONDO has is meant to be marked."""

UNSEEN: Final = _TESTS / "unseen.jsonl"
"""More of them, whose single mistakes nobody who writes the linker has looked at."""


def own_sentences(data: Path, seed: int) -> Iterator[Experiment]:
    """Running text in English and Chinese: typos, lay names, abbreviations, negation, family."""
    del seed
    golds = {
        path.stem: [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        for path in (SENTENCES, UNSEEN)
    }
    table = names_table([*hpo(data), *mondo(data), *hpo_in_chinese(data)])
    yield Experiment("Own sentences", table, golds)

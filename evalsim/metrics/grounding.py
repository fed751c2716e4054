"""How much of what a patient names is in the graph, with and without a director (table 6)."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from evalsim.metrics.scores import Played
from evalsim.statistics import Interval, bootstrap_statistic, cluster_totals


class Mention(NamedTuple):
    """A medical thing that an utterance names."""

    text: str
    known: bool
    """Whether it is an entity of the graph."""


Recogniser = Callable[[str], Sequence[Mention]]
"""Finds the mentions of a text, not by the names that the patient speaks with: else all are known."""


@dataclass(frozen=True)
class Grounding:
    """Shares of mentions and utterances that the graph knows; nan where there is none."""

    utterances: int
    with_mention: int
    """That name anything."""
    mentions: int
    share: Interval
    """Of the mentions, those of entities of the graph, as the paper's section 5.3 says; interval by
    whole diseases or drugs."""
    utterance_share: Interval
    """Of the utterances with a mention, those with one of an entity of the graph, as the caption of its
    table 6 says."""


def grounding(played: Iterable[Played], recognise: Recogniser, *, seed: int = 0) -> Grounding:
    """Look for what the patient names in the graph.

    Args:
        played: dialogues of one task and setting.
        recognise: finds the mentions of a text.
        seed: of the bootstrap.
    """
    rows: list[tuple[float, float, float, float]] = []
    names: list[str] = []
    for each in played:
        for turn in each.dialogue.turns:
            found = recognise(turn.patient)
            known = sum(mention.known for mention in found)
            rows.append((known, len(found), float(known > 0), float(len(found) > 0)))
            names.append(each.target)
    if not sum(row[1] for row in rows):
        nothing = Interval(math.nan, math.nan, math.nan)
        return Grounding(len(rows), 0, 0, nothing, nothing)
    table = np.array(rows, dtype=float)
    totals = cluster_totals(table, names)
    return Grounding(
        len(rows),
        int(table[:, 3].sum()),
        int(table[:, 1].sum()),
        bootstrap_statistic(totals, lambda sums: sums[:, 0] / sums[:, 1], seed=seed),
        bootstrap_statistic(totals, lambda sums: sums[:, 2] / sums[:, 3], seed=seed),
    )

"""How much of what a patient names is in the graph, with and without a director (table 6)."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from evalsim.metrics.recognisers import Recogniser
from evalsim.metrics.scores import Played
from evalsim.statistics import Interval, bootstrap_statistic, cluster_totals


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
    """Of all utterances, those with a mention of an entity of the graph, as the caption of its table 6
    says: a patient that drifts into generic words names nothing."""


def grounding(played: Iterable[Played], recognise: Recogniser, *, seed: int = 0) -> Grounding:
    """Look for what the patient names in the graph.

    Args:
        played: dialogues of one task and setting.
        recognise: finds the mentions of a text.
        seed: of the bootstrap.
    """
    rows: list[tuple[float, float, float]] = []
    names: list[str] = []
    naming = 0
    for each in played:
        for turn in each.dialogue.turns:
            mentions = recognise(turn.patient)
            known = sum(mention.known for mention in mentions)
            rows.append((known, len(mentions), float(known > 0)))
            naming += bool(mentions)
            names.append(each.target)
    if not naming:
        nothing = Interval(math.nan, math.nan, math.nan)
        return Grounding(len(rows), 0, 0, nothing, nothing)
    table = np.column_stack([np.array(rows, dtype=float), np.ones(len(rows))])
    totals = cluster_totals(table, names)
    return Grounding(
        len(rows),
        naming,
        int(table[:, 1].sum()),
        bootstrap_statistic(totals, lambda sums: sums[:, 0] / sums[:, 1], seed=seed),
        bootstrap_statistic(totals, lambda sums: sums[:, 2] / sums[:, 3], seed=seed),
    )

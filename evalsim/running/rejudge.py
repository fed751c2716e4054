"""Judges dialogues again that were held before, by other judges, prompts or another graph.

No dialogue is run: what was said stands. The result is a log like any other, so that it can be reported,
resumed and judged again; ``score_changes`` says what is different from before.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from evalsim.case import Task
from evalsim.metrics.scores import SAFETY, highest, turn_panel
from evalsim.running.logs import HeldDialogue, read_dialogues


@dataclass(frozen=True)
class ScoreChanges:
    """What judging again changed on one metric of one task."""

    task: Task
    metric: str
    turns: int
    """Judged before and after."""
    before: float
    """Mean score of those, in points, 0 to ``highest``."""
    after: float
    changes: Mapping[tuple[float, float], int]
    """How many turns went from one score to another, those that stayed too."""
    lost: int
    """Scored before, not now."""
    gained: int
    """Scored now, not before."""

    @property
    def highest(self) -> int:
        """The highest score of the metric, in points."""
        return highest(self.task, self.metric)

    @property
    def changed(self) -> int:
        """Turns with another score."""
        return sum(n for (old, new), n in self.changes.items() if old != new)


def score_changes(before: Sequence[Path], after: Sequence[Path]) -> list[ScoreChanges]:
    """What is different, a row for each metric of each task, by name; of several judges the median counts.

    Args:
        before: the logs whose dialogues were judged again.
        after: the logs of that.
    """
    scores_before = _scores(read_dialogues(before), again=False)
    scores_after = _scores(read_dialogues(after), again=True)
    rows = []
    all_keys = scores_before.keys() | scores_after.keys()
    for task, metric in sorted({(key.task, key.metric) for key in all_keys}):
        keys = [key for key in all_keys if (key.task, key.metric) == (task, metric)]
        pairs = [
            (scores_before[key], scores_after[key])
            for key in keys
            if key in scores_before and key in scores_after
        ]
        rows.append(
            ScoreChanges(
                task=task,
                metric=metric,
                turns=len(pairs),
                before=sum(old for old, _ in pairs) / len(pairs) if pairs else float("nan"),
                after=sum(new for _, new in pairs) / len(pairs) if pairs else float("nan"),
                changes=dict(sorted(Counter(pairs).items())),
                lost=sum(key in scores_before and key not in scores_after for key in keys),
                gained=sum(key in scores_after and key not in scores_before for key in keys),
            )
        )
    return rows


class _Key(NamedTuple):
    """What a score is of."""

    dialogue: str
    turn: int
    task: Task
    metric: str


def _scores(dialogues: Iterable[HeldDialogue], *, again: bool) -> dict[_Key, float]:
    """What the judges together say of every turn that has a score."""
    scores: dict[_Key, float] = {}
    for each in dialogues:
        name = each.sample if again else f"{each.run.id} {each.case.id} {each.repeat}"
        for turn in each.dialogue.turns:
            for metric in {judgement.metric for judgement in turn.judgements}:
                panel = turn_panel(each.dialogue, turn, metric) if metric != SAFETY else None
                if panel is not None and panel.score is not None:
                    key = _Key(name, turn.number, each.dialogue.task, metric)
                    scores[key] = panel.score
    return scores

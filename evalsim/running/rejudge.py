"""Judges dialogues again that were held before, by other judges, prompts or another graph.

No dialogue is run: what was said stands. The result is a log like any other, so that it can be reported,
resumed and judged again; ``moved`` says what is different from before.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evalsim.case import Task
from evalsim.metrics.scores import SAFETY, highest, turn_panel
from evalsim.running.logs import HeldDialogue, read_dialogues


@dataclass(frozen=True)
class Moved:
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


def moved(before: Sequence[Path], after: Sequence[Path]) -> list[Moved]:
    """What is different, a row for each metric of each task, by name; of several judges the median counts.

    Args:
        before: the logs whose dialogues were judged again.
        after: the logs of that.
    """
    first = _scores(read_dialogues(before), again=False)
    second = _scores(read_dialogues(after), again=True)
    rows = []
    for task, metric in sorted({key[2:] for key in first.keys() | second.keys()}):
        keys = [key for key in first.keys() | second.keys() if key[2:] == (task, metric)]
        both = [(first[key], second[key]) for key in keys if key in first and key in second]
        rows.append(
            Moved(
                task=task,
                metric=metric,
                turns=len(both),
                before=sum(old for old, _ in both) / len(both) if both else float("nan"),
                after=sum(new for _, new in both) / len(both) if both else float("nan"),
                changes=dict(sorted(Counter(both).items())),
                lost=sum(key in first and key not in second for key in keys),
                gained=sum(key in second and key not in first for key in keys),
            )
        )
    return rows


_Key = tuple[str, int, Task, str]
"""The dialogue, the number of the turn, the task, and the metric."""


def _scores(held: Iterable[HeldDialogue], *, again: bool) -> dict[_Key, float]:
    """What the judges together say of every turn that has a score."""
    scores: dict[_Key, float] = {}
    for each in held:
        name = each.sample if again else f"{each.run.id} {each.case.id} {each.repeat}"
        for turn in each.dialogue.turns:
            for metric in {judgement.metric for judgement in turn.judgements}:
                panel = turn_panel(each.dialogue, turn, metric) if metric != SAFETY else None
                if panel is not None and panel.score is not None:
                    scores[name, turn.number, each.dialogue.task, metric] = panel.score
    return scores

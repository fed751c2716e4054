"""What a run came to, in one table: scores with their intervals, how dialogues ended, what they cost."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from evalsim.metrics.leaderboard import Standing, leaderboard
from evalsim.running.calls import Spent
from evalsim.running.logs import HeldDialogue, read_dialogues


@dataclass(frozen=True)
class Summary:
    """Of one or more runs."""

    standings: tuple[Standing, ...]
    dialogues: int
    turns: float
    """On average."""
    ends: Mapping[str, int]
    """Dialogues by the reason of their end."""
    violations: int
    """Turns in which a patient broke a rule."""
    unscored: int
    """Judgements that were due and cannot be read."""
    spent: Mapping[str, Spent]
    """By role."""
    logs: tuple[str, ...]

    def json(self) -> dict[str, Any]:
        """For a script."""
        return asdict(self)


def summarize(logs: Sequence[Path]) -> Summary:
    """What some logs hold.

    Raises:
        EvaluationError: one cannot be read.
    """
    dialogues = list(read_dialogues(logs))
    turns = [turn for each in dialogues for turn in each.dialogue.turns]
    return Summary(
        standings=leaderboard([each.played for each in dialogues]),
        dialogues=len(dialogues),
        turns=len(turns) / len(dialogues) if dialogues else 0.0,
        ends=dict(
            sorted(Counter(str(each.dialogue.end or "cut off") for each in dialogues).items())
        ),
        violations=sum(bool(turn.violations) for turn in turns),
        unscored=sum(
            judgement.score is None and judgement.applies and judgement.metric != "safety"
            for turn in turns
            for judgement in turn.judgements
        ),
        spent=_spent(dialogues),
        logs=tuple(str(log) for log in logs),
    )


def _spent(dialogues: Iterable[HeldDialogue]) -> dict[str, Spent]:
    total: dict[str, Spent] = {}
    for each in dialogues:
        for role, spent in each.spent.items():
            total.setdefault(role, Spent()).include(spent)
    return total

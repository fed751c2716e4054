"""What several judges together say of a reply; every judge's own row stays beside it."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final, Literal, get_args

from evalsim.dialogue import Judgement

Rule = Literal["majority", "median"]
RULES: Final[tuple[Rule, ...]] = get_args(Rule)


@dataclass(frozen=True)
class Panel:
    """What judges say of one reply on one metric."""

    rows: tuple[Judgement, ...]
    """Of every judge that was asked, in their order."""
    score: float | None
    """By the rule; None: nobody scored it, or the majority is tied."""
    tied: tuple[float, ...] = ()
    """Scores that the most judges gave alike, where there are several."""
    disagreement: float | None = None
    """Points between the highest and the lowest score; None where fewer than two judges scored."""
    applies: bool = True
    """False: every judge that counts says that there is nothing to score."""


def decide(rows: Sequence[Judgement], by: str = "median") -> Panel:
    """Bring the rows of several judges to one score.

    Args:
        rows: judgements of one reply on one metric; those without a score do not vote.
        by: ``majority``: the score that the most judges gave, none where several were given as often;
            ``median``: the middle one, between two the half; else the name of the one judge that counts.

    Raises:
        ValueError: the rows are of several metrics.
    """
    if len({row.metric for row in rows}) > 1:
        raise ValueError("judgements of several metrics have no score in common")
    scores = [row.score for row in rows if row.score is not None]
    apart = max(scores) - min(scores) if len(scores) > 1 else None
    counting = [row for row in rows if by in RULES or row.judge == by]
    scores = [row.score for row in counting if row.score is not None]
    if not scores:
        applies = not counting or any(row.applies for row in counting)
        return Panel(tuple(rows), None, (), apart, applies)
    if by != "majority":
        return Panel(tuple(rows), float(median(scores)), (), apart)
    votes = {score: scores.count(score) for score in scores}
    most = sorted(score for score, count in votes.items() if count == max(votes.values()))
    if len(most) > 1:
        return Panel(tuple(rows), None, tuple(most), apart)
    return Panel(tuple(rows), most[0], (), apart)

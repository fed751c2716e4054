"""Scores of dialogues, normalised as in table 5 of MedKGEval, with what was not scored in plain sight.

A score is of the turns that it is due for:

* correctness of a diagnosis: the reply that ended the dialogue, 0 to 3;
* history-taking: every reply in which the history can still be taken (``Turn.takes_history``), 0 to 2: not
  one that answers the request for a diagnosis, nor one that gives it after earlier turns. A diagnosis in
  the first turn counts, as it does in the paper (1.11 turns on average and a score of 0.2821, section 5.2);
* correctness and comprehensiveness of advice on a drug: every reply, 0 to 2.

A dialogue's score is the mean over its scored turns by the highest score that there is. A turn that was
due and not scored is no 0 and is not forgotten: beside the score stand the bounds that it would have,
were all of them 0 or all full. A turn to which a metric does not apply, as all judges say, is not due; such
turns are counted, since a judge that says so of the hard ones would flatter. A doctor that is silent or
refuses scores 0 in that turn, where no judge was asked about it; a reply that an endpoint failed to give is
not scored.
"""

from dataclasses import dataclass
from typing import Final

from evalsim.case import Task
from evalsim.dialogue import Dialogue, EndReason, Turn
from evalsim.metrics.rules import Panel, decide

METRICS: Final[dict[Task, tuple[str, ...]]] = {
    "diagnosis": ("correctness", "history_taking"),
    "medication": ("correctness", "comprehensiveness"),
}
"""Of table 2, those that have scores."""
SAFETY: Final = "safety"
"""The metric of flags."""
_UNANSWERED: Final = {EndReason.SILENT, EndReason.REFUSED}


@dataclass(frozen=True)
class Played:
    """A dialogue, and who played it."""

    dialogue: Dialogue
    doctor: str
    """Name of the model."""
    target: str
    """Id of the disease or the drug: what dialogues hang together by."""
    repeat: int = 1
    """Of the case, from 1."""
    patient: str = ""
    """Name of the model."""
    directed: bool = True
    single_turn: bool = False
    """All findings at once, and one reply."""


@dataclass(frozen=True)
class Scored:
    """One dialogue on one metric, all scores in [0, 1]."""

    score: float | None
    """Mean over the scored turns; None: none was scored."""
    low: float
    """What the mean would be, were every turn without a score 0."""
    high: float
    """Likewise, were it full."""
    judged: int
    """Turns with a score."""
    due: int
    """Turns that were to have one."""
    tied: int = 0
    """Turns without a score for a tie between judges."""
    inapplicable: int = 0
    """Turns to which the metric does not apply, as the judges say; they are not due."""

    @property
    def coverage(self) -> float:
        """Share of the due turns that have a score; 0 where none is due."""
        return self.judged / self.due if self.due else 0.0


def highest(task: Task, metric: str) -> int:
    """The highest score of a metric (table 2).

    Raises:
        ValueError: the task has no such metric.
    """
    if metric not in METRICS[task]:
        raise ValueError(f"{metric}: a {task} has {', '.join(METRICS[task])}")
    return 3 if (task, metric) == ("diagnosis", "correctness") else 2


def due_turns(dialogue: Dialogue, metric: str) -> tuple[Turn | None, ...]:
    """The turns that a score is due for; None: a reply that never came."""
    if not dialogue.turns:
        return (None,)
    if (dialogue.task, metric) == ("diagnosis", "correctness"):
        return (dialogue.turns[-1],)
    history = metric == "history_taking"
    return tuple(turn for turn in dialogue.turns if turn.takes_history or not history)


def turn_panel(dialogue: Dialogue, turn: Turn, metric: str, by: str = "median") -> Panel:
    """What the judges say of one turn.

    Args:
        dialogue: that the turn is of.
        turn: any of its turns.
        metric: of the task.
        by: a rule or a judge, as ``decide`` takes it.

    Raises:
        ValueError: the task has no such metric, or a score is beyond the highest.
    """
    most = highest(dialogue.task, metric)
    rows = [each for each in turn.judgements if each.metric == metric]
    for row in rows:
        if row.score is not None and not 0 <= row.score <= most:
            where = f"{dialogue.case}, turn {turn.number}, {metric} by {row.judge}"
            raise ValueError(f"{where}: {row.score:g} is not 0 to {most}; judge the log again")
    unanswered = dialogue.end in _UNANSWERED and turn.number == dialogue.turns[-1].number
    if unanswered and not rows:
        return Panel((), 0.0)
    return decide(rows, by)


def score_dialogue(dialogue: Dialogue, metric: str, by: str = "median") -> Scored:
    """Score a dialogue on one metric.

    Args:
        dialogue: that has ended.
        metric: of its task.
        by: a rule or a judge, as ``decide`` takes it.

    Returns:
        A tie between judges bounds the turn by the tied scores; whatever else was not scored by 0 and
        the highest.

    Raises:
        ValueError: as ``turn_panel`` says.
    """
    highest_score = highest(dialogue.task, metric)
    turn_scores: list[float] = []
    low = high = tied = 0.0
    panels = [
        Panel((), None) if turn is None else turn_panel(dialogue, turn, metric, by)
        for turn in due_turns(dialogue, metric)
    ]
    due = [panel for panel in panels if panel.applies]
    inapplicable = len(panels) - len(due)
    for panel in due:
        if panel.score is not None:
            turn_scores.append(panel.score)
        tied += bool(panel.tied)
        low += panel.score if panel.score is not None else min(panel.tied, default=0.0)
        high += panel.score if panel.score is not None else max(panel.tied, default=highest_score)
    if not due:
        return Scored(None, 0.0, 1.0, 0, 0, 0, inapplicable)
    highest_sum = highest_score * len(due)
    score = sum(turn_scores) / (highest_score * len(turn_scores)) if turn_scores else None
    return Scored(
        score,
        low / highest_sum,
        high / highest_sum,
        len(turn_scores),
        len(due),
        int(tied),
        inapplicable,
    )

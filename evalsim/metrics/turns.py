"""Scores by how long dialogues were (figures 4 and 5 of MedKGEval), and turns up to a diagnosis."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evalsim.dialogue import EndReason
from evalsim.metrics.leaderboard import UNKNOWN, Setting
from evalsim.metrics.scores import Played, score_dialogue
from evalsim.statistics import Interval, bootstrap_mean


@dataclass(frozen=True, order=True)
class Bubble:
    """Dialogues of one doctor that ended at one turn with one score."""

    doctor: str
    turns: int
    score: float
    """In [0, 1]."""
    dialogues: int


@dataclass(frozen=True)
class DiagnosisTurns:
    """How soon one doctor comes to a diagnosis."""

    setting: Setting
    doctor: str
    diagnosed: int
    """Dialogues that ended with one."""
    turns: Interval
    """Mean turns of those that ended with one (section 5.2), with its interval by whole diseases."""


def turn_bubbles(
    played: Iterable[Played], metric: str, *, by: str = "median"
) -> tuple[Bubble, ...]:
    """How many dialogues ended at which turn with which score (figures 4 and 5).

    Args:
        played: dialogues of one setting.
        metric: of its task.
        by: a rule or a judge, as ``evalsim.metrics.decide`` takes it.

    Returns:
        Sorted; dialogues without a score are in none.

    Raises:
        ValueError: as ``score_dialogue`` says.
    """
    counts: Counter[tuple[str, int, float]] = Counter()
    for each in played:
        score = score_dialogue(each.dialogue, metric, by).score
        if score is not None:
            counts[each.doctor, len(each.dialogue.turns), round(score, 4)] += 1
    return tuple(sorted(Bubble(*key, count) for key, count in counts.items()))


def turns_to_diagnosis(played: Sequence[Played], *, seed: int = 0) -> tuple[DiagnosisTurns, ...]:
    """How soon each doctor diagnoses, by setting.

    Args:
        played: dialogues of any doctors; those about drugs are passed over.
        seed: of the bootstrap.
    """
    dialogues_of: dict[tuple[Setting, str], list[Played]] = {}
    for each in played:
        if each.dialogue.task == "diagnosis":
            dialogues_of.setdefault((Setting.of(each), each.doctor), []).append(each)
    rows = []
    for setting, doctor in sorted(dialogues_of):
        dialogues = dialogues_of[setting, doctor]
        ended = [each for each in dialogues if each.dialogue.end == EndReason.DIAGNOSED]
        turns = [float(len(each.dialogue.turns)) for each in ended]
        targets = [each.target for each in ended]
        mean = bootstrap_mean(turns, targets, seed=seed) if ended else UNKNOWN
        rows.append(DiagnosisTurns(setting, doctor, len(ended), mean))
    return tuple(rows)

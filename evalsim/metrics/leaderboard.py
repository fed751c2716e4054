"""Doctors beside each other: means with clustered intervals, with and without broken rules, flags.

Everything is by task, language and setting (several turns or one, with a director or without), as table
5 of MedKGEval has it. Every dialogue counts alike in a mean, however many of its turns were scored.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, get_args

import numpy as np

from evalsim.case import Language, Task
from evalsim.dialogue import Flag, Judgement
from evalsim.metrics.rules import RULES
from evalsim.metrics.scores import METRICS, SAFETY, Played, Scored, score_dialogue
from evalsim.statistics import Interval, bootstrap_mean, bootstrap_statistic, cluster_totals

UNKNOWN = Interval(math.nan, math.nan, math.nan)
_FLAGS: Final[tuple[str, ...]] = get_args(Flag)


@dataclass(frozen=True, order=True)
class Setting:
    """What dialogues have in common that may stand in one table."""

    task: Task
    language: Language
    single_turn: bool = False
    directed: bool = True

    @classmethod
    def of(cls, played: Played) -> "Setting":
        """The setting of a dialogue."""
        dialogue = played.dialogue
        return cls(dialogue.task, dialogue.language, played.single_turn, played.directed)

    def metrics(self) -> tuple[str, ...]:
        """Those that dialogues of the setting have scores of; one reply to all takes no history."""
        return METRICS[self.task][:1] if self.single_turn else METRICS[self.task]


@dataclass(frozen=True)
class Standing:
    """One doctor on one metric: a cell of table 5."""

    setting: Setting
    metric: str
    doctor: str
    dialogues: int
    targets: int
    """Diseases or drugs, the clusters of the interval."""
    unscored: int
    """Dialogues without any score; they are not in the mean, but in the bounds."""
    partial: int
    """Dialogues with a score of some of their due turns."""
    coverage: float
    """Share of the due turns of all dialogues that have a score."""
    inapplicable: int
    """Turns to which the metric does not apply, as the judges say."""
    score: Interval
    """Mean over the dialogues with a score, with its interval by whole targets, at 95 %."""
    low: float
    """Mean over all dialogues, whatever was not scored being 0."""
    high: float
    """Likewise, being full."""


@dataclass(frozen=True)
class Unbroken:
    """A doctor's score with and without the dialogues whose patient broke a rule."""

    setting: Setting
    metric: str
    doctor: str
    dialogues: int
    """With a score."""
    affected: int
    """Of them, those in which a patient's turn broke a rule."""
    every: Interval
    without: Interval
    """Of the dialogues that are not affected; nan where there is none."""
    difference: Interval
    """Without them, less with them."""


@dataclass(frozen=True)
class Flagged:
    """How often one judge raises one safety flag for one doctor."""

    setting: Setting
    doctor: str
    judge: str
    flag: str
    dialogues: int
    flagged: int
    share: Interval
    """By whole targets. Where no dialogue is flagged, or every one, no draw differs: then it is the exact
    interval of Clopper and Pearson (1934), of as many targets."""


def leaderboard(
    played: Sequence[Played], *, by: str = "median", seed: int = 0
) -> tuple[Standing, ...]:
    """Every doctor on every metric (table 5), the best first within setting and metric.

    Args:
        played: dialogues of any doctors.
        by: a rule or a judge, as ``decide`` takes it.
        seed: of the bootstrap.

    Raises:
        ValueError: as ``score_dialogue`` says; or there is no such rule or judge.
    """
    return tuple(
        standing
        for setting, metric, dialogues in groups(played, by)
        for standing in sorted(
            (
                _standing(
                    setting,
                    metric,
                    [each for each in dialogues if each.doctor == doctor],
                    by=by,
                    seed=seed,
                )
                for doctor in doctors(dialogues)
            ),
            key=lambda each: (
                -each.score.mean if math.isfinite(each.score.mean) else math.inf,
                each.doctor,
            ),
        )
    )


def without_violations(
    played: Sequence[Played], *, by: str = "median", seed: int = 0
) -> tuple[Unbroken, ...]:
    """Scores with and without the dialogues in which a patient's turn broke a rule.

    The difference is not what the broken rules did: long dialogues, of hard cases, have more turns in which
    one can be broken.

    Args:
        played: dialogues of any doctors.
        by: a rule or a judge, as ``decide`` takes it.
        seed: of the bootstrap.

    Raises:
        ValueError: as ``score_dialogue`` says; or there is no such rule or judge.
    """
    return tuple(
        _with_and_without(setting, metric, scored, seed)
        for setting, metric, dialogues in groups(played, by)
        for doctor in doctors(dialogues)
        if (scored := _scored(dialogues, doctor, metric, by))
    )


def safety_flags(played: Sequence[Played], *, seed: int = 0) -> tuple[Flagged, ...]:
    """In how many dialogues of each doctor every judge raised each flag, also where it raised none.

    Args:
        played: dialogues of any doctors.
        seed: of the bootstrap.
    """
    rows = []
    for setting in sorted({Setting.of(each) for each in played}):
        dialogues = [each for each in played if Setting.of(each) == setting]
        raised = [(each, {*_flags(each)}) for each in dialogues]
        judges = sorted({row.judge for each in dialogues for row in _safety_judgements(each)})
        other_flags = {flag for _, flags in raised for _, flag in flags} - {*_FLAGS}
        judge_flags = [
            (judge, flag) for judge in judges for flag in (*_FLAGS, *sorted(other_flags))
        ]
        for doctor in doctors(dialogues):
            of_doctor = [(each, flags) for each, flags in raised if each.doctor == doctor]
            targets = [each.target for each, _ in of_doctor]
            for judge, flag in judge_flags:
                is_flagged = [float((judge, flag) in flags) for _, flags in of_doctor]
                share = _share(is_flagged, targets, seed)
                rows.append(
                    Flagged(
                        setting, doctor, judge, flag, len(of_doctor), int(sum(is_flagged)), share
                    )
                )
    return tuple(rows)


def groups(played: Sequence[Played], by: str) -> Iterable[tuple[Setting, str, list[Played]]]:
    """Settings and metrics, with the dialogues of each setting.

    Raises:
        ValueError: no judge of any dialogue has the name that is to count.
    """
    turns = (turn for each in played for turn in each.dialogue.turns)
    judges = {row.judge for turn in turns for row in turn.judgements}
    if judges and by not in {*RULES, *judges}:
        names = ", ".join([*RULES, *sorted(judges)])
        raise ValueError(f"{by}: no such rule or judge; there are {names}")
    for setting in sorted({Setting.of(each) for each in played}):
        dialogues = [each for each in played if Setting.of(each) == setting]
        for metric in setting.metrics():
            yield setting, metric, dialogues


def doctors(played: Iterable[Played]) -> list[str]:
    """Their names, sorted."""
    return sorted({each.doctor for each in played})


def _standing(
    setting: Setting, metric: str, dialogues: Sequence[Played], *, by: str, seed: int
) -> Standing:
    scored = [score_dialogue(each.dialogue, metric, by) for each in dialogues]
    scored_targets = [
        (each.score, dialogue.target)
        for dialogue, each in zip(dialogues, scored, strict=True)
        if each.score is not None
    ]
    mean = (
        bootstrap_mean(
            [score for score, _ in scored_targets], [name for _, name in scored_targets], seed=seed
        )
        if scored_targets
        else UNKNOWN
    )
    due = sum(each.due for each in scored)
    return Standing(
        setting,
        metric,
        dialogues[0].doctor,
        len(dialogues),
        len({each.target for each in dialogues}),
        sum(each.score is None for each in scored),
        sum(0 < each.judged < each.due for each in scored),
        sum(each.judged for each in scored) / due if due else 0.0,
        sum(each.inapplicable for each in scored),
        mean,
        _mean(scored, lambda each: each.low),
        _mean(scored, lambda each: each.high),
    )


def _mean(scored: Sequence[Scored], score_of: Callable[[Scored], float]) -> float:
    return sum(map(score_of, scored)) / len(scored)


def _scored(
    played: Iterable[Played], doctor: str, metric: str, by: str
) -> list[tuple[Played, float]]:
    """The doctor's dialogues that have a score."""
    rows = []
    for each in played:
        if each.doctor == doctor:
            score = score_dialogue(each.dialogue, metric, by).score
            if score is not None:
                rows.append((each, score))
    return rows


def _with_and_without(
    setting: Setting,
    metric: str,
    scored: Sequence[tuple[Played, float]],
    seed: int,
) -> Unbroken:
    doctor = scored[0][0].doctor
    broken = [any(turn.violations for turn in each.dialogue.turns) for each, _ in scored]
    rows = np.array(
        [
            (score, 1.0, score * (not is_broken), float(not is_broken))
            for (_, score), is_broken in zip(scored, broken, strict=True)
        ]
    )
    totals = cluster_totals(rows, [each.target for each, _ in scored])
    of_all = bootstrap_statistic(totals, lambda s: s[:, 0] / s[:, 1], seed=seed)
    if all(broken):
        return Unbroken(
            setting, metric, doctor, len(scored), len(scored), of_all, UNKNOWN, UNKNOWN
        )
    return Unbroken(
        setting,
        metric,
        doctor,
        len(scored),
        sum(broken),
        of_all,
        bootstrap_statistic(totals, lambda s: s[:, 2] / s[:, 3], seed=seed),
        bootstrap_statistic(totals, lambda s: s[:, 2] / s[:, 3] - s[:, 0] / s[:, 1], seed=seed),
    )


def _share(is_flagged: Sequence[float], targets: Sequence[str], seed: int) -> Interval:
    """The share of dialogues that have a flag, with its interval."""
    from scipy.stats import binomtest  # noqa: PLC0415 - half a second

    if 0 < sum(is_flagged) < len(is_flagged):
        return bootstrap_mean(is_flagged, targets, seed=seed)
    count, all_or_none = len({*targets}), is_flagged[0]
    exact = binomtest(count if all_or_none else 0, count).proportion_ci()
    return Interval(all_or_none, float(exact.low), float(exact.high))


def _safety_judgements(played: Played) -> Iterable[Judgement]:
    """What judges say on the safety of every turn."""
    rows = (row for turn in played.dialogue.turns for row in turn.judgements)
    return (row for row in rows if row.metric == SAFETY)


def _flags(played: Played) -> Iterable[tuple[str, str]]:
    """Judge and flag, of every turn."""
    return ((row.judge, flag) for row in _safety_judgements(played) for flag in row.flags)

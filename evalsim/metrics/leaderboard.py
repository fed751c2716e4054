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
        for setting, metric, own in groups(played, by)
        for standing in sorted(
            (
                _standing(setting, metric, _of(own, doctor), by=by, seed=seed)
                for doctor in doctors(own)
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
        _unbroken(setting, metric, scored, seed)
        for setting, metric, own in groups(played, by)
        for doctor in doctors(own)
        if (scored := _scored(own, doctor, metric, by))
    )


def safety_flags(played: Sequence[Played], *, seed: int = 0) -> tuple[Flagged, ...]:
    """In how many dialogues of each doctor every judge raised each flag, also where it raised none.

    Args:
        played: dialogues of any doctors.
        seed: of the bootstrap.
    """
    rows = []
    for setting in sorted({Setting.of(each) for each in played}):
        own = [each for each in played if Setting.of(each) == setting]
        raised = [(each, {*_flags(each)}) for each in own]
        judges = sorted({row.judge for each in own for row in _of_safety(each)})
        other_flags = {flag for _, flags in raised for _, flag in flags} - {*_FLAGS}
        kinds = [(judge, flag) for judge in judges for flag in (*_FLAGS, *sorted(other_flags))]
        for doctor in doctors(own):
            its = [(each, flags) for each, flags in raised if each.doctor == doctor]
            names = [each.target for each, _ in its]
            for judge, flag in kinds:
                has = [float((judge, flag) in flags) for _, flags in its]
                share = _share(has, names, seed)
                rows.append(Flagged(setting, doctor, judge, flag, len(its), int(sum(has)), share))
    return tuple(rows)


def groups(played: Sequence[Played], by: str) -> Iterable[tuple[Setting, str, list[Played]]]:
    """Settings and metrics, with the dialogues of each setting.

    Raises:
        ValueError: no judge of any dialogue has the name that is to count.
    """
    turns = (turn for each in played for turn in each.dialogue.turns)
    judges = {row.judge for turn in turns for row in turn.judgements}
    if judges and by not in {*RULES, *judges}:
        named = ", ".join([*RULES, *sorted(judges)])
        raise ValueError(f"{by}: no such rule or judge; there are {named}")
    for setting in sorted({Setting.of(each) for each in played}):
        own = [each for each in played if Setting.of(each) == setting]
        for metric in setting.metrics():
            yield setting, metric, own


def doctors(played: Iterable[Played]) -> list[str]:
    """Their names, sorted."""
    return sorted({each.doctor for each in played})


def _standing(
    setting: Setting, metric: str, own: Sequence[Played], *, by: str, seed: int
) -> Standing:
    scored = [score_dialogue(each.dialogue, metric, by) for each in own]
    known = [
        (each.score, one.target)
        for one, each in zip(own, scored, strict=True)
        if each.score is not None
    ]
    mean = (
        bootstrap_mean([score for score, _ in known], [name for _, name in known], seed=seed)
        if known
        else UNKNOWN
    )
    due = sum(each.due for each in scored)
    return Standing(
        setting,
        metric,
        own[0].doctor,
        len(own),
        len({each.target for each in own}),
        sum(each.score is None for each in scored),
        sum(0 < each.judged < each.due for each in scored),
        sum(each.judged for each in scored) / due if due else 0.0,
        sum(each.inapplicable for each in scored),
        mean,
        _mean(scored, lambda each: each.low),
        _mean(scored, lambda each: each.high),
    )


def _of(played: Iterable[Played], doctor: str) -> list[Played]:
    return [each for each in played if each.doctor == doctor]


def _mean(scored: Sequence[Scored], of: Callable[[Scored], float]) -> float:
    return sum(map(of, scored)) / len(scored)


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


def _unbroken(
    setting: Setting,
    metric: str,
    scored: Sequence[tuple[Played, float]],
    seed: int,
) -> Unbroken:
    doctor = scored[0][0].doctor
    broken = [any(turn.violations for turn in each.dialogue.turns) for each, _ in scored]
    rows = np.array(
        [
            (score, 1.0, score * (not hit), float(not hit))
            for (_, score), hit in zip(scored, broken, strict=True)
        ]
    )
    totals = cluster_totals(rows, [each.target for each, _ in scored])
    every = bootstrap_statistic(totals, lambda s: s[:, 0] / s[:, 1], seed=seed)
    if all(broken):
        return Unbroken(setting, metric, doctor, len(scored), len(scored), every, UNKNOWN, UNKNOWN)
    return Unbroken(
        setting,
        metric,
        doctor,
        len(scored),
        sum(broken),
        every,
        bootstrap_statistic(totals, lambda s: s[:, 2] / s[:, 3], seed=seed),
        bootstrap_statistic(totals, lambda s: s[:, 2] / s[:, 3] - s[:, 0] / s[:, 1], seed=seed),
    )


def _share(has: Sequence[float], names: Sequence[str], seed: int) -> Interval:
    """Of dialogues that have a flag."""
    from scipy.stats import binomtest  # noqa: PLC0415 - half a second

    if 0 < sum(has) < len(has):
        return bootstrap_mean(has, names, seed=seed)
    targets = len({*names})
    exact = binomtest(targets if has[0] else 0, targets).proportion_ci()
    return Interval(has[0], float(exact.low), float(exact.high))


def _of_safety(played: Played) -> Iterable[Judgement]:
    """What judges say on the safety of every turn."""
    rows = (row for turn in played.dialogue.turns for row in turn.judgements)
    return (row for row in rows if row.metric == SAFETY)


def _flags(played: Played) -> Iterable[tuple[str, str]]:
    """Judge and flag, of every turn."""
    return ((row.judge, flag) for row in _of_safety(played) for flag in row.flags)

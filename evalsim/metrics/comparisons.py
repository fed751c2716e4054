"""Doctors on the same cases, and one doctor with and without a director (table 7 of MedKGEval)."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import NamedTuple

from evalsim.metrics.leaderboard import Setting, doctors, groups
from evalsim.metrics.scores import Played, score_dialogue
from evalsim.statistics import (
    Comparison,
    McNemar,
    Pilot,
    benjamini_hochberg,
    compare,
    holm,
    mcnemar,
    pilot,
)


@dataclass(frozen=True)
class Versus:
    """Two doctors on the same cases, one minus other."""

    setting: Setting
    metric: str
    one: str
    other: str
    comparison: Comparison
    mcnemar: McNemar | None
    """Of the cases that a doctor gets fully right in its first repeat; of diagnoses alone."""
    holm: float
    """The t-test's p, adjusted for all pairs of the setting and the metric."""
    benjamini_hochberg: float
    """Likewise."""


@dataclass(frozen=True)
class Piloted:
    """What the dialogues of two doctors tell of the next run."""

    setting: Setting
    metric: str
    one: str
    other: str
    pilot: Pilot


def comparisons(
    played: Sequence[Played], *, by: str = "median", seed: int = 0
) -> tuple[Versus, ...]:
    """Every pair of doctors on the cases that both have a score of; repeats of a case are averaged.

    Args:
        played: dialogues of any doctors.
        by: a rule or a judge, as ``decide`` takes it.
        seed: of the bootstrap.

    Raises:
        ValueError: as ``score_dialogue`` says.
    """
    compared: list[Versus] = []
    for setting, metric, dialogues in groups(played, by):
        targets = {each.dialogue.case: each.target for each in dialogues}
        scored = []
        for doctor in doctors(dialogues):
            own = [each for each in dialogues if each.doctor == doctor]
            scored.append(_DoctorScores(doctor, _by_case(own, metric, by), _fully_right(own, by)))
        pairs = [
            _versus(setting, metric, one, other, targets=targets, seed=seed)
            for one, other in combinations(scored, 2)
        ]
        group = [pair for pair in pairs if pair is not None]
        tested = [each for each in group if math.isfinite(each.comparison.t.p)]
        p_values = [each.comparison.t.p for each in tested]
        adjusted = zip(tested, holm(p_values), benjamini_hochberg(p_values), strict=True)
        compared += [replace(each, holm=h, benjamini_hochberg=b) for each, h, b in adjusted]
        compared += [each for each in group if each not in tested]
    return tuple(compared)


def compare_scores(
    one: Sequence[Played],
    other: Sequence[Played],
    metric: str,
    *,
    by: str = "median",
    seed: int = 0,
) -> Comparison | None:
    """Two lots of dialogues on the cases of both: two doctors, or one with and without a director.

    So table 7 of MedKGEval is had: ``one`` with director, ``other`` without.

    Args:
        one: dialogues of one task.
        other: of the same task.
        metric: of the task.
        by: a rule or a judge, as ``decide`` takes it.
        seed: of the bootstrap.

    Returns:
        The comparison; None where no case is scored in both.

    Raises:
        ValueError: as ``score_dialogue`` says.
    """
    targets = {each.dialogue.case: each.target for each in (*one, *other)}
    return _compared(_by_case(one, metric, by), _by_case(other, metric, by), targets, seed)


def pilots(played: Sequence[Played], *, by: str = "median") -> tuple[Piloted, ...]:
    """Of every pair of doctors, how their difference varies from dialogue to dialogue.

    Args:
        played: dialogues of any doctors; a case and repeat that only one has counts for nothing.
        by: a rule or a judge, as ``decide`` takes it.

    Returns:
        The pairs with two dialogues or more in common.

    Raises:
        ValueError: as ``score_dialogue`` says.
    """
    pairs = []
    for setting, metric, dialogues in groups(played, by):
        targets = {each.dialogue.case: each.target for each in dialogues}
        scores = {name: _by_repeat(dialogues, name, metric, by) for name in doctors(dialogues)}
        for one, other in combinations(scores, 2):
            shared_keys = sorted(scores[one].keys() & scores[other].keys())
            if len(shared_keys) > 1:
                differences = [scores[one][key] - scores[other][key] for key in shared_keys]
                pilot_found = pilot(differences, [targets[case] for case, _ in shared_keys])
                pairs.append(Piloted(setting, metric, one, other, pilot_found))
    return tuple(pairs)


def _by_repeat(
    played: Iterable[Played], doctor: str, metric: str, by: str
) -> dict[tuple[str, int], float]:
    """One doctor's scores by case and repeat, where there is one."""
    scored = (
        (each, score_dialogue(each.dialogue, metric, by).score)
        for each in played
        if each.doctor == doctor
    )
    return {
        (each.dialogue.case, each.repeat): score for each, score in scored if score is not None
    }


def _compared(
    scores_of_one: dict[str, float],
    scores_of_other: dict[str, float],
    targets: dict[str, str],
    seed: int,
) -> Comparison | None:
    """Scores by case, of the cases of both."""
    shared_cases = sorted(scores_of_one.keys() & scores_of_other.keys())
    if not shared_cases:
        return None
    return compare(
        [scores_of_one[key] for key in shared_cases],
        [scores_of_other[key] for key in shared_cases],
        [targets[key] for key in shared_cases],
        seed=seed,
    )


def _by_case(played: Iterable[Played], metric: str, by: str) -> dict[str, float]:
    """The mean score of each case over its repeats that have one."""
    scores: dict[str, list[float]] = {}
    for each in played:
        score = score_dialogue(each.dialogue, metric, by).score
        if score is not None:
            scores.setdefault(each.dialogue.case, []).append(score)
    return {key: sum(repeats) / len(repeats) for key, repeats in scores.items()}


class _DoctorScores(NamedTuple):
    """What a doctor scores on one metric."""

    doctor: str
    by_case: dict[str, float]
    fully_right: dict[str, bool]
    """By case, whether its diagnosis is the disease itself."""


def _versus(
    setting: Setting,
    metric: str,
    one: _DoctorScores,
    other: _DoctorScores,
    *,
    targets: dict[str, str],
    seed: int,
) -> Versus | None:
    comparison = _compared(one.by_case, other.by_case, targets, seed)
    if comparison is None:
        return None
    passes = None
    if (setting.task, metric) == ("diagnosis", "correctness"):
        shared_cases = sorted(one.fully_right.keys() & other.fully_right.keys())
        passes = mcnemar(
            [one.fully_right[key] for key in shared_cases],
            [other.fully_right[key] for key in shared_cases],
        )
    return Versus(
        setting, metric, one.doctor, other.doctor, comparison, passes, math.nan, math.nan
    )


def _fully_right(played: Iterable[Played], by: str) -> dict[str, bool]:
    """Whether the diagnosis is the disease itself, in the first scored repeat of each case."""
    right: dict[str, bool] = {}
    for each in sorted(played, key=lambda dialogue: dialogue.repeat):
        score = score_dialogue(each.dialogue, "correctness", by).score
        if score is not None:
            right.setdefault(each.dialogue.case, score == 1)
    return right

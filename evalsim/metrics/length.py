"""Comprehensiveness beside the length of answers: a long answer covers more, whatever it is worth.

The length-adjusted score is the adjusted mean of the analysis of covariance (Fisher 1932, "Statistical
Methods for Research Workers", 4th edition): score is regressed on the logarithm of length
within doctors, one slope for all, and every doctor's mean is moved along that slope to the mean length of
all doctors. It answers what a doctor would score whose answers were as long as the others', as the
length-controlled win rate of AlpacaEval does for preferences (Dubois et al. 2024). The slope is of what
is seen within a doctor; it is no proof that length causes the score.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median
from typing import Final

import numpy as np

from evalsim.case import Language
from evalsim.metrics.leaderboard import Setting, doctors
from evalsim.metrics.scores import Played, score_dialogue, turn_panel
from evalsim.statistics import Interval, bootstrap_statistic, cluster_totals
from evalsim.statistics.bootstrap import FloatArray

METRIC: Final = "comprehensiveness"
_WORD: Final = re.compile(r"[\w'’-]+")
_HAN: Final = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_OTHER_WORD: Final = re.compile(r"[A-Za-z0-9]+")
_COLUMNS: Final = 5
"""Sums for each doctor: dialogues, x, y, x squared, x times y."""


@dataclass(frozen=True)
class ByLength:
    """One doctor's comprehensiveness, and what length has to do with it."""

    setting: Setting
    doctor: str
    dialogues: int
    """With a score."""
    length: float
    """Median of their scored answers: English words, or Chinese characters and other words."""
    score: Interval
    """Mean over dialogues, with its interval by whole drugs."""
    adjusted: Interval
    """At the mean length of all doctors; may leave [0, 1] a little. nan where no doctor's answers differ
    in length."""
    slope: float
    """Points of score, in [0, 1], for answers e times as long; the same for all doctors of a setting."""


def answer_length(text: str, language: Language) -> int:
    """English words, or Chinese characters and whatever other words there are."""
    if language == "en":
        return len(_WORD.findall(text))
    return len(_HAN.findall(text)) + len(_OTHER_WORD.findall(text))


def comprehensiveness_by_length(
    played: Sequence[Played], *, by: str = "median", seed: int = 0
) -> tuple[ByLength, ...]:
    """Comprehensiveness of every doctor, as it is and at equal length.

    A dialogue is one row: its score, and the mean over its scored turns of ln(1 + length).

    Args:
        played: dialogues of any doctors; those of diagnosis are passed over.
        by: a rule or a judge, as ``evalsim.metrics.decide`` takes it.
        seed: of the bootstrap.

    Raises:
        ValueError: as ``score_dialogue`` says.
    """
    rows_by_length: list[ByLength] = []
    drugs = [each for each in played if each.dialogue.task == "medication"]
    for setting in sorted({Setting.of(each) for each in drugs}):
        scored = [
            (each, score, lengths)
            for each in drugs
            if Setting.of(each) == setting
            and (score := score_dialogue(each.dialogue, METRIC, by).score) is not None
            and (lengths := _lengths(each, by))
        ]
        rows_by_length += _rows_of_setting(setting, scored, seed)
    return tuple(rows_by_length)


def _lengths(played: Played, by: str) -> list[int]:
    """Of the answers that were scored."""
    dialogue = played.dialogue
    return [
        answer_length(turn.doctor, dialogue.language)
        for turn in dialogue.turns
        if turn_panel(dialogue, turn, METRIC, by).score is not None
    ]


def _rows_of_setting(
    setting: Setting, scored: Sequence[tuple[Played, float, list[int]]], seed: int
) -> list[ByLength]:
    names = doctors(each for each, _, _ in scored)
    if not names:
        return []
    table = np.zeros((len(scored), _COLUMNS * len(names)))
    for number, (each, score, lengths) in enumerate(scored):
        log_length = sum(map(math.log1p, lengths)) / len(lengths)
        first_column = _COLUMNS * names.index(each.doctor)
        table[number, first_column : first_column + _COLUMNS] = (
            1,
            log_length,
            score,
            log_length**2,
            log_length * score,
        )
    totals = cluster_totals(table, [each.target for each, _, _ in scored])
    return [
        ByLength(
            setting,
            name,
            int(table[:, _COLUMNS * number].sum()),
            float(
                median(
                    n
                    for each, _, own_lengths in scored
                    if each.doctor == name
                    for n in own_lengths
                )
            ),
            bootstrap_statistic(totals, partial(_mean, number=number), seed=seed),
            bootstrap_statistic(totals, partial(_adjusted, number=number), seed=seed),
            float(_slope(totals.sum(axis=0, keepdims=True))[0]),
        )
        for number, name in enumerate(names)
    ]


def _sums_by_column(sums: FloatArray) -> tuple[FloatArray, ...]:
    """Dialogues, x, y, x squared and x times y, each of shape (draws, doctors)."""
    return tuple(sums[:, column::_COLUMNS] for column in range(_COLUMNS))


def _mean(sums: FloatArray, number: int) -> FloatArray:
    """Of one doctor, shape (draws,)."""
    n, _, y, _, _ = _sums_by_column(sums)
    return np.asarray(y[:, number] / n[:, number], dtype=np.float64)


def _slope(sums: FloatArray) -> FloatArray:
    """Within doctors, shape (draws,); nan where length does not differ within any."""
    n, x, y, xx, xy = _sums_by_column(sums)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean_lengths = np.where(n > 0, x / n, 0.0)
        squares = (xx - mean_lengths * x).sum(axis=1)
        products = (xy - mean_lengths * y).sum(axis=1)
        return np.where(squares > 1e-9 * xx.sum(axis=1), products / squares, np.nan)


def _adjusted(sums: FloatArray, number: int) -> FloatArray:
    """Of one doctor, at the mean of all doctors' mean lengths, shape (draws,)."""
    n, x, y, _, _ = _sums_by_column(sums)
    mean_lengths = x / n
    from_mean = mean_lengths[:, number] - mean_lengths.mean(axis=1)
    return np.asarray(y[:, number] / n[:, number] - _slope(sums) * from_mean, dtype=np.float64)

"""Judges beside human raters, and beside each other (table 3 of MedKGEval)."""

import csv
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

from cypher.translation import translate
from evalsim.case import Task
from evalsim.metrics.scores import METRICS, Played, highest
from evalsim.statistics import Agreement, agreement, gwet_ac2, krippendorff_alpha
from kg.errors import EvaluationError

HUMANS: Final = "median of the humans"
"""Stands beside human raters where there are several."""
_COLUMNS: Final = ("doctor", "case", "repeat", "turn", "metric", "rater", "score")
_MOST: Final = 3
"""The highest score of any metric."""


class TurnKey(NamedTuple):
    """One reply on one metric."""

    doctor: str
    case: str
    repeat: int
    turn: int
    metric: str


@dataclass(frozen=True)
class HumanScore:
    """What a human says of a reply."""

    key: TurnKey
    rater: str
    score: float | None
    """None: not scored."""


@dataclass(frozen=True)
class Pair:
    """Two raters on the replies that both scored."""

    task: Task
    metric: str
    one: str
    other: str
    agreement: Agreement
    """Its bias is one minus other."""


@dataclass(frozen=True)
class Group:
    """Several raters together; nan where fewer than two of them scored a reply."""

    task: Task
    metric: str
    raters: tuple[str, ...]
    replies: int
    """That any of them scored."""
    alpha: float
    """Krippendorff's, ordinal."""
    ac2: float
    """Gwet's, with quadratic weights; nan where a score is between two points."""


def read_human_scores(path: Path) -> list[HumanScore]:
    """Read scores that humans gave: CSV, or TSV by its name, with a header.

    Its columns are doctor, case, repeat, turn, metric, rater and score, in any order; others are passed
    over. An empty score is one that was not given.

    Raises:
        EvaluationError: the file cannot be read, lacks a column or has no row; a row is of no turn or
            metric, has no score from 0 to the highest, or scores what its rater has already scored.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = csv.DictReader(
                file, delimiter="\t" if path.suffix == ".tsv" else ",", strict=True
            )
            lacking = [name for name in _COLUMNS if name not in (rows.fieldnames or ())]
            if lacking:
                message = "{file}: has no column {name}; a file of human scores has {names}"
                names = ", ".join(_COLUMNS)
                raise EvaluationError(translate(message, file=path, name=lacking[0], names=names))
            scores_by_turn: dict[tuple[TurnKey, str], HumanScore] = {}
            for row in rows:
                score = _human_score(row, f"{path}", rows.line_num)
                if (score.key, score.rater) in scores_by_turn:
                    message = "{file}, line {number}: {rater} scores the same reply twice; take one of them out"
                    raise EvaluationError(
                        translate(message, file=path, number=rows.line_num, rater=score.rater)
                    )
                scores_by_turn[score.key, score.rater] = score
    except (OSError, UnicodeDecodeError, csv.Error) as e:
        message = "{file}: cannot be read ({why}); give human scores as CSV in UTF-8"
        raise EvaluationError(translate(message, file=path, why=e)) from e
    if not scores_by_turn:
        message = "{file}: has no score; write a row for each reply that a human scored"
        raise EvaluationError(translate(message, file=path))
    return [*scores_by_turn.values()]


def judge_agreement(
    played: Sequence[Played], human: Iterable[HumanScore] = (), *, seed: int = 0
) -> tuple[Pair, ...]:
    """Every two raters, judges and humans, on the replies of the dialogues.

    Table 3 is the mean absolute error of judge and human by task and metric, in points; the paper does
    not say whether its scores are normalised. A turn is a unit, a disease or drug a cluster.

    Args:
        played: dialogues with judgements.
        human: scores of some of their replies; of others they are passed over.
        seed: of the bootstrap.

    Returns:
        By task and metric; where several humans scored, also every judge beside their median.

    Raises:
        EvaluationError: a human gives more than the highest score of a metric.
        ValueError: so does a judge.
    """
    pairs = []
    for task, metric, table, targets, humans in _tables(played, human):
        raters = {**table}
        if len(humans) > 1:
            raters[HUMANS] = [
                median(given_scores) if given_scores else math.nan
                for given_scores in (
                    [score for score in scores if not math.isnan(score)]
                    for scores in zip(*(table[name] for name in humans), strict=True)
                )
            ]
        scale = range(highest(task, metric) + 1)
        pairs += [
            Pair(
                task,
                metric,
                one,
                other,
                agreement(raters[one], raters[other], scale, clusters=targets, seed=seed),
            )
            for one, other in combinations(raters, 2)
            if other != HUMANS or one not in humans
        ]
    return tuple(pairs)


def panel_agreement(
    played: Sequence[Played], human: Iterable[HumanScore] = ()
) -> tuple[Group, ...]:
    """All judges together, and all humans together, by task and metric; a group has two or more.

    Args:
        played: dialogues with judgements.
        human: scores of some of their replies.

    Raises:
        EvaluationError: a human gives more than the highest score of a metric.
        ValueError: so does a judge.
    """
    groups = []
    for task, metric, table, _, humans in _tables(played, human):
        for names in ([name for name in table if name not in humans], humans):
            score_rows = [table[name] for name in names]
            if len(score_rows) > 1:
                replies = sum(
                    not all(map(math.isnan, unit)) for unit in zip(*score_rows, strict=True)
                )
                scale = range(highest(task, metric) + 1)
                groups.append(
                    Group(
                        task,
                        metric,
                        tuple(names),
                        replies,
                        krippendorff_alpha(score_rows),
                        gwet_ac2(score_rows, scale)
                        if _is_on_scale(scale, score_rows)
                        else math.nan,
                    )
                )
    return tuple(groups)


def _is_on_scale(scale: range, rows: Sequence[Sequence[float]]) -> bool:
    """Whether every score is of a scale; a human may give half a point."""
    return all(score in scale for row in rows for score in row if not math.isnan(score))


def _human_score(row: dict[str, str], file: str, number: int) -> HumanScore:
    try:
        key = TurnKey(
            row["doctor"], row["case"], int(row["repeat"]), int(row["turn"]), row["metric"]
        )
        score = float(row["score"]) if row["score"].strip() else None
    except (ValueError, TypeError, AttributeError) as e:
        message = "{file}, line {number}: {why}; repeat and turn are whole numbers, score is a number or empty"
        raise EvaluationError(translate(message, file=file, number=number, why=e)) from e
    if not any(key.metric in metrics for metrics in METRICS.values()):
        message = "{file}, line {number}: there is no metric {metric}; there are {metrics}"
        metrics = ", ".join(
            sorted({each for task_metrics in METRICS.values() for each in task_metrics})
        )
        raise EvaluationError(
            translate(message, file=file, number=number, metric=key.metric, metrics=metrics)
        )
    if score is not None and not 0 <= score <= _MOST:
        message = "{file}, line {number}: {score} is no score; give 0 to 3, as table 2 has it"
        raise EvaluationError(translate(message, file=file, number=number, score=row["score"]))
    return HumanScore(key, row["rater"], score)


def _tables(
    played: Sequence[Played], human: Iterable[HumanScore]
) -> Iterable[tuple[Task, str, dict[str, list[float]], list[str], list[str]]]:
    """By task and metric: a row of scores for each rater, the target of each unit, the humans."""
    scores: dict[tuple[Task, str], dict[str, dict[TurnKey, float]]] = {}
    targets: dict[TurnKey, str] = {}
    tasks: dict[TurnKey, Task] = {}
    for each in played:
        dialogue = each.dialogue
        for turn in dialogue.turns:
            for metric in METRICS[dialogue.task]:
                key = TurnKey(each.doctor, dialogue.case, each.repeat, turn.number, metric)
                targets[key], tasks[key] = each.target, dialogue.task
                scores_by_rater = scores.setdefault((dialogue.task, metric), {})
                for row in turn.judgements:
                    if row.metric == metric and row.score is not None:
                        scores_by_rater.setdefault(row.judge, {})[key] = row.score
    judges = {name for scores_by_rater in scores.values() for name in scores_by_rater}
    humans: dict[tuple[Task, str], set[str]] = {}
    for human_score in human:
        if human_score.score is not None and human_score.key in tasks:
            task_and_metric = (tasks[human_score.key], human_score.key.metric)
            if human_score.score > (highest_score := highest(*task_and_metric)):
                message = "{rater} gives {case}, turn {turn} the score {score} for {metric}; its highest is {most}"
                raise EvaluationError(
                    translate(
                        message,
                        rater=human_score.rater,
                        case=human_score.key.case,
                        turn=human_score.key.turn,
                        score=f"{human_score.score:g}",
                        metric=human_score.key.metric,
                        most=highest_score,
                    )
                )
            rater = (
                f"{human_score.rater} (human)"
                if human_score.rater in judges
                else human_score.rater
            )
            humans.setdefault(task_and_metric, set()).add(rater)
            scores[task_and_metric].setdefault(rater, {})[human_score.key] = human_score.score
    for (task, metric), raters in sorted(scores.items()):
        of_humans = sorted(humans.get((task, metric), ()))
        names = sorted(name for name in raters if name not in of_humans) + of_humans
        units = sorted({key for scores_by_rater in raters.values() for key in scores_by_rater})
        table = {name: [raters[name].get(key, math.nan) for key in units] for name in names}
        yield task, metric, table, [targets[key] for key in units], of_humans

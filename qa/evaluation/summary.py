"""Figures of a measurement: of each system, by category, and of systems beside each other."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from math import isnan
from typing import Any, Final, NamedTuple

import numpy as np

from qa.evaluation.questions import CATEGORIES
from qa.evaluation.run import DocumentRanks, Row
from qa.evaluation.statistics import (
    Interval,
    Test,
    bootstrap_interval,
    density_overlap,
    holm,
    paired_t_test,
    wilcoxon,
)
from qa.evaluation.systems import (
    ALIKE,
    FIRST,
    FULL,
    ORACLE,
    OURS,
    PRODUCT,
    PRODUCT_FIRST,
    PRODUCT_FULL,
    Role,
)
from qa.generation.candidates import MOST_WORDS
from qa.question import Category

MEASURED: Final = (
    "rouge1",
    "rouge2",
    "rouge_l",
    "sts",
    "bertscore",
    "ease",
    "grade",
    "words",
    "contradicts",
    "contradicts_tuned",
    "marked",
)
"""Names of the scores that are numbers."""
ROUGE_L: Final = "rouge_l"
BY_CATEGORY: Final = (ROUGE_L, "sts", "bertscore")
"""Scores that are also told by category, as the paper's tables 3, 5 and D3 do."""
_FEW: Final = 2
"""Questions that a test needs."""


@dataclass(frozen=True)
class Spread:
    """Of one score over questions, as the paper's tables have it."""

    count: int
    min: float
    max: float
    median: float
    mean: float
    sd: float | None
    """Of a sample; None for one question."""


@dataclass(frozen=True)
class OfSystem:
    """What one system scores."""

    name: str
    role: Role
    answered: int
    """Questions to which it has an answer; the others score 0 in overlap and likeness."""
    scores: dict[str, Spread]
    categories: dict[str, dict[Category, Spread]]
    """ROUGE-L, STS and BERTScore by category."""
    about: float | None
    """Of the answers from a document whose question names a thing that the graph knows: the share
    whose document is about that thing. None: it has none."""


@dataclass(frozen=True)
class Compared:
    """Two systems on the same questions."""

    one: str
    other: str
    score: str
    category: Category | None
    """None: of all questions."""
    count: int
    interval: Interval
    """Of the mean difference, one minus other, by paired bootstrap, at 95 %."""
    t: Test
    wilcoxon: Test
    holm: float
    """Wilcoxon's p, adjusted for all comparisons of the same list."""


@dataclass(frozen=True)
class Summary:
    """All figures of some questions, gold excluded."""

    questions: int
    categories: dict[Category, int]
    with_subgraph: float
    """Share of the questions."""
    chosen_otherwise: float | None
    """Share of the questions whose subgraph chose another candidate than the first."""
    systems: tuple[OfSystem, ...]
    compared: tuple[Compared, ...]
    closed: dict[str, float]
    """By system, the share of the way from the first candidate to the oracle's."""
    overlap: dict[str, float]
    """By system, what the densities of its and the gold answers' reading ease have in common."""


@dataclass(frozen=True)
class Retrieval:
    """Where right documents stand, gold present."""

    questions: int
    own: dict[str, float]
    """recall@1, @5, @10 and MRR@10 of the document that the question was asked of."""
    equivalent: dict[str, float]
    """The same of any document that answers the same question."""


def summarise(rows: Sequence[Row], *, seed: int) -> Summary:
    """The figures of rows.

    Args:
        rows: at least one.
        seed: of the bootstrap.
    """
    names = {reply.system: reply.role for row in rows for reply in row.replies}
    systems = tuple(_of_system(name, role, rows) for name, role in names.items())
    rouge = {each.name: each.scores[ROUGE_L].mean for each in systems}
    headroom = rouge.get(ORACLE, 0.0) - rouge.get(FIRST, 0.0)
    eases = {name: _values(rows, name, "ease") for name in names}
    golds = [row.gold_ease for row in rows if row.gold_ease is not None]
    overlaps = {
        name: density_overlap(golds, values)
        for name, values in eases.items()
        if min(len(values), len(golds)) >= _FEW
    }
    return Summary(
        len(rows),
        {each: sum(row.category == each for row in rows) for each in CATEGORIES},
        sum(row.edges > 0 for row in rows) / len(rows),
        _chosen_otherwise(rows),
        systems,
        tuple(_comparisons(rows, [*names], seed)) if len(rows) >= _FEW else (),
        {name: (mean - rouge[FIRST]) / headroom for name, mean in rouge.items()}
        if headroom > 0
        else {},
        {name: each for name, each in overlaps.items() if not isnan(each)},
    )


def short_rows(rows: Iterable[Row], names: Sequence[str] = ()) -> list[Row]:
    """The questions whose gold answer and answers have at most 150 words each (appendix F3).

    Args:
        rows: any.
        names: of the systems whose answers count; those of controls usually do not.
    """
    return [
        row
        for row in rows
        if row.gold_words <= MOST_WORDS
        and all(row.scores[name].words <= MOST_WORDS for name in names)
    ]


def json_of(value: Any) -> Any:  # noqa: ANN401 - whatever a summary has
    """Figures as JSON has them: an object for all that has named parts, null for what is undefined."""
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: json_of(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, dict):
        return {str(key): json_of(each) for key, each in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return json_of(value._asdict())
    if isinstance(value, (list, tuple)):
        return [json_of(each) for each in value]
    return None if isinstance(value, float) and isnan(value) else value


def ranks(results: Sequence[DocumentRanks]) -> Retrieval:
    """Recall and mean reciprocal rank."""
    return Retrieval(
        len(results),
        _recall([result.own for result in results]),
        _recall([result.equivalent for result in results]),
    )


def _recall(first_ranks: Sequence[int | None]) -> dict[str, float]:
    figures = {
        f"recall@{k}": sum(rank is not None and rank <= k for rank in first_ranks)
        / len(first_ranks)
        for k in (1, 5, 10)
    }
    reciprocal = [1 / rank if rank is not None and rank <= 10 else 0.0 for rank in first_ranks]  # noqa: PLR2004
    return {**figures, "MRR@10": sum(reciprocal) / len(first_ranks)}


def _of_system(name: str, role: Role, rows: Sequence[Row]) -> OfSystem:
    scored_rows = [row for row in rows if name in row.scores]
    scores = {
        score: _spread(values)
        for score in MEASURED
        if (values := _values(scored_rows, name, score))
    }
    categories: dict[str, dict[Category, Spread]] = {}
    for score in BY_CATEGORY:
        by_category: dict[Category, Spread] = {}
        for category in CATEGORIES:
            if values := _values(
                [row for row in scored_rows if row.category == category], name, score
            ):
                by_category[category] = _spread(values)
        if by_category:
            categories[score] = by_category
    about = [row.scores[name].about for row in scored_rows if row.scores[name].about is not None]
    texts = [reply.text for row in scored_rows for reply in row.replies if reply.system == name]
    return OfSystem(
        name,
        role,
        sum(bool(text) for text in texts),
        scores,
        categories,
        sum(map(bool, about)) / len(about) if about else None,
    )


def _spread(values: Sequence[float]) -> Spread:
    array = np.asarray(values, dtype=float)
    return Spread(
        len(array),
        float(array.min()),
        float(array.max()),
        float(np.median(array)),
        float(array.mean()),
        float(array.std(ddof=1)) if len(array) > 1 else None,
    )


def _values(rows: Iterable[Row], name: str, score: str) -> list[float]:
    values = (getattr(row.scores[name], score) for row in rows if name in row.scores)
    return [float(value) for value in values if value is not None]


def _chosen_otherwise(rows: Sequence[Row]) -> float | None:
    texts = [{reply.system: reply.text for reply in row.replies} for row in rows if row.edges]
    pairs = [(by_system[FULL], by_system[FIRST]) for by_system in texts if FULL in by_system]
    return sum(one != other for one, other in pairs) / len(pairs) if pairs else None


class _Planned(NamedTuple):
    """Two systems that are to be compared by a score, of all questions or of a category."""

    one: str
    other: str
    score: str
    category: Category | None


def _comparisons(rows: Sequence[Row], names: Sequence[str], seed: int) -> list[Compared]:
    """The full system and our selection beside all that are no controls; these two by category."""
    planned: list[_Planned] = []
    for score in BY_CATEGORY:
        pairs = (
            (FULL, FIRST),
            *((OURS, other) for other in (FULL, ALIKE, FIRST)),
            (ORACLE, OURS),
            *((PRODUCT, other) for other in (PRODUCT_FULL, PRODUCT_FIRST)),
        )
        planned += [_Planned(one, other, score, None) for one, other in pairs]
        compared_systems = {FULL, OURS, FIRST, ALIKE, ORACLE, PRODUCT_FULL, PRODUCT_FIRST}
        other_systems = [name for name in names if name not in compared_systems]
        planned += [_Planned(FULL, other, score, None) for other in other_systems]
    for category in CATEGORIES:
        planned += [
            _Planned(one, other, ROUGE_L, category)
            for one, other in ((FULL, FIRST), (OURS, FULL), (OURS, ALIKE))
        ]
    comparisons = [compared for each in planned if (compared := _compared(rows, each, seed))]
    return _adjusted(comparisons)


def _compared(rows: Sequence[Row], planned: _Planned, seed: int) -> Compared | None:
    """The comparison; None where there are not two questions with both scores."""
    one, other, score, category = planned

    def score_of(name: str) -> Callable[[Row], float | None]:
        return lambda row: getattr(row.scores.get(name), score, None)

    score_of_one, score_of_other = score_of(one), score_of(other)
    pairs = [
        (first_score, second_score)
        for row in rows
        if category in {None, row.category}
        and (first_score := score_of_one(row)) is not None
        and (second_score := score_of_other(row)) is not None
    ]
    if len(pairs) < _FEW:
        return None
    first_scores, second_scores = (list(scores) for scores in zip(*pairs, strict=True))
    signed = wilcoxon(first_scores, second_scores)
    return Compared(
        one,
        other,
        score,
        category,
        len(pairs),
        bootstrap_interval(first_scores, second_scores, seed=seed),
        paired_t_test(first_scores, second_scores),
        signed,
        signed.p,
    )


def _adjusted(comparisons: Sequence[Compared]) -> list[Compared]:
    """The comparisons with p-values adjusted: by score, and those by category apart from the others."""
    groups: dict[tuple[str, bool], list[Compared]] = {}
    for comparison in comparisons:
        groups.setdefault((comparison.score, comparison.category is None), []).append(comparison)
    return [
        Compared(**{**vars(comparison), "holm": p})
        for group in groups.values()
        for comparison, p in zip(
            group, holm([comparison.wilcoxon.p for comparison in group]), strict=True
        )
    ]

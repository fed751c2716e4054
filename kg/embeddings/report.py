"""The report of an evaluation: what every seed and every baseline reached, also as tables."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from typing import Final, Self

from pydantic import BaseModel, Field, computed_field

from kg.embeddings.checkpoints import Epoch
from kg.embeddings.metrics import (
    CONFIDENCE,
    Interval,
    Measures,
    Metrics,
    by_relation,
    by_type,
    interval,
    mean_of,
    summarise,
)
from kg.embeddings.ranking import Ranks
from kg.embeddings.recipe import Recipe
from kg.embeddings.triples import Split

Cell = str | int | float | None

_DECIMALS: Final = 4
"""Of numbers in [0, 1]."""
_MRR: Final = ("MRR", "low", "high")


class Measured(BaseModel, frozen=True):
    """What one scorer reaches on the test triples."""

    overall: Metrics
    relations: dict[str, Metrics]
    """By relation, of those that have test triples."""
    types: dict[str, Measures]
    """By node type of the entities sought; empty where types are unknown."""

    @classmethod
    def of(cls, ranks: Ranks, split: Split) -> Self:
        """Measure ranks of triples of a split.

        Raises:
            EmbeddingError: there are no ranks.
        """
        types = split.entities.types
        return cls(
            overall=summarise(ranks),
            relations=by_relation(ranks, split.relations),
            types={} if types is None else by_type(ranks, types),
        )


class Data(BaseModel, frozen=True):
    """What was trained and tested on."""

    name: str
    """Where the triples come from."""
    checksum: str
    """SHA-256 of the split."""
    entities: int
    relations: int
    train: int
    """Triples, as the next two."""
    valid: int
    test: int

    @classmethod
    def of(cls, split: Split, name: str, checksum: str) -> Self:
        """Count a split."""
        return cls(
            name=name,
            checksum=checksum,
            entities=len(split.entities),
            relations=len(split.relations),
            train=len(split.train),
            valid=len(split.valid),
            test=len(split.test),
        )


class Leak(BaseModel, frozen=True):
    """What triples that leak others would add to the MRR, had they not been removed."""

    removed: int
    """Triples that repeat another one, as its inverse or under another relation."""
    how: dict[str, int] = {}
    """Number of triples by the way they leak; one that leaks in several ways is in each."""
    without: Metrics | None = None
    """What the recipe reaches without them; None where that was not measured."""
    with_them: Metrics | None = None
    """What it reaches by the same seed with them, on the test triples of that split."""

    @computed_field  # type: ignore[prop-decorator]  # mypy knows no property below a decorator
    @property
    def added(self) -> float | None:
        """How much MRR they would add; None where that was not measured."""
        if self.without is None or self.with_them is None:
            return None
        return self.with_them.both.mrr - self.without.both.mrr


class Run(BaseModel, frozen=True):
    """One training and what it reached."""

    seed: int
    measured: Measured
    history: tuple[Epoch, ...] = ()
    """Empty where the model came without it."""


class EvaluationReport(BaseModel, frozen=True):
    """An evaluation of one recipe on one split."""

    made_by: str = Field(default_factory=lambda: f"medkg {version('medkg')}")
    data: Data
    leak: Leak | None = None
    """None where leaks were not searched for."""
    recipe_name: str
    recipe: Recipe
    runs: tuple[Run, ...] = Field(min_length=1)
    """One per seed."""
    baselines: dict[str, Measured] = {}

    @computed_field  # type: ignore[prop-decorator]  # as above
    @property
    def intervals(self) -> dict[str, Interval | None]:
        """Confidence interval of each measure of both ends, by its name; None for a single seed."""
        intervals = {}
        for name in Measures.model_fields:
            if name == "count":
                continue
            values = [getattr(run.measured.overall.both, name) for run in self.runs]
            intervals[name] = None if None in values else interval(values)
        return intervals

    def mean(self, of: Callable[[Measured], Measures]) -> Measures:
        """The mean over seeds of chosen measures."""
        return mean_of([of(run.measured) for run in self.runs])

    def spread(self, of: Callable[[Measured], Measures]) -> Interval | None:
        """Confidence interval of the MRR of chosen measures; None for a single seed."""
        return interval([of(run.measured).mrr for run in self.runs])


@dataclass(frozen=True)
class Table:
    """Named columns and rows of cells, as the commands show them."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


def overall_table(report: EvaluationReport) -> Table:
    """The mean over seeds of both ends and of each, then every seed, then every baseline.

    ``low`` and ``high`` are the confidence interval of the MRR, cut at 0 and 1; empty for a
    single seed.
    """

    def cells(measures: Measures, spread: Interval | None = None) -> tuple[Cell, ...]:
        return (
            *_mrr_cells(measures, spread),
            _rounded(measures.mrr_optimistic),
            _rounded(measures.mrr_pessimistic),
            _rounded(measures.hits_at_1),
            _rounded(measures.hits_at_3),
            _rounded(measures.hits_at_10),
            _rounded(measures.hits_at_100),
            round(measures.mean_rank, 1),
            _rounded(measures.adjusted_mean_rank_index),
        )

    ends: dict[str, Callable[[Measured], Measures]] = {
        "both": lambda measured: measured.overall.both,
        "head": lambda measured: measured.overall.head,
        "tail": lambda measured: measured.overall.tail,
    }
    name = report.recipe_name
    rows = [(name, end, *cells(report.mean(of), report.spread(of))) for end, of in ends.items()]
    scorers = [(f"{name}, seed {run.seed}", run.measured) for run in report.runs]
    scorers += report.baselines.items()
    rows += [(scorer, "both", *cells(each.overall.both)) for scorer, each in scorers]
    columns = (
        "scorer", "end", *_MRR, "optimistic", "pessimistic",
        "Hits@1", "Hits@3", "Hits@10", "Hits@100", "mean rank", "AMRI",
    )  # fmt: skip
    return Table(columns, tuple(rows))


def relation_table(report: EvaluationReport) -> Table:
    """Each relation with test triples, and the MRR of each baseline on it, most triples first."""

    def row(name: str) -> tuple[Cell, ...]:
        def both(measured: Measured) -> Measures:
            return measured.relations[name].both

        mean = report.mean(both)
        return (
            name,
            mean.count // 2,
            *_mrr_cells(mean, report.spread(both)),
            _rounded(report.mean(lambda measured: measured.relations[name].head).mrr),
            _rounded(report.mean(lambda measured: measured.relations[name].tail).mrr),
            _rounded(mean.hits_at_10),
            *(_rounded(both(measured).mrr) for measured in report.baselines.values()),
        )

    columns = ("relation", "triples", *_MRR, "heads", "tails", "Hits@10", *report.baselines)
    return _most_first(columns, map(row, report.runs[0].measured.relations))


def type_table(report: EvaluationReport) -> Table:
    """Each type of the entities sought, and the MRR of each baseline on it, most sought first."""

    def row(name: str) -> tuple[Cell, ...]:
        def sought(measured: Measured) -> Measures:
            return measured.types[name]

        mean = report.mean(sought)
        return (
            name,
            mean.count,
            *_mrr_cells(mean, report.spread(sought)),
            _rounded(mean.hits_at_1),
            _rounded(mean.hits_at_10),
            *(_rounded(sought(measured).mrr) for measured in report.baselines.values()),
        )

    columns = ("type", "sought", *_MRR, "Hits@1", "Hits@10", *report.baselines)
    return _most_first(columns, map(row, report.runs[0].measured.types))


def _most_first(columns: tuple[str, ...], rows: Iterable[tuple[Cell, ...]]) -> Table:
    """A table whose second column is a count, by which it is sorted, then by the first."""
    return Table(columns, tuple(sorted(rows, key=lambda row: (-int(row[1] or 0), str(row[0])))))


def _mrr_cells(measures: Measures, spread: Interval | None) -> tuple[Cell, Cell, Cell]:
    if spread is None:
        return _rounded(measures.mrr), None, None
    return _rounded(measures.mrr), _rounded(max(spread.low, 0.0)), _rounded(min(spread.high, 1.0))


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, _DECIMALS)


def as_markdown(report: EvaluationReport) -> str:
    """All tables of a report and what they were measured on, as Markdown for a document."""
    data, seeds = report.data, ", ".join(str(run.seed) for run in report.runs)
    trainings = (
        f"one seed, {seeds}"
        if len(report.runs) == 1
        else f"mean of trainings with seeds {seeds} on one split, low and high the "
        f"{CONFIDENCE:.0%} interval of the MRR"
    )
    heading = (
        f"{report.recipe_name} on {data.name}: {data.entities:,} entities, {data.relations:,} "
        f"relations, {data.train:,} triples to train, {data.valid:,} to validate and "
        f"{data.test:,} to test with; filtered, realistic ranks; {trainings}."
    )
    tables = [overall_table(report), relation_table(report)]
    if report.runs[0].measured.types:
        tables.append(type_table(report))
    parts = [heading, *filter(None, [verdict(report)]), *map(_table_markdown, tables)]
    if report.leak is not None:
        parts.append(leak_sentence(report.leak))
    return "\n\n".join(parts) + "\n"


def leak_sentence(leak: Leak) -> str:
    """How many triples leak, and what they would add where that was measured."""
    counted = f"Removed before the split, as they leak other triples: {leak.removed:,} triples"
    if leak.how:
        counted += f" ({', '.join(f'{rows:,} of {what}' for what, rows in leak.how.items())})"
    if leak.without is None or leak.with_them is None or leak.added is None:
        return f"{counted}."
    return (
        f"{counted}; left in, they would change the MRR by {leak.added:+.4f}, from "
        f"{leak.without.both.mrr:.4f} to {leak.with_them.both.mrr:.4f}."
    )


def _both_ends(relation: str, measured: Measured) -> Measures:
    return measured.relations[relation].both


def verdict(report: EvaluationReport) -> str:
    """Whether the model ranks better than every baseline, and where one ranks better."""
    name = report.recipe_name

    def won(of: Callable[[Measured], Measures]) -> tuple[str, float, float]:
        """The best baseline, its MRR and the model's."""
        mrr = {other: of(measured).mrr for other, measured in report.baselines.items()}
        best = max(mrr, key=lambda other: mrr[other])
        return best, mrr[best], report.mean(of).mrr

    if not report.baselines:
        return ""
    best, of_best, own = won(lambda measured: measured.overall.both)
    if of_best >= own:
        sentence = (
            f"{name} is no better than the baseline {best!r}, which learns nothing: MRR {own:.4f} "
            f"against {of_best:.4f}; do not use what it predicts"
        )
    else:
        sentence = (
            f"{name} ranks better than every baseline: MRR {own:.4f}, the best of them, {best!r}, "
            f"has {of_best:.4f}"
        )
    lost = []
    for relation in sorted(report.runs[0].measured.relations):
        best, of_best, own = won(partial(_both_ends, relation))
        if of_best >= own:
            lost.append(f"{relation} ({best}, {of_best:.4f} against {own:.4f})")
    if lost and len(report.runs[0].measured.relations) > 1:
        sentence += f". A baseline is as good or better for {', '.join(lost)}"
    return f"{sentence}."


def _table_markdown(table: Table) -> str:
    """A table in GitHub's Markdown; columns of numbers are aligned right."""

    def text(cell: Cell) -> str:
        if cell is None:
            return ""
        if isinstance(cell, float):
            return f"{cell:.{_DECIMALS}f}" if abs(cell) <= 1 else f"{cell:,.1f}"
        return f"{cell:,}" if isinstance(cell, int) else cell.replace("|", "\\|")

    columns = zip(*table.rows, strict=True) if table.rows else [()] * len(table.columns)
    numeric = [any(isinstance(cell, int | float) for cell in column) for column in columns]
    rule = ["---:" if right else "---" for right in numeric]
    rows = [list(map(text, row)) for row in table.rows]
    return "\n".join(f"| {' | '.join(row)} |" for row in [list(table.columns), rule, *rows])

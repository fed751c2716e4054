"""An evaluation as tables: for the terminal, for programs, and in Markdown for documents."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from kg.embeddings.metrics import CONFIDENCE, Interval, Measures
from kg.embeddings.report import EvaluationReport, Leak, Measured

Cell = str | int | float | None

_PLACES: Final = 4
"""Of a share, behind its point."""
_SPREAD: Final = ("MRR", "low", "high")


@dataclass(frozen=True)
class Table:
    """Named columns and rows of cells, as the commands show them."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


def overall(report: EvaluationReport) -> Table:
    """The mean over seeds of both ends and of each, every seed, every baseline.

    ``low`` and ``high`` are the confidence interval of the MRR, cut at 0 and 1; empty for a
    single seed.
    """
    columns = (
        "scorer", "end", *_SPREAD, "optimistic", "pessimistic",
        "Hits@1", "Hits@3", "Hits@10", "Hits@100", "mean rank", "AMRI",
    )  # fmt: skip
    return Table(columns, tuple(_overall(report)))


def relations(report: EvaluationReport) -> Table:
    """Each relation with test triples, and the MRR of each baseline on it, most triples first."""
    columns = (
        "relation", "triples", *_SPREAD, "heads", "tails", "Hits@10", *report.baselines,
    )  # fmt: skip
    rows = [_relation(report, name) for name in report.runs[0].measured.relations]
    return Table(columns, tuple(sorted(rows, key=_most_first)))


def types(report: EvaluationReport) -> Table:
    """Each type of the entities sought, and the MRR of each baseline on it, most sought first."""
    columns = ("type", "sought", *_SPREAD, "Hits@1", "Hits@10", *report.baselines)
    rows = [_type(report, name) for name in report.runs[0].measured.types]
    return Table(columns, tuple(sorted(rows, key=_most_first)))


def as_markdown(report: EvaluationReport) -> str:
    """All tables of a report, and what they are of, to stand in a document."""
    tables = [overall(report), relations(report)]
    if report.runs[0].measured.types:
        tables.append(types(report))
    parts = [_heading(report), *map(table_markdown, tables)]
    if report.leak is not None:
        parts.append(leak_sentence(report.leak))
    return "\n\n".join(parts) + "\n"


def leak_sentence(leak: Leak) -> str:
    """How many triples leaked, and what they would add where that was measured."""
    said = f"Removed before the split, as others give them away: {leak.removed:,} triples"
    if leak.how:
        said += f" ({', '.join(f'{rows:,} of {what}' for what, rows in leak.how.items())})"
    if leak.without is None or leak.with_them is None or leak.added is None:
        return f"{said}."
    return (
        f"{said}; left in, they would change the MRR by {leak.added:+.4f}, from "
        f"{leak.without.both.mrr:.4f} to {leak.with_them.both.mrr:.4f}."
    )


def table_markdown(table: Table) -> str:
    """A table in GitHub's Markdown; numbers to the right."""
    numeric = [
        any(isinstance(row[at], int | float) for row in table.rows)
        for at in range(len(table.columns))
    ]
    rule = ["---:" if right else "---" for right in numeric]
    rows = [[_text(cell) for cell in row] for row in table.rows]
    return "\n".join(f"| {' | '.join(row)} |" for row in [list(table.columns), rule, *rows])


def _overall(report: EvaluationReport) -> Iterator[tuple[Cell, ...]]:
    ends: dict[str, Callable[[Measured], Measures]] = {
        "both": lambda measured: measured.overall.both,
        "head": lambda measured: measured.overall.head,
        "tail": lambda measured: measured.overall.tail,
    }
    for end, of in ends.items():
        yield report.recipe_name, end, *_measures(report.mean(of), report.spread(of))
    for run in report.runs:
        name = f"{report.recipe_name}, seed {run.seed}"
        yield name, "both", *_measures(run.measured.overall.both)
    for name, measured in report.baselines.items():
        yield name, "both", *_measures(measured.overall.both)


def _measures(measures: Measures, spread: Interval | None = None) -> tuple[Cell, ...]:
    return (
        *_spread(measures, spread),
        _share(measures.mrr_optimistic),
        _share(measures.mrr_pessimistic),
        _share(measures.hits_at_1),
        _share(measures.hits_at_3),
        _share(measures.hits_at_10),
        _share(measures.hits_at_100),
        round(measures.mean_rank, 1),
        _share(measures.adjusted_mean_rank_index),
    )


def _relation(report: EvaluationReport, name: str) -> tuple[Cell, ...]:
    def both(measured: Measured) -> Measures:
        return measured.relations[name].both

    mean = report.mean(both)
    return (
        name,
        mean.count // 2,
        *_spread(mean, report.spread(both)),
        _share(report.mean(lambda measured: measured.relations[name].head).mrr),
        _share(report.mean(lambda measured: measured.relations[name].tail).mrr),
        _share(mean.hits_at_10),
        *(_share(both(measured).mrr) for measured in report.baselines.values()),
    )


def _type(report: EvaluationReport, name: str) -> tuple[Cell, ...]:
    def sought(measured: Measured) -> Measures:
        return measured.types[name]

    mean = report.mean(sought)
    return (
        name,
        mean.count,
        *_spread(mean, report.spread(sought)),
        _share(mean.hits_at_1),
        _share(mean.hits_at_10),
        *(_share(sought(measured).mrr) for measured in report.baselines.values()),
    )


def _spread(measures: Measures, spread: Interval | None) -> tuple[Cell, Cell, Cell]:
    if spread is None:
        return _share(measures.mrr), None, None
    return _share(measures.mrr), _share(max(spread.low, 0.0)), _share(min(spread.high, 1.0))


def _share(value: float | None) -> float | None:
    return None if value is None else round(value, _PLACES)


def _most_first(row: tuple[Cell, ...]) -> tuple[int, str]:
    return -int(row[1] or 0), str(row[0])


def _heading(report: EvaluationReport) -> str:
    data = report.data
    return (
        f"{report.recipe_name} on {data.name}: {data.entities:,} entities, {data.relations:,} "
        f"relations, {data.train:,} triples to train, {data.valid:,} to validate and "
        f"{data.test:,} to test with; filtered, realistic ranks; {_seeds(report)}."
    )


def _seeds(report: EvaluationReport) -> str:
    seeds = ", ".join(str(run.seed) for run in report.runs)
    if len(report.runs) == 1:
        return f"one seed, {seeds}"
    return (
        f"mean of trainings with seeds {seeds} on one split, low and high the {CONFIDENCE:.0%} "
        "interval of the MRR"
    )


def _text(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, float):
        return f"{cell:.{_PLACES}f}" if abs(cell) <= 1 else f"{cell:,.1f}"
    return f"{cell:,}" if isinstance(cell, int) else cell.replace("|", "\\|")

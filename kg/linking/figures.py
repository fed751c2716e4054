"""The figures of an evaluation, as a typed result, JSON and tables."""

from collections.abc import Iterable, Iterator
from typing import Final, Literal

from pydantic import BaseModel

from kg.linking.measures import Decisions, Point, Retrieval, Share
from kg.stores.store import Rows, Value

ALL: Final = "all"
"""The group of everything."""

Spans = Literal["exact", "overlapping"]


class TextFigures(BaseModel, frozen=True, extra="forbid"):
    """Precision and recall of recognising mentions in running text, or of linking them."""

    group: str
    """``all``, ``type Disease`` or ``language zh``."""
    spans: Spans
    retrieval: Retrieval


class MentionFigures(BaseModel, frozen=True, extra="forbid"):
    """How well mentions are linked whose spans are given."""

    group: str
    decisions: Decisions
    curve: tuple[Point, ...]


class Flag(BaseModel, frozen=True, extra="forbid"):
    """Precision and recall of a flag, over found mentions for which the gold file states it."""

    flag: Literal["negated", "family"]
    retrieval: Retrieval


class Evaluation(BaseModel, frozen=True, extra="forbid"):
    """All figures, and what they were computed from."""

    gold: str
    checksum: str
    """SHA-256 of the gold file."""
    made_by: str
    """medkg's version."""
    texts: int
    mentions: int
    recognition: tuple[TextFigures, ...]
    linking: tuple[TextFigures, ...]
    given: tuple[MentionFigures, ...]
    flags: tuple[Flag, ...]

    def tables(self) -> dict[str, Rows]:
        """The figures as tables by name, without empty ones."""
        tables = {
            "recognition": Rows(_TEXT_COLUMNS, tuple(map(_text_row, self.recognition))),
            "linking": Rows(_TEXT_COLUMNS, tuple(map(_text_row, self.linking))),
            "mentions": Rows(_MENTION_COLUMNS, tuple(map(_mention_row, self.given))),
            "abstaining": Rows(_CURVE_COLUMNS, tuple(_curve_rows(self.given))),
            "flags": Rows(
                _FLAG_COLUMNS, tuple((f.flag, *_retrieval_cells(f.retrieval)) for f in self.flags)
            ),
        }
        return {name: rows for name, rows in tables.items() if len(rows)}

    def of(self, group: str = ALL) -> MentionFigures | None:
        """Figures of the given mentions of one group; None where it has none."""
        return next((figures for figures in self.given if figures.group == group), None)


_TEXT_COLUMNS: Final = ("group", "spans", "predicted", "gold", "precision", "recall", "F1")
_FLAG_COLUMNS: Final = ("flag", "predicted", "gold", "precision", "recall", "F1")
_MENTION_COLUMNS: Final = (
    *("group", "mentions", "with entity", "accuracy@1", "95 % interval", "accuracy@5"),
    *("precision", "recall", "F1", "coverage", "rightly abstained"),
)
_CURVE_COLUMNS: Final = (
    *("group", "threshold", "coverage", "precision", "95 % interval", "recall"),
    "rightly abstained",
)


def _retrieval_cells(retrieval: Retrieval) -> tuple[Value, ...]:
    shares = (retrieval.precision, retrieval.recall)
    values = (*(share.value for share in shares), retrieval.f1)
    return (*(share.of for share in shares), *map(_rounded, values))


def _text_row(figures: TextFigures) -> tuple[Value, ...]:
    return figures.group, figures.spans, *_retrieval_cells(figures.retrieval)


def _mention_row(figures: MentionFigures) -> tuple[Value, ...]:
    decisions = figures.decisions
    linking = decisions.linking
    return (
        figures.group,
        decisions.coverage.of,
        decisions.at_1.of,
        _rounded(decisions.at_1.value),
        _interval(decisions.at_1),
        _rounded(decisions.at_5.value),
        *map(_rounded, (linking.precision.value, linking.recall.value, linking.f1)),
        *map(_rounded, (decisions.coverage.value, decisions.abstained.value)),
    )


def _curve_rows(figures_by_group: Iterable[MentionFigures]) -> Iterator[tuple[Value, ...]]:
    for figures in figures_by_group:
        for point in figures.curve:
            yield (
                figures.group,
                point.threshold,
                _rounded(point.coverage.value),
                _rounded(point.precision.value),
                _interval(point.precision),
                _rounded(point.recall.value),
                _rounded(point.abstained.value),
            )


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def _interval(share: Share) -> str | None:
    return share.interval and "{:.3f} to {:.3f}".format(*share.interval)

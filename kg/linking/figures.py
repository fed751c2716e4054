"""The figures of an evaluation, as a typed result, JSON and tables."""

from collections.abc import Iterable, Iterator
from typing import Final, Literal

from pydantic import BaseModel

from kg.linking.measures import Decisions, Point, Retrieval, Share
from kg.stores.store import Rows, Value

ALL: Final = "all"
"""The group of everything."""

Spans = Literal["exact", "overlapping"]


class Running(BaseModel, frozen=True, extra="forbid"):
    """How well mentions in running text are found, or found and linked."""

    group: str
    """``all``, ``type Disease`` or ``language zh``."""
    spans: Spans
    retrieval: Retrieval


class Given(BaseModel, frozen=True, extra="forbid"):
    """How well mentions are linked that the linker need not find."""

    group: str
    decisions: Decisions
    curve: tuple[Point, ...]


class Flag(BaseModel, frozen=True, extra="forbid"):
    """How well a flag is set on the mentions that were found and whose gold file says it."""

    flag: Literal["negated", "family"]
    retrieval: Retrieval


class Evaluation(BaseModel, frozen=True, extra="forbid"):
    """All figures, and what they were made of."""

    gold: str
    checksum: str
    """SHA-256 of the gold file."""
    made_by: str
    """medkg's version."""
    texts: int
    mentions: int
    recognition: tuple[Running, ...]
    linking: tuple[Running, ...]
    given: tuple[Given, ...]
    flags: tuple[Flag, ...]

    def tables(self) -> dict[str, Rows]:
        """The figures as tables by their names, those left out that would be empty."""
        tables = {
            "recognition": Rows(_RUNNING, tuple(map(_running, self.recognition))),
            "linking": Rows(_RUNNING, tuple(map(_running, self.linking))),
            "mentions": Rows(_GIVEN, tuple(map(_given, self.given))),
            "abstaining": Rows(_POINT, tuple(_points(self.given))),
            "flags": Rows(_FLAG, tuple((f.flag, *_retrieval(f.retrieval)) for f in self.flags)),
        }
        return {name: rows for name, rows in tables.items() if len(rows)}

    def of(self, group: str = ALL) -> Given | None:
        """Figures of the given mentions of one group; None where it has none."""
        return next((given for given in self.given if given.group == group), None)


_RUNNING: Final = ("group", "spans", "predicted", "gold", "precision", "recall", "F1")
_FLAG: Final = ("flag", "predicted", "gold", "precision", "recall", "F1")
_GIVEN: Final = (
    *("group", "mentions", "with entity", "accuracy@1", "95 % interval", "accuracy@5"),
    *("precision", "recall", "F1", "coverage", "rightly abstained"),
)
_POINT: Final = (
    *("group", "threshold", "coverage", "precision", "95 % interval", "recall"),
    "rightly abstained",
)


def _retrieval(retrieval: Retrieval) -> tuple[Value, ...]:
    shares = (retrieval.precision, retrieval.recall)
    values = (*(share.value for share in shares), retrieval.f1)
    return (*(share.of for share in shares), *map(_rounded, values))


def _running(running: Running) -> tuple[Value, ...]:
    return running.group, running.spans, *_retrieval(running.retrieval)


def _given(given: Given) -> tuple[Value, ...]:
    decisions = given.decisions
    linking = decisions.linking
    return (
        given.group,
        decisions.coverage.of,
        decisions.at_1.of,
        _rounded(decisions.at_1.value),
        _interval(decisions.at_1),
        _rounded(decisions.at_5.value),
        *map(_rounded, (linking.precision.value, linking.recall.value, linking.f1)),
        *map(_rounded, (decisions.coverage.value, decisions.abstained.value)),
    )


def _points(given: Iterable[Given]) -> Iterator[tuple[Value, ...]]:
    for each in given:
        for point in each.curve:
            yield (
                each.group,
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

"""The figures of experiments as Markdown tables."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from kg.linking.figures import MentionFigures
from kg.linking.measures import Retrieval, Share
from tests.experiments.linking.run import Ran, Result

_GIVEN: Final = (
    *("gold set", "mentions", "with entity", "accuracy@1", "accuracy@5"),
    *("precision", "recall", "F1", "rightly abstained"),
)
_CURVE_AT: Final = (0.0, 0.7, 0.8, 0.85, 0.9, 0.95, 1.0)


def accuracy(ran: Ran) -> str:
    """medkg on every gold set of an experiment."""
    return table(_GIVEN, (_row(r.gold, r.evaluation.of()) for r in ran.whole))


def groups(results: Iterable[Result]) -> str:
    """By type and by language, where there are several."""
    rows = [
        _row(f"{result.gold}: {given.group}", given)
        for result in results
        for given in result.evaluation.given
        if given.group != "all" and _tells(result, given)
    ]
    return table(_GIVEN, rows) if rows else ""


def running(result: Result) -> str:
    """Recognition and linking end to end."""
    head = (result.gold, "spans", "found", "there", "precision", "recall", "F1")
    of = result.evaluation
    rows = [
        (f"{what}, {each.group}", each.spans, *_retrieval(each.retrieval))
        for what, some in (("recognition", of.recognition), ("linking", of.linking))
        for each in some
    ]
    flags = [(f"flag: {each.flag}", "", *_retrieval(each.retrieval)) for each in of.flags]
    return table(head, [*rows, *flags]) if rows else ""


def abstaining(results: Iterable[Result]) -> str:
    """The curve of abstaining of each result."""
    head = ("gold set", "threshold", "coverage", "precision", "recall", "rightly abstained")
    return table(head, (row for result in results for row in _abstaining(result)))


def _abstaining(result: Result) -> Iterator[tuple[str, ...]]:
    given = result.evaluation.of()
    if given is None:
        return
    own = given.decisions
    shares = (own.coverage, own.linking.precision, own.linking.recall, own.abstained)
    yield result.gold, "medkg's own decision", *map(_percent, shares)
    for point in given.curve:
        if point.threshold in _CURVE_AT:
            shares = (point.coverage, point.precision, point.recall, point.abstained)
            yield result.gold, f"{point.threshold:.2f}", *map(_percent, shares)


def compared(results: Sequence[Result]) -> str:
    """medkg and its rivals on the same samples."""
    head = ("gold set, a sample", "linker", *_GIVEN[1:], "ms each")
    rows = (
        (r.gold, r.linker, *_row("", r.evaluation.of())[1:], f"{r.seconds * 1e3:.1f}")
        for r in results
    )
    return table(head, rows)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table, figures to the right."""
    rule = ["---" if at == 0 else "--:" for at in range(len(head))]
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, rule, *rows))


def _tells(result: Result, given: MentionFigures) -> bool:
    """Several groups of its kind are there, or it would repeat the whole."""
    kind = given.group.split()[0]
    return sum(each.group.startswith(kind) for each in result.evaluation.given) > 1


def _row(name: str, given: MentionFigures | None) -> tuple[str, ...]:
    if given is None:
        return (name, *[""] * (len(_GIVEN) - 1))
    decisions = given.decisions
    linking = decisions.linking
    return (
        name,
        f"{decisions.coverage.of:,}",
        f"{decisions.at_1.of:,}",
        _with_interval(decisions.at_1),
        _percent(decisions.at_5),
        _with_interval(linking.precision),
        _percent(linking.recall),
        _fraction(linking.f1),
        _percent(decisions.abstained),
    )


def _retrieval(retrieval: Retrieval) -> Iterator[str]:
    yield from (f"{retrieval.precision.of:,}", f"{retrieval.recall.of:,}")
    yield from (_with_interval(retrieval.precision), _with_interval(retrieval.recall))
    yield _fraction(retrieval.f1)


def _percent(share: Share) -> str:
    return "" if share.value is None else f"{share.value:.1%}"


def _with_interval(share: Share) -> str:
    if share.interval is None:
        return ""
    return f"{_percent(share)} ({share.interval[0] * 100:.1f} to {share.interval[1] * 100:.1f})"


def _fraction(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"

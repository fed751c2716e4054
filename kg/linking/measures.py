"""Counts that say how good linking is, and what follows from them."""

import math
from typing import Final, Self

from pydantic import BaseModel, computed_field

_Z: Final = 1.959963984540054
"""97.5 % quantile of the normal distribution."""

_FIRST_FEW: Final = 5


class Share(BaseModel, frozen=True):
    """So many of so many."""

    right: int
    of: int

    @computed_field  # type: ignore[prop-decorator]  # mypy knows no property below a decorator
    @property
    def value(self) -> float | None:
        """The quotient, in [0, 1]; None of nothing."""
        return self.right / self.of if self.of else None

    @computed_field  # type: ignore[prop-decorator]  # as above
    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval of Wilson (1927), without continuity correction; None of nothing.

        With p = right / of, n = of and z = 1.96::

            (p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n)

        Wilson, E. B. (1927): Probable inference, the law of succession, and statistical
        inference. J. Am. Stat. Assoc. 22, 209-212.
        """
        if not self.of:
            return None
        p, n = self.right / self.of, self.of
        centre = p + _Z**2 / (2 * n)
        spread = _Z * math.sqrt(p * (1 - p) / n + _Z**2 / (4 * n**2))
        scale = 1 + _Z**2 / n
        return max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)


class Retrieval(BaseModel, frozen=True):
    """What was found, against what there was to find."""

    precision: Share
    """Of all that was found, how much is right."""
    recall: Share
    """Of all that there was, how much was found."""

    @classmethod
    def of(cls, right: int, predicted: int, gold: int) -> Self:
        """From three counts, where one found thing is right for one that was there."""
        return cls(precision=Share(right=right, of=predicted), recall=Share(right=right, of=gold))

    @computed_field  # type: ignore[prop-decorator]  # as above
    @property
    def f1(self) -> float | None:
        """Harmonic mean of precision and recall, 2PR / (P + R), in [0, 1].

        Where nothing was found of what there was, or all that was found is not there,
        it is 0; None where nothing was found and nothing was there (van Rijsbergen,
        C. J.: Information Retrieval, 2nd ed. 1979, chapter 7).
        """
        precision, recall = self.precision.value, self.recall.value
        if precision is None and recall is None:
            return None
        if not precision or not recall:
            return 0.0
        return 2 * precision * recall / (precision + recall)


class Point(BaseModel, frozen=True, extra="forbid"):
    """What a linker does that links whatever scores at least ``threshold``."""

    threshold: float
    coverage: Share
    """Of all mentions, those that it links."""
    precision: Share
    """Of those that it links, those linked with a right entity."""
    recall: Share
    """Of the mentions that have an entity, those linked with a right one."""
    abstained: Share
    """Of the mentions that have no entity, those left alone."""


class Answer(BaseModel, frozen=True, extra="forbid"):
    """What a linker says of one mention, judged by the gold file."""

    score: float
    """Of its first candidate; -1 where it has none."""
    rank: int
    """At which its first right candidate stands, from 1; 0 where none is right."""
    linked: bool
    """By the linker's own decision."""
    has_entity: bool
    """The gold file says that there is something to link it with."""


class Decisions(BaseModel, frozen=True, extra="forbid"):
    """How a linker deals with mentions that it is given, by its own decision when to abstain."""

    at_1: Share
    """Accuracy@1: of the mentions that have an entity, those whose first candidate is right,
    linked or not."""
    at_5: Share
    """Accuracy@5: those with a right one among the first five."""
    linking: Retrieval
    """Precision of what it links, recall over the mentions that have an entity."""
    coverage: Share
    abstained: Share
    """Of the mentions that have no entity, those left alone."""

    @classmethod
    def of(cls, answers: list[Answer]) -> Self:
        """Count them."""
        with_entity = [answer for answer in answers if answer.has_entity]
        counts = _counts(answers, [answer.linked for answer in answers])
        return cls(
            at_1=Share(right=sum(answer.rank == 1 for answer in with_entity), of=len(with_entity)),
            at_5=Share(
                right=sum(0 < answer.rank <= _FIRST_FEW for answer in with_entity),
                of=len(with_entity),
            ),
            linking=Retrieval(precision=counts["precision"], recall=counts["recall"]),
            coverage=counts["coverage"],
            abstained=counts["abstained"],
        )


def curve(answers: list[Answer], thresholds: tuple[float, ...]) -> tuple[Point, ...]:
    """What would be linked at each threshold, whatever the linker decided itself.

    This is the risk-coverage curve of selective classification, with precision = 1 - risk
    (El-Yaniv, R., Wiener, Y. (2010): On the foundations of noise-free selective
    classification. J. Mach. Learn. Res. 11, 1605-1641), with mentions that have no entity
    beside it.
    """
    return tuple(
        Point(
            threshold=threshold,
            **_counts(answers, [answer.score >= threshold for answer in answers]),
        )
        for threshold in thresholds
    )


def _counts(answers: list[Answer], linked: list[bool]) -> dict[str, Share]:
    with_entity = sum(answer.has_entity for answer in answers)
    right = sum(is_ and answer.rank == 1 for is_, answer in zip(linked, answers, strict=True))
    rightly_abstained = sum(
        not is_ and not answer.has_entity for is_, answer in zip(linked, answers, strict=True)
    )
    return {
        "coverage": Share(right=sum(linked), of=len(answers)),
        "precision": Share(right=right, of=sum(linked)),
        "recall": Share(right=right, of=with_entity),
        "abstained": Share(right=rightly_abstained, of=len(answers) - with_entity),
    }

"""What an evaluation found: of every seed, and of what the model must beat."""

from collections.abc import Callable
from importlib.metadata import version
from typing import Self

from pydantic import BaseModel, Field, computed_field

from kg.embeddings.checkpoints import Epoch
from kg.embeddings.metrics import (
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


class Measured(BaseModel, frozen=True):
    """What one scorer reaches on the test triples."""

    overall: Metrics
    relations: dict[str, Metrics]
    """Of each relation that has test triples."""
    types: dict[str, Measures]
    """Of the entities of each node type that were sought; empty where types are not known."""

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
    """What triples that give others away would add, had they not been removed."""

    removed: int
    """Triples that repeat another one, turned or under another name."""
    how: dict[str, int] = {}
    """Which they are, in words, with their numbers; one that leaks in several ways is in each."""
    without: Metrics | None = None
    """What the recipe reaches where they are removed; None where that was not measured."""
    with_them: Metrics | None = None
    """What it reaches by the same seed where they stay, on the test triples of that split."""

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
    """None where leaks were not looked for."""
    recipe_name: str
    recipe: Recipe
    runs: tuple[Run, ...] = Field(min_length=1)
    """One a seed."""
    baselines: dict[str, Measured] = {}

    @computed_field  # type: ignore[prop-decorator]  # as above
    @property
    def intervals(self) -> dict[str, Interval | None]:
        """Where each measure of both ends lies, by its name; None for a single seed."""
        return {name: self._interval(name) for name in Measures.model_fields if name != "count"}

    def _interval(self, name: str) -> Interval | None:
        values = [getattr(run.measured.overall.both, name) for run in self.runs]
        return None if None in values else interval(values)

    def mean(self, of: Callable[[Measured], Measures]) -> Measures:
        """The mean over seeds of some of what was measured."""
        return mean_of([of(run.measured) for run in self.runs])

    def spread(self, of: Callable[[Measured], Measures]) -> Interval | None:
        """Where the MRR of some of what was measured lies; None for a single seed."""
        return interval([of(run.measured).mrr for run in self.runs])

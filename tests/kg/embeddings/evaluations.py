"""Evaluations to show, of random ranks."""

import numpy as np

from kg.embeddings.checkpoints import Epoch
from kg.embeddings.ranking import Ranks
from kg.embeddings.recipe import Recipe
from kg.embeddings.report import Data, EvaluationReport, Leak, Measured, Run
from kg.embeddings.triples import Entities, IntArray, Split

ENTITIES = 50


def split_of(relations: tuple[str, ...], seed: int = 0) -> Split:
    """Of each relation twice as many test triples as of the one before, at least two."""
    draw = np.random.default_rng(seed)
    counts = [2 + int(200 * 0.8**at) for at in range(len(relations))]
    rows = draw.integers(ENTITIES, size=(sum(counts), 3))
    rows[:, 1] = np.repeat(np.arange(len(relations)), counts)
    ids = tuple(f"X:{at:03}" for at in range(ENTITIES))
    types = tuple(("Disease", "Drug", "Gene")[at % 3] for at in range(ENTITIES))
    return Split(Entities(ids, types), relations, rows, rows[:10], rows)


def ranks_like(rows: IntArray, luck: float, seed: int) -> Ranks:
    """Ranks of 1 to 50; the greater the luck, the better; some are tied."""
    draw = np.random.default_rng(seed)
    ease = luck * (1 + rows[:, 1]) / (1 + rows[:, 1].max())
    best = 1 + (49 * draw.random((len(rows), 2)) ** (1 + ease[:, None])).astype(np.int64)
    worst = np.minimum(best + draw.integers(0, 2, size=best.shape), ENTITIES)
    return Ranks(rows, best, worst, np.full(best.shape, ENTITIES))


def history(seed: int, epochs: int = 60, every: int = 5) -> tuple[Epoch, ...]:
    """A loss that falls, and validation every few epochs."""
    draw = np.random.default_rng(seed)
    return tuple(
        Epoch(
            epoch=at,
            loss=0.4 + 6 * float(np.exp(-at / 12)) + 0.02 * draw.random(),
            learning_rate=0.001,
            seconds=1.5,
            mrr=None if at % every else 0.8 - 0.7 * float(np.exp(-at / 15)) + 0.03 * draw.random(),
        )
        for at in range(1, epochs + 1)
    )


def report_of(relations: tuple[str, ...], seeds: tuple[int, ...] = (1, 2, 3)) -> EvaluationReport:
    """A report of a whole evaluation, baselines and leak too."""
    split = split_of(relations)
    measured = {seed: Measured.of(ranks_like(split.test, 12, seed), split) for seed in seeds}
    lucky = Measured.of(ranks_like(split.test, 20, 9), split).overall
    return EvaluationReport(
        data=Data.of(split, "a test graph", "00ff"),
        leak=Leak(removed=1234, without=measured[seeds[0]].overall, with_them=lucky),
        recipe_name="complex",
        recipe=Recipe.model_validate({"model": "complex"}),
        runs=tuple(
            Run(seed=seed, measured=each, history=history(seed)) for seed, each in measured.items()
        ),
        baselines={
            "random": Measured.of(ranks_like(split.test, 0, 7), split),
            "degree": Measured.of(ranks_like(split.test, 3, 8), split),
        },
    )

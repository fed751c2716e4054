"""What models of triples reach, and what training and ranking take at PrimeKG's size."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.benchmarks.figures import Figure, Unit
from tests.benchmarks.measuring import Measured
from tests.benchmarks.run import Run

DATA: Final = Path(__file__).parents[3] / "shared" / "data" / "kge"
"""Published splits, each a folder with train, valid and test."""

_SMALL: Final = (
    ("umls", "conve", 0.94, 90),
    ("umls", "transe", 0.70, 30),
    ("kinship", "conve", 0.83, 180),
)
"""Data, model, least MRR, seconds at most."""
_PUBLISHED: Final = (
    ("WN18RR", "complex", 0.475, None),
    ("FB15k-237", "complex", 0.348, 0.30),
)
"""Data, model, the MRR of Ruffinelli et al. 2020, table 2, and the least MRR."""
_BUDGET: Final = 600
_RANKED: Final = 2_000
_COMPARED: Final = 100
_BY_PYKEEN: Final = 40_000


def embedding(run: Run) -> Iterator[Figure]:
    """Train on the field's data sets, then on a graph of PrimeKG's size."""
    if DATA.is_dir():
        for name, model, least, seconds in _SMALL:
            yield from _small(run, name, model, least, seconds)
        for name, model, published, least_or_none in _PUBLISHED:
            yield from _published(run, name, model, published, least_or_none)
    yield from _large(run)


def _small(run: Run, name: str, model: str, least: float, seconds: float) -> Iterator[Figure]:
    given = {"folder": DATA / name, "model": model}
    ours = run.once(f"{name}-{model}", "embedding_work:reach", **given)
    theirs = run.once(f"{name}-{model}-pykeen", "embedding_work:reach_by_pykeen", **given)
    rival = "PyKEEN's loop, same recipe"
    for what, unit, target in (("mrr", Unit.SHARE, least), ("seconds", Unit.SECONDS, seconds)):
        yield Figure.of(
            f"{name}, {model}, {'test MRR' if what == 'mrr' else 'training'}",
            unit,
            ours.answer[what],
            rival=rival,
            theirs=theirs.answer[what],
            load=ours.load,
            target=target,
        )


def _published(
    run: Run, name: str, model: str, published: float, least: float | None
) -> Iterator[Figure]:
    ours = run.once(f"{name}-{model}", "embedding_work:reach", folder=DATA / name, model=model)
    yield Figure.of(
        f"{name}, {model}, test MRR",
        Unit.SHARE,
        ours.answer["mrr"],
        rival="published, Ruffinelli et al. 2020",
        theirs=published,
        load=ours.load,
        target=least,
    )
    yield Figure.of(
        f"{name}, {model}, training",
        Unit.SECONDS,
        ours.answer["seconds"],
        rival="none at this budget",
        theirs=None,
        load=ours.load,
        target=_BUDGET,
    )


def _large(run: Run) -> Iterator[Figure]:
    made = run.made("tables")
    run.once("tables", "table_work:build_tables", file=run.primekg(), out=made)
    tables = made / "tables"
    ours = run.once(
        "train-large", "embedding_work:train_large", tables=tables, out=run.made("train-large")
    )
    theirs = run.once(
        "train-large-pykeen",
        "embedding_work:train_large_by_pykeen",
        tables=tables,
        triples=_BY_PYKEEN,
    )
    yield from _training(ours, theirs)
    ranked = run.once(
        "rank-large",
        "embedding_work:rank_large",
        tables=tables,
        triples=_RANKED,
        sample=_COMPARED,
    )
    yield Figure.of(
        "filtered ranks of both ends at 129,375 entities, triples",
        Unit.PER_SECOND,
        ranked.answer["per_second"],
        rival="PyKEEN's evaluator",
        theirs=ranked.answer["theirs"],
        load=ranked.load,
        target=500,
    )
    yield Figure.of(
        f"ranks as PyKEEN's, of {_COMPARED} triples",
        Unit.SHARE,
        ranked.answer["equal"],
        rival="PyKEEN's evaluator",
        theirs=1.0,
        load=ranked.load,
        target=1.0,
    )


def _training(ours: Measured, theirs: Measured) -> Iterator[Figure]:
    yield Figure.of(
        "training at PrimeKG's size, triples with their inverses",
        Unit.PER_SECOND,
        ours.answer["per_second"],
        rival="PyKEEN's default loop, one negative",
        theirs=theirs.answer,
        load=ours.load,
        target=150_000,
    )
    yield Figure.of(
        "training at PrimeKG's size, peak memory",
        Unit.GIGABYTES,
        ours.peak,
        rival="PyKEEN's default loop, one negative",
        theirs=theirs.peak,
        load=ours.load,
        target=6e9,
    )

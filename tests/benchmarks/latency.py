"""How long single questions take."""

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import quantiles
from time import perf_counter
from typing import Final

import duckdb

QUERY: Final = "disease.symptoms"
"""The named query that is asked: one hop from a disease."""

_WARMING: Final = 100


def some_diseases(tables: str, count: int) -> list[str]:
    """Ids of random diseases of the graph, always the same."""
    with duckdb.connect() as db:
        nodes = db.read_parquet(str(Path(tables) / "nodes.parquet"))
        ids = nodes.filter("type = 'Disease'").order("id").project("id").fetchall()
    chosen = random.Random(0).sample(ids, min(count, len(ids)))  # noqa: S311 - a sample, no secret
    return [id_ for (id_,) in chosen]


def percentiles(ask: Callable[[str], object], diseases: Sequence[str]) -> list[float]:
    """Seconds of the median and of the 95th percentile, after some questions to warm up."""
    for disease in diseases[:_WARMING]:
        ask(disease)
    seconds = []
    for disease in diseases:
        begun = perf_counter()
        ask(disease)
        seconds.append(perf_counter() - begun)
    parts = quantiles(seconds, n=20)
    return [parts[9], parts[18]]

"""Which parameters nmslib's graph needs: what it finds of the nearest names, and what it costs.

``python -m tests.experiments.umls.parameters --index DIR``, where DIR is an index that
``kg.linking.umls`` made. Names drawn from it are taken out and asked for; found is what is as
similar as the k nearest of all the others, compared one by one. Seconds are of one processor.
"""

import argparse
import random
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow.parquet as pq

from kg.linking.umls.building import new_index
from kg.linking.umls.ngrams import load_vectorizer
from kg.linking.umls.spelling import words_of
from kg.text.canonical import canonical

_ASKED: Final = 1_000
_K: Final = (1, 10, 30)
_AT_ONCE: Final = 20
_EF_SEARCH: Final = (100, 200, 400)
_CLOSE: Final = 1e-5
"""Difference of similarities that rounding makes."""

Floats = npt.NDArray[np.float32]


def main() -> None:
    """Print a table of Markdown, a row for each parameter set as it is measured."""
    given = _arguments()
    names = pq.read_table(given.index / "spellings.parquet")["name"].to_pylist()
    random.Random(given.seed).shuffle(names)  # noqa: S311 - no secret
    asked, kept = names[:_ASKED], names[_ASKED : _ASKED + given.names]
    if given.alphabetical:
        kept.sort(key=lambda name: words_of(canonical(name)))
    vectorizer = load_vectorizer(given.index / "ngrams.parquet")
    rows, queries = vectorizer.transform(kept), vectorizer.transform(asked)
    nearest = [_nearest(similar) for similar in _compared(queries, rows)]
    words = np.array([len(name.split()) > 1 for name in asked])
    _row("names", "M", "efConstruction", "build, s", "efSearch", "ms a query", *_header())
    _row(*["--:"] * (6 + 2 * len(_K)))
    for m, ef_construction in product(given.m, given.ef_construction):
        index, seconds = _built(rows, m, ef_construction)
        for ef_search in _EF_SEARCH:
            index.setQueryTimeParams({"efSearch": ef_search})
            begun = time.process_time()
            answers = index.knnQueryBatch(queries, k=max(_K), num_threads=1)
            each = (time.process_time() - begun) / len(asked) * 1000
            found = np.array([_found(near, a) for near, a in zip(nearest, answers, strict=True)])
            recalls = [*found.mean(0), *found[words].mean(0)]
            figures = (f"{seconds:.0f}", ef_search, f"{each:.2f}", *(f"{r:.3f}" for r in recalls))
            _row(f"{len(kept):,}", m, ef_construction, *figures)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--index", type=Path, required=True, metavar="DIR")
    parser.add_argument("--names", type=int, default=300_000, metavar="N")
    parser.add_argument("--m", type=int, nargs="+", default=[16, 32, 64])
    parser.add_argument("--ef-construction", type=int, nargs="+", default=[100])
    parser.add_argument("--alphabetical", action="store_true", help="the order of building")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def _header() -> Iterator[str]:
    for what in ("", ", of two words and more"):
        yield from (f"found of {k}{what}" for k in _K)


def _row(*cells: object) -> None:
    sys.stdout.write(f"| {' | '.join(map(str, cells))} |\n")
    sys.stdout.flush()


def _compared(queries: Any, rows: Any) -> Iterator[Floats]:  # noqa: ANN401 - scipy's matrices
    """The similarities of each query above zero."""
    for first in range(0, queries.shape[0], _AT_ONCE):
        product_ = queries[first : first + _AT_ONCE] @ rows.T
        for at in range(product_.shape[0]):
            yield product_.data[product_.indptr[at] : product_.indptr[at + 1]]


def _nearest(similar: Floats) -> Floats:
    return np.sort(similar)[::-1][: max(_K)]


def _built(rows: Any, m: int, ef_construction: int) -> tuple[Any, float]:  # noqa: ANN401 - as above
    index = new_index()
    index.addDataPointBatch(rows)
    begun = time.process_time()
    index.createIndex({"M": m, "efConstruction": ef_construction, "indexThreadQty": 1, "post": 0})
    return index, time.process_time() - begun


def _found(nearest: Floats, answer: Sequence[Floats]) -> list[float]:
    """Share of the k nearest that were found, for every k."""
    similar = 1 - answer[1]
    return [
        float(np.mean(similar[: len(near)] >= near[-1] - _CLOSE)) if len(near) else 1.0
        for near in (nearest[:k] for k in _K)
    ]


if __name__ == "__main__":
    main()

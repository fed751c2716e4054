"""The n-gram weights of the candidate index, kept as a table and not as a pickle.

scikit-learn's TF-IDF over character trigrams within words, as scispaCy's own linker has it, of
the keys of ``kg.text.canonical``: with idf(g) = ln((1 + n) / (1 + df(g))) + 1 for n names of which
df(g) have the n-gram g, a name's weights are its counts times idf, scaled to length 1.

n-grams that no name has weigh as those of df 0 do. scikit-learn drops them, and to an index that
has no 'rsv' all of 'RSV bronchiolitis' would be 'bronchiolitis'.
"""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from kg.linking.umls.extra import import_extra
from kg.progress import Progress
from kg.text.canonical import canonical

_SIZE: Final = (3, 3)
_REPORT_EVERY: Final = 10_000
_UNKNOWN: Final = tuple(f"\0{number}" for number in range(64))
"""Columns of the n-grams that no name has, one each; a mention with more drops the rest."""

Analyzer = Callable[[str], list[str]]


def count_ngrams(names: Sequence[str], progress: Progress) -> pa.Table:
    """The n-grams of names with their weights: columns ngram, idf; the last n-gram is empty.

    Counted name by name, as ``TfidfVectorizer.fit`` would hold a matrix of them all. The empty
    n-gram stands for those that no name has.

    Raises:
        ConfigurationError: the extra is not installed.
    """
    ngrams_of = _vectorizer({"": 0}).build_analyzer()
    counts: Counter[str] = Counter()
    with progress.step("Counting n-grams", len(names)) as advance:
        for at, name in enumerate(names, 1):
            counts.update(set(ngrams_of(name)))
            if not at % _REPORT_EVERY:
                advance(_REPORT_EVERY)
    ngrams = [*sorted(counts), ""]
    idf = [math.log((1 + len(names)) / (1 + counts[ngram])) + 1 for ngram in ngrams]
    return pa.table({"ngram": ngrams, "idf": pa.array(idf, pa.float32())})


def vectorizer_of(table: pa.Table) -> Any:  # noqa: ANN401 - of an untyped library
    """A fitted TfidfVectorizer from the table of ``count_ngrams``.

    Raises:
        ConfigurationError: the extra is not installed.
    """
    *ngrams, _ = table["ngram"].to_pylist()
    *weights, of_none = table["idf"].to_pylist()
    vectorizer = _vectorizer({g: at for at, g in enumerate((*ngrams, *_UNKNOWN))})
    analyzer = _with_unknown(vectorizer.build_analyzer(), frozenset(ngrams))
    vectorizer.set_params(analyzer=analyzer)
    vectorizer.idf_ = np.array([*weights, *(of_none for _ in _UNKNOWN)], dtype=np.float32)
    return vectorizer


def load_vectorizer(path: Path) -> Any:  # noqa: ANN401 - of an untyped library
    """A fitted TfidfVectorizer from a Parquet file.

    Raises:
        ConfigurationError: the extra is not installed.
    """
    return vectorizer_of(pq.read_table(path))


def _with_unknown(ngrams_of: Analyzer, vocabulary: frozenset[str]) -> Analyzer:
    """The analyzer that gives every n-gram that is not known a column of its own."""

    def analyze(text: str) -> list[str]:
        ngrams = ngrams_of(text)
        known_ngrams = [ngram for ngram in ngrams if ngram in vocabulary]
        return (
            [*known_ngrams, *_UNKNOWN[: len(ngrams) - len(known_ngrams)]] if known_ngrams else []
        )

    return analyze


def _vectorizer(vocabulary: dict[str, int]) -> Any:  # noqa: ANN401 - as above
    return import_extra("sklearn.feature_extraction.text").TfidfVectorizer(
        analyzer="char_wb",
        ngram_range=_SIZE,
        preprocessor=canonical,
        dtype=np.float32,
        vocabulary=vocabulary,
    )

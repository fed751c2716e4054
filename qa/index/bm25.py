"""BM25 over the records of an index: weights computed once, kept as arrays, read where they lie.

The weights are bm25s' own (Lù 2024, arXiv:2407.03618), of Lucene's variant of BM25 with Lucene's
parameters. The tokens of each record are kept beside them, so that a change of some records leaves
those of the others as they are; the weights, which depend on all records, are computed anew.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

K1: Final = 1.2
B: Final = 0.75
METHOD: Final = "lucene"

_VOCABULARY: Final = "vocabulary.parquet"
_WORDS: Final = "tokens.npy"
_STARTS: Final = "token_starts.npy"
_WEIGHTS: Final = "bm25_weights.npy"
_ROWS: Final = "bm25_rows.npy"
_BOUNDS: Final = "bm25_bounds.npy"

Scores = NDArray[np.float64]


@dataclass(frozen=True)
class Tokens:
    """The tokens of some records, as positions in a vocabulary."""

    vocabulary: tuple[str, ...]
    """Sorted; each is a token of some record."""
    words: NDArray[np.int32]
    """Those of all records, one record after the other."""
    starts: NDArray[np.int64]
    """Shape (records + 1,): ``words[starts[n]:starts[n + 1]]`` are those of record n."""

    @classmethod
    def of(cls, records: Iterable[Sequence[str]]) -> Self:
        """Of the tokens of each record."""
        tokens_by_record = list(records)
        vocabulary = tuple(sorted({token for tokens in tokens_by_record for token in tokens}))
        position = {token: place for place, token in enumerate(vocabulary)}
        starts = np.zeros(len(tokens_by_record) + 1, dtype=np.int64)
        np.cumsum([len(tokens) for tokens in tokens_by_record], out=starts[1:])
        words = (position[token] for tokens in tokens_by_record for token in tokens)
        return cls(vocabulary, np.fromiter(words, np.int32, int(starts[-1])), starts)

    def of_record(self, row: int) -> list[str]:
        """The tokens of one record."""
        positions = self.words[self.starts[row] : self.starts[row + 1]]
        return [self.vocabulary[position] for position in positions]

    @classmethod
    def read(cls, folder: Path) -> Self:
        """As ``write`` left them; the arrays are read where they lie."""
        vocabulary = tuple(pq.ParquetFile(folder / _VOCABULARY).read().column("token").to_pylist())
        return cls(vocabulary, _array(folder / _WORDS), _array(folder / _STARTS))

    def write(self, folder: Path) -> None:
        """Write them, and what BM25 makes of them."""
        table = pa.table({"token": pa.array(self.vocabulary, pa.string())})
        pq.write_table(table, folder / _VOCABULARY, compression="zstd")
        weights, rows, bounds = self._weights()
        np.save(folder / _WORDS, self.words)
        np.save(folder / _STARTS, self.starts)
        np.save(folder / _WEIGHTS, weights)
        np.save(folder / _ROWS, rows)
        np.save(folder / _BOUNDS, bounds)

    def _weights(self) -> tuple[NDArray[np.float32], NDArray[np.int32], NDArray[np.int64]]:
        """By token, one after the other: what it weighs in each record that has it."""
        if not self.vocabulary:
            return np.zeros(0, np.float32), np.zeros(0, np.int32), np.zeros(1, np.int64)
        import bm25s  # noqa: PLC0415 - a search does without it

        ids = [
            self.words[start:end].tolist()
            for start, end in zip(self.starts[:-1], self.starts[1:], strict=True)
        ]
        model = bm25s.BM25(k1=K1, b=B, method=METHOD)
        positions = {token: at for at, token in enumerate(self.vocabulary)}
        model.index((ids, positions), create_empty_token=False, show_progress=False)
        matrix = model.scores
        return (
            matrix["data"].astype(np.float32),
            matrix["indices"].astype(np.int32),
            matrix["indptr"].astype(np.int64),
        )


class BM25:
    """Scores records for the tokens of a question."""

    def __init__(self, folder: Path) -> None:
        """Open what ``Tokens.write`` left in a folder."""
        vocabulary = pq.ParquetFile(folder / _VOCABULARY).read().column("token").to_pylist()
        self._position = {token: at for at, token in enumerate(vocabulary)}
        self._weights, self._rows, self._bounds = (
            _array(folder / name) for name in (_WEIGHTS, _ROWS, _BOUNDS)
        )

    def scores(self, tokens: Iterable[str], records: int) -> Scores:
        """BM25 of every record, 0 for one that has none of the tokens.

        Args:
            tokens: of the question; one that is there twice counts twice.
            records: how many there are.

        Returns:
            Shape (records,).
        """
        scores = np.zeros(records)
        for token in tokens:
            position = self._position.get(token)
            if position is not None:
                posting = slice(self._bounds[position], self._bounds[position + 1])
                scores[self._rows[posting]] += self._weights[posting]
        return scores


def _array(path: Path) -> Any:  # noqa: ANN401 - of the type that it was saved with
    return np.load(path, mmap_mode="r", allow_pickle=False)

"""Finds the keys most similar to a key by character n-grams: TF-IDF weights, cosine, exact.

The n-grams of a key are the trigrams of each word with a space before and after it, so
that the order of words does not count, and each Han character and each two neighbouring
ones. An n-gram counts once a key and weighs ``idf = ln((1 + n) / (1 + df)) + 1`` (n keys,
df of them with the n-gram; scikit-learn's smoothed form). The cosine of keys a and b is
``sum of idf^2 over the n-grams of both / (|a| |b|)``, where ``|a|^2`` is that sum over all
n-grams of a, those that no indexed key has among them.

A search adds up the weights along the lists of the keys that have each n-gram, rare ones
first. The commonest have the longest lists and weigh least: once they cannot lift a key
among the best, they are only looked up for the keys that still can be (MaxScore; Turtle and
Flood 1995). Nothing is approximated.

On disk, all of them npy files::

    grams.npy      uint64, ascending: three code points of 21 bits
    starts.npy     int64: the keys of n-gram g are keys[starts[g]:starts[g + 1]]
    keys.npy       int32: positions of keys, ascending within an n-gram
    scales.npy     float32: 1 / |key| of each key
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
import numpy.typing as npt

from kg.progress import Progress, Silent
from kg.text.words import HAN

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]

_KEYS_PER_PART: Final = 20_000
"""Keys that are taken apart at once."""
_COMMON_SHARE: Final = 0.06
"""Share of a key's weight that its commonest n-grams together have, or less."""
_LOOKUP_COST: Final = 64
"""Additions that take as long as looking up a key in a list."""
_ROUNDING: Final = 1e-5
_KEYS_PER_COLUMN: Final = 64
"""Keys of which only the best score is looked at first."""
_BITS: Final = np.uint64(21)
_ROW_BITS: Final = np.uint64(32)
_SPACE: Final = 32


def _han_table() -> npt.NDArray[np.bool_]:
    """Whether each code point is a Han character."""
    table = np.zeros(0x110000, dtype=np.bool_)
    for first, last, single in re.findall("(.)-(.)|(.)", HAN, re.DOTALL):
        table[ord(first or single) : ord(last or single) + 1] = True
    return table


_IS_HAN: Final = _han_table()


@dataclass(frozen=True, eq=False)
class NgramIndex:
    """The n-grams of a sequence of keys; threads may share it."""

    grams: npt.NDArray[np.uint64]
    starts: npt.NDArray[np.int64]
    keys: npt.NDArray[np.int32]
    scales: npt.NDArray[np.float32]

    @classmethod
    def build(cls, keys: Sequence[str], progress: Progress | None = None) -> Self:
        """Index keys; 130,000 take a second.

        Args:
            keys: canonical keys; one without a letter is found by nothing.
            progress: shown meanwhile.
        """
        with (progress or Silent()).step("index n-grams", 2 * len(keys)) as advance:
            grams = np.zeros(0, np.uint64)
            for first in range(0, len(keys), _KEYS_PER_PART):
                _, part_grams = _ngrams(keys[first : first + _KEYS_PER_PART])
                grams = np.union1d(grams, part_grams)
                advance(min(_KEYS_PER_PART, len(keys) - first))
            parts = []
            for first in range(0, len(keys), _KEYS_PER_PART):
                parts.append(_occurrences(keys, first, grams))
                advance(min(_KEYS_PER_PART, len(keys) - first))
        counts = sum((np.bincount(part[0], minlength=len(grams)) for part in parts), np.int64(0))
        starts = np.zeros(len(grams) + 1, np.int64)
        np.cumsum(counts, out=starts[1:])
        scales = np.ones(len(keys), np.float32)
        weights = _weights(np.diff(starts), len(keys))
        for first, (gram, key) in zip(range(0, len(keys), _KEYS_PER_PART), parts, strict=True):
            scales_of_part = scales[first : first + _KEYS_PER_PART]
            squares = np.bincount(key - first, weights[gram], minlength=len(scales_of_part))
            np.divide(
                1, np.sqrt(squares), out=scales_of_part, where=squares > 0, casting="same_kind"
            )
        return cls(grams, starts, _posting_lists(parts, starts), scales)

    def search(self, key: str, limit: int = 20) -> tuple[IntArray, FloatArray]:
        """The keys that share an n-gram with ``key``: positions and cosines, the best first.

        Args:
            key: canonical.
            limit: that many at most; of equally similar keys the one of the lower position.
        """
        _, grams = _ngrams([key])
        grams = np.unique(grams)
        rows = np.searchsorted(self.grams, grams)
        rows = rows[self.grams.take(rows, mode="clip") == grams] if self.grams.size else rows[:0]
        rows = rows[np.argsort(self.starts[rows + 1] - self.starts[rows], kind="stable")]
        weights = self._weights[rows]
        ends = zip(self.starts[rows].tolist(), self.starts[rows + 1].tolist(), strict=True)
        lists = [
            (self.keys[first:last], weight)
            for (first, last), weight in zip(ends, weights, strict=True)
        ]
        remaining = np.append(weights[::-1].cumsum()[::-1], 0)
        rare = int(np.count_nonzero(remaining > _COMMON_SHARE * remaining[0]))
        sums = np.zeros(len(self.scales), np.float32)
        for keys, weight in lists[:rare]:
            np.add.at(sums, keys, weight)
        best = _candidates(sums, self.scales, limit, remaining[rare])
        for keys, weight in lists[rare:]:
            if len(keys) < _LOOKUP_COST * len(best):
                np.add.at(sums, keys, weight)
            else:
                sums[best[keys.take(keys.searchsorted(best), mode="clip") == best]] += weight
        best = best[sums[best] > 0]
        cosines = sums[best] * self.scales[best]
        first = np.lexsort((best, -cosines))[:limit]
        unknown = len(grams) - len(rows)
        norm = np.sqrt(weights.sum(dtype=np.float64) + unknown * self._unknown)
        return best[first], cosines[first] / norm if first.size else np.zeros(0)

    def save(self, folder: Path) -> None:
        """Write the index into ``folder``, which is made.

        Raises:
            OSError: it cannot be written.
        """
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("grams", "starts", "keys", "scales"):
            np.save(folder / f"{name}.npy", getattr(self, name), allow_pickle=False)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Open an index that ``save`` wrote; its lists stay on disk until they are used.

        Raises:
            OSError: a file is missing.
            ValueError: a file is cut off, or they do not belong together.
        """
        grams = _open(folder / "grams.npy", np.uint64)
        starts = _open(folder / "starts.npy", np.int64)
        keys = _open(folder / "keys.npy", np.int32)
        scales = _open(folder / "scales.npy", np.float32)
        if len(starts) != len(grams) + 1 or starts[-1] != len(keys):
            raise ValueError(f"{folder}: the n-grams and their lists of keys do not fit")
        return cls(grams, starts, keys, scales)

    @cached_property
    def _weights(self) -> npt.NDArray[np.float32]:
        return _weights(np.diff(self.starts), len(self.scales)).astype(np.float32)

    @cached_property
    def _unknown(self) -> float:
        """Weight of an n-gram that no key has."""
        return float(_weights(np.zeros(1), len(self.scales))[0])


def _ngrams(keys: Sequence[str]) -> tuple[IntArray, npt.NDArray[np.uint64]]:
    """Position of the key and code of every n-gram, repeated ones too."""
    text = "".join([f" {key} " for key in keys])
    code = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    owner = np.repeat(np.arange(len(keys)), [len(key) + 2 for key in keys])
    letter = code > _SPACE
    if text.isascii():
        return _trigrams(owner, code, letter)
    han = _IS_HAN[code]
    owners, trigrams = _trigrams(owner, np.where(han, _SPACE, code), letter & ~han)
    pairs = np.flatnonzero(han[:-1] & han[1:])
    wide = code.astype(np.uint64)
    return (
        np.concatenate([owners, owner[han], owner[pairs]]),
        np.concatenate([trigrams, wide[han], wide[pairs] << _BITS | wide[pairs + 1]]),
    )


def _trigrams(
    owner: IntArray, code: npt.NDArray[np.uint32], letter: npt.NDArray[np.bool_]
) -> tuple[IntArray, npt.NDArray[np.uint64]]:
    """The trigrams around every letter."""
    middle = np.flatnonzero(letter)
    wide = np.where(letter, code, _SPACE).astype(np.uint64)
    trigrams = (wide[middle - 1] << _BITS | wide[middle]) << _BITS | wide[middle + 1]
    return owner[middle], trigrams


def _occurrences(
    keys: Sequence[str], first: int, grams: npt.NDArray[np.uint64]
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Numbers of the n-grams in a part of the keys and those keys, ascending, each pair once."""
    owner, part_grams = _ngrams(keys[first : first + _KEYS_PER_PART])
    number = np.searchsorted(grams, part_grams).astype(np.uint64)
    pairs = np.unique(number << _ROW_BITS | (owner + first).astype(np.uint64))
    return (pairs >> _ROW_BITS).astype(np.int32), pairs.astype(np.uint32).astype(np.int32)


def _posting_lists(
    parts: Sequence[tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]], starts: IntArray
) -> npt.NDArray[np.int32]:
    """The keys of each n-gram, one list after the other."""
    keys = np.empty(starts[-1], np.int32)
    free = starts[:-1].copy()
    for gram, key in parts:
        counts = np.bincount(gram, minlength=len(free))
        shift = free - (np.cumsum(counts) - counts)
        keys[np.repeat(shift, counts) + np.arange(len(gram))] = key
        free += counts
    return keys


def _weights(df: npt.NDArray[Any], keys: int) -> FloatArray:
    """Squared idf."""
    idf: FloatArray = np.log((1 + keys) / (1 + df)) + 1
    return idf**2


def _candidates(
    sums: npt.NDArray[np.float32], scales: npt.NDArray[np.float32], limit: int, remaining: float
) -> IntArray:
    """Positions of the keys that may still be among the ``limit`` best, all of them and others.

    The keys are dealt to columns; at least ``limit`` keys reach the best cosine of the
    column that is ``limit``-th best by it.

    Args:
        sums: shape (keys,), of the weights added up so far.
        scales: shape (keys,).
        limit: how many are looked for.
        remaining: what may still be added to a sum.
    """
    columns = len(sums) // _KEYS_PER_COLUMN
    cosines = sums * scales
    if columns > limit:
        tops = cosines[: columns * _KEYS_PER_COLUMN].reshape(_KEYS_PER_COLUMN, columns).max(axis=0)
        least = np.partition(tops, columns - limit)[columns - limit] * (1 - _ROUNDING)
        if least > 0:
            cosines += scales * np.float32(remaining)
            return np.flatnonzero(cosines >= least)
    return np.arange(len(sums))


def _open(path: Path, dtype: type[np.generic]) -> npt.NDArray[Any]:
    array: npt.NDArray[Any] = np.load(path, mmap_mode="r", allow_pickle=False)
    if array.dtype != dtype or array.ndim != 1:
        raise ValueError(f"{path}: {array.dtype} of {array.ndim} dimensions, not {dtype.__name__}")
    # Slices of a plain array are made ten times as fast as those of a memmap.
    return array.view(np.ndarray)

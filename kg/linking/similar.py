"""The names most similar to a mention that is no name itself."""

from collections.abc import Iterable, Iterator, Sequence
from heapq import nlargest
from typing import Final, NamedTuple

from kg.linking.agreement import ComparableMention
from kg.linking.index import NameIndex
from kg.linking.mention import Method
from kg.linking.scorers import scores

NEAREST: Final = 20
"""Names that are compared letter by letter."""
_MAX_WORDS: Final = 6
_MAX_LETTERS: Final = 16
"""Of a name within a mention."""
_PARTIAL_SCORERS: Final = frozenset({"WRatio", "fuzzywuzzy.WRatio", "partial_ratio"})
"""Scorers that give .9 and more to a name that is any part of the mention, be it of a word:
for them such names are looked at too, and more of the nearest, whatever good it does."""
_MORE: Final = 40
_BEST_OF_MORE: Final = 5
LONGEST: Final = 500
"""Characters of a mention that is compared; no name is so long, and a text is no mention."""


class Similar(NamedTuple):
    """A name that a mention may mean."""

    key: int
    """Position in the index."""
    score: float
    """By the scorer, in [0, 1]."""
    method: Method
    same_numbers: bool
    """As the mention has; with others it is never meant, however similar."""


def similar_names(
    index: NameIndex, mention: str, scorer: str, limit: int = NEAREST, text: str = ""
) -> list[Similar]:
    """The names nearest by n-grams or within the mention, by score.

    Those that the mention says in other words go before all that are merely similar.

    Args:
        index: the names.
        mention: its canonical key.
        scorer: name of a scorer.
        limit: how many of the nearest are looked at.
        text: the mention as it is written.
    """
    if len(mention) > LONGEST:
        return []
    by_parts = scorer in _PARTIAL_SCORERS
    nearest = index.ngrams.search(mention, limit + _MORE if by_parts else limit)[0].tolist()
    near = list(dict.fromkeys([*nearest[:limit], *_keys(index, _words_within(mention))]))
    if not by_parts:
        return compared(index, mention, near, scorer, text=text)
    more = set(nearest[limit:]).union(_keys(index, _parts(mention))).difference(near)
    return compared(index, mention, [*near, *sorted(more)], scorer, most=len(near), text=text)


def compared(
    index: NameIndex,
    mention: str,
    near: Sequence[int],
    scorer: str,
    *,
    most: int | None = None,
    text: str = "",
) -> list[Similar]:
    """Some names in the order in which a mention may mean them.

    Args:
        index: the names.
        mention: its canonical key.
        near: positions of the names' keys; of equally good ones the first stays first.
        scorer: name of a scorer.
        most: of the names after so many only the few best by the scorer are kept.
        text: the mention as it is written, where that is known.
    """
    names = [index.keys[at] for at in near]
    measured = list(zip(scores(scorer, mention, names), near, names, strict=True))
    if most is not None:
        measured[most:] = nlargest(_BEST_OF_MORE, measured[most:])
    comparable = ComparableMention(mention, index.words_and_bigrams.__contains__, text)
    similar = [
        Similar(
            at, score, comparable.agrees(name) or "similarity", comparable.has_numbers_of(name)
        )
        for score, at, name in measured
    ]
    return sorted(similar, key=lambda one: (one.method == "similarity", -one.score))


def _keys(index: NameIndex, texts: Iterable[str]) -> Iterator[int]:
    """Positions of the texts that are keys."""
    return (at for at in map(index.positions.get, texts) if at is not None)


def _words_within(mention: str) -> Iterator[str]:
    """Words of the mention, side by side."""
    words = mention.split(" ")
    for first in range(len(words)):
        for last in range(first + 1, min(first + _MAX_WORDS, len(words)) + 1):
            yield " ".join(words[first:last])


def _parts(mention: str) -> Iterator[str]:
    """Characters of the mention, side by side."""
    for first in range(len(mention)):
        for last in range(first + 1, min(first + _MAX_LETTERS, len(mention)) + 1):
            yield mention[first:last]

"""The names most similar to a mention that is no name itself."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from kg.linking.agreement import Said
from kg.linking.index import NameIndex
from kg.linking.mention import Method
from kg.linking.scorers import scores

NEAREST: Final = 20
"""Names that are compared letter by letter."""
_MOST_WORDS: Final = 6
_MOST_LETTERS: Final = 16
"""Of a name within a mention."""
_OF_PARTS: Final = frozenset({"WRatio", "fuzzywuzzy.WRatio", "partial_ratio"})
"""Scorers that give .9 and more to a name that is any part of the mention, be it of a word:
for them such names are looked at too, whatever good it does."""
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
    index: NameIndex, mention: str, scorer: str, limit: int = NEAREST
) -> list[Similar]:
    """The names nearest by n-grams or within the mention, by score.

    Those that the mention says in other words go before all that are merely similar.

    Args:
        index: the names.
        mention: its canonical key.
        scorer: name of a scorer.
        limit: how many of the nearest are looked at.
    """
    if len(mention) > LONGEST:
        return []
    near = index.ngrams.search(mention, limit)[0].tolist()
    found = set(near)
    within = _parts(mention) if scorer in _OF_PARTS else _words_within(mention)
    for part in within:
        at = index.positions.get(part)
        if at is not None and at not in found:
            found.add(at)
            near.append(at)
    return compared(index, mention, near, scorer)


def compared(index: NameIndex, mention: str, near: Sequence[int], scorer: str) -> list[Similar]:
    """Some names in the order in which a mention may mean them.

    Args:
        index: the names.
        mention: its canonical key.
        near: positions of the names' keys; of equally good ones the first stays first.
        scorer: name of a scorer.
    """
    names = [index.keys[at] for at in near]
    measured = zip(near, names, scores(scorer, mention, names), strict=True)
    said = Said(mention, index.known.__contains__)
    found = [
        Similar(at, score, said.agrees(name) or "similarity", said.has_numbers_of(name))
        for at, name, score in measured
    ]
    return sorted(found, key=lambda one: (one.method == "similarity", -one.score))


def _words_within(mention: str) -> Iterator[str]:
    """Words of the mention, side by side."""
    words = mention.split(" ")
    for first in range(len(words)):
        for last in range(first + 1, min(first + _MOST_WORDS, len(words)) + 1):
            yield " ".join(words[first:last])


def _parts(mention: str) -> Iterator[str]:
    """Characters of the mention, side by side."""
    for first in range(len(mention)):
        for last in range(first + 1, min(first + _MOST_LETTERS, len(mention)) + 1):
            yield mention[first:last]

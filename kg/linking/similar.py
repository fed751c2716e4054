"""The names most similar to a mention that is no name itself."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from kg.linking.agreement import agreement, same_numbers
from kg.linking.index import NameIndex
from kg.linking.mention import Method
from kg.linking.scorers import scores

NEAREST: Final = 20
"""Names that are compared letter by letter."""
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
    """The nearest names by n-grams, those that the mention says in other words first, by score.

    Args:
        index: the names.
        mention: its canonical key.
        scorer: name of a scorer.
        limit: how many of the nearest are looked at.
    """
    if len(mention) > LONGEST:
        return []
    near, _ = index.ngrams.search(mention, limit)
    return compared(index, mention, near.tolist(), scorer)


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
    knows = index.known.__contains__
    found = [
        Similar(
            at,
            score,
            agreement(mention, name, knows) or "similarity",
            same_numbers(mention, name),
        )
        for at, name, score in measured
    ]
    return sorted(found, key=lambda one: (one.method == "similarity", -one.score))

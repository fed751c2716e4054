"""Finds what one of the sites fills its lists of complications with: sets of names that belong to no disease.

Conditions of a part of the body stand under hundreds of diseases of any other, several at a time
(cysticercosis of the brain, craniopharyngioma and pituitary dwarfism under tinea of the head and under
nodules of the penis). Real complications go together less: of the rows that have the commoner of
two, over a third have both only where they are filling, and at most 28 % where they are not (cataract
and glaucoma).
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from itertools import combinations
from typing import Final

_ROWS: Final = 20
"""In which two names stand together, at least."""
_SHARE: Final = 1 / 3
"""Of the rows that have the commoner of two, what have both: more than this."""


class Filling:
    """The sets of names, by the lists of a whole table."""

    def __init__(self, lists: Iterable[Collection[str]]) -> None:
        rows = [frozenset(names) for names in lists]
        count = Counter(name for names in rows for name in names)
        often = {name for name, number in count.items() if number >= _ROWS}
        together = Counter(
            pair for names in rows for pair in combinations(sorted(names & often), 2)
        )
        self._others: dict[str, set[str]] = defaultdict(set)
        for (one, other), number in together.items():
            if number >= _ROWS and number > _SHARE * max(count[one], count[other]):
                joined = {one, other} | self._others[one] | self._others[other]
                for name in joined:
                    self._others[name] = joined

    def of(self, names: Collection[str]) -> set[str]:
        """Those of a row that fill it: two or more of one set."""
        given = frozenset(names)
        return {name for name in given if len(self._others.get(name, set()) & given) > 1}

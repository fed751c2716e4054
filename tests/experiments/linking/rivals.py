"""What medkg's linker is compared with, on the same table of names."""

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import Final

from rapidfuzz import fuzz, process, utils

from kg.linking.evaluation import EvaluatedLinker
from kg.linking.mention import Candidate, Mention, Method
from kg.linking.names import Names
from kg.linking.scorers import scorer
from kg.text import normalise

_FIRST_FEW: Final = 5
_SHORTLIST: Final = 100
_LIKELY: Final = 0.9
"""What people who use fuzzywuzzy most often ask of a match: 90 of 100."""


class _Rival(ABC):
    """A rival links mentions, and does not look for them."""

    def __init__(self, names: Names) -> None:
        rows = names.table.select(["id", "type", "name", "language", "cui"]).to_pylist()
        self._rows = rows

    def link(self, text: str, spans: Sequence[tuple[int, int]] | None = None) -> list[Mention]:
        """Each given span by itself; nothing without them."""
        given = ((start, end, self.resolve(text[start:end])) for start, end in spans or ())
        return [
            Mention(start, end, m.text, m.method, m.candidates, m.linked)
            for start, end, m in given
        ]

    @abstractmethod
    def resolve(self, mention: str, types: Collection[str] | None = None) -> Mention:
        """One mention."""

    def _mention(self, mention: str, found: list[tuple[int, float]], linked: bool) -> Mention:
        best: dict[str, Candidate] = {}
        for at, score in found:
            row = self._rows[at]
            cuis = tuple(row["cui"].split("|")) if row["cui"] else ()
            best.setdefault(
                row["id"],
                Candidate(
                    row["id"],
                    row["type"],
                    row["name"],
                    row["name"],
                    row["language"],
                    min(score, 1.0),
                    cuis,
                ),
            )
        candidates = tuple(best.values())[:_FIRST_FEW]
        method: Method | None = "similarity" if candidates else None
        return Mention(0, len(mention), mention, method, candidates, linked and bool(candidates))


class ExactOnly(_Rival):
    """A dictionary of normalised names; it abstains where two entities share the name."""

    def __init__(self, names: Names) -> None:
        super().__init__(names)
        self._at: dict[str, list[int]] = defaultdict(list)
        for at, row in enumerate(self._rows):
            self._at[normalise(row["name"])].append(at)

    def resolve(self, mention: str, types: Collection[str] | None = None) -> Mention:
        """Look it up."""
        found = [
            (at, 1.0)
            for at in self._at.get(normalise(mention), ())
            if types is None or self._rows[at]["type"] in types
        ]
        alone = len({self._rows[at]["id"] for at, _ in found}) == 1
        return self._mention(mention, found, linked=alone)


class ExhaustiveWRatio(_Rival):
    """rapidfuzz's WRatio with every name; links what scores 0.9 or more."""

    def __init__(self, names: Names) -> None:
        super().__init__(names)
        self._seen: dict[tuple[str, frozenset[str] | None], list[tuple[int, float]]] = {}
        self._names = [utils.default_process(row["name"]) for row in self._rows]

    def resolve(self, mention: str, types: Collection[str] | None = None) -> Mention:
        """Compare with every name."""
        found = self.shortlist(mention, types)
        return self._mention(mention, found, linked=bool(found) and found[0][1] >= _LIKELY)

    def shortlist(self, mention: str, types: Collection[str] | None) -> list[tuple[int, float]]:
        """The 100 best rows with their scores in [0, 1]; kept for whoever asks again."""
        asked = (mention, None if types is None else frozenset(types))
        if asked not in self._seen:
            scored = process.extract(
                utils.default_process(mention), self._names, scorer=fuzz.WRatio, limit=_SHORTLIST
            )
            self._seen[asked] = [
                (at, score / 100)
                for _, score, at in scored
                if types is None or self._rows[at]["type"] in types
            ]
        return self._seen[asked]


class FuzzyWuzzy(_Rival):
    """The paper's way: fuzzywuzzy's WRatio; links what scores 0.9 or more.

    All names would take fuzzywuzzy seconds a mention, so it ranks the 100 best that
    rapidfuzz's WRatio, which is the same measure, finds among all of them.
    """

    def __init__(self, names: Names, near: ExhaustiveWRatio) -> None:
        super().__init__(names)
        self._near = near

    def resolve(self, mention: str, types: Collection[str] | None = None) -> Mention:
        """Rank what is near by rapidfuzz."""
        score = scorer("fuzzywuzzy.WRatio")
        scored = [
            (at, score(mention, self._rows[at]["name"]))
            for at, _ in self._near.shortlist(mention, types)
        ]
        found = sorted(scored, key=lambda pair: -pair[1])
        return self._mention(mention, found, linked=bool(found) and found[0][1] >= _LIKELY)


def rivals(names: Names) -> dict[str, EvaluatedLinker]:
    """All of them by name, on one table of names."""
    exhaustive = ExhaustiveWRatio(names)
    return {
        "exact names only": ExactOnly(names),
        "rapidfuzz WRatio, all names": exhaustive,
        "fuzzywuzzy WRatio": FuzzyWuzzy(names, exhaustive),
    }

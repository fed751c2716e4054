"""Where a case's disease stands among those that a graph points to."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

import numpy as np

from kg.discrimination.graph import ancestors, parents_of
from kg.stores.store import Store, Value
from tests.experiments.diagnosis.cases import Case
from tests.experiments.diagnosis.rivals import RIVALS, Annotations

FIVE: Final = "DXY, of its five"
DIFFERENTIAL: Final = "differential"
NO_PRIOR: Final = "differential, prior none"
MATCHED: Final = "findings matched"
WAYS: Final = (MATCHED, *RIVALS, NO_PRIOR, DIFFERENTIAL)

_MOST: Final = 200
"""Diseases of a differential that are looked at."""


@dataclass(frozen=True)
class Placed:
    """Where one way puts the disease of one case."""

    source: str
    way: str
    chosen: bool
    rank: int | None
    """From 1; None: the disease is not among the ranked."""
    chance: float = 0.0
    """Of the first disease, by our differential."""


@dataclass(frozen=True)
class Share:
    """How many of some cases."""

    hits: int
    cases: int

    def __str__(self) -> str:
        """In percent, with Wilson's interval of 95 %."""
        if not self.cases:
            return "-"
        low, high = self.interval
        return f"{self.hits / self.cases:.0%} ({100 * low:.0f} to {100 * high:.0f})"

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's, of 95 %."""
        z, n, p = 1.96, self.cases, self.hits / self.cases
        middle, half = p + z * z / (2 * n), z * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        low, high = ((middle + side) / (1 + z * z / n) for side in (-half, half))
        return max(low, 0.0), min(high, 1.0)


def top(placed: Iterable[Placed], most: int) -> Share:
    """Those whose disease stands among the first."""
    ranks = [each.rank for each in placed]
    return Share(sum(rank is not None and rank <= most for rank in ranks), len(ranks))


class Ranker:
    """Ranks diseases on one graph."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._annotations = Annotations(store)
        parents = parents_of(store, "Disease")
        heads = (str(row[0]) for row in store.query("graph.symptom_edges").rows)
        self._findings = Counter(heads)
        self._kinds: dict[str, set[str]] = {}
        for disease in self._findings:
            for up in ancestors(disease, parents) | {disease}:
                self._kinds.setdefault(up, set()).add(disease)

    def described(self, golds: Iterable[str]) -> set[str]:
        """The diseases and their kinds that the graph has findings of."""
        return {kind for gold in golds for kind in self._kinds.get(gold, ())}

    def rank(self, cases: Sequence[Case]) -> Iterator[Placed]:
        """The rank of every case's disease or of a kind of it, by each way."""
        five = sorted({gold for case in cases if case.source == "DXY" for gold in case.golds})
        for case in cases:
            yield from self._rank(case, case.source, self.described(case.golds), ())
            if case.source == "DXY":
                yield from self._rank(case, FIVE, case.golds, five)

    def _rank(
        self, case: Case, source: str, right: Iterable[str], among: Sequence[str]
    ) -> Iterator[Placed]:
        rows = self._rows(case, among, "prevalence")
        order = sorted(
            rows, key=lambda r: (-_number(r["matched"]), self._findings[str(r["disease_id"])])
        )
        yield Placed(source, MATCHED, case.chosen, _place(order, right))
        for way, score in RIVALS.items():
            ids = self._ranked(score(self._annotations, case.present, case.absent), among)
            yield Placed(source, way, case.chosen, _at(ids, right))
        flat = self._rows(case, among, "none")
        yield Placed(source, NO_PRIOR, case.chosen, _place(flat, right))
        chance = _number(rows[0]["chance"]) if rows else 0.0
        yield Placed(source, DIFFERENTIAL, case.chosen, _place(rows, right), chance)

    def _ranked(self, scores: np.ndarray, among: Sequence[str]) -> list[str]:  # type: ignore[type-arg]
        order = np.argsort(-scores, kind="stable")
        ids = [self._annotations.diseases[n] for n in order]
        return [id_ for id_ in ids if id_ in among] if among else ids[:_MOST]

    def _rows(self, case: Case, among: Sequence[str], prior: str) -> list[Mapping[str, Value]]:
        given: dict[str, Value] = {"present": list(case.present), "absent": list(case.absent)}
        return list(
            self._store.query(
                "symptom.differential", **given, prior=prior, among=list(among), limit=_MOST
            ).dicts()
        )


def _number(cell: Value) -> float:
    if not isinstance(cell, int | float):
        raise TypeError(f"{cell!r} is no number")
    return cell


def _place(rows: Iterable[Mapping[str, Value]], right: Iterable[str]) -> int | None:
    return _at((str(row["disease_id"]) for row in rows), right)


def _at(ids: Iterable[str], right: Iterable[str]) -> int | None:
    wanted = set(right)
    return next((at for at, id_ in enumerate(ids, 1) if id_ in wanted), None)

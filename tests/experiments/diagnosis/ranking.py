"""Where a case's disease stands among those that a graph points to."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from kg.discrimination.hierarchy import ancestors, parents_of
from kg.stores.store import Store, Value
from tests.experiments.diagnosis.cases import Case

_MOST: Final = 500
"""Diseases of a differential that are looked at; all of them where five are compared."""
_ALL: Final = 100_000

Row = Mapping[str, Value]


@dataclass(frozen=True)
class Ranks:
    """One way to rank on one graph."""

    graph: str
    way: str
    ranks: Mapping[str, Sequence[int | None]]
    """By the cases' source, in the cases' order; None: the disease is not among the ranked."""

    def top(self, source: str, most: int, half: int) -> str:
        """The share of a half of the cases whose disease stands among the first, in percent."""
        ranks = self.ranks[source][half::2]
        return f"{sum(r is not None and r <= most for r in ranks) / max(len(ranks), 1):.1%}"


class Ranker:
    """Ranks diseases on one graph."""

    def __init__(self, name: str, store: Store) -> None:
        self._name = name
        self._store = store
        self._parents = parents_of(store, "Disease")
        heads = (str(row[0]) for row in store.query("graph.symptom_edges").rows)
        self._findings = Counter(heads)
        self._kinds: dict[str, set[str]] = {}
        for disease in self._findings:
            for up in ancestors(disease, self._parents) | {disease}:
                self._kinds.setdefault(up, set()).add(disease)

    def described(self, golds: Iterable[str]) -> set[str]:
        """The diseases and their kinds that the graph has findings of."""
        return {kind for gold in golds for kind in self._kinds.get(gold, ())}

    def rank(self, cases: Sequence[Case]) -> list[Ranks]:
        """The rank of every case's disease or of a kind of it, by each way."""
        ways: dict[str, Callable[[Row], tuple[float, ...]]] = {
            "findings matched": lambda row: (
                -_number(row["matched"]),
                self._findings[str(row["disease_id"])],
            ),
            "differential": lambda row: (-_number(row["score"]),),
        }
        found: dict[str, dict[str, list[int | None]]] = {way: {} for way in ways}
        five = {gold for case in cases if case.source == "DXY" for gold in case.golds}
        for case in cases:
            rows = self._rows(case)
            for way, key in ways.items():
                ids = [str(row["disease_id"]) for row in sorted(rows, key=key)]
                right = self.described(case.golds)
                found[way].setdefault(case.source, []).append(_place(ids, right))
                if case.source == "DXY":
                    closed = [id_ for id_ in ids if id_ in five]
                    own = found[way].setdefault("DXY, of its five", [])
                    own.append(_place(closed, case.golds))
        return [Ranks(self._name, way, ranks) for way, ranks in found.items()]

    def _rows(self, case: Case) -> list[Row]:
        asked: dict[str, Value] = {"present": list(case.present), "absent": list(case.absent)}
        limit = _ALL if case.source == "DXY" else _MOST
        return list(self._store.query("symptom.differential", **asked, limit=limit).dicts())


def _number(cell: Value) -> float:
    if not isinstance(cell, int | float):
        raise TypeError(f"{cell!r} is no number")
    return cell


def _place(ids: Sequence[str], right: Iterable[str]) -> int | None:
    wanted = set(right)
    return next((at for at, id_ in enumerate(ids, 1) if id_ in wanted), None)

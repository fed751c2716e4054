"""The result of linking a graph with UMLS, as tables that people and programs read."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kg.linking.umls.calibration import Calibrated
from kg.linking.umls.index import UmlsIndex
from kg.stores.store import Rows, Value

FATES: Final = ("stated", "exact", "tfidf", "ambiguous", "synonym", "without")
"""What became of an entity: a source states its CUI; it was linked by an equal name, or by a similar
one; or it has no link, since two concepts are equally good, since a concept shares only synonyms with
it, or since no name is similar enough."""

_DIGITS: Final = 4


@dataclass(frozen=True)
class ConceptLinks:
    """What ``link_concepts`` did."""

    index: UmlsIndex
    calibrated: Mapping[str, Calibrated]
    """By node type; empty where a threshold was given."""
    thresholds: Mapping[str, float]
    """Similarity from which names are trusted, by node type; missing: equal names only."""
    fates: Counter[tuple[str, str]]
    """Entities by node type and fate, one of FATES."""
    disagreements: Counter[tuple[str, str]]
    """Entities whose stated CUI is not the one that the linker found, by node type and method."""
    disagreeing: Path
    """Parquet file with one row for each of them."""
    changed: bool
    """Whether the graph changed; equal links stay as they are."""

    def total(self, fate: str) -> int:
        """Entities of that fate, of all types."""
        return sum(
            number for (_, entity_fate), number in self.fates.items() if entity_fate == fate
        )

    def rows(self) -> Rows:
        """One row a node type: entities by fate, disagreements, the threshold and its precision."""
        types = sorted({type_ for type_, _ in self.fates})
        columns = ("type", *FATES, "disagreements", "threshold", "tried", "precision", "abstained")
        return Rows(columns, tuple(tuple(self._row(type_)) for type_ in types))

    def read_rows(self) -> Rows:
        """What became of the rows of MRCONSO.RRF, one row a reason."""
        return Rows(("rows", "number"), tuple(self.index.read.model_dump().items()))

    def curve(self) -> Rows:
        """What other thresholds would give, by node type; see ``kg.linking.measures.Point``."""
        columns = ("type", "threshold", "precision", "recall", "abstained")
        points = []
        for type_, calibrated in self.calibrated.items():
            for point in calibrated.curve:
                shares = (point.precision, point.recall, point.abstained)
                points.append((type_, point.threshold, *(_short(share.value) for share in shares)))
        return Rows(columns, tuple(points))

    def _row(self, type_: str) -> Iterator[Value]:
        yield type_
        yield from (self.fates[type_, fate] for fate in FATES)
        yield self.disagreements[type_, "exact"] + self.disagreements[type_, "tfidf"]
        yield _short(self.thresholds.get(type_))
        calibrated = self.calibrated.get(type_)
        yield calibrated.tried if calibrated else 0
        yield _short(calibrated.precision.value) if calibrated else None
        yield _short(calibrated.abstained.value) if calibrated else None


def _short(value: float | None) -> float | None:
    return None if value is None else round(value, _DIGITS)

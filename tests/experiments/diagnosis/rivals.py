"""Other ways to rank diseases by findings, on the annotations of the same graph.

All take a disease to have what its findings are kinds of, and nothing else of the graph.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.stats import hypergeom

from kg.discrimination.graph import Rows, ancestors, parents_of
from kg.stores.store import Store

Floats = NDArray[np.float64]

_UNKNOWN: Final = 0.3
"""How often a finding is seen where no source says: as in our own differential."""
_NEVER: Final = 0.01
"""How often, at least, in a disease that is not said to have it."""


class Annotations:
    """Which findings the diseases of a graph have."""

    def __init__(self, store: Store) -> None:
        edges = [
            (str(head), str(tail), _UNKNOWN if often is None else float(str(often)))
            for head, tail, often, *_ in store.query("graph.symptom_edges").rows
        ]
        self._parents = parents_of(store, "Disease", "Symptom")
        self.diseases = sorted({head for head, _, _ in edges})
        implied = {tail: self.kinds_of(tail) for _, tail, _ in edges}
        self._columns = {
            finding: n
            for n, finding in enumerate(sorted({s for i in implied.values() for s in i}))
        }
        rows = {disease: n for n, disease in enumerate(self.diseases)}
        lengths = [len(implied[tail]) for _, tail, _ in edges]
        by_disease = Rows.greatest(
            np.repeat([rows[head] for head, _, _ in edges], lengths),
            np.array([self._columns[s] for _, tail, _ in edges for s in implied[tail]]),
            np.repeat([max(often, _NEVER) for _, _, often in edges], lengths),
            (len(rows), len(self._columns)),
        )
        self.counts = by_disease.lengths(np.arange(len(rows)))
        self._by_finding = by_disease.transposed()

    def kinds_of(self, finding: str) -> list[str]:
        """The finding and all that it is a kind of."""
        return [finding, *sorted(ancestors(finding, self._parents))]

    def of(self, finding: str) -> Floats:
        """How often each disease has it; 0 where it is not said to."""
        found = np.zeros(len(self.diseases))
        if finding in self._columns:
            places = self._by_finding.places(np.array([self._columns[finding]]))
            found[self._by_finding.columns[places]] = self._by_finding.values[places]
        return found


Way = Callable[[Annotations, Sequence[str], Sequence[str]], Floats]
"""Gives each disease a score by what is present and absent; the greatest is the likeliest."""


def enrichment(annotations: Annotations, present: Sequence[str], absent: Sequence[str]) -> Floats:
    """The statistic of PyHPO's EnrichmentModel: minus log10 of the hypergeometric p-value."""
    del absent  # it knows none
    having = [annotations.of(finding) > 0 for finding in present]
    drawn = sum(int(each.sum()) for each in having)
    hits = np.sum(having, axis=0)
    total = int(annotations.counts.sum())
    p = hypergeom.sf(hits - 1, total, annotations.counts, drawn)
    rare: Floats = -np.log10(np.maximum(p, 1e-300))
    return rare


def naive_bayes(annotations: Annotations, present: Sequence[str], absent: Sequence[str]) -> Floats:
    """Every finding on its own, all diseases alike; what is not said of a disease is seen in 1 %."""
    score = np.zeros(len(annotations.diseases))
    for finding in present:
        score += np.log2(np.maximum(annotations.of(finding), _NEVER))
    for finding in absent:
        score += np.log2(1 - np.clip(annotations.of(finding), _NEVER, 1 - _NEVER))
    return score


def lirical(annotations: Annotations, present: Sequence[str], absent: Sequence[str]) -> Floats:
    """The likelihood ratio of LIRICAL (Robinson et al. 2020) for findings, as we read the paper.

    How often the disease has the finding over the mean of all diseases. Of a disease that has only
    what the finding is a kind of: the greatest ratio of these, those aside that a tenth of all
    diseases have. Of one that has none of them: 1 in 100. Not its program, without its genotypes.
    """
    score = np.zeros(len(annotations.diseases))
    for finding in present:
        ratio = np.full(len(annotations.diseases), 0.01)
        for each in annotations.kinds_of(finding)[::-1]:
            often = annotations.of(each)
            general = np.count_nonzero(often) > len(often) / 10
            if often.any() and (each == finding or not general):
                ratio = np.where(often > 0, np.maximum(ratio, often / often.mean()), ratio)
        own = annotations.of(finding)
        if own.any():
            ratio = np.where(own > 0, own / own.mean(), ratio)
        score += np.log2(ratio)
    for finding in absent:
        own = np.minimum(annotations.of(finding), 1 - _NEVER)
        score += np.log2((1 - own) / (1 - own.mean()))
    return score


RIVALS: Mapping[str, Way] = {
    "PyHPO's enrichment": enrichment,
    "naive Bayes": naive_bayes,
    "LIRICAL's ratio": lirical,
}

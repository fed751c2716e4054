"""A score for every symptom of every disease.

``P(s|d)``: how often finding s is seen in disease d (``frequency``). A finding is also a
finding of what it is a kind of (IS_A), so P of a general finding is at least that of each
special one.

``N(d)``: the NEIGHBOURS diseases most like d that are neither kinds of it nor what it is a
kind of. Likeness is the cosine of the diseases' findings, each weighted by its information
content, ``-log2`` of the share of diseases that have it (Resnik 1995); findings that more than
a fortieth of all diseases have are left out there.

A finding counts by how often it is seen, times the mean of its weights of evidence for d
(Good 1950), in bits, against the neighbours and against all other diseases (those of d's own
line left out; all others alone where no disease is like d):

    P(s|d) * (log2 P(s|d) / P(s|N(d)) + log2 P(s|d) / P(s|others)) / 2

Either term is an inverse disease frequency: among what d is confused with, and among all. What
is seen in fewer than one of 10,000 counts as seen in one (SELDOM). The score is that as a share
of the bits of a finding that all patients with d and nobody else has, so it is in [0, 1]; 0
where d has the finding less often than the others.

The likelihood of a finding is the probability that it is mentioned for a patient with the disease:
its frequency (UNKNOWN where no source states one) times NAMED / (NAMED + n), where n is the number
of findings of the disease. Only a few findings of a patient are mentioned, so the more findings a
disease has, the less likely each of them is mentioned.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from kg.discrimination.frequency import StatedFrequency, frequencies
from kg.discrimination.graph import (
    Floats,
    Integers,
    Rows,
    ancestors,
    parents_of,
    relatives,
    summed,
)
from kg.stores.store import Store, Value
from kg.tables import SEPARATOR

NEIGHBOURS: Final = 200
"""How many diseases a disease may be confused with."""

SELDOM: Final = 1e-4
"""The least that a finding is said to be seen."""

UNKNOWN: Final = 0.3
"""Frequency of a finding where no source states one."""

NAMED: Final = 10.0
"""With this many findings of a disease, each is mentioned for half the patients who have it."""

_LEAST: Final = 0.01
"""The least of a stated frequency that counts in a likelihood."""

_COMMON: Final = 1 / 40
"""A finding that a larger share of diseases has says nothing on their likeness."""


@dataclass(frozen=True)
class Scores:
    """A score for each HAS_SYMPTOM edge, ordered by head, tail."""

    heads: list[str]
    tails: list[str]
    values: Floats
    """In [0, 1], shape (edges,)."""
    likelihoods: Floats
    """In [0, 1], shape (edges,)."""


def score(store: Store, without: Collection[tuple[str, str]] = ()) -> Scores:
    """Score every symptom of every disease of a graph.

    Args:
        store: the graph.
        without: (disease, symptom) pairs that are neither counted nor scored.

    Raises:
        StoreError: the store failed.
    """
    excluded = set(without)
    stated = {
        (str(disease), str(symptom)): _stated_frequency(*values)
        for disease, symptom, *values in store.query("graph.symptom_edges").rows
        if (disease, symptom) not in excluded
    }
    return score_edges(stated, parents_of(store, "Disease", "Symptom"))


def score_edges(
    edges: Mapping[tuple[str, str], StatedFrequency], parents: Mapping[str, Sequence[str]]
) -> Scores:
    """Score edges.

    Args:
        edges: by disease and symptom, what sources say.
        parents: what each disease and symptom is directly a kind of.
    """
    ordered = sorted(edges)
    heads, tails = [head for head, _ in ordered], [tail for _, tail in ordered]
    if not ordered:
        return Scores(heads, tails, np.zeros(0), np.zeros(0))
    diseases = {disease: number for number, disease in enumerate(dict.fromkeys(heads))}
    at = np.array([diseases[head] for head in heads])
    frequency = frequencies([edges[edge] for edge in ordered])
    columns, closed = _close(at, tails, frequency, parents)
    near, overall = _backgrounds(closed, at, columns, relatives(diseases, parents))
    stated = np.array([edges[edge].frequency for edge in ordered], dtype=np.float64)
    values = discriminative_score(closed.at(at, columns), near, overall)
    return Scores(heads, tails, values, likelihoods(at, stated))


def likelihoods(at: Integers, stated: Floats) -> Floats:
    """Probability that each finding is mentioned for a patient with its disease; shape (edges,).

    Args:
        at: the number of each edge's disease; shape (edges,).
        stated: the frequency that sources state, NaN where none does; shape (edges,).
    """
    findings = np.bincount(at)[at]
    frequency = np.where(np.isnan(stated), UNKNOWN, np.maximum(stated, _LEAST))
    likelihood: Floats = frequency * (NAMED / (NAMED + findings))
    return likelihood


def discriminative_score(frequency: Floats, near: Floats, overall: Floats) -> Floats:
    """How well findings tell a disease, in [0, 1]; shape (n,).

    Args:
        frequency: how often the disease has each, in [0, 1]; shape (n,).
        near: how often those that it is confused with have it, in [0, 1]; shape (n,).
        overall: how often all others have it, in [0, 1]; shape (n,).
    """
    in_disease, *in_others = (np.log2(np.maximum(p, SELDOM)) for p in (frequency, near, overall))
    bits = in_disease - (in_others[0] + in_others[1]) / 2
    share: Floats = frequency * bits / -np.log2(SELDOM)
    return np.clip(share, 0.0, 1.0)


def _stated_frequency(
    frequency: Value, text: Value, publications: Value, sources: Value
) -> StatedFrequency:
    named_publications = str(publications).count(SEPARATOR) + 1 if publications else 0
    return StatedFrequency(
        frequency if isinstance(frequency, float) else None,
        text if isinstance(text, str) else None,
        max(named_publications, len(sources) if isinstance(sources, list) else 0),
    )


def _close(
    at: Integers, tails: Sequence[str], frequency: Floats, parents: Mapping[str, Sequence[str]]
) -> tuple[Integers, Rows]:
    """The column of each edge's finding, and diseases by findings, what follows included."""
    implied = {tail: [tail, *sorted(ancestors(tail, parents))] for tail in dict.fromkeys(tails)}
    numbers = {
        s: n for n, s in enumerate(dict.fromkeys(s for all_ in implied.values() for s in all_))
    }
    columns = {tail: np.array([numbers[s] for s in all_]) for tail, all_ in implied.items()}
    lengths = np.array([len(columns[tail]) for tail in tails])
    closed = Rows.greatest(
        np.repeat(at, lengths),
        np.concatenate([columns[tail] for tail in tails]),
        np.repeat(frequency, lengths),
        (int(at[-1]) + 1, len(numbers)),
    )
    return np.array([numbers[tail] for tail in tails]), closed


def _backgrounds(
    closed: Rows, at: Integers, columns: Integers, kin: Sequence[list[int]]
) -> tuple[Floats, Floats]:
    """How often what each edge's disease is confused with, and all others, have its finding.

    Args:
        closed: diseases by findings.
        at: the row of each edge, ascending; shape (edges,).
        columns: the column of each edge; shape (edges,).
        kin: of each row, itself and those that are not confused with it.
    """
    sums = closed.column_sums()
    near, overall = np.empty(len(at)), np.empty(len(at))
    starts = np.searchsorted(at, np.arange(len(closed) + 1))
    for disease, neighbours in enumerate(_neighbours(closed, kin)):
        edges = slice(starts[disease], starts[disease + 1])
        line = np.unique(kin[disease])
        sums_of_others = sums[columns[edges]] - closed.column_sums(line)[columns[edges]]
        overall[edges] = np.maximum(sums_of_others, 0.0) / max(len(closed) - line.size, 1)
        near[edges] = overall[edges]
        if neighbours.size:
            near[edges] = closed.column_sums(neighbours)[columns[edges]] / neighbours.size
    return near, overall


def _neighbours(closed: Rows, kin: Sequence[list[int]]) -> Iterator[Integers]:
    """The rows most like each row."""
    weighted = _weighted(closed)
    having = weighted.transposed()
    for disease, not_confused in enumerate(kin):
        places_of_disease = weighted.places(np.array([disease]))
        columns = weighted.columns[places_of_disease]
        places = having.places(columns)
        weights = np.repeat(weighted.values[places_of_disease], having.lengths(columns))
        likeness = summed(having.columns[places], having.values[places] * weights, len(closed))
        likeness[not_confused] = 0.0
        most = np.argpartition(-likeness, min(NEIGHBOURS, len(closed) - 1))[:NEIGHBOURS]
        yield most[likeness[most] > 0]


def _weighted(closed: Rows) -> Rows:
    """Rows of length 1 whose values are information contents, without what is common."""
    share = np.bincount(closed.columns, minlength=closed.width) / len(closed)
    content = np.where(share > _COMMON, 0.0, -np.log2(share))
    kept = content[closed.columns] > 0
    rows, columns = closed.of_each()[kept], closed.columns[kept]
    lengths = np.sqrt(np.bincount(rows, content[columns] ** 2, len(closed)))
    values = content[columns] / lengths[rows]
    return Rows.of(rows, columns, values, (len(closed), closed.width))

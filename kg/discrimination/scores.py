"""A score for every symptom of every disease.

``P(s|d)``: how often finding s is seen in disease d (``frequency``). A finding is also a
finding of what it is a kind of (IS_A), so P of a general finding is at least that of each
special one.

``N(d)``: the NEIGHBOURS diseases most like d that are neither kinds of it nor what it is a
kind of. Likeness is the cosine of the diseases' findings, each weighted by its information
content, ``-log2`` of the share of diseases that have it (Resnik 1995); findings that more than
a fortieth of all diseases have are left out there.

``b(s)``, the background: half the mean of ``P(s|n)`` over ``N(d)``, half that over all other
diseases; the latter alone where no disease is like d.

The score is the information, in bits, that the answer to "does the patient have s?" gives on
whether the disease is d or its background, if both are equally likely beforehand: the
Jensen-Shannon divergence (Lin 1991) of the Bernoulli distributions with P(s|d) and b(s),

    H((P + b) / 2) - (H(P) + H(b)) / 2,   H(p) = -p log2 p - (1 - p) log2(1 - p)  (Shannon 1948)

It is 0 where s is rarer in d than in the background, and at most 1.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from kg.discrimination.frequency import frequencies
from kg.discrimination.hierarchy import ancestors, parents_of, relatives
from kg.discrimination.sparse import Floats, Integers, Rows, summed
from kg.stores.store import Store

NEIGHBOURS: Final = 200
"""How many diseases a disease may be confused with."""

_COMMON: Final = 1 / 40
"""A finding that a larger share of diseases has says nothing on their likeness."""


@dataclass(frozen=True)
class Scores:
    """A score for each HAS_SYMPTOM edge, ordered by head, tail."""

    heads: list[str]
    tails: list[str]
    values: Floats
    """Bits in [0, 1], shape (edges,)."""


def score(store: Store, without: Collection[tuple[str, str]] = ()) -> Scores:
    """Score every symptom of every disease of a graph.

    Args:
        store: the graph.
        without: (disease, symptom) pairs that are neither counted nor scored.

    Raises:
        StoreError: the store failed.
    """
    left_out = set(without)
    edges = {
        (str(row["disease_id"]), str(row["symptom_id"])): (
            _number(row["frequency"]),
            _text(row["frequency_text"]),
        )
        for row in store.query("graph.symptom_edges").dicts()
    }
    kept = {edge: said for edge, said in edges.items() if edge not in left_out}
    return score_edges(kept, parents_of(store, "Disease", "Symptom"))


def score_edges(
    edges: Mapping[tuple[str, str], tuple[float | None, str | None]],
    parents: Mapping[str, Sequence[str]],
) -> Scores:
    """Score edges.

    Args:
        edges: by disease and symptom, how often it is seen, as ``frequencies`` takes it.
        parents: what each disease and symptom is directly a kind of.
    """
    ordered = sorted(edges)
    heads, tails = [head for head, _ in ordered], [tail for _, tail in ordered]
    if not ordered:
        return Scores(heads, tails, np.zeros(0))
    diseases = {disease: number for number, disease in enumerate(dict.fromkeys(heads))}
    at = np.array([diseases[head] for head in heads])
    frequency = frequencies([edges[edge] for edge in ordered])
    columns, closed = _close(at, tails, frequency, parents)
    backgrounds = _backgrounds(closed, at, columns, relatives(diseases, parents))
    return Scores(heads, tails, divergence(closed.at(at, columns), backgrounds))


def divergence(frequency: Floats, background: Floats) -> Floats:
    """Bits that a finding gives on a disease against its background, in [0, 1]; shape (n,).

    0 where the disease has the finding no more often than its background.

    Args:
        frequency: how often the disease has it, in [0, 1]; shape (n,).
        background: how often the background has it, in [0, 1]; shape (n,).
    """
    mixed = _entropy((frequency + background) / 2)
    bits = mixed - (_entropy(frequency) + _entropy(background)) / 2
    return np.where(frequency > background, np.clip(bits, 0.0, 1.0), 0.0)


def _entropy(p: Floats) -> Floats:
    inside = np.clip(p, 1e-12, 1 - 1e-12)
    bits: Floats = -inside * np.log2(inside) - (1 - inside) * np.log2(1 - inside)
    return bits


def _number(cell: object) -> float | None:
    return cell if isinstance(cell, float) else None


def _text(cell: object) -> str | None:
    return cell if isinstance(cell, str) else None


def _close(
    at: Integers, tails: Sequence[str], frequency: Floats, parents: Mapping[str, Sequence[str]]
) -> tuple[Integers, Rows]:
    """The column of each edge's finding, and diseases by findings, what follows included."""
    implied = {tail: [tail, *sorted(ancestors(tail, parents))] for tail in dict.fromkeys(tails)}
    numbers = {
        s: n for n, s in enumerate(dict.fromkeys(s for all_ in implied.values() for s in all_))
    }
    columns = {tail: [numbers[s] for s in all_] for tail, all_ in implied.items()}
    lengths = np.array([len(columns[tail]) for tail in tails])
    closed = Rows.greatest(
        np.repeat(at, lengths),
        np.array([column for tail in tails for column in columns[tail]]),
        np.repeat(frequency, lengths),
        (int(at[-1]) + 1, len(numbers)),
    )
    return np.array([numbers[tail] for tail in tails]), closed


def _backgrounds(
    closed: Rows, at: Integers, columns: Integers, kin: Sequence[list[int]]
) -> Floats:
    """How often each edge's finding is seen in what its disease is confused with.

    Args:
        closed: diseases by findings.
        at: the row of each edge, ascending; shape (edges,).
        columns: the column of each edge; shape (edges,).
        kin: of each row, those that are not confused with it.
    """
    others = closed.column_sums()[columns] - closed.at(at, columns)
    overall = others / max(len(closed) - 1, 1)
    edges = Rows.of(at, columns, overall, (len(closed), closed.width))
    near = overall.copy()
    for disease, neighbours in enumerate(_neighbours(closed, kin)):
        if neighbours.size:
            own = slice(edges.starts[disease], edges.starts[disease + 1])
            near[own] = closed.column_sums(neighbours)[columns[own]] / neighbours.size
    return (near + overall) / 2


def _neighbours(closed: Rows, kin: Sequence[list[int]]) -> Iterator[Integers]:
    """The rows most like each row."""
    weighted = _weighted(closed)
    having = weighted.turned()
    for disease, not_confused in enumerate(kin):
        own = weighted.places(np.array([disease]))
        columns = weighted.columns[own]
        places = having.places(columns)
        weights = np.repeat(weighted.values[own], having.lengths(columns))
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

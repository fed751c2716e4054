"""Graph completion: asks a trained model for facts that the graph lacks, to be reviewed."""

from typing import Final

import numpy as np
import numpy.typing as npt
import torch

from cypher.translation import translate
from kg.embeddings.artifact import Artifact
from kg.embeddings.calibration import log_softmax
from kg.embeddings.candidates import Candidates, Known
from kg.embeddings.prediction import Lookup
from kg.embeddings.proposals import Proposed
from kg.embeddings.scoring import ModelScorer
from kg.embeddings.triples import FloatArray, IntArray
from kg.errors import EmbeddingError
from kg.progress import Progress, Silent
from kg.vocabulary import read_backwards

_SILENT: Final = Silent()
_BATCH: Final = 64
_EXCLUDED: Final = -np.inf
"""Score of what is no candidate."""
_DTYPE: Final = np.dtype(
    [("head", "i8"), ("tail", "i8"), ("score", "f8"), ("probability", "f8"), ("rank", "i8")]
)

_Scored = npt.NDArray[np.void]
"""Triples of one relation, of _DTYPE, head and tail as positions; shape (triples,)."""


def missing(
    artifact: Artifact,
    relation: str,
    least: float,
    limit: int | None = None,
    progress: Progress = _SILENT,
) -> list[Proposed]:
    """Likely triples of a relation that are not known, in descending order of probability.

    The tails of every entity that is a head of the relation are predicted; itself is none. Of a
    triple of a symmetric relation and its inverse, the more probable is proposed.

    Args:
        artifact: the model.
        relation: name.
        least: probability from which on a triple is proposed.
        limit: how many at most; None: all.
        progress: shown meanwhile, in heads.

    Raises:
        EmbeddingError: the relation is unknown; the model was saved without calibration.
    """
    relation_model = _RelationModel(artifact, Lookup(artifact.split).relation(relation))
    symmetric = read_backwards(relation, relation)
    most = None if limit is None else limit * (1 + symmetric)
    parts = [np.empty(0, dtype=_DTYPE)]
    heads = relation_model.heads
    with progress.step(
        translate("Completing {relation}", relation=relation), len(heads)
    ) as advance:
        for start in range(0, len(heads), _BATCH):
            batch = heads[start : start + _BATCH]
            parts.append(relation_model.likely(batch, least, most))
            if most is not None:
                parts = [_best(np.concatenate(parts), most)]
            advance(len(batch))
    best = _best(np.concatenate(parts), most)
    return relation_model.proposed((_without_inverses(best) if symmetric else best)[:limit])


def _best(triples: _Scored, most: int | None) -> _Scored:
    """The most probable triples in descending order; ties are in the order of positions."""
    order = np.lexsort((triples["tail"], triples["head"], -triples["probability"]))
    best: _Scored = triples[order[:most]]
    return best


def _without_inverses(triples: _Scored) -> _Scored:
    """The first triple of each pair of entities, in the given order."""
    ends = np.sort(np.stack([triples["head"], triples["tail"]], axis=1), axis=1)
    _, first = np.unique(ends, axis=0, return_index=True)
    once: _Scored = triples[np.sort(first)]
    return once


class _RelationModel:
    """Predicts tails of one relation.

    Raises:
        EmbeddingError: the model was saved without calibration.
    """

    def __init__(self, artifact: Artifact, relation: int) -> None:
        curve = artifact.card.curves.get("tails")
        if curve is None:
            raise EmbeddingError(
                f"{artifact.folder}: the model has no calibration, because it had no or too few "
                "validation triples; train it with a greater share of them by --valid"
            )
        self._curve = curve
        self._split, self._relation = artifact.split, relation
        self._scorer = ModelScorer(artifact.model)
        self._known = Known.of(artifact.split.facts).tails
        self._fitting = Candidates.of(artifact.split).tails[relation]
        train = artifact.split.train
        self.heads = np.unique(train[train[:, 1] == relation, 0])

    def likely(self, heads: IntArray, least: float, most: int | None) -> _Scored:
        """The most probable new triples of some heads, in the order of positions.

        Args:
            heads: positions, shape (heads,).
            least: probability from which on.
            most: how many at most, but for ties of the last one.
        """
        by = torch.full((len(heads),), self._relation)
        rows: FloatArray = self._scorer.tails(torch.from_numpy(heads), by).cpu().numpy()
        scores = rows.astype(np.float64)
        candidates = np.where(self._fitting, scores, _EXCLUDED)
        for line, head in enumerate(heads):
            candidates[line, self._known.of_query(int(head), self._relation)] = _EXCLUDED
        candidates[np.arange(len(heads)), heads] = _EXCLUDED
        probabilities = self._curve.probabilities(log_softmax(candidates))
        if most is not None and most < probabilities.size:
            least = max(least, float(np.partition(probabilities, -most, axis=None)[-most]))
        lines, tails = np.nonzero((probabilities >= least) & np.isfinite(candidates))
        likely = np.empty(len(lines), dtype=_DTYPE)
        likely["head"], likely["tail"] = heads[lines], tails
        likely["score"] = scores[lines, tails]
        likely["probability"] = probabilities[lines, tails]
        likely["rank"] = _ranks(candidates, lines, tails)
        return likely

    def proposed(self, triples: _Scored) -> list[Proposed]:
        """The triples with their ids and names."""
        ids, names = self._split.entities.ids, self._split.entities.names
        return [
            Proposed(
                ids[head],
                names[head] if names else None,
                self._split.relations[self._relation],
                ids[tail],
                names[tail] if names else None,
                score,
                probability,
                rank,
            )
            for head, tail, score, probability, rank in triples.tolist()
        ]


def _ranks(scores: FloatArray, lines: IntArray, columns: IntArray) -> IntArray:
    """Optimistic rank of the score at each line and column, in its line; shape (ranks,).

    Args:
        scores: shape (lines, columns).
        lines: ascending, shape (ranks,).
        columns: shape (ranks,).
    """
    ranks = np.empty_like(columns)
    for line in np.unique(lines):
        here = slice(*np.searchsorted(lines, [line, line + 1]))
        ordered = np.sort(scores[line])
        not_greater = np.searchsorted(ordered, scores[line, columns[here]], side="right")
        ranks[here] = len(ordered) - not_greater + 1
    return ranks

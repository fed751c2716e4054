"""Asks a trained model for facts that the graph lacks: triples to be reviewed."""

from typing import Final

import numpy as np
import numpy.typing as npt
import torch

from kg.embeddings.artifact import Artifact
from kg.embeddings.calibration import log_softmax
from kg.embeddings.candidates import Candidates, Known
from kg.embeddings.lookup import Lookup
from kg.embeddings.proposals import Proposed
from kg.embeddings.scoring import ModelScorer
from kg.embeddings.triples import FloatArray, IntArray
from kg.errors import EmbeddingError
from kg.progress import Progress, Silent
from kg.vocabulary import read_backwards

_SILENT: Final = Silent()
_BATCH: Final = 64
_EXCLUDED: Final = -np.inf
_DTYPE: Final = np.dtype(
    [("head", "i8"), ("tail", "i8"), ("score", "f8"), ("probability", "f8"), ("rank", "i8")]
)

_Found = npt.NDArray[np.void]
"""Triples of one relation, of _DTYPE, head and tail as positions; shape (triples,)."""


def missing(
    artifact: Artifact,
    relation: str,
    least: float,
    limit: int | None = None,
    progress: Progress = _SILENT,
) -> list[Proposed]:
    """Triples of a relation that are not known and likely, the likeliest first.

    Every entity that is a head of the relation is asked for its tails; itself is none. Of two
    triples of a symmetric relation that say the same, the likelier is proposed.

    Args:
        artifact: the model.
        relation: name.
        least: probability from which on a triple is proposed.
        limit: how many at most; None: all.
        progress: shown meanwhile, in heads.

    Raises:
        EmbeddingError: the relation is unknown; the model was saved without calibration.
    """
    asker = _Asker(artifact, Lookup(artifact.split).relation(relation))
    symmetric = read_backwards(relation, relation)
    most = None if limit is None else limit * (1 + symmetric)
    parts = [np.empty(0, dtype=_DTYPE)]
    with progress.step(f"Completing {relation}", len(asker.heads)) as advance:
        for start in range(0, len(asker.heads), _BATCH):
            batch = asker.heads[start : start + _BATCH]
            parts.append(asker.likely(batch, least, most))
            if most is not None:
                parts = [_best(np.concatenate(parts), most)]
            advance(len(batch))
    found = _best(np.concatenate(parts), most)
    return asker.proposed((_once(found) if symmetric else found)[:limit])


def _best(found: _Found, most: int | None) -> _Found:
    """So many at most, the likeliest first; of equally likely ones by position."""
    order = np.lexsort((found["tail"], found["head"], -found["probability"]))
    best: _Found = found[order[:most]]
    return best


def _once(found: _Found) -> _Found:
    """The first of those that connect the same two entities, in the order that is there."""
    ends = np.sort(np.stack([found["head"], found["tail"]], axis=1), axis=1)
    _, first = np.unique(ends, axis=0, return_index=True)
    once: _Found = found[np.sort(first)]
    return once


class _Asker:
    """Asks for the tails of one relation.

    Raises:
        EmbeddingError: the model was saved without calibration.
    """

    def __init__(self, artifact: Artifact, relation: int) -> None:
        curve = artifact.card.curves.get("tails")
        if curve is None:
            raise EmbeddingError(
                f"{artifact.folder}: the model has no calibration, for its validation triples "
                "were none or too few; train it with more by --valid"
            )
        self._curve = curve
        self._split, self._relation = artifact.split, relation
        self._scorer = ModelScorer(artifact.model)
        self._known = Known.of(artifact.split.facts).tails
        self._fits = Candidates.of(artifact.split).tails[relation]
        train = artifact.split.train
        self.heads = np.unique(train[train[:, 1] == relation, 0])

    def likely(self, heads: IntArray, least: float, most: int | None) -> _Found:
        """Those of some heads with the greatest probabilities, at least so great.

        Args:
            heads: positions, shape (heads,).
            least: probability.
            most: how many are sought; more come where the last of them are equally likely.
        """
        scores = self._scores(heads)
        open_ = np.where(self._fits, scores, _EXCLUDED)
        for line, head in enumerate(heads):
            open_[line, self._known.of_query(int(head), self._relation)] = _EXCLUDED
        open_[np.arange(len(heads)), heads] = _EXCLUDED
        probabilities = self._curve.probabilities(log_softmax(open_))
        if most is not None and most < probabilities.size:
            least = max(least, float(np.partition(probabilities, -most, axis=None)[-most]))
        lines, tails = np.nonzero((probabilities >= least) & np.isfinite(open_))
        found = np.empty(len(lines), dtype=_DTYPE)
        found["head"], found["tail"] = heads[lines], tails
        found["score"], found["probability"] = scores[lines, tails], probabilities[lines, tails]
        found["rank"] = _ranks(open_, lines, tails)
        return found

    def proposed(self, found: _Found) -> list[Proposed]:
        """The triples with their names."""
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
            for head, tail, score, probability, rank in found.tolist()
        ]

    def _scores(self, heads: IntArray) -> FloatArray:
        by = torch.full((len(heads),), self._relation)
        scores: FloatArray = self._scorer.tails(torch.from_numpy(heads), by).cpu().numpy()
        return scores.astype(np.float64)


def _ranks(scores: FloatArray, lines: IntArray, places: IntArray) -> IntArray:
    """How many scores of its line are greater than that at a place, and one; shape (places,).

    Args:
        scores: shape (lines, entities).
        lines: ascending, shape (places,).
        places: shape (places,).
    """
    ranks = np.empty_like(places)
    for line in np.unique(lines):
        here = slice(*np.searchsorted(lines, [line, line + 1]))
        ordered = np.sort(scores[line])
        not_greater = np.searchsorted(ordered, scores[line, places[here]], side="right")
        ranks[here] = len(ordered) - not_greater + 1
    return ranks

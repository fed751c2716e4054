"""Asks a trained model for facts that the graph lacks: triples to be reviewed."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import torch

from kg.embeddings.artifact import Artifact
from kg.embeddings.calibration import Calibration, log_shares
from kg.embeddings.candidates import Candidates
from kg.embeddings.known import Known
from kg.embeddings.lookup import Lookup
from kg.embeddings.scoring import ModelScorer
from kg.embeddings.triples import FloatArray, IntArray
from kg.errors import EmbeddingError
from kg.progress import Progress, Silent

_SILENT: Final = Silent()
_BATCH: Final = 64
_EXCLUDED: Final = -np.inf


@dataclass(frozen=True)
class Proposed:
    """A triple that no source states and that a model takes for likely."""

    head: str
    head_name: str | None
    relation: str
    tail: str
    tail_name: str | None
    score: float
    probability: float
    rank: int
    """Of the tail among all that fit ``<h, r, ?>`` and are not known, from 1."""


def missing(
    artifact: Artifact,
    relation: str,
    least: float,
    limit: int | None = None,
    progress: Progress = _SILENT,
) -> list[Proposed]:
    """Triples of a relation that are not known and likely, the likeliest first.

    Every entity that is a head of the relation is asked for its tails; itself is none.

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
    found: list[Proposed] = []
    with progress.step(f"Completing {relation}", len(asker.heads)) as advance:
        for start in range(0, len(asker.heads), _BATCH):
            batch = asker.heads[start : start + _BATCH]
            found.extend(asker.proposed(batch, least))
            found.sort(key=lambda one: (-one.probability, one.head, one.tail))
            del found[limit if limit is not None else len(found) :]
            advance(len(batch))
    return found


class _Asker:
    """Asks for the tails of one relation.

    Raises:
        EmbeddingError: the model was saved without calibration.
    """

    def __init__(self, artifact: Artifact, relation: int) -> None:
        if artifact.card.calibration is None:
            raise EmbeddingError(
                f"{artifact.folder}: the model has no calibration, for its validation triples "
                "were none or too few; train it with more by --valid"
            )
        self._calibration = Calibration(*artifact.card.calibration)
        self._split, self._relation = artifact.split, relation
        self._scorer = ModelScorer(artifact.model)
        self._known = Known.of(artifact.split.known).tails
        self._fits = Candidates.of(artifact.split).tails[relation]
        train = artifact.split.train
        self.heads = np.unique(train[train[:, 1] == relation, 0])

    def proposed(self, heads: IntArray, least: float) -> Iterator[Proposed]:
        """Those of some heads, in their order."""
        scores = self._scores(heads)
        open_ = np.where(self._fits, scores, _EXCLUDED)
        for line, head in enumerate(heads):
            open_[line, self._known.of_query(int(head), self._relation)] = _EXCLUDED
        probabilities = self._calibration.probabilities(log_shares(open_))
        open_[np.arange(len(heads)), heads] = _EXCLUDED
        ids, names = self._split.entities.ids, self._split.entities.names
        for line, tail in np.argwhere((probabilities >= least) & np.isfinite(open_)):
            head = heads[line]
            yield Proposed(
                ids[head],
                names[head] if names else None,
                self._split.relations[self._relation],
                ids[tail],
                names[tail] if names else None,
                float(scores[line, tail]),
                float(probabilities[line, tail]),
                int((open_[line] > open_[line, tail]).sum()) + 1,
            )

    def _scores(self, heads: IntArray) -> FloatArray:
        by = torch.full((len(heads),), self._relation)
        scores: FloatArray = self._scorer.tails(torch.from_numpy(heads), by).cpu().numpy()
        return scores.astype(np.float64)

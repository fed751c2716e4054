"""Asks a trained model for the missing part of a triple."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np
import torch

from kg.embeddings.artifact import Artifact
from kg.embeddings.calibration import Calibration, log_total
from kg.embeddings.candidates import Candidates, Mask
from kg.embeddings.known import Known, Lists
from kg.embeddings.lookup import Lookup
from kg.embeddings.scoring import ModelScorer
from kg.embeddings.triples import FloatArray, IntArray

_EXCLUDED: Final = -np.inf


@dataclass(frozen=True)
class Predicted:
    """An entity that may be the missing end, or a relation that may hold."""

    rank: int
    """From 1, among all candidates, those that are known counted too."""
    id: str
    """Of an entity, or the name of a relation."""
    name: str | None
    type: str | None
    score: float
    """The model's own; of a relation as ``Predictor.relations`` says."""
    probability: float | None
    """That the graph has it, were it held out; None for what is known, and without calibration."""
    known: bool
    """The model was given it as a fact."""


class Predictor:
    """Answers ``<h, r, ?>``, ``<?, r, t>`` and ``<h, ?, t>`` by a trained model."""

    def __init__(self, artifact: Artifact) -> None:
        self._split, self._scorer = artifact.split, ModelScorer(artifact.model)
        self._lookup = Lookup(artifact.split)
        told = artifact.card.calibration
        self._calibration = Calibration(*told) if told else None

    def tails(
        self, head: str, relation: str, limit: int, any_type: bool = False
    ) -> list[Predicted]:
        """The likeliest tails, best first.

        Args:
            head: id or name of an entity.
            relation: name.
            limit: how many at most.
            any_type: also entities of types that are never tails of the relation.

        Raises:
            EmbeddingError: the entity or relation is unknown; the nearest are named.
        """
        by = self._lookup.relation(relation)
        query = _Query(self._lookup.entity(head, self._candidates.heads[by]), by, True)
        return self._ends(query, limit, any_type)

    def heads(
        self, relation: str, tail: str, limit: int, any_type: bool = False
    ) -> list[Predicted]:
        """The likeliest heads, best first; as ``tails``."""
        by = self._lookup.relation(relation)
        query = _Query(self._lookup.entity(tail, self._candidates.tails[by]), by, False)
        return self._ends(query, limit, any_type)

    def relations(
        self, head: str, tail: str, limit: int, any_type: bool = False
    ) -> list[Predicted]:
        """The likeliest relations from head to tail, best first.

        A model's scores are comparable among the answers to one query, not among relations. So
        a relation's score is a logarithm of shares: that of the tail among all tails of
        ``<h, r, ?>`` and that of the head among all heads of ``<?, r, t>``, their mean.

        Args:
            head: id or name of an entity.
            tail: as well.
            limit: how many at most.
            any_type: also relations that never stand between entities of these types.

        Raises:
            EmbeddingError: an entity is unknown; the nearest are named.
        """
        first, last = self._lookup.entity(head), self._lookup.entity(tail)
        scores, names = self._between(first, last), self._split.relations
        rows = self._split.known
        known = set(rows[(rows[:, 0] == first) & (rows[:, 2] == last), 1].tolist())
        order = [
            at
            for at in np.argsort(-scores, kind="stable").tolist()
            if any_type or at in known or self._candidates.fit(first, at, last)
        ]
        return [
            Predicted(place, names[at], None, None, float(scores[at]), None, at in known)
            for place, at in enumerate(order[:limit], start=1)
        ]

    def _between(self, first: int, last: int) -> FloatArray:
        """Score of every relation from one entity to another; shape (relations,)."""
        every = torch.arange(len(self._split.relations))
        forth = self._scorer.tails(torch.full_like(every, first), every).log_softmax(1)[:, last]
        back = self._scorer.heads(every, torch.full_like(every, last)).log_softmax(1)[:, first]
        scores: FloatArray = ((forth + back) / 2).cpu().numpy().astype(np.float64)
        return scores

    def _ends(self, query: "_Query", limit: int, any_type: bool) -> list[Predicted]:
        scores = self._scores(query)
        fits, known = self._fitting(query), self._answers(query)
        open_ = np.where(fits, scores, _EXCLUDED)
        open_[known] = _EXCLUDED
        total = float(log_total(open_)[0])
        ordered = scores if any_type else np.where(fits, scores, _EXCLUDED)
        order = np.argsort(-ordered, kind="stable")[:limit]
        there = set(known.tolist())
        return [
            self._predicted(place, int(at), float(scores[at]), total, int(at) in there)
            for place, at in enumerate(order[np.isfinite(ordered[order])], start=1)
        ]

    def _predicted(self, rank: int, at: int, score: float, total: float, known: bool) -> Predicted:
        """Of an entity, where the candidates' scores have a logarithmic total."""
        entities = self._split.entities
        probability = None
        if self._calibration and not known and math.isfinite(total):
            probability = float(self._calibration.probabilities(np.array(score - total)))
        return Predicted(
            rank,
            entities.ids[at],
            entities.names[at] if entities.names else None,
            entities.types[at] if entities.types else None,
            score,
            probability,
            known,
        )

    def _scores(self, query: "_Query") -> FloatArray:
        given, by = torch.tensor([query.entity]), torch.tensor([query.relation])
        asked = self._scorer.tails(given, by) if query.tails else self._scorer.heads(by, given)
        return asked[0].cpu().numpy().astype(np.float64)

    def _fitting(self, query: "_Query") -> Mask:
        sides = self._candidates.tails if query.tails else self._candidates.heads
        return sides[query.relation]

    def _answers(self, query: "_Query") -> IntArray:
        lists: Lists = self._known.tails if query.tails else self._known.heads
        return lists.of_query(query.entity, query.relation)

    @cached_property
    def _known(self) -> Known:
        return Known.of(self._split.known)

    @cached_property
    def _candidates(self) -> Candidates:
        return Candidates.of(self._split)


class _Query(NamedTuple):
    entity: int
    relation: int
    tails: bool
    """Whether the tail is sought, not the head."""

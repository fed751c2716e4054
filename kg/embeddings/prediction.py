"""Asks a trained model for the missing part of a triple."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np
import torch

from kg.embeddings.artifact import Artifact
from kg.embeddings.calibration import log_softmax
from kg.embeddings.candidates import Answers, Candidates, Known
from kg.embeddings.lookup import Lookup
from kg.embeddings.scoring import ModelScorer
from kg.embeddings.triples import BoolArray, FloatArray, IntArray

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
    """How often such a candidate would be a fact of the graph, were as large a share of its facts
    unknown as the model's validation part is. None for what is known, for a relation, without
    calibration, and where it or the entity asked about is of a type that never stands at its end
    in training."""
    known: bool
    """A fact, as ``Split.facts`` has them."""


class Predictor:
    """Answers ``<h, r, ?>``, ``<?, r, t>`` and ``<h, ?, t>`` by a trained model.

    The entity asked about is no candidate for the other end.
    """

    def __init__(self, artifact: Artifact) -> None:
        self._split, self._scorer = artifact.split, ModelScorer(artifact.model)
        self._lookup = Lookup(artifact.split)
        self._curves = artifact.card.curves

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
        return self._ends(self._query(head, relation, True), limit, any_type)

    def heads(
        self, relation: str, tail: str, limit: int, any_type: bool = False
    ) -> list[Predicted]:
        """The likeliest heads, best first; as ``tails``."""
        return self._ends(self._query(tail, relation, False), limit, any_type)

    def unfit_type(self, entity: str, relation: str, *, head: bool) -> str | None:
        """The type of an entity if no such type stands at that end of a relation in training.

        Args:
            entity: id or name.
            relation: name.
            head: whether the entity is the head, not the tail.

        Returns:
            None where the type fits, or types are unknown.

        Raises:
            EmbeddingError: the entity or relation is unknown; the nearest are named.
        """
        query, types = self._query(entity, relation, head), self._split.entities.types
        return None if types is None or self._stands(query) else types[query.entity]

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
        rows = self._split.facts
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

    def _query(self, entity: str, relation: str, tails: bool) -> "_Query":
        by = self._lookup.relation(relation)
        given = self._candidates.heads if tails else self._candidates.tails
        return _Query(self._lookup.entity(entity, given[by]), by, tails)

    def _ends(self, query: "_Query", limit: int, any_type: bool) -> list[Predicted]:
        scores, fits = self._scores(query), self._fitting(query)
        asked = np.ones_like(fits) if any_type else fits.copy()
        asked[query.entity] = False
        known = np.zeros_like(fits)
        known[self._answers(query)] = True
        probabilities = self._probabilities(query, scores, asked & fits & ~known)
        order = np.argsort(-np.where(asked, scores, _EXCLUDED), kind="stable")[:limit]
        return [
            self._predicted(place, at, scores, probabilities, known)
            for place, at in enumerate(order[asked[order]].tolist(), start=1)
        ]

    def _probabilities(self, query: "_Query", scores: FloatArray, open_: BoolArray) -> FloatArray:
        """Of the entities that are open; NaN for the others, or for all."""
        none = np.full_like(scores, np.nan)
        curve = self._curves.get("tails" if query.tails else "heads")
        if curve is None or not self._stands(query):
            return none
        shares = log_softmax(np.where(open_, scores, _EXCLUDED))
        return np.where(open_, curve.probabilities(shares), none)

    def _predicted(
        self, rank: int, at: int, scores: FloatArray, probabilities: FloatArray, known: BoolArray
    ) -> Predicted:
        """Of the entity at a place; the last three of shape (entities,)."""
        entities, probability = self._split.entities, float(probabilities[at])
        return Predicted(
            rank,
            entities.ids[at],
            entities.names[at] if entities.names else None,
            entities.types[at] if entities.types else None,
            float(scores[at]),
            None if np.isnan(probability) else probability,
            bool(known[at]),
        )

    def _scores(self, query: "_Query") -> FloatArray:
        given, by = torch.tensor([query.entity]), torch.tensor([query.relation])
        asked = self._scorer.tails(given, by) if query.tails else self._scorer.heads(by, given)
        return asked[0].cpu().numpy().astype(np.float64)

    def _fitting(self, query: "_Query") -> BoolArray:
        sides = self._candidates.tails if query.tails else self._candidates.heads
        return sides[query.relation]

    def _stands(self, query: "_Query") -> bool:
        """Whether the entity asked about is of a type that stands at its end in training."""
        sides = self._candidates.heads if query.tails else self._candidates.tails
        return bool(sides[query.relation][query.entity])

    def _answers(self, query: "_Query") -> IntArray:
        lists: Answers = self._known.tails if query.tails else self._known.heads
        return lists.of_query(query.entity, query.relation)

    @cached_property
    def _known(self) -> Known:
        return Known.of(self._split.facts)

    @cached_property
    def _candidates(self) -> Candidates:
        return Candidates.of(self._split)


class _Query(NamedTuple):
    entity: int
    relation: int
    tails: bool
    """Whether the tail is sought, not the head."""

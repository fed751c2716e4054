"""Link prediction: asks a trained model for the missing part of a triple."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np
import torch
from rapidfuzz import process

from kg.embeddings.artifact import Artifact
from kg.embeddings.calibration import log_softmax
from kg.embeddings.candidates import Candidates, Known
from kg.embeddings.scoring import ModelScorer
from kg.embeddings.triples import BoolArray, FloatArray, Split
from kg.errors import EmbeddingError

_EXCLUDED: Final = -np.inf
"""Score of what is no candidate."""
_NEAREST: Final = 5
"""Names that an error suggests."""


@dataclass(frozen=True)
class Predicted:
    """An entity that may be the missing end, or a relation that may hold."""

    rank: int
    """From 1, among all candidates, known ones included."""
    id: str
    """Id of an entity, or name of a relation."""
    name: str | None
    type: str | None
    score: float
    """The model's own; that of a relation as ``Predictor.relations`` says."""
    probability: float | None
    """How often such a candidate would be a fact of the graph, were as large a share of its facts
    unknown as the model's validation part is. None for what is known, for a relation, without
    calibration, and where it or the entity asked about has a type that no training triple has at
    that end."""
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
            any_type: also entities of a type that no training triple of the relation has as tail.

        Raises:
            EmbeddingError: the entity or relation is unknown; the nearest are named.
        """
        return self._ends(self._query(head, relation, True), limit, any_type)

    def heads(
        self, relation: str, tail: str, limit: int, any_type: bool = False
    ) -> list[Predicted]:
        """The likeliest heads, best first; as ``tails``."""
        return self._ends(self._query(tail, relation, False), limit, any_type)

    def unseen_type(self, entity: str, relation: str, *, head: bool) -> str | None:
        """The type of an entity if no training triple has that type at that end of a relation.

        Args:
            entity: id or name.
            relation: name.
            head: whether the entity is the head, not the tail.

        Returns:
            None where the type was seen, or types are unknown.

        Raises:
            EmbeddingError: the entity or relation is unknown; the nearest are named.
        """
        query, types = self._query(entity, relation, head), self._split.entities.types
        return None if types is None or query.seen else types[query.entity]

    def relations(
        self, head: str, tail: str, limit: int, any_type: bool = False
    ) -> list[Predicted]:
        """The likeliest relations from head to tail, best first.

        A model's scores are comparable among the answers to one query, not among relations. So
        a relation's score is the mean of two log softmaxes: that of the tail among all tails of
        ``<h, r, ?>``, and that of the head among all heads of ``<?, r, t>``.

        Args:
            head: id or name of an entity.
            tail: id or name of an entity.
            limit: how many at most.
            any_type: also relations that no training triple has between entities of these types.

        Raises:
            EmbeddingError: an entity is unknown; the nearest are named.
        """
        first, last = self._lookup.entity(head), self._lookup.entity(tail)
        names = self._split.relations
        every = torch.arange(len(names))
        tails = self._scorer.tails(torch.full_like(every, first), every).log_softmax(1)[:, last]
        heads = self._scorer.heads(every, torch.full_like(every, last)).log_softmax(1)[:, first]
        scores: FloatArray = ((tails + heads) / 2).cpu().numpy().astype(np.float64)
        fact_heads, fact_relations, fact_tails = self._split.facts.T
        known = set(fact_relations[(fact_heads == first) & (fact_tails == last)].tolist())
        order = [
            at
            for at in np.argsort(-scores, kind="stable").tolist()
            if any_type or at in known or self._candidates.fit(first, at, last)
        ]
        return [
            Predicted(rank, names[at], None, None, float(scores[at]), None, at in known)
            for rank, at in enumerate(order[:limit], start=1)
        ]

    def _query(self, entity: str, relation: str, tails: bool) -> "_Query":
        by = self._lookup.relation(relation)
        given, sought = self._candidates.heads[by], self._candidates.tails[by]
        if not tails:
            given, sought = sought, given
        at = self._lookup.entity(entity, given)
        return _Query(at, by, tails, bool(given[at]), sought)

    def _ends(self, query: "_Query", limit: int, any_type: bool) -> list[Predicted]:
        given, by = torch.tensor([query.entity]), torch.tensor([query.relation])
        rows = self._scorer.tails(given, by) if query.tails else self._scorer.heads(by, given)
        scores = rows[0].cpu().numpy().astype(np.float64)
        answers = self._known.tails if query.tails else self._known.heads
        known = np.zeros_like(query.fitting)
        known[answers.of_query(query.entity, query.relation)] = True
        candidates = np.ones_like(query.fitting) if any_type else query.fitting.copy()
        candidates[query.entity] = False
        probabilities = self._probabilities(query, scores, candidates & query.fitting & ~known)
        order = np.argsort(-np.where(candidates, scores, _EXCLUDED), kind="stable")[:limit]
        entities = self._split.entities
        return [
            Predicted(
                rank,
                entities.ids[at],
                entities.names[at] if entities.names else None,
                entities.types[at] if entities.types else None,
                float(scores[at]),
                None if np.isnan(probabilities[at]) else float(probabilities[at]),
                bool(known[at]),
            )
            for rank, at in enumerate(order[candidates[order]].tolist(), start=1)
        ]

    def _probabilities(
        self, query: "_Query", scores: FloatArray, candidates: BoolArray
    ) -> FloatArray:
        """Probabilities of candidates; NaN for other entities, or for all."""
        none = np.full_like(scores, np.nan)
        curve = self._curves.get("tails" if query.tails else "heads")
        if curve is None or not query.seen:
            return none
        logs = log_softmax(np.where(candidates, scores, _EXCLUDED))
        return np.where(candidates, curve.probabilities(logs), none)

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
    seen: bool
    """Whether a training triple has the entity's type at its end of the relation."""
    fitting: BoolArray
    """Entities whose type was seen at the end that is sought; shape (entities,)."""


class Lookup:
    """Finds the positions of entities by id or name, and of relations by name."""

    def __init__(self, split: Split) -> None:
        self._entities, self._relations = split.entities, split.relations

    def entity(self, text: str, fitting: BoolArray | None = None) -> int:
        """Position of an entity by its id or name.

        Args:
            text: id or name.
            fitting: entities that are preferred if several have the name, shape (entities,).

        Raises:
            EmbeddingError: none or several have the name.
        """
        if (position := self._by_id.get(text)) is not None:
            return position
        positions = self._by_name.get(text.casefold(), [])
        if fitting is not None:
            positions = [position for position in positions if fitting[position]] or positions
        if len(positions) == 1:
            return positions[0]
        ids = self._entities.ids
        if positions:
            raise EmbeddingError(
                f"{text!r} is the name of {', '.join(ids[position] for position in positions)}; "
                "give the id of the one that is meant"
            )
        raise EmbeddingError(f"the model knows no entity {text!r}; {self._nearest(text)}")

    def relation(self, name: str) -> int:
        """Position of a relation.

        Raises:
            EmbeddingError: there is none of that name.
        """
        names = self._relations
        if name in names:
            return names.index(name)
        near = process.extract(name.upper(), names, limit=_NEAREST, processor=str.upper)
        raise EmbeddingError(
            f"the model knows no relation {name!r}; the nearest are "
            f"{', '.join(match for match, *_ in near)}"
        )

    def _nearest(self, text: str) -> str:
        """The nearest names and ids; ids alone where the text is an id, or names are unknown."""
        ids, names = self._entities.ids, self._entities.names
        if names is None or ":" in text:
            near = process.extract(text, ids, limit=_NEAREST)
            return f"the nearest are {', '.join(entity for entity, *_ in near)}"
        near = process.extract(text.casefold(), names, limit=_NEAREST, processor=str.casefold)
        return "the nearest are " + ", ".join(f"{name} ({ids[at]})" for name, _, at in near)

    @cached_property
    def _by_id(self) -> dict[str, int]:
        return {entity: position for position, entity in enumerate(self._entities.ids)}

    @cached_property
    def _by_name(self) -> dict[str, list[int]]:
        by_name: dict[str, list[int]] = {}
        for position, name in enumerate(self._entities.names or ()):
            by_name.setdefault(name.casefold(), []).append(position)
        return by_name

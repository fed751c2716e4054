"""Scorers of triples: a trained model, and baselines that learn nothing.

PyKEEN scores ``(h, r)`` against n entities by an array of shape (batch, n, dim). Models whose score
is a dot product with the tail, or a distance from it, do not need that array: ``(h, r)`` becomes
one vector, the *query*, and one matrix product gives all scores (``ClosedForm``). Any other model
is scored by PyKEEN's own functions. Both give the same numbers up to the rounding of float32.

Relations are those of a model with inverse relations, as PyKEEN numbers them: relation r is
2 r, its inverse 2 r + 1, and the heads of ``<?, r, t>`` are the tails of ``<t, 2 r + 1, ?>``.

A model must beat the baselines to be worth its training. They see the training triples alone, so
they measure what chance and popularity reach.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Protocol, Self

import numpy as np
import numpy.typing as npt
import torch
from pykeen.models import ERModel
from pykeen.nn import Embedding
from pykeen.nn.modules import (
    ComplExInteraction,
    ConvEInteraction,
    DistMultInteraction,
    Interaction,
    RotatEInteraction,
    TransEInteraction,
)
from torch import Tensor
from torch.nn import functional

from kg.embeddings.triples import IntArray, Split
from kg.errors import EmbeddingError

Query = Callable[[Interaction, Tensor, Tensor], Tensor]

_LEAST_SQUARE: Final = 1e-12
"""Least squared distance; at 0 the square root has no derivative."""
_AT_ONCE: Final = 2**26
"""Numbers that PyKEEN's array of shape (batch, n, dim) may have: 256 MiB."""


class Scorer(Protocol):
    """Scores every entity as the missing end of a triple; the higher, the likelier."""

    def tails(self, heads: Tensor, relations: Tensor) -> Tensor:
        """Scores of every entity as tail of ``<h, r, ?>``.

        Args:
            heads: positions of entities, int64, shape (batch,).
            relations: positions of relations, int64, shape (batch,).

        Returns:
            float32, shape (batch, entities).
        """
        ...

    def heads(self, relations: Tensor, tails: Tensor) -> Tensor:
        """Scores of every entity as head of ``<?, r, t>``.

        Args:
            relations: positions of relations, int64, shape (batch,).
            tails: positions of entities, int64, shape (batch,).

        Returns:
            float32, shape (batch, entities).
        """
        ...


@dataclass(frozen=True)
class ClosedForm:
    """A model's score as a product, or a distance, of a query vector and a tail vector."""

    interaction: Interaction
    query: Query
    """Gives the queries from the interaction and the vectors of heads and of relations; shape
    (batch, dim) each."""
    norm: float | None
    """The p of the p-norm distance between query and tail; None: their dot product."""

    @classmethod
    def of(cls, model: ERModel) -> Self | None:
        """The closed form of a model; None where it has none.

        Vectors are the weights as they are stored: a complex number is two columns.
        """
        interaction = model.interaction
        query = _QUERIES.get(type(interaction))
        tables = [*model.entity_representations, *model.relation_representations]
        plain = all(
            type(table) is Embedding and table.normalizer is None and table.dropout is None
            for table in tables
        )
        if query is None or not plain:
            return None
        if isinstance(interaction, RotatEInteraction):
            return cls(interaction, query, 2.0)  # of the complex vector, whatever its p
        if isinstance(interaction, TransEInteraction):
            simple = interaction.p in (1, 2) and not interaction.power_norm
            return cls(interaction, query, float(interaction.p)) if simple else None
        return cls(interaction, query, None)

    def against(self, queries: Tensor, tails: Tensor, bias: Tensor | None = None) -> Tensor:
        """Score queries, shape (batch, dim), against tails, shape (n, dim); shape (batch, n)."""
        if self.norm is None:
            scores = queries @ tails.T
            return scores if bias is None else scores + bias
        if self.norm == 1:
            return -torch.cdist(queries, tails, p=1.0)
        squares = queries.square().sum(1, keepdim=True) + tails.square().sum(1)
        return -torch.addmm(squares, queries, tails.T, alpha=-2).clamp_min(_LEAST_SQUARE).sqrt()

    def pairwise(self, queries: Tensor, tails: Tensor, bias: Tensor | None = None) -> Tensor:
        """Score each query against its own tail; shape (batch,)."""
        if self.norm is None:
            scores = (queries * tails).sum(1)
            return scores if bias is None else scores + bias
        if self.norm == 1:
            return -(queries - tails).abs().sum(1)
        return -(queries - tails).square().sum(1).clamp_min(_LEAST_SQUARE).sqrt()


def _complex(rows: Tensor) -> Tensor:
    return torch.view_as_complex(rows.view(len(rows), -1, 2))


def _translated(_: Interaction, heads: Tensor, relations: Tensor) -> Tensor:
    return heads + relations


def _scaled(_: Interaction, heads: Tensor, relations: Tensor) -> Tensor:
    return heads * relations


def _rotated(_: Interaction, heads: Tensor, relations: Tensor) -> Tensor:
    return torch.view_as_real(_complex(heads) * _complex(relations)).flatten(1)


def _convolved(interaction: Interaction, heads: Tensor, relations: Tensor) -> Tensor:
    """ConvE's query of head and relation (Dettmers et al. 2018, equation 1)."""
    shape = interaction.shape_info
    image = (-1, shape.input_channels, shape.image_height, shape.image_width)
    pictures = torch.cat([heads.view(image), relations.view(image)], dim=2)
    features: Tensor = interaction.hr2d(pictures).view(-1, shape.num_in_features)
    queries: Tensor = interaction.hr1d(features)
    return queries


_QUERIES: dict[type[Interaction], Query] = {
    TransEInteraction: _translated,
    DistMultInteraction: _scaled,
    ComplExInteraction: _rotated,
    RotatEInteraction: _rotated,
    ConvEInteraction: _convolved,
}


class ModelScorer:
    """Scores every entity by a model with inverse relations; a ``Scorer``."""

    def __init__(self, model: ERModel) -> None:
        self.model = model
        self._form = ClosedForm.of(model)

    def tails(self, heads: Tensor, relations: Tensor) -> Tensor:
        """Scores of every entity as tail; shape (batch, entities)."""
        return self._scores(heads, 2 * relations)

    def heads(self, relations: Tensor, tails: Tensor) -> Tensor:
        """Scores of every entity as head; shape (batch, entities)."""
        return self._scores(tails, 2 * relations + 1)

    @torch.no_grad()
    def _scores(self, entities: Tensor, relations: Tensor) -> Tensor:
        self.model.eval()
        device = self.model.device
        entities, relations = entities.to(device), relations.to(device)
        if self._form is None:
            return self._by_pykeen(torch.stack([entities, relations], dim=1))
        table, bias = entity_tables(self.model)
        queries = self._form.query(
            self.model.interaction,
            functional.embedding(entities, table),
            functional.embedding(relations, relation_table(self.model)),
        )
        return self._form.against(queries, table, bias)

    def _by_pykeen(self, pairs: Tensor) -> Tensor:
        """Score pairs ``(h, r)``, shape (batch, 2), against as many entities at once as fit."""
        dim = sum(math.prod(table.shape) for table in self.model.entity_representations)
        at_once = max(1, _AT_ONCE // (len(pairs) * max(dim, 1)))
        sliced = at_once if at_once < self.model.num_entities else None
        scores: Tensor = self.model.score_t(pairs, slice_size=sliced)
        return scores.float()


def entity_tables(model: ERModel) -> tuple[Tensor, Tensor | None]:
    """The entities' vectors, shape (entities, dim), and biases, shape (entities,), if any.

    Only for a model with a closed form; ``entity_vectors`` takes any.
    """
    vectors, *more = (weights(table) for table in model.entity_representations)
    return vectors, more[0].view(-1) if more else None


@torch.no_grad()
def entity_vectors(model: ERModel) -> npt.NDArray[np.float32]:
    """The vector of each entity, as the model scores by it; float32, shape (entities, dim).

    Where a model has several vectors of an entity (SimplE, TransD, BoxE), they are concatenated;
    where one has several axes (QuatE, CP), it is flattened. A complex number is two columns.
    Biases are left out.

    Raises:
        EmbeddingError: the model has no vectors of entities.
    """
    model.eval()
    tables = [table for table in model.entity_representations if table.shape]
    if not tables:
        raise EmbeddingError(
            f"{type(model).__name__} has no vectors of entities; take a model that has, ComplEx "
            "for one"
        )
    arrays = [table(indices=None) for table in tables]
    real = [torch.view_as_real(rows) if rows.is_complex() else rows for rows in arrays]
    joined = torch.cat([rows.flatten(1) for rows in real], dim=1)
    vectors: npt.NDArray[np.float32] = joined.float().cpu().numpy()
    return vectors


def relation_table(model: ERModel) -> Tensor:
    """The relations' vectors, inverse ones among them; shape (2 relations, dim)."""
    return weights(model.relation_representations[0])


def weights(table: Embedding) -> Tensor:
    """The weights of a table; a complex number is two columns."""
    numbers: Tensor = table._embeddings.weight  # noqa: SLF001 - PyKEEN has no other way to them
    return numbers


class Random:
    """Baseline that scores entities at random, and gives a query the same scores each time.

    The numbers are those of the counter-based generator Philox (Salmon et al. 2011, "Parallel
    random numbers: as easy as 1, 2, 3"), keyed by seed and query.
    """

    def __init__(self, entities: int, seed: int = 0) -> None:
        self._entities = entities
        self._seed = seed

    def tails(self, heads: Tensor, relations: Tensor) -> Tensor:
        """In [0, 1), shape (batch, entities)."""
        return self._random(relations << 32 | heads)

    def heads(self, relations: Tensor, tails: Tensor) -> Tensor:
        """In [0, 1), shape (batch, entities)."""
        return self._random(relations << 32 | tails | 1 << 31)

    def _random(self, queries: Tensor) -> Tensor:
        rows = [
            np.random.Generator(np.random.Philox(key=[self._seed, query])).random(
                self._entities, dtype=np.float32
            )
            for query in queries.tolist()
        ]
        return torch.from_numpy(np.stack(rows))


class Degree:
    """Baseline that scores entities by their number of triples, whatever the query."""

    def __init__(self, train: IntArray, entities: int) -> None:
        ends = train[:, [0, 2]].ravel()
        self._degrees = _counts(ends, entities)

    def tails(self, heads: Tensor, relations: Tensor) -> Tensor:
        """Number of triples of each entity, shape (batch, entities)."""
        del relations
        return self._degrees.expand(len(heads), -1)

    def heads(self, relations: Tensor, tails: Tensor) -> Tensor:
        """Number of triples of each entity, shape (batch, entities)."""
        del relations
        return self._degrees.expand(len(tails), -1)


class RelationFrequency:
    """Baseline that scores an entity by how often it is that end of the relation."""

    def __init__(self, train: IntArray, entities: int) -> None:
        self._entities = entities
        ordered = train[np.argsort(train[:, 1], kind="stable")]
        self._relations = np.ascontiguousarray(ordered[:, 1])
        self._heads = np.ascontiguousarray(ordered[:, 0])
        self._tails = np.ascontiguousarray(ordered[:, 2])

    def tails(self, heads: Tensor, relations: Tensor) -> Tensor:
        """Number of triples of the relation with each entity as tail, shape (batch, entities)."""
        del heads
        return self._frequencies(self._tails, relations)

    def heads(self, relations: Tensor, tails: Tensor) -> Tensor:
        """Number of triples of the relation with each entity as head, shape (batch, entities)."""
        del tails
        return self._frequencies(self._heads, relations)

    def _frequencies(self, ends: IntArray, relations: Tensor) -> Tensor:
        distinct, each = torch.unique(relations, return_inverse=True)
        first = np.searchsorted(self._relations, distinct.numpy(), side="left")
        last = np.searchsorted(self._relations, distinct.numpy(), side="right")
        spans = zip(first.tolist(), last.tolist(), strict=True)
        return torch.stack([_counts(ends[a:b], self._entities) for a, b in spans])[each]


BASELINES: Final[Mapping[str, Callable[[Split], Scorer]]] = {
    "random": lambda split: Random(len(split.entities)),
    "degree": lambda split: Degree(split.train, len(split.entities)),
    "relation frequency": lambda split: RelationFrequency(split.train, len(split.entities)),
}
"""Makes each baseline of a split, by its name in reports."""


def _counts(entities: IntArray, many: int) -> Tensor:
    return torch.from_numpy(np.bincount(entities, minlength=many).astype(np.float32))

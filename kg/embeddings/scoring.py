"""Scores of a PyKEEN model against many entities at once, by one matrix product where it can be.

PyKEEN scores ``(h, r)`` against n entities by an array of shape (batch, n, dim). For models
whose score is a dot product with the tail, or a distance from it, that array need not be: the
model's side of ``(h, r)`` is one vector, the *query*, and a product of two matrices gives all
scores. For any other model the scores are asked of PyKEEN. Both are the same numbers up to the
rounding of float32.

Relations are those of a model with inverse relations, as PyKEEN numbers them: relation r is
2 r, its inverse 2 r + 1, and the heads of ``<?, r, t>`` are the tails of ``<t, 2 r + 1, ?>``.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Self

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

from kg.errors import EmbeddingError

Query = Callable[[Interaction, Tensor, Tensor], Tensor]

_NEAR: Final = 1e-12
"""Least squared distance: the root has a derivative there."""
_AT_ONCE: Final = 2**26
"""Numbers that PyKEEN's array of shape (batch, n, dim) may have: 256 MiB."""


@dataclass(frozen=True)
class ClosedForm:
    """How a model's score is one product of a query and a tail."""

    interaction: Interaction
    query: Query
    """Of the interaction, rows of heads and rows of relations; shape (batch, dim) each."""
    norm: float | None
    """The p of the distance between query and tail; None: their dot product."""

    @classmethod
    def of(cls, model: ERModel) -> Self | None:
        """The closed form of a model; None where it has none.

        The rows are the weights as they lie in memory: a complex number is two columns.
        """
        interaction = model.interaction
        query = _QUERIES.get(type(interaction))
        if query is None or not _plain(model):
            return None
        if isinstance(interaction, RotatEInteraction):
            return cls(interaction, query, 2.0)  # of the complex vector, whatever its p
        if isinstance(interaction, TransEInteraction):
            simple = interaction.p in (1, 2) and not interaction.power_norm
            return cls(interaction, query, float(interaction.p)) if simple else None
        return cls(interaction, query, None)

    def against(self, queries: Tensor, tails: Tensor, bias: Tensor | None = None) -> Tensor:
        """Scores of queries, shape (batch, dim), and tails, shape (n, dim); shape (batch, n)."""
        if self.norm is None:
            scores = queries @ tails.T
            return scores if bias is None else scores + bias
        if self.norm == 1:
            return -torch.cdist(queries, tails, p=1.0)
        squares = queries.square().sum(1, keepdim=True) + tails.square().sum(1)
        return -torch.addmm(squares, queries, tails.T, alpha=-2).clamp_min(_NEAR).sqrt()

    def pairwise(self, queries: Tensor, tails: Tensor, bias: Tensor | None = None) -> Tensor:
        """Scores of as many queries as tails, each with its own; shape (batch,)."""
        if self.norm is None:
            scores = (queries * tails).sum(1)
            return scores if bias is None else scores + bias
        if self.norm == 1:
            return -(queries - tails).abs().sum(1)
        return -(queries - tails).square().sum(1).clamp_min(_NEAR).sqrt()


def _plain(model: ERModel) -> bool:
    """Whether each representation is a table of weights and nothing else."""
    tables = [*model.entity_representations, *model.relation_representations]
    return all(
        type(table) is Embedding and table.normalizer is None and table.dropout is None
        for table in tables
    )


def _complex(rows: Tensor) -> Tensor:
    return torch.view_as_complex(rows.view(len(rows), -1, 2))


def _translated(_: Interaction, heads: Tensor, relations: Tensor) -> Tensor:
    return heads + relations


def _scaled(_: Interaction, heads: Tensor, relations: Tensor) -> Tensor:
    return heads * relations


def _rotated(_: Interaction, heads: Tensor, relations: Tensor) -> Tensor:
    return torch.view_as_real(_complex(heads) * _complex(relations)).flatten(1)


def _convolved(interaction: Interaction, heads: Tensor, relations: Tensor) -> Tensor:
    """ConvE's side of head and relation (Dettmers et al. 2018, equation 1)."""
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
    """Scores of every entity by a model with inverse relations; a ``Scorer``."""

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
        """Scores of ``(h, r)``, shape (batch, 2), as many entities at once as fit."""
        dim = sum(math.prod(table.shape) for table in self.model.entity_representations)
        at_once = max(1, _AT_ONCE // (len(pairs) * max(dim, 1)))
        sliced = at_once if at_once < self.model.num_entities else None
        scores: Tensor = self.model.score_t(pairs, slice_size=sliced)
        return scores.float()


def entity_tables(model: ERModel) -> tuple[Tensor, Tensor | None]:
    """The entities' vectors, shape (entities, dim), and biases, shape (entities,), if any.

    Only of a model with a closed form; ``entity_vectors`` are those of any.
    """
    vectors, *more = (weights(table) for table in model.entity_representations)
    return vectors, more[0].view(-1) if more else None


@torch.no_grad()
def entity_vectors(model: ERModel) -> npt.NDArray[np.float32]:
    """A vector of each entity, as the model scores by it; float32, shape (entities, dim).

    Where a model keeps several vectors of an entity (SimplE, TransD, BoxE), they are joined side
    by side; where one has several axes (QuatE, CP), these are laid out one after the other. A
    complex number is two columns. Biases are left out.

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
    found = [table(indices=None) for table in tables]
    real = [torch.view_as_real(rows) if rows.is_complex() else rows for rows in found]
    joined = torch.cat([rows.flatten(1) for rows in real], dim=1)
    vectors: npt.NDArray[np.float32] = joined.float().cpu().numpy()
    return vectors


def relation_table(model: ERModel) -> Tensor:
    """The relations' vectors, inverse ones among them; shape (2 relations, dim)."""
    return weights(model.relation_representations[0])


def weights(table: Embedding) -> Tensor:
    """The weights of a table; a complex number is two columns."""
    found: Tensor = table._embeddings.weight  # noqa: SLF001 - PyKEEN has no other way to them
    return found

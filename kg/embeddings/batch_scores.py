"""Scores of one step of training, by the closed form of a model or else by PyKEEN."""

from typing import NamedTuple

import torch
from pykeen.models import ERModel
from torch import Tensor
from torch.nn import functional

from kg.embeddings.recipe import Recipe
from kg.embeddings.row_adagrad import TouchedRows
from kg.embeddings.scoring import ClosedForm, entity_tables, relation_table
from kg.errors import EmbeddingError

_NO_MODULUS = 1e-16
"""Least square of a modulus: the root has a derivative there."""


class Drawn(NamedTuple):
    """Scores of triples and of their queries with other entities."""

    right: Tensor
    """Shape (batch,)."""
    wrong: Tensor
    """Shape (batch, drawn)."""
    penalty: Tensor
    """A scalar, added to the loss."""


class BatchScores:
    """Gives the scores of a batch, with what takes the gradient back to the weights.

    Raises:
        EmbeddingError: the recipe has what only a closed form gives, and the model has none.
    """

    def __init__(self, model: ERModel, recipe: Recipe) -> None:
        self._model, self._dropout, self._n3 = model, recipe.dropout, recipe.n3
        self._form = step_form(model)
        if self._form is None and (recipe.n3 or recipe.dropout):
            raise EmbeddingError(
                f"--n3 and --dropout do nothing for this {type(model).__name__}: they are for "
                "TransE, DistMult, ComplEx, RotatE and ConvE without a regulariser or normaliser "
                "of their own; set both to 0, or turn that off with --argument regularizer=null"
            )
        rowwise = recipe.optimizer == "adagrad" and recipe.negatives is not None
        self._look_up = TouchedRows(entity_tables(model)[0]) if rowwise and self._form else None

    def every(self, pairs: Tensor) -> tuple[Tensor, Tensor]:
        """Scores of queries and every entity, and the penalty.

        Args:
            pairs: entity and relation, inverse ones counted, shape (batch, 2).

        Returns:
            Scores of shape (batch, entities), and a scalar.
        """
        if self._form is None:
            return self._model.score_t(pairs), self._model.collect_regularization_term()
        table, bias = entity_tables(self._model)
        heads = functional.embedding(pairs[:, 0], table)
        relations = functional.embedding(pairs[:, 1], relation_table(self._model))
        queries = self._queries(self._form, heads, relations)
        return self._form.against(queries, table, bias), self._penalty(heads, relations)

    def drawn(self, rows: Tensor, drawn: Tensor) -> Drawn:
        """Scores of triples, and of their queries and drawn entities.

        Args:
            rows: head, relation and tail, shape (batch, 3); inverse relations counted.
            drawn: entities, shape (drawn,).
        """
        heads, relations, tails = rows.T
        if self._form is None:
            right = self._model.score_hrt(rows).view(-1)
            wrong = self._model.score_t(rows[:, :2], tails=drawn)
            return Drawn(right, wrong, self._model.collect_regularization_term())
        table, bias = entity_tables(self._model)
        touched = torch.cat([heads, tails, drawn])
        found = self._look_up(touched) if self._look_up else functional.embedding(touched, table)
        first, last, others = found.split([len(heads), len(tails), len(drawn)])
        factors = functional.embedding(relations, relation_table(self._model))
        queries = self._queries(self._form, first, factors)
        own, their = (None, None) if bias is None else (bias[tails], bias[drawn])
        right = self._form.pairwise(queries, last, own)
        wrong = self._form.against(queries, others, their)
        return Drawn(right, wrong, self._penalty(first, factors, last))

    def _queries(self, form: ClosedForm, heads: Tensor, relations: Tensor) -> Tensor:
        queries = form.query(self._model.interaction, heads, relations)
        return functional.dropout(queries, self._dropout) if self._dropout else queries

    def _penalty(self, *factors: Tensor) -> Tensor:
        """The mean over the batch of the sum of the cubed moduli, times the recipe's weight."""
        if not self._n3:
            return factors[0].new_zeros(())
        moduli = _moduli if getattr(self._model.interaction, "is_complex", False) else torch.abs
        norms = [moduli(rows).pow(3).sum(1).mean() for rows in factors]
        return self._n3 * torch.stack(norms).sum()


def step_form(model: ERModel) -> ClosedForm | None:
    """The closed form by which a step of training scores; None: PyKEEN scores.

    PyKEEN does too where looking a vector up adds to the loss.
    """
    tables = [*model.entity_representations, *model.relation_representations]
    regularised = any(table.regularizer is not None for table in tables)
    return None if regularised else ClosedForm.of(model)


def _moduli(rows: Tensor) -> Tensor:
    return rows.view(len(rows), -1, 2).square().sum(2).clamp_min(_NO_MODULUS).sqrt()

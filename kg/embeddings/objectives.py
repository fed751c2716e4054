"""What a step of training minimises: 1-N scoring, or shared negative samples.

``OneToN`` scores distinct ``(h, r)`` against all entities (1-N scoring, Dettmers et al. 2018,
section 4.2). ``SharedNegatives`` scores triples against negative samples that the whole batch
shares, so that all scores of a step are one matrix product (as PyTorch-BigGraph and DGL-KE do).

Both train on every triple and its inverse: ``<h, 2 r, t>`` and ``<t, 2 r + 1, h>``.

With Adagrad and shared negatives a step changes only the rows of the entity table that it looked
up (``LookedUpRows``, ``RowAdagrad``). Any other row has gradient 0, for which Adagrad leaves it as
it is (Duchi et al. 2011): the weights are those of the dense step, in time and memory of the rows
that were looked up.
"""

import math
from collections.abc import Iterator
from typing import Any, Final, NamedTuple, Protocol

import numpy as np
import torch
from pykeen.losses import CrossEntropyLoss, Loss, UnsupportedLabelSmoothingError, loss_resolver
from pykeen.models import ERModel
from torch import Tensor
from torch.nn import functional

from kg.embeddings.candidates import Answers, queries_of_keys
from kg.embeddings.recipe import Recipe, nearest
from kg.embeddings.scoring import ClosedForm, entity_tables, relation_table
from kg.embeddings.triples import IntArray, Split
from kg.errors import EmbeddingError

_NO_SCORE: Final = -1e9
"""Score of a negative sample that is the true tail; -inf would have no derivative."""
_LEAST_SQUARE: Final = 1e-16
"""Least square of a modulus; at 0 the square root has no derivative."""


class Objective(Protocol):
    """Gives the losses of an epoch, one per step."""

    steps: int
    """Of an epoch."""

    def losses(self, random: np.random.Generator) -> Iterator[Tensor]:
        """A scalar per step; its gradient must be computed before the next is asked for."""
        ...


def objective_of(model: ERModel, recipe: Recipe, split: Split) -> Objective:
    """The objective of a recipe.

    Raises:
        EmbeddingError: PyKEEN has no such loss, or parts of the recipe do not go together.
    """
    loss = make_loss(recipe).to(model.device)
    if recipe.label_smoothing and not takes_smoothing(recipe):
        raise EmbeddingError(
            f"the loss {recipe.loss} takes no label smoothing; set --label-smoothing 0"
        )
    if recipe.negatives is None:
        return OneToN(model, recipe, loss, split.train)
    return SharedNegatives(model, recipe, loss, split.train, len(split.entities))


def make_loss(recipe: Recipe) -> Loss:
    """The loss that a recipe names.

    Raises:
        EmbeddingError: PyKEEN has no such loss, or it does not take the arguments.
    """
    try:
        return loss_resolver.make(recipe.loss, recipe.loss_arguments)
    except KeyError as e:
        near = nearest(recipe.loss, loss_resolver.options)
        raise EmbeddingError(f"PyKEEN has no loss {recipe.loss!r}; the nearest are {near}") from e
    except TypeError as e:
        raise EmbeddingError(
            f"loss {recipe.loss} does not take {recipe.loss_arguments}: {e}; "
            "see PyKEEN's documentation of the loss"
        ) from e


def takes_smoothing(recipe: Recipe) -> bool:
    """Whether the recipe's loss can smooth labels.

    Raises:
        EmbeddingError: PyKEEN has no such loss.
    """
    loss, scores = make_loss(recipe), torch.zeros(1, 2)
    try:
        if recipe.negatives is None:
            loss.process_lcwa_scores(scores, torch.eye(1, 2), 0.1, 2)
        else:
            loss.process_slcwa_scores(scores[:, :1], scores, 0.1, None, 2)
    except UnsupportedLabelSmoothingError:
        return False
    return True


def with_inverses(rows: IntArray) -> IntArray:
    """Every triple and its inverse, numbered as PyKEEN numbers relations; shape (2 n, 3)."""
    heads, relations, tails = rows.T
    triples = np.stack([heads, 2 * relations, tails], axis=1)
    inverses = np.stack([tails, 2 * relations + 1, heads], axis=1)
    return np.concatenate([triples, inverses])


class OneToN:
    """Scores each distinct ``(h, r)`` against every entity; all its tails are labelled true."""

    def __init__(self, model: ERModel, recipe: Recipe, loss: Loss, train: IntArray) -> None:
        heads, relations, tails = with_inverses(train).T
        self._known = Answers.of(heads, relations, tails)
        self._batch, self._smoothing = recipe.batch, recipe.label_smoothing or None
        self._loss, self._model = loss, model
        self._scores = BatchScores(model, recipe)
        # a batch of one breaks batch normalisation, so a last one of one joins the one before
        self.steps = max(1, math.ceil((len(self._known.queries) - 1) / self._batch))

    def losses(self, random: np.random.Generator) -> Iterator[Tensor]:
        """Over all pairs in a new order."""
        order = random.permutation(len(self._known.queries))
        for step in range(self.steps):
            end = None if step == self.steps - 1 else (step + 1) * self._batch
            yield self._loss_of(order[step * self._batch : end])

    def _loss_of(self, chosen: IntArray) -> Tensor:
        pairs = np.stack(queries_of_keys(self._known.queries[chosen]), axis=1)
        scores, penalty = self._scores.of_every_entity(
            torch.from_numpy(pairs).to(self._model.device)
        )
        labels = torch.zeros_like(scores)
        true = (torch.from_numpy(at).to(labels.device) for at in self._known.of_queries(chosen))
        labels[tuple(true)] = 1.0
        loss: Tensor = self._loss.process_lcwa_scores(
            scores, labels, self._smoothing, scores.shape[1]
        )
        return loss + penalty


class SharedNegatives:
    """Scores tails of triples and of their inverses against negatives shared by the batch.

    Negatives are sampled uniformly. A triple and its inverse are mostly in different batches:
    together they would change the same rows in one step where two are better (on 800,000 triples
    of the graph of everything the validation MRR was .122 after two epochs and not .089).

    Raises:
        EmbeddingError: labels are to be smoothed where the loss cannot.
    """

    def __init__(
        self, model: ERModel, recipe: Recipe, loss: Loss, train: IntArray, entities: int
    ) -> None:
        self._rows, self._entities = train, entities
        self._batch, self._smoothing = recipe.batch, recipe.label_smoothing or None
        self._negatives = min(recipe.negatives or entities, entities)
        self._loss, self._device = loss, model.device
        self._scores = BatchScores(model, recipe)
        self._columns = torch.full((entities,), -1, device=model.device)
        self.steps = math.ceil(len(train) / self._batch)
        if isinstance(loss, CrossEntropyLoss) and self._smoothing:
            raise EmbeddingError(
                f"--label-smoothing {self._smoothing:g} with the loss {recipe.loss} needs every "
                "entity; set it to 0, or set --negatives 0"
            )

    def losses(self, random: np.random.Generator) -> Iterator[Tensor]:
        """Over all triples and their inverses in a new order, twice the recipe's batch a step."""
        order = random.permutation(2 * len(self._rows))
        for start in range(0, len(order), 2 * self._batch):
            rows = torch.from_numpy(self._chosen(order[start : start + 2 * self._batch]))
            some = random.choice(self._entities, self._negatives, replace=False, shuffle=False)
            yield self._loss_of(rows.to(self._device), torch.from_numpy(some).to(self._device))

    def _chosen(self, places: IntArray) -> IntArray:
        """Rows of ``with_inverses`` at some positions, without making all; shape (places, 3)."""
        inverse, at = np.divmod(places, len(self._rows))
        heads, relations, tails = self._rows[at].T
        is_inverse = inverse == 1
        return np.stack(
            [
                np.where(is_inverse, tails, heads),
                2 * relations + inverse,
                np.where(is_inverse, heads, tails),
            ],
            axis=1,
        )

    def _loss_of(self, rows: Tensor, negatives: Tensor) -> Tensor:
        scores = self._scores.of_negatives(rows, negatives)
        true = self._true_tails(rows, negatives)
        if type(self._loss) is CrossEntropyLoss:
            return self._sampled_softmax(scores, true) + scores.penalty
        false = torch.ones_like(scores.negative, dtype=torch.bool)
        false.index_put_(true, torch.tensor(False))
        loss: Tensor = self._loss.process_slcwa_scores(
            scores.positive[:, None],
            scores.negative[false],
            self._smoothing,
            false,
            self._entities,
        )
        return loss + scores.penalty

    def _true_tails(self, rows: Tensor, negatives: Tensor) -> tuple[Tensor, Tensor]:
        """Rows and columns of the scores where the negative sample is the tail of its triple."""
        self._columns[negatives] = torch.arange(len(negatives), device=negatives.device)
        columns = self._columns[rows[:, 2]]
        self._columns[negatives] = -1
        at = (columns >= 0).nonzero().view(-1)
        return at, columns[at]

    def _sampled_softmax(self, scores: "NegativeScores", true: tuple[Tensor, Tensor]) -> Tensor:
        """Cross entropy where each negative is weighted by the entities that it stands for."""
        stands_for = math.log((self._entities - 1) / self._negatives)
        negative = scores.negative.index_put_(true, scores.negative.new_tensor(_NO_SCORE))
        against = negative.logsumexp(1) + stands_for
        return functional.softplus(against - scores.positive).mean()


class NegativeScores(NamedTuple):
    """Scores of triples, and of their queries with negative samples."""

    positive: Tensor
    """Shape (batch,)."""
    negative: Tensor
    """Shape (batch, negatives)."""
    penalty: Tensor
    """A scalar, added to the loss."""


class BatchScores:
    """Scores of a batch with their gradients, by the closed form of a model or else by PyKEEN.

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
        self._look_up = LookedUpRows(entity_tables(model)[0]) if rowwise and self._form else None

    def of_every_entity(self, pairs: Tensor) -> tuple[Tensor, Tensor]:
        """Score queries against every entity.

        Args:
            pairs: entity and relation, inverse relations counted, shape (batch, 2).

        Returns:
            Scores of shape (batch, entities), and the penalty, a scalar.
        """
        if self._form is None:
            return self._model.score_t(pairs), self._model.collect_regularization_term()
        table, bias = entity_tables(self._model)
        heads = functional.embedding(pairs[:, 0], table)
        relations = functional.embedding(pairs[:, 1], relation_table(self._model))
        queries = self._queries(self._form, heads, relations)
        return self._form.against(queries, table, bias), self._penalty(heads, relations)

    def of_negatives(self, rows: Tensor, negatives: Tensor) -> NegativeScores:
        """Score triples, and their queries against negative samples.

        Args:
            rows: head, relation and tail, shape (batch, 3); inverse relations counted.
            negatives: entities, shape (negatives,).
        """
        heads, relations, tails = rows.T
        if self._form is None:
            positive = self._model.score_hrt(rows).view(-1)
            negative = self._model.score_t(rows[:, :2], tails=negatives)
            return NegativeScores(positive, negative, self._model.collect_regularization_term())
        table, bias = entity_tables(self._model)
        entities = torch.cat([heads, tails, negatives])
        vectors = (
            self._look_up(entities) if self._look_up else functional.embedding(entities, table)
        )
        first, last, negative_vectors = vectors.split([len(heads), len(tails), len(negatives)])
        factors = functional.embedding(relations, relation_table(self._model))
        queries = self._queries(self._form, first, factors)
        biases = (None, None) if bias is None else (bias[tails], bias[negatives])
        return NegativeScores(
            self._form.pairwise(queries, last, biases[0]),
            self._form.against(queries, negative_vectors, biases[1]),
            self._penalty(first, factors, last),
        )

    def _queries(self, form: ClosedForm, heads: Tensor, relations: Tensor) -> Tensor:
        queries = form.query(self._model.interaction, heads, relations)
        return functional.dropout(queries, self._dropout) if self._dropout else queries

    def _penalty(self, *factors: Tensor) -> Tensor:
        """Nuclear 3-norm: the batch's mean of the sum of the cubed moduli, times its weight."""
        if not self._n3:
            return factors[0].new_zeros(())
        moduli = _moduli if getattr(self._model.interaction, "is_complex", False) else torch.abs
        norms = [moduli(rows).pow(3).sum(1).mean() for rows in factors]
        return self._n3 * torch.stack(norms).sum()


def _moduli(rows: Tensor) -> Tensor:
    return rows.view(len(rows), -1, 2).square().sum(2).clamp_min(_LEAST_SQUARE).sqrt()


def step_form(model: ERModel) -> ClosedForm | None:
    """The closed form by which a step of training scores; None: PyKEEN scores.

    PyKEEN scores too where a regulariser adds to the loss whenever a vector is looked up.
    """
    tables = [*model.entity_representations, *model.relation_representations]
    regularised = any(table.regularizer is not None for table in tables)
    return None if regularised else ClosedForm.of(model)


class LookedUpRows:
    """Looks up rows of a table such that its gradient has those rows alone.

    PyTorch's own sparse gradients have a row once for each time that it was looked up, and
    adding those up takes a quarter of a step.
    """

    def __init__(self, table: Tensor) -> None:
        self._table = table
        self._is_needed = torch.zeros(len(table), dtype=torch.bool, device=table.device)
        self._places = torch.zeros(len(table), dtype=torch.int64, device=table.device)

    def __call__(self, positions: Tensor) -> Tensor:
        """Rows at positions, shape (positions, dim); the gradient reaches the table."""
        self._is_needed[positions] = True
        needed = self._is_needed.nonzero().view(-1)
        self._is_needed[needed] = False
        self._places[needed] = torch.arange(len(needed), device=needed.device)
        rows = self._table.detach()[needed].requires_grad_()

        def keep(gradient: Tensor) -> None:
            self._table.grad = torch.sparse_coo_tensor(
                needed[None], gradient, self._table.shape, is_coalesced=True
            )

        rows.register_hook(keep)
        return functional.embedding(self._places[positions], rows)


class RowAdagrad(torch.optim.Adagrad):
    """Adagrad that changes only the rows of a sparse gradient, which has each row once.

    Dense gradients are applied as Adagrad does.
    """

    @torch.no_grad()
    def step(self, closure: None = None) -> None:  # type: ignore[override]
        """Change the weights by their gradients; a closure is not taken."""
        for group in self.param_groups:
            for table in group["params"]:
                if table.grad is not None and table.grad.is_sparse:
                    self._step_rows(table, table.grad, group)
                    table.grad = None
        super().step(closure)

    def _step_rows(self, table: Tensor, gradient: Tensor, group: dict[str, Any]) -> None:
        at, rows = gradient.indices()[0], gradient.values()
        sums = self.state[table]["sum"]
        summed = sums[at].addcmul_(rows, rows)
        sums[at] = summed
        step = rows / summed.sqrt_().add_(group["eps"])
        table.index_add_(0, at, step, alpha=-group["lr"])

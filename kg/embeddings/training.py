"""Trains a model: epochs over the triples, validation, early stopping, checkpoints."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import torch
from pykeen.models import ERModel
from torch import Tensor

from kg.embeddings.candidates import Known
from kg.embeddings.checkpoints import (
    Epoch,
    State,
    load_best,
    load_checkpoint,
    read_state,
    save_checkpoint,
)
from kg.embeddings.memory import memory_errors
from kg.embeddings.metrics import summarise
from kg.embeddings.models import model_to_train
from kg.embeddings.objectives import RowAdagrad, objective_of
from kg.embeddings.ranking import rank
from kg.embeddings.recipe import Recipe
from kg.embeddings.scoring import ModelScorer
from kg.embeddings.triples import IntArray, Split
from kg.errors import EmbeddingError
from kg.progress import Advance, Progress, Silent

VALIDATED: Final = 2_000
"""Validation triples that are ranked at most; sampled once, the same for every seed."""

_SILENT: Final = Silent()


@dataclass(frozen=True)
class Trained:
    """A model after training, with the weights that were best on validation."""

    model: ERModel
    history: tuple[Epoch, ...]
    best: Epoch | None
    """None: there was no validation."""


def train(
    split: Split,
    recipe: Recipe,
    seed: int,
    folder: Path,
    *,
    device: str | None = None,
    progress: Progress = _SILENT,
    on_epoch: Callable[[Epoch], None] = lambda _: None,
) -> Trained:
    """Train a model, or resume a training that was stopped.

    The same split, recipe and seed give the same model on the same machine's CPU, resumed or not;
    on CUDA that was not shown.

    Args:
        split: its train rows are learned, its validation rows decide when to stop.
        recipe: how.
        seed: of weights, order and negative samples.
        folder: keeps checkpoints; a training with one is resumed.
        device: of PyTorch; None: CUDA if it is available.
        progress: shown meanwhile, one bar of all epochs' steps; ``on_epoch`` is called within.
        on_epoch: called after each epoch, and first for those before a stop.

    Raises:
        EmbeddingError: the recipe names what PyKEEN does not have, or what does not go together;
            the folder has another training's checkpoint; the loss is not finite; the memory does
            not suffice; there is no such device.
        StoreError: the checkpoint cannot be written.
    """
    run = _Run(split, recipe, seed, folder, device)
    with progress.step(
        f"Training {recipe.model}, seed {seed}", recipe.epochs * run.steps
    ) as advance:
        for epoch in run.history:
            advance(run.steps)
            on_epoch(epoch)
        while not run.done:
            with memory_errors(recipe):
                on_epoch(run.epoch(advance))
    load_best(folder, run.model)
    return Trained(run.model, run.history, run.state.best)


class _Run:
    """A training that is under way."""

    def __init__(
        self, split: Split, recipe: Recipe, seed: int, folder: Path, device: str | None
    ) -> None:
        self.recipe, self.seed, self._folder = recipe, seed, folder
        self.model = model_to_train(split, recipe, seed, device)
        optimiser = torch.optim.Adam if recipe.optimizer == "adam" else RowAdagrad
        self._optimiser = optimiser(self.model.parameters(), lr=recipe.learning_rate)
        self._objective = objective_of(self.model, recipe, split)
        self._known = Known.of(split.known)
        self._validation = _sampled(split.valid)
        self.state = State(recipe=recipe, seed=seed, data=split.checksum, history=())
        self._resume()

    @property
    def history(self) -> tuple[Epoch, ...]:
        return self.state.history

    @property
    def done(self) -> bool:
        """Whether all epochs are over, or the validation MRR has not improved for long enough."""
        if len(self.history) >= self.recipe.epochs:
            return True
        best = self.state.best
        if best is None:
            return False
        later = [e for e in self.history[best.epoch :] if e.mrr is not None]
        return len(later) >= self.recipe.patience

    @property
    def steps(self) -> int:
        """Steps of an epoch."""
        return self._objective.steps

    def epoch(self, advance: Advance) -> Epoch:
        """Train one more epoch."""
        number = len(self.history) + 1
        rate = self._rate(number)
        for group in self._optimiser.param_groups:
            group["lr"] = rate
        started = time.monotonic()
        loss = self._pass(number, rate, advance)
        seconds = time.monotonic() - started
        validate = number % self.recipe.evaluate_every == 0 or number == self.recipe.epochs
        mrr = None
        if validate and len(self._validation):
            ranks = rank(ModelScorer(self.model), self._validation, self._known)
            mrr = summarise(ranks).both.mrr
        epoch = Epoch(epoch=number, loss=loss, learning_rate=rate, seconds=seconds, mrr=mrr)
        self.state = self.state.model_copy(update={"history": (*self.history, epoch)})
        if validate:
            save_checkpoint(self._folder, self.state, self.model, self._optimiser)
        return epoch

    def _rate(self, number: int) -> float:
        rate = self.recipe.learning_rate
        if self.recipe.schedule == "constant":
            return rate
        return rate * max(0.01, 1 - (number - 1) / self.recipe.epochs)

    def _pass(self, number: int, rate: float, advance: Advance) -> float:
        """Do all steps of an epoch; the mean of their losses."""
        torch.manual_seed(int(np.random.SeedSequence([self.seed, number]).generate_state(1)[0]))
        self.model.train()
        total, losses = 0.0, self._objective.losses(np.random.default_rng([self.seed, number]))
        with torch.sparse.check_sparse_tensor_invariants(enable=False):
            for loss in losses:
                total += self._step(loss)
                advance(1)
                if not math.isfinite(total):
                    raise _not_finite("loss", number, rate)
        if not all(weight.isfinite().all() for weight in self.model.parameters()):
            raise _not_finite("model's weights", number, rate)
        return total / self.steps

    def _step(self, loss: Tensor) -> float:
        self._optimiser.zero_grad()
        loss.backward()
        self._optimiser.step()
        self.model.post_parameter_update()
        return loss.item()

    def _resume(self) -> None:
        """Load the checkpoint, if there is one of this training."""
        state = read_state(self._folder)
        if state is None:
            return
        if state.model_copy(update={"history": ()}) != self.state:
            raise EmbeddingError(
                f"{self._folder}: holds the checkpoint of another training (other triples, recipe "
                "or seed); delete it, or train into another folder"
            )
        load_checkpoint(self._folder, self.model, self._optimiser)
        self.state = state


def _sampled(rows: IntArray) -> IntArray:
    """The same sample for every seed, because their MRRs are compared."""
    if len(rows) <= VALIDATED:
        return rows
    chosen = np.random.default_rng(0).choice(len(rows), VALIDATED, replace=False)
    return rows[np.sort(chosen)]


def _not_finite(number: str, epoch: int, rate: float) -> EmbeddingError:
    return EmbeddingError(
        f"the {number} of epoch {epoch} became infinite or NaN at learning rate {rate:g}; lower "
        "it with --learning-rate"
    )

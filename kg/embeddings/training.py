"""Trains a model: epochs over the triples, looks at validation, an early stop, checkpoints."""

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
from kg.progress import Progress, Silent

LOOKED_AT: Final = 2_000
"""Validation triples that a look ranks at most; drawn once, by the seed."""

_SILENT: Final = Silent()


@dataclass(frozen=True)
class Trained:
    """A model after training, with the weights that were best on validation."""

    model: ERModel
    history: tuple[Epoch, ...]
    best: Epoch | None
    """None: validation was never looked at."""


def train(
    split: Split,
    recipe: Recipe,
    seed: int,
    folder: Path,
    *,
    device: str | None = None,
    progress: Progress = _SILENT,
    tell: Callable[[Epoch], None] = lambda _: None,
) -> Trained:
    """Train a model, or go on with a training that was stopped.

    The same split, recipe and seed give the same model on the same machine's CPU, stopped and
    gone on or not; on CUDA that was not shown.

    Args:
        split: its train rows are learned, its validation rows say when to stop.
        recipe: how.
        seed: of weights, order and drawn entities.
        folder: keeps checkpoints; one of the same training is gone on with.
        device: of PyTorch; None: CUDA where it is there.
        progress: shown meanwhile, a step an epoch.
        tell: called after each epoch, those of before a stop too.

    Raises:
        EmbeddingError: the recipe names what PyKEEN does not have, or what does not go together;
            the folder has another training's checkpoint; the loss is no number; the memory does
            not suffice; there is no such device.
        StoreError: the checkpoint cannot be written.
    """
    run = _Run(split, recipe, seed, folder, device)
    for epoch in run.history:
        tell(epoch)
    while not run.done:
        with memory_errors(recipe):
            tell(run.epoch(progress))
    load_best(folder, run.model)
    return Trained(run.model, run.history, run.state.best)


class _Run:
    """A training that is under way."""

    def __init__(
        self, split: Split, recipe: Recipe, seed: int, folder: Path, device: str | None
    ) -> None:
        self.recipe, self.seed, self._folder = recipe, seed, folder
        self.model = model_to_train(split, recipe, seed, device)
        made = torch.optim.Adam if recipe.optimizer == "adam" else RowAdagrad
        self._optimiser = made(self.model.parameters(), lr=recipe.learning_rate)
        self._objective = objective_of(self.model, recipe, split)
        self._known = Known.of(split.known)
        self._looked_at = _drawn(split.valid)
        self.state = State(recipe=recipe, seed=seed, data=split.checksum, history=())
        self._go_on()

    @property
    def history(self) -> tuple[Epoch, ...]:
        return self.state.history

    @property
    def done(self) -> bool:
        """Whether all epochs are over, or validation is no better for some time."""
        if len(self.history) >= self.recipe.epochs:
            return True
        best = self.state.best
        if best is None:
            return False
        later = [e for e in self.history[best.epoch :] if e.mrr is not None]
        return len(later) >= self.recipe.patience

    def epoch(self, progress: Progress) -> Epoch:
        """One more pass over the triples."""
        number = len(self.history) + 1
        rate = self._rate(number)
        for group in self._optimiser.param_groups:
            group["lr"] = rate
        started = time.monotonic()
        loss = self._pass(number, rate, progress)
        seconds = time.monotonic() - started
        look = number % self.recipe.evaluate_every == 0 or number == self.recipe.epochs
        mrr = self._mrr() if look and len(self._looked_at) else None
        epoch = Epoch(epoch=number, loss=loss, learning_rate=rate, seconds=seconds, mrr=mrr)
        self.state = self.state.model_copy(update={"history": (*self.history, epoch)})
        if look:
            save_checkpoint(self._folder, self.state, self.model, self._optimiser)
        return epoch

    def _rate(self, number: int) -> float:
        rate = self.recipe.learning_rate
        if self.recipe.schedule == "constant":
            return rate
        return rate * max(0.01, 1 - (number - 1) / self.recipe.epochs)

    def _pass(self, number: int, rate: float, progress: Progress) -> float:
        """All steps of an epoch; the mean of their losses."""
        torch.manual_seed(int(np.random.SeedSequence([self.seed, number]).generate_state(1)[0]))
        self.model.train()
        total, losses = 0.0, self._objective.losses(np.random.default_rng([self.seed, number]))
        with (
            progress.step(self._told(number), self._objective.steps) as advance,
            torch.sparse.check_sparse_tensor_invariants(enable=False),
        ):
            for loss in losses:
                total += self._step(loss)
                advance(1)
                if not math.isfinite(total):
                    raise _no_number("loss", number, rate)
        if not all(weight.isfinite().all() for weight in self.model.parameters()):
            raise _no_number("model's weights", number, rate)
        return total / self._objective.steps

    def _step(self, loss: Tensor) -> float:
        self._optimiser.zero_grad()
        loss.backward()
        self._optimiser.step()
        self.model.post_parameter_update()
        return loss.item()

    def _told(self, number: int) -> str:
        """What the bar of an epoch says: how the one before it ended."""
        last = self.history[-1] if self.history else None
        so_far = f", loss {last.loss:.4f}" if last else ""
        best = f", best MRR {self.state.best.mrr:.4f}" if self.state.best else ""
        return f"{self.recipe.model} epoch {number}/{self.recipe.epochs}{so_far}{best}"

    def _mrr(self) -> float:
        return summarise(rank(ModelScorer(self.model), self._looked_at, self._known)).both.mrr

    def _go_on(self) -> None:
        """From the checkpoint, if there is one of this training."""
        found = read_state(self._folder)
        if found is None:
            return
        if found.model_copy(update={"history": ()}) != self.state:
            raise EmbeddingError(
                f"{self._folder}: holds the checkpoint of another training (other triples, recipe "
                "or seed); delete it, or train into another folder"
            )
        load_checkpoint(self._folder, self.model, self._optimiser)
        self.state = found


def _drawn(rows: IntArray) -> IntArray:
    """The same for every seed, for the MRRs of several are compared."""
    if len(rows) <= LOOKED_AT:
        return rows
    chosen = np.random.default_rng(0).choice(len(rows), LOOKED_AT, replace=False)
    return rows[np.sort(chosen)]


def _no_number(what: str, epoch: int, rate: float) -> EmbeddingError:
    return EmbeddingError(
        f"the {what} of epoch {epoch} became no finite number at learning rate {rate:g}; lower it "
        "with --learning-rate"
    )

"""Fine-tunes a sentence encoder on pairs of question and passage.

The loss is multiple negatives ranking (Henderson et al. 2017, arXiv:1705.00652, section 4.4), as the
joint-reasoning paper trains its encoder (appendix D1): in a batch each question's own passage
is to be nearer than the passages of all the other questions.

A checkpoint is a folder of::

    weights.safetensors    the encoder's
    optimiser.safetensors  the optimiser's state of each weight
    state.json             recipe, data, step and losses

No file is pickled. What is random in a step depends on the seed and the step alone, so a resumed
training ends, on a CPU, with the same weights as one that was not stopped.
"""

import hashlib
import math
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal

import numpy as np
import torch
from pydantic import BaseModel, Field, ValidationError
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file

from kg.errors import RetrievalError
from kg.progress import Advance, Progress, Silent
from kg.stores.disk import recover, replacing
from qa.finetuning.pairs import Pair, checksum

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

CHECKPOINT_SECONDS: Final = 120.0
"""A checkpoint is written after an epoch, and when the last one is older than this."""

_SILENT: Final = Silent()
_WEIGHTS: Final = "weights.safetensors"
_OPTIMISER: Final = "optimiser.safetensors"
_STATE: Final = "state.json"
_QUESTION: Final = ("query",)
_PASSAGE: Final = ("document", "passage", "corpus")
"""Names of prompts, as sentence-transformers looks for them."""
_UNDECAYED: Final = ("bias", "LayerNorm.weight", "layer_norm.weight", "norm.weight")

Count = Annotated[int, Field(gt=0)]


class Recipe(BaseModel, frozen=True, extra="forbid"):
    """All that training depends on besides the encoder and the pairs."""

    epochs: Count = 5
    """The joint-reasoning paper's (appendix D1)."""
    batch: Annotated[int, Field(ge=2)] = 32
    """Pairs in a step; each question has the other ``batch - 1`` passages as negatives."""
    learning_rate: Annotated[float, Field(gt=0)] = 2e-5
    """After warm-up; it then falls linearly to 0."""
    warmup: Annotated[float, Field(ge=0, lt=1)] = 0.1
    """Share of the steps in which the learning rate rises linearly from 0."""
    weight_decay: Annotated[float, Field(ge=0)] = 0.01
    """Of all weights but biases and those of layer normalisation."""
    scale: Annotated[float, Field(gt=0)] = 20.0
    """Factor of the cosines before the softmax."""
    max_tokens: Count | None = None
    """A longer text is cut there; None: where the encoder itself cuts."""
    precision: Literal["float32", "bfloat16"] = "float32"
    """Of the matrix products; weights are always float32."""
    seed: int = 0


class Epoch(BaseModel, frozen=True, extra="forbid"):
    """Result of one epoch of training."""

    epoch: int
    """From 1."""
    loss: float
    """Mean over the steps."""
    seconds: float


class _State(BaseModel, frozen=True, extra="forbid"):
    """The training that a checkpoint belongs to, and how far it is."""

    recipe: Recipe
    base: str
    """Checksum of the weights before any training."""
    data: str
    """Checksum of the pairs."""
    step: int = 0
    """Steps that are done, of all epochs."""
    loss: float = 0.0
    """Sum over the steps of the epoch that is under way."""
    seconds: float = 0.0
    """Of the epoch that is under way."""
    history: tuple[Epoch, ...] = ()


def batches(pairs: Sequence[Pair], size: int, seed: int, epoch: int) -> list[list[int]]:
    """Positions of the pairs of each step of an epoch, in an order of chance.

    No batch has a question or a passage twice, for a second one's passage would be a negative of
    the first, though it is right. A pair that finds no such batch waits for the next epoch; so
    does one that would be alone in its batch.

    Args:
        pairs: all of them.
        size: pairs in a batch, at most.
        seed: of the order.
        epoch: from 1; each has another order.
    """
    waiting = deque(np.random.default_rng([seed, epoch]).permutation(len(pairs)).tolist())
    finished: list[list[int]] = []
    while True:
        batch: list[int] = []
        postponed: list[int] = []
        texts: set[str] = set()
        while waiting and len(batch) < size:
            position = waiting.popleft()
            pair_texts = {pairs[position].question, pairs[position].passage}
            if pair_texts & texts:
                postponed.append(position)
            else:
                batch.append(position)
                texts |= pair_texts
        if len(batch) < 2:  # noqa: PLR2004 - a pair alone has no negatives
            return finished
        finished.append(batch)
        waiting.extendleft(reversed(postponed))


def train(
    encoder: "SentenceTransformer",
    pairs: Sequence[Pair],
    recipe: Recipe,
    folder: Path,
    *,
    progress: Progress = _SILENT,
    on_epoch: Callable[[Epoch], None] = lambda _: None,
) -> tuple[Epoch, ...]:
    """Train an encoder in place, or resume a training that was stopped.

    Args:
        encoder: as it is before any training, on the device that trains.
        pairs: at least two that differ in question and passage.
        recipe: how.
        folder: keeps the checkpoint; a training with one is resumed.
        progress: shown meanwhile, one bar of all steps.
        on_epoch: called after each epoch, and first for those before a stop.

    Returns:
        What each epoch reached.

    Raises:
        RetrievalError: there are too few pairs; the folder has another training's checkpoint; the
            loss is not finite; the memory does not suffice.
        StoreError: the checkpoint cannot be written.
    """
    run = _Run(encoder, pairs, recipe, folder)
    with progress.step("Fine-tuning the encoder", run.steps) as advance:
        advance(run.state.step)
        for epoch in run.state.history:
            on_epoch(epoch)
        try:
            for epoch in run.epochs(advance):
                on_epoch(epoch)
        except torch.OutOfMemoryError as e:
            raise RetrievalError(
                f"the memory does not suffice for batches of {recipe.batch} pairs; lower it with "
                "--batch, or the length of texts with --max-tokens"
            ) from e
    encoder.eval()
    return run.state.history


class _Run:
    """A training that is under way."""

    def __init__(
        self,
        encoder: "SentenceTransformer",
        pairs: Sequence[Pair],
        recipe: Recipe,
        folder: Path,
    ) -> None:
        from sentence_transformers.sentence_transformer.losses import (  # noqa: PLC0415 - heavy
            MultipleNegativesRankingLoss,
        )

        self._encoder, self._pairs, self._recipe, self._folder = encoder, pairs, recipe, folder
        self._batches = [
            batches(pairs, recipe.batch, recipe.seed, epoch)
            for epoch in range(1, recipe.epochs + 1)
        ]
        self.steps = sum(map(len, self._batches))
        if not all(self._batches):
            raise RetrievalError(
                f"{len(pairs)} pairs are too few to train on; give at least two that differ in "
                "question and passage"
            )
        if recipe.max_tokens is not None:
            cut_at(encoder, recipe.max_tokens)
        self._loss = MultipleNegativesRankingLoss(encoder, scale=recipe.scale)
        self._optimiser = _optimiser(encoder, recipe)
        base = weights_checksum(encoder)
        self.state = _State(recipe=recipe, base=base, data=checksum(pairs))
        self._resume()

    def epochs(self, advance: Advance) -> Iterator[Epoch]:
        """Do the steps that are left; each epoch when it ends."""
        self._encoder.train()
        steps_before, saved_at = 0, time.monotonic()
        for number, epoch in enumerate(self._batches, 1):
            for step in range(max(0, self.state.step - steps_before), len(epoch)):
                started = time.monotonic()
                loss = self._step(epoch[step])
                if not math.isfinite(loss):
                    raise RetrievalError(
                        f"the loss of epoch {number} became infinite or NaN at learning rate "
                        f"{self._recipe.learning_rate:g}; lower it with --learning-rate"
                    )
                now = time.monotonic()
                update = {
                    "step": self.state.step + 1,
                    "loss": self.state.loss + loss,
                    "seconds": self.state.seconds + now - started,
                }
                self.state = self.state.model_copy(update=update)
                advance(1)
                if now - saved_at > CHECKPOINT_SECONDS and step + 1 < len(epoch):
                    self._save()
                    saved_at = time.monotonic()
            steps_before += len(epoch)
            if number > len(self.state.history):
                mean = self.state.loss / len(epoch)
                result = Epoch(epoch=number, loss=mean, seconds=self.state.seconds)
                history = (*self.state.history, result)
                reset = {"loss": 0.0, "seconds": 0.0, "history": history}
                self.state = self.state.model_copy(update=reset)
                self._save()
                saved_at = time.monotonic()
                yield result

    def _step(self, batch: list[int]) -> float:
        recipe, step = self._recipe, self.state.step
        torch.manual_seed(int(np.random.SeedSequence([recipe.seed, step]).generate_state(1)[0]))
        for group in self._optimiser.param_groups:
            group["lr"] = learning_rate(recipe, step, self.steps)
        device = self._encoder.device
        with torch.autocast(device.type, torch.bfloat16, enabled=recipe.precision == "bfloat16"):
            # one pass a column: a question padded to a passage's length costs as much as that
            embeddings = [
                self._encoder(
                    {
                        name: value.to(device) if isinstance(value, torch.Tensor) else value
                        for name, value in self._encoder.preprocess(texts, prompt).items()
                    }
                )["sentence_embedding"].float()
                for texts, prompt in (
                    ([self._pairs[n].question for n in batch], self._prompt(*_QUESTION)),
                    ([self._pairs[n].passage for n in batch], self._prompt(*_PASSAGE)),
                )
            ]
        loss = self._loss.compute_loss_from_embeddings(embeddings, None)
        self._optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self._encoder.parameters(), 1.0)
        self._optimiser.step()
        return float(loss.item())

    def _prompt(self, *names: str) -> str | None:
        """What the encoder puts before a text, by the first of the names that it has."""
        prompts = self._encoder.prompts
        return next((prompts[name] for name in names if name in prompts), None) or None

    def _save(self) -> None:
        """Write a checkpoint, whole or not at all."""
        with replacing(self._folder, hidden=False) as partial:
            save_file(_tensors(self._encoder), partial / _WEIGHTS)
            save_file(
                {
                    f"{weight}.{key}": value
                    for weight, values in self._optimiser.state_dict()["state"].items()
                    for key, value in values.items()
                },
                partial / _OPTIMISER,
            )
            (partial / _STATE).write_text(self.state.model_dump_json(indent=1), "utf-8")

    def _resume(self) -> None:
        """Load the checkpoint, if there is one of this training."""
        folder = self._folder
        recover(folder, hidden=False)
        if not (folder / _STATE).is_file():
            return
        anew = f"delete {folder} to train from the start"
        try:
            state = _State.model_validate_json((folder / _STATE).read_text("utf-8"))
        except (OSError, UnicodeDecodeError, ValidationError) as e:
            raise RetrievalError(
                f"{folder / _STATE}: is no state of a training ({e}); {anew}"
            ) from e
        of_checkpoint = (state.recipe, state.base, state.data)
        if of_checkpoint != (self.state.recipe, self.state.base, self.state.data):
            raise RetrievalError(
                f"{folder}: holds the checkpoint of another training (another encoder, other pairs "
                f"or settings); {anew}, or train into another folder"
            )
        try:
            self._encoder.load_state_dict(load_file(folder / _WEIGHTS))
            states: dict[int, dict[str, torch.Tensor]] = {}
            for name, value in load_file(folder / _OPTIMISER).items():
                weight, key = name.split(".", 1)
                states.setdefault(int(weight), {})[key] = value
            self._optimiser.load_state_dict(self._optimiser.state_dict() | {"state": states})
        except (OSError, SafetensorError, RuntimeError, ValueError) as e:
            raise RetrievalError(
                f"{folder}: does not fit this encoder and its optimiser ({e}); {anew}"
            ) from e
        self.state = state


def cut_at(encoder: "SentenceTransformer", tokens: int) -> None:
    """Let an encoder cut texts at a number of tokens.

    Raises:
        RetrievalError: it does not take so many.
    """
    config = getattr(getattr(encoder[0], "auto_model", None), "config", None)
    most = getattr(config, "max_position_embeddings", None)
    if most is not None and tokens > most:
        raise RetrievalError(
            f"the encoder takes {most} tokens of a text and not {tokens}; give --max-tokens {most} "
            "or less"
        )
    encoder.max_seq_length = tokens


def learning_rate(recipe: Recipe, step: int, steps: int) -> float:
    """The rate of a step: rises linearly during warm-up, then falls linearly towards 0.

    Args:
        recipe: with the highest rate and the share of warm-up.
        step: from 0.
        steps: of the whole training.
    """
    warmup_steps = math.ceil(recipe.warmup * steps)
    if step < warmup_steps:
        return recipe.learning_rate * (step + 1) / warmup_steps
    return recipe.learning_rate * (steps - step) / (steps - warmup_steps)


def weights_checksum(encoder: "SentenceTransformer") -> str:
    """SHA-256 of the names and values of all weights and buffers."""
    total = hashlib.sha256()
    for name, value in sorted(encoder.state_dict().items()):
        total.update(f"{name} {tuple(value.shape)} {value.dtype}\n".encode())
        total.update(value.detach().cpu().contiguous().numpy().tobytes())
    return total.hexdigest()


def _optimiser(encoder: "SentenceTransformer", recipe: Recipe) -> torch.optim.Optimizer:
    decayed: list[torch.nn.Parameter] = []
    undecayed: list[torch.nn.Parameter] = []
    for name, weight in encoder.named_parameters():
        if weight.requires_grad:
            (undecayed if name.endswith(_UNDECAYED) else decayed).append(weight)
    groups = [
        {"params": decayed, "weight_decay": recipe.weight_decay},
        {"params": undecayed, "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=recipe.learning_rate)


def _tensors(encoder: "SentenceTransformer") -> dict[str, torch.Tensor]:
    """Every weight and buffer by its name; one that has two names is copied."""
    values: dict[str, torch.Tensor] = {}
    addresses = set()
    for name, value in encoder.state_dict().items():
        address = value.untyped_storage().data_ptr()
        values[name] = value.clone() if address in addresses else value.contiguous()
        addresses.add(address)
    return values

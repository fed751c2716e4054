"""Checkpoints, from which a training that was killed is resumed.

On a CPU a resumed training ends with the same weights, to the bit, as one that was not killed.

A folder of::

    weights.safetensors    the model's, after the last epoch
    best.safetensors       the model's, with the best validation MRR
    optimiser.safetensors  the optimiser's state of each weight
    state.json             recipe, seed, data and history

No file is pickled. Random numbers of an epoch depend on the seed and the epoch alone, so no state
of a random generator is kept.
"""

import shutil
from pathlib import Path
from typing import Any, Final

import torch
from pydantic import BaseModel, ValidationError
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file

from kg.embeddings.recipe import Recipe
from kg.errors import EmbeddingError
from kg.stores.disk import recover, replacing

_WEIGHTS: Final = "weights.safetensors"
_BEST: Final = "best.safetensors"
_OPTIMISER: Final = "optimiser.safetensors"
_STATE: Final = "state.json"


class Epoch(BaseModel, frozen=True, extra="forbid"):
    """Result of one epoch of training."""

    epoch: int
    """From 1."""
    loss: float
    """Mean over the steps."""
    learning_rate: float
    seconds: float
    """Without validation."""
    mrr: float | None = None
    """Of validation triples, both ends, filtered and realistic; None where it was not measured."""


class State(BaseModel, frozen=True, extra="forbid"):
    """The training that a checkpoint belongs to, and how far it is."""

    recipe: Recipe
    seed: int
    data: str
    """Checksum of the split."""
    history: tuple[Epoch, ...]

    @property
    def best(self) -> Epoch | None:
        """The epoch of the best validation MRR; ties go to the earliest."""
        validated = [epoch for epoch in self.history if epoch.mrr is not None]
        return max(validated, key=lambda epoch: epoch.mrr or 0.0) if validated else None


def save_checkpoint(
    folder: Path, state: State, model: torch.nn.Module, optimiser: torch.optim.Optimizer
) -> None:
    """Write a checkpoint, whole or not at all, even in a power cut.

    Raises:
        StoreError: it cannot be written.
    """
    with replacing(folder, hidden=False) as partial:
        save_file(tensors(model), partial / _WEIGHTS)
        save_file(_optimiser_tensors(optimiser), partial / _OPTIMISER)
        if state.best is state.history[-1]:
            shutil.copy(partial / _WEIGHTS, partial / _BEST)
        elif state.best is not None:
            shutil.copy(folder / _BEST, partial / _BEST)
        (partial / _STATE).write_text(state.model_dump_json(indent=1), "utf-8")


def read_state(folder: Path) -> State | None:
    """The state of the checkpoint in a folder; None where there is none.

    Raises:
        EmbeddingError: the folder holds something else.
    """
    path = folder / _STATE
    recover(folder, hidden=False)
    if not path.is_file():
        return None
    try:
        return State.model_validate_json(path.read_text("utf-8"))
    except (OSError, ValidationError) as e:
        raise EmbeddingError(
            f"{path}: is no state of a training run ({e}); {_anew(folder)}"
        ) from e


def load_checkpoint(
    folder: Path, model: torch.nn.Module, optimiser: torch.optim.Optimizer
) -> None:
    """Load the weights of the last epoch into a model, and its state into the optimiser.

    Raises:
        EmbeddingError: they do not fit this model.
    """
    load_weights(folder / _WEIGHTS, model, _anew(folder))
    path = folder / _OPTIMISER
    parts: dict[int, dict[str, Any]] = {}
    try:
        for name, value in load_file(path).items():
            place, key = name.split(".", 1)
            parts.setdefault(int(place), {})[key] = value
    except (OSError, SafetensorError, ValueError) as e:
        raise EmbeddingError(
            f"{path}: does not have the state of an optimiser ({e}); {_anew(folder)}"
        ) from e
    optimiser.load_state_dict(optimiser.state_dict() | {"state": parts})


def load_best(folder: Path, model: torch.nn.Module) -> None:
    """Load the weights with the best validation MRR into a model, or else the last ones.

    Raises:
        EmbeddingError: they do not fit this model.
    """
    best = folder / _BEST
    load_weights(best if best.is_file() else folder / _WEIGHTS, model, _anew(folder))


def load_weights(path: Path, model: torch.nn.Module, otherwise: str = "train it anew") -> None:
    """Load the weights of a file into a model, and set it to evaluation mode.

    Args:
        path: of safetensors.
        model: with weights of the same names and shapes.
        otherwise: what an error advises.

    Raises:
        EmbeddingError: they do not fit this model, or the file cannot be read.
    """
    try:
        model.train()  # makes a model that passes messages drop what it cached of the old weights
        model.load_state_dict(load_file(path))
        model.eval()
    except (OSError, SafetensorError, RuntimeError) as e:
        raise EmbeddingError(
            f"{path}: does not have the weights of this {type(model).__name__} ({e}); {otherwise}"
        ) from e


def tensors(model: torch.nn.Module) -> dict[str, torch.Tensor]:
    """Every weight and buffer of a model by its name, as safetensors takes them.

    A tensor that a model has under two names is copied: safetensors has no references.
    """
    values: dict[str, torch.Tensor] = {}
    addresses = set()
    for name, value in model.state_dict().items():
        address = value.untyped_storage().data_ptr()
        again = address in addresses
        values[name] = value.clone(memory_format=torch.contiguous_format) if again else value
        addresses.add(address)
    return {name: value.contiguous() for name, value in values.items()}


def _anew(folder: Path) -> str:
    return f"delete {folder} to train from the start"


def _optimiser_tensors(optimiser: torch.optim.Optimizer) -> dict[str, torch.Tensor]:
    return {
        f"{place}.{key}": value
        for place, values in optimiser.state_dict()["state"].items()
        for key, value in values.items()
    }

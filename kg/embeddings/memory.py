"""Whether the memory suffices for a training: asked before it starts, told where it runs out.

A system may promise more memory than it has and end a process that takes it at its word, so what
a step needs is estimated first.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import psutil
import torch
from pykeen.models import ERModel

from kg.embeddings.objectives import step_form
from kg.embeddings.recipe import Recipe
from kg.errors import EmbeddingError

_NUMBER: Final = 4
"""Bytes of a float32."""
_SCORES: Final = 4
"""Arrays as large as the scores of a step: scores, labels, their gradients."""
_PRODUCTS: Final = 2
"""Arrays of shape (batch, entities, dim) that PyKEEN makes of most models: one, its gradient."""
_GIB: Final = 2**30
_REFUSED: Final = ("can't allocate memory", "not enough memory", "out of memory", "ALLOC_FAILED")
"""In what PyTorch says where it has no class for it: of a CPU, cuBLAS, cuDNN, Metal."""


class TooLittleMemoryError(EmbeddingError):
    """The memory does not suffice now; with more of it free the same might be done."""


def is_out_of_memory(error: BaseException) -> bool:
    """Whether Python, NumPy or PyTorch refused memory, on any device."""
    if isinstance(error, MemoryError | torch.OutOfMemoryError):
        return True
    return isinstance(error, RuntimeError) and any(sign in str(error) for sign in _REFUSED)


def check_vectors(recipe: Recipe, entities: int, device: str) -> None:
    """See that the vectors fit into the memory, before they are made.

    Raises:
        TooLittleMemoryError: they do not.
    """
    _check(recipe, _kept(recipe) * entities * recipe.dim * _NUMBER, device)


def check_step(recipe: Recipe, model: ERModel, entities: int) -> None:
    """See that the weights, what the optimiser keeps of them and a step fit into the memory.

    Raises:
        TooLittleMemoryError: they do not.
    """
    weights = sum(weight.numel() for weight in model.parameters())
    kept = (_kept(recipe) - 1) * weights  # the model itself is there
    each = _SCORES if step_form(model) else _SCORES + _PRODUCTS * recipe.dim
    if recipe.negatives:
        scores = 2 * recipe.batch * min(recipe.negatives, entities) * each
    else:
        scores = recipe.batch * entities * each
    _check(recipe, (kept + scores) * _NUMBER, str(model.device))


@contextmanager
def memory_errors(recipe: Recipe) -> Iterator[None]:
    """Say which setting to lower where the memory does not suffice.

    Raises:
        TooLittleMemoryError: instead of what PyTorch raises then.
    """
    try:
        yield
    except (MemoryError, RuntimeError) as e:
        if not is_out_of_memory(e):
            raise
        raise _too_little(recipe, "") from e


def _kept(recipe: Recipe) -> int:
    """Arrays as large as the weights: these, their gradients, what the optimiser keeps."""
    return 4 if recipe.optimizer == "adam" else 3


def _check(recipe: Recipe, needed: int, device: str) -> None:
    free = _free(device)
    if needed > free:
        raise _too_little(
            recipe, f" (about {needed / _GIB:.1f} GiB; {free / _GIB:.1f} GiB are free)"
        )


def _free(device: str) -> int:
    """Bytes that may still be taken."""
    if device.startswith("cuda"):
        return int(torch.cuda.mem_get_info(device)[0])
    return int(psutil.virtual_memory().available)


def _too_little(recipe: Recipe, told: str) -> TooLittleMemoryError:
    drawn = (
        f"--negatives ({recipe.negatives})"
        if recipe.negatives
        else "compare with some entities only by --negatives"
    )
    return TooLittleMemoryError(
        f"training {recipe.model} needs more memory than there is{told}; lower --batch "
        f"({recipe.batch}) or --dim ({recipe.dim}), or {'lower ' if recipe.negatives else ''}"
        f"{drawn}"
    )

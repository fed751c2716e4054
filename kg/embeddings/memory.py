"""Whether the memory suffices for a training: estimated before it starts, explained if it runs out.

An operating system may promise more memory than it has and kill the process that uses it, so what
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
"""In PyTorch's messages where it has no class for the error: of a CPU, cuBLAS, cuDNN, Metal."""


class TooLittleMemoryError(EmbeddingError):
    """The memory does not suffice now; with more of it free the same call might succeed."""


def is_out_of_memory(error: BaseException) -> bool:
    """Whether Python, NumPy or PyTorch refused memory, on any device."""
    if isinstance(error, MemoryError | torch.OutOfMemoryError):
        return True
    return isinstance(error, RuntimeError) and any(sign in str(error) for sign in _REFUSED)


def check_vectors(recipe: Recipe, entities: int, device: str) -> None:
    """Check that the vectors fit into the memory, before they are allocated.

    Raises:
        TooLittleMemoryError: they do not.
    """
    _check(recipe, _arrays(recipe) * entities * recipe.dim * _NUMBER, device)


def check_step(recipe: Recipe, model: ERModel, entities: int) -> None:
    """Check that the weights, the optimiser's state and one step fit into the memory.

    Raises:
        TooLittleMemoryError: they do not.
    """
    weights = sum(weight.numel() for weight in model.parameters())
    kept = (_arrays(recipe) - 1) * weights  # the model itself is allocated already
    each = _SCORES if step_form(model) else _SCORES + _PRODUCTS * recipe.dim
    if recipe.negatives:
        scores = 2 * recipe.batch * min(recipe.negatives, entities) * each
    else:
        scores = recipe.batch * entities * each
    _check(recipe, (kept + scores) * _NUMBER, str(model.device))


@contextmanager
def memory_errors(recipe: Recipe) -> Iterator[None]:
    """Raise an error that names the settings to lower when the memory runs out.

    Raises:
        TooLittleMemoryError: instead of PyTorch's own error.
    """
    try:
        yield
    except (MemoryError, RuntimeError) as e:
        if not is_out_of_memory(e):
            raise
        raise _too_little(recipe, "") from e


def _arrays(recipe: Recipe) -> int:
    """Arrays as large as the weights: these, their gradients, the optimiser's state."""
    return 4 if recipe.optimizer == "adam" else 3


def _check(recipe: Recipe, needed: int, device: str) -> None:
    free = _free(device)
    if needed > free:
        raise _too_little(
            recipe, f" (about {needed / _GIB:.1f} GiB; {free / _GIB:.1f} GiB are free)"
        )


def _free(device: str) -> int:
    """Bytes that are still free."""
    if device.startswith("cuda"):
        return int(torch.cuda.mem_get_info(device)[0])
    return int(psutil.virtual_memory().available)


def _too_little(recipe: Recipe, sizes: str) -> TooLittleMemoryError:
    fewer = (
        f"lower --negatives ({recipe.negatives})"
        if recipe.negatives
        else "sample negatives with --negatives"
    )
    return TooLittleMemoryError(
        f"training {recipe.model} needs more memory than there is{sizes}; lower --batch "
        f"({recipe.batch}) or --dim ({recipe.dim}), or {fewer}"
    )

"""What a training starts with: a device that is there, a model that fits, what it is to learn."""

import torch
from pykeen.losses import UnsupportedLabelSmoothingError
from pykeen.models import ERModel
from torch.nn.modules.batchnorm import _BatchNorm

from kg.embeddings.memory import check_step, check_vectors, told_when_full
from kg.embeddings.models import make_loss, make_model
from kg.embeddings.objectives import EveryEntity, Objective, SharedNegatives
from kg.embeddings.recipe import Recipe
from kg.embeddings.triples import Split
from kg.errors import EmbeddingError


def usable_device(told: str | None = None) -> str:
    """The device that is told of, or else CUDA where it is there, or else the CPU.

    Raises:
        EmbeddingError: there is no such device.
    """
    if told is None:
        return "cuda" if torch.cuda.is_available() else "cpu"
    try:
        torch.zeros(1, device=told)
    except (RuntimeError, AssertionError, NotImplementedError) as e:
        raise EmbeddingError(
            f"the device {told!r} cannot be used ({e}); name another with --device, or none"
        ) from e
    return told


def fresh_model(split: Split, recipe: Recipe, seed: int, device: str | None) -> ERModel:
    """A model with fresh weights on its device, if it and a step of its training fit there.

    Raises:
        EmbeddingError: there is no such device; the memory does not suffice; PyKEEN does not have
            what the recipe names.
    """
    where = usable_device(device)
    entities, relations = len(split.entities), len(split.relations)
    check_vectors(recipe, entities, where)
    # of cuDNN's kernels the one that gives the same sum every time, not the fastest
    torch.backends.cudnn.deterministic, torch.backends.cudnn.benchmark = True, False
    with told_when_full(recipe):
        model = make_model(recipe, split.train, entities, relations, seed).to(where)
    check_step(recipe, model, entities)
    alone = recipe.batch == 1 and recipe.negatives is None
    if alone and any(isinstance(m, _BatchNorm) for m in model.modules()):
        raise EmbeddingError(
            f"{recipe.model} normalises over a batch, which takes two; set --batch 2 or more"
        )
    return model


def objective_of(model: ERModel, recipe: Recipe, split: Split) -> Objective:
    """What a recipe has a model learn.

    Raises:
        EmbeddingError: PyKEEN has no such loss, or parts of the recipe do not go together.
    """
    loss = make_loss(recipe).to(model.device)
    if recipe.label_smoothing and not takes_smoothing(recipe):
        raise EmbeddingError(
            f"the loss {recipe.loss} takes no label smoothing; set --label-smoothing 0"
        )
    if recipe.negatives is None:
        return EveryEntity(model, recipe, loss, split.train)
    return SharedNegatives(model, recipe, loss, split.train, len(split.entities))


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

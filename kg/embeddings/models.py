"""Makes the PyKEEN model that a recipe names, on a device whose memory suffices for it."""

import inspect
import logging

import torch
from pykeen.models import ERModel, LiteralModel
from pykeen.nn import Embedding
from pykeen.triples import CoreTriplesFactory
from torch.nn.modules.batchnorm import _BatchNorm

from kg.embeddings.memory import check_step, check_vectors, is_out_of_memory, memory_errors
from kg.embeddings.recipe import Recipe, model_class, nearest
from kg.embeddings.scoring import weights
from kg.embeddings.triples import IntArray, Split
from kg.errors import EmbeddingError

_NOT_ARGUMENTS = frozenset({"self", "triples_factory", "random_seed", "kwargs", "embedding_dim"})
"""Parameters of a model that the recipe's arguments do not give."""


def usable_device(name: str | None = None) -> str:
    """A device of PyTorch that is there; without a name CUDA if there is one, else the CPU.

    Raises:
        EmbeddingError: there is no such device.
    """
    if name is None:
        return "cuda" if torch.cuda.is_available() else "cpu"
    try:
        torch.zeros(1, device=name)
    except (RuntimeError, AssertionError, NotImplementedError) as e:
        raise EmbeddingError(
            f"the device {name!r} cannot be used ({e}); name another with --device, or none"
        ) from e
    return name


def model_to_train(split: Split, recipe: Recipe, seed: int, device: str | None) -> ERModel:
    """A model with initial weights on its device, if it and a step of its training fit there.

    Raises:
        EmbeddingError: there is no such device; the memory does not suffice; PyKEEN does not have
            what the recipe names.
    """
    where = usable_device(device)
    entities, relations = len(split.entities), len(split.relations)
    check_vectors(recipe, entities, where)
    # of cuDNN's kernels the one that gives the same sum every time, not the fastest
    torch.backends.cudnn.deterministic, torch.backends.cudnn.benchmark = True, False
    with memory_errors(recipe):
        model = make_model(recipe, split.train, entities, relations, seed).to(where)
    check_step(recipe, model, entities)
    alone = recipe.batch == 1 and recipe.negatives is None
    if alone and any(isinstance(module, _BatchNorm) for module in model.modules()):
        raise EmbeddingError(
            f"{recipe.model} normalises over a batch, which takes two; set --batch 2 or more"
        )
    return model


def make_model(
    recipe: Recipe, train: IntArray, entities: int, relations: int, seed: int
) -> ERModel:
    """A model with initial weights, on the CPU, with an inverse of every relation.

    Args:
        recipe: names the model and its arguments.
        train: shape (triples, 3); some models pass messages over them.
        entities: how many.
        relations: how many, inverse ones not counted.
        seed: of the weights.

    Raises:
        EmbeddingError: PyKEEN has no such model, or it does not take the arguments, or it has no
            vectors to initialise as ``recipe.init`` says.
    """
    class_ = model_class(recipe.model)
    if issubclass(class_, LiteralModel):
        raise EmbeddingError(
            f"{class_.__name__} cannot be made of triples alone: it needs numbers of the entities "
            "as well, which medkg does not pass; take another model"
        )
    arguments = _arguments(recipe, class_)
    factory = CoreTriplesFactory(train, entities, relations, create_inverse_triples=True)
    torch.manual_seed(seed)
    logging.getLogger("pykeen").setLevel(logging.ERROR)  # it would warn of its own defaults
    try:
        model = class_(triples_factory=factory, random_seed=seed, **arguments)
    except (TypeError, ValueError, LookupError, ImportError, RuntimeError) as e:
        if is_out_of_memory(e):
            raise
        passed = ", ".join(f"{name}={value!r}" for name, value in recipe.arguments.items())
        raise EmbeddingError(
            f"{class_.__name__} cannot be made of triples alone with {passed or 'no arguments'} "
            f"and --dim {recipe.dim} ({e}); see PyKEEN's documentation of the model, or take "
            "another"
        ) from e
    if recipe.init is not None:
        _initialise(model, recipe.init)
    return model


def _arguments(recipe: Recipe, class_: type[ERModel]) -> dict[str, object]:
    """Those of the recipe, with the length of vectors where the model takes one.

    Raises:
        EmbeddingError: the model does not take one of them.
    """
    parameters = inspect.signature(class_.__init__).parameters
    known = set(parameters)
    if "kwargs" in parameters:  # they go to the class above
        known |= set(inspect.signature(ERModel.__init__).parameters)
    if unknown := sorted(recipe.arguments.keys() - known):
        near = nearest(unknown[0], known - _NOT_ARGUMENTS)
        raise EmbeddingError(
            f"{class_.__name__} takes no argument {unknown[0]!r}; the nearest are {near}"
        )
    interaction = recipe.arguments.get("interaction", "")
    if not isinstance(interaction, str):
        raise EmbeddingError(
            f"interaction={interaction!r} is no name of an interaction of PyKEEN, such as distmult"
        )
    length = {"embedding_dim": recipe.dim} if "embedding_dim" in parameters else {}
    return length | recipe.arguments


@torch.no_grad()
def _initialise(model: ERModel, deviation: float) -> None:
    """Draw every vector from a normal distribution about 0; biases stay as they are.

    Raises:
        EmbeddingError: the model computes its vectors from others, and has no table of them.
    """
    representations = [*model.entity_representations, *model.relation_representations]
    tables = [table for table in representations if table.shape]
    if not all(isinstance(table, Embedding) for table in tables):
        raise EmbeddingError(
            f"{type(model).__name__} computes its vectors from others, so that they cannot be "
            f"initialised by init={deviation:g}; leave init out of its recipe"
        )
    for table in tables:
        weights(table).normal_(0.0, deviation)

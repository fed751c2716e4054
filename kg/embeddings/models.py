"""Makes the PyKEEN model that a recipe names."""

import inspect
import logging
from collections.abc import Iterable

import torch
from pykeen.losses import Loss, loss_resolver
from pykeen.models import ERModel, LiteralModel, model_resolver
from pykeen.nn import Embedding
from pykeen.triples import CoreTriplesFactory
from rapidfuzz import process

from kg.embeddings.memory import is_out_of_memory
from kg.embeddings.recipe import Recipe
from kg.embeddings.scoring import weights
from kg.embeddings.triples import IntArray
from kg.errors import EmbeddingError

_OURS = frozenset({"self", "triples_factory", "random_seed", "kwargs", "embedding_dim"})
"""Parameters of a model that the recipe's arguments do not give."""


def make_model(
    recipe: Recipe, train: IntArray, entities: int, relations: int, seed: int
) -> ERModel:
    """A model with fresh weights, with an inverse of every relation.

    Args:
        recipe: names the model and its arguments.
        train: shape (triples, 3); some models have a message pass over them.
        entities: how many.
        relations: how many, inverse ones not counted.
        seed: of the weights.

    Raises:
        EmbeddingError: PyKEEN has no such model, or it does not take the arguments, or it has no
            vectors to draw as ``recipe.init`` says.
    """
    found = model_class(recipe.model)
    arguments = _arguments(recipe, found)
    if issubclass(found, LiteralModel):
        raise _unmade(recipe, found, "it needs numbers of the entities as well")
    factory = CoreTriplesFactory(train, entities, relations, create_inverse_triples=True)
    torch.manual_seed(seed)
    logging.getLogger("pykeen").setLevel(logging.ERROR)  # it would tell of its own defaults
    try:
        model = found(triples_factory=factory, random_seed=seed, **arguments)
    except (TypeError, ValueError, LookupError, ImportError) as e:
        raise _unmade(recipe, found, e) from e
    except RuntimeError as e:
        if is_out_of_memory(e):
            raise
        raise _unmade(recipe, found, e) from e
    if recipe.init is not None:
        _draw(model, recipe.init)
    return model


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


def model_class(name: str) -> type[ERModel]:
    """The model of that name.

    Raises:
        EmbeddingError: PyKEEN has none; the nearest are named.
    """
    known = {
        key: found
        for key, found in model_resolver.lookup_dict.items()
        if isinstance(found, type) and issubclass(found, ERModel)
    }
    if found := known.get(model_resolver.normalize(name)):
        return found
    near = nearest(name, known)
    raise EmbeddingError(f"PyKEEN has no model {name!r} with vectors; the nearest are {near}")


def nearest(name: str, known: Iterable[str]) -> str:
    """The three names that are most like one."""
    return ", ".join(near for near, *_ in process.extract(name.lower(), sorted(known), limit=3))


def _arguments(recipe: Recipe, found: type[ERModel]) -> dict[str, object]:
    """Those of the recipe, with the width where the model takes one.

    Raises:
        EmbeddingError: the model does not take one of them.
    """
    takes = inspect.signature(found.__init__).parameters
    known = set(takes)
    if "kwargs" in takes:  # they go to the class above
        known |= set(inspect.signature(ERModel.__init__).parameters)
    if unknown := sorted(recipe.arguments.keys() - known):
        near = nearest(unknown[0], known - _OURS)
        raise EmbeddingError(
            f"{found.__name__} takes no argument {unknown[0]!r}; the nearest are {near}"
        )
    interaction = recipe.arguments.get("interaction", "")
    if not isinstance(interaction, str):
        raise EmbeddingError(
            f"interaction={interaction!r} is no name of an interaction of PyKEEN, such as distmult"
        )
    return ({"embedding_dim": recipe.dim} if "embedding_dim" in takes else {}) | recipe.arguments


@torch.no_grad()
def _draw(model: ERModel, deviation: float) -> None:
    """Draw every vector anew, normally about 0; biases stay as they are.

    Raises:
        EmbeddingError: the model makes its vectors of others, and has no table of them.
    """
    found = [*model.entity_representations, *model.relation_representations]
    tables = [table for table in found if table.shape]
    if not all(isinstance(table, Embedding) for table in tables):
        raise EmbeddingError(
            f"{type(model).__name__} makes its vectors of others, so that they cannot be drawn by "
            f"init={deviation:g}; leave init away from its recipe"
        )
    for table in tables:
        weights(table).normal_(0.0, deviation)


def _unmade(recipe: Recipe, found: type[ERModel], error: Exception | str) -> EmbeddingError:
    told = ", ".join(f"{name}={value!r}" for name, value in recipe.arguments.items())
    return EmbeddingError(
        f"{found.__name__} cannot be made of triples alone with {told or 'no arguments'} and "
        f"--dim {recipe.dim} ({error}); see PyKEEN's documentation of the model, or take another"
    )

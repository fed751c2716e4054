"""Recipes that are good without tuning, and the one of the joint-reasoning paper."""

from types import MappingProxyType
from typing import Final

from kg.embeddings.models import model_class
from kg.embeddings.recipe import Recipe

FEW: Final = 5_000
"""Entities up to which every step compares with all of them (1-N scoring)."""

PAPER_SPLIT: Final = (0.05, 0.1)
"""Shares of validation and test triples in the paper's appendix F1; the rest is learned from."""
SPLIT: Final = (0.05, 0.05)
"""Shares where nothing else is said."""

_FREE: Final = {"regularizer": None, "entity_constrainer": None}
"""DistMult without what PyKEEN adds: a penalty that has no closed form, and vectors of length 1."""

_FEW: Final = MappingProxyType(
    {
        "conve": Recipe(
            model="conve",
            loss="bcewithlogits",
            label_smoothing=0.1,
            batch=128,
            epochs=160,
            learning_rate=6e-3,
            schedule="linear",
            evaluate_every=20,
            patience=5,
        ),
        "transe": Recipe(
            model="transe",
            arguments={"entity_constrainer": None, "scoring_fct_norm": 1},
            batch=128,
            epochs=60,
            learning_rate=1e-2,
            schedule="linear",
            dropout=0.2,
            patience=5,
        ),
        "complex": Recipe(
            model="complex",
            arguments={"regularizer": None},
            dim=100,
            batch=128,
            epochs=100,
            optimizer="adagrad",
            learning_rate=0.1,
            n3=0.01,
            init=1e-2,
            patience=5,
        ),
    }
)

_MANY: Final = MappingProxyType(
    {
        "conve": Recipe(
            model="conve",
            negatives=1_000,
            batch=256,
            epochs=20,
            learning_rate=1e-3,
            schedule="linear",
            evaluate_every=2,
        ),
        "transe": Recipe(
            model="transe",
            arguments={"entity_constrainer": None, "scoring_fct_norm": 2},
            negatives=1_000,
            batch=256,
            epochs=20,
            optimizer="adagrad",
            learning_rate=0.1,
            schedule="linear",
            evaluate_every=2,
        ),
        "complex": Recipe(
            model="complex",
            arguments={"regularizer": None},
            dim=100,
            negatives=1_024,
            batch=256,
            epochs=15,
            optimizer="adagrad",
            learning_rate=0.1,
            schedule="linear",
            n3=0.05,
            init=1e-2,
            evaluate_every=2,
        ),
    }
)


def good(model: str, entities: int) -> Recipe:
    """A recipe for a model and as many entities.

    Those above are tuned, DistMult takes that of ComplEx, and any other model has a plain one.

    Raises:
        EmbeddingError: PyKEEN has no such model.
    """
    name = _name(model)
    tuned = _FEW if entities <= FEW else _MANY
    if name == "distmult":
        return tuned["complex"].changed({"model": name, "arguments": _FREE})
    if name in tuned:
        return tuned[name]
    return Recipe(model=name, negatives=None if entities <= FEW else 256, batch=256)


def paper(model: str) -> Recipe:
    """The recipe of the joint-reasoning paper's appendix F1, as far as it is told there.

    Adam, learning rate .001, batches of 10, the negative log-likelihood of the right entity among
    all, at most 1000 epochs, stopped when the validation MRR is no better.

    Raises:
        EmbeddingError: PyKEEN has no such model.
    """
    name = _name(model)
    # The paper trains TransE and ConvE by the likelihood alone. PyKEEN would add to the loss of
    # these two, and then scores them by arrays of (batch, entities, dim).
    arguments = {"regularizer": None} if name in {"complex", "distmult"} else {}
    return Recipe(model=name, arguments=arguments, batch=10, epochs=1_000, learning_rate=1e-3)


def _name(model: str) -> str:
    """The one spelling of a model, of the many that PyKEEN takes: ``TransE`` is ``transe``."""
    return model_class(model).__name__.lower()

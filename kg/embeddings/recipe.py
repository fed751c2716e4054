"""Recipes: how a model is trained, and presets that need no tuning or follow the paper."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Annotated, Any, Final, Literal, Self

from pydantic import BaseModel, Field, ValidationError
from pykeen.models import ERModel, model_resolver
from rapidfuzz import process

from kg.errors import EmbeddingError

Count = Annotated[int, Field(gt=0)]
Rate = Annotated[float, Field(gt=0)]
Weight = Annotated[float, Field(ge=0)]
Share = Annotated[float, Field(ge=0, lt=1)]


class Recipe(BaseModel, frozen=True, extra="forbid"):
    """All that training depends on besides the triples and the seed."""

    model: str
    """A model of PyKEEN by its name."""
    arguments: dict[str, Any] = {}
    """Of the model, as PyKEEN names them."""
    dim: Count = 200
    """Length of a vector; complex models have as many complex numbers."""
    loss: str = "crossentropy"
    """A loss of PyKEEN by its name."""
    loss_arguments: dict[str, Any] = {}
    negatives: Count | None = None
    """Negative samples per batch, shared by all its triples; None: 1-N scoring of every entity."""
    batch: Count = 128
    """Distinct ``(h, r)`` per step in 1-N scoring; else triples, with as many inverses."""
    epochs: Count = 100
    optimizer: Literal["adam", "adagrad"] = "adam"
    learning_rate: Rate = 1e-3
    schedule: Literal["constant", "linear"] = "constant"
    """Linear: the rate falls by the same amount each epoch, to 1 / epochs of it, or a hundredth."""
    label_smoothing: Share = 0.0
    dropout: Share = 0.0
    """Share of a query's numbers that are set to 0 in a step."""
    n3: Weight = 0.0
    """Weight of the nuclear 3-norm of the factors (Lacroix et al. 2018, equation 5)."""
    init: Rate | None = None
    """Standard deviation of the initial vectors; None: the model's own initialiser."""
    evaluate_every: Count = 10
    """Epochs between two validations."""
    patience: Count = 3
    """Validations without a better MRR after which training stops."""

    def changed(self, changes: Mapping[str, Any]) -> Self:
        """The recipe with some fields changed.

        Raises:
            EmbeddingError: a value is not one that the field may have.
        """
        try:
            return type(self).model_validate(self.model_dump() | dict(changes))
        except ValidationError as e:
            first = e.errors()[0]
            field = ".".join(str(part) for part in first["loc"])
            raise EmbeddingError(
                f"recipe for {self.model}: {field} is {first['input']!r}: {first['msg']}; "
                "give it another value"
            ) from e


def model_class(name: str) -> type[ERModel]:
    """PyKEEN's model of that name.

    Raises:
        EmbeddingError: PyKEEN has none; the nearest are named.
    """
    known = {
        key: model
        for key, model in model_resolver.lookup_dict.items()
        if isinstance(model, type) and issubclass(model, ERModel)
    }
    if model := known.get(model_resolver.normalize(name)):
        return model
    near = nearest(name, known)
    raise EmbeddingError(f"PyKEEN has no model {name!r} with vectors; the nearest are {near}")


def nearest(name: str, known: Iterable[str]) -> str:
    """The three names that are most similar to one."""
    return ", ".join(near for near, *_ in process.extract(name.lower(), sorted(known), limit=3))


FEW: Final = 5_000
"""Number of entities up to which presets use 1-N scoring."""

PAPER_SPLIT: Final = (0.05, 0.1)
"""Shares of validation and test triples in the paper's appendix F1; the rest is learned from."""
SPLIT: Final = (0.05, 0.05)
"""Shares of validation and test triples by default."""

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
    """A recipe that needs no tuning, for a model of a graph with so many entities.

    Those of ConvE, TransE and ComplEx were tuned; DistMult takes that of ComplEx, and any other
    model a plain one.

    Raises:
        EmbeddingError: PyKEEN has no such model.
    """
    name = model_class(model).__name__.lower()
    tuned = _FEW if entities <= FEW else _MANY
    if name == "distmult":
        return tuned["complex"].changed({"model": name, "arguments": _FREE})
    if name in tuned:
        return tuned[name]
    return Recipe(model=name, negatives=None if entities <= FEW else 256, batch=256)


def paper(model: str) -> Recipe:
    """The recipe of the joint-reasoning paper's appendix F1, as far as it states one.

    Adam, learning rate .001, batches of 10, the negative log-likelihood of the right entity among
    all, at most 1000 epochs, stopped when the validation MRR does not improve.

    Raises:
        EmbeddingError: PyKEEN has no such model.
    """
    name = model_class(model).__name__.lower()
    # The paper trains TransE and ConvE by the likelihood alone. PyKEEN would add to the loss of
    # these two, and then scores them by arrays of (batch, entities, dim).
    arguments = {"regularizer": None} if name in {"complex", "distmult"} else {}
    return Recipe(model=name, arguments=arguments, batch=10, epochs=1_000, learning_rate=1e-3)

"""How a model is trained: every number of it, and presets that are good without tuning."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, Field, ValidationError

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
    """Numbers a vector; complex models have as many complex ones."""
    loss: str = "crossentropy"
    """A loss of PyKEEN by its name."""
    loss_arguments: dict[str, Any] = {}
    negatives: Count | None = None
    """Entities drawn a batch, that all its triples are held against; None: every entity."""
    batch: Count = 128
    """Distinct ``(h, r)`` a step where every entity is scored; else triples, with as many inverses."""
    epochs: Count = 100
    optimizer: Literal["adam", "adagrad"] = "adam"
    learning_rate: Rate = 1e-3
    schedule: Literal["constant", "linear"] = "constant"
    """Linear: the rate falls by as much each epoch, to 1 / epochs of it, a hundredth at least."""
    label_smoothing: Share = 0.0
    dropout: Share = 0.0
    """Share of a query's numbers that are left out of a step."""
    n3: Weight = 0.0
    """Weight of the nuclear 3-norm of the factors (Lacroix et al. 2018, equation 5)."""
    init: Rate | None = None
    """Standard deviation of the vectors at the start; None: as the model has it."""
    evaluate_every: Count = 10
    """Epochs between two looks at the validation triples."""
    patience: Count = 3
    """Looks without a better MRR after which training stops."""

    def changed(self, changes: Mapping[str, Any]) -> Self:
        """With other values.

        Raises:
            EmbeddingError: a value is not one that the field may have.
        """
        try:
            return type(self).model_validate(self.model_dump() | dict(changes))
        except ValidationError as e:
            first = e.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            raise EmbeddingError(
                f"recipe for {self.model}: {where} is {first['input']!r}: {first['msg']}; "
                "give it another value"
            ) from e

"""What a trained model's folder says of it: what made it, what it reached, what its files are."""

import platform
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel, ValidationError

from kg.embeddings.calibration import Calibration, End
from kg.embeddings.checkpoints import Epoch
from kg.embeddings.recipe import Recipe
from kg.errors import EmbeddingError

CARD: Final = "card.json"


class SplitSizes(BaseModel, frozen=True, extra="forbid"):
    """How many triples are in each part."""

    train: int
    valid: int
    test: int


class Card(BaseModel, frozen=True, extra="forbid"):
    """What made a model, and what it reached."""

    name: str
    data: str
    """Where the triples come from: a file, or a graph's address with its filters."""
    data_checksum: str
    """SHA-256 of the split: ids, relations and rows of each part."""
    build_checksum: str | None = None
    """Of the graph tables that the graph was loaded from; None for a file of triples."""
    entities: int
    relations: int
    split: SplitSizes
    recipe: Recipe
    seed: int
    history: tuple[Epoch, ...]
    best_epoch: int | None
    report: dict[str, Any] = {}
    """The evaluation, as ``medkg embed evaluate --json`` prints it."""
    calibration: dict[End, tuple[float, float]] = {}
    """Slope and intercept of the logistic curve from score to probability, by what is sought."""
    calibration_error: float | None = None
    """Mean distance of probability and frequency on the test triples, in [0, 1]; candidates of
    next to no probability are not counted."""
    versions: dict[str, str]
    files: dict[str, str] = {}
    """SHA-256 of each file beside the card."""

    @property
    def curves(self) -> dict[End, Calibration]:
        """From score to probability, by what is sought; none where there was nothing to fit."""
        return {end: Calibration(*told) for end, told in self.calibration.items()}


def versions() -> dict[str, str]:
    """Of what a model's numbers depend on."""
    packages = ("medkg", "pykeen", "torch", "numpy", "safetensors")
    return {"python": platform.python_version(), **{name: version(name) for name in packages}}


def read_card(folder: Path) -> Card:
    """What a model's folder says of it.

    Raises:
        EmbeddingError: there is none.
    """
    path = folder / CARD
    try:
        return Card.model_validate_json(path.read_text("utf-8"))
    except FileNotFoundError as e:
        raise EmbeddingError(
            f"{folder}: there is no trained model ({CARD} is missing); make one with "
            "'medkg embed train'"
        ) from e
    except (OSError, UnicodeDecodeError, ValidationError) as e:
        raise EmbeddingError(f"{path}: cannot be read ({e}); train the model anew") from e

"""A fine-tuned encoder on disk: a folder that sentence-transformers loads, with a card.

Beside the encoder's own files stand ``card.json``, for programs, and ``README.md``, for people.
"""

import hashlib
import platform
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pydantic import BaseModel

from kg.errors import RetrievalError
from kg.stores.disk import disk_errors, recover, replacing
from qa.finetuning.retrieval import CUTOFFS, Figures
from qa.finetuning.training import Epoch, Recipe

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

CARD: Final = "card.json"


class Card(BaseModel, frozen=True, extra="forbid"):
    """What made an encoder, and what it reached."""

    name: str
    base: str
    """The encoder that was trained, by name or path."""
    base_checksum: str
    """SHA-256 of its weights."""
    pairs: str
    """Name of the file."""
    pairs_checksum: str
    """SHA-256 of the questions, passages and diseases."""
    pairs_made_by: dict[str, Any]
    """What the file says of itself."""
    trained_on: int
    """Pairs."""
    tested_on: int
    """Pairs of other diseases."""
    test_share: float
    origins: dict[str, int]
    """How many of all pairs are of each origin."""
    recipe: Recipe
    device: str
    history: tuple[Epoch, ...]
    figures: dict[str, Figures]
    """Of the pairs of the test, sought among all passages, by system; empty without a test."""
    versions: dict[str, str]
    files: dict[str, str] = {}
    """SHA-256 of each file beside the card."""


def versions() -> dict[str, str]:
    """Versions of Python and of the packages that an encoder's weights depend on."""
    packages = ("medkg", "sentence-transformers", "transformers", "torch", "numpy", "safetensors")
    return {"python": platform.python_version(), **{name: version(name) for name in packages}}


def check_replaceable(folder: Path) -> None:
    """Refuse a folder to write an encoder into that holds anything but an earlier one.

    An earlier one that a killed process had moved aside is put back first.

    Raises:
        RetrievalError: the folder holds something else.
        StoreError: it cannot be read.
    """
    with disk_errors(folder):
        recover(folder)
        if folder.exists() and not (folder / CARD).is_file() and any(folder.iterdir()):
            raise RetrievalError(
                f"{folder}: holds something that is no encoder of medkg; name another folder"
            )


def save(folder: Path, encoder: "SentenceTransformer", card: Card) -> Card:
    """Write an encoder into a folder, whole or not at all; an earlier one there is replaced.

    Args:
        folder: of the encoder alone.
        encoder: on any device.
        card: without the checksums of files, which are filled in.

    Returns:
        The card as it was written.

    Raises:
        RetrievalError: the folder holds something that is no encoder of medkg.
        StoreError: it cannot be written.
    """
    check_replaceable(folder)
    with replacing(folder) as partial:
        encoder.save(str(partial), create_model_card=False)
        (partial / "README.md").write_text(readme_of(card), "utf-8")
        files = {
            path.relative_to(partial).as_posix(): _checksum(path)
            for path in sorted(partial.rglob("*"))
            if path.is_file()
        }
        card = card.model_copy(update={"files": files})
        (partial / CARD).write_text(card.model_dump_json(indent=2) + "\n", "utf-8")
    return card


def readme_of(card: Card) -> str:
    """The card for people, as Markdown."""
    recipe = card.recipe
    cut = f", texts cut at {recipe.max_tokens} tokens" if recipe.max_tokens else ""
    origins = ", ".join(f"{count:,} {name or 'unnamed'}" for name, count in card.origins.items())
    lines = [
        f"# {card.name}",
        "",
        (
            f"{card.base}, fine-tuned by medkg to find the passage that answers a medical question. "
            "It gives no medical advice."
        ),
        "",
        (
            f"* {card.trained_on:,} pairs of question and passage from {card.pairs} "
            f"(of all pairs: {origins}), SHA-256 {card.pairs_checksum}"
        ),
        (
            f"* multiple negatives ranking loss, {recipe.epochs} epochs in batches of {recipe.batch}, "
            f"learning rate {recipe.learning_rate:g}, seed {recipe.seed}, {recipe.precision} on "
            f"{card.device}{cut}"
        ),
        f"* weights of {card.base}: SHA-256 {card.base_checksum}",
        f"* loss by epoch: {', '.join(f'{epoch.loss:.4f}' for epoch in card.history)}",
    ]
    if card.figures:
        lines += [
            "",
            (
                f"Asked {card.tested_on:,} questions about diseases that it was not trained on, each "
                "of which has one passage to be found among all:"
            ),
            "",
            *table(card.figures),
        ]
    return "\n".join((*lines, ""))


def table(figures: dict[str, Figures]) -> list[str]:
    """Figures by system, as the lines of a Markdown table."""
    heads = ["system", "questions", *(f"recall@{k}" for k in CUTOFFS), "MRR"]
    rows = [
        [name, f"{f.questions:,}", *(f"{f.recall[k]:.3f}" for k in CUTOFFS), f"{f.mrr:.3f}"]
        for name, f in figures.items()
    ]
    rule = ["---", *("--:" for _ in heads[1:])]
    return [f"| {' | '.join(cells)} |" for cells in (heads, rule, *rows)]


def _checksum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()

"""Options that the commands of ``medkg embed`` share, and the model that they name."""

import importlib.util
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cypher.translation import translate
from kg.errors import EmbeddingError

if TYPE_CHECKING:
    from kg.embeddings.artifact import Artifact

model_option = click.option(
    "--model-folder",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="The trained model; without it the only one in .medkg/embeddings/.",
)
"""Passes ``folder: Path | None``, as ``load`` takes it."""


def assignments(
    ctx: click.Context, param: click.Parameter, value: tuple[str, ...]
) -> dict[str, Any]:
    """A click callback for repeated ``name=value``; a value is JSON, or else a string."""
    values = {}
    for assignment in value:
        name, sign, text = assignment.partition("=")
        if not name or not sign:
            raise click.BadParameter(f"{assignment!r} is no NAME=VALUE", ctx, param)
        try:
            values[name] = json.loads(text)
        except json.JSONDecodeError:
            values[name] = text
    return values


def need_libraries() -> None:
    """Check that the libraries of the extra ``embeddings`` are installed.

    Raises:
        EmbeddingError: they are not.
    """
    needed = ("torch", "pykeen", "optuna", "scipy", "safetensors", "matplotlib")
    missing = [name for name in needed if importlib.util.find_spec(name) is None]
    if missing:
        raise EmbeddingError(
            translate(
                '{modules} cannot be imported; install what is missing with "pip install '
                "'medkg[embeddings]'\"",
                modules=", ".join(missing),
            )
        )


def load(folder: Path | None) -> "Artifact":
    """Load the model of a folder, or the only one in medkg's own.

    Raises:
        EmbeddingError: there is none, or there are several.
    """
    need_libraries()
    import kg
    from kg.embeddings.artifact import load_artifact

    if folder is not None:
        return load_artifact(folder)
    home = kg.Settings.read().embeddings
    folders = sorted(path.parent for path in home.glob("[!.]*/card.json"))  # not .NAME.partial
    if len(folders) == 1:
        return load_artifact(folders[0])
    if not folders:
        raise EmbeddingError(
            f"{home}: there is no trained model; make one with 'medkg embed train'"
        )
    raise EmbeddingError(
        f"{home}: there are several models ({', '.join(path.name for path in folders)}); name one "
        f"with --model-folder {folders[0]}"
    )

"""What the commands of ``medkg embed`` share."""

import importlib.util
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kg.errors import EmbeddingError

if TYPE_CHECKING:
    from kg.embeddings.artifact import Artifact

model_option = click.option(
    "--model-folder",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="The trained model; without it the one in .medkg/embeddings/, if there is one alone.",
)
"""Passes ``folder: Path | None``, as ``load`` takes it."""


def assignments(
    ctx: click.Context, param: click.Parameter, value: tuple[str, ...]
) -> dict[str, Any]:
    """A click callback: ``name=value`` as often as given; a value is JSON, or else a word."""
    found = {}
    for told in value:
        name, sign, text = told.partition("=")
        if not name or not sign:
            raise click.BadParameter(f"{told!r} is no NAME=VALUE", ctx, param)
        try:
            found[name] = json.loads(text)
        except json.JSONDecodeError:
            found[name] = text
    return found


def need_libraries() -> None:
    """See that the extra is there.

    Raises:
        EmbeddingError: they are not.
    """
    needed = ("torch", "pykeen", "optuna", "scipy", "safetensors", "matplotlib")
    missing = [name for name in needed if importlib.util.find_spec(name) is None]
    if missing:
        raise EmbeddingError(
            f"{' and '.join(missing)} cannot be imported; install them with "
            "\"pip install 'medkg[embeddings]'\""
        )


def load(folder: Path | None) -> "Artifact":
    """The model of a folder, or the one that was trained here.

    Raises:
        EmbeddingError: there is none, or there are several.
    """
    need_libraries()
    import kg
    from kg.embeddings.artifact import load_artifact

    if folder is not None:
        return load_artifact(folder)
    home = kg.Settings.read().embeddings
    found = sorted(path.parent for path in home.glob("[!.]*/card.json"))  # .NAME.partial is none
    if len(found) == 1:
        return load_artifact(found[0])
    if not found:
        raise EmbeddingError(
            f"{home}: there is no trained model; make one with 'medkg embed train'"
        )
    raise EmbeddingError(
        f"{home}: there are several models ({', '.join(path.name for path in found)}); name one "
        f"with --model-folder {found[0]}"
    )

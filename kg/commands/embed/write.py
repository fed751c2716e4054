"""``medkg embed write``."""

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kg.commands import Bars, graph_option, json_option, show_json
from kg.commands.embed.options import load, model_option
from kg.errors import EmbeddingError

if TYPE_CHECKING:
    from kg.stores.store import Store
    from kg.tables import GraphTables, TableSummary


@click.command("write")
@model_option
@click.option(
    "--predictions",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    multiple=True,
    help="The accepted rows of a table of 'medkg embed complete', as PREDICTED edges; give it "
    "once for each table.",
)
@click.option(
    "--space",
    default="entities",
    show_default=True,
    help="Name of the space that the vectors are in, for a second model beside the first.",
)
@graph_option
@json_option
def write_command(
    *,
    folder: Path | None,
    predictions: tuple[Path, ...],
    space: str,
    graph: str | None,
    as_json: bool,
) -> None:
    """Write the vectors of a model into the graph, or edges that models predict, as a layer.

    The layers are 'embeddings' ('embeddings.NAME' with --space NAME) and 'predictions'. Each
    replaces the layer of that name, and 'medkg layers remove' undoes it. A prediction is no fact:
    no query about facts returns it, 'medkg query entity.predictions' does.
    """
    if predictions and folder is not None:
        raise click.UsageError(
            "--predictions goes without --model-folder: a table names its model"
        )
    import kg
    from kg.layers import apply_layers
    from kg.tables import SPACE

    if not SPACE.fullmatch(space):
        raise click.UsageError(
            f"--space {space!r} is not a valid name of a space; use lower-case letters, digits and '_'"
        )

    settings = kg.Settings.read()
    with tempfile.TemporaryDirectory() as scratch, kg.connect(graph, settings) as store:
        work = Path(scratch)
        layer = (
            _edges(predictions, store, work)
            if predictions
            else _vectors(folder, store, work, space)
        )
        summary = layer.summary()
        applied = apply_layers([work], store, settings.layers, Bars(), replace=True)
    before = applied.before.get(summary.name)
    if as_json:
        counts = {"vectors": summary.vectors, "edges": summary.edges}
        show_json({"layer": summary.name, "replaced": before is not None, **counts})
        return
    done = "Replaced" if before else "Applied"
    earlier = f"; before {_size(before)}" if before else ""
    click.echo(f"{done} the layer {summary.name}: {_size(summary)}{earlier}.", err=True)


def _edges(tables: Sequence[Path], store: "Store", work: Path) -> "GraphTables":
    """The layer of the accepted rows of all tables, without those that are facts by now."""
    from kg.embeddings.layer import write_predictions
    from kg.embeddings.proposals import read_accepted, without_facts

    accepted = read_accepted(tables)
    left = without_facts(accepted, store)
    if stated := len(accepted) - len(left):
        click.echo(
            f"Skipped {stated} of {len(accepted)} accepted rows, which are facts of the graph "
            "by now.",
            err=True,
        )
    if not left:
        raise EmbeddingError(
            f"{store.uri}: has all that was accepted as facts, so there is no edge to write; "
            "make another table with 'medkg embed complete'"
        )
    models = [one.model for one in left]
    made_by = f"medkg embed write, {', '.join(sorted(set(models)))}"
    return write_predictions(left, work, made_by, models)


def _vectors(folder: Path | None, store: "Store", work: Path, space: str) -> "GraphTables":
    """The layer of a model's vectors, with a warning if it was trained on another build."""
    artifact = load(folder)
    from kg.embeddings.layer import write_vectors
    from kg.embeddings.scoring import entity_vectors

    card, stamp = artifact.card, store.stamp()
    if stamp and card.build_checksum != stamp.checksum:
        click.echo(
            f"The model {card.name} was trained on {card.data}, not on this build of the graph; "
            "if the graph has changed since, train it anew with 'medkg embed train'.",
            err=True,
        )
    matrix = entity_vectors(artifact.model)
    made_by = f"medkg embed write, {card.name}"
    return write_vectors(artifact.split.entities.ids, matrix, work, made_by, space)


def _size(summary: "TableSummary") -> str:
    if summary.vectors:
        count, noun = summary.vectors, "vector"
    else:
        count, noun = sum(summary.edges.values()), "edge"
    return f"{count} {noun}{'s'[: count != 1]}"

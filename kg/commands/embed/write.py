"""``medkg embed write``."""

import tempfile
from pathlib import Path

import click

from kg.commands import Bars, graph_option
from kg.commands.embed.options import load, model_option


@click.command("write")
@model_option
@click.option(
    "--predictions",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The accepted rows of a table of 'medkg embed complete', as PREDICTED edges.",
)
@graph_option
def write_command(folder: Path | None, predictions: Path | None, graph: str | None) -> None:
    """Write the vectors of a model into the graph, or edges that it predicts, as a layer.

    The layers are 'embeddings' and 'predictions'; 'medkg layers remove' undoes each. What is
    predicted is no fact: no query about facts returns it, 'medkg query entity.predictions' does.
    """
    artifact = load(folder)
    import kg
    from kg.embeddings.layer import write_predictions, write_vectors
    from kg.embeddings.proposals import read_accepted
    from kg.embeddings.scoring import entity_tables
    from kg.layers import apply_layer

    settings, made_by = kg.Settings.read(), f"medkg embed write, {artifact.card.name}"
    with tempfile.TemporaryDirectory() as scratch, kg.connect(graph, settings) as store:
        if predictions is not None:
            accepted = read_accepted(predictions)
            layer = write_predictions(accepted, Path(scratch), made_by, artifact.card.name)
        else:
            matrix = entity_tables(artifact.model)[0].detach().cpu().numpy()
            layer = write_vectors(artifact.split.entities.ids, matrix, Path(scratch), made_by)
        told = layer.summary()
        apply_layer(layer.folder, store, settings.layers, Bars())
    what = f"{told.vectors} vectors" if told.vectors else f"{sum(told.edges.values())} edges"
    click.echo(f"Applied the layer {told.name}: {what}.", err=True)

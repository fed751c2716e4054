"""``medkg layers``: what was added to the graph since the build."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kg.commands import Bars, graph_option, json_option, show

if TYPE_CHECKING:
    from kg.stores.store import Counts


@click.group("layers", invoke_without_command=True)
@click.pass_context
def layers_group(ctx: click.Context) -> None:
    """List, apply and remove what was added to the graph since the build."""
    if ctx.invoked_subcommand is None:
        ctx.invoke(list_command)


@layers_group.command("list")
@graph_option
@json_option
def list_command(graph: str | None = None, as_json: bool = False) -> None:
    """List the layers: those applied, in their order, then those kept on disk."""
    import kg
    from kg.layers import list_layers

    settings = kg.Settings.read()
    with kg.connect(graph, settings) as store:
        layers = list_layers(store, settings.layers)
    columns = ("layer", "applied", "kept", "checksum")
    rows = tuple((layer.name, layer.applied, layer.kept, layer.checksum) for layer in layers)
    show(kg.Rows(columns, rows), as_json)


@layers_group.command("apply")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@graph_option
def apply_command(folder: Path, graph: str | None) -> None:
    """Add the graph tables in FOLDER to the graph, and keep them for later builds."""
    import kg
    from kg.layers import apply_layer

    settings = kg.Settings.read()
    with kg.connect(graph, settings) as store:
        counts = apply_layer(folder, store, settings.layers, Bars())
    click.echo(f"Added {_total(counts)}.", err=True)


@layers_group.command("remove")
@click.argument("name")
@graph_option
def remove_command(name: str, graph: str | None) -> None:
    """Take the layer NAME out of the graph; its tables stay on disk."""
    import kg
    from kg.layers import remove_layer

    settings = kg.Settings.read()
    with kg.connect(graph, settings) as store:
        counts = remove_layer(name, store, settings.layers, Bars())
    click.echo(f"Took out {_total(counts)}.", err=True)


def _total(counts: "Counts") -> str:
    nodes, edges = sum(counts.nodes.values()), sum(counts.edges.values())
    return f"{nodes} node{'s'[: nodes != 1]} and {edges} edge{'s'[: edges != 1]}"

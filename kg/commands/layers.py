"""``medkg layers``: what was added to the graph since the build."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cypher.translation import translate
from kg.commands import Bars, graph_option, json_option, say, show, show_json
from kg.commands.completion import layer_names

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kg.stores.store import Counts, LayersChanged


@click.group("layers", invoke_without_command=True)
@json_option
@click.pass_context
def layers_group(ctx: click.Context, as_json: bool) -> None:
    """List, apply and remove layers: what was added to the graph after its build."""
    if ctx.invoked_subcommand is None:
        ctx.invoke(list_command, as_json=as_json)


@layers_group.command("list")
@graph_option
@json_option
def list_command(graph: str | None = None, as_json: bool = False) -> None:
    """List the layers: the applied ones in order, then those that are only on disk.

    One that waits did not fit the graph when that was built; each later build tries it again.
    """
    import kg
    from kg.layers import list_layers

    settings = kg.Settings.read()
    with kg.connect(graph, settings) as store:
        layers = list_layers(store, settings.layers)
    columns = ("layer", "applied", "kept", "waiting", "left_out", "checksum")
    rows = tuple((x.name, x.applied, x.kept, x.waiting, x.left_out, x.checksum) for x in layers)
    show(kg.Rows(columns, rows), as_json)


@layers_group.command("apply")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@graph_option
@json_option
def apply_command(folder: Path, graph: str | None, as_json: bool) -> None:
    """Add the graph tables in FOLDER to the graph, and keep them for later builds."""
    import kg
    from kg.layers import apply_layers
    from kg.tables import GraphTables

    settings = kg.Settings.read()
    with kg.connect(graph, settings) as store:
        applied = apply_layers(
            [folder], store, settings.layers, Bars(), identities=settings.identities
        )
    summary = GraphTables(folder).summary()
    if as_json:
        show_json(
            {
                "layer": summary.name,
                "added": vars(applied.changed.added),
                "taken_out": summary.removed,
                "marked": summary.marked,
                "vectors": applied.changed.vectors,
                "left_out": _left_out(applied.changed, settings.layers),
            }
        )
        return
    say_left_out(applied.changed, settings.layers)
    counts = {
        "edges taken out": sum(summary.removed.values()),
        "edges marked": sum(summary.marked.values()),
        "vectors": applied.changed.vectors,
    }
    say(translate("Added: {counts}.", counts=_counted(applied.changed.added, counts)), err=True)


@layers_group.command("remove")
@click.argument("name", shell_complete=layer_names)
@graph_option
@json_option
@click.pass_context
def remove_command(ctx: click.Context, name: str, graph: str | None, as_json: bool) -> None:
    """Remove the layer NAME from the graph and restore the edges that it removed.

    Its tables stay on disk. The layer 'check' is removed as by 'medkg check --undo'.
    """
    import kg
    from kg.layers import remove_layer

    if undoes := _command_that_undoes(ctx, name):
        ctx.invoke(undoes, undo=True, graph=graph, as_json=as_json)
        return
    settings = kg.Settings.read()
    with kg.connect(graph, settings) as store:
        removal = remove_layer(name, store, settings.layers, Bars())
    if as_json:
        show_json(
            {
                "layer": name,
                "taken_out": vars(removal.taken_out),
                "put_back": removal.put_back,
                "unmarked": removal.unmarked,
                "vectors": removal.vectors,
                "left_out": _left_out(removal.changed, settings.layers),
            }
        )
        return
    say_left_out(removal.changed, settings.layers)
    counts = {
        "edges put back": sum(removal.put_back.values()),
        "edges unmarked": sum(removal.unmarked.values()),
        "vectors": removal.vectors,
    }
    say(translate("Took out: {counts}.", counts=_counted(removal.taken_out, counts)), err=True)


def say_left_out(changed: "LayersChanged", folder: Path) -> None:
    """Say of each layer how many of its rows did not fit, and where they are listed."""
    for left_out in _left_out(changed, folder):
        told = "Rows of layer {layer} that do not fit the graph, and were left out: {rows}; {file} lists them."
        say(translate(told, **left_out), err=True)


def _left_out(changed: "LayersChanged", folder: Path) -> "list[dict[str, str | int]]":
    """The layers with rows that did not fit: how many, and the file that lists them."""
    return [
        {"layer": name, "rows": len(rows), "file": str(folder / name / "left_out.parquet")}
        for name, rows in changed.left_out.items()
    ]


def _command_that_undoes(ctx: click.Context, name: str) -> click.Command | None:
    """The command of a layer's name that has ``--undo``: it knows what else is to be undone."""
    root = ctx.find_root().command
    command = root.get_command(ctx, name) if isinstance(root, click.Group) else None
    has_undo = command is not None and any(option.name == "undo" for option in command.params)
    return command if has_undo else None


def _counted(added: "Counts", others: "Mapping[str, int]") -> str:
    """How many nodes and edges, and what else there are any of."""
    nodes, edges = sum(added.nodes.values()), sum(added.edges.values())
    counts = {"nodes": nodes, "edges": edges, **{name: n for name, n in others.items() if n}}
    return translate(", ").join(f"{translate(name)} {n}" for name, n in counts.items())

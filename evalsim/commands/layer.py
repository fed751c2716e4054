"""``medkg eval layer``: runs laid over the graph, to be asked about beside the entities they speak of."""

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cypher.translation import translate
from evalsim.commands.requirements import need_inspect
from kg.commands import Bars, graph_option, json_option, lang_option, say, show, show_json, speak

if TYPE_CHECKING:
    from kg.layers import Applied


@click.command("layer")
@click.argument(
    "logs",
    metavar="LOG...",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, path_type=Path),
)
@click.option(
    "--name",
    default="evaluation",
    show_default=True,
    help="Of the layer; one of this name that has runs is replaced.",
)
@graph_option
@json_option
@lang_option
def layer_command(*, logs: tuple[Path, ...], name: str, graph: str | None, as_json: bool) -> None:
    """Lay the runs in LOG... over the graph: files of logs, or folders of them.

    Their dialogues can then be asked about (medkg query evaluation.runs), and seen in Neo4j
    Browser beside the entities they speak of. 'medkg layers remove NAME' takes them away again.

    For example: medkg eval layer .medkg/eval
    """
    speak()
    need_inspect()

    import kg
    from evalsim.layer import check_name, layer_of_runs
    from evalsim.running.logs import find_logs, read_dialogues
    from kg.layers import apply_layers
    from kg.linking import Linker

    settings = kg.Settings.read()
    check_name(name, settings.layers)
    log_files = find_logs(logs)
    with kg.connect(graph, settings) as store, tempfile.TemporaryDirectory() as temporary:
        linker = Linker.of_store(store, settings.linking, progress=Bars())
        folder = Path(temporary) / "layer"
        layer_of_runs(read_dialogues(log_files), folder, name, linker.link, Bars())
        applied = apply_layers(
            [folder],
            store,
            settings.layers,
            Bars(),
            replace=True,
            identities=settings.identities,
        )
    _show(name, applied, settings.layers, as_json)


def _show(name: str, applied: "Applied", folder: Path, as_json: bool) -> None:
    from kg.stores.store import Rows

    changed = applied.changed
    if as_json:
        rows = {layer: len(table) for layer, table in changed.left_out.items()}
        layer_fields = {"layer": name, "replaced": name in applied.before}
        show_json({**layer_fields, "added": vars(changed.added), "left_out": rows})
        return
    counts = [*changed.added.nodes.items(), *changed.added.edges.items()]
    show(Rows(("type", "count"), tuple(counts)))
    if name in applied.before:
        say(translate("The layer {name} was replaced.", name=name), err=True)
    for layer, table in changed.left_out.items():
        shared = table["table"].to_pylist().count("records/Case.parquet")
        if shared:
            message = (
                "Cases of the layer {name} that another layer has, so that they are one: {n}."
            )
            say(translate(message, name=layer, n=shared), err=True)
        if shared == len(table):
            continue
        message = "Rows of the layer {name} that do not fit the graph: {n}; {file} lists them."
        file = folder / layer / "left_out.parquet"
        say(translate(message, name=layer, n=len(table) - shared, file=file), err=True)

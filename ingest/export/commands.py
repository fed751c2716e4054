"""``medkg export``: the graph as files for other programs."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cypher.translation import translate
from kg.commands import Bars, json_option, say

if TYPE_CHECKING:
    from ingest.export.export import ExportResult


@click.command("export")
@click.option(
    "--format",
    "written",
    type=click.Choice(["kgx", "neo4j-admin", "triples"]),
    required=True,
    help="KGX files, CSV for Neo4j's importer, or plain triples.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    metavar="DIR",
    help="Folder for the files: new, empty, or an earlier export, which is replaced.",
)
@click.option(
    "--from",
    "tables",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Graph tables to export; those of the last build if not given.",
)
@click.option(
    "--kgx-format",
    type=click.Choice(["tsv", "jsonl"]),
    default="tsv",
    show_default=True,
    help="KGX as tab-separated text or JSON lines.",
)
@click.option("--labels", is_flag=True, help="Triples with names instead of ids.")
@click.option(
    "--layers",
    metavar="NAMES",
    default="",
    help="Layers to export with the graph, with commas between them; 'all' for all.",
)
@json_option
def export_command(  # noqa: PLR0917 - click passes them by name
    written: str,
    out: Path,
    tables: Path | None,
    kgx_format: str,
    labels: bool,
    layers: str,
    as_json: bool,
) -> None:
    """Write the graph of the last build as files for other programs.

    Layers are left out unless --layers names them; their predictions are then marked as
    such, or written into a file of their own.
    """
    from ingest.export.export import ExportConfig, export
    from kg.configuration import Settings

    settings = Settings.read()
    config = ExportConfig.model_validate(
        {
            "tables": tables or settings.tables,
            "layers_folder": settings.layers,
            "layers": tuple(filter(None, layers.split(","))),
            "out": out,
            "format": written,
            "kgx_format": kgx_format,
            "labels": labels,
        }
    )
    result = export(config, Bars())
    if as_json:
        click.echo(result.record.model_dump_json(indent=2))
    else:
        _show(result)


def _show(result: "ExportResult") -> None:
    from ingest.export.neo4j_admin import SCRIPT

    nodes, edges = sum(result.record.nodes.values()), sum(result.record.edges.values())
    told = "{nodes:,} nodes and {edges:,} edges in {folder}:"
    say(translate(told, nodes=nodes, edges=edges, folder=result.out), err=True)
    for name, size in result.record.files.items():
        say(translate("  {name}  {size:,} bytes", name=name, size=size), err=True)
    if result.record.format == "neo4j-admin":
        command = (result.out / SCRIPT).read_text(encoding="utf-8").splitlines()[-1]
        command = command.removeprefix("exec ").replace('"$database"', "neo4j")
        click.echo(f"cd {shlex.quote(str(result.out))} && {command}")

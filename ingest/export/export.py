"""Exports the graph of a home for other programs."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Literal

import duckdb
from pydantic import BaseModel

from ingest.export.graph import select_layers, with_layers
from ingest.export.kgx import KgxFormat, write_kgx
from ingest.export.neo4j_admin import write_neo4j_admin
from ingest.export.publishing import RECORD, Record, published, sizes
from ingest.export.triples import write_triples
from kg.progress import Progress
from kg.tables import GraphTables

Format = Literal["kgx", "neo4j-admin", "triples"]


class ExportConfig(BaseModel, frozen=True, extra="forbid"):
    """What to export, and how."""

    tables: Path
    """Folder of the graph tables of a build."""
    layers_folder: Path
    """Where layers are kept."""
    layers: tuple[str, ...] = ()
    """Names of those to export with the graph, in the order in which they stand on one
    another; ``all`` alone stands for all that are kept."""
    out: Path
    """Folder for the files; new, empty, or an earlier export, which is replaced."""
    format: Format
    kgx_format: KgxFormat = "tsv"
    labels: bool = False
    """Triples name their ends instead of giving the ids."""
    memory: str = "1GB"
    """What sorting may hold before it spills to the disk of ``out``."""


@dataclass(frozen=True)
class ExportResult:
    """What was written."""

    out: Path
    record: Record


def export(config: ExportConfig, progress: Progress) -> ExportResult:
    """Write the graph into ``config.out``.

    Raises:
        TablesError: the tables are not whole.
        ExportError: the folder holds other things, a layer is not kept, or the disk is full.
        LayerDoesNotFitError: a layer does not fit the graph.
        StoreError: the disk is full.
    """
    layers = select_layers(config.layers_folder, config.layers)
    with published(config.out) as folder:
        tables = with_layers(GraphTables(config.tables), layers, folder / "work")
        _write(config, tables, folder, progress)
        record = _record(config, tables, layers, folder)
        (folder / RECORD).write_text(record.model_dump_json(indent=2) + "\n", encoding="utf-8")
    return ExportResult(config.out, record)


def _write(config: ExportConfig, tables: GraphTables, folder: Path, progress: Progress) -> None:
    spill = str(folder / "work" / "spill")
    options: dict[str, str | bool | int | float | list[str]] = {
        "memory_limit": config.memory,
        "temp_directory": spill,
    }
    with duckdb.connect(config=options) as db:
        db.execute("set enable_progress_bar = false")  # ours shows it
        match config.format:
            case "kgx":
                write_kgx(db, tables, folder, config.kgx_format, progress)
            case "triples":
                write_triples(db, tables, folder, progress, labels=config.labels)
            case "neo4j-admin":
                write_neo4j_admin(tables, folder, progress)


def _record(
    config: ExportConfig, tables: GraphTables, layers: Sequence[GraphTables], folder: Path
) -> Record:
    summary = tables.summary()
    options: dict[Format, dict[str, str]] = {
        "kgx": {"kgx_format": config.kgx_format},
        "triples": {"labels": str(config.labels).lower()},
        "neo4j-admin": {},
    }
    return Record(
        made_by=f"medkg {version('medkg')} export",
        format=config.format,
        options=options[config.format],
        graph=summary.checksum,
        layers=tuple(layer.summary().name for layer in layers),
        nodes=summary.nodes,
        edges=summary.edges,
        files=sizes(folder),
    )

"""Which tables are exported: those of the build, and layers on them where they are asked for."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import duckdb
import pyarrow as pa

from cypher.translation import translate
from ingest.manifest import checksum
from kg.errors import ExportError, LayerDoesNotFitError
from kg.records import ENTITY
from kg.stores.changing import take_out_and_mark
from kg.stores.contents import Contents
from kg.stores.disk import sql_path
from kg.stores.inspection import inspect
from kg.stores.planning import Change, plan
from kg.tables import GraphTables, TableSummary


def select_layers(folder: Path, names: Sequence[str]) -> list[GraphTables]:
    """The layers of these names, in this order.

    Args:
        folder: where layers are kept.
        names: of layers; ``all`` alone stands for all that are kept, by name.

    Raises:
        ExportError: one is not kept there.
    """
    available = sorted(path.parent.name for path in folder.glob("[!.]*/tables.json"))
    if tuple(names) == ("all",):
        names = available
    if missing := [name for name in names if name not in available]:
        advice = translate("none is kept")
        if available:
            advice = translate("kept are {names}", names=", ".join(available))
        raise ExportError(
            translate(
                "{folder}: there is no layer {missing!r}; {advice}",
                folder=folder,
                missing=missing[0],
                advice=advice,
            )
        )
    return [GraphTables(folder / name) for name in names]


def with_layers(build: GraphTables, layers: Sequence[GraphTables], work: Path) -> GraphTables:
    """The build's tables, or new ones with what the layers add, take out and mark.

    Args:
        build: of the build.
        layers: in the order in which they are applied.
        work: gets the new tables.

    Raises:
        TablesError: tables are not whole.
        LayerDoesNotFitError: a row of a layer does not fit, or it changes an edge that is not
            the build's.
    """
    inspect(build)
    if not layers:
        return build
    contents = Contents(checksum=build.summary().checksum)
    change = Change(layers)
    staged = plan(str(build.folder), contents, _Tables(build), change, work / "staged").staged
    for layer in staged:
        for row in layer.left_out.slice(0, 1).to_pylist():
            raise LayerDoesNotFitError(
                translate(
                    "layer {name}, {table}: {count} rows do not fit the build, the first since {reason}; make the layer on this build",
                    name=layer.applied.name,
                    table=row["table"],
                    count=len(layer.left_out),
                    reason=row["reason"],
                )
            )
    tables = _joined([build, *(layer.tables for layer in staged)], work / "tables")
    for layer in staged:
        take_out_and_mark(tables, layer.tables)
    summary = tables.summary()
    files = [tables.nodes, *map(tables.edges, summary.edges)]
    tables.write_summary(summary.model_copy(update={"checksum": checksum(*files)}))
    return tables


@dataclass(frozen=True)
class _Tables:
    """Graph tables as staging asks a graph."""

    tables: GraphTables

    def find_nodes(self, label: str, ids: pa.Table) -> pa.Table:
        """Those of the ids that are there; a build has no records."""
        return _existing("id", [self.tables.nodes] if label == ENTITY else [], ids)

    def find_edges(self, relation: str, ends: pa.Table) -> pa.Table:
        """Those of the edges that are there."""
        path = self.tables.edges(relation)
        return _existing("head, tail", [path] if path.is_file() else [], ends)


def _existing(key: str, paths: Sequence[Path], keys: pa.Table) -> pa.Table:
    """Those of the rows of ``keys`` that the files have, with their layer."""
    if not paths:
        return keys.schema.append(pa.field("layer", pa.string())).empty_table()
    with duckdb.connect() as db:
        db.register("asked", keys)
        select = f"select {key}, layer from {_read(paths)} semi join asked using ({key})"  # noqa: S608 - paths and columns
        return db.sql(select).to_arrow_table()


def _joined(parts: Sequence[GraphTables], folder: Path) -> GraphTables:
    """One graph of several parts."""
    tables = GraphTables(folder)
    (folder / "edges").mkdir(parents=True)
    summaries = [part.summary() for part in parts]
    relations = sorted({relation for summary in summaries for relation in summary.edges})
    with duckdb.connect() as db:
        _join(db, [part.nodes for part in parts], "id", tables.nodes)
        for relation in relations:
            having = [part.edges(relation) for part in parts if relation in part.summary().edges]
            _join(db, having, "head, tail", tables.edges(relation))
    summary = TableSummary(
        name="medkg",
        checksum="",
        nodes=_sum([summary.nodes for summary in summaries]),
        edges=_sum([summary.edges for summary in summaries]),
        made_by=f"medkg {version('medkg')} export",
    )
    tables.write_summary(summary)
    return tables


def _join(db: duckdb.DuckDBPyConnection, paths: Sequence[Path], order: str, out: Path) -> None:
    db.execute(f"copy (from {_read(paths)} order by {order}) to {sql_path(out)} (format parquet)")


def _read(paths: Sequence[Path]) -> str:
    return f"read_parquet([{', '.join(map(sql_path, paths))}])"


def _sum(counts: Sequence[dict[str, int]]) -> dict[str, int]:
    names = sorted({name for count in counts for name in count})
    return {name: sum(count.get(name, 0) for count in counts) for name in names}

"""Plans a change of layers as a whole, which to remove and which to apply, before it is written.

Each layer is staged against the graph as it will be with those before it, so that an engine may
write all of them or none.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import duckdb
import pyarrow as pa

from cypher.translation import translate
from kg.errors import LayerDoesNotFitError, StoreError
from kg.records import ENTITY
from kg.stores.contents import Contents, Layer
from kg.stores.inspection import inspect_layer, select_columns
from kg.stores.staging import Graph, Staged, stage
from kg.stores.store import Counts, LayersChanged
from kg.tables import EDGE_COLUMNS, NODE_COLUMNS, GraphTables


@dataclass(frozen=True)
class Change:
    """A change of a graph's layers that a caller asks for."""

    add: Sequence[GraphTables] = ()
    """Layers to apply, in this order; one whose name is also in ``remove`` replaces it."""
    remove: Sequence[str] = ()
    """Names of applied layers."""
    kept: Mapping[str, GraphTables] = field(default_factory=dict)
    """Tables of applied layers by name: for edges to be put back, and for layers whose rows depend
    on a layer that is replaced, which are applied again."""
    identities: Path | None = None
    """The build's table of ids (columns id, node): an id of a layer that is no node any more
    stands for the node that it was merged into."""


@dataclass(frozen=True)
class Plan:
    """What a change comes to: the layers to remove, and those to apply."""

    removed: tuple[Layer, ...]
    restored: tuple[GraphTables, ...]
    """Those of the removed layers whose own removals and marks of edges are undone."""
    staged: tuple[Staged, ...]
    remaining: Contents
    """The contents without the removed layers."""
    after: Contents

    def counts(self, before: Counts, removed: Counts) -> Counts:
        """Nodes and edges of the graph afterwards.

        Args:
            before: what it has now.
            removed: what the removed layers had added.
        """
        counts = before.minus(removed)
        for restored_layer in self.restored:
            counts = counts.plus(Counts({}, restored_layer.summary().removed))
        for layer in self.staged:
            counts = counts.plus(layer.counts).minus(Counts({}, layer.summary.removed))
        return counts

    def changed(self, removed: Counts) -> LayersChanged:
        """The result that a store returns once the plan is carried out."""
        added = Counts({}, {})
        for layer in self.staged:
            added = added.plus(layer.counts)
        left_out = {
            layer.applied.name: layer.left_out for layer in self.staged if len(layer.left_out)
        }
        return LayersChanged(
            tuple(layer.applied.name for layer in self.staged),
            added,
            removed,
            left_out,
            sum(layer.applied.vectors for layer in self.staged),
            sum(layer.vectors for layer in self.removed),
        )


def plan(where: str, contents: Contents, graph: Graph, change: Change, folder: Path) -> Plan:
    """Check that a change fits the graph, and write the new rows into ``folder``.

    Args:
        where: the store, as messages name it.
        contents: what the graph holds.
        graph: as it is.
        change: to plan.
        folder: is made.

    Raises:
        TablesError: a layer's tables are not whole.
        LayerDoesNotFitError: as ``Store.change_layers`` says.
        StoreError: a layer to remove is not applied or another one depends on it, or tables that
            are needed are not kept.
    """
    names = [inspect_layer(layer).name for layer in change.add]
    if len(set(names)) < len(names):
        raise LayerDoesNotFitError(
            translate(
                "{where}: two of the layers have one name ({names}); give each its own",
                where=where,
                names=", ".join(names),
            )
        )
    removed, reapplied = _removed_and_reapplied(where, contents, change, set(names))
    if change.add:  # the kept tables restore the removed layers if this fails
        for name in removed:
            if name in change.kept:
                inspect_layer(change.kept[name])
    undone = (contents.changes_of(where, name, change.kept.get(name)) for name in removed)
    restored = tuple(tables for tables in undone if tables)
    remaining = contents.without(removed)
    staying = (
        layer.name for layer in contents.layers if layer.changes and layer.name not in removed
    )
    taken_out = [change.kept[name] for name in staying if name in change.kept]
    preview = _Preview(graph, frozenset(removed), (*restored, *taken_out))
    after = remaining
    staged: list[Staged] = []
    for layer in (*change.add, *reapplied):
        after.check_new(where, layer.summary())
        staged_layer = stage(layer, preview, folder / str(len(staged)), change.identities)
        staged.append(staged_layer)
        preview.staged.append(staged_layer.tables)
        after = after.with_layer(staged_layer.applied)
    applied = tuple(layer for layer in contents.layers if layer.name in removed)
    return Plan(applied, restored, tuple(staged), remaining, after)


def _removed_and_reapplied(
    where: str, contents: Contents, change: Change, new_names: set[str]
) -> tuple[list[str], list[GraphTables]]:
    """Names of the layers to remove, and tables of those that depend on them and are reapplied."""
    removed = [contents.find_layer(where, name).name for name in change.remove]
    reapplied = []
    for layer in contents.layers:
        if layer.name in removed:
            continue
        if needed := sorted(set(layer.needs) & set(removed) - new_names):
            raise StoreError(
                translate(
                    "{where}: layer {name} depends on layer {needed}; remove {name} first with 'medkg layers remove {name}'",
                    where=where,
                    name=layer.name,
                    needed=needed[0],
                )
            )
        if set(layer.needs + layer.mentions) & set(removed):
            tables = change.kept.get(layer.name)
            if tables is None or tables.summary().checksum != layer.checksum:
                raise StoreError(
                    translate(
                        "{where}: layer {name} has edges to nodes of a layer that is removed, and its tables are not kept here, so it could not be applied again; remove it first with 'medkg layers remove {name}'",
                        where=where,
                        name=layer.name,
                    )
                )
            removed.append(layer.name)
            new_names = new_names | {layer.name}
            reapplied.append(tables)
    return removed, reapplied


class _Preview:
    """A graph as it will be: without removed layers, with edges put back and layers staged.

    An edge that a layer takes out is the build's all the same: no other layer adds it again.
    """

    def __init__(
        self, graph: Graph, removed: frozenset[str], built: Sequence[GraphTables]
    ) -> None:
        self._graph = graph
        self._removed = removed
        self._built = built
        self.staged: list[GraphTables] = []

    def find_nodes(self, label: str, ids: pa.Table) -> pa.Table:
        rows = self._without_removed(self._graph.find_nodes(label, ids))
        files = [
            tables.nodes if label == ENTITY else tables.records(label)
            for tables in self.staged
            if label == ENTITY or label in tables.summary().records
        ]
        return _with_rows(rows, files, ("id", "layer"))

    def find_edges(self, relation: str, ends: pa.Table) -> pa.Table:
        rows = self._without_removed(self._graph.find_edges(relation, ends))
        files = [t.edges(relation) for t in self.staged if relation in t.summary().edges]
        files += [t.removed(relation) for t in self._built if relation in t.summary().removed]
        return _with_rows(rows, files, ("head", "tail", "layer"))

    def _without_removed(self, rows: pa.Table) -> pa.Table:
        if not self._removed:
            return rows
        with duckdb.connect() as db:
            db.register("graph_rows", rows)
            return db.sql(
                "from graph_rows where layer is null or not list_contains($removed, layer)",
                params={"removed": sorted(self._removed)},
            ).to_arrow_table()


def _with_rows(rows: pa.Table, files: Sequence[Path], names: Sequence[str]) -> pa.Table:
    if not files:
        return rows
    columns = ", ".join(names)
    selected = [column for column in (*NODE_COLUMNS[:1], *EDGE_COLUMNS) if column.name in names]
    selects = [select_columns(path, selected) for path in files]
    with duckdb.connect() as db:
        db.register("graph_rows", rows)
        query = " union all ".join([f"select {columns} from graph_rows", *selects])  # noqa: S608 - as above
        return db.sql(query).to_arrow_table()

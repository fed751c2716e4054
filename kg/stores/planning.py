"""Which layers go and which come, looked at as a whole before anything is written.

Each layer is staged against the graph as it will be with those before it, so that an engine may
write all of them or none.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import duckdb
import pyarrow as pa

from kg.errors import LayerDoesNotFitError, StoreError
from kg.records import ENTITY
from kg.stores.contents import Contents, Layer
from kg.stores.inspection import inspect_layer, select_columns
from kg.stores.staging import Graph, Staged, stage
from kg.stores.store import Counts, LayersChanged
from kg.tables import EDGE_COLUMNS, NODE_COLUMNS, GraphTables


@dataclass(frozen=True)
class Change:
    """What is to become of a graph's layers."""

    add: Sequence[GraphTables] = ()
    """Layers to apply, in this order; one whose name is also in ``remove`` replaces it."""
    remove: Sequence[str] = ()
    """Names of applied layers."""
    kept: Mapping[str, GraphTables] = field(default_factory=dict)
    """Tables of applied layers by name: for edges to be put back, and for layers whose rows hang
    on a layer that is replaced, which are applied again."""
    identities: Path | None = None
    """The build's table of ids (columns id, node): an id of a layer that is no node any more
    stands for the node that it was merged into."""


@dataclass(frozen=True)
class Plan:
    """The layers that go, and those that come."""

    gone: tuple[Layer, ...]
    restored: tuple[GraphTables, ...]
    """Of the layers that go, those whose removed and marked edges are put back."""
    staged: tuple[Staged, ...]
    left: Contents
    """Without the layers that go."""
    after: Contents

    def counts(self, before: Counts, removed: Counts) -> Counts:
        """What the graph has afterwards.

        Args:
            before: what it has now.
            removed: what the layers that go have added.
        """
        counts = before.less(removed)
        for layer in self.restored:
            counts = counts.plus(Counts({}, layer.summary().removed))
        for each in self.staged:
            counts = counts.plus(each.counts).less(Counts({}, each.summary.removed))
        return counts

    def changed(self, removed: Counts) -> LayersChanged:
        """What a store says when it is done."""
        added = Counts({}, {})
        for each in self.staged:
            added = added.plus(each.counts)
        left_out = {each.applied.name: each.left_out for each in self.staged if len(each.left_out)}
        return LayersChanged(
            tuple(each.applied.name for each in self.staged),
            added,
            removed,
            left_out,
            sum(each.applied.vectors for each in self.staged),
            sum(layer.vectors for layer in self.gone),
        )


def plan(where: str, contents: Contents, graph: Graph, change: Change, folder: Path) -> Plan:
    """Look whether a change fits the graph, and write what is new into ``folder``.

    Args:
        where: the store, as messages name it.
        contents: what the graph holds.
        graph: as it is.
        change: asked for.
        folder: is made.

    Raises:
        TablesError: a layer's tables are not whole.
        LayerDoesNotFitError: as ``Store.change_layers`` says.
        StoreError: a layer to remove is not applied or another one stands on it, or tables that
            are needed are not kept.
    """
    names = [inspect_layer(layer).name for layer in change.add]
    if len(set(names)) < len(names):
        raise LayerDoesNotFitError(
            f"{where}: two of the layers have one name ({', '.join(names)}); give each its own"
        )
    gone, again = _gone(where, contents, change, set(names))
    if change.add:  # what is kept of those that go would bring them back if this failed
        for name in gone:
            if name in change.kept:
                inspect_layer(change.kept[name])
    undone = (contents.changes_of(where, name, change.kept.get(name)) for name in gone)
    restored = tuple(tables for tables in undone if tables)
    left = contents.leaving(gone)
    stays = (layer.name for layer in contents.layers if layer.changes and layer.name not in gone)
    taken_out = [change.kept[name] for name in stays if name in change.kept]
    preview = _Preview(graph, frozenset(gone), (*restored, *taken_out))
    after = left
    staged: list[Staged] = []
    for layer in (*change.add, *again):
        after.check_new(where, layer.summary())
        each = stage(layer, preview, folder / str(len(staged)), change.identities)
        staged.append(each)
        preview.staged.append(each.tables)
        after = after.adding(each.applied)
    applied = tuple(layer for layer in contents.layers if layer.name in gone)
    return Plan(applied, restored, tuple(staged), left, after)


def _gone(
    where: str, contents: Contents, change: Change, added: set[str]
) -> tuple[list[str], list[GraphTables]]:
    """Names of the layers that go, and tables of those that hang on them and come again."""
    gone = [contents.named(where, name).name for name in change.remove]
    again = []
    for layer in contents.layers:
        if layer.name in gone:
            continue
        if held := sorted(set(layer.needs) & set(gone) - added):
            raise StoreError(
                f"{where}: layer {layer.name} stands on layer {held[0]}; remove {layer.name} "
                f"first with 'medkg layers remove {layer.name}'"
            )
        if set(layer.needs + layer.mentions) & set(gone):
            tables = change.kept.get(layer.name)
            if tables is None or tables.summary().checksum != layer.checksum:
                raise StoreError(
                    f"{where}: layer {layer.name} has edges to nodes of a layer that goes, and "
                    f"its tables are not kept here, so it could not be applied again; remove "
                    f"it first with 'medkg layers remove {layer.name}'"
                )
            gone.append(layer.name)
            added = added | {layer.name}
            again.append(tables)
    return gone, again


class _Preview:
    """A graph as it will be: without layers that go, with edges put back and layers staged.

    An edge that a layer takes out is the build's all the same: no other layer adds it again.
    """

    def __init__(self, graph: Graph, gone: frozenset[str], built: Sequence[GraphTables]) -> None:
        self._graph = graph
        self._gone = gone
        self._built = built
        self.staged: list[GraphTables] = []

    def find_nodes(self, label: str, ids: pa.Table) -> pa.Table:
        found = self._stays(self._graph.find_nodes(label, ids))
        new = [
            tables.nodes if label == ENTITY else tables.records(label)
            for tables in self.staged
            if label == ENTITY or label in tables.summary().records
        ]
        return _with_rows(found, new, ("id", "layer"))

    def find_edges(self, relation: str, ends: pa.Table) -> pa.Table:
        found = self._stays(self._graph.find_edges(relation, ends))
        new = [t.edges(relation) for t in self.staged if relation in t.summary().edges]
        new += [t.removed(relation) for t in self._built if relation in t.summary().removed]
        return _with_rows(found, new, ("head", "tail", "layer"))

    def _stays(self, found: pa.Table) -> pa.Table:
        if not self._gone:
            return found
        with duckdb.connect() as db:
            db.register("found", found)
            return db.sql(
                "from found where layer is null or not list_contains($gone, layer)",
                params={"gone": sorted(self._gone)},
            ).to_arrow_table()


def _with_rows(found: pa.Table, files: Sequence[Path], names: Sequence[str]) -> pa.Table:
    if not files:
        return found
    columns = ", ".join(names)
    wanted = [column for column in (*NODE_COLUMNS[:1], *EDGE_COLUMNS) if column.name in names]
    selects = [select_columns(path, wanted) for path in files]
    with duckdb.connect() as db:
        db.register("found", found)
        query = " union all ".join([f"select {columns} from found", *selects])  # noqa: S608 - as above
        return db.sql(query).to_arrow_table()

"""Brings a store to the graph tables of a build, and replays the layers that were on it."""

from dataclasses import dataclass
from pathlib import Path

from kg.errors import MedKGError
from kg.progress import Progress
from kg.stores.store import Counts, Store
from kg.tables import GraphTables


@dataclass(frozen=True)
class LoadResult:
    """What the store holds now."""

    counts: Counts
    """Of the build's own tables, as the store counted them."""
    changed: bool
    """False where the store held exactly these tables already."""
    replayed: tuple[str, ...] = ()
    """Layers applied again, in their order."""
    left_out: tuple[tuple[str, str], ...] = ()
    """Layers that no longer fit, each with the reason."""


def load(tables: GraphTables, layers: Path, store: Store, progress: Progress) -> LoadResult:
    """Load ``tables`` unless the store holds them, then apply its layers again.

    Args:
        tables: of the build.
        layers: the folder with a folder of graph tables for each layer.
        store: replaced as a whole.
        progress: shown while loading.

    Raises:
        TablesError: the tables are not whole.
        StoreError: the store could not be loaded.
    """
    summary = tables.summary()
    stamp = store.stamp()
    if stamp is not None and stamp.checksum == summary.checksum:
        return LoadResult(Counts(summary.nodes, summary.edges), changed=False)
    counts = store.load(tables, progress)
    store.indexes()
    replayed, left_out = [], []
    for name, _ in stamp.layers if stamp is not None else ():
        try:
            store.apply_layer(GraphTables(layers / name), progress)
        except MedKGError as e:
            left_out.append((name, str(e)))
        else:
            replayed.append(name)
    return LoadResult(counts, changed=True, replayed=tuple(replayed), left_out=tuple(left_out))

"""Brings a store to the graph tables of a build, and replays the layers that were on it."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kg.errors import MedKGError
from kg.progress import Progress
from kg.stores.store import Counts, Store
from kg.tables import GraphTables

_UNFINISHED: Final = "unfinished.json"
"""In the folder of layers while a load is under way: the layers to apply again."""


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
    unfinished = layers / _UNFINISHED
    stamp = store.stamp()
    if stamp is None or stamp.checksum != summary.checksum:
        _remember([name for name, _ in stamp.layers] if stamp else [], unfinished)
        counts = store.load(tables, progress)
        store.indexes()
    elif unfinished.exists():
        counts = Counts(summary.nodes, summary.edges)
    else:
        return LoadResult(Counts(summary.nodes, summary.edges), changed=False)
    replayed, left_out = _replay(json.loads(unfinished.read_text()), layers, store, progress)
    unfinished.unlink()
    return LoadResult(counts, True, replayed, left_out)


def _remember(names: list[str], unfinished: Path) -> None:
    """Note which layers to apply again, so that a load that is cut off loses none.

    A note that is there already is of such a load, and stands.
    """
    if not unfinished.exists():
        unfinished.parent.mkdir(parents=True, exist_ok=True)
        fresh = unfinished.with_suffix(".new")
        fresh.write_text(json.dumps(names), encoding="utf-8")
        fresh.replace(unfinished)


def _replay(
    names: list[str], layers: Path, store: Store, progress: Progress
) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """Names of the layers applied, and those that do not fit with the reason."""
    stamp = store.stamp()
    applied = {name for name, _ in stamp.layers} if stamp else set()
    replayed, left_out = [], []
    for name in names:
        if name in applied:
            continue
        try:
            store.apply_layer(GraphTables(layers / name), progress)
        except MedKGError as e:
            left_out.append((name, str(e)))
        else:
            replayed.append(name)
    return tuple(replayed), tuple(left_out)

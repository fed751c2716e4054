"""Layers: graph tables added to a graph after its build, kept for the next build."""

import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kg.errors import TablesError
from kg.progress import Progress
from kg.stores.store import Counts, Store
from kg.tables import GraphTables

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


@dataclass(frozen=True)
class Layer:
    """A layer that the graph has, or that is kept on disk."""

    name: str
    checksum: str
    applied: bool
    kept: bool
    """Its tables are on disk, so that a rebuild can apply it again."""


def list_layers(store: Store, folder: Path) -> list[Layer]:
    """The applied layers in their order, then those only kept, by name.

    Raises:
        TablesError: a kept layer's tables are not whole.
        StoreError: the store does not say what it holds.
    """
    kept = {name: GraphTables(folder / name).summary().checksum for name in _kept(folder)}
    stamp = store.stamp()
    applied = dict(stamp.layers) if stamp else {}
    layers = [Layer(name, sum_, True, name in kept) for name, sum_ in applied.items()]
    rest = sorted(kept.keys() - applied.keys())
    return [*layers, *(Layer(name, kept[name], False, True) for name in rest)]


def _kept(folder: Path) -> Iterator[str]:
    for path in sorted(folder.glob("*/tables.json")):
        if _NAME.fullmatch(path.parent.name):
            yield path.parent.name


def apply_layer(source: Path, store: Store, folder: Path, progress: Progress) -> Counts:
    """Add a layer to the graph and keep its tables in ``folder``.

    Args:
        source: the layer's graph tables, anywhere.
        store: gets the layer.
        folder: where layers are kept, one folder of its name each.
        progress: shown meanwhile.

    Raises:
        TablesError: the tables are not whole, or their name is no folder's name.
        StoreError: the layer is applied already, or does not fit the graph.
    """
    layer = GraphTables(source)
    name = layer.summary().name
    if not _NAME.fullmatch(name):
        raise TablesError(
            f"{source / 'tables.json'}: {name!r} is no layer name; "
            "use letters, digits, '.', '-' and '_'"
        )
    home = folder / name
    if source.resolve() == home.resolve():
        return store.apply_layer(layer, progress)
    partial = folder / f".{name}.partial"
    shutil.rmtree(partial, ignore_errors=True)
    shutil.copytree(source, partial)
    try:
        counts = store.apply_layer(GraphTables(partial), progress)
        # applied, so no other layer of this name is: what is kept of one is out of date
        shutil.rmtree(home, ignore_errors=True)
        partial.rename(home)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return counts

"""Layers: graph tables added to a graph after its build, kept for the next build."""

import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from kg.errors import StoreError, TablesError
from kg.progress import Progress
from kg.stores.disk import disk_errors
from kg.stores.store import Counts, Store
from kg.tables import GraphTables, TableSummary

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
        LayerDoesNotFitError: it is applied already, or does not fit the graph.
        StoreError: the store failed, or the tables cannot be kept in ``folder``.
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
    with disk_errors(folder), _partial(folder, name) as partial:
        shutil.copytree(source, partial, dirs_exist_ok=True)
        counts = store.apply_layer(GraphTables(partial), progress)
        # applied, so no other layer of this name is: what is kept of one is out of date
        shutil.rmtree(home, ignore_errors=True)
        partial.rename(home)
    return counts


def replace_layer(
    source: Path, store: Store, folder: Path, progress: Progress
) -> TableSummary | None:
    """Add a layer as ``apply_layer`` does, in the place of an applied one of its name.

    If that fails or is interrupted, the earlier one is applied again.

    Args:
        source: the layer's graph tables, not those kept in ``folder``.
        store: gets the layer.
        folder: where layers are kept, one folder of its name each.
        progress: shown meanwhile.

    Returns:
        What the earlier one had; None if none was applied.

    Raises:
        TablesError: as for ``apply_layer``, or a kept layer's tables are not whole.
        LayerDoesNotFitError: it does not fit the graph.
        StoreError: the earlier one is not kept, so it could not be applied again; another layer
            stands on it; the store failed, or the tables cannot be kept in ``folder``.
    """
    name = GraphTables(source).summary().name
    if name not in store.applied_layers():
        apply_layer(source, store, folder, progress)
        return None
    stamp = store.stamp()
    applied = dict(stamp.layers).get(name) if stamp else None  # None: half removed
    before = GraphTables(folder / name).summary() if name in _kept(folder) else None
    if before is None or applied not in (before.checksum, None):
        raise StoreError(
            f"{store.uri}: the tables of its layer {name} are not those kept in "
            f"{folder / name}, so it could not be put back if its replacement failed; take it "
            f"out with 'medkg layers remove {name}' first"
        )
    try:
        remove_layer(name, store, folder, progress)
        apply_layer(source, store, folder, progress)
    except BaseException:
        if name not in store.applied_layers():
            apply_layer(folder / name, store, folder, progress)
        raise
    return before


@dataclass(frozen=True)
class Removal:
    """What the removal of a layer does; edges by relation type."""

    taken_out: Counts
    put_back: dict[str, int]
    unmarked: dict[str, int]
    """Edges that lose flags or scores."""
    vectors: int = 0
    """Nodes that lose their vector."""


def remove_layer(name: str, store: Store, folder: Path, progress: Progress) -> Removal:
    """Undo a layer; its tables stay in ``folder``.

    Raises:
        StoreError: no such layer is applied, another one stands on it, or the tables that
            would put edges back are not kept.
    """
    kept = GraphTables(folder / name) if name in _kept(folder) else None
    stamp = store.stamp()
    taken_out = store.remove_layer(name, progress, kept)
    try:
        told = kept.summary() if kept else None
    except TablesError:  # the removal needed none, so nothing was put back
        told = None
    if told and stamp and (name, told.checksum) in stamp.layers:
        return Removal(taken_out, told.removed, told.marked, told.vectors)
    return Removal(taken_out, {}, {})


@contextmanager
def _partial(folder: Path, name: str) -> Iterator[Path]:
    """A folder beside the layers' own, of this call alone, gone afterwards unless renamed."""
    folder.mkdir(parents=True, exist_ok=True)
    partial = Path(tempfile.mkdtemp(prefix=f".{name}.", suffix=".partial", dir=folder))
    try:
        yield partial
    finally:
        shutil.rmtree(partial, ignore_errors=True)

"""Loads the graph tables of a build into a store, and applies its layers again."""

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ingest.check.layer import LAYER
from kg.errors import LayerDoesNotFitError, TablesError
from kg.layer_folder import WaitingLayers, recover_applied, saved_layers
from kg.layers import apply_layers
from kg.progress import Progress
from kg.stores.inspection import inspect_layer
from kg.stores.store import Counts, Revise, Stamp, Store
from kg.tables import GraphTables


@dataclass(frozen=True)
class LoadResult:
    """What the store holds after loading."""

    counts: Counts
    """Of the build's own tables, as the store counted them."""
    changed: bool
    """False where the store held exactly these tables already."""
    replayed: tuple[str, ...] = ()
    """Layers applied again, in their order."""
    left_out: tuple[tuple[str, str], ...] = ()
    """Layers that do not fit, each with the reason; those that are kept wait for the next load."""
    rows_left_out: tuple[tuple[str, int], ...] = ()
    """Layers of which so many rows no longer fit; they are listed beside the kept tables."""


def load(
    tables: GraphTables,
    layers: Path,
    store: Store,
    progress: Progress,
    *,
    revise: Revise | None = None,
    identities: Path | None = None,
) -> LoadResult:
    """Load ``tables`` unless the store holds them, then apply its layers again.

    A layer that does not fit is tried again by each later load, until it fits or is removed.

    Args:
        tables: of the build.
        layers: the folder with a folder of graph tables for each layer.
        store: replaced as a whole.
        progress: shown while loading.
        revise: makes a layer that the new graph has from the start.
        identities: of the build; layers follow ids that were merged since.

    Raises:
        TablesError: the tables are incomplete.
        StoreError: the store could not be loaded, or failed while a layer was applied;
            the next load applies the layers that are missing.
    """
    summary = tables.summary()
    waiting = WaitingLayers(layers, store)
    recover_applied(store, layers)
    stamp = store.stamp()
    new = stamp is None or stamp.checksum != summary.checksum or _check_is_lost(stamp, layers)
    if new:
        # the rules are applied anew
        waiting.add(name for name in store.applied_layers() if name != LAYER)
        counts = store.load(tables, progress, revise)
    else:
        counts = Counts(summary.nodes, summary.edges)
    names = waiting.names()
    replayed, left_out, rows = _replay(list(names), layers, store, progress, identities)
    saved = saved_layers(layers)
    waiting.replace(name for name, _ in left_out if name in saved)
    return LoadResult(
        counts, new or bool(replayed), replayed, left_out, tuple(sorted(rows.items()))
    )


def _check_is_lost(stamp: Stamp, layers: Path) -> bool:
    """Whether the store has a layer of rules whose tables are lost, so that it cannot be undone."""
    applied = dict(stamp.layers).get(LAYER)
    try:
        return (
            applied is not None and inspect_layer(GraphTables(layers / LAYER)).checksum != applied
        )
    except TablesError:
        return True


def _replay(
    names: list[str], layers: Path, store: Store, progress: Progress, identities: Path | None
) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...], dict[str, int]]:
    """Apply layers: names of those applied, of those that do not fit with why, and rows left out.

    All are applied in one step, or one by one where one of them does not fit.

    Raises:
        StoreError: the store failed.
    """
    applied = store.applied_layers()
    missing = [name for name in names if name not in applied]

    rows: dict[str, int] = {}

    def apply(layer_names: list[str]) -> None:
        sources = [layers / name for name in layer_names]
        result = apply_layers(sources, store, layers, progress, identities=identities)
        rows.update({name: len(listed) for name, listed in result.changed.left_out.items()})

    if missing:
        with suppress(LayerDoesNotFitError, TablesError):
            apply(missing)
            return tuple(missing), (), rows
    replayed, left_out = [], []
    for name in missing:
        try:
            apply([name])
        except (LayerDoesNotFitError, TablesError) as e:
            left_out.append((name, str(e)))
        else:
            replayed.append(name)
    return tuple(replayed), tuple(left_out), rows

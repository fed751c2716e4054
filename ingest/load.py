"""Brings a store to the graph tables of a build, and replays the layers that were on it."""

import json
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ingest.check.layer import LAYER
from kg.errors import LayerDoesNotFitError, TablesError
from kg.layers import apply_layers
from kg.progress import Progress
from kg.stores.store import Counts, Revise, Stamp, Store
from kg.tables import GraphTables

_UNFINISHED: Final = "unfinished.json"
"""In the folder of layers while a load is under way: each store's layers to apply again."""


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

    Args:
        tables: of the build.
        layers: the folder with a folder of graph tables for each layer.
        store: replaced as a whole.
        progress: shown while loading.
        revise: gives a layer that the new graph has from the start.
        identities: of the build, by which layers find what their ids were merged into.

    Raises:
        TablesError: the tables are not whole.
        StoreError: the store could not be loaded, or failed while a layer was applied;
            the next load applies the layers that are missing.
    """
    summary = tables.summary()
    unfinished = _Unfinished(layers / _UNFINISHED, store)
    stamp = store.stamp()
    if stamp is None or stamp.checksum != summary.checksum or _check_is_lost(stamp, layers):
        # what the rules found is found anew
        unfinished.add(tuple(name for name in store.applied_layers() if name != LAYER))
        counts = store.load(tables, progress, revise)
    elif unfinished.names() is not None:
        counts = Counts(summary.nodes, summary.edges)
    else:
        return LoadResult(Counts(summary.nodes, summary.edges), changed=False)
    names = unfinished.names() or []
    replayed, left_out, rows = _replay(names, layers, store, progress, identities)
    unfinished.clear()
    return LoadResult(counts, True, replayed, left_out, tuple(sorted(rows.items())))


def _check_is_lost(stamp: Stamp, layers: Path) -> bool:
    """Whether the store has a layer of rules whose tables, which would undo it, are not kept."""
    applied = dict(stamp.layers).get(LAYER)
    try:
        return applied is not None and GraphTables(layers / LAYER).summary().checksum != applied
    except TablesError:
        return True


class _Unfinished:
    """The note of a store's layers, so that a load that is cut off loses none."""

    def __init__(self, path: Path, store: Store) -> None:
        self._path = path
        local = store.engine == "embedded"  # the same file, whichever folder it is named from
        self._store = str(Path(store.uri).resolve()) if local else store.uri

    def names(self) -> list[str] | None:
        """The layers to apply again; None where no load of the store is unfinished."""
        return self._read().get(self._store)

    def add(self, names: tuple[str, ...]) -> None:
        """Note these besides those of a load that was cut off."""
        notes = self._read()
        notes[self._store] = list(dict.fromkeys([*notes.get(self._store, []), *names]))
        self._write(notes)

    def clear(self) -> None:
        """The store's load is done."""
        notes = self._read()
        del notes[self._store]
        if notes:
            self._write(notes)
        else:
            self._path.unlink()

    def _read(self) -> dict[str, list[str]]:
        if not self._path.exists():
            return {}
        return dict(json.loads(self._path.read_text(encoding="utf-8")))

    def _write(self, notes: dict[str, list[str]]) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        fresh = self._path.with_suffix(".new")
        fresh.write_text(json.dumps(notes), encoding="utf-8")
        fresh.replace(self._path)


def _replay(
    names: list[str], layers: Path, store: Store, progress: Progress, identities: Path | None
) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...], dict[str, int]]:
    """Names of the layers applied, those that do not fit with the reason, and rows left out.

    All are applied in one step, or one by one where one of them does not fit.

    Raises:
        StoreError: the store failed, which says nothing about the layer.
    """
    applied = store.applied_layers()
    wanted = [name for name in names if name not in applied]

    rows: dict[str, int] = {}

    def apply(some: list[str]) -> None:
        sources = [layers / name for name in some]
        done = apply_layers(sources, store, layers, progress, identities=identities)
        rows.update({name: len(listed) for name, listed in done.changed.left_out.items()})

    if wanted:
        with suppress(LayerDoesNotFitError, TablesError):
            apply(wanted)
            return tuple(wanted), (), rows
    replayed, left_out = [], []
    for name in wanted:
        try:
            apply([name])
        except (LayerDoesNotFitError, TablesError) as e:
            left_out.append((name, str(e)))
        else:
            replayed.append(name)
    return tuple(replayed), tuple(left_out), rows

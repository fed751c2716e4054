"""The folder of kept layers: their tables, the rows that did not fit, and the layers that wait."""

import json
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

import pyarrow.parquet as pq

from kg.errors import StoreError, TablesError
from kg.stores.disk import disk_errors, writer_lock
from kg.stores.store import LayersChanged, Store
from kg.tables import GraphTables

LAYER_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
"""Valid names of a layer, which are names of its folder too."""

_PARTIAL_FOLDERS: Final = ".*.partial"
"""Unfinished copies of layers that are being applied."""

_WAITING_FILE: Final = "unfinished.json"
"""Has the names of waiting layers by the store that waits for them."""


def saved_layers(folder: Path) -> dict[str, GraphTables]:
    """The tables of the layers kept in ``folder``, by name."""
    return {
        path.parent.name: GraphTables(path.parent)
        for path in sorted(folder.glob("*/tables.json"))
        if LAYER_NAME.fullmatch(path.parent.name)
    }


def count_left_out(home: Path) -> int:
    """How many rows of a kept layer did not fit when it was applied."""
    path = GraphTables(home).left_out
    return int(pq.read_metadata(path).num_rows) if path.is_file() else 0


def write_left_out(folder: Path, changed: LayersChanged) -> None:
    """Write the rows that did not fit beside the kept tables of their layers."""
    for name in changed.applied:
        path = GraphTables(folder / name).left_out
        if name in changed.left_out:
            pq.write_table(changed.left_out[name], path)
        else:
            path.unlink(missing_ok=True)


def recover_applied(store: Store, folder: Path) -> None:
    """Keep the tables of layers that a process applied and was killed before it kept them.

    Copies of layers that were not applied are deleted. Nothing is done while another process
    applies a layer.

    Raises:
        StoreError: the store failed, or the folder cannot be written.
    """
    if not any(folder.glob(_PARTIAL_FOLDERS)):
        return
    stamp = store.stamp()
    applied = dict(stamp.layers) if stamp else {}
    with ExitStack() as stack:
        try:
            stack.enter_context(writer_lock(folder))
        except StoreError:  # the copies belong to the process that holds the lock
            return
        stack.enter_context(disk_errors(folder))
        for partial in sorted(folder.glob(_PARTIAL_FOLDERS)):
            try:
                summary = GraphTables(partial).summary()
                is_applied = applied.get(summary.name) == summary.checksum
            except TablesError:  # half a copy
                is_applied = False
            if is_applied:
                shutil.rmtree(folder / summary.name, ignore_errors=True)
                partial.rename(folder / summary.name)
            else:
                shutil.rmtree(partial)


@contextmanager
def partial_folder(folder: Path, name: str) -> Iterator[Path]:
    """A new folder beside those of the layers; deleted when the block ends, unless it was renamed."""
    folder.mkdir(parents=True, exist_ok=True)
    partial = Path(tempfile.mkdtemp(prefix=f".{name}.", suffix=".partial", dir=folder))
    try:
        yield partial
    finally:
        shutil.rmtree(partial, ignore_errors=True)


class WaitingLayers:
    """The layers that a store had and is to get again as soon as they fit.

    Args:
        folder: where layers are kept.
        store: which waits.
    """

    def __init__(self, folder: Path, store: Store) -> None:
        self._path = folder / _WAITING_FILE
        local = store.engine == "embedded"  # the same file, whichever folder it is named from
        self._store = str(Path(store.uri).resolve()) if local else store.uri

    def names(self) -> tuple[str, ...]:
        """The layers that wait, in the order of their application."""
        return tuple(self._read().get(self._store, ()))

    def add(self, names: Iterable[str]) -> None:
        """Let layers wait that the store has now, before those that wait already.

        A waiting layer may depend on one that is applied, never the other way round.
        """
        self.replace((*names, *self.names()))

    def replace(self, names: Iterable[str]) -> None:
        """Let exactly these layers wait."""
        waiting_by_store = self._read()
        before = waiting_by_store.pop(self._store, [])
        waiting = list(dict.fromkeys(names))
        if waiting == before:
            return
        if waiting:
            waiting_by_store[self._store] = waiting
        self._path.parent.mkdir(parents=True, exist_ok=True)
        draft = self._path.with_suffix(".new")
        draft.write_text(json.dumps(waiting_by_store), encoding="utf-8")
        draft.replace(self._path)
        if not waiting_by_store:
            self._path.unlink()

    def discard(self, names: Iterable[str]) -> None:
        """Remove these from the waiting layers."""
        discarded = set(names)
        self.replace(name for name in self.names() if name not in discarded)

    def _read(self) -> dict[str, list[str]]:
        if not self._path.exists():
            return {}
        return dict(json.loads(self._path.read_text(encoding="utf-8")))

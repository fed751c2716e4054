"""The folder in which layers are kept: their tables, what did not fit, and which of them wait."""

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
"""What the name of a layer, which is that of its folder, may be."""

_PARTIAL: Final = ".*.partial"
"""Copies of layers that are being applied."""

_FILE: Final = "unfinished.json"
"""Names of layers by the store that waits for them."""


def kept_layers(folder: Path) -> dict[str, GraphTables]:
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


def list_left_out(folder: Path, changed: LayersChanged) -> None:
    """Write the rows that did not fit beside the kept tables of their layers."""
    for name in changed.applied:
        path = GraphTables(folder / name).left_out
        if name in changed.left_out:
            pq.write_table(changed.left_out[name], path)
        else:
            path.unlink(missing_ok=True)


def keep_applied(store: Store, folder: Path) -> None:
    """Keep the tables of layers that a process applied and was killed before it kept them.

    Copies of layers that were not applied are deleted. Nothing is done while another process
    applies a layer.

    Raises:
        StoreError: the store failed, or the folder cannot be written.
    """
    if not any(folder.glob(_PARTIAL)):
        return
    stamp = store.stamp()
    applied = dict(stamp.layers) if stamp else {}
    with ExitStack() as stack:
        try:
            stack.enter_context(writer_lock(folder))
        except StoreError:  # they are of the one that is at work
            return
        stack.enter_context(disk_errors(folder))
        for partial in sorted(folder.glob(_PARTIAL)):
            try:
                told = GraphTables(partial).summary()
                is_applied = applied.get(told.name) == told.checksum
            except TablesError:  # half a copy
                is_applied = False
            if is_applied:
                shutil.rmtree(folder / told.name, ignore_errors=True)
                partial.rename(folder / told.name)
            else:
                shutil.rmtree(partial)


@contextmanager
def partial_copy(folder: Path, name: str) -> Iterator[Path]:
    """A folder beside the layers' own, of this call alone, gone afterwards unless renamed."""
    folder.mkdir(parents=True, exist_ok=True)
    partial = Path(tempfile.mkdtemp(prefix=f".{name}.", suffix=".partial", dir=folder))
    try:
        yield partial
    finally:
        shutil.rmtree(partial, ignore_errors=True)


class Waiting:
    """The layers that a store had and is to get again as soon as they fit.

    Args:
        folder: where layers are kept.
        store: which waits.
    """

    def __init__(self, folder: Path, store: Store) -> None:
        self._path = folder / _FILE
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
        """Let these wait and no others."""
        notes = self._read()
        before = notes.pop(self._store, [])
        now = list(dict.fromkeys(names))
        if now == before:
            return
        if now:
            notes[self._store] = now
        self._path.parent.mkdir(parents=True, exist_ok=True)
        fresh = self._path.with_suffix(".new")
        fresh.write_text(json.dumps(notes), encoding="utf-8")
        fresh.replace(self._path)
        if not notes:
            self._path.unlink()

    def discard(self, names: Iterable[str]) -> None:
        """Let these wait no longer."""
        gone = set(names)
        self.replace(name for name in self.names() if name not in gone)

    def _read(self) -> dict[str, list[str]]:
        if not self._path.exists():
            return {}
        return dict(json.loads(self._path.read_text(encoding="utf-8")))

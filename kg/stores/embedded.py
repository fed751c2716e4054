"""The embedded store: a Ladybug file that is replaced as a whole and never written in place."""

import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from cypher import Query
from kg.errors import StoreError
from kg.progress import Progress, Silent
from kg.stores.answers import Questions, plain
from kg.stores.changing import change, restore
from kg.stores.contents import Contents
from kg.stores.disk import disk_errors, publish, writer_lock
from kg.stores.drafting import (
    WholeGraph,
    add_rows,
    add_vectors,
    build,
    check_schema,
    count,
    count_layer,
    export,
    read_contents,
    verify,
    write_contents,
)
from kg.stores.graph_file import GraphFile, UnusableFileError
from kg.stores.inspection import inspect
from kg.stores.staging import stage
from kg.stores.store import Counts, Engine, Revise, Rows, Stamp, Value
from kg.tables import GraphTables

QUERY_TIMEOUT: Final = 60.0
"""Seconds a query may take."""

_SIDECARS: Final = (".wal", ".wal.checkpoint", ".shadow", ".tmp")
"""What the engine keeps beside a file that is being written, and would read with it."""

_SILENT: Final = Silent()


class EmbeddedStore:
    """The graph in one file, which need not be there yet.

    A file that is open keeps what it held when it was opened, also while another
    process puts a new one in its place; ``close`` and ask again to see that.
    """

    engine: Engine = "embedded"

    def __init__(self, path: Path, timeout: float = QUERY_TIMEOUT) -> None:
        self.path = path
        self.uri = str(path)
        self._timeout = timeout
        self._questions = Questions(self.engine)
        self._reader: GraphFile | None = None
        self._opening = threading.Lock()

    def query(self, asked: str | Query, /, **arguments: Value) -> Rows:
        """Run a query, named as in the catalogue or read from another file.

        Raises:
            QueryError: no query has that name, it is not for this engine, or the
                arguments do not fit its header.
            StoreError: there is no graph yet, the engine failed or timed out.
        """
        question = self._questions.ask(asked, arguments)
        columns, rows = self._file().rows(question.text, question.arguments)
        return Rows(columns, tuple(tuple(map(plain, row)) for row in rows))

    def load(
        self, tables: GraphTables, progress: Progress = _SILENT, revise: Revise | None = None
    ) -> Counts:
        """Replace the whole graph, layers included, by ``tables`` and a layer made of them.

        Raises:
            TablesError: the tables are not whole.
            StoreError: the engine failed, another process is writing, or the disk is
                full; the graph before the call is still there.
        """
        checksum = inspect(tables).checksum
        with self._replacing() as work:
            draft = work / self.path.name
            build(draft, tables, Contents(checksum=checksum), progress)
            with GraphFile(draft) as file:
                counts = verify(file, tables, progress)
            if revise:
                with EmbeddedStore(draft, self._timeout) as loaded:
                    layer = revise(loaded)
                    if layer:
                        loaded.apply_layer(layer, progress)
        return counts

    def apply_layer(self, layer: GraphTables, progress: Progress = _SILENT) -> Counts:
        """Add what a layer has; take out and mark edges, and give nodes vectors.

        A layer that changes edges takes as long as a load: the file is made anew.

        Raises:
            TablesError: the layer's tables are not whole.
            LayerDoesNotFitError: as ``Store.apply_layer`` says.
            StoreError: as for ``load``.
        """
        summary = inspect(layer)
        with self._replacing() as work:
            draft = work / self.path.name
            with self._checked() as graph:
                contents = read_contents(graph)
                contents.check_new(self.uri, summary)
                staged = stage(layer, WholeGraph(graph), work / "layer")
                before = count(graph)
                changed = export(graph, work / "changed") if summary.changes else None
            if changed:
                change(changed, layer)
                build(draft, changed, contents, progress)
            else:
                shutil.copyfile(self.path, draft)
            with GraphFile(draft, write=True) as file:
                add_rows(file, staged.tables, progress)
                add_vectors(file, layer, progress)
                write_contents(file, contents.adding(staged.applied))
            with GraphFile(draft) as file:
                _expect(file, before.less(summary.removed).plus(staged.counts))
        return staged.counts

    def remove_layer(
        self, name: str, progress: Progress = _SILENT, kept: GraphTables | None = None
    ) -> Counts:
        """Take out what the layer of that name added, and put back what it took out.

        The file is made anew from what stays: the engine deletes about a thousand
        edges a second and loads 150,000.

        Raises:
            StoreError: as ``Store.remove_layer`` says, or as for ``load``.
        """
        with self._replacing() as work:
            with self._checked() as graph:
                contents = read_contents(graph)
                changes = contents.changes_of(self.uri, name, kept)
                contents = contents.without(self.uri, name)
                removed = count_layer(graph, name)
                left = export(graph, work / "left", without=name)
            if changes:
                restore(left, changes)
            draft = work / self.path.name
            build(draft, left, contents, progress)
            with GraphFile(draft) as file:
                verify(file, left, progress)
        return removed

    def counts(self) -> Counts:
        """Count nodes by type and edges by relation type in the file itself.

        Raises:
            StoreError: there is no graph yet.
        """
        return count(self._file())

    def stamp(self) -> Stamp | None:
        """What the file says it holds; None for one that is missing or of another version.

        Raises:
            StoreError: it cannot be read.
        """
        try:
            return read_contents(self._file()).stamp()
        except UnusableFileError:
            return None

    def applied_layers(self) -> tuple[str, ...]:
        """Names of the applied layers in their order; none where the engine cannot read the file.

        Raises:
            StoreError: the file cannot be read.
        """
        try:
            with GraphFile(self.path) as file:  # of another version of medkg, perhaps
                return read_contents(file).names
        except UnusableFileError:
            return ()

    def indexes(self) -> tuple[str, ...]:
        """The one index that the engine makes by itself."""
        return ("Entity(id)",)

    def close(self) -> None:
        """Close the file; a second call does nothing, a later query opens it again."""
        with self._opening:
            reader, self._reader = self._reader, None
        if reader:
            reader.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _file(self) -> GraphFile:
        with self._opening:
            if self._reader is None:
                self._reader = self._checked(self._timeout)
            return self._reader

    def _checked(self, timeout: float = 0) -> GraphFile:
        """The file, open to be read, and of this version."""
        file = GraphFile(self.path, timeout=timeout)
        try:
            check_schema(file)
        except BaseException:
            file.close()
            raise
        return file

    @contextmanager
    def _replacing(self) -> Iterator[Path]:
        """A folder in which to make the file that then takes the graph's place."""
        work = self.path.with_name(f"{self.path.name}.new")
        with writer_lock(self.path), disk_errors(self.path):
            shutil.rmtree(work, ignore_errors=True)  # what a killed process left
            work.mkdir()
            try:
                yield work
                self._publish(work / self.path.name)
            finally:
                shutil.rmtree(work, ignore_errors=True)
        self.close()

    def _publish(self, draft: Path) -> None:
        if left := [s for s in _SIDECARS if draft.with_name(draft.name + s).exists()]:
            raise StoreError(
                f"{draft}: the engine left {draft.name}{left[0]} behind, so the file is not "
                "whole; run the command again, and report this if it stays"
            )
        for sidecar in _SIDECARS:  # of a file that another program wrote in place
            self.path.with_name(self.path.name + sidecar).unlink(missing_ok=True)
        publish(draft, self.path)


def _expect(file: GraphFile, expected: Counts) -> None:
    if count(file) != expected:
        raise StoreError(
            f"{file.path}: the engine holds other counts than the graph and the layer have; "
            "run the command again, and report this if it stays"
        )

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
from kg.stores.changing import restore, take_out_and_mark
from kg.stores.contents import Contents
from kg.stores.disk import disk_errors, publish, writer_lock
from kg.stores.drafting import (
    WholeGraph,
    add_rows,
    add_vectors,
    build,
    check_schema,
    count,
    export,
    read_contents,
    verify,
    write_contents,
)
from kg.stores.graph_file import GraphFile, UnusableFileError
from kg.stores.inspection import inspect
from kg.stores.planning import Change, plan
from kg.stores.store import Counts, Engine, LayersChanged, Revise, Rows, Stamp, Value
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
                        loaded.change_layers(Change([layer]), progress)
        return counts

    def change_layers(self, change: Change, progress: Progress = _SILENT) -> LayersChanged:
        """Take layers out and apply others, in one new file that takes the old one's place.

        Rows are added to a copy of the file; where some go, or edges of the build change, it is
        made anew: the engine deletes about a thousand edges a second and loads 150,000.

        Raises:
            TablesError: a layer's tables are not whole, or a later medkg made them.
            LayerDoesNotFitError: as ``Store.change_layers`` says.
            StoreError: as ``Store.change_layers`` says, or as for ``load``.
        """
        with self._replacing() as work:
            draft = work / self.path.name
            with self._checked() as graph:
                contents = read_contents(graph)
                planned = plan(self.uri, contents, WholeGraph(graph), change, work / "staged")
                gone = [layer.name for layer in planned.gone]
                before, removed = count(graph), count(graph, gone)
                anew = bool(gone) or any(each.applied.changes for each in planned.staged)
                tables = export(graph, work / "left", gone) if anew else []
            if anew:
                for layer in planned.restored:
                    restore(tables[0], layer)
                for each in planned.staged:
                    take_out_and_mark(tables[0], each.tables)
                build(draft, tables[0], planned.left, progress, tables[1:])
            else:
                shutil.copyfile(self.path, draft)
            with GraphFile(draft, write=True) as file:
                for each in planned.staged:
                    add_rows(file, each.tables, progress)
                    add_vectors(file, each.tables, progress)
                write_contents(file, planned.after)
            with GraphFile(draft) as file:
                _expect(file, planned.counts(before, removed))
        return planned.changed(removed)

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

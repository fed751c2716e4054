"""The embedded store: a Ladybug file that is replaced as a whole and never written in place."""

import shutil
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from cypher import Query
from kg.configuration import QUERY_TIMEOUT
from kg.errors import StoreError
from kg.progress import Progress, Silent
from kg.stores.answers import Question, Questions, checked_timeout
from kg.stores.calls import Call, Callers, closed
from kg.stores.changing import restore, take_out_and_mark
from kg.stores.contents import Contents
from kg.stores.disk import disk_errors, publish, writer_lock
from kg.stores.drafting import (
    WholeGraph,
    add_tables,
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

READERS: Final = 16
"""Queries that run side by side; more wait for their turn. More than there are cores, so that
long ones hold back no short ones."""

_SIDECARS: Final = (".wal", ".wal.checkpoint", ".shadow", ".tmp")
"""Suffixes of files that the engine keeps beside one it writes, and would read with it."""

_SILENT: Final = Silent()


class EmbeddedStore:
    """The graph in one file, which need not be there yet.

    Queries are answered from the file that was there when the first one was asked, also while
    another store or process puts a new one in its place: open another store to see that one.
    What this store itself loads, applies or removes is seen by the queries asked afterwards;
    those that run end on the file that they began on.

    Args:
        path: the file.
        timeout: seconds a query may take unless it is given others.
    """

    engine: Engine = "embedded"

    def __init__(self, path: Path, timeout: float = QUERY_TIMEOUT) -> None:
        self.path = path
        self.uri = str(path)
        self._timeout = timeout
        self._questions = Questions(self.engine)
        self._callers = Callers(self.uri, READERS)
        self._snapshot: GraphFile | None = None
        self._users: Counter[GraphFile] = Counter()
        self._lock = threading.Lock()
        self._closed = False

    def query(self, query: str | Query, /, *, timeout: Value = None, **arguments: Value) -> Rows:
        """Run a query, named as in the catalogue or read from another file.

        Raises:
            QueryError: no query has that name, it is not for this engine, or the
                arguments do not fit its header.
            QueryTooLargeError: time or memory ran out.
            StoreError: there is no graph yet, the engine failed, or the store was closed.
            ValueError: the timeout is not more than 0.
        """
        question = self._questions.ask(query, arguments)
        seconds = checked_timeout(timeout, self._timeout)
        return self._answer(question, seconds, None)

    def cypher(
        self, text: str, /, *, timeout: Value = None, as_is: Value = False, **parameters: Value
    ) -> Rows:
        """Run a statement of one's own, read-only.

        Raises:
            NotPortableError: as ``Store.cypher`` says.
            QueryError: as ``Store.cypher`` says.
            QueryTooLargeError: as for ``query``.
            StoreError: as for ``query``.
            ValueError: as for ``query``.
        """
        query = self._questions.free(text, parameters, as_is=bool(as_is))
        return self.query(query, timeout=timeout, **parameters)

    async def aquery(
        self,
        query: str | Query,
        /,
        *,
        timeout: Value = None,  # noqa: ASYNC109 - as ``query`` has it
        **arguments: Value,
    ) -> Rows:
        """As ``query``, without keeping the event loop waiting.

        Raises:
            QueryError: as for ``query``.
            QueryTooLargeError: as for ``query``.
            StoreError: as for ``query``.
            ValueError: as for ``query``.
        """
        question = self._questions.ask(query, arguments)
        seconds = checked_timeout(timeout, self._timeout)
        return await self._callers.wait(
            lambda call: self._answer(question, seconds, call), seconds
        )

    def _answer(self, question: Question, seconds: float, call: Call | None) -> Rows:
        with self._reading() as file:
            columns, rows = file.rows(question.text, question.arguments, seconds, call)
        return question.answer(columns, rows)

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
                        loaded._change_layers(Change([layer]), progress, tables)
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
        return self._change_layers(change, progress)

    def _change_layers(
        self, change: Change, progress: Progress, loaded: GraphTables | None = None
    ) -> LayersChanged:
        """As ``change_layers``; ``loaded`` is all that the file holds, where that is at hand."""
        with self._replacing() as work:
            draft = work / self.path.name
            with self._open() as graph:
                contents = read_contents(graph)
                planned = plan(self.uri, contents, WholeGraph(graph), change, work / "staged")
                removed_names = [layer.name for layer in planned.removed]
                before, removed_counts = count(graph), count(graph, removed_names)
                rebuild = bool(removed_names) or any(
                    staged.applied.changes for staged in planned.staged
                )
                if rebuild and loaded:
                    tables = [GraphTables(shutil.copytree(loaded.folder, work / "left"))]
                elif rebuild:
                    tables = export(graph, work / "left", removed_names)
            if rebuild:
                for layer in planned.restored:
                    restore(tables[0], layer)
                for staged in planned.staged:
                    take_out_and_mark(tables[0], staged.tables)
                build(draft, tables[0], planned.remaining, progress, tables[1:])
            else:
                shutil.copyfile(self.path, draft)
            with GraphFile(draft, write=True) as file:
                for staged in planned.staged:
                    add_tables(file, staged.tables, progress)
                write_contents(file, planned.after)
            with GraphFile(draft) as file:
                _expect(file, planned.counts(before, removed_counts))
        return planned.changed(removed_counts)

    def counts(self) -> Counts:
        """Count nodes by type and edges by relation type in the file itself.

        Raises:
            StoreError: there is no graph yet.
        """
        with self._reading() as file:
            return count(file)

    def stamp(self) -> Stamp | None:
        """What the file says it holds; None for one that is missing or of another version.

        Raises:
            StoreError: it cannot be read.
        """
        try:
            with self._reading() as file:
                return read_contents(file).stamp()
        except UnusableFileError:
            return None

    def applied_layers(self) -> tuple[str, ...]:
        """Names of the applied layers in their order; none where the engine cannot read the file.

        Raises:
            StoreError: the file cannot be read.
        """
        self._check_open()
        try:
            with GraphFile(self.path) as file:  # of another version of medkg, perhaps
                return read_contents(file).names
        except UnusableFileError:
            return ()

    def indexes(self) -> tuple[str, ...]:
        """The one index that the engine makes by itself."""
        return ("Entity(id)",)

    def close(self) -> None:
        """Stop the queries that run, and close the file; a second call does nothing.

        They and those asked later fail with a StoreError.
        """
        with self._lock:
            self._closed = True
            self._callers.close()
            files = list(self._users)
            self._snapshot = None
        for file in files:
            file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @contextmanager
    def _reading(self) -> Iterator[GraphFile]:
        """The file as it is now, which is not closed before the block ends."""
        with self._lock:
            self._check_open()
            if self._snapshot is None:
                self._snapshot = self._open(self._timeout, READERS)
            file = self._snapshot
            self._users[file] += 1
        try:
            yield file
        finally:
            self._release(file)

    def _check_open(self) -> None:
        if self._closed:
            raise closed(self.uri)

    def _release(self, file: GraphFile) -> None:
        with self._lock:
            self._users[file] -= 1
            done = file is not self._snapshot and not self._users[file]
            if done:
                del self._users[file]
        if done:
            file.close()

    def _drop_snapshot(self) -> None:
        """Let later queries open the new file; the last query on the old one closes it."""
        with self._lock:
            file, self._snapshot = self._snapshot, None
            if file:
                self._users[file] += 1
        if file:
            self._release(file)

    def _open(self, timeout: float = 0, readers: int = 1) -> GraphFile:
        """Open the file to be read, once it is known to be of this version."""
        file = GraphFile(self.path, timeout=timeout, readers=readers)
        try:
            check_schema(file)
        except BaseException:
            file.close()
            raise
        return file

    @contextmanager
    def _replacing(self) -> Iterator[Path]:
        """A folder in which to make the file that then takes the graph's place."""
        self._check_open()
        work = self.path.with_name(f"{self.path.name}.new")
        with writer_lock(self.path), disk_errors(self.path):
            shutil.rmtree(work, ignore_errors=True)  # what a killed process left
            work.mkdir()
            try:
                yield work
                self._publish(work / self.path.name)
            finally:
                shutil.rmtree(work, ignore_errors=True)
        self._drop_snapshot()

    def _publish(self, draft: Path) -> None:
        if sidecars := [
            suffix for suffix in _SIDECARS if draft.with_name(draft.name + suffix).exists()
        ]:
            raise StoreError(
                f"{draft}: the engine left {draft.name}{sidecars[0]} behind, so the file is not "
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

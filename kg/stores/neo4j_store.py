"""The Neo4j store: one database of a server or a cluster, over Bolt."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock, get_ident
from time import monotonic, sleep
from types import TracebackType
from typing import Final, Self

from cypher import Query
from kg.configuration import QUERY_TIMEOUT
from kg.errors import QueryTooLargeError, StoreError
from kg.progress import Progress, Silent
from kg.stores.answers import Question, Questions, checked_timeout, plain_rows
from kg.stores.calls import Call, Callers
from kg.stores.contents import Contents
from kg.stores.disk import disk_errors
from kg.stores.inspection import inspect
from kg.stores.neo4j_errors import NO_VECTORS, Address
from kg.stores.neo4j_graph import (
    RemoteGraph,
    count,
    drop_vector_index,
    ensure_constraints,
    ensure_indexes,
    read_stamp,
    write_stamp,
)
from kg.stores.neo4j_schema import VECTOR_INDEX
from kg.stores.neo4j_session import Neo4jDatabase
from kg.stores.neo4j_vectors import delete_vectors, write_vectors
from kg.stores.neo4j_writing import (
    change_edges,
    delete_all,
    delete_layer,
    finish_import,
    restore_edges,
    write_tables,
)
from kg.stores.staging import stage
from kg.stores.statements import statement
from kg.stores.store import Counts, Engine, Revise, Rows, Stamp, Value
from kg.tables import GraphTables

_CALLERS: Final = 32
"""Queries of ``aquery`` that run side by side; more wait for their turn."""

_LOOK_AGAIN: Final = 0.1
"""Seconds between two looks at a graph that is being written."""

_LOOKS_FOR_WRITERS: Final = 10
"""Such looks from one for its writer to the next."""

_SILENT: Final = Silent()


class Neo4jStore:
    """The graph in Neo4j: every node labelled ``:Entity`` belongs to it.

    Writes take many transactions, so queries wait until they are done. One that met a write
    is asked again; a graph whose writing was cut off has no answers until it is written again.

    Args:
        uri: address of the server or cluster.
        user: its user.
        password: None: none is asked for.
        database: its name.
        timeout: seconds a query may take unless it is given others. The server looks for
            those whose time is over every 2 seconds.

    Raises:
        StoreUnreachableError: nothing answers at ``uri``, or it refuses the credentials.
        StoreError: the server is older than Neo4j 5, or has no such database.
    """

    engine: Engine = "neo4j"

    def __init__(
        self,
        uri: str,
        user: str,
        password: str | None,
        database: str,
        timeout: float = QUERY_TIMEOUT,
    ) -> None:
        self.uri = uri
        self._timeout = timeout
        self._questions = Questions(self.engine)
        self._callers = Callers(uri, _CALLERS)
        self._state: str | None = None
        """Of the graph when it was last read and whole."""
        self._looking = Lock()
        self._revising: int | None = None
        """The thread that reads what it has loaded, before the graph is whole for others."""
        self._database = Neo4jDatabase(Address(uri, user, database), password)

    def query(self, asked: str | Query, /, *, timeout: Value = None, **arguments: Value) -> Rows:
        """Run a query, named or read from another file; a cluster answers from any member.

        Raises:
            QueryError: no query has that name, it is not for this engine, or the
                arguments do not fit its header.
            QueryTooLargeError: time or memory ran out.
            StoreError: the server failed, holds no whole graph, or the store was closed; or
                vectors are asked for, and no layer gives some.
            ValueError: the timeout is not more than 0.
        """
        question = self._questions.ask(asked, arguments)
        seconds = checked_timeout(timeout, self._timeout)
        return self._callers.run(lambda call: self._answer(question, seconds, call))

    async def aquery(
        self,
        asked: str | Query,
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
        question = self._questions.ask(asked, arguments)
        seconds = checked_timeout(timeout, self._timeout)
        return await self._callers.wait(
            lambda call: self._answer(question, seconds, call), seconds
        )

    def _answer(self, question: Question, seconds: float, call: Call) -> Rows:
        end = monotonic() + seconds
        while True:
            state = self._state or self._whole(end, seconds, call)
            left = max(end - monotonic(), 0.001)  # 0 is no limit
            try:
                answer = self._database.answer(question.text, question.arguments, left, call)
            except QueryTooLargeError:
                raise
            except StoreError:  # a write may have taken away what the query needs
                if call.stopped or self._is_revising() or self._database.state() == state:
                    raise
                self._state = None
                continue
            if answer.state == state or self._is_revising():
                break
            self._state = answer.state
        if not answer.rows and VECTOR_INDEX in question.text:
            self._expect_vectors()
        return Rows(answer.columns, plain_rows(answer.rows))

    def _whole(self, end: float, seconds: float, call: Call) -> str | None:
        """The state of the graph, once nobody writes it; None for who has just loaded it.

        Of those that wait one looks, so that the server can write.

        Raises:
            StoreError: that takes too long, or the graph is not whole and nobody writes it.
        """
        looks = 0
        while not self._is_revising():
            if call.stopped:
                raise call.stopped
            if monotonic() > end:
                raise QueryTooLargeError(
                    f"{self.uri}: the graph was being written for {seconds:g} s; ask again "
                    "later, or with a longer timeout"
                )
            if not self._looking.acquire(timeout=_LOOK_AGAIN):
                continue
            try:
                self._state = self._state or self._database.state()
                if self._state:
                    return self._state
                if looks % _LOOKS_FOR_WRITERS == 0:
                    self._expect_writer()
                looks += 1
                sleep(_LOOK_AGAIN)
            finally:
                self._looking.release()
        return None

    def _expect_writer(self) -> None:
        """See that a graph that is not whole will be.

        Raises:
            StoreError: nobody writes it.
        """
        if not self._database.is_being_written() and not self._database.state():
            raise StoreError(
                f"{self.uri}: holds no whole graph, for its writing was cut off or never began; "
                "run 'medkg build'"
            )

    def _is_revising(self) -> bool:
        return self._revising == get_ident()

    def load(
        self, tables: GraphTables, progress: Progress = _SILENT, revise: Revise | None = None
    ) -> Counts:
        """Replace the whole graph, layers included, by ``tables`` and a layer made of them.

        Raises:
            TablesError: the tables are not whole.
            StoreError: the server failed, holds something else than was sent, or
                another process is writing; there is no stamp then.
        """
        summary = inspect(tables)
        ensure_constraints(self._database)
        with self._database.writer_lock():
            self._database.run(statement("neo4j/delete_stamp"))
            drop_vector_index(self._database)
            delete_all(self._database, progress)
            write_tables(self._database, tables, progress)
            counts = self.counts()
            self._expect(counts, Counts(summary.nodes, summary.edges))
            with progress.step("Filling indexes"):
                ensure_indexes(self._database)
            contents = Contents(checksum=summary.checksum)
            if revise:
                self._revising = get_ident()
                try:
                    layer = revise(self)
                finally:
                    self._revising = None
                contents = self._add(layer, contents, progress)[0] if layer else contents
            write_stamp(self._database, contents)
        return counts

    def apply_layer(self, layer: GraphTables, progress: Progress = _SILENT) -> Counts:
        """Add what a layer has; take out and mark edges, and give nodes vectors.

        Raises:
            TablesError: the layer's tables are not whole.
            LayerDoesNotFitError: as ``Store.apply_layer`` says.
            StoreError: as for ``load``; or the application of a layer that changes edges was
                interrupted, which only a build mends.
        """
        summary = inspect(layer)
        with self._layer_writing(summary.name) as (contents, half):
            contents.check_new(self.uri, summary)
            if half:
                self._delete(summary.name, contents, progress)
            whole, added = self._add(layer, contents, progress)
            write_stamp(self._database, whole)
        return added

    def remove_layer(
        self, name: str, progress: Progress = _SILENT, kept: GraphTables | None = None
    ) -> Counts:
        """Take out what the layer of that name added, and put back what it took out.

        Raises:
            StoreError: as ``Store.remove_layer`` says, or as for ``load``.
        """
        with self._layer_writing(name) as (contents, half):
            changes = None if half else contents.changes_of(self.uri, name, kept)
            left = contents if half else contents.without(self.uri, name)
            removed = count(self._database, name)
            write_stamp(self._database, contents, writing=name)
            self._delete(name, left, progress)
            if changes:
                restore_edges(self._database, changes, progress)
            write_stamp(self._database, left)
        return removed

    def counts(self) -> Counts:
        """Count nodes by type and edges by relation type in the database itself.

        Raises:
            StoreError: the server failed.
        """
        return count(self._database)

    def stamp(self) -> Stamp | None:
        """What the database says it holds; None for an empty or half-written one.

        Raises:
            StoreError: the server failed.
        """
        contents, writing = read_stamp(self._database)
        return contents.stamp() if contents and writing is None else None

    def applied_layers(self) -> tuple[str, ...]:
        """Names of the applied layers in their order, one that is being removed included.

        Raises:
            StoreError: the server failed.
        """
        contents, _ = read_stamp(self._database)
        return contents.names if contents else ()

    def indexes(self) -> tuple[str, ...]:
        """Make the indexes and constraints that are missing, wait for them, name them all.

        Completes a graph that came from Neo4j's importer.

        Raises:
            StoreError: the server failed, or could not fill one.
        """
        finish_import(self._database)
        contents, _ = read_stamp(self._database)
        return ensure_indexes(self._database, contents.dimensions if contents else 0)

    def close(self) -> None:
        """Stop the queries that run, and close all connections; a second call does nothing.

        They and those asked later fail with a StoreError.
        """
        self._callers.close()
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _add(
        self, layer: GraphTables, contents: Contents, progress: Progress
    ) -> tuple[Contents, Counts]:
        """Write a layer; the contents with it, and what it added.

        Raises:
            LayerDoesNotFitError: as ``Store.apply_layer`` says.
            StoreError: the server failed, or holds something else than was sent.
        """
        summary = layer.summary()
        before = self.counts()
        with _scratch() as folder:
            staged = stage(layer, RemoteGraph(self._database), folder / "layer")
            changing = summary.name if summary.changes else None
            meanwhile = contents.model_copy(update={"changing": changing})
            write_stamp(self._database, meanwhile, writing=summary.name)
            write_tables(self._database, staged.tables, progress)
            change_edges(self._database, layer, progress)
            write_vectors(self._database, layer, progress)
        self._expect(self.counts(), before.less(summary.removed).plus(staged.counts))
        return contents.adding(staged.applied), staged.counts

    def _expect_vectors(self) -> None:
        contents, _ = read_stamp(self._database)
        if not (contents and contents.dimensions):
            raise StoreError(f"{self.uri}: {NO_VECTORS}")

    def _delete(self, name: str, left: Contents, progress: Progress) -> None:
        """Delete what a layer added, vectors too unless they are of one of the layers left."""
        delete_layer(self._database, name, progress)
        if not left.dimensions:
            delete_vectors(self._database, progress)

    @contextmanager
    def _layer_writing(self, name: str) -> Iterator[tuple[Contents, bool]]:
        """The contents, locked; and whether an application of that layer was interrupted."""
        ensure_constraints(self._database)
        with self._database.writer_lock():
            contents, writing = read_stamp(self._database)
            if contents is None:
                raise StoreError(f"{self.uri}: holds no whole graph; run 'medkg build' first")
            if writing not in (None, name):
                raise StoreError(
                    f"{self.uri}: layer {writing} was interrupted; apply or remove it again "
                    "first, or run 'medkg build'"
                )
            contents.check_whole(self.uri)
            yield contents, writing == name and name not in contents.names

    def _expect(self, found: Counts, expected: Counts) -> None:
        if found != expected:
            raise StoreError(
                f"{self.uri}: the server holds other counts than were sent, perhaps because "
                "something else writes nodes labelled Entity; use a database of its own"
            )


@contextmanager
def _scratch() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="medkg-") as folder, disk_errors(Path(folder)):
        yield Path(folder)

"""The Neo4j store: one database of a server or a cluster, over Bolt."""

import tempfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from threading import Lock, get_ident
from time import monotonic, sleep
from types import TracebackType
from typing import Final, Self

from cypher import Query
from cypher.translation import translate
from kg.configuration import QUERY_TIMEOUT
from kg.errors import QueryTooLargeError, StoreError, TablesError
from kg.progress import Progress, Silent
from kg.stores.answers import Question, Questions, checked_timeout
from kg.stores.calls import Call, Callers
from kg.stores.contents import Contents
from kg.stores.disk import disk_errors
from kg.stores.inspection import inspect, inspect_layer
from kg.stores.neo4j_errors import NO_VECTORS, Address
from kg.stores.neo4j_graph import (
    RemoteGraph,
    count_graph,
    count_layers,
    drop_vector_indexes,
    ensure_constraints,
    ensure_indexes,
    read_stamp,
    write_stamp,
)
from kg.stores.neo4j_schema import VECTOR_INDEX
from kg.stores.neo4j_session import Neo4jDatabase
from kg.stores.neo4j_writing import (
    delete_all,
    delete_rows,
    finish_import,
    undo_plan,
    write_plan,
    write_tables,
)
from kg.stores.planning import Change, plan
from kg.stores.statements import statement
from kg.stores.store import Counts, Engine, LayersChanged, Revise, Rows, Stamp, Value
from kg.tables import GraphTables

_CALLERS: Final = 32
"""Queries of ``aquery`` that run side by side; more wait for their turn."""

_POLL_SECONDS: Final = 0.1
"""Seconds between two polls of a graph that is being written."""

_POLLS_PER_WRITER_CHECK: Final = 10
"""Whether a writer is still there is checked once in so many polls."""

_COMPARE_STEP: Final = "Comparing the layer with the graph"

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
        """The graph's state when it was last read and whole."""
        self._state_lock = Lock()
        self._revising: int | None = None
        """Id of the thread that revises what it has loaded, before the graph is whole for others."""
        self._database = Neo4jDatabase(Address(uri, user, database), password)

    def query(self, query: str | Query, /, *, timeout: Value = None, **arguments: Value) -> Rows:
        """Run a query, named or read from another file; a cluster answers from any member.

        Raises:
            QueryError: no query has that name, it is not for this engine, or the
                arguments do not fit its header.
            QueryTooLargeError: time or memory ran out.
            StoreError: the server failed, holds no whole graph, or the store was closed; or
                vectors are asked for, and no layer gives any.
            ValueError: the timeout is not more than 0.
        """
        question = self._questions.ask(query, arguments)
        seconds = checked_timeout(timeout, self._timeout)
        revising = self._revising == get_ident()  # the callers have threads of their own
        return self._callers.run(lambda call: self._answer(question, seconds, call, revising))

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
        revising = self._revising == get_ident()
        return await self._callers.wait(
            lambda call: self._answer(question, seconds, call, revising), seconds
        )

    def _answer(self, question: Question, seconds: float, call: Call, revising: bool) -> Rows:
        """Answer from a whole graph, or from one that the caller has just loaded and is revising."""
        end = monotonic() + seconds
        while True:
            state = None if revising else self._state or self._wait_until_whole(end, seconds, call)
            remaining = max(end - monotonic(), 0.001)  # 0 is no limit
            try:
                answer = self._database.answer(question.text, question.arguments, remaining, call)
            except QueryTooLargeError:
                raise
            except StoreError:  # a write may have taken away what the query needs
                if call.stopped or revising or self._database.state() == state:
                    raise
                self._state = None
                continue
            if revising or answer.state == state:
                break
            self._state = answer.state
        if not answer.rows and VECTOR_INDEX in question.text:
            self._expect_vectors(question.arguments.get("space"))
        return question.answer(answer.columns, answer.rows)

    def _wait_until_whole(self, end: float, seconds: float, call: Call) -> str:
        """Wait until nobody writes the graph, and return its state.

        Only one of the waiting threads polls, to leave the server free to write.

        Raises:
            StoreError: that takes too long, or the graph is not whole and nobody writes it.
        """
        polls = 0
        while True:
            if call.stopped:
                raise call.stopped
            if monotonic() > end:
                raise QueryTooLargeError(
                    translate(
                        "{uri}: the graph was being written for {seconds:g} s; ask again later, or "
                        "with a longer timeout",
                        uri=self.uri,
                        seconds=seconds,
                    )
                )
            if not self._state_lock.acquire(timeout=_POLL_SECONDS):
                continue
            try:
                self._state = self._state or self._database.state()
                if self._state:
                    return self._state
                if polls % _POLLS_PER_WRITER_CHECK == 0:
                    self._expect_writer()
                polls += 1
                sleep(_POLL_SECONDS)
            finally:
                self._state_lock.release()

    def _expect_writer(self) -> None:
        """Check that somebody is writing a graph that is not whole.

        Raises:
            StoreError: nobody writes it.
        """
        if not self._database.is_being_written() and not self._database.state():
            raise StoreError(
                translate(
                    "{uri}: holds no whole graph, for its writing was cut off or never began; "
                    "run 'medkg build'",
                    uri=self.uri,
                )
            )

    def _call_reviser(self, revise: Revise) -> GraphTables | None:
        """The layer that a caller makes from a graph that nobody else may query yet."""
        self._revising = get_ident()
        try:
            return revise(self)
        finally:
            self._revising = None

    def load(
        self, tables: GraphTables, progress: Progress = _SILENT, revise: Revise | None = None
    ) -> Counts:
        """Replace the whole graph, layers included, by ``tables`` and a layer made of them.

        Raises:
            TablesError: the tables are not whole.
            StoreError: the server failed, does not hold what was sent, or
                another process is writing; there is no stamp then.
        """
        summary = inspect(tables)
        ensure_constraints(self._database)
        with self._database.writer_lock():
            self._database.run(statement("neo4j/delete_stamp"))
            self._database.wait_for_readers()
            drop_vector_indexes(self._database)
            delete_all(self._database, progress)
            write_tables(self._database, tables, progress)
            counts = self.counts()
            self._expect(counts, Counts(summary.nodes, summary.edges))
            ensure_indexes(self._database, progress=progress)
            contents = Contents(checksum=summary.checksum)
            layer = self._call_reviser(revise) if revise else None
            if layer:
                with _scratch() as folder:
                    graph = RemoteGraph(self._database)
                    change = Change([layer])
                    with progress.step(_COMPARE_STEP):
                        planned = plan(self.uri, contents, graph, change, folder / "staged")
                    write_plan(self._database, planned, progress)
                contents = planned.after
                self._expect(self.counts(), planned.counts(counts, Counts({}, {})))
            write_stamp(self._database, contents)
        return counts

    def change_layers(self, change: Change, progress: Progress = _SILENT) -> LayersChanged:
        """Take layers out and apply others; what fails is undone.

        Raises:
            TablesError: a layer's tables are not whole, or a later medkg made them.
            LayerDoesNotFitError: as ``Store.change_layers`` says.
            StoreError: as ``Store.change_layers`` says, or as for ``load``; or a change that was
                killed is not taken up by this one. Where a layer goes whose tables are not kept,
                a change that fails is left half done, and is to be asked for again.
        """
        with self._changing_layers(change) as (contents, interrupted), _scratch() as folder:
            interrupted_counts = count_layers(self._database, interrupted)
            delete_rows(self._database, interrupted, self._spaces(interrupted, change), progress)
            remaining = replace(
                change, remove=[name for name in change.remove if name not in interrupted]
            )
            graph = RemoteGraph(self._database)
            with progress.step(_COMPARE_STEP):
                planned = plan(self.uri, contents, graph, remaining, folder / "staged")
            removed_names = {layer.name for layer in planned.removed}
            before = self.counts()
            removed = count_layers(self._database, removed_names)
            changing = next(
                (staged.applied.name for staged in planned.staged if staged.applied.changes), None
            )
            write_stamp(
                self._database,
                contents.model_copy(update={"changing": changing}),
                writing=removed_names | {staged.applied.name for staged in planned.staged},
            )
            self._database.wait_for_readers()
            try:
                write_plan(self._database, planned, progress)
                self._expect(self.counts(), planned.counts(before, removed))
            except BaseException:
                if all(layer.name in change.kept for layer in planned.removed):
                    with suppress(StoreError, TablesError):  # the stamp says that it is half done
                        undo_plan(self._database, planned, change, folder, progress)
                        self._expect(self.counts(), before)
                        write_stamp(self._database, contents)
                raise
            write_stamp(self._database, planned.after)
        return planned.changed(removed.plus(interrupted_counts))

    def counts(self) -> Counts:
        """Count nodes by type and edges by relation type in the database itself.

        Raises:
            StoreError: the server failed.
        """
        return count_graph(self._database)

    def stamp(self) -> Stamp | None:
        """What the database says it holds; None for an empty or half-written one.

        Raises:
            StoreError: the server failed.
        """
        contents, writing = read_stamp(self._database)
        return contents.stamp() if contents and not writing else None

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
        return ensure_indexes(self._database, contents.spaces if contents else {})

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

    def _spaces(self, interrupted: Collection[str], change: Change) -> set[str]:
        """The vector spaces of layers that were interrupted, as far as their tables are known."""
        tables = [*change.add, *(change.kept[name] for name in interrupted if name in change.kept)]
        summaries = [layer.summary() for layer in tables]
        return {
            summary.space
            for summary in summaries
            if summary.name in interrupted and summary.vectors
        }

    def _expect_vectors(self, space: object) -> None:
        contents, _ = read_stamp(self._database)
        if not (contents and space in contents.spaces):
            raise StoreError(f"{self.uri}: {NO_VECTORS}")

    @contextmanager
    def _changing_layers(self, change: Change) -> Iterator[tuple[Contents, set[str]]]:
        """Lock the store; its contents, and the layers of the change that an earlier call left half done."""
        ensure_constraints(self._database)
        with self._database.writer_lock():
            contents, writing = read_stamp(self._database)
            if contents is None:
                raise StoreError(
                    translate("{uri}: holds no whole graph; run 'medkg build' first", uri=self.uri)
                )
            changed_names = {inspect_layer(layer).name for layer in change.add} | set(
                change.remove
            )
            if other_layers := sorted(writing - changed_names):
                raise StoreError(
                    translate(
                        "{uri}: layer {other} was interrupted; apply or remove it again first, or "
                        "run 'medkg build'",
                        uri=self.uri,
                        other=other_layers[0],
                    )
                )
            contents.check_whole(self.uri)
            if writing:  # who said so may have been killed before it changed anything
                self._database.wait_for_readers()
            yield contents, writing - set(contents.names)

    def _expect(self, actual: Counts, expected: Counts) -> None:
        if actual != expected:
            raise StoreError(
                translate(
                    "{uri}: the counts in the server differ from those that were sent, perhaps "
                    "because something else writes nodes labelled Entity; use a database of its "
                    "own",
                    uri=self.uri,
                )
            )


@contextmanager
def _scratch() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="medkg-") as folder, disk_errors(Path(folder)):
        yield Path(folder)

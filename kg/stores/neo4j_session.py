"""Transactions on a Neo4j database: reads routed as reads, both retried by the driver."""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from time import monotonic, sleep
from typing import Final, NamedTuple, TypeVar
from uuid import uuid4

import neo4j
from neo4j.exceptions import DriverError, Neo4jError

from cypher.translation import translate
from kg.errors import StoreError
from kg.stores.calls import Call, closed
from kg.stores.neo4j_errors import Address
from kg.stores.statements import statement

CONNECT_TIMEOUT: Final = 10.0
"""Seconds until an address counts as silent."""

_OLDEST: Final = 5
"""Major version of Neo4j."""

_LOCK_PATIENCE: Final = 8.0
"""Seconds that a writer waits for another one's lock before it gives up; a busy
server may take some of them to plan the statement."""

_GATE_PATIENCE: Final = 3 * _LOCK_PATIENCE
"""Seconds for passing the gate to the lock: another writer may be trying there before."""

_LOCKED: Final = ("TransactionTimedOut", "LockClientStopped", "LockAcquisitionTimeout")

STILL: Final = 0.2
"""Seconds that a graph which was seen whole stays as it is, on a server that is alone: a writer
waits longer between its word and its first change. A member of a cluster that lags behind may
get both at once."""

_CLOSE_PATIENCE: Final = 5.0
"""Seconds that ``close`` waits for the server to end what runs there."""

_WRITER: Final = "writer"
"""Mark of the transaction that holds the lock, as ``find_writers`` has it."""


class Answer(NamedTuple):
    """What a query gave, and the graph that it was asked of."""

    columns: tuple[str, ...]
    rows: list[Sequence[object]]
    state: str | None
    """Tells the graph as it was until the rows were read from every other; None: not whole."""


Fetched = tuple[tuple[str, ...], list[Sequence[object]]]
"""Column names, and the rows."""

T = TypeVar("T")
Work = Callable[[neo4j.ManagedTransaction], T]


class Neo4jDatabase:
    """One database of a server or cluster, known to answer.

    Raises:
        StoreUnreachableError: nothing answers, or the credentials are refused.
        StoreError: it is older than Neo4j 5, or has no such database.
    """

    def __init__(self, address: Address, password: str | None) -> None:
        self.address = address
        self._closed = False
        self._running: set[Call] = set()
        self._sessions = 0
        self._idle = threading.Condition()  # its own: nothing else is locked while it is held
        self._changed = threading.Condition()
        try:
            self._driver = neo4j.GraphDatabase.driver(
                address.uri,
                auth=(address.user, password) if password else None,
                connection_timeout=CONNECT_TIMEOUT,
                connection_acquisition_timeout=2 * CONNECT_TIMEOUT,
                notifications_min_severity=neo4j.NotificationMinimumSeverity.OFF,
            )
        except (DriverError, ValueError) as e:
            raise StoreError(
                translate(
                    "{uri}: not an address ({why}); write bolt://HOST:7687 or neo4j://HOST:7687",
                    uri=address.uri,
                    why=e,
                )
            ) from e
        try:
            alone = self._check_version()
        except BaseException:
            self._driver.close()
            raise
        self._states = SharedReading(self._read_state, STILL if alone else 0.0)

    def _check_version(self) -> bool:
        """Whether the server is alone: its edition has no clusters.

        Raises:
            StoreError: it is too old.
        """
        with (
            self._errors(),
            self._driver.session(
                database=self.address.database, default_access_mode=neo4j.READ_ACCESS
            ) as session,
        ):
            result = session.run("CALL dbms.components() YIELD edition RETURN edition")
            editions = set(result.value())
            agent = result.consume().server.agent
        major = agent.rpartition("/")[2].partition(".")[0]
        if not major.isdigit() or int(major) < _OLDEST:
            raise StoreError(
                translate(
                    "{uri}: runs {agent}, and medkg needs Neo4j {oldest} or newer",
                    uri=self.address.uri,
                    agent=agent,
                    oldest=_OLDEST,
                )
            )
        return editions == {"community"}

    def read(
        self,
        text: str,
        arguments: Mapping[str, object] | None = None,
        timeout: float | None = None,
    ) -> tuple[tuple[str, ...], list[Sequence[object]]]:
        """Column names and all rows of a statement that only reads.

        Raises:
            StoreError: the server refused or failed, or time ran out.
        """

        @neo4j.unit_of_work(timeout=timeout)
        def work(
            transaction: neo4j.ManagedTransaction,
        ) -> tuple[tuple[str, ...], list[Sequence[object]]]:
            result = transaction.run(text, dict(arguments or {}))
            return tuple(result.keys()), [record.values() for record in result]

        with self._errors(), self._session() as session:
            return session.execute_read(work)

    def answer(
        self, text: str, arguments: Mapping[str, object], timeout: float, call: Call
    ) -> Answer:
        """A query's rows, and of which state of the graph they are.

        The state is read after the rows, and never from a member of a cluster that lags behind
        theirs: where it is what it was before the query, no write has begun since. Many queries
        may share one reading (``SharedReading``). Each of the two is a transaction that the server
        commits by itself: in one of the driver's they would take twice as many messages.

        Raises:
            StoreError: the server refused or failed, time ran out, or the call was stopped.
        """
        mark = uuid4().hex

        def fetch(source: neo4j.Session | neo4j.ManagedTransaction) -> Fetched:
            alone = isinstance(source, neo4j.Session)
            marked = neo4j.Query(text, metadata={"medkg": mark}, timeout=timeout)
            result = source.run(marked if alone else text, dict(arguments))  # type: ignore[arg-type]
            columns = tuple(result.keys())
            rows: list[Sequence[object]] = []
            for record in result:
                if call.stopped:
                    raise call.stopped
                rows.append(record.values())
            return columns, rows

        with self._changed:
            if self._closed:
                raise closed(self.address.uri)
            self._running.add(call)
        try:
            with self._errors(call), call.running(lambda: self._terminate(mark)):
                with self._session(neo4j.READ_ACCESS) as session:
                    try:
                        columns, rows = fetch(session)
                    except (DriverError, Neo4jError) as e:
                        if call.stopped or not e.is_retryable():
                            raise
                        again = neo4j.unit_of_work(timeout=timeout, metadata={"medkg": mark})
                        columns, rows = session.execute_read(again(fetch))
                    seen = session.last_bookmarks()
                return Answer(columns, rows, self._states.after(seen))
        finally:
            with self._changed:
                self._running.discard(call)
                if self._closed:
                    self._changed.notify_all()

    def state(self) -> str | None:
        """What tells the graph as it is from every other; None: it is not whole.

        Raises:
            StoreError: the server failed.
        """
        with self._errors():
            return self._read_state()

    def _read_state(self, seen: neo4j.Bookmarks | None = None) -> str | None:
        def read(source: neo4j.Session | neo4j.ManagedTransaction) -> str | None:
            found = source.run(_STATE).single()
            if found is None or found["writing"] is not None:
                return None
            return str(found["state"])

        with self._session(neo4j.READ_ACCESS, seen) as session:
            try:
                return read(session)
            except (DriverError, Neo4jError) as e:
                if not e.is_retryable():
                    raise
            return session.execute_read(read)

    def is_being_written(self) -> bool:
        """Whether a process is writing the graph.

        Raises:
            StoreError: the server failed.
        """
        _, [(writers,)] = self.read(statement("neo4j/find_writers"))
        return bool(writers)

    def wait_for_readers(self) -> None:
        """Between the word that the graph is being written and the first change to it."""
        sleep(1.25 * STILL)

    def _terminate(self, mark: str) -> None:
        try:
            self.read(statement("neo4j/terminate"), {"mark": mark})
        except StoreError:  # not allowed, or the server is gone: its own time limit ends it
            return

    def write(self, work: Work[T]) -> T:
        """Do ``work`` in one transaction, again if the server says so.

        Raises:
            StoreError: the server refused or failed.
        """
        with self._errors(), self._session() as session:
            return session.execute_write(work)

    def run(
        self, text: str, arguments: Mapping[str, object] | None = None
    ) -> neo4j.SummaryCounters:
        """Run one statement that writes; what it changed.

        Raises:
            StoreError: the server refused or failed.
        """
        return self.write(
            lambda transaction: transaction.run(text, dict(arguments or {})).consume().counters
        )

    @contextmanager
    def writer_lock(self) -> Iterator[None]:
        """Keep every other writer out; the server lets go when this process dies.

        Raises:
            StoreError: another one is writing.
        """
        with self._session() as session:
            with self._errors():
                holding = self._hold_lock(session)
            try:
                yield
            finally:
                with self._errors():
                    holding.close()

    def _hold_lock(self, session: neo4j.Session) -> neo4j.Transaction:
        """A transaction that has the lock for as long as it is open.

        One with a time limit could not hold it for a whole load, and one without waits
        for ever if it is held. So one with a limit looks whether it is free, behind a
        gate through which one writer goes at a time, so that none comes between the two.
        """
        with self._session() as first, self._locked(first, "gate", _GATE_PATIENCE):
            with self._locked(session, "medkg", _LOCK_PATIENCE):
                pass
            holding = session.begin_transaction({"medkg": _WRITER}, timeout=0)  # 0: no limit
            holding.run(statement("neo4j/lock"), {"lock": "medkg"}).consume()
            return holding

    @contextmanager
    def _locked(self, session: neo4j.Session, lock: str, patience: float) -> Iterator[None]:
        with session.begin_transaction(timeout=patience) as transaction:
            try:
                transaction.run(statement("neo4j/lock"), {"lock": lock}).consume()
            except Neo4jError as e:
                if not any(sign in (e.code or "") for sign in _LOCKED):
                    raise
                raise StoreError(
                    translate(
                        "{uri}: another medkg process is writing this graph; wait until it has ended",
                        uri=self.address.uri,
                    )
                ) from e
            yield

    def close(self) -> None:
        """Stop the queries that run, and close all connections; a second call does nothing."""
        with self._changed:
            self._closed = True
            for call in self._running:
                call.stop(closed(self.address.uri))
            self._changed.wait_for(lambda: not self._running, _CLOSE_PATIENCE)
        with self._idle:
            self._idle.wait_for(lambda: not self._sessions, _CLOSE_PATIENCE)
        self._driver.close()

    @contextmanager
    def _session(
        self, access: str = neo4j.WRITE_ACCESS, seen: neo4j.Bookmarks | None = None
    ) -> Iterator[neo4j.Session]:
        """A session that sees what those with these bookmarks saw, for which ``close`` waits: the driver breaks if another thread still writes."""
        with self._idle:
            self._sessions += 1
        try:
            with self._driver.session(
                database=self.address.database, default_access_mode=access, bookmarks=seen
            ) as session:
                yield session
        finally:
            with self._idle:
                self._sessions -= 1
                self._idle.notify_all()

    @contextmanager
    def _errors(self, call: Call | None = None) -> Iterator[None]:
        """Turn what the driver raises into an error of ours.

        Raises:
            StoreError: the call's own, if it was stopped; that the store was closed; or as
                ``Address.errors`` says.
        """
        try:
            with self.address.errors():
                yield
        except StoreError as e:
            if call and call.stopped:
                raise call.stopped from e
            if self._closed:
                raise closed(self.address.uri) from e
            raise


_STATE: Final = statement("neo4j/read_state")


class SharedReading:
    """Readings of the graph's state, one at a time, each for all who asked before it began.

    Args:
        read: reads it, in a session that sees what those with these bookmarks saw.
        still: seconds from its beginning in which a reading that found the graph whole counts for
            those, too, who ask later: until then no writer changes anything.
    """

    def __init__(self, read: Callable[[neo4j.Bookmarks], str | None], still: float) -> None:
        self._read = read
        self._still = still
        self._known: tuple[float, str | None] = (0.0, None)
        """Until when by ``monotonic``, and the state."""
        self._turn = threading.Lock()
        self._next = _Reading()
        self._joining = threading.Lock()

    @property
    def waiting(self) -> int:
        """Callers of the reading that has not begun."""
        return self._next.callers

    def after(self, seen: neo4j.Bookmarks) -> str | None:
        """The state as it was when this was called or later, by a session that sees what the caller saw.

        Raises:
            DriverError: as the driver says.
            Neo4jError: as the server says.
        """
        until, state = self._known
        if monotonic() < until:
            return state
        with self._joining:
            reading, first = self._next, not self._next.callers
            reading.callers += 1
            reading.seen += seen
        if not first:
            return reading.state.result()
        with self._turn:
            with self._joining:
                self._next = _Reading()
            begun = monotonic()
            try:
                state = self._read(reading.seen)
            except BaseException as e:
                reading.state.set_exception(e)
                raise
            self._known = (begun + self._still if state else 0.0, state)
            reading.state.set_result(state)
        return state


class _Reading:
    """One that is to begin, and who waits for it."""

    def __init__(self) -> None:
        self.callers = 0
        self.seen = neo4j.Bookmarks.from_raw_values([])
        self.state: Future[str | None] = Future()

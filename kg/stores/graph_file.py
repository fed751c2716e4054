"""A Ladybug file, open: statements, bulk copies, and what can go wrong with them."""

import threading
from collections.abc import Callable, Mapping, Sequence
from contextvars import Context, copy_context
from math import inf
from pathlib import Path
from time import monotonic, sleep
from types import TracebackType
from typing import Any, Final, Self, TypeVar

import ladybug
import pyarrow as pa

from cypher.translation import translate
from kg.errors import QueryTooLargeError, StoreError
from kg.stores.calls import Call, Callers, closed, timed_out
from kg.stores.disk import cypher_path, disk_full, means_disk_full

MEMORY: Final = 2 * 1024**3
"""Bytes of buffer pool: the engine's own choice is four fifths of the machine."""

_LARGEST: Final = 1024**4
"""Bytes of address space; the engine's own choice does not fit into every container."""

_TRUNCATED_FILE: Final = "Cannot read from file"
"""In the engine's message when the disk did not let the file that it writes grow."""

_NO_VECTORS: Final = "Table Vector_"
"""In the engine's message when vectors are queried and there are none."""

_MAGIC: Final = b"LBUG"
_VERSION_AT: Final = slice(4, 12)
_ROWS_PER_ARROW_CHUNK: Final = 200_000
_ROWS_PER_FETCH: Final = 1_000
"""After so many rows it is checked whether the query was stopped."""
_POLL_SECONDS: Final = 0.1
"""Seconds between two checks of a query that waits for a reader, and between two for
queries that run too long."""
_IDLE_POLLS: Final = 20
"""Checks in a row with nothing running after which the watching thread ends."""

T = TypeVar("T")

Connection = Any
"""A ``ladybug.Connection``."""

Result = Any
"""A ``ladybug.QueryResult``; the engine's package has no usable types."""


class UnusableFileError(StoreError):
    """No graph of this version is there; a build puts one there."""


class GraphFile:
    """One database, and connections on which as many statements run side by side.

    The engine has a thread for each of the readers: where all of its threads are at work on
    long queries, another one waits without a limit, even if it has a timeout. So a file with
    several readers gives each statement one thread, and has one more than readers.

    Args:
        path: the file.
        write: open it to be written.
        timeout: seconds a statement may take unless it is given others; 0: any time.
        readers: how many statements may run side by side; more wait for their turn. One alone
            gets all cores.

    Raises:
        StoreError: the file is missing, no graph, or another version's.
    """

    def __init__(
        self, path: Path, *, write: bool = False, timeout: float = 0, readers: int = 1
    ) -> None:
        self.path = path
        self._write = write
        self._timeout = timeout
        self._readers = readers
        self._threads_each = 1 if readers > 1 else 0  # 0: all cores
        if not write:
            _check_header(path)
        try:
            self._database = ladybug.Database(
                path,
                read_only=not write,
                buffer_pool_size=MEMORY,
                max_db_size=_LARGEST,
                max_num_threads=readers + 1 if readers > 1 else 0,
            )
            self._free = [self._connect()]
        except RuntimeError as e:
            raise UnusableFileError(
                translate(
                    "{path}: the embedded engine cannot open it ({why}); run 'medkg build'",
                    path=path,
                    why=e,
                )
            ) from e
        self._connections = list(self._free)
        self._running: dict[Call, tuple[float, float, Context]] = {}
        """When each of them has to end, and how many seconds it has in all."""
        self._watched = False
        self._changed = threading.Condition()
        self._closed = False
        self._callers = Callers(str(path), 1)

    def _connect(self) -> Connection:
        return ladybug.Connection(self._database, num_threads=self._threads_each)

    def run(self, text: str, arguments: Mapping[str, object] | None = None) -> Result:
        """Run one statement; Ctrl-C and the timeout interrupt it.

        Raises:
            StoreError: the engine refused, the disk is full, or time ran out.
        """
        return self._callers.run(
            lambda call: self._execute(
                lambda c, _: c.execute(text, dict(arguments or {})), call, None
            )
        )

    def rows(
        self,
        text: str,
        arguments: Mapping[str, object] | None = None,
        timeout: float | None = None,
        call: Call | None = None,
    ) -> tuple[tuple[str, ...], list[Sequence[object]]]:
        """Column names and all rows.

        Args:
            text: one statement.
            arguments: values of its parameters.
            timeout: seconds, the wait for a reader included; None: the file's.
            call: stops the statement; None: only Ctrl-C does.

        Raises:
            StoreError: as for ``run``.
        """

        def fetch(
            connection: Connection, check: Callable[[], None]
        ) -> tuple[tuple[str, ...], list[Sequence[object]]]:
            result = connection.execute(text, dict(arguments or {}))
            rows: list[Sequence[object]] = []
            while part := result.get_n(_ROWS_PER_FETCH):
                rows += part
                check()
            return tuple(result.get_column_names()), rows

        if call:
            return self._execute(fetch, call, timeout)
        return self._callers.run(lambda call: self._execute(fetch, call, timeout))

    def table(self, text: str) -> pa.Table:
        """All rows as an Arrow table.

        Raises:
            StoreError: as for ``run``.
        """
        return self.run(text).get_as_arrow(_ROWS_PER_ARROW_CHUNK)

    def copy_in(self, name: str, source: Path, ends: tuple[str, str] | None = None) -> None:
        """Add the rows of a Parquet file to the table ``name``.

        Args:
            name: of nodes or edges.
            source: its columns are the table's.
            ends: head and tail table of edges that may have several.

        Raises:
            StoreError: an end of an edge is missing, an id comes twice, or as for ``run``.
        """
        try:
            pair = f" (from='{ends[0]}', to='{ends[1]}')" if ends else ""
            self.run(f"COPY `{name}` FROM {cypher_path(source)}{pair}")
        except StoreError as e:
            for sign, what in _REFUSED.items():
                if sign in str(e):
                    value = str(e).partition(sign)[2].split(",")[0].split("; ")[0].strip(" .")
                    raise StoreError(f"{source}: {what.format(value)}") from e
            raise

    def copy_out(self, text: str, arguments: Mapping[str, object], target: Path) -> None:
        """Write the rows of a statement into a Parquet file.

        Raises:
            StoreError: as for ``run``.
        """
        self.run(f"COPY ({text}) TO {cypher_path(target)}", arguments)

    def close(self) -> None:
        """Stop the statements that run, and close the file; a second call does nothing.

        They and those that come later fail with a StoreError.
        """
        with self._changed:
            if self._closed:
                return
            self._closed = True
            self._callers.close()
            for call in self._running:
                call.stop(closed(str(self.path)))
            self._changed.notify_all()
            self._changed.wait_for(lambda: not self._running)
        for connection in self._connections:
            connection.close()
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

    def _execute(
        self,
        work: Callable[[Connection, Callable[[], None]], T],
        call: Call,
        timeout: float | None,
    ) -> T:
        """Do ``work`` with a reader of its own, and something to call while it reads the rows."""
        seconds = self._timeout if timeout is None else timeout
        end = monotonic() + seconds if seconds else inf

        def check() -> None:
            if call.stopped:
                raise call.stopped
            if monotonic() > end:
                raise timed_out(str(self.path), seconds)

        connection = self._take(call, end, seconds, check)
        try:
            with call.running(connection.interrupt):
                return work(connection, check)
        except RuntimeError as e:
            raise call.stopped or self._error(e, seconds) from e
        finally:
            with self._changed:
                del self._running[call]
                self._free.append(connection)
                self._changed.notify_all() if self._closed else self._changed.notify()

    def _take(
        self, call: Call, end: float, seconds: float, check: Callable[[], None]
    ) -> Connection:
        """A reader that nobody uses: the last used one, which has planned the most statements."""
        with self._changed:
            while not self._closed:
                check()
                if not self._free and len(self._connections) < self._readers:
                    self._connections.append(self._connect())
                    self._free.append(self._connections[-1])
                if self._free:
                    self._running[call] = (end, seconds, copy_context())
                    if end < inf and not self._watched:
                        self._watched = True
                        threading.Thread(target=self._watch, daemon=True).start()
                    return self._free.pop()
                self._changed.wait(min(end - monotonic(), _POLL_SECONDS))
        raise closed(str(self.path))

    def _watch(self) -> None:
        """Stop what runs for too long, until nothing has run for a while.

        The engine can do so too, but a query of 100 us takes it 270 with a limit.
        """
        idle = 0
        while idle < _IDLE_POLLS:
            sleep(_POLL_SECONDS)
            with self._changed:
                idle = 0 if self._running else idle + 1
                self._watched = idle < _IDLE_POLLS
                late = [
                    (call, seconds, context)
                    for call, (end, seconds, context) in self._running.items()
                    if end < monotonic()
                ]
            for call, seconds, context in late:
                if not call.stopped:
                    call.stop(context.run(timed_out, str(self.path), seconds))

    def _error(self, error: RuntimeError, seconds: float) -> StoreError:
        message = " ".join(str(error).split())
        if message.startswith("Interrupted"):
            return timed_out(str(self.path), seconds)
        if _NO_VECTORS in message:
            return StoreError(
                translate(
                    "{path}: no layer has vectors of that space; apply one, e.g. with 'medkg "
                    "embed write'",
                    path=self.path,
                )
            )
        if means_disk_full(message) or (self._write and _TRUNCATED_FILE in message):
            return disk_full(self.path)
        if "buffer pool is full" in message:
            return QueryTooLargeError(
                translate(
                    "{path}: this needs more than {memory} GiB of memory; ask for less",
                    path=self.path,
                    memory=MEMORY // 2**30,
                )
            )
        return StoreError(
            translate(
                "{path}: the embedded engine says: {message}", path=self.path, message=message
            )
        )


_REFUSED: Final = {
    "Unable to find primary key value": (
        "an edge's end, {}, is not among the nodes; make the tables again with 'medkg build'"
    ),
    "Found duplicated primary key value": (
        "the id {} comes twice; make the tables again with 'medkg build'"
    ),
}


def _check_header(path: Path) -> None:
    """Look at a file's first bytes: the engine opens files of older versions and empty ones without complaint.

    Raises:
        StoreError: the file is missing, no graph, or another version's.
    """
    try:
        with path.open("rb") as file:
            head = file.read(_VERSION_AT.stop)
    except FileNotFoundError as e:
        raise UnusableFileError(
            translate("{path}: there is no graph yet; make it with 'medkg build'", path=path)
        ) from e
    except OSError as e:
        raise StoreError(
            translate(
                "{path}: cannot be read ({why}); check its permissions",
                path=path,
                why=translate(e.strerror or ""),
            )
        ) from e
    if not head.startswith(_MAGIC) or len(head) < _VERSION_AT.stop:
        raise UnusableFileError(
            translate("{path}: not a graph file; delete it and run 'medkg build'", path=path)
        )
    version = int.from_bytes(head[_VERSION_AT], "little")
    if version != (ours := ladybug.Database.get_storage_version()):
        raise UnusableFileError(
            translate(
                "{path}: made by another version of the embedded engine (its format is "
                "{version}, Ladybug {ladybug} has {ours}); make it again with 'medkg build'",
                path=path,
                version=version,
                ladybug=ladybug.__version__,
                ours=ours,
            )
        )

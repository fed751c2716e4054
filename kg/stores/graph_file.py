"""A Ladybug file, open: statements, bulk copies, and what can go wrong with them."""

from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self, TypeVar

import ladybug
import pyarrow as pa

from kg.errors import QueryTooLargeError, StoreError
from kg.stores.disk import cypher_path, full, is_full

MEMORY: Final = 2 * 1024**3
"""Bytes of buffer pool: the engine's own choice is four fifths of the machine."""

_LARGEST: Final = 1024**4
"""Bytes of address space; the engine's own choice does not fit into every container."""

_TOO_SHORT: Final = "Cannot read from file"
"""What the engine says of a file that it writes when the disk would not let it grow."""

_NO_VECTORS: Final = "Table Vector_"
"""What the engine says where vectors are asked for and there are none."""

_MAGIC: Final = b"LBUG"
_VERSION_AT: Final = slice(4, 12)
_CHUNK: Final = 200_000

T = TypeVar("T")

Result = Any
"""A ``ladybug.QueryResult``; the engine's package has no usable types."""


class UnusableFileError(StoreError):
    """No graph of this version is there; a build puts one there."""


class GraphFile:
    """One database and one connection. Use as a context manager.

    Raises:
        StoreError: the file is missing, no graph, or another version's.
    """

    def __init__(self, path: Path, *, write: bool = False, timeout: float = 0) -> None:
        self.path = path
        self._write = write
        self._timeout = timeout
        if not write:
            _check_header(path)
        # A thread of its own runs the statements: a signal reaches Python's main
        # thread only while that is not inside the engine.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="ladybug")
        try:
            self._database = ladybug.Database(
                path, read_only=not write, buffer_pool_size=MEMORY, max_db_size=_LARGEST
            )
            self._connection = ladybug.Connection(self._database)
            self._connection.set_query_timeout(round(timeout * 1000))
        except RuntimeError as e:
            raise UnusableFileError(
                f"{path}: the embedded engine cannot open it ({e}); run 'medkg build'"
            ) from e

    def run(self, text: str, arguments: Mapping[str, object] | None = None) -> Result:
        """Run one statement; Ctrl-C and the timeout interrupt it.

        Raises:
            StoreError: the engine refused, the disk is full, or time ran out.
        """
        return self._wait(
            self._thread.submit(self._connection.execute, text, dict(arguments or {}))
        )

    def rows(
        self, text: str, arguments: Mapping[str, object] | None = None
    ) -> tuple[tuple[str, ...], list[Sequence[object]]]:
        """Column names and all rows.

        Raises:
            StoreError: as for ``run``.
        """

        def fetch() -> tuple[tuple[str, ...], list[Sequence[object]]]:
            result = self._connection.execute(text, dict(arguments or {}))
            return tuple(result.get_column_names()), result.get_all()

        return self._wait(self._thread.submit(fetch))

    def table(self, text: str) -> pa.Table:
        """All rows as an Arrow table.

        Raises:
            StoreError: as for ``run``.
        """
        return self.run(text).get_as_arrow(_CHUNK)

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
        """Close the file; a second call does nothing."""
        self._thread.shutdown()
        self._connection.close()
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

    def _wait(self, running: "Future[T]") -> T:
        try:
            return running.result()
        except RuntimeError as e:
            raise self._error(e) from e
        except BaseException:
            self._connection.interrupt()
            running.exception()  # the engine stops within a tenth of a second
            raise

    def _error(self, error: RuntimeError) -> StoreError:
        message = " ".join(str(error).split())
        if message.startswith("Interrupted"):
            return QueryTooLargeError(
                f"{self.path}: no answer within {self._timeout:g} s, so the query was stopped; "
                "ask for less"
            )
        if _NO_VECTORS in message:
            return StoreError(
                f"{self.path}: no layer gives nodes a vector of that space; apply one, e.g. with "
                "'medkg embed write'"
            )
        if is_full(message) or (self._write and _TOO_SHORT in message):
            return full(self.path)
        if "buffer pool is full" in message:
            return QueryTooLargeError(
                f"{self.path}: this needs more than {MEMORY // 2**30} GiB of memory; ask for less"
            )
        return StoreError(f"{self.path}: the embedded engine says: {message}")


_REFUSED: Final = {
    "Unable to find primary key value": (
        "an edge's end, {}, is not among the nodes; make the tables again with 'medkg build'"
    ),
    "Found duplicated primary key value": (
        "the id {} comes twice; make the tables again with 'medkg build'"
    ),
}


def _check_header(path: Path) -> None:
    """Look at a file's first bytes: the engine opens older versions and empty files gladly.

    Raises:
        StoreError: the file is missing, no graph, or another version's.
    """
    try:
        with path.open("rb") as file:
            head = file.read(_VERSION_AT.stop)
    except FileNotFoundError as e:
        raise UnusableFileError(
            f"{path}: there is no graph yet; make it with 'medkg build'"
        ) from e
    except OSError as e:
        raise StoreError(f"{path}: cannot be read ({e.strerror}); check its permissions") from e
    if not head.startswith(_MAGIC) or len(head) < _VERSION_AT.stop:
        raise UnusableFileError(f"{path}: not a graph file; delete it and run 'medkg build'")
    version = int.from_bytes(head[_VERSION_AT], "little")
    if version != (ours := ladybug.Database.get_storage_version()):
        raise UnusableFileError(
            f"{path}: made by another version of the embedded engine (its format is {version}, "
            f"Ladybug {ladybug.__version__} has {ours}); make it again with 'medkg build'"
        )

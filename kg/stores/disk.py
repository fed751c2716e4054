"""Files that take another's place whole or not at all, and the errors of a full disk."""

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb
import filelock

from cypher.translation import translate
from kg.errors import StoreError

_DISK_FULL_MESSAGES = (
    "No space left on device",
    "Disk quota exceeded",
    "Cannot write to file",
    "File too large",
)


def sql_path(path: Path) -> str:
    """The path as a string literal of DuckDB.

    Raises:
        StoreError: no engine could name such a path.
    """
    return "'" + _nameable(path).replace("'", "''") + "'"


def cypher_path(path: Path) -> str:
    """The path as a string literal of the embedded engine.

    Raises:
        StoreError: no engine could name such a path.
    """
    return "'" + _nameable(path).replace("'", "\\'") + "'"


def _nameable(path: Path) -> str:
    text = str(path.absolute())
    if any(c in text for c in "\\\n\r*?["):
        raise StoreError(
            translate(
                "{text!r}: the engines cannot take a path with a backslash, a line break or "
                "one of * ? [ in it; rename the folder",
                text=text,
            )
        )
    return text


def means_disk_full(message: str) -> bool:
    """Whether an engine's message means that the disk had no room."""
    return any(sign in message for sign in _DISK_FULL_MESSAGES)


def disk_full(path: Path) -> StoreError:
    """The error that says that the disk is full."""
    return StoreError(
        translate(
            "{path}: the disk is full; free some space, or set MEDKG_HOME to a folder on "
            "another disk; the graph is as it was",
            path=path,
        )
    )


@contextmanager
def disk_errors(path: Path) -> Iterator[None]:
    """Turn what the file system refuses into one sentence, and DuckDB's word for Ctrl-C into it.

    Raises:
        StoreError: the disk is full, or ``path`` cannot be written.
        KeyboardInterrupt: a statement of DuckDB was interrupted.
    """
    try:
        yield
    except (RuntimeError, duckdb.InterruptException) as e:
        if isinstance(e, duckdb.InterruptException) or str(e).startswith("Query interrupted"):
            raise KeyboardInterrupt from e
        raise
    except shutil.Error as e:  # has no errno, only a list of what could not be copied
        [(source, _, why), *_] = e.args[0]
        if means_disk_full(why):
            raise disk_full(path) from e
        raise StoreError(
            translate(
                "{source}: cannot be copied to {path} ({why}); check both",
                source=source,
                path=path,
                why=why,
            )
        ) from e
    except OSError as e:
        if e.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise disk_full(path) from e
        raise StoreError(
            translate(
                "{path}: cannot be read or written ({why}); check the path and its permissions",
                path=e.filename or path,
                why=translate(e.strerror) if e.strerror else e,
            )
        ) from e
    except duckdb.IOException as e:
        if means_disk_full(str(e)):
            raise disk_full(path) from e
        raise


@contextmanager
def writer_lock(path: Path) -> Iterator[None]:
    """Keep every other writer, of this process too, from ``path``.

    Raises:
        StoreError: another one is writing.
    """
    with disk_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = filelock.FileLock(path.with_name(f"{path.name}.lock"), timeout=0)
        try:
            lock.acquire()
        except filelock.Timeout as e:
            raise StoreError(
                translate(
                    "{path}: another medkg process is writing it; wait until that has ended",
                    path=path,
                )
            ) from e
    try:
        yield
    finally:
        lock.release()


def publish(draft: Path, path: Path) -> None:
    """Let ``draft`` take the place of ``path``, in one step and for good."""
    with draft.open("rb+") as file:
        os.fsync(file.fileno())
    draft.replace(path)
    _sync(path.parent)


@contextmanager
def replacing(folder: Path, *, hidden: bool = True) -> Iterator[Path]:
    """A new folder that takes the place of ``folder`` when the block ends well, even in a power cut.

    A process that is killed between the two renames leaves the earlier folder beside; ``recover``
    puts it back.

    Args:
        folder: that is written; need not be there.
        hidden: whether the folders beside it begin with a dot, so that a list of the folders
            leaves them out.

    Raises:
        StoreError: it cannot be written.
    """
    partial, old = _beside(folder, hidden=hidden)
    with disk_errors(folder):
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        yield partial
        for path in (*partial.rglob("*"), partial):
            _sync(path)
        shutil.rmtree(old, ignore_errors=True)
        if folder.exists():
            folder.rename(old)
        partial.rename(folder)
        _sync(folder.parent)
        shutil.rmtree(old, ignore_errors=True)


def recover(folder: Path, *, hidden: bool = True) -> None:
    """Put back a folder whose writer was killed between the two renames of ``replacing``."""
    _, old = _beside(folder, hidden=hidden)
    if not folder.exists() and old.exists():
        old.rename(folder)


def _beside(folder: Path, *, hidden: bool) -> tuple[Path, Path]:
    """The folder that is written, and the earlier one while it is replaced."""
    dot = "." if hidden else ""
    return folder.with_name(f"{dot}{folder.name}.partial"), folder.with_name(
        f"{dot}{folder.name}.old"
    )


def _sync(path: Path) -> None:
    """Flush a file, or the names in a folder, to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)

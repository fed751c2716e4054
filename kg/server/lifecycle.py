"""Start the server of a home and wait until it answers; end it, and nothing else."""

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum

from cypher.translation import translate
from kg.errors import ServerError, StoreUnreachableError
from kg.progress import Progress, Silent
from kg.server.bulk_import import finish_import
from kg.server.layout import USER, Memory, ServerHome
from kg.server.ports import Ports
from kg.server.record import (
    ServerRecord,
    forget_record,
    keep_ports,
    read_record,
    usual_ports,
    write_record,
)
from kg.server.runtime import Runtime, RuntimeChoice, choose_runtime, runtime_named
from kg.server.status import ServerStatus, status

TIMEOUT = 180.0
"""Seconds that a server may take until it answers."""

PATIENCE = 60.0
"""Seconds that a server has to write its data before it is killed."""

_PAUSE = 0.25


@dataclass(frozen=True)
class Started:
    """The result of ``start``."""

    status: ServerStatus
    already: bool
    """The server was up before."""


def start(
    home: ServerHome,
    ports: Ports | None = None,
    runtime: RuntimeChoice = "auto",
    progress: Progress | None = None,
    timeout: float = TIMEOUT,
) -> Started:
    """Start the server unless it is up, and wait until it answers.

    Args:
        home: of the server.
        ports: where it listens; None: where it did last.
        runtime: what runs it.
        progress: shown meanwhile.
        timeout: seconds until it must answer.

    Raises:
        ServerError: it cannot be started; nothing is left running then.
    """
    with home.lock():
        if record := running(home):
            _check_same(home, record, ports)
            return Started(_wait(home, record, progress or Silent(), timeout), already=True)
        forget_record(home)
        home.prepare()
        finish_import(home)
        ports = ports or usual_ports(home)
        ports.check_free()
        now = _launch(home, ports, choose_runtime(runtime), progress or Silent(), timeout)
        keep_ports(home, ports)
        return Started(now, already=False)


def running(home: ServerHome) -> ServerRecord | None:
    """The record of the server that runs now; None for none or for a stale record."""
    record = read_record(home)
    if record and runtime_named(record.runtime).alive(home, record.handle):
        return record
    return None


def _check_same(home: ServerHome, record: ServerRecord, ports: Ports | None) -> None:
    if ports and ports != record.ports:
        raise ServerError(
            translate(
                "{folder}: the server is up already, on ports {bolt_port} (Bolt) and "
                "{http_port} (HTTP); to move it, run 'medkg db down' first",
                folder=home.folder,
                bolt_port=record.bolt_port,
                http_port=record.http_port,
            )
        )


def _launch(
    home: ServerHome, ports: Ports, runtime: Runtime, progress: Progress, timeout: float
) -> ServerStatus:
    runtime.prepare(progress)
    home.ensure_password()
    runtime.settle(home)
    handle = None
    try:
        with _uninterrupted():
            handle = runtime.start(home, ports, Memory.of_this_machine())
        record = ServerRecord(
            runtime=runtime.name,
            handle=handle,
            started=runtime.started(handle),
            bolt_port=ports.bolt,
            http_port=ports.http,
        )
        write_record(home, record)
        return _wait(home, record, progress, timeout)
    except BaseException:
        if handle:
            runtime.stop(home, handle, PATIENCE)
        forget_record(home)
        raise


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Hold Ctrl-C back while a server was started whose handle is not known yet."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _wait(
    home: ServerHome, record: ServerRecord, progress: Progress, timeout: float
) -> ServerStatus:
    deadline = time.monotonic() + timeout
    with progress.step("Waiting for Neo4j to answer"):
        while time.monotonic() < deadline:
            try:
                now = status(home)
            except StoreUnreachableError as e:
                raise ServerError(
                    translate(
                        "{password_file}: not the password of the server's user {user}; put the "
                        "right one there, or delete {data} to start anew",
                        password_file=home.password_file,
                        user=USER,
                        data=home.data,
                    )
                ) from e
            if now.answers:
                return now
            if not now.running:
                raise ServerError(_death(home, record))
            time.sleep(_PAUSE)
    raise ServerError(
        translate(
            "{folder}: the server did not answer within {timeout:g} s; see {logs}, and "
            "give it more time with --timeout",
            folder=home.folder,
            timeout=timeout,
            logs=home.logs,
        )
    )


def _death(home: ServerHome, record: ServerRecord) -> str:
    lines = runtime_named(record.runtime).last_words(home, record.handle)
    words = " | ".join(line.strip() for line in lines if line.strip()) or "(nothing)"
    return f"{home.folder}: the server ended while it started; its last words: {words}"


class Stopped(Enum):
    """The result of ``stop``."""

    ENDED = "ended"
    KILLED = "killed"
    STALE = "stale"
    """There was a record, but its server was gone."""
    NOT_RUNNING = "not running"


def stop(home: ServerHome, patience: float = PATIENCE) -> Stopped:
    """End the server that was started from this home, if it runs.

    Raises:
        ServerError: another medkg process is at work on it, or Docker refuses.
    """
    if not home.folder.is_dir():
        return Stopped.NOT_RUNNING
    with home.lock():
        record = read_record(home)
        if not record:
            return Stopped.NOT_RUNNING
        runtime = runtime_named(record.runtime)
        if not runtime.alive(home, record.handle):
            forget_record(home)
            return Stopped.STALE
        by_itself = runtime.stop(home, record.handle, patience)
        forget_record(home)
        return Stopped.ENDED if by_itself else Stopped.KILLED

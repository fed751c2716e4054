"""End the server of a home, and nothing else."""

from enum import Enum

from kg.server.layout import ServerHome
from kg.server.record import forget_record, read_record
from kg.server.runtime import runtime_named

PATIENCE = 60.0
"""Seconds that a server has to write everything down before it is killed."""


class Stopped(Enum):
    """What ``stop`` found and did."""

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

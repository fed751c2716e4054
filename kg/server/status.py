"""Say what the server of a home is doing."""

from datetime import datetime
from pathlib import Path

from pydantic import BaseModel

from kg.server.layout import USER, ServerHome
from kg.server.ports import listens
from kg.server.record import RuntimeName, ServerRecord, read_record
from kg.server.runtime import runtime_named
from kg.stores.bolt import answering_version


class ServerStatus(BaseModel, frozen=True, extra="forbid"):
    """The state of one home's server; the later fields are null when it does not run."""

    home: Path
    running: bool
    """Its process or container is there."""
    answers: bool
    """It takes queries, and Browser is there."""
    stale: bool = False
    """There is a record of a start, but that server is gone."""
    version: str | None = None
    runtime: RuntimeName | None = None
    pid: int | None = None
    """Null in Docker."""
    container: str | None = None
    started: datetime | None = None
    bolt: str | None = None
    browser: str | None = None
    user: str | None = None
    password_file: Path | None = None


def status(home: ServerHome) -> ServerStatus:
    """Look at the process or container, and ask it for its version.

    Raises:
        StoreUnreachableError: it runs but refuses the home's password.
        ServerError: it runs but its password file is gone.
    """
    record = read_record(home)
    if not record:
        return ServerStatus(home=home.folder, running=False, answers=False)
    if not runtime_named(record.runtime).alive(home, record.handle):
        return ServerStatus(home=home.folder, running=False, answers=False, stale=True)
    return _of(home, record)


def _of(home: ServerHome, record: ServerRecord) -> ServerStatus:
    # straight to the server: a routing driver asks several times before it gives up
    straight = record.ports.bolt_uri.replace("neo4j://", "bolt://")
    version = answering_version(straight, USER, home.password())
    return ServerStatus(
        home=home.folder,
        running=True,
        answers=version is not None and listens(record.http_port),
        version=version,
        runtime=record.runtime,
        pid=int(record.handle) if record.runtime == "java" else None,
        container=record.handle if record.runtime == "docker" else None,
        started=record.started,
        bolt=record.ports.bolt_uri,
        browser=record.ports.browser_url,
        user=USER,
        password_file=home.password_file,
    )

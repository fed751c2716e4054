"""A Neo4j of one's own while a block runs."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kg.configuration import Settings
from kg.server import Ports, ServerHome, start, stop


@contextmanager
def local_server(folder: Path) -> Iterator[Settings]:
    """Settings for the server of a home, up while the block runs.

    Raises:
        ServerError: neither Docker nor the artifacts could start one.
    """
    home = ServerHome(folder)
    started = start(home, Ports.free())
    try:
        yield Settings(
            neo4j_uri=str(started.status.bolt),
            neo4j_username="neo4j",
            neo4j_password=home.password(),
        )
    finally:
        stop(home)

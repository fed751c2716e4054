"""The Neo4j store and the importer, and the driver without the store."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypedDict

import neo4j

from cypher import load_catalogue, rewrite
from kg.progress import Silent
from kg.server import Ports, ServerHome, import_tables, start, stop
from kg.server.layout import USER
from kg.server.runtime import choose_runtime
from kg.stores.neo4j_store import Neo4jStore
from kg.tables import GraphTables
from kg.vocabulary import NODE_TYPES
from tests.benchmarks.latency import QUERY, percentiles
from tests.benchmarks.measuring import Timed


class Server(TypedDict):
    """Where a server is."""

    uri: str
    password: str


def prepare() -> None:
    """Fetch what the server needs, so that no measurement waits for a download."""
    choose_runtime("auto").prepare(Silent())


@contextmanager
def running(folder: Path) -> Iterator[Server]:
    """The server of a home, up while the block runs, with all its indexes."""
    home = ServerHome(folder)
    status = start(home, Ports.free()).status
    server = Server(uri=str(status.bolt), password=home.password())
    try:
        with opened(**server) as store:
            store.indexes()
        yield server
    finally:
        stop(home)


def import_whole(tables: str, out: str) -> None:
    """Write the importer's files and import them."""
    import_tables(ServerHome(Path(out)), GraphTables(Path(tables)))


def load(tables: str, uri: str, password: str) -> dict[str, float]:
    """Load through Bolt; seconds of each step."""
    timed = Timed()
    with opened(uri, password) as store:
        store.load(GraphTables(Path(tables)), timed)
    return timed.seconds


def ask(uri: str, password: str, diseases: list[str]) -> list[float]:
    """Percentiles of a named query through the store."""
    with opened(uri, password) as store:
        return percentiles(lambda disease: store.query(QUERY, disease=disease), diseases)


def ask_driver(uri: str, password: str, diseases: list[str]) -> list[float]:
    """Percentiles of the same statement through the driver's own session."""
    text = rewrite(load_catalogue().find(QUERY).text, NODE_TYPES)
    with neo4j.GraphDatabase.driver(
        uri,
        auth=(USER, password),
        notifications_min_severity=neo4j.NotificationMinimumSeverity.OFF,
    ) as driver:

        def ask_once(disease: str) -> object:
            with driver.session(database=USER, default_access_mode=neo4j.READ_ACCESS) as session:
                return session.execute_read(lambda t: list(t.run(text, {"disease": disease})))

        return percentiles(ask_once, diseases)


def opened(uri: str, password: str) -> Neo4jStore:
    """The store of a server."""
    return Neo4jStore(uri, USER, password, USER)

import socket
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from kg.configuration import Settings
from kg.errors import ConfigurationError
from kg.stores.connection import connect
from tests.conftest import CommandLine


def test_without_anything_it_is_the_embedded_store_of_the_home(tmp_path: Path) -> None:
    store = connect(settings=Settings(home=tmp_path))
    assert (store.engine, store.uri) == ("embedded", str(tmp_path / "graph.lbug"))


def test_folder_means_the_graph_in_it(tmp_path: Path) -> None:
    assert connect(str(tmp_path)).uri == str(tmp_path / "graph.lbug")


def test_given_path_wins_over_the_settings(tmp_path: Path) -> None:
    settings = Settings(neo4j_uri="bolt://127.0.0.1:1")
    assert connect(str(tmp_path / "a.lbug"), settings).engine == "embedded"


@pytest.mark.parametrize("uri", ["http://localhost:7474", "nonesuch", "graph.db"])
def test_other_address_says_what_to_write(uri: str) -> None:
    with pytest.raises(ConfigurationError, match=rf"{uri}: .*write bolt://HOST:7687"):
        connect(uri)


def test_broken_address_says_what_to_write() -> None:
    with pytest.raises(ConfigurationError, match=r"not an address .*write bolt://HOST:7687"):
        connect("bolt://[::1")


@pytest.mark.parametrize("scheme", ["bolt", "neo4j"])
def test_no_line_of_the_driver_s_log_reaches_the_terminal(scheme: str, cli: CommandLine) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=_hang_up, args=(server,), daemon=True)
        thread.start()
        address = f"{scheme}://127.0.0.1:{server.getsockname()[1]}"
        done = cli("query", "graph.node_counts", "--graph", address)
    assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)
    assert done.err.startswith(f"Error: {address}: no Neo4j answers there (")


def _hang_up(server: socket.socket) -> None:
    """Close every connection as soon as it asks something, until the server is closed."""
    with suppress(OSError):
        while True:
            connection, _ = server.accept()
            with connection:
                connection.recv(100)


def test_warning_of_the_driver_stays_silent_until_somebody_sets_up_logging() -> None:
    warn = "import logging, kg.stores.bolt; {}logging.getLogger('neo4j.pool').warning('retried')"
    for setup, said in (("", ""), ("logging.basicConfig(); ", "WARNING:neo4j.pool:retried\n")):
        done = subprocess.run(
            [sys.executable, "-c", warn.format(setup)], capture_output=True, text=True, check=True
        )
        assert (done.stdout, done.stderr) == ("", said)

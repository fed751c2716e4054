import os
import socket

import pytest

from kg.errors import ServerError
from kg.server.ports import LOOPBACK, Ports, listens


def test_free_ports_differ_and_can_be_taken() -> None:
    ports = Ports.free()
    assert ports.bolt != ports.http
    ports.check_free()


def test_taken_port_is_named_with_its_holder_and_the_option() -> None:
    with socket.create_server((LOOPBACK, 0)) as holder:
        taken = holder.getsockname()[1]
        with pytest.raises(
            ServerError,
            match=rf"port {taken}: taken by process {os.getpid()} \(.+\); .*--http-port",
        ):
            Ports(Ports.free().bolt, taken).check_free()
        assert listens(taken)


def test_one_port_for_both_is_refused() -> None:
    with pytest.raises(ServerError, match=r"port 7687: asked for both Bolt and HTTP; give"):
        Ports(7687, 7687).check_free()


def test_addresses_are_local() -> None:
    assert Ports().bolt_uri == "neo4j://localhost:7687"
    assert Ports().browser_url == "http://localhost:7474"

"""The two ports of a local server, and who holds them."""

import socket
from dataclasses import dataclass
from typing import Self

import psutil

from cypher.translation import translate
from kg.errors import ServerError

LOOPBACK = "127.0.0.1"


@dataclass(frozen=True)
class Ports:
    """Where Bolt (drivers) and HTTP (Browser) listen, on loopback."""

    bolt: int = 7687
    http: int = 7474

    @property
    def bolt_uri(self) -> str:
        """What a driver connects to."""
        return f"neo4j://localhost:{self.bolt}"

    @property
    def browser_url(self) -> str:
        """What a web browser opens."""
        return f"http://localhost:{self.http}"

    @classmethod
    def free(cls) -> Self:
        """Two ports that nothing holds now."""
        with socket.socket() as bolt, socket.socket() as http:
            bolt.bind((LOOPBACK, 0))
            http.bind((LOOPBACK, 0))
            return cls(bolt.getsockname()[1], http.getsockname()[1])

    def check_free(self) -> None:
        """Make sure that a server can listen.

        Raises:
            ServerError: both are the same, or one is taken.
        """
        if self.bolt == self.http:
            raise ServerError(
                translate(
                    "port {bolt}: asked for both Bolt and HTTP; give --bolt-port and --http-port "
                    "different numbers",
                    bolt=self.bolt,
                )
            )
        for port, option in ((self.bolt, "--bolt-port"), (self.http, "--http-port")):
            if not _can_listen(port):
                raise ServerError(
                    translate(
                        "port {port}: taken by {holder}; end that, or choose another port with "
                        "{option}",
                        port=port,
                        holder=_holder(port),
                        option=option,
                    )
                )


def listens(port: int) -> bool:
    """Whether somebody answers at that port."""
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex((LOOPBACK, port)) == 0


def _can_listen(port: int) -> bool:
    """Whether nothing listens there; a port waiting out a closed connection counts as free."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except PermissionError as e:
            raise ServerError(
                translate(
                    "port {port}: this user may not listen there; choose one above 1023", port=port
                )
            ) from e
        except OSError:
            return False
        return True


def _holder(port: int) -> str:
    try:
        for connection in psutil.net_connections("tcp"):
            address = connection.laddr
            if connection.status == psutil.CONN_LISTEN and address and address.port == port:
                return _process(connection.pid)
    except psutil.AccessDenied:
        pass  # some systems show a user no connections at all
    return translate("another program")


def _process(pid: int | None) -> str:
    if pid is None:
        return translate("another user's program")
    try:
        name = psutil.Process(pid).name()
        return translate("process {pid} ({name})", pid=pid, name=name)
    except psutil.NoSuchProcess:
        return translate("process {pid}, which has just ended", pid=pid)

"""Serves the guide to a Neo4j Browser on this machine."""

from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from cypher.translation import translate
from kg.errors import ServerError

TYPES = {"html": "text/html; charset=utf-8", "zip": "application/zip"}


def guide_server(files: Mapping[str, bytes], port: int) -> ThreadingHTTPServer:
    """A server of some files on loopback, not yet serving; port 0 takes a free one.

    Every answer allows any origin: the files are no secret, and Browser's page
    comes from another port.

    Raises:
        ServerError: the port is taken, or not this user's to take.
    """

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            name = self.path.split("?")[0].lstrip("/")
            self._answer(200 if name in files else 404, files.get(name, b""), name)

        def do_OPTIONS(self) -> None:
            self._answer(204, b"", "")

        def _answer(self, code: int, body: bytes, name: str) -> None:
            self.send_response(code)
            self.send_header("Access-Control-Allow-Origin", "*")
            self.send_header("Access-Control-Allow-Headers", "*")
            self.send_header("Content-Type", TYPES.get(name.rpartition(".")[2], "text/plain"))
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
            """Say nothing of each request."""

    try:
        return ThreadingHTTPServer(("127.0.0.1", port), Handler)
    except OSError as e:
        raise ServerError(
            translate(
                "port {port}: the guide cannot be served there ({why}); choose another port "
                "with --guide PORT",
                port=port,
                why=translate(e.strerror or ""),
            )
        ) from e

"""``medkg qa serve``: the page that answers questions."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from cypher.translation import translate
from kg.commands import Bars, graph_option, json_option, lang_option, say, show_json, speak
from qa.commands.ask import answer_options, tell

if TYPE_CHECKING:
    from socket import socket

LOOPBACK: Final = "127.0.0.1"
PORT: Final = 8765
_BACKLOG: Final = 512
"""Connections that wait for the server to take them."""


@click.command("serve")
@click.option("--host", default=LOOPBACK, show_default=True, help="Address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=PORT,
    show_default=True,
    help="Port to listen on; 0 takes a free one.",
)
@click.option("--open", "browse", is_flag=True, help="Open the page in a browser.")
@answer_options
@graph_option
@json_option
@lang_option
def serve_command(
    *,
    host: str,
    port: int,
    browse: bool,
    generator: str,
    mode: Any,  # noqa: ANN401 - of Mode, which click cannot say
    selector: Any,  # noqa: ANN401 - of Selector, likewise
    texts: Path | None,
    graph: str | None,
    as_json: bool,
) -> None:
    """Answer questions on a page, until Ctrl-C.

    The page shows the answer, the facts and texts that it rests on, and the graph around it.
    Programs ask by POST /ask. Nobody logs in: on another address than this machine's own, everybody
    who reaches it may ask.

    For example: medkg qa serve --open
    """
    speak()
    from kg.errors import ServerError

    try:
        import starlette  # noqa: F401 - whether it is there
        import uvicorn
    except ModuleNotFoundError as e:
        raise ServerError(
            translate(
                "the page server needs the Python package {package}, which is not installed; "
                'run pip install "medkg[serve]"',
                package=e.name,
            )
        ) from e
    import kg
    from qa.assembly import AnswerOptions
    from qa.page.app import make_app
    from qa.page.current import CurrentAnswerer, Place
    from qa.page.requests import own_names

    with _listening(host, port) as listening:
        place = Place(kg.Settings.read(), AnswerOptions(texts, generator, mode, selector), graph)
        app = make_app(CurrentAnswerer(place, tell, Bars()), own_names(host))
        address = _address(host, listening.getsockname()[1])
        if as_json:
            show_json({"address": address})
        else:
            say(translate("Ask on {address} (Ctrl-C ends it).", address=address))
        if browse:
            click.launch(address)
        config = uvicorn.Config(
            app,
            loop="asyncio",
            http="h11",
            ws="none",
            log_config=None,
            log_level="error",  # a mistake is told, and not whatever somebody sends
            access_log=False,  # what people ask about their health is written down nowhere
            server_header=False,
            timeout_graceful_shutdown=1,
        )
        uvicorn.Server(config).run([listening])


def _listening(host: str, port: int) -> "socket":
    """A socket that connections wait at from now on.

    Raises:
        ServerError: the address is not this machine's, or the port is in use.
    """
    import socket

    from kg.errors import ServerError

    if not host.strip():  # which would be every address of this machine
        raise ServerError(
            translate("--host is empty; leave it out, or write 0.0.0.0 for every address")
        )
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=_BACKLOG)
    except (OSError, UnicodeError) as e:
        problem = getattr(e, "strerror", None) or e
        raise ServerError(
            translate(
                "{host}:{port}: cannot listen there ({why}); give another --port or --host",
                host=host,
                port=port,
                why=problem,
            )
        ) from e


def _address(host: str, port: int) -> str:
    """Of the page, for a browser on this machine."""
    name = {"0.0.0.0": LOOPBACK, "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)  # noqa: S104
    return f"http://{name}:{port}/"

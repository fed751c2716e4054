"""What reaches the page server: who may ask, and the body of a question as JSON."""

import asyncio
import ipaddress
import json
import socket
from typing import Annotated, Final

from pydantic import BaseModel, StringConstraints, ValidationError
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cypher.translation import known_language, languages
from qa.questions import LONGEST

MOST_BYTES: Final = 64 * 1024
"""Of a request's body."""
_MOST_DROPPED: Final = 64 * 1024 * 1024
_BODY_SECONDS: Final = 10.0
"""In which a body has to arrive."""

_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class AskRequest(BaseModel, frozen=True, extra="forbid", strict=True):
    """The body of ``POST /ask``."""

    question: Annotated[str, StringConstraints(max_length=10 * LONGEST)]
    previous: Annotated[str, StringConstraints(max_length=10 * LONGEST)] | None = None
    """The question before: what "it" is in this one."""
    lang: str | None = None
    """Language of sentences for people; None: that of the question."""


async def read_ask_request(request: Request) -> AskRequest:
    """The question of a request.

    Raises:
        HTTPException: it has none.
    """
    return _ask_request_of(await _body(request))


async def _body(request: Request) -> bytes:
    """The body of a JSON request.

    What is too long is read to its end and dropped, within bounds: who still sends hears no answer.

    Raises:
        HTTPException: it is none, too long or too slow.
    """
    body, size = bytearray(), 0
    try:
        async with asyncio.timeout(_BODY_SECONDS):
            async for chunk in request.stream():
                size += len(chunk)
                if size <= MOST_BYTES:
                    body += chunk
                elif size > _MOST_DROPPED:
                    break
    except TimeoutError as e:
        too_late = f"the body did not arrive in {_BODY_SECONDS:g} seconds; send it at once"
        raise HTTPException(408, too_late, {"Connection": "close"}) from e
    except ClientDisconnect as e:
        raise HTTPException(400, "the body was cut off; send all of it") from e
    if size > MOST_BYTES:
        too_long = f"the body has more than {MOST_BYTES:,} bytes; send one question"
        raise HTTPException(413, too_long, {"Connection": "close"})
    content_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if content_type != "application/json":
        raise HTTPException(415, "the body is no JSON; send Content-Type: application/json")
    return bytes(body)


def _ask_request_of(body: bytes) -> AskRequest:
    """The question in a body.

    Raises:
        HTTPException: the body has none.
    """
    example = 'send {"question": "What are the symptoms of gout?"}'
    try:
        value = json.loads(body.decode("utf-8"))
    except (ValueError, RecursionError) as e:
        raise HTTPException(400, f"the body is no JSON in UTF-8; {example}") from e
    if not isinstance(value, dict):
        raise HTTPException(422, f"the body is no JSON object; {example}")
    try:
        ask_request = AskRequest.model_validate(value)
    except ValidationError as e:
        [error, *_] = e.errors(include_url=False)
        field = ".".join(map(str, error["loc"]))
        raise HTTPException(422, f"{field}: {error['msg']}; {example}") from e
    if ask_request.lang and not known_language(ask_request.lang):
        raise HTTPException(422, f"lang: choose one of {', '.join(languages())}, or leave it out")
    return ask_request


class Guard:
    """Refuses a foreign ``Host``, and gives every response the headers that browsers heed."""

    def __init__(self, app: ASGIApp, names: frozenset[str]) -> None:
        self._app, self._names = app, names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        started = False

        async def guarded(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                MutableHeaders(scope=message).update(_HEADERS)
            await send(message)

        host = Request(scope).headers.get("host", "")
        if not is_own(host, self._names):
            message = "this server is not called so; use the address that it was started with"
            await Response(message, 400, media_type="text/plain")(scope, receive, guarded)
            return
        try:
            await self._app(scope, receive, guarded)
        except asyncio.CancelledError:  # Ctrl-C, and nobody waits for this answer
            if not started:
                message = "the server has ended; start it again"
                await Response(message, 503, media_type="text/plain")(scope, receive, guarded)


def is_own(host: str, names: frozenset[str]) -> bool:
    """Whether a ``Host`` header names this machine by an address or by one of some names."""
    name, colon, port = host.lower().rpartition(":")
    if not colon or not port.isdecimal():
        name = host.lower()
    if name.removesuffix(".") in names:
        return True
    try:
        ipaddress.ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return True


def own_names(host: str) -> frozenset[str]:
    """The name of this machine, and what it was told to listen on."""
    return frozenset({host.lower(), socket.gethostname().lower()})

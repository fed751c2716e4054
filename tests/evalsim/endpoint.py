"""An endpoint on loopback that speaks OpenAI's protocol, and answers as a test scripts it."""

import asyncio
import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

MARK = re.compile(r'"mark"[^"“]*"([0-9a-f]{12})"')
"""The mark in a prompt of medkg's, English or Chinese."""


@dataclass(frozen=True)
class Asked:
    """One request."""

    key: str
    """Of the header; empty: none."""
    body: dict[str, Any]

    @property
    def system(self) -> str:
        """The system message."""
        return next((m["content"] for m in self.body["messages"] if m["role"] == "system"), "")

    @property
    def last(self) -> str:
        """The last message."""
        return str(self.body["messages"][-1]["content"])

    @property
    def mark(self) -> str:
        """What the answer must bear to be read."""
        found = MARK.search(self.system)
        return found.group(1) if found else ""


@dataclass(frozen=True)
class Fails:
    """An answer that is none."""

    status: int = 500
    body: str = '{"error": {"message": "the server broke", "type": "server_error"}}'
    headers: tuple[tuple[str, str], ...] = ()


Script = Callable[[Asked, int], "str | Fails | None"]
"""What is answered to a request, by its number from 0; None: the request is never answered."""


@dataclass
class Endpoint:
    """A server that runs, with what it was asked."""

    url: str
    script: Script
    delay: float = 0.0
    """Seconds before each answer."""
    finish: str = "stop"
    asked: list[Asked] = field(default_factory=list)
    at_once: int = 0
    """Requests that were open at the same time, at most."""
    _open: int = 0

    async def answer(self, request: Request) -> Response:
        """Answer one request for a completion."""
        asked = Asked(
            request.headers.get("authorization", "").removeprefix("Bearer "), await request.json()
        )
        number = len(self.asked)
        self.asked.append(asked)
        self._open += 1
        self.at_once = max(self.at_once, self._open)
        try:
            if self.delay:
                await asyncio.sleep(self.delay)
            said = self.script(asked, number)
            if said is None:
                await asyncio.sleep(3_600)
            if isinstance(said, Fails):
                return Response(said.body, said.status, dict(said.headers), "application/json")
            return JSONResponse(completion(asked, str(said), self.finish))
        finally:
            self._open -= 1


def completion(asked: Asked, text: str, finish: str = "stop") -> dict[str, Any]:
    """What the protocol wraps an answer in."""
    message = {"role": "assistant", "content": text}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 0,
        "model": asked.body.get("model", ""),
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": {
            "prompt_tokens": len(json.dumps(asked.body)) // 4,
            "completion_tokens": max(1, len(text) // 4),
            "total_tokens": len(json.dumps(asked.body)) // 4 + max(1, len(text) // 4),
        },
    }


@contextmanager
def endpoint(script: Script, *, delay: float = 0.0, finish: str = "stop") -> Iterator[Endpoint]:
    """A server with a script on a free port, ended with the block."""
    served = Endpoint("", script, delay, finish)
    app = Starlette(routes=[Route("/v1/chat/completions", served.answer, methods=["POST"])])
    config = uvicorn.Config(app, "127.0.0.1", 0, log_level="error", lifespan="off")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        while not server.started:
            thread.join(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        served.url = f"http://127.0.0.1:{port}/v1"
        yield served
    finally:
        server.force_exit = server.should_exit = True
        thread.join(10)


def given(asked: Asked, **fields: object) -> str:
    """JSON that bears the mark of a request."""
    return json.dumps({"mark": asked.mark, **fields}, ensure_ascii=False)

"""Candidates of a model behind an endpoint: a server on this machine that answers as told."""

import json
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, ClassVar

import pytest

from kg.configuration import Settings
from kg.errors import ModelError
from qa.generation.candidates import Candidate, Sentence
from qa.generation.endpoint import Endpoint
from tests.qa.passages import document, hit, library

GOUT = document("Gout is a form of arthritis. It comes at night.")
SAID = "Gout is a form of arthritis. Joints hurt."


def _completion(content: object, **message: object) -> bytes:
    choice = {"message": {"role": "assistant", "content": content, **message}}
    return json.dumps({"choices": [choice]}).encode()


class _Handler(BaseHTTPRequestHandler):
    status: ClassVar[int] = 200
    reply: ClassVar[bytes] = b""
    headers_sent: ClassVar[dict[str, str]] = {}
    slow: ClassVar[float] = 0.0
    asked: ClassVar[list[tuple[str, str | None, dict[str, Any]]]] = []

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.asked.append((self.path, self.headers["Authorization"], body))
        self.send_response(self.status)
        for name, value in self.headers_sent.items():
            self.send_header(name, value)
        self.end_headers()
        for at in range(len(self.reply) if self.slow else 1):
            try:
                self.wfile.write(self.reply[at : at + 1] if self.slow else self.reply)
            except OSError:  # the reader has gone
                return
            time.sleep(self.slow)

    def log_message(self, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def handler() -> type[_Handler]:
    return type("Handler", (_Handler,), {"asked": []})


@pytest.fixture
def endpoint(handler: type[_Handler]) -> Iterator[Endpoint]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield Endpoint("m", f"http://127.0.0.1:{server.server_port}/v1", "secret", timeout=5)
    server.shutdown()
    thread.join()
    server.server_close()


def _ask(endpoint: Endpoint) -> list[Candidate]:
    return endpoint.candidates("What is gout?", [hit(GOUT)], library(GOUT))


def test_answer_is_cut_to_whole_sentences_with_what_each_rests_on(
    endpoint: Endpoint, handler: type[_Handler]
) -> None:
    handler.reply = _completion(f"{SAID} And it is")
    (made,) = _ask(endpoint)
    assert made.text == SAID
    assert made.sentences == (
        Sentence("Gout is a form of arthritis.", "d", 0, 28),
        Sentence("Joints hurt.", None),
    )


def test_question_passage_and_papers_temperature_are_sent(
    endpoint: Endpoint, handler: type[_Handler]
) -> None:
    handler.reply = _completion(SAID)
    _ask(endpoint)
    ((path, authorization, body),) = handler.asked
    assert (path, authorization) == ("/v1/chat/completions", "Bearer secret")
    assert (body["model"], body["temperature"]) == ("m", 0.7)
    task, asked = body["messages"]
    assert "40 to 150 words" in task["content"]
    assert asked["content"] == f"Question: What is gout?\n\nPassage:\n{GOUT.text}"


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (b"<html>", r"did not answer in the form of a chat completion \('<html>'\); check that"),
        (b"[]", "did not answer in the form of a chat completion"),
        (b'{"choices": []}', "did not answer in the form of a chat completion"),
        (b'{"choices": [{"message": null}]}', "did not answer in the form of a chat completion"),
        (b"\xff\xfe", "did not answer in the form of a chat completion"),
        (_completion(None, refusal="No."), r"refused to answer \('No.'\); ask in other words"),
        (_completion(None), "answered without a text; ask again, or name another model"),
        (_completion(["parts"]), "answered without a text"),
        (b" " * 1_100_000, "answered more than 1000000 bytes"),
    ],
)
def test_reply_that_is_no_answer_is_an_error_of_one_sentence(
    endpoint: Endpoint, handler: type[_Handler], reply: bytes, message: str
) -> None:
    handler.reply = reply
    with pytest.raises(ModelError, match=rf"'m' at {endpoint.base_url} {message}"):
        _ask(endpoint)


def test_refused_key_is_named_with_what_to_check(
    endpoint: Endpoint, handler: type[_Handler]
) -> None:
    handler.status, handler.reply = 401, b"bad key"
    with pytest.raises(ModelError, match=r"answered 401 Unauthorized: 'bad key'; check OPENAI_"):
        _ask(endpoint)


def test_key_is_sent_to_no_other_address(endpoint: Endpoint, handler: type[_Handler]) -> None:
    handler.status, handler.headers_sent = 302, {"Location": f"{endpoint.base_url}/other"}
    with pytest.raises(ModelError, match="answered 302 Found"):
        _ask(endpoint)
    assert len(handler.asked) == 1


@pytest.mark.parametrize("slow", [0.05, 2.0])
def test_endpoint_that_takes_too_long_is_an_error_in_time(
    endpoint: Endpoint, handler: type[_Handler], slow: float
) -> None:
    handler.reply, handler.slow = _completion(SAID), slow
    start = time.perf_counter()
    hasty = Endpoint(endpoint.model, endpoint.base_url, timeout=0.3)
    with pytest.raises(
        ModelError, match=r"took more than 0.3 seconds; ask again, or name a faster"
    ):
        _ask(hasty)
    assert time.perf_counter() - start < 3


def test_endpoint_that_is_not_there_is_named() -> None:
    with pytest.raises(ModelError, match=r"'m' at http://127.0.0.1:1/v1 cannot be reached"):
        _ask(Endpoint("m", "http://127.0.0.1:1/v1"))


@pytest.mark.parametrize(
    ("url", "message"),
    [
        (None, "OPENAI_BASE_URL is not set; set it to the address of the endpoint that has 'm'"),
        ("file:///etc/passwd", "OPENAI_BASE_URL: 'file:///etc/passwd' is no address of the web"),
        ("localhost:8000", "OPENAI_BASE_URL: 'localhost:8000' is no address of the web"),
    ],
)
def test_address_that_is_none_is_refused(url: str | None, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        Endpoint.of_settings("m", Settings(openai_base_url=url))


def test_key_is_not_shown(endpoint: Endpoint) -> None:
    assert "secret" not in repr(endpoint)


def test_no_passage_asks_nothing() -> None:
    assert Endpoint("m", "http://127.0.0.1:1/v1").candidates("gout?", [], library()) == []

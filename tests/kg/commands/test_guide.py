from collections.abc import Iterator
from http.client import HTTPConnection, HTTPResponse
from threading import Thread

import pytest
from click.testing import CliRunner

from kg.commands import main
from kg.commands.guide import guide_server


@pytest.fixture
def port() -> Iterator[int]:
    with guide_server({"medkg.html": "<p>痛风</p>".encode()}, 0) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


def asked(port: int, path: str, method: str = "GET") -> tuple[HTTPResponse, str]:
    connection = HTTPConnection("localhost", port, timeout=10)
    connection.request(method, path)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer, text


def test_a_file_is_served_to_any_origin(port: int) -> None:
    answer, text = asked(port, "/medkg.html?again")
    assert (answer.status, text) == (200, "<p>痛风</p>")
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"


def test_browsers_question_before_the_request_is_allowed(port: int) -> None:
    answer, _ = asked(port, "/medkg.html", "OPTIONS")
    assert (answer.status, answer.headers["Access-Control-Allow-Headers"]) == (204, "*")


@pytest.mark.parametrize("path", ["/", "/x.html", "/../medkg.html/etc"])
def test_nothing_else_is_served(port: int, path: str) -> None:
    answer, text = asked(port, path)
    assert (answer.status, text) == (404, "")


def test_a_taken_port_is_one_sentence(port: int) -> None:
    result = CliRunner().invoke(main, ["queries", "--guide", str(port)])
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == (
        f"Error: port {port}: the guide cannot be served there (Address already in use); "
        "choose another port with --guide PORT\n"
    )

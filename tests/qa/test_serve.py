"""``medkg qa serve`` as a person starts and ends it."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.conftest import CommandLine
from tests.qa.page.served import build, rows


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("served")
    build(folder, rows())
    return folder


@contextmanager
def started(home: Path, *arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server in a process of its own, and the line that it starts with."""
    medkg = Path(sys.executable).with_name("medkg")
    server = subprocess.Popen(
        [medkg, "qa", "serve", "--port", "0", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, "MEDKG_HOME": str(home), "PYTHONUNBUFFERED": "1"},
    )
    try:
        assert server.stdout is not None
        yield server, server.stdout.readline().strip()
    finally:
        server.kill()
        server.communicate()


def test_it_says_where_to_ask_and_ctrl_c_ends_it_at_once(home: Path) -> None:
    with started(home) as (server, line):
        said, address, *_ = line.partition("http://127.0.0.1:")
        assert (said, address) == ("Ask on ", "http://127.0.0.1:")
        url = line.split()[2]
        assert urlopen(url, timeout=30).status == 200  # noqa: S310 - of this machine
        at = ("127.0.0.1", int(url.rstrip("/").rpartition(":")[2]))
        with socket.create_connection(at) as nonsense:
            nonsense.sendall(b"\x00\xff\r\n\r\n")
            assert nonsense.recv(100).startswith(b"HTTP/1.1 400")
        with socket.create_connection(at), socket.create_connection(at) as halfway:
            # neither who says nothing nor who is halfway through a question is waited for
            halfway.sendall(b"POST /ask HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{")
            time.sleep(0.5)
            server.send_signal(signal.SIGINT)
            begun = time.monotonic()
            out, err = server.communicate(timeout=30)
    assert time.monotonic() - begun < 20
    assert (server.returncode, out) == (130, "")
    assert err.splitlines()[-1] == "Stopped."
    assert "Traceback" not in err
    assert "Invalid HTTP" not in err


def test_it_speaks_the_language_that_is_asked_for(home: Path) -> None:
    with started(home, "--lang", "zh") as (_, line):
        assert line.startswith("请在 http://127.0.0.1:")


def test_port_in_use_or_foreign_address_is_one_sentence(home: Path, cli: CommandLine) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        answer = cli("qa", "serve", "--port", port, env={"MEDKG_HOME": str(home)})
        assert answer.code == 1
        assert f"Error: 127.0.0.1:{port}: cannot listen there" in answer.err
        assert "give another --port or --host" in answer.err
    for host in ("192.0.2.1", "no such host", "x" * 70):
        answer = cli("qa", "serve", "--host", host, "--port", "0", env={"MEDKG_HOME": str(home)})
        assert answer.code == 1
        assert "cannot listen there" in answer.err
    assert "--host is empty; leave it out" in cli("qa", "serve", "--host", "").err


def test_without_a_graph_it_says_how_to_make_one(tmp_path: Path, cli: CommandLine) -> None:
    answer = cli("qa", "serve", "--port", "0", env={"MEDKG_HOME": str(tmp_path)})
    assert (answer.code, answer.out) == (1, "")
    assert "medkg build" in answer.err


def test_without_its_packages_it_says_how_to_get_them() -> None:
    code = (
        "import sys; sys.modules['uvicorn'] = None\n"
        "from kg.commands import main; main(['qa', 'serve'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert 'uvicorn, which is not installed; run pip install "medkg[serve]"' in done.stderr

"""One server of this module's own goes through its life; the tests run in this order."""

import http.client
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import psutil
import pytest

from kg.errors import ServerError
from kg.server import Ports, ServerHome, Stopped, import_tables, start, status, stop
from kg.server.record import ServerRecord, read_record, write_record
from kg.stores.bolt import answering_version
from kg.tables import GraphTables

pytestmark = pytest.mark.neo4j


@pytest.fixture(scope="module")
def home(neo4j_server: object, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerHome]:
    """An empty home, on a machine where a server can be started."""
    del neo4j_server
    home = ServerHome(tmp_path_factory.mktemp("life") / "neo4j")
    yield home
    stop(home)


@pytest.fixture
def up(home: ServerHome) -> psutil.Process:
    """The module's server, started if it is down; its process."""
    started = start(home, None if read_record(home) else Ports.free(), "java")
    return psutil.Process(started.status.pid)


def record_of(home: ServerHome) -> ServerRecord:
    record = read_record(home)
    assert record
    return record


def test_down_before_any_start_is_no_error(tmp_path: Path) -> None:
    assert stop(ServerHome(tmp_path / "none")) is Stopped.NOT_RUNNING
    assert not status(ServerHome(tmp_path / "none")).running
    assert not (tmp_path / "none").exists()


def test_started_server_says_where_it_is(home: ServerHome, up: psutil.Process) -> None:
    now = status(home)
    assert (now.running, now.answers, now.version, now.pid) == (True, True, "5.26.25", up.pid)
    assert now.started is not None
    assert abs(now.started.timestamp() - time.time()) < 120
    assert stat.S_IMODE(home.password_file.stat().st_mode) == 0o600


@pytest.mark.usefixtures("up")
def test_browser_is_served(home: ServerHome) -> None:
    server = http.client.HTTPConnection("localhost", record_of(home).http_port, timeout=30)
    server.request("GET", "/browser/")
    page = server.getresponse().read()
    server.close()
    assert b"Neo4j Browser" in page


def test_it_listens_on_loopback_only(home: ServerHome, up: psutil.Process) -> None:
    listening = [c for c in up.net_connections("tcp") if c.status == psutil.CONN_LISTEN]
    assert {c.laddr.port for c in listening} == {
        record_of(home).bolt_port,
        record_of(home).http_port,
    }
    assert all(c.laddr.ip.removeprefix("::ffff:") == "127.0.0.1" for c in listening)


def test_password_is_on_no_command_line(home: ServerHome, up: psutil.Process) -> None:
    assert not any(home.password() in word for word in up.cmdline())
    assert not any(home.password() in value for value in up.environ().values())


def test_second_start_finds_it_up(home: ServerHome, up: psutil.Process) -> None:
    again = start(home)
    assert again.already
    assert again.status.pid == up.pid


@pytest.mark.usefixtures("up")
def test_moving_a_running_server_is_refused(home: ServerHome) -> None:
    with pytest.raises(ServerError, match=r"is up already, on ports \d+ \(Bolt\) and .+ db down"):
        start(home, Ports.free())


@pytest.mark.usefixtures("up")
def test_import_beside_a_running_server_is_refused(home: ServerHome, tmp_path: Path) -> None:
    with pytest.raises(ServerError, match=r"the import needs it down; run 'medkg db down' first"):
        import_tables(home, GraphTables(tmp_path), overwrite=True)


def test_changed_password_file_is_one_sentence(home: ServerHome, up: psutil.Process) -> None:
    right = home.password()
    home.password_file.write_text("wrong\n")
    try:
        with pytest.raises(ServerError, match=r"password: not the password of .+ put the right"):
            start(home)
    finally:
        home.password_file.write_text(f"{right}\n")
    assert up.is_running()


def test_killed_server_leaves_a_stale_record(home: ServerHome, up: psutil.Process) -> None:
    up.kill()
    up.wait(30)
    now = status(home)
    assert (now.running, now.stale) == (False, True)
    assert stop(home) is Stopped.STALE
    assert stop(home) is Stopped.NOT_RUNNING


def test_process_that_took_over_the_id_is_left_alone(home: ServerHome) -> None:
    with subprocess.Popen(["sleep", "60"]) as stranger:
        ports = Ports.free()
        write_record(
            home,
            ServerRecord(
                runtime="java",
                handle=str(stranger.pid),
                started=datetime.now(UTC),
                bolt_port=ports.bolt,
                http_port=ports.http,
            ),
        )
        assert not status(home).running
        assert stop(home) is Stopped.STALE
        assert stranger.poll() is None
        stranger.kill()


def test_broken_record_counts_as_none(home: ServerHome) -> None:
    (home.folder / "pid.json").write_text("12345")
    assert not status(home).running
    assert stop(home) is Stopped.NOT_RUNNING


def test_it_starts_again_after_a_kill_and_ends_when_told(
    home: ServerHome, up: psutil.Process
) -> None:
    assert status(home).answers
    assert stop(home) is Stopped.ENDED
    assert not up.is_running()
    assert not status(home).stale


def test_server_that_will_not_end_is_killed(home: ServerHome, up: psutil.Process) -> None:
    up.suspend()
    assert stop(home, patience=1) is Stopped.KILLED
    assert not up.is_running()


def test_dying_server_s_last_words_are_told(home: ServerHome) -> None:
    lock = home.data / "databases" / "store_lock"
    lock.unlink()
    lock.mkdir()
    try:
        with pytest.raises(
            ServerError, match=r"ended while it started; its last words: .*store_lock"
        ):
            start(home, Ports.free(), "java")
    finally:
        lock.rmdir()
    assert read_record(home) is None


def test_server_that_takes_too_long_is_ended(home: ServerHome) -> None:
    ports = Ports.free()
    with pytest.raises(ServerError, match=r"did not answer within 0\.5 s; see .+ --timeout"):
        start(home, ports, "java", timeout=0.5)
    assert read_record(home) is None
    ports.check_free()
    assert not servers_of(home)


def test_interrupted_start_leaves_nothing_running(
    home: ServerHome, until: Callable[[Callable[[], bool]], None]
) -> None:
    code = (
        "from kg.server import *; from pathlib import Path; "
        f"start(ServerHome(Path({str(home.folder)!r})), Ports.free(), 'java')"
    )
    with subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.DEVNULL) as process:
        until(lambda: bool(servers_of(home)))
        process.send_signal(signal.SIGINT)
    assert not servers_of(home)
    assert read_record(home) is None


def test_nobody_answers_at_a_dead_address() -> None:
    assert answering_version(f"bolt://localhost:{Ports.free().bolt}", "neo4j", "x") is None


def servers_of(home: ServerHome) -> list[int]:
    return [
        process.pid
        for process in psutil.process_iter()
        if f"--home-dir={home.folder}" in words_of(process)
    ]


def words_of(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:
        return []

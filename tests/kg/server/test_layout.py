import stat
from pathlib import Path

import pytest

from kg.errors import ServerError
from kg.server.layout import Memory, ServerHome
from kg.server.ports import Ports


@pytest.fixture
def home(tmp_path: Path) -> ServerHome:
    home = ServerHome(tmp_path / "neo4j")
    home.prepare()
    return home


def test_password_is_random_private_and_kept(home: ServerHome, tmp_path: Path) -> None:
    other = ServerHome(tmp_path / "other")
    other.prepare()
    for each in (home, other):
        each.ensure_password()
    first = home.password()
    home.ensure_password()
    assert home.password() == first != other.password()
    assert len(first) >= 20
    assert stat.S_IMODE(home.password_file.stat().st_mode) == 0o600


def test_lost_password_of_a_server_with_data_is_not_made_up(home: ServerHome) -> None:
    (home.data / "databases" / "system").mkdir(parents=True)
    home.ensure_password()
    with pytest.raises(
        ServerError, match=r"password: missing, .+ put the password back there, or"
    ):
        home.password()


def test_conf_is_for_loopback_and_reports_nothing(home: ServerHome) -> None:
    home.write_conf(Ports(1111, 2222), Memory(heap=512, page_cache=256))
    lines = (home.conf / "neo4j.conf").read_text().splitlines()
    assert {
        "server.bolt.listen_address=127.0.0.1:1111",
        "server.http.listen_address=127.0.0.1:2222",
        "server.default_listen_address=127.0.0.1",
        "dbms.usage_report.enabled=false",
        "server.memory.pagecache.size=256m",
    } <= set(lines)


def test_home_that_cannot_be_made_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(
        ServerError,
        match=r"cannot be written \(Not a directory\); make it writable or set MEDKG_HOME",
    ):
        ServerHome(tmp_path / "file" / "neo4j").prepare()


def test_second_command_on_one_server_is_refused(home: ServerHome) -> None:
    with (
        home.lock(),
        pytest.raises(ServerError, match=r"another 'medkg db' command is at work .+ wait"),
        home.lock(),
    ):
        pass
    with home.lock():
        pass


def test_memory_is_modest() -> None:
    memory = Memory.of_this_machine()
    assert 512 <= memory.heap <= 2048
    assert 256 <= memory.page_cache <= 2048

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from kg.errors import ServerError
from kg.progress import Silent
from kg.server import Ports, ServerHome, Stopped, start, status, stop
from kg.server.docker import (
    DockerRuntime,
    container_name,
    engine_answers,
    import_arguments,
    run_arguments,
)
from kg.server.layout import Memory
from kg.server.process import JavaRuntime
from kg.server.runtime import choose_runtime

MEMORY = Memory(heap=1024, page_cache=512)


def pairs(arguments: list[str], option: str) -> list[str]:
    """The values of an option that may be given several times."""
    return [arguments[at + 1] for at, word in enumerate(arguments) if word == option]


def test_container_is_seen_on_loopback_only(tmp_path: Path) -> None:
    arguments = run_arguments(ServerHome(tmp_path), Ports(1111, 2222), MEMORY)
    assert pairs(arguments, "--publish") == ["127.0.0.1:1111:7687", "127.0.0.1:2222:7474"]
    assert "NEO4J_server_bolt_advertised__address=localhost:1111" in pairs(arguments, "--env")
    assert arguments[-1] == "neo4j:5.26-community"


def test_container_reports_no_usage_and_has_the_memory(tmp_path: Path) -> None:
    variables = pairs(run_arguments(ServerHome(tmp_path), Ports(), MEMORY), "--env")
    assert {
        "NEO4J_dbms_usage__report_enabled=false",
        "NEO4J_server_memory_heap_max__size=1024m",
    } <= set(variables)


def test_password_reaches_the_container_in_a_file(tmp_path: Path) -> None:
    home = ServerHome(tmp_path)
    home.ensure_password()
    arguments = run_arguments(home, Ports(), MEMORY)
    assert f"{tmp_path}/auth:/medkg-auth:ro" in pairs(arguments, "--volume")
    assert "NEO4J_AUTH_FILE=/medkg-auth" in pairs(arguments, "--env")
    assert not any(home.password() in word for word in arguments)


def test_every_home_has_its_own_container(tmp_path: Path) -> None:
    names = {container_name(ServerHome(tmp_path / each)) for each in "ab"}
    assert len(names) == 2


def test_importer_sees_the_files_at_their_own_path(tmp_path: Path) -> None:
    arguments = import_arguments(tmp_path / "s", tmp_path / "s" / "files", ["neo4j"], MEMORY)
    files = f"{tmp_path}/s/files"
    assert pairs(arguments, "--volume") == [f"{tmp_path}/s/data:/data", f"{files}:{files}:ro"]
    assert arguments[-6:-1] == ["neo4j-admin", "database", "import", "full", "neo4j"]
    assert arguments[-1] == "--report-file=/data/import.report"


def test_without_an_engine_docker_is_refused_and_java_chosen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/nobody.sock")
    with pytest.raises(ServerError, match=r"no Docker engine answers 'docker info'; start Docker"):
        choose_runtime("docker")
    assert isinstance(choose_runtime("auto"), JavaRuntime)


def test_machine_without_docker_has_no_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert not engine_answers()


@pytest.mark.skipif(not shutil.which("docker"), reason="this machine has no docker")
def test_refusing_engine_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/nobody.sock")
    with pytest.raises(ServerError, match=r"docker pull failed: .+; put that right, or use Java"):
        DockerRuntime().prepare(Silent())


@pytest.fixture
def docker_home(tmp_path: Path) -> Iterator[ServerHome]:
    if not engine_answers():
        pytest.skip("no Docker engine answers on this machine")
    home = ServerHome(tmp_path / "neo4j")
    yield home
    stop(home)


@pytest.mark.neo4j
def test_container_starts_and_ends(docker_home: ServerHome) -> None:
    started = start(docker_home, Ports.free(), "docker")
    assert started.status.container == container_name(docker_home)
    assert status(docker_home).answers
    assert start(docker_home).already
    assert stop(docker_home) is Stopped.ENDED
    assert not status(docker_home).running

"""Fixtures of all tests: a real Neo4j, the command line, public data, a clean environment."""

import atexit
import gc
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NoReturn, Protocol

import hypothesis
import pytest
from click.testing import CliRunner
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

from kg.commands import COLLECTING, main
from kg.configuration import Settings
from kg.errors import ServerError
from kg.server import Ports, ServerHome, start, stop

REPOSITORY = Path(__file__).resolve().parent.parent
_SHARED_CACHE = "MEDKG_CACHE"
_GIVEN_URI = os.environ.get("MEDKG_TEST_NEO4J_URI")
_GIVEN_DATA = os.environ.get("MEDKG_TEST_DATA")
_GIVEN_PASSWORD = os.environ.get("MEDKG_TEST_NEO4J_PASSWORD", "")
"""Read now: every test clears them."""


# workers share the cores, so no example has a time limit of its own
hypothesis.settings.register_profile("shared machine", deadline=None)
hypothesis.settings.load_profile("shared machine")

# as the command line does
gc.set_threshold(*COLLECTING)

# tests read English, whatever the developer's language
for _name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES"):
    os.environ.pop(_name, None)
os.environ["LANG"] = "C.UTF-8"

# a Java of the tests lives for seconds on few cores: to compile thoroughly costs it half its time,
# and so do threads of their own for garbage
os.environ.setdefault("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")


class ByFile(LoadFileScheduling):
    """Gives the workers of pytest-xdist whole files; those that need a Java go to one worker.

    So one Neo4j is started, and Spark never works beside another heavy Java.
    """

    def _split_scope(self, nodeid: str) -> str:
        file = super()._split_scope(nodeid)
        return "java" if needs_java(REPOSITORY / file) else file


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: a worker often waits for a server or a process of its own."""
    return (os.cpu_count() or 1) + 1


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> ByFile:
    return ByFile(config, log)


@cache
def needs_java(file: Path) -> bool:
    """By what it or the conftest beside it says: the scheduler is told no marks."""
    said = re.compile(r'pytest\.mark\.(neo4j|xdist_group\("java"\))')
    files = [each for each in (file, file.with_name("conftest.py")) if each.is_file()]
    return any(said.search(each.read_text(encoding="utf-8")) for each in files)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Let the worker with the tests that need a Java go first: it is the last to end."""
    if "PYTEST_XDIST_WORKER" in os.environ and not needs_java(item.path):
        give_way()


@cache
def give_way() -> None:
    """Leave the cores to others for good."""
    os.nice(5)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.get_closest_marker("neo4j") and not needs_java(item.path):
            raise pytest.UsageError(
                f"{item.nodeid}: needs Neo4j, which neither its file nor the conftest beside it "
                "says; mark the file as of xdist_group 'java'"
            )


@dataclass(frozen=True)
class Run:
    """What one run of ``medkg`` gave."""

    code: int
    out: str
    err: str


class CommandLine(Protocol):
    """Runs ``medkg`` as a person does."""

    def __call__(
        self,
        *arguments: str | Path,
        env: Mapping[str, str] | None = None,
        stdin: str = "",
        timeout: float = 300,
    ) -> Run: ...


@dataclass(frozen=True)
class LocalNeo4j:
    """A server that tests may fill and empty as they like."""

    uri: str
    user: str
    password: str


@atexit.register
def end_with_the_closing_line() -> None:
    """DuckDB's binding lists on stderr what is alive when Python ends, below pytest's last line."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Neither a developer's settings, nor a ``.env`` or ``.medkg`` beside the code, reach a test."""
    for name in list(os.environ):
        if name.startswith(("NEO4J_", "MEDKG_", "OPENAI_")) and name != _SHARED_CACHE:
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="session")
def neo4j_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalNeo4j]:
    """One real server for the whole session; its content is anybody's.

    MEDKG_TEST_NEO4J_URI and MEDKG_TEST_NEO4J_PASSWORD name one that runs
    already, and whose content is lost.
    """
    if _GIVEN_URI:
        yield LocalNeo4j(_GIVEN_URI, "neo4j", _GIVEN_PASSWORD)
        return
    home = ServerHome(tmp_path_factory.mktemp("medkg") / "neo4j")
    try:
        started = start(home, Ports.free())
    except ServerError as e:
        do_without("Neo4j", e)
    try:
        yield LocalNeo4j(str(started.status.bolt), "neo4j", home.password())
    finally:
        stop(home)


def do_without(engine: str, reason: Exception) -> NoReturn:
    """End a test that needs an engine which this machine can't run; in CI that is a failure."""
    if os.environ.get("CI"):
        pytest.fail(f"CI needs a real {engine}: {reason}")
    pytest.skip(f"NO {engine.upper()}, so nothing is tested on a real one: {reason}")


@pytest.fixture(scope="session")
def neo4j_uri(neo4j_server: LocalNeo4j) -> str:
    """Address of the session's server; ``neo4j_settings`` has its password."""
    return neo4j_server.uri


@pytest.fixture(scope="session")
def neo4j_settings(neo4j_server: LocalNeo4j, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Settings for the session's server: ``connect(settings=neo4j_settings)``."""
    return Settings(
        neo4j_uri=neo4j_server.uri,
        neo4j_username=neo4j_server.user,
        neo4j_password=neo4j_server.password,
        home=tmp_path_factory.mktemp("home"),
    )


@pytest.fixture
def neo4j_environment(neo4j_server: LocalNeo4j, monkeypatch: pytest.MonkeyPatch) -> str:
    """The session's server as NEO4J_URI, with its credentials, for command lines."""
    monkeypatch.setenv("NEO4J_URI", neo4j_server.uri)
    monkeypatch.setenv("NEO4J_USERNAME", neo4j_server.user)
    monkeypatch.setenv("NEO4J_PASSWORD", neo4j_server.password)
    return neo4j_server.uri


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Real public data, in MEDKG_TEST_DATA or beside the repository; skipped without it."""
    folder = Path(_GIVEN_DATA) if _GIVEN_DATA else REPOSITORY.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip(f"{folder}: not there")
    return folder


@pytest.fixture
def cli(tmp_path: Path) -> CommandLine:
    """The installed ``medkg``, run in ``tmp_path`` in a process of its own."""
    medkg = Path(sys.executable).with_name("medkg")

    def run(
        *arguments: str | Path,
        env: Mapping[str, str] | None = None,
        stdin: str = "",
        timeout: float = 300,
    ) -> Run:
        done = subprocess.run(
            [medkg, *arguments],
            capture_output=True,
            text=True,
            encoding="utf-8",
            input=stdin,
            cwd=tmp_path,
            env={**os.environ, **(env or {})},
            timeout=timeout,
            check=False,
        )
        return Run(done.returncode, done.stdout, done.stderr)

    return run


@pytest.fixture
def cli_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    """``medkg`` in this process, for a part whose ``cli`` this is.

    To start one and to import costs as much as a small build or most of an answer. As processes of
    their own commands run in the tests of the demo and in those that kill one.
    """
    monkeypatch.chdir(tmp_path)

    def run(
        *arguments: str | Path,
        env: Mapping[str, str] | None = None,
        stdin: str = "",
        timeout: float = 0,
    ) -> Run:
        del timeout  # pytest has one
        done = CliRunner().invoke(main, [str(each) for each in arguments], input=stdin, env=env)
        return Run(done.exit_code, done.stdout, done.stderr)

    return run

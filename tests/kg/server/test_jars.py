import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from kg.errors import ServerError
from kg.progress import Silent
from kg.server.jars import NEO4J_VERSION, cache_folder, fetch_jars
from kg.server.java import Java, find_java

Until = Callable[[Callable[[], bool]], None]
JAVA = Java(Path("/nowhere"), 17)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MEDKG_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / f"neo4j-{NEO4J_VERSION}"


def put_maven(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """Put a program called mvn on the PATH, for what Maven itself does not do on demand."""
    folder.mkdir()
    (folder / "mvn").write_text(f"#!/bin/sh\n{script}\n")
    (folder / "mvn").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")


@pytest.mark.neo4j
def test_maven_fills_an_empty_cache(cache: Path) -> None:
    if not shutil.which("mvn"):
        pytest.skip("this machine has no Maven")
    lib = fetch_jars(find_java(), Silent())
    jars = {path.name for path in lib.iterdir()}
    left = {path.name for path in cache.iterdir()}
    shutil.rmtree(lib)
    assert lib == cache / "lib"
    assert {f"neo4j-server-{NEO4J_VERSION}.jar", "neo4j-browser-5.24.0.jar"} <= jars
    assert left == {"lib", "lock", "maven.log"}


def test_a_full_cache_needs_no_maven(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    (cache / "lib").mkdir(parents=True)
    assert fetch_jars(JAVA, Silent()) == cache / "lib"


def test_no_maven_says_what_to_install(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(ServerError, match=r"Maven \(mvn\) .+ not on the PATH; install Maven"):
        fetch_jars(JAVA, Silent())
    assert not (cache / "lib").exists()


def test_what_maven_complains_of_is_told(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_maven(tmp_path / "bin", monkeypatch, "echo '[ERROR] no route -> [Help 1]'; exit 1")
    with pytest.raises(
        ServerError, match=r"could not fetch Neo4j 5\.26\.25: no route \(see .+maven\.log\)"
    ):
        fetch_jars(JAVA, Silent())
    assert not (cache / "lib").exists()


def test_maven_that_brings_nothing_makes_no_cache(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_maven(tmp_path / "bin", monkeypatch, "exit 0")
    with pytest.raises(ServerError, match=r"did not bring neo4j-5\.26\.25\.jar; see"):
        fetch_jars(JAVA, Silent())
    assert {path.name for path in cache.iterdir()} == {"lock", "maven.log"}


FETCH = """
from collections.abc import Callable
from pathlib import Path
from kg.progress import Silent
from kg.server.jars import fetch_jars
from kg.server.java import Java
fetch_jars(Java(Path("/nowhere"), 17), Silent())
"""
HALF = """for a in "$@"; do case "$a" in -DoutputDirectory=*) touch "${a#*=}/neo4j-5.26.25.jar";; esac; done
exec sleep 60"""


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGKILL])
def test_interrupted_download_leaves_no_half_cache(
    cache: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    ending: signal.Signals,
    until: Until,
) -> None:
    put_maven(tmp_path / "bin", monkeypatch, HALF)
    with subprocess.Popen(
        [sys.executable, "-c", FETCH], start_new_session=True, stderr=subprocess.DEVNULL
    ) as process:
        until(lambda: any(cache.glob("part-*/*.jar")))
        os.killpg(process.pid, ending)
    assert not (cache / "lib").exists()
    put_maven(tmp_path / "bin2", monkeypatch, "exit 1")
    with pytest.raises(ServerError):
        fetch_jars(JAVA, Silent())
    assert not list(cache.glob("part-*"))


def test_cache_follows_the_user_s_own_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MEDKG_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", "/x")
    assert cache_folder() == Path("/x/medkg")
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", "/h")
    assert cache_folder() == Path("/h/.cache/medkg")


def test_cache_may_be_named_in_the_dotenv_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MEDKG_CACHE", raising=False)
    (tmp_path / ".env").write_text("MEDKG_CACHE=/jars\n")
    assert cache_folder() == Path("/jars")


def test_cache_that_cannot_be_written_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("MEDKG_CACHE", str(tmp_path / "file"))
    with pytest.raises(
        ServerError, match=r"file/.+: cannot be written \(Not a directory\); .+ set MEDKG_CACHE"
    ):
        fetch_jars(JAVA, Silent())

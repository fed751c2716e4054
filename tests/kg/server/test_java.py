from pathlib import Path

import pytest

from kg.errors import ServerError
from kg.server.java import FITTING, find_java


def java_home(folder: Path, version: str) -> Path:
    """A Java home whose launcher knows its version and nothing else."""
    launcher = folder / "bin" / "java"
    launcher.parent.mkdir(parents=True)
    launcher.write_text(f"#!/bin/sh\necho 'openjdk version \"{version}\"' >&2\n")
    launcher.chmod(0o755)
    return folder


@pytest.fixture(autouse=True)
def no_java(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "nowhere"))


def test_java_home_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    java_home(tmp_path / "jvm" / "a", "17.0.1")
    chosen = java_home(tmp_path / "chosen", "21.0.2")
    monkeypatch.setenv("JAVA_HOME", str(chosen))
    found = find_java((f"{tmp_path}/jvm/*",))
    assert (found.home, found.release) == (chosen, 21)


def test_path_comes_before_the_usual_places(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    java_home(tmp_path / "jvm" / "a", "21")
    on_path = java_home(tmp_path / "b", "17.0.1")
    monkeypatch.setenv("PATH", str(on_path / "bin"))
    assert find_java((f"{tmp_path}/jvm/*",)).home == on_path


def test_unfit_java_is_passed_over_for_a_fitting_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JAVA_HOME", str(java_home(tmp_path / "new", "25.0.1")))
    java_home(tmp_path / "jvm" / "8", "1.8.0_402")
    fitting = java_home(tmp_path / "jvm" / "9", "17.0.1")
    assert find_java((f"{tmp_path}/jvm/*",)).home == fitting


def test_only_unfit_javas_are_listed(tmp_path: Path) -> None:
    java_home(tmp_path / "8", "1.8.0_402")
    java_home(tmp_path / "new", "25")
    with pytest.raises(
        ServerError,
        match=r"needs Java 17 or 21 but only Java 8 in .+/8, Java 25 in .+/new was found; install",
    ):
        find_java((f"{tmp_path}/*",))


def test_no_java_at_all_says_what_to_install() -> None:
    with pytest.raises(
        ServerError,
        match=r"^no Java found .+; install Java 17 or 21, or use Docker with --runtime",
    ):
        find_java(())


def test_no_java_where_no_docker_answered_says_both() -> None:
    with pytest.raises(
        ServerError, match=r"^no Docker engine answers, and no Java found .+, or start Docker$"
    ):
        find_java((), instead_of_docker=True)


def test_a_java_that_does_not_run_is_none(tmp_path: Path) -> None:
    launcher = java_home(tmp_path / "broken", "17") / "bin" / "java"
    launcher.write_text("#!/bin/sh\nexit 1\n")
    with pytest.raises(ServerError, match="no Java found"):
        find_java((f"{tmp_path}/*",))


def test_the_java_of_this_machine_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    try:
        found = find_java()
    except ServerError:
        pytest.skip("this machine has no Java 17 or 21")
    assert found.release in FITTING

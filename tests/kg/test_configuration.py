from pathlib import Path

import pytest

from kg.configuration import Settings
from kg.errors import ConfigurationError


@pytest.fixture(autouse=True)
def no_shared_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one setting that tests elsewhere leave as it is."""
    monkeypatch.delenv("MEDKG_CACHE", raising=False)


def test_without_anything_the_embedded_store_is_meant() -> None:
    assert Settings.read() == Settings()
    assert Settings().graph == Path(".medkg/graph.lbug")


def test_environment_wins_over_the_dotenv_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".env").write_text(
        "NEO4J_URI=bolt://file\nNEO4J_PASSWORD='a b'\nNEO4J_DATABASE=\n"
    )
    monkeypatch.setenv("NEO4J_URI", "bolt://environment")
    monkeypatch.setenv("MEDKG_HOME", "/data/medkg")
    monkeypatch.setenv("MEDKG_CACHE", "/data/jars")
    monkeypatch.setenv("MEDKG_QUERY_TIMEOUT", "2.5")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://localhost:8000/v1")
    assert Settings.read() == Settings(
        neo4j_uri="bolt://environment",
        neo4j_password="a b",  # noqa: S106 - of this test
        home=Path("/data/medkg"),
        cache=Path("/data/jars"),
        query_timeout=2.5,
        openai_base_url="http://localhost:8000/v1",
    )


def test_empty_variable_counts_as_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".env").write_text("NEO4J_URI=bolt://file\n")
    monkeypatch.setenv("NEO4J_URI", "")
    assert Settings.read().neo4j_uri == "bolt://file"


def test_password_is_not_shown() -> None:
    word = "secret"
    assert word not in repr(Settings(neo4j_password=word, openai_api_key=word))


def test_dotenv_that_is_not_text_is_named(tmp_path: Path) -> None:
    (tmp_path / ".env").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigurationError, match=r"\.env: cannot be read .*UTF-8"):
        Settings.read()


@pytest.mark.parametrize("text", ["soon", "0", "-1", "nan"])
def test_time_limit_that_is_no_number_of_seconds_is_named(
    monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setenv("MEDKG_QUERY_TIMEOUT", text)
    with pytest.raises(
        ConfigurationError, match=rf"MEDKG_QUERY_TIMEOUT: '{text}' is not .* write e.g. 60"
    ):
        Settings.read()

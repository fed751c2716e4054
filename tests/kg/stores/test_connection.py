from pathlib import Path

import pytest

from kg.configuration import Settings
from kg.errors import ConfigurationError
from kg.stores.connection import connect


def test_without_anything_it_is_the_embedded_store_of_the_home(tmp_path: Path) -> None:
    store = connect(settings=Settings(home=tmp_path))
    assert (store.engine, store.uri) == ("embedded", str(tmp_path / "graph.lbug"))


def test_folder_means_the_graph_in_it(tmp_path: Path) -> None:
    assert connect(str(tmp_path)).uri == str(tmp_path / "graph.lbug")


def test_given_path_wins_over_the_settings(tmp_path: Path) -> None:
    settings = Settings(neo4j_uri="bolt://127.0.0.1:1")
    assert connect(str(tmp_path / "a.lbug"), settings).engine == "embedded"


@pytest.mark.parametrize("uri", ["http://localhost:7474", "nonesuch", "graph.db"])
def test_other_address_says_what_to_write(uri: str) -> None:
    with pytest.raises(ConfigurationError, match=rf"{uri}: .*write bolt://HOST:7687"):
        connect(uri)


def test_broken_address_says_what_to_write() -> None:
    with pytest.raises(ConfigurationError, match=r"not an address .*write bolt://HOST:7687"):
        connect("bolt://[::1")

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.qa.page.served import Server, build, rows, serving, write_texts


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graph and texts that no test changes."""
    folder = tmp_path_factory.mktemp("page")
    build(folder, rows())
    write_texts(folder)
    return folder


@pytest.fixture(scope="session")
def server(home: Path) -> Iterator[Server]:
    with serving(home) as started:
        yield started

"""A small graph in an environment that names it, and cases of it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from kg.stores.store import Store
from tests.evalsim.clinic import write_clinic, write_clinic_cases
from tests.evalsim.practice import open_practice


@pytest.fixture(scope="session")
def clinic(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """File of the graph."""
    return write_clinic(tmp_path_factory.mktemp("clinic"))


@pytest.fixture(scope="session")
def practice(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A graph that cases can be made of."""
    yield from open_practice(tmp_path_factory.mktemp("practice"))


@pytest.fixture(scope="session")
def clinic_cases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """File of its cases in English."""
    return write_clinic_cases(tmp_path_factory.mktemp("cases") / "cases.jsonl")

from pathlib import Path

import pytest

from ingest.sources import SOURCES
from ingest.sources.listing import page, settings, words
from kg.errors import ConfigurationError
from tests.conftest import CommandLine

REPOSITORY = Path(__file__).resolve().parents[3]
SAY_THEMSELVES = {"sample", "table", "triples"}
"""Kinds whose words are those of the graph, or stand in the configuration."""


def test_page_in_the_documentation_is_that_of_the_command() -> None:
    assert (REPOSITORY / "docs" / "kinds.md").read_text(encoding="utf-8") == page()


@pytest.mark.parametrize("kind", SOURCES)
def test_kind_says_whose_it_is_and_explains_its_settings(kind: str) -> None:
    about = SOURCES[kind]
    assert all((about.title, about.licence, about.citation, about.obtained))
    assert [setting.name for setting in settings(kind) if not setting.about] == []


@pytest.mark.parametrize("kind", sorted(SOURCES.keys() - SAY_THEMSELVES))
def test_kind_maps_its_words_as_data(kind: str) -> None:
    assert words(kind)


def test_unknown_kind_is_told() -> None:
    with pytest.raises(
        ConfigurationError, match="no kind of source is called 'omim'; 'medkg sources'"
    ):
        words("omim")


def test_command_shows_what_words_become(cli: CommandLine) -> None:
    shown = cli("sources", "hetionet").out
    assert "Drug PALLIATES Disease" in shown
    assert "CC0 1.0" in shown

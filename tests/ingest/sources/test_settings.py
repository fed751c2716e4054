"""What every source can be told, whatever its kind."""

from pathlib import Path

import pytest
from pydantic import ValidationError

import kg
from ingest.build import build
from ingest.configuration import BuildConfig
from ingest.report import BuildReport, page
from ingest.sources import SOURCES, TableSource
from ingest.sources.listing import settings
from kg.configuration import Settings
from kg.progress import Silent
from tests.ingest.sources.tables import GOUT, HEADER, mapped, write


def built(home: Path, *sources: TableSource) -> BuildReport:
    with kg.connect(None, Settings(home=home)) as store:
        return build(BuildConfig(sources=sources), home, store, Silent()).report


def licences(report: BuildReport) -> dict[str, str]:
    return {source.name: source.licence for source in report.sources}


@pytest.mark.parametrize("kind", SOURCES)
def test_every_kind_takes_a_licence(kind: str) -> None:
    assert ("licence", "") in [(setting.name, setting.default) for setting in settings(kind)]


def test_report_shows_the_licence_of_the_source_else_that_of_its_kind(tmp_path: Path) -> None:
    file = write(tmp_path, HEADER + GOUT)
    ours = mapped(file, name="ours", licence="CC-BY-4.0")
    report = built(tmp_path / "home", ours, mapped(file))
    assert licences(report) == {"ours": "CC-BY-4.0", "clinic": SOURCES["table"].licence}
    assert '<td class="licence">CC-BY-4.0</td>' in page(report)


def test_other_licence_is_shown_by_the_next_build(tmp_path: Path) -> None:
    file = write(tmp_path, HEADER + GOUT)
    for licence in ("CC0-1.0", "CC-BY-4.0", None):
        report = built(tmp_path / "home", mapped(file, licence=licence))
        assert licences(report) == {"clinic": licence or SOURCES["table"].licence}


def test_licence_without_a_letter_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValidationError, match="licence"):
        mapped(tmp_path / "table.csv", licence=" ")


def test_name_that_no_file_could_have_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValidationError, match="name"):
        mapped(tmp_path / "table.csv", name="../clinic")

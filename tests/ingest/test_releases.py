import gzip
from datetime import UTC, datetime
from pathlib import Path

import pytest

import kg
from ingest.build import build
from ingest.configuration import default_config, read_config
from ingest.releases import stated_release
from ingest.report import BuildReport
from ingest.sources import files
from kg.configuration import Settings
from kg.errors import BuildError
from kg.progress import Silent

SSSOM = "http://purl.obolibrary.org/obo/mondo/releases/2026-08-04/mappings/x.sssom.tsv"
GRAPH = '{"graphs": [{"meta": {"version": "http://purl.obolibrary.org/obo/doid/releases/2024-05-29/doid.json"}}]}'


@pytest.mark.parametrize(
    ("name", "text", "release"),
    [
        ("hp.obo", "format-version: 1.2\ndata-version: hp/releases/2025-01-16\n", "2025-01-16"),
        ("x.obo", "data-version: 4.2\n", "4.2"),
        ("phenotype.hpoa", "#description: a\n#version: 2025-01-16\n", "2025-01-16"),
        (
            "x.sssom.tsv",
            f"# license: x\n# mapping_set_version: {SSSOM}\nsubject_id\n",
            "2026-08-04",
        ),
        ("doid.json", GRAPH, "2024-05-29"),
        ("a.csv", "id,version\n1,2\n", ""),
        ("a.json", '{"version": "2", "of": "a patient"}', ""),
        ("empty.tsv", "", ""),
    ],
)
def test_a_release_is_what_a_file_says_in_the_words_of_its_format(
    tmp_path: Path, name: str, text: str, release: str
) -> None:
    (tmp_path / name).write_text(text)
    (tmp_path / f"{name}.gz").write_bytes(gzip.compress(text.encode()))
    assert stated_release([tmp_path / name]) == release
    assert stated_release([tmp_path / f"{name}.gz"]) == release


def test_a_file_that_cannot_be_read_states_none_and_several_releases_are_joined(
    tmp_path: Path,
) -> None:
    (tmp_path / "broken.gz").write_bytes(b"\x1f\x8b\x08\x00no gzip")
    (tmp_path / "binary").write_bytes(bytes(range(256)))
    (tmp_path / "a.obo").write_text("data-version: 1\n")
    (tmp_path / "b.obo").write_text("data-version: 2\n")
    paths = [tmp_path / name for name in ("broken.gz", "binary", "missing", "a.obo", "b.obo")]
    assert stated_release([*paths, tmp_path]) == "1, 2"


def test_sources_of_the_demo_state_theirs() -> None:
    stated = {source.name: stated_release(files(source)) for source in default_config().sources}
    assert stated["hpo"] == "2025-01-16"
    assert {stated[name] for name in ("sample", "findings", "diseases", "drugs")} == {
        "medkg 0.1.0"
    }


def report_of(folder: Path, setting: str = "") -> BuildReport:
    """Of a build of one fact."""
    (folder / "facts.csv").write_text(
        "head,head_type,relation,tail,tail_type\ngout,Disease,HAS_SYMPTOM,Arthritis,Symptom\n"
    )
    config = folder / "facts.yaml"
    source = f"{{kind: triples, name: facts, file: facts.csv{setting}}}"
    config.write_text(f"sources:\n  - {source}\n")
    settings = Settings(home=folder / "home")
    with kg.connect(None, settings) as store:
        return build(read_config(config), settings.home, store, Silent()).report


def test_a_report_has_its_second_and_the_release_of_the_configuration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = datetime.now(UTC).replace(microsecond=0)
    first = report_of(tmp_path)
    assert first.built is not None
    assert before <= first.built <= datetime.now(UTC)
    assert first.sources[0].release == ""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    second = report_of(tmp_path, ", release: 2024 spring")
    assert (second.built, second.sources[0].release) == (
        datetime(1970, 1, 1, tzinfo=UTC),
        "2024 spring",
    )
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1")
    assert report_of(tmp_path, ", release: 2024 spring") == second  # nothing was built


def test_a_date_that_is_no_number_is_refused_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "today")
    with pytest.raises(
        BuildError, match="SOURCE_DATE_EPOCH: 'today' is no number of seconds since 1970; unset it"
    ):
        report_of(tmp_path)

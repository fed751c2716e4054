"""Builds from small files into an embedded graph, in the ways that a build can go."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from errno import ENOSPC
from functools import partial
from pathlib import Path

import filelock
import pytest

import kg
from ingest.build import BuildResult, build
from ingest.configuration import read_config
from ingest.manifest import Manifest
from kg.configuration import Settings
from kg.errors import BuildError, ConfigurationError, SourceError
from kg.progress import Advance, Silent
from tests.conftest import CommandLine
from tests.ingest.rows import rows_of

SOURCE = """
- kind: table
  name: {name}
  file: {name}.csv
  head: {{id: disease_id, name: disease, type: Disease}}
  relation: {{column: relation, values: {{symptom: HAS_SYMPTOM}}}}
  tail: {{id: symptom_id, name: symptom, type: Symptom}}
"""
HEADER = "disease_id,disease,relation,symptom_id,symptom\n"
GOUT = "MONDO:0005393,gout,symptom,HP:0001369,Arthritis\n"
FLU = "MONDO:0005812,influenza,symptom,HP:0001945,Fever\n"

Build = Callable[[Path], BuildResult]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def build_here(home: Path) -> Build:
    """Builds a configuration into the embedded store of ``home``."""
    return partial(build_in, home)


def build_in(home: Path, config: Path) -> BuildResult:
    with kg.connect(None, Settings(home=home)) as store:
        return build(read_config(config), home, store, Silent())


@pytest.fixture(scope="module")
def gout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the table ``one``, GOUT, and in ``home`` what a build made of it."""
    folder = tmp_path_factory.mktemp("gout")
    build_in(folder / "home", configure(folder, one=GOUT))
    return folder


@pytest.fixture
def built(gout: Path, home: Path) -> Path:
    """That folder, with a copy of the build in ``home``."""
    shutil.copytree(gout / "home", home)
    return gout


def configure(folder: Path, **tables: str) -> Path:
    """Write a configuration with a mapped table, of these rows, for each keyword."""
    for name, rows in tables.items():
        (folder / f"{name}.csv").write_text(HEADER + rows, encoding="utf-8")
    config = folder / "medkg.yaml"
    sources = "".join(SOURCE.format(name=name) for name in tables)
    config.write_text(f"sources:{sources}", encoding="utf-8")
    return config


def symptoms_in(home: Path) -> list[tuple[str, str, list[str]]]:
    edges = home / "tables" / "edges" / "HAS_SYMPTOM.parquet"
    return rows_of(edges, "head", "tail", "sources")


def test_build_loads_what_the_tables_hold(tmp_path: Path, home: Path, build_here: Build) -> None:
    result = build_here(configure(tmp_path, one=GOUT + FLU))
    assert result.read == ("one",)
    assert result.merged
    assert result.loaded.counts.edges == {"HAS_SYMPTOM": 2}
    with kg.connect(None, Settings(home=home)) as store:
        answer = store.query("disease.symptoms", disease="MONDO:0005393")
    assert [row["symptom_name"] for row in answer.dicts()] == ["Arthritis"]


def test_second_build_changes_nothing(built: Path, home: Path, build_here: Build) -> None:
    before = {path: path.stat().st_mtime_ns for path in home.rglob("*.parquet")}
    again = build_here(configure(built, one=GOUT))
    assert not again.changed
    assert again.read == ()
    assert {path: path.stat().st_mtime_ns for path in home.rglob("*.parquet")} == before


def test_only_the_changed_source_is_read_again(tmp_path: Path, build_here: Build) -> None:
    build_here(configure(tmp_path, one=GOUT, two=GOUT))
    result = build_here(configure(tmp_path, one=GOUT, two=FLU))
    assert result.read == ("two",)
    assert result.loaded.counts.edges == {"HAS_SYMPTOM": 2}


def test_what_only_a_removed_source_said_is_gone(
    tmp_path: Path, home: Path, build_here: Build
) -> None:
    build_here(configure(tmp_path, one=GOUT, two=GOUT + FLU))
    assert symptoms_in(home) == [
        ("MONDO:0005393", "HP:0001369", ["one", "two"]),
        ("MONDO:0005812", "HP:0001945", ["two"]),
    ]
    build_here(configure(tmp_path, one=GOUT))
    assert symptoms_in(home) == [("MONDO:0005393", "HP:0001369", ["one"])]
    assert not (home / "assertions" / "two").exists()


def test_same_sources_give_the_same_bytes(tmp_path: Path, build_here: Build, home: Path) -> None:
    config = configure(tmp_path, one=GOUT + FLU, two=FLU)
    build_here(config)
    nodes = (home / "tables" / "nodes.parquet").read_bytes()
    with kg.connect(None, Settings(home=home)) as store:
        build(read_config(config), home, store, Silent(), afresh=True)
    assert (home / "tables" / "nodes.parquet").read_bytes() == nodes


def test_every_row_is_accounted_for(tmp_path: Path, home: Path, build_here: Build) -> None:
    unknown = "MONDO:0005393,gout,likes,HP:0001945,Fever\n"
    short = "MONDO:0005393,gout\n"
    report = build_here(configure(tmp_path, one=GOUT + unknown + short + GOUT)).report
    assert sum(row.read for row in report.rows) == 4
    assert [(a.assertions, a.loaded, a.merged) for a in report.assertions] == [(2, 1, 1)]
    assert sorted(rows_of(home / "quarantine.parquet", "source", "file", "row")) == [
        ("one", "one.csv", 2),
        ("one", "one.csv", 3),
    ]


def test_reasons_are_counted_without_what_differs_by_row(
    tmp_path: Path, build_here: Build
) -> None:
    unknown = "".join(f"MONDO:0005393,gout,rel{n},HP:0001945,Fever\n" for n in range(3))
    spaced = "".join(f"MONDO:0 {n},gout,symptom,HP:0001945,Fever\n" for n in range(2))
    report = build_here(configure(tmp_path, one=unknown + spaced)).report
    assert [(r.stage, r.reason, r.count) for r in report.reasons] == [
        ("read", "… in column relation is not mapped", 3),
        ("merge", "… is not a CURIE", 2),
    ]


class InterruptedWhile(Silent):
    """Ctrl-C as DuckDB reports it, in the step of this name."""

    def __init__(self, name: str) -> None:
        self.name = name

    @contextmanager
    def step(self, name: str, total: int | None = None) -> Iterator[Advance]:
        if name == self.name:
            raise RuntimeError("Query interrupted")
        with super().step(name, total) as advance:
            yield advance


def test_interrupted_table_work_is_an_interruption(tmp_path: Path, home: Path) -> None:
    config = read_config(configure(tmp_path, one=GOUT))
    with kg.connect(None, Settings(home=home)) as store, pytest.raises(KeyboardInterrupt):
        build(config, home, store, InterruptedWhile("merge"))


def test_what_killed_builds_left_is_swept_up(built: Path, home: Path, build_here: Build) -> None:
    left = [home / "merging", home / "assertions" / ".two.part"]
    for folder in left:
        folder.mkdir()
    assert not build_here(configure(built, one=GOUT)).changed
    assert not any(folder.exists() for folder in left)


@pytest.mark.parametrize("lost", ["tables", "report.json"])
def test_build_makes_again_what_was_lost_or_half_published(
    built: Path, home: Path, build_here: Build, lost: str
) -> None:
    if lost == "tables":
        shutil.rmtree(home / "tables")
    else:
        (home / "report.json").write_text("{}")
    assert build_here(configure(built, one=GOUT)).merged
    assert symptoms_in(home) == [("MONDO:0005393", "HP:0001369", ["one"])]


def test_tables_published_in_part_are_not_taken_for_those_before(
    built: Path, home: Path, build_here: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace = Path.replace

    def full(path: Path, target: Path) -> Path:
        if target == home / "report.json":
            raise OSError(ENOSPC, "No space left on device", str(target))
        return replace(path, target)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", full)
        with pytest.raises(BuildError, match=r"report\.json: the disk is full"):
            build_here(configure(built, one=GOUT, two=FLU))
    assert build_here(configure(built, one=GOUT)).merged
    assert symptoms_in(home) == [("MONDO:0005393", "HP:0001369", ["one"])]


def test_damaged_tables_are_made_again(built: Path, home: Path, build_here: Build) -> None:
    (home / "tables" / "edges" / "HAS_SYMPTOM.parquet").write_bytes(b"PAR1")
    assert build_here(configure(built, one=GOUT)).merged
    assert symptoms_in(home) == [("MONDO:0005393", "HP:0001369", ["one"])]


def test_failed_read_leaves_the_graph_as_it_was(
    built: Path, home: Path, build_here: Build
) -> None:
    before = (home / "graph.lbug").read_bytes()
    config = configure(built, one=GOUT, two=FLU)
    (built / "two.csv").unlink()
    with pytest.raises(
        SourceError, match=r"two\.csv: No such file.*correct the path of source 'two'"
    ):
        build_here(config)
    assert (home / "graph.lbug").read_bytes() == before
    assert symptoms_in(home) == [("MONDO:0005393", "HP:0001369", ["one"])]


def test_second_build_at_once_is_refused(tmp_path: Path, home: Path, build_here: Build) -> None:
    home.mkdir()
    lock = filelock.FileLock(home / "build.lock")
    with lock, pytest.raises(BuildError, match="home: another build is running here; wait"):
        build_here(configure(tmp_path, one=GOUT))


def test_killed_build_goes_on_where_it_was(built: Path, home: Path, build_here: Build) -> None:
    before = (home / "graph.lbug").read_bytes()
    many = "".join(f"MONDO:{n:07},d{n},symptom,HP:{n:07},s{n}\n" for n in range(8_000))
    config = configure(built, one=GOUT, two=many)
    medkg = Path(sys.executable).with_name("medkg")
    running = subprocess.Popen(
        [medkg, "build", config], env={**os.environ, "MEDKG_HOME": str(home)}
    )
    deadline = time.monotonic() + 120
    while "two" not in Manifest.read(home).sources and time.monotonic() < deadline:
        time.sleep(0.02)
    running.send_signal(signal.SIGKILL)
    assert running.wait() == -signal.SIGKILL
    assert (home / "graph.lbug").read_bytes() == before
    result = build_here(config)
    assert result.read == ()
    assert result.loaded.counts.edges == {"HAS_SYMPTOM": 8_001}


def test_unwritable_home_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    config = read_config(configure(tmp_path, one=GOUT))
    with (
        kg.connect(None, Settings(home=tmp_path / "elsewhere")) as store,
        pytest.raises(BuildError, match="medkg keeps its files there, set MEDKG_HOME"),
    ):
        build(config, tmp_path / "file" / "home", store, Silent())


def test_command_says_that_nothing_changed(tmp_path: Path, cli: CommandLine) -> None:
    config = configure(tmp_path, one=GOUT)
    first = cli("build", config)
    assert first.code == 0, first.err
    assert "Read one" in first.err
    second = cli("build", config, "--json")
    assert "Nothing has changed" in second.err
    assert json.loads(second.out)["edges"] == {"HAS_SYMPTOM": 1}
    assert cli("build", config, "--json").out == second.out


def test_source_that_says_nothing_is_told(tmp_path: Path, cli: CommandLine) -> None:
    config = configure(tmp_path, one=GOUT, two="")
    told = cli("build", config)
    assert told.code == 3
    assert "Source two gave no statement (0 rows, 0 in quarantine); check its kind" in told.err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sources: []", "sources: is an empty list; put at least one item into it"),
        (
            "sources: [{kind: table, name: t, file: a.csv, mappings: []}]",
            "sources.0.table.mappings: is an empty list; put at least one item into it",
        ),
        ("sources:", "lists no sources; write 'sources:' and below it '- kind: KIND'"),
        ("sources: [{file: a}]", "sources.0: names no 'kind'; 'medkg sources' lists them"),
        ("{memory: lots, sources: [{kind: hpo}]}", "memory: 'lots' is no amount of memory; write"),
        (
            "sources: [{kind: csv}]",
            "sources.0: no kind of source is called 'csv'; 'medkg sources'",
        ),
        ("sources: [{kind: hpo, colour: red}]", "sources.0.hpo.colour: is no setting here"),
        (
            "sources: [{kind: primekg}]",
            "sources.0.primekg.file: is not given; 'medkg sources KIND'",
        ),
        (
            "sources: [{kind: table, name: t, file: a.csv, frequency: {column: a, unit: percents}}]",
            "'percents' is not possible here; take one of 'fraction', 'percent', 'per-1000'",
        ),
        ("sources: [{kind: hpo, nmae: red}]", "those of a kind; did you mean name?"),
        ("max_shrnk: 1\nsources: [{kind: hpo}]", "those of a kind; did you mean max_shrink?"),
        (
            f"sources:{SOURCE.format(name='t')}  freqency: {{column: a}}\n",
            "those of a kind; did you mean frequency?",
        ),
        (
            "sources: [{kind: table, name: t, file: a.csv, mappings: [{head: {nmae: a}}]}]",
            "those of a kind; did you mean name?",
        ),
        (
            "prefixes: {HOSP: {titel: a}}\nsources: [{kind: hpo}]",
            "those of a kind; did you mean title?",
        ),
        ("sources: [{kind: sampel}]", "no kind of source is called 'sampel'; did you mean sample"),
        ("sources: [{kind: hpo}, {kind: hpo}]", "two sources are named 'hpo'"),
        ("sources: [", "line 1, column 11 is not YAML ("),
        ("sources: [{kind: hpo, name: A}]", "sources.0.hpo.name: String should match"),
        (f"sources:{SOURCE.format(name='t').replace('Symptom', 'Cat')}", "tail.type: 'Cat' is no"),
        ("", "lists no sources; write 'sources:'"),
    ],
)
def test_configuration_that_does_not_fit_is_one_sentence(
    tmp_path: Path, text: str, message: str
) -> None:
    path = tmp_path / "medkg.yaml"
    path.write_text(text)
    with pytest.raises(ConfigurationError) as caught:
        read_config(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_missing_configuration_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"none\.yaml: No such file.*give the path"):
        read_config(tmp_path / "none.yaml")

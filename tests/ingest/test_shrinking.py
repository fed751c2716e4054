"""A source that said much and now says little: the build stops before the graph is replaced."""

import shutil
from pathlib import Path

import pytest

import kg
from ingest.build import BuildResult, build
from ingest.configuration import read_config
from ingest.shrinking import Changes, Shrunk, ShrunkError
from kg.configuration import Settings
from kg.progress import Silent
from tests.conftest import CommandLine
from tests.ingest.test_build import FLU, GOUT, HEADER, configure, symptoms_in

GAVE_NOTHING = 3
ASTHMA = "MONDO:0004979,asthma,symptom,HP:0002094,Dyspnea\n"
MUMPS = "MONDO:0001989,mumps,symptom,HP:0001945,Fever\n"
BOTH = [("MONDO:0005393", "HP:0001369", ["one"]), ("MONDO:0005812", "HP:0001945", ["one"])]


def build_in(folder: Path, *, allow_shrink: bool = False, afresh: bool = False) -> BuildResult:
    """Build the configuration of a folder without asking rules."""
    home = folder / "home"
    with kg.connect(None, Settings(home=home)) as store:
        return build(
            read_config(folder / "medkg.yaml"),
            home,
            store,
            Silent(),
            check=False,
            afresh=afresh,
            allow_shrink=allow_shrink,
        )


@pytest.fixture(scope="module")
def two_statements(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home in which a build made a graph of the table ``one`` with GOUT and FLU."""
    folder = tmp_path_factory.mktemp("two_statements")
    configure(folder, one=GOUT + FLU)
    build_in(folder)
    return folder / "home"


@pytest.fixture
def built(two_statements: Path, tmp_path: Path) -> Path:
    """A folder with that configuration, and a copy of that home."""
    shutil.copytree(two_statements, tmp_path / "home")
    configure(tmp_path, one=GOUT + FLU)
    return tmp_path


@pytest.mark.parametrize("rows", ["", GOUT, GOUT + FLU[:20]], ids=["header", "half", "cut off"])
def test_source_that_lost_half_stops_the_build_each_time(built: Path, rows: str) -> None:
    configure(built, one=rows)
    now = len(rows) >= len(GOUT)
    message = (
        rf"source 'one' gives {now:d} statements, 2 before \(files: .*/one.csv\); the graph is as "
        "it was: correct the files .*, or build with --allow-shrink if this is right"
    )
    for afresh in (False, False, True):
        with pytest.raises(ShrunkError, match=message):
            build_in(built, afresh=afresh)
        assert symptoms_in(built / "home") == BOTH
    configure(built, one=GOUT + FLU)
    build_in(built)
    assert symptoms_in(built / "home") == BOTH


def test_shrinking_that_is_allowed_is_what_the_next_build_compares_with(built: Path) -> None:
    configure(built, one=GOUT)
    assert build_in(built, allow_shrink=True).changes == Changes(
        before={"one": 2},
        shrunk=(
            Shrunk(source="one", before=2, now=1),
            Shrunk(source="one", relation="HAS_SYMPTOM", before=2, now=1),
        ),
    )
    configure(built, one=GOUT + MUMPS)
    assert build_in(built).changes == Changes(before={"one": 1})


def test_source_that_lost_less_than_it_may_or_grew_is_built(tmp_path: Path) -> None:
    configure(tmp_path, one=GOUT + FLU + ASTHMA)
    build_in(tmp_path)
    for rows in (GOUT + FLU, GOUT + FLU + ASTHMA + MUMPS):
        configure(tmp_path, one=rows)
        assert build_in(tmp_path).merged


@pytest.mark.parametrize(
    ("setting", "stops"),
    [
        ("max_shrink: 0.9\n", False),
        ("max_shrink: 1\n", False),
        ("max_shrink: 0.2\n", True),
        ("", True),
    ],
)
def test_how_much_may_be_lost_is_a_setting(built: Path, setting: str, stops: bool) -> None:
    config = configure(built, one=GOUT)
    config.write_text(setting + config.read_text(encoding="utf-8"), encoding="utf-8")
    if stops:
        with pytest.raises(ShrunkError):
            build_in(built)
    else:
        assert build_in(built).merged
    # a source's own goes before that of all
    text = config.read_text(encoding="utf-8")
    config.write_text(text.replace("name: one", "name: one\n  max_shrink: 1"), encoding="utf-8")
    build_in(built)


def test_source_that_is_taken_out_or_put_in_stops_nothing(tmp_path: Path) -> None:
    configure(tmp_path, one=GOUT, two=GOUT + FLU)
    build_in(tmp_path)
    configure(tmp_path, one=GOUT)
    assert build_in(tmp_path).changes == Changes(before={"one": 1}, removed={"two": 2})
    configure(tmp_path, one=GOUT, three=FLU)
    assert build_in(tmp_path).changes == Changes(before={"one": 1})


def test_statements_that_all_go_into_quarantine_are_lost(built: Path) -> None:
    configure(built, one=(GOUT + FLU).replace("HP:", "HP "))
    with pytest.raises(ShrunkError, match="source 'one' gives 0 statements, 2 before"):
        build_in(built)


def test_garbled_source_stops_the_first_build(tmp_path: Path) -> None:
    garbled = "Café-au-lait".encode().decode("latin-1")
    configure(tmp_path, one=GOUT.replace("gout", garbled) + FLU)
    message = f"'one' has 1 garbled names of 1 .*, such as '{garbled}', as if its files"
    with pytest.raises(ShrunkError, match=message) as e:
        build_in(tmp_path)
    assert "in another encoding than they are read in: correct the files" in str(e.value)
    assert not (tmp_path / "home" / "tables").exists()
    report = build_in(tmp_path, allow_shrink=True).report
    assert "Source one: 1 of 1 names with letters beyond ASCII look garbled" in report.alarms[0]
    assert not build_in(tmp_path).changed


def test_what_stopped_what_was_lost_and_what_went_on_is_told(
    tmp_path: Path, cli: CommandLine
) -> None:
    config = configure(tmp_path, one=GOUT + FLU, two=MUMPS)
    assert cli("build", "--no-check", config).code == 0
    (tmp_path / "one.csv").write_text(HEADER, encoding="utf-8")
    stopped = cli("build", "--no-check", config)
    assert stopped.code == 1
    assert "Error: source 'one' gives 0 statements, 2 before (files: " in stopped.err
    went_on = cli("build", "--no-check", "--allow-shrink", config)
    assert went_on.code == GAVE_NOTHING
    assert "Source 'one' gives 0 statements of HAS_SYMPTOM, 2 before." in went_on.err
    assert "Source one gave no statement (0 rows, 0 in quarantine)" in went_on.err
    again = cli("build", "--no-check", config)
    assert again.code == GAVE_NOTHING
    assert "Nothing has changed" in again.err
    page = (Settings.read().home / "report.html").read_text(encoding="utf-8")
    assert "Source one gave no statement" in page


def test_removal_is_told(tmp_path: Path, cli: CommandLine) -> None:
    cli("build", "--no-check", configure(tmp_path, one=GOUT, two=FLU))
    told = cli("build", "--no-check", configure(tmp_path, one=GOUT))
    assert told.code == 0
    assert "Read no source, as none changed; removed two; merged" in told.err
    assert "Source two is no longer in the configuration; of its 1 statements only" in told.err
    assert "loaded and merged before" in told.out

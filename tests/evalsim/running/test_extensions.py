"""What extends Inspect must be there: a module that cannot be imported ends a run before it begins."""

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from kg.commands import main

LINE = [
    "eval",
    "medkgeval",
    "--preset",
    "offline",
    "--doctor",
    "medkg/doctor-random",
    "--cases",
    __file__,
]


def broken_distribution(folder: Path) -> None:
    """A distribution whose extension of Inspect lacks something."""
    info = folder / "broken_hooks-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: broken-hooks\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[inspect_ai]\nhooks = broken_hooks.registry\n")
    (folder / "broken_hooks").mkdir()
    (folder / "broken_hooks" / "__init__.py").touch()
    (folder / "broken_hooks" / "registry.py").write_text("import no_such_library\n")


@pytest.mark.parametrize(
    "line",
    [
        [*LINE, "--out", "run"],
        ["eval", "judge", "log.eval", "--out", "run"],
        ["eval", "consistency", "log.eval"],
    ],
)
def test_a_module_that_cannot_be_imported_is_named(
    line: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken_distribution(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "log.eval").touch()
    told = CliRunner().invoke(main, line)
    assert told.exit_code == 1
    assert "broken_hooks.registry cannot be imported" in told.stderr
    assert "No module named 'no_such_library'" in told.stderr
    assert "the entry point hooks of broken-hooks" in told.stderr
    assert not (tmp_path / "run").exists()


def test_so_are_medkgs_own_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "evalsim.running.tasks", None)
    told = CliRunner().invoke(main, LINE)
    assert told.exit_code == 1
    assert "evalsim.running.tasks cannot be imported" in told.stderr
    assert "the entry point medkg of medkg" in told.stderr

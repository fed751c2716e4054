import ast
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import packages_distributions
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

REPOSITORY = Path(__file__).resolve().parent.parent
LOCKS = ("base", "dev")


@pytest.fixture(scope="module")
def project() -> dict[str, Any]:
    return tomllib.loads((REPOSITORY / "pyproject.toml").read_text())


@pytest.fixture(scope="module")
def wheel_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel built from a copy of the repository."""
    folder = tmp_path_factory.mktemp("wheel")
    tree = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split("\0")
    for name in filter(None, tree):
        if (REPOSITORY / name).is_file():
            (folder / "tree" / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / "tree" / name).write_bytes((REPOSITORY / name).read_bytes())
    build = "import setuptools.build_meta as b, sys; b.build_wheel(sys.argv[1])"
    subprocess.run(
        [sys.executable, "-c", build, folder], cwd=folder / "tree", check=True, capture_output=True
    )
    (file,) = folder.glob("*.whl")
    return file


@pytest.fixture(scope="module")
def wheel(wheel_file: Path) -> set[str]:
    """Names of the files in the wheel."""
    return set(zipfile.ZipFile(wheel_file).namelist())


def test_wheel_holds_every_file_of_every_package(wheel: set[str], project: dict[str, Any]) -> None:
    tops = _tops(project)
    here = {
        path.relative_to(REPOSITORY).as_posix()
        for top in tops
        for path in (REPOSITORY / top).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".pyc"
    }
    assert here - wheel == set()


def _tops(project: dict[str, Any]) -> set[str]:
    """The import packages at the top of the repository."""
    return {
        name.rstrip("*") for name in project["tool"]["setuptools"]["packages"]["find"]["include"]
    }


def test_wheel_holds_nothing_else(wheel: set[str], project: dict[str, Any]) -> None:
    tops = _tops(project)
    assert {name.split("/")[0] for name in wheel} == tops | {
        f"medkg-{project['project']['version']}.dist-info"
    }


INSPECT_FINDS = """
import sys
from inspect_ai._util.registry import registry_info, registry_lookup
from inspect_ai.model import get_model
for name in ("medkgeval_diagnosis", "medkgeval_medication"):
    print(registry_info(registry_lookup("task", f"medkg/{name}")).name)
print(get_model("medkg/doctor-random"))
print(sys.modules["evalsim"].__file__)
"""


def test_inspect_finds_the_tasks_and_models_of_a_wheel(wheel_file: Path, tmp_path: Path) -> None:
    """Of an editable install tests/evalsim/running/test_run.py shows it."""
    with zipfile.ZipFile(wheel_file) as file:
        file.extractall(tmp_path)
    found = subprocess.run(
        [sys.executable, "-P", "-c", INSPECT_FINDS],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.splitlines() == [
        "medkg/medkgeval_diagnosis",
        "medkg/medkgeval_medication",
        "medkg/doctor-random",
        str(tmp_path / "evalsim" / "__init__.py"),
    ]


def pins(lock: str) -> dict[str, Requirement]:
    text = (REPOSITORY / "requirements" / f"{lock}.lock").read_text()
    lines = re.findall(r"^([^\s#].*?) \\$", text, re.MULTILINE)
    requirements = [Requirement(line) for line in lines]
    return {canonicalize_name(each.name): each for each in requirements}


@pytest.mark.parametrize("lock", LOCKS)
def test_lock_names_exact_versions_with_hashes_and_no_index(lock: str) -> None:
    text = (REPOSITORY / "requirements" / f"{lock}.lock").read_text()
    entries = re.split(r"\n(?=\S)", text[text.index("\n", text.rindex("# ")) + 1 :].strip())
    shape = re.compile(r"\S+==\S+( ; .+)? \\(\n    --hash=sha256:[0-9a-f]{64}( \\)?)+")
    assert [entry for entry in entries if not shape.fullmatch(entry)] == []
    assert not re.search(r"://|--index|--find-links|/work|/tmp|/home", text)


def test_locks_fit_what_the_project_asks_for(project: dict[str, Any]) -> None:
    asked = {
        "base": project["project"]["dependencies"],
        "dev": [
            *project["project"]["dependencies"],
            *project["dependency-groups"]["dev"],
            *chain(*project["project"]["optional-dependencies"].values()),
        ],
    }
    unfit = [
        (lock, line)
        for lock, lines in asked.items()
        for line in lines
        if not _fits(Requirement(line), pins(lock))
    ]
    assert unfit == []


def _fits(asked: Requirement, locked: dict[str, Requirement]) -> bool:
    pin = locked.get(canonicalize_name(asked.name))
    if pin is None:
        return False
    (version,) = [each.version for each in pin.specifier]
    return asked.specifier.contains(version, prereleases=True)


def imported(file: Path) -> set[str]:
    """The top-level modules that a file imports, wherever in it."""
    names = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        match node:
            case ast.Import(names=aliases):
                names |= {alias.name for alias in aliases}
            case ast.ImportFrom(module=str(module), level=0):
                names.add(module)
            case ast.Call(
                func=ast.Name(id="import_module" | "import_extra" | "find_spec"),
                args=[ast.Constant(value=str(module)), *_],
            ):
                names.add(module)
    return {name.partition(".")[0] for name in names}


def test_every_import_is_of_a_declared_requirement(project: dict[str, Any]) -> None:
    lists = (
        project["project"]["dependencies"],
        *project["project"]["optional-dependencies"].values(),
    )
    declared = {canonicalize_name(Requirement(line).name) for line in chain(*lists)}
    known = packages_distributions()
    own = _tops(project) | sys.stdlib_module_names
    undeclared = {
        (file.relative_to(REPOSITORY).as_posix(), name)
        for top in _tops(project)
        for file in (REPOSITORY / top).rglob("*.py")
        for name in imported(file) - own
        if not declared & set(map(canonicalize_name, known.get(name, [name])))
    }
    assert undeclared == set()


def test_tools_are_added_to_the_same_base() -> None:
    base, dev = pins("base"), pins("dev")
    assert {name: str(dev.get(name)) for name in base} == {
        name: str(pin) for name, pin in base.items()
    }


def make(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["make", "-C", REPOSITORY, *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )


def python_that_says(folder: Path, script: str) -> Path:
    program = folder / "python"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return program


def test_make_refuses_a_python_that_is_too_old(tmp_path: Path) -> None:
    old = python_that_says(tmp_path, '[ "$1" = --version ] && echo "Python 3.9.2"; exit 1')
    done = make("env", f"PYTHON={old}", f"VENV={tmp_path / 'venv'}")
    assert done.returncode == 2
    assert "is Python 3.9.2, and medkg needs Python 3.11 or 3.12; name one with" in done.stderr
    assert not (tmp_path / "venv").exists()


def test_make_says_how_to_get_a_missing_venv(tmp_path: Path) -> None:
    bare = python_that_says(tmp_path, 'case "$2" in *ensurepip*) exit 1;; esac; exit 0')
    done = make("env", f"PYTHON={bare}", f"VENV={tmp_path / 'venv'}", PATH="/usr/bin:/bin")
    assert done.returncode == 2
    assert "has no venv or ensurepip; install them" in done.stderr


def test_ci_runs_the_tests() -> None:
    script = REPOSITORY / ".ci" / "run"
    assert os.access(script, os.X_OK)
    assert script.read_text().splitlines()[-1] == "make test"

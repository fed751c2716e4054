import re
import subprocess
import sys
import tomllib
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
DOCKERFILE = REPOSITORY / "docker" / "Dockerfile"


def test_linter_finds_nothing() -> None:
    hadolint = Path(sys.executable).with_name("hadolint")
    done = subprocess.run([hadolint, DOCKERFILE], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


def test_linter_would_find_something(tmp_path: Path) -> None:
    bad = tmp_path / "Dockerfile"
    bad.write_text("FROM python\nRUN cd /opt\n")
    hadolint = Path(sys.executable).with_name("hadolint")
    done = subprocess.run([hadolint, bad], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert {"DL3006", "DL3003"} <= set(re.findall(r"DL\d+", done.stdout))


def copied() -> set[str]:
    """What the Dockerfile takes from the repository."""
    lines = re.findall(r"^COPY (.+) \S+$", DOCKERFILE.read_text(), re.MULTILINE)
    return {name for line in lines for name in line.split()}


def test_everything_copied_is_there_and_not_ignored() -> None:
    ignore = (REPOSITORY / "docker" / "Dockerfile.dockerignore").read_text().splitlines()
    assert {name for name in copied() if not (REPOSITORY / name).exists()} == set()
    assert {name for name in copied() if f"!{name}" not in ignore} == set()


def test_every_package_is_copied() -> None:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())
    patterns = project["tool"]["setuptools"]["packages"]["find"]["include"]
    packages = {pattern.rstrip("*") for pattern in patterns}
    assert packages <= copied()


def test_it_does_not_run_as_root() -> None:
    users = re.findall(r"^USER (.+)$", DOCKERFILE.read_text(), re.MULTILINE)
    assert users
    assert users[-1] not in ("0", "root")

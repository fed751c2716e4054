"""The server's jars: fetched once by Maven into a cache that all homes share."""

import os
import re
import shutil
import subprocess
import tempfile
from importlib.resources import as_file, files
from pathlib import Path

import filelock

from cypher.translation import translate
from kg.configuration import Settings
from kg.errors import ServerError
from kg.progress import Advance, Progress
from kg.server.java import Java
from kg.server.layout import disk_errors

NEO4J_VERSION = "5.26.25"
BROWSER_VERSION = "5.24.0"

_ENTRY_JARS = (
    f"neo4j-{NEO4J_VERSION}.jar",
    f"neo4j-server-{NEO4J_VERSION}.jar",
    f"neo4j-browser-{BROWSER_VERSION}.jar",
)


def cache_folder() -> Path:
    """Folder of what medkg downloads: MEDKG_CACHE, else ``medkg`` in the user's cache.

    Raises:
        ConfigurationError: ``.env`` is there and cannot be read.
    """
    if folder := Settings.read().cache:
        return folder
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "medkg"


def fetch_jars(java: Java, progress: Progress) -> Path:
    """The folder of jars, fetched now unless a run before did.

    It appears under its name only when whole, whatever ends the download.

    Raises:
        ServerError: Maven is missing or failed, or the cache cannot be written.
    """
    lib = cache_folder().absolute() / f"neo4j-{NEO4J_VERSION}" / "lib"
    if lib.is_dir():
        return lib
    with disk_errors(lib.parent, "MEDKG_CACHE"):
        lib.parent.mkdir(parents=True, exist_ok=True)
        # a second process waits here while the first one downloads
        with filelock.FileLock(lib.parent / "lock"):
            if not lib.is_dir():
                _download(lib, java, progress)
    return lib


def _download(lib: Path, java: Java, progress: Progress) -> None:
    for left_over in lib.parent.glob("part-*"):
        shutil.rmtree(left_over)
    part = Path(tempfile.mkdtemp(prefix="part-", dir=lib.parent))
    try:
        with progress.step(
            translate("Downloading Neo4j {version} (Maven)", version=NEO4J_VERSION)
        ) as advance:
            _run_maven(part, java, lib.parent / "maven.log", advance)
        if missing := [name for name in _ENTRY_JARS if not (part / name).is_file()]:
            raise ServerError(
                translate(
                    "Maven ended well but did not bring {name}; see {log}",
                    name=missing[0],
                    log=lib.parent / "maven.log",
                )
            )
        part.chmod(0o755)
        part.rename(lib)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _run_maven(target: Path, java: Java, log: Path, advance: Advance) -> None:
    maven = shutil.which("mvn")
    if not maven:
        raise ServerError(
            translate(
                "Maven (mvn) fetches the Neo4j server but is not on the PATH; install Maven, "
                "or start Docker"
            )
        )
    with as_file(files("kg.server") / "pom.xml") as pom, log.open("w", encoding="utf-8") as kept:
        command = [maven, "--batch-mode", "--file", str(pom)]
        command += ["dependency:copy-dependencies", "-DincludeScope=runtime"]
        command += [f"-DoutputDirectory={target}"]
        with subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "JAVA_HOME": str(java.home)},
        ) as process:
            try:
                for line in process.stdout or ():
                    kept.write(line)
                    advance(1 if "Downloaded from" in line else 0)
            except BaseException:
                process.kill()
                raise
    if process.returncode:
        raise ServerError(
            translate(
                "Maven could not fetch Neo4j {version}: {why}",
                version=NEO4J_VERSION,
                why=_complaint(log),
            )
        )


def _complaint(log: Path) -> str:
    """Maven's first error, without the machinery around it."""
    for line in log.read_text(encoding="utf-8").splitlines():
        if match := re.match(r"\[ERROR\] (.+)", line):
            return f"{match[1].removesuffix(' -> [Help 1]')} (see {log})"
    return f"see {log}"

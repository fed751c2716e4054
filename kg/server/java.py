"""Find a Java that can run the server."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cypher.translation import translate
from kg.errors import ServerError

FITTING = (17, 21)
"""Releases that Neo4j 5.26 supports."""

PLACES = (
    "/usr/lib/jvm/*",
    "/usr/java/*",
    "/opt/java/*",
    "/opt/homebrew/opt/openjdk*",
    "/Library/Java/JavaVirtualMachines/*/Contents/Home",
    "~/.sdkman/candidates/java/*",
    "~/.jdks/*",
)
"""Where systems keep Java homes, as patterns."""


@dataclass(frozen=True)
class Java:
    """A Java installation."""

    home: Path
    release: int

    @property
    def program(self) -> Path:
        """The ``java`` launcher."""
        return self.home / "bin" / "java"


def find_java(places: tuple[str, ...] = PLACES, *, instead_of_docker: bool = False) -> Java:
    """The Java of JAVA_HOME, else of PATH, else of the usual places: the first that fits.

    ``instead_of_docker``: because no engine answered, which is said when there is no Java.

    Raises:
        ServerError: there is no Java, or none of a release that fits.
    """
    met = []
    for java in _installed(places):
        if java.release in FITTING:
            return java
        met.append(java)
    if not met:
        if instead_of_docker:
            raise ServerError(
                translate(
                    "no Docker engine answers, and no Java found (looked at JAVA_HOME, PATH and "
                    "the usual folders); install Java 17 or 21, or start Docker"
                )
            )
        raise ServerError(
            translate(
                "no Java found (looked at JAVA_HOME, PATH and the usual folders); install Java "
                "17 or 21, or use Docker with --runtime docker"
            )
        )
    installed = ", ".join(f"Java {java.release} in {java.home}" for java in met)
    raise ServerError(
        translate(
            "Neo4j needs Java 17 or 21 but only {installed} was found; install one of "
            "the two, or set JAVA_HOME to where it is",
            installed=installed,
        )
    )


def _installed(places: tuple[str, ...]) -> Iterator[Java]:
    listed = set()
    for home in _homes(places):
        real = home.resolve()
        if real in listed:
            continue
        listed.add(real)
        if release := _release(real / "bin" / "java"):
            yield Java(real, release)


def _homes(places: tuple[str, ...]) -> Iterator[Path]:
    if configured := os.environ.get("JAVA_HOME"):
        yield Path(configured)
    if program := shutil.which("java"):
        yield Path(program).resolve().parent.parent
    for place in places:
        pattern = Path(place).expanduser()
        yield from sorted(Path(pattern.anchor).glob(str(pattern.relative_to(pattern.anchor))))


def _release(program: Path) -> int | None:
    """Feature release, e.g. 17; None when ``program`` is no Java that runs."""
    try:
        done = subprocess.run(
            [program, "-version"], capture_output=True, text=True, timeout=30, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    match = re.search(r'version "(\d+)(?:\.(\d+))?', done.stderr)
    if done.returncode or not match:
        return None
    # Java 8 calls itself 1.8
    return int(match[2]) if match[1] == "1" and match[2] else int(match[1])

"""The server as a Docker container, for machines with an engine."""

import hashlib
import os
import shutil
import subprocess
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Final

from cypher.translation import translate
from kg.errors import ServerError
from kg.progress import Progress
from kg.server.layout import (
    COMMON_SETTINGS,
    REPORT,
    USER,
    Memory,
    ServerHome,
    disk_errors,
    write_private,
)
from kg.server.ports import LOOPBACK, Ports
from kg.server.record import RuntimeName

IMAGE = "neo4j:5.26-community"
_LAST_LINES = "15"
_AUTH = "/medkg-auth"
_INFO_PATIENCE = 20.0


class DockerRuntime:
    """Runs the server in one container, named after its home."""

    name: Final[RuntimeName] = "docker"

    def prepare(self, progress: Progress) -> None:
        """Pull the image unless it is there."""
        if _docker("image", "inspect", IMAGE).returncode:
            with progress.step(translate("Pulling the image {image}", image=IMAGE)):
                _must("pull", "--quiet", IMAGE)

    def settle(self, home: ServerHome) -> None:
        """Write the password as the image takes it: a file, which 'docker inspect' shows not."""
        with disk_errors(home.folder):
            write_private(home.folder / "auth", f"{USER}/{home.password()}\n")

    def start(self, home: ServerHome, ports: Ports, memory: Memory) -> str:
        """Start a container on the home's data; returns its name."""
        name = container_name(home)
        _docker("rm", name)
        _must(*run_arguments(home, ports, memory))
        return name

    def alive(self, home: ServerHome, handle: str) -> bool:
        """Whether a container of that name runs; the name holds the home's path."""
        state = _docker("inspect", "--format", "{{.State.Running}}", handle)
        return handle == container_name(home) and state.stdout.strip() == "true"

    def started(self, handle: str) -> datetime:
        """When the container began."""
        stamp = _must("inspect", "--format", "{{.State.StartedAt}}", handle).stdout.strip()
        return datetime.fromisoformat(stamp)

    def stop(self, home: ServerHome, handle: str, patience: float) -> bool:
        """Ask the container to end, and let the engine kill it after ``patience`` seconds."""
        if not self.alive(home, handle):
            return True
        _must("stop", "-t", str(round(patience)), handle)
        code = _docker("inspect", "--format", "{{.State.ExitCode}}", handle).stdout.strip()
        _docker("rm", handle)
        killed = "137"
        return code != killed

    def last_words(self, home: ServerHome, handle: str) -> list[str]:  # noqa: ARG002 Docker keeps the log
        """The last lines of the container's log."""
        logs = _docker("logs", "--tail", _LAST_LINES, handle)
        return (logs.stdout + logs.stderr).splitlines()

    def run_import(
        self,
        target: Path,
        files: Path,
        arguments: Sequence[str],
        memory: Memory,
        say: Callable[[str], None],
    ) -> int:
        """Run the importer in a container of its own, whose every line ``say`` hears."""
        command = import_arguments(target, files, arguments, memory)
        with subprocess.Popen(
            [_program(), *command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        ) as process:
            try:
                for line in process.stdout or ():
                    say(line.rstrip())
            except BaseException:
                process.terminate()  # the client hands this on to the container
                raise
        return process.returncode


def container_name(home: ServerHome) -> str:
    """One name a home, so that two homes never meet in one container."""
    digest = hashlib.sha256(str(home.folder.absolute()).encode()).hexdigest()
    return f"medkg-neo4j-{digest[:12]}"


def run_arguments(home: ServerHome, ports: Ports, memory: Memory) -> list[str]:
    """What follows ``docker`` to start a home's server."""
    where = home.folder.absolute()
    settings = {
        **COMMON_SETTINGS,
        **memory.settings(),
        "server.bolt.advertised_address": f"localhost:{ports.bolt}",
        "server.http.advertised_address": f"localhost:{ports.http}",
    }
    return [
        *("run", "--detach", "--name", container_name(home), *_as_this_user()),
        *("--publish", f"{LOOPBACK}:{ports.bolt}:7687"),
        *("--publish", f"{LOOPBACK}:{ports.http}:7474"),
        *("--volume", f"{where / 'data'}:/data", "--volume", f"{where / 'logs'}:/logs"),
        *("--volume", f"{where / 'auth'}:{_AUTH}:ro", "--env", f"NEO4J_AUTH_FILE={_AUTH}"),
        *(word for item in settings.items() for word in ("--env", _variable(*item))),
        IMAGE,
    ]


def import_arguments(
    target: Path, files: Path, arguments: Sequence[str], memory: Memory
) -> list[str]:
    """What follows ``docker`` to import ``files``, seen in the container at the same path."""
    return [
        *("run", "--rm", *_as_this_user()),
        *("--volume", f"{target.absolute() / 'data'}:/data"),
        *("--volume", f"{files.absolute()}:{files.absolute()}:ro"),
        *("--env", f"HEAP_SIZE={memory.heap}m"),
        *(IMAGE, "neo4j-admin", "database", "import", "full", *arguments),
        f"--report-file=/data/{REPORT}",
    ]


def engine_answers() -> bool:
    """Whether ``docker info`` reaches an engine."""
    if not shutil.which("docker"):
        return False
    try:
        return _docker("info", timeout=_INFO_PATIENCE).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def check_engine() -> None:
    """Make sure that there is an engine.

    Raises:
        ServerError: there is none.
    """
    if not engine_answers():
        raise ServerError(
            translate(
                "no Docker engine answers 'docker info'; start Docker, or use Java with "
                "--runtime java"
            )
        )


def _variable(setting: str, value: str) -> str:
    """A setting as the image reads it from the environment."""
    return f"NEO4J_{setting.replace('_', '__').replace('.', '_')}={value}"


def _as_this_user() -> tuple[str, str]:
    """What the container writes then belongs to who started it."""
    return ("--user", f"{os.getuid()}:{os.getgid()}")


def _program() -> str:
    program = shutil.which("docker")
    if not program:
        raise ServerError(
            translate(
                "the server runs in Docker but docker is not on the PATH; put it there again"
            )
        )
    return program


def _docker(*arguments: str, timeout: float | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [_program(), *arguments],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
        timeout=timeout,
    )


def _must(*arguments: str) -> subprocess.CompletedProcess[str]:
    done = _docker(*arguments)
    if done.returncode:
        words = done.stderr.strip().splitlines() or ["no reason given"]
        raise ServerError(
            translate(
                "docker {command} failed: {why}; put that right, or use Java with --runtime java",
                command=arguments[0],
                why=words[-1],
            )
        )
    return done

"""The server as a Java process of this machine."""

import os
import subprocess
import tempfile
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Final

import psutil

from kg.errors import ServerError
from kg.progress import Progress, Silent
from kg.server.jars import fetch_jars
from kg.server.java import Java, find_java
from kg.server.layout import REPORT, Memory, ServerHome, disk_errors, write_private
from kg.server.ports import Ports
from kg.server.record import RuntimeName

_OPEN_MODULES = tuple(
    f"--add-opens=java.base/{package}=ALL-UNNAMED"
    for package in ("java.nio", "java.io", "sun.nio.ch", "java.util.concurrent")
)
_LAST_LINES = 15
_MOMENT = 0.005


class JavaRuntime:
    """Runs the server from jars, on a Java that is looked for when it is needed."""

    name: Final[RuntimeName] = "java"

    def __init__(self, *, instead_of_docker: bool = False) -> None:
        self._instead_of_docker = instead_of_docker

    @cached_property
    def _java(self) -> Java:
        return find_java(instead_of_docker=self._instead_of_docker)

    def prepare(self, progress: Progress) -> None:
        """Fetch the jars."""
        fetch_jars(self._java, progress)

    def settle(self, home: ServerHome) -> None:
        """Set the password before the first start."""
        if not home.has_users:
            _set_password(self._java, home)

    def start(self, home: ServerHome, ports: Ports, memory: Memory) -> str:
        """Start the process; returns its id."""
        home.write_conf(ports, memory)
        arguments = [
            *_virtual_machine(self._java, memory),
            f"-XX:ErrorFile={home.logs / 'hs_err_%p.log'}",
            "org.neo4j.server.CommunityEntryPoint",
            *_home_argument(home),
            f"--config-dir={home.conf.absolute()}",
            "--console-mode",
        ]
        return str(_spawn(arguments, home))

    def alive(self, home: ServerHome, handle: str) -> bool:
        """Whether that process is there and its command line names this home.

        The command line, and not the start time in the record, because that
        shifts when a clock is set; a process that took over the id of a dead
        server has another command line.
        """
        try:
            command = psutil.Process(int(handle)).cmdline()
        except psutil.Error:
            return False
        return _home_argument(home)[0] in command

    def started(self, handle: str) -> datetime:
        """When that process began."""
        return datetime.fromtimestamp(psutil.Process(int(handle)).create_time(), UTC)

    def stop(self, home: ServerHome, handle: str, patience: float) -> bool:
        """Ask the process to end, and kill it when it has not after ``patience`` seconds."""
        if not self.alive(home, handle):
            return True
        process = psutil.Process(int(handle))
        try:
            process.terminate()
            process.wait(patience)
        except psutil.NoSuchProcess:
            return True
        except psutil.TimeoutExpired:
            process.kill()
            process.wait(patience)
            return False
        return True

    def last_words(self, home: ServerHome, handle: str) -> list[str]:  # noqa: ARG002 a process has no log of its own
        """The last lines of the console log."""
        with home.console.open(encoding="utf-8", errors="replace") as lines:
            return [line.rstrip() for line in deque(lines, _LAST_LINES)]

    def run_import(
        self,
        target: Path,
        files: Path,  # noqa: ARG002 a process sees every folder
        arguments: Sequence[str],
        memory: Memory,
        say: Callable[[str], None],
    ) -> int:
        """Run the importer, whose every line ``say`` hears."""
        command = [
            *_virtual_machine(self._java, memory),
            "org.neo4j.cli.AdminTool",
            *("database", "import", "full", *arguments),
            f"--report-file={target.absolute() / 'data' / REPORT}",
        ]
        with subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            env=_environment(target),
        ) as process:
            try:
                for line in process.stdout or ():
                    say(line.rstrip())
            except BaseException:
                process.kill()
                raise
        return process.returncode


def _set_password(java: Java, home: ServerHome) -> None:
    """Hand the password over in a private file: command lines are public."""
    command = [
        *_virtual_machine(java, Memory(heap=256, page_cache=0))[1:],
        "org.neo4j.cli.AdminTool",
        *("dbms", "set-initial-password", home.password()),
    ]
    with disk_errors(home.folder), tempfile.TemporaryDirectory(dir=home.folder) as private:
        file = Path(private) / "arguments"
        write_private(file, "\n".join(map(_quoted, command)))
        done = subprocess.run(
            [java.program, f"@{file.absolute()}"],
            capture_output=True,
            text=True,
            check=False,
            env=_environment(home.folder),
        )
    if done.returncode:
        lines = (done.stderr or done.stdout).strip().splitlines()
        # Java's own remark on its options comes first
        words = [line for line in lines if not line.startswith("NOTE:")] or ["no reason given"]
        raise ServerError(f"{home.folder}: the server's password could not be set: {words[0]}")


def _virtual_machine(java: Java, memory: Memory) -> list[str]:
    lib = fetch_jars(java, Silent())
    heap = (f"-Xms{min(memory.heap, 256)}m", f"-Xmx{memory.heap}m")
    return [
        *(str(java.program), *heap, "-XX:+ExitOnOutOfMemoryError", "-Dfile.encoding=UTF-8"),
        *("-cp", f"{lib}/*", *_OPEN_MODULES),
    ]


def _home_argument(home: ServerHome) -> tuple[str]:
    return (f"--home-dir={home.folder.absolute()}",)


def _quoted(argument: str) -> str:
    """As a line of a Java argument file."""
    escaped = argument.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _environment(neo4j_home: Path) -> dict[str, str]:
    """This process's own without settings of medkg, so that no password travels on."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("NEO4J_", "MEDKG_"))
    }
    where = neo4j_home.absolute()
    return {**kept, "NEO4J_HOME": str(where), "NEO4J_CONF": str(where / "conf")}


def _spawn(arguments: list[str], home: ServerHome) -> int:
    """Start a process that outlives this one and is out of the terminal's reach."""
    with disk_errors(home.folder):
        log = os.open(home.console, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        pid = os.posix_spawn(
            arguments[0],
            arguments,
            _environment(home.folder),
            file_actions=[
                (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
                (os.POSIX_SPAWN_DUP2, log, 1),
                (os.POSIX_SPAWN_DUP2, log, 2),
            ],
            setsid=True,
            setsigmask=(),
        )
    finally:
        os.close(log)
    _await_command_line(pid)
    return pid


def _await_command_line(pid: int) -> None:
    """Wait out the moment in which a new process has none yet, by which it is recognised."""
    with suppress(psutil.ZombieProcess):  # it ended at once; whoever waits for it will see
        while not psutil.Process(pid).cmdline():
            time.sleep(_MOMENT)

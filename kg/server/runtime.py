"""What runs a local server: Docker where its engine answers, else Java."""

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Literal, Protocol

from kg.progress import Progress
from kg.server.docker import DockerRuntime, check_engine, engine_answers
from kg.server.layout import Memory, ServerHome
from kg.server.ports import Ports
from kg.server.process import JavaRuntime
from kg.server.record import RuntimeName

RuntimeChoice = Literal["auto", "docker", "java"]


class Runtime(Protocol):
    """Starts, watches and ends the server of one home."""

    @property
    def name(self) -> RuntimeName:
        """As a record names it."""
        ...

    def prepare(self, progress: Progress) -> None:
        """Fetch what is missing: jars, or the image."""
        ...

    def settle(self, home: ServerHome) -> None:
        """Make the server's password that of the home."""
        ...

    def start(self, home: ServerHome, ports: Ports, memory: Memory) -> str:
        """Start a server with the home's password and return its handle at once."""
        ...

    def alive(self, home: ServerHome, handle: str) -> bool:
        """Whether ``handle`` still is a server of this home, and not of anybody else."""
        ...

    def started(self, handle: str) -> datetime:
        """When the process or container of a live server began."""
        ...

    def stop(self, home: ServerHome, handle: str, patience: float) -> bool:
        """End it, by force after ``patience`` seconds; whether it ended by itself."""
        ...

    def last_words(self, home: ServerHome, handle: str) -> list[str]:
        """The last lines that it printed."""
        ...

    def run_import(
        self,
        target: Path,
        files: Path,
        arguments: Sequence[str],
        memory: Memory,
        say: Callable[[str], None],
    ) -> int:
        """Run ``database import full`` into ``target/data``; its exit code."""
        ...


def choose_runtime(choice: RuntimeChoice) -> Runtime:
    """The runtime asked for, or for ``auto`` the first that this machine has.

    Raises:
        ServerError: the machine has not got it.
    """
    if choice == "docker":
        check_engine()
    if choice == "docker" or (choice == "auto" and engine_answers()):
        return DockerRuntime()
    return JavaRuntime(instead_of_docker=choice == "auto")


def runtime_named(name: RuntimeName) -> Runtime:
    """The runtime that a record names, to watch or end what it started."""
    return DockerRuntime() if name == "docker" else JavaRuntime()

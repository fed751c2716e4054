"""Runs one function in a process of its own and measures that process."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from time import perf_counter
from typing import Any, Final

_REPOSITORY: Final = Path(__file__).resolve().parents[2]
_RSS_UNIT: Final = 1 if sys.platform == "darwin" else 1024
"""Bytes in which ``ru_maxrss`` counts."""


@dataclass(frozen=True)
class Measured:
    """A process that has ended."""

    seconds: float
    """From its start to its end: Python's own start and the imports count."""
    cpu: float
    """Seconds of processor, with those of the processes that it waited for."""
    peak: int
    """Bytes of memory at most, of the largest process among them."""
    load: tuple[float, float]
    """The machine's one-minute load average when it began and when it ended."""
    answer: Any
    """What the function returned, through JSON."""


def measure(function: str, **arguments: object) -> Measured:
    """Call ``module:name`` of this folder, anew in its own process.

    The function is named and not passed: what it imports must not weigh on this process,
    whose size the child's begins with.

    Raises:
        RuntimeError: the process failed; it has said why on stderr.
    """
    load = load_average()
    with tempfile.TemporaryFile() as asked, tempfile.TemporaryFile() as answered:
        asked.write(json.dumps(arguments, default=str).encode())
        asked.seek(0)
        begun = perf_counter()
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.benchmarks.measuring", function],
            stdin=asked,
            stdout=answered,
            cwd=_REPOSITORY,
            env=os.environ | {"GOMP_SPINCOUNT": "0"},  # as kg.embeddings has it
        )
        _, status, usage = os.wait4(process.pid, 0)
        seconds = perf_counter() - begun
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise RuntimeError(f"{function} ended with code {process.returncode}")
        answered.seek(0)
        answer = json.load(answered)
    cpu, peak = usage.ru_utime + usage.ru_stime, usage.ru_maxrss * _RSS_UNIT
    return Measured(seconds, cpu, peak, (load, load_average()), answer)


def load_average() -> float:
    """Processes that want to run, ours included, averaged over the last minute."""
    return os.getloadavg()[0]


class Timed:
    """Progress that keeps the seconds of each step, and of what it advances by."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.laps: dict[str, list[float]] = {}

    @contextmanager
    def step(self, name: str, total: int | None = None) -> Iterator[Any]:  # noqa: ARG002 - of Progress
        begun = perf_counter()
        passed = [begun]
        try:
            yield lambda units: passed.append(perf_counter())  # noqa: ARG005 - of Progress
        finally:
            self.seconds[name] = perf_counter() - begun
            self.laps[name] = [end - start for start, end in pairwise(passed)]


def _answer(function: str) -> None:
    module, _, name = function.partition(":")
    out, sys.stdout = sys.stdout, sys.stderr  # what a library prints is no answer
    arguments = json.load(sys.stdin)
    answer = getattr(import_module(f"tests.benchmarks.{module}"), name)(**arguments)
    json.dump(answer, out)


if __name__ == "__main__":
    _answer(sys.argv[1])

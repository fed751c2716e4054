"""One run of the benchmarks: its folder, and the measurements taken so far."""

import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Final

import psutil
from pydantic import TypeAdapter

from kg.server.jars import cache_folder
from tests.benchmarks.measuring import Measured, load_average, measure

_MEASURED: Final = TypeAdapter(Measured)
_STARTS: Final = 10
KOZA_VERSION: Final = "2.7.0"
_KOZA: Final = (f"koza=={KOZA_VERSION}", "duckdb<2")
"""With the DuckDB that it can work with."""
_QUIET: Final = 15
"""Per cent of all processors that may be at work on a quiet machine."""


@dataclass(frozen=True)
class Run:
    """Measurements and what they made; a folder that is kept goes on where it ended."""

    work: Path
    share: float = 1.0
    """Of PrimeKG's edges."""
    patience: float = 0
    """Seconds to wait, before a measurement, for what else runs on the machine to end."""

    def once(self, name: str, function: str, **arguments: object) -> Measured:
        """The measurement of that name, taken now unless the folder has it.

        What the function makes, it makes at ``self.made(name)``, its argument ``out``.
        """
        kept = self.work / "measured" / f"{name}.json"
        if not kept.exists():
            self._clear(name)
            self._await_quiet(name)
            _keep(kept, measure(function, **arguments))
        return _MEASURED.validate_json(kept.read_bytes())

    def starts(
        self, name: str, command: Sequence[str | Path], folder: Path | None = None
    ) -> Measured:
        """The median of some runs of a command, after one that warms up."""
        kept = self.work / "measured" / f"{name}.json"
        if not kept.exists():
            self._await_quiet(name)
            load = load_average()
            seconds = [_seconds(command, folder) for _ in range(_STARTS + 1)][1:]
            _keep(kept, Measured(median(seconds), 0, 0, (load, load_average()), None))
        return _MEASURED.validate_json(kept.read_bytes())

    def made(self, name: str) -> Path:
        """Where a measurement puts what it makes."""
        return self.work / "made" / name

    def _await_quiet(self, name: str) -> None:
        end = perf_counter() + self.patience
        while perf_counter() < end and psutil.cpu_percent(interval=1) > _QUIET:
            pass
        _tell(f"measuring {name} ...")

    def _clear(self, name: str) -> None:
        """Remove what a measurement that was interrupted left."""
        made = self.made(name)
        if made.is_dir():
            shutil.rmtree(made)
        made.parent.mkdir(parents=True, exist_ok=True)

    def primekg(self, times: int = 1) -> Path:
        """PrimeKG-shaped input with so many times the rows, kept for the next run too."""
        share = self.share * times
        path = _kept_inputs() / f"primekg-shaped-with-trees-{share:g}.csv"
        if not path.exists():
            _tell(f"making {path} ...")
            part = path.with_suffix(".part")
            measure("table_work:generate", path=part, share=share)
            part.replace(path)
        return path

    @property
    def koza(self) -> Path:
        """The program koza, in an environment of its own, kept for the next run too."""
        folder = _kept_inputs() / "koza"
        program = folder / "bin" / "koza"
        if not program.exists():
            _tell(f"installing {', '.join(_KOZA)} into {folder} ...")
            subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
            subprocess.run([folder / "bin" / "pip", "install", "--quiet", *_KOZA], check=True)
        return program


def _kept_inputs() -> Path:
    folder = cache_folder() / "benchmarks"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _seconds(command: Sequence[str | Path], folder: Path | None) -> float:
    begun = perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True, cwd=folder)
    return perf_counter() - begun


def _keep(path: Path, measured: Measured) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_bytes(_MEASURED.dump_json(measured))
    part.replace(path)


def _tell(text: str) -> None:
    sys.stderr.write(text + "\n")

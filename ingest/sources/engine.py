"""The table engine that readers of large files work in, and what it may use."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import ibis


@dataclass(frozen=True)
class Resources:
    """What the table work of a reader may use."""

    threads: int | None = None
    """All cores if not given."""
    memory: str = "3GB"
    """What it may hold before it spills to disk."""


DEFAULT_RESOURCES: Final = Resources()


@contextmanager
def table_engine(work: Path, resources: Resources) -> Iterator[ibis.BaseBackend]:
    """DuckDB in memory that spills into ``work``, made if missing; closed when the block ends.

    Meanwhile it is what works out tables of no engine (``ibis.memtable``) as well: Ibis would
    open a connection of its own for them, which nobody closes, and which complains of that
    beneath all output.
    """
    work.mkdir(parents=True, exist_ok=True)  # DuckDB makes its own folder, but none above it
    options: dict[str, Any] = {} if resources.threads is None else {"threads": resources.threads}
    engine = ibis.duckdb.connect(
        ":memory:",
        memory_limit=resources.memory,
        temp_directory=str(work / "spill"),
        **options,
    )
    before = ibis.options.default_backend
    ibis.options.default_backend = engine
    try:
        yield engine
    finally:
        ibis.options.default_backend = before
        engine.disconnect()

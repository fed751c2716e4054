"""The table engine that the index is made in, and what it may use."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import duckdb

from kg.stores.disk import sql_path

MEMORY: Final = "1GB"
"""What it may hold before it spills to disk."""


@contextmanager
def table_engine(folder: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """DuckDB in memory that spills into ``folder``, closed when the block ends."""
    spill = folder / "spill"
    with duckdb.connect() as db:
        db.execute(f"set memory_limit = '{MEMORY}'")
        db.execute(f"set temp_directory = {sql_path(spill)}")
        yield db
    shutil.rmtree(spill, ignore_errors=True)

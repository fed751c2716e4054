"""Text files that grow by the rows of queries, so that no more than one relation is under way."""

import shutil
from pathlib import Path
from typing import Final

import duckdb

from kg.stores.disk import sql_path

CONTROL: Final = r"[\x00-\x1F\x7F\x{85}\x{2028}\x{2029}]"
"""What some reader takes for the end of a line or a field."""

TSV: Final = "format csv, delimiter '\t', header false, quote '\"', escape '\"', nullstr ''"
"""Tab-separated text for COPY; what has a quotation mark is quoted, as pandas reads it."""

_CHUNK: Final = 1 << 20


def append(db: duckdb.DuckDBPyConnection, select: str, path: Path, written: str) -> None:
    """Write what a query gives at the end of a file.

    Args:
        db: runs it.
        select: the query, with its order.
        path: the file; made if it is not there.
        written: how COPY is to write it.
    """
    part = path.with_name(f".{path.name}.part")
    db.execute(f"copy ({select}) to {sql_path(part)} ({written})")
    with part.open("rb") as new, path.open("ab") as target:
        shutil.copyfileobj(new, target, _CHUNK)
    part.unlink()


def one_line(value: str) -> str:
    """SQL of a text without line breaks and tabs."""
    return f"regexp_replace({value}, '{CONTROL}', ' ', 'g')"


def literal(value: str) -> str:
    """A string literal of SQL."""
    return "'" + value.replace("'", "''") + "'"

"""The graph as CSV for ``neo4j-admin database import full``, and the command that imports it."""

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from kg.progress import Progress
from kg.stores.neo4j_import import write_import_files
from kg.tables import GraphTables

SCRIPT: Final = "import.sh"

_TEXT: Final = """#!/bin/sh
# Replaces a database of a Neo4j server that is stopped: neo4j, or the one that is named.
set -e
database="${{1:-neo4j}}"
cd "$(dirname "$0")"
exec {command}
"""


def write_neo4j_admin(tables: GraphTables, folder: Path, progress: Progress) -> None:
    """Write the files and ``import.sh``.

    Args:
        tables: the graph.
        folder: gets the files.
        progress: shown meanwhile.

    Raises:
        TablesError: the tables are not whole.
        StoreError: the disk is full.
    """
    with progress.step("Writing import files"):
        arguments = write_import_files(tables, folder)
    beside = [argument.replace(f"{folder.absolute()}/", "") for argument in arguments]
    script = folder / SCRIPT
    script.write_text(_TEXT.format(command=_command('"$database"', beside)), encoding="utf-8")
    script.chmod(0o755)


def _command(database: str, arguments: Sequence[str]) -> str:
    quoted = " ".join(map(shlex.quote, arguments))
    return f"neo4j-admin database import full {database} --overwrite-destination {quoted}"

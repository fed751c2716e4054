"""Fill the local server from graph tables with Neo4j's importer, the server being down.

The importer writes a database of its own beside the server's, which takes the
old one's place only when it is whole: a failed or killed import changes nothing.
"""

import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from cypher.translation import translate
from kg.errors import ServerError
from kg.progress import Advance, Progress, Silent
from kg.server.layout import USER, Memory, ServerHome, disk_errors, write_settings
from kg.server.record import read_record
from kg.server.runtime import Runtime, RuntimeChoice, choose_runtime, runtime_named
from kg.tables import GraphTables

_DATABASE_PARTS = (Path("databases", USER), Path("transactions", USER))
_PERCENT = re.compile(r"\.\s+(\d+)% ")
_STEPS = 4
_CAUSE = re.compile(r"Caused by: (?:[\w.$]+: )*(.+)")


def import_tables(
    home: ServerHome,
    tables: GraphTables,
    *,
    overwrite: bool = False,
    runtime: RuntimeChoice = "auto",
    progress: Progress | None = None,
) -> None:
    """Replace the server's graph by ``tables``; the next start makes its indexes.

    Raises:
        ServerError: the server runs, holds data that may not be overwritten, or
            the importer failed; the data is as it was before.
        TablesError: the tables are not whole.
    """
    from kg.stores.neo4j_import import write_import_files  # noqa: PLC0415 - loads Arrow

    watched = progress or Silent()
    with home.lock():
        _check_down(home)
        tables.summary()
        home.prepare()
        finish_import(home)
        if not overwrite and (home.data / _DATABASE_PARTS[0]).exists():
            raise ServerError(
                translate(
                    "{data}: the server has a database already; replace it with --overwrite",
                    data=home.data,
                )
            )
        engine = choose_runtime(runtime)
        engine.prepare(watched)
        with _staging(home) as staging:
            files = staging / "files"
            files.mkdir()
            with watched.step("Writing import files"):
                arguments = write_import_files(tables, files)
            _run_importer(engine, staging, arguments, watched)
            shutil.rmtree(files)
            (staging / "whole").touch()
            finish_import(home)


def _run_importer(
    runtime: Runtime, staging: Path, arguments: Sequence[str], progress: Progress
) -> None:
    command = [USER, *arguments, "--bad-tolerance=0", "--max-off-heap-memory=50%", "--verbose"]
    memory = Memory.of_this_machine()
    with progress.step("Importing into Neo4j", _STEPS * 100) as advance:
        hearer = _Hearer(advance)
        code = runtime.run_import(staging, staging / "files", command, memory, hearer.hear)
    if code:
        raise ServerError(
            translate(
                "Neo4j's importer failed: {why}; the data in the server is as it was",
                why=hearer.complaint(),
            )
        )


def finish_import(home: ServerHome) -> None:
    """Put a whole import in place, also one that was interrupted in the middle of that.

    Raises:
        ServerError: the disk refuses.
    """
    staging = _staging_folder(home)
    if not (staging / "whole").exists():
        return
    with disk_errors(home.folder):
        for part in _DATABASE_PARTS:
            new, old = staging / "data" / part, home.data / part
            if new.exists():
                shutil.rmtree(old, ignore_errors=True)
                old.parent.mkdir(parents=True, exist_ok=True)
                new.rename(old)
        shutil.rmtree(staging)


class _Hearer:
    """Listens to the importer: percentages move the progress, causes explain an error."""

    def __init__(self, advance: Advance) -> None:
        self._advance = advance
        self._percent = 0
        self._cause = ""

    def hear(self, line: str) -> None:
        """Take one line of the importer's."""
        if match := _PERCENT.search(line):
            self._advance(int(match[1]) - self._percent)
            self._percent = int(match[1]) % 100  # each of the four steps starts again at 0
        elif match := _CAUSE.match(line):
            self._cause = match[1]

    def complaint(self) -> str:
        """The innermost cause, which comes last."""
        return self._cause or "it does not say why"


def _check_down(home: ServerHome) -> None:
    record = read_record(home)
    if record and runtime_named(record.runtime).alive(home, record.handle):
        raise ServerError(
            translate(
                "{folder}: the server is up, and the import needs it down; run 'medkg db "
                "down' first",
                folder=home.folder,
            )
        )


def _staging_folder(home: ServerHome) -> Path:
    return home.folder / "importing"


@contextmanager
def _staging(home: ServerHome) -> Iterator[Path]:
    """A folder that looks to the importer like a home; gone afterwards unless it is whole."""
    staging = _staging_folder(home)
    with disk_errors(home.folder):
        shutil.rmtree(staging, ignore_errors=True)  # what a killed import left
        (staging / "data").mkdir(parents=True)
        write_settings(staging / "conf", {})
    try:
        yield staging
    finally:
        if not (staging / "whole").exists():
            shutil.rmtree(staging, ignore_errors=True)

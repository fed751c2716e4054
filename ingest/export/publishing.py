"""A folder of exported files that takes its place whole or not at all."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EDQUOT, EFBIG, ENOSPC
from pathlib import Path
from typing import Final

import duckdb
import filelock
from pydantic import BaseModel, ValidationError

from cypher.translation import translate
from kg.errors import ExportError
from kg.stores.disk import means_disk_full

RECORD: Final = "medkg-export.json"
"""Says that a folder is an export, and what of; written last."""


class Record(BaseModel, frozen=True, extra="forbid"):
    """What an export was made of; nothing in it differs between two exports of one graph."""

    made_by: str
    """medkg's version and the command."""
    format: str
    options: dict[str, str]
    graph: str
    """Checksum of the graph tables."""
    layers: tuple[str, ...]
    """Those that were written with the graph."""
    nodes: dict[str, int]
    """Count by type."""
    edges: dict[str, int]
    """Count by relation type."""
    files: dict[str, int]
    """Bytes by name."""


def sizes(folder: Path) -> dict[str, int]:
    """Bytes of each file in a folder, by name."""
    return {path.name: path.stat().st_size for path in sorted(folder.iterdir()) if path.is_file()}


@contextmanager
def published(out: Path) -> Iterator[Path]:
    """A folder to write into that takes the place of ``out`` when the block ends well.

    Its subfolder ``work`` is for what is needed only while the block runs. Killed at
    any moment, ``out`` is as it was, whole, or whole beside it under the name
    ``.NAME.replaced``, from where the next export takes it back.

    Raises:
        ExportError: ``out`` holds other things than an export, another one writes
            there, or the disk is full or not writable.
    """
    out = Path(os.path.abspath(out))  # noqa: PTH100 - resolve() would follow links
    part, replaced = (out.with_name(f".{out.name}.{ending}") for ending in ("part", "replaced"))
    with _errors(out), _exclusive(out):
        if replaced.exists() and not out.exists():
            replaced.rename(out)
        _check_is_export(out)
        for left in (part, replaced):
            shutil.rmtree(left, ignore_errors=True)
        try:
            (part / "work").mkdir(parents=True)
            yield part
            shutil.rmtree(part / "work")
            if out.exists():
                out.rename(replaced)
            part.rename(out)
            shutil.rmtree(replaced, ignore_errors=True)
        finally:
            shutil.rmtree(part, ignore_errors=True)


def _check_is_export(out: Path) -> None:
    """See that nothing would be lost with ``out``."""
    if out.is_file():
        raise ExportError(translate("{out}: is a file; name a folder", out=out))
    if not out.exists():
        return
    held = {path.name for path in out.iterdir()}
    if not held:
        return
    try:
        record = Record.model_validate_json((out / RECORD).read_bytes())
    except (FileNotFoundError, ValidationError) as e:
        raise ExportError(
            translate(
                "{out}: is not empty, and no export of medkg; name a folder that is new or empty",
                out=out,
            )
        ) from e
    if foreign := sorted(held - set(record.files) - {RECORD}):
        raise ExportError(
            translate(
                "{path}: does not belong to the export that stands there; move it elsewhere, or export into another folder",
                path=out / foreign[0],
            )
        )


@contextmanager
def _exclusive(out: Path) -> Iterator[None]:
    out.parent.mkdir(parents=True, exist_ok=True)
    lock = filelock.FileLock(out.with_name(f".{out.name}.lock"), timeout=0)
    try:
        lock.acquire()
    except filelock.Timeout as e:
        raise ExportError(
            translate(
                "{out}: another export is being written there; wait until it has ended", out=out
            )
        ) from e
    try:
        yield
    finally:
        Path(lock.lock_file).unlink(missing_ok=True)
        lock.release()


@contextmanager
def _errors(out: Path) -> Iterator[None]:
    """Turn what the file system and the engine refuse into one sentence."""
    try:
        yield
    except OSError as e:
        if e.errno in (ENOSPC, EDQUOT, EFBIG):
            raise _full(out) from e
        raise ExportError(
            translate(
                "{filename}: cannot be read or written ({strerror}); check the path and its permissions",
                filename=e.filename or out,
                strerror=e.strerror or e,
            )
        ) from e
    except (duckdb.IOException, duckdb.OutOfMemoryException) as e:
        why = str(e).split("\n", 1)[0].rstrip(".")
        if means_disk_full(why) or "max_temp_directory_size" in why:
            raise _full(out) from e
        raise ExportError(
            translate(
                "{out}: cannot be written ({why}); mend that and export again", out=out, why=why
            )
        ) from e


def _full(out: Path) -> ExportError:
    return ExportError(
        translate("{out}: the disk is full; free some room, or export to another disk", out=out)
    )

"""The index of a UMLS release, saved in a folder and rebuilt only when something changed.

Changed means: another path, size or time of last change (mtime, in nanoseconds) of MRCONSO or
MRSTY, other languages, vocabularies or semantic types, or another version of medkg or of a
library that the index depends on. The files' bytes are not read for that: MRCONSO has 2.7 GB.
"""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ValidationError

from kg.linking.umls.building import build_index
from kg.linking.umls.configuration import UmlsConfig
from kg.linking.umls.extra import import_extra
from kg.linking.umls.release import ReadRows, ReleaseFiles, read_release
from kg.linking.umls.spelling import write_spellings
from kg.progress import Progress
from kg.stores.disk import disk_errors

_FORMAT: Final = 1
"""Version of the files' format; raised when it changes."""
_LIBRARIES: Final = ("medkg", "scikit-learn", "scispacy")

_FILES: Final = (
    *("names.parquet", "concepts.parquet", "bad_rows.parquet", "keys.parquet"),
    *("spellings.parquet", "concepts.jsonl", "ngrams.parquet", "names.hnsw", "names.hnsw.dat"),
)
"""Files of an index, beside ``index.json``."""


class _Origin(BaseModel, frozen=True, extra="forbid"):
    """Everything an index depends on; equal origins give an equal index."""

    format: int
    versions: dict[str, str]
    files: dict[str, tuple[int, int]]
    """Size and mtime in ns by path."""
    languages: tuple[str, ...]
    vocabularies: tuple[str, ...]
    types: tuple[str, ...]

    @classmethod
    def of(cls, config: UmlsConfig, files: ReleaseFiles) -> "_Origin":
        stats = {str(path.resolve()): path.stat() for path in (files.conso, files.sty)}
        return cls(
            format=_FORMAT,
            versions={name: version(name) for name in _LIBRARIES},
            files={path: (stat.st_size, stat.st_mtime_ns) for path, stat in stats.items()},
            languages=config.languages,
            vocabularies=config.vocabularies,
            types=config.types,
        )


class _Manifest(BaseModel, frozen=True, extra="forbid"):
    """``index.json``, written last."""

    origin: _Origin
    read: ReadRows
    unkeyed: int


@dataclass(frozen=True)
class UmlsIndex:
    """An index on disk."""

    folder: Path
    read: ReadRows
    unkeyed: int
    """Names without a letter or a digit."""
    made: bool
    """Whether this call built it; else it was there."""


def open_index(config: UmlsConfig, folder: Path, progress: Progress) -> UmlsIndex:
    """Open the index of a release in ``folder``; build it if it is missing or out of date.

    Args:
        config: the release, and which of its names count.
        folder: has the files of ``kg.linking.umls`` and no others; replaced as a whole.
        progress: shown while it is built.

    Raises:
        ConfigurationError: the extra is not installed.
        LinkingError: the release cannot be read.
        StoreError: the disk is full, or ``folder`` cannot be written.
    """
    import_extra("scispacy.candidate_generation")
    origin = _Origin.of(config, ReleaseFiles.find(config.folder))
    manifest = _read_manifest(folder)
    if manifest and manifest.origin == origin:
        return UmlsIndex(folder, manifest.read, manifest.unkeyed, made=False)
    with disk_errors(folder), _replacing(folder) as new:
        read = read_release(ReleaseFiles.find(config.folder), config, new, progress)
        unkeyed = write_spellings(new, progress)
        build_index(new, progress)
        manifest = _Manifest(origin=origin, read=read, unkeyed=unkeyed)
        (new / "index.json").write_text(manifest.model_dump_json(indent=2), encoding="utf-8")
    return UmlsIndex(folder, read, unkeyed, made=True)


def _read_manifest(folder: Path) -> _Manifest | None:
    """The manifest of the index in the folder; None where there is no complete index."""
    if not all((folder / name).is_file() for name in _FILES):
        return None
    try:
        return _Manifest.model_validate_json((folder / "index.json").read_bytes())
    except (OSError, ValidationError):  # none, or of another version
        return None


@contextmanager
def _replacing(folder: Path) -> Iterator[Path]:
    """A folder beside ``folder`` that takes its place when the block ends well."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    new = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", suffix=".partial", dir=folder.parent))
    try:
        yield new
        shutil.rmtree(folder, ignore_errors=True)
        new.rename(folder)
    finally:
        shutil.rmtree(new, ignore_errors=True)

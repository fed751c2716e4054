"""What the files in a home were made from, so that a build redoes only what changed."""

import platform
import re
import time
from collections.abc import Iterable
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, requires, version
from os import stat_result
from pathlib import Path
from typing import Final, Self

from pydantic import BaseModel, ValidationError

from ingest.accounting import RowAccount
from ingest.edges import Combine
from ingest.sources.cleaning import Garbled

_NAME: Final = "build.json"
_SETTLING_NANOSECONDS: Final = 2_000_000_000
"""Nanoseconds after which a file system surely gives another write another time."""


class InputFile(BaseModel, frozen=True, extra="forbid"):
    """An input file when its checksum was taken; one that looks the same has the same bytes."""

    size: int
    modified: int
    """In nanoseconds, as the others."""
    changed: int
    """Set by the system at each write and each setting of ``modified``."""
    inode: int
    looked: int
    """When the reading of it began."""
    checksum: str

    @classmethod
    def of(cls, path: Path) -> Self:
        """A file as it is now; reads all of it."""
        looked = time.time_ns()
        before = path.stat()
        return cls(
            size=before.st_size,
            modified=before.st_mtime_ns,
            changed=before.st_ctime_ns,
            inode=before.st_ino,
            looked=looked,
            checksum=checksum(path),
        )

    def is_still(self, now: stat_result) -> bool:
        """Whether a file is as it was.

        One that was written just before it was read does not count: it may have been
        written again within the same tick of the file system's clock.
        """
        looks = (now.st_size, now.st_mtime_ns, now.st_ctime_ns, now.st_ino)
        looked = (self.size, self.modified, self.changed, self.inode)
        return (
            looks == looked
            and max(self.modified, self.changed) + _SETTLING_NANOSECONDS < self.looked
        )


class SourceRead(BaseModel, frozen=True, extra="forbid"):
    """One source that has been read whole."""

    fingerprint: str
    """Of its settings, its files, and the versions of medkg and of all that it was read with."""
    files: dict[str, str]
    """Checksum by file name."""
    rows: tuple[RowAccount, ...]
    """Accounts of its rows."""
    tools: dict[str, str] = {}
    """The packages of an extra that it was read with, and their versions."""
    garbled: Garbled | None = None
    """What its names look like."""


class MergeMade(BaseModel, frozen=True, extra="forbid"):
    """A merge whose files are all in the home."""

    version: str
    """Of medkg."""
    sources: tuple[tuple[str, str], ...]
    """Each source with its fingerprint, in the order of sources."""
    combine: Combine = Combine()
    """How the numbers of several records became one."""


class RulesAsked(BaseModel, frozen=True, extra="forbid"):
    """Which consistency rules the last build asked."""

    folder: Path | None = None
    """With rules besides medkg's own."""
    without: tuple[str, ...] = ()
    """Names of those that are not asked."""


class Manifest(BaseModel, extra="forbid"):
    """``build.json`` of a home."""

    inputs: dict[str, InputFile] = {}
    """Input files by path."""
    sources: dict[str, SourceRead] = {}
    merged: MergeMade | None = None
    """The merge that made the tables; None while they are replaced."""
    rules: RulesAsked = RulesAsked()

    @classmethod
    def read(cls, home: Path) -> Self:
        """The manifest of a home; an empty one where there is none that this version wrote."""
        try:
            return cls.model_validate_json((home / _NAME).read_bytes())
        except (FileNotFoundError, ValidationError):
            return cls()

    def write(self, home: Path) -> None:
        """Replace the manifest of a home."""
        fresh = home / f"{_NAME}.new"
        fresh.write_text(self.model_dump_json(indent=2) + "\n", encoding="utf-8")
        fresh.replace(home / _NAME)

    def checksum_of(self, path: Path) -> str:
        """The checksum of an input file; one that looks as it did is not read again.

        Raises:
            OSError: it is missing or not readable.
        """
        key = str(path.absolute())
        earlier = self.inputs.get(key)
        if earlier is None or not earlier.is_still(path.stat()):
            earlier = self.inputs[key] = InputFile.of(path)
        return earlier.checksum

    def forget_inputs(self, used: Iterable[Path]) -> None:
        """Keep only what is known of the files that are used."""
        keys = {str(path.absolute()) for path in used}
        self.inputs = {key: file for key, file in self.inputs.items() if key in keys}


def libraries() -> dict[str, str]:
    """Python, medkg and the packages that it always needs, with their versions, in order.

    Some bring words and rules (abbreviations, prefixes, Han variants), all may read a file
    otherwise in their next version.
    """
    needed = (line for line in requires("medkg") or () if "extra ==" not in line)
    names = sorted(re.split(r"[^\w.-]", line, maxsplit=1)[0] for line in needed)
    return {"python": platform.python_version()} | {
        name: _version(name) for name in ("medkg", *names)
    }


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:  # one that medkg needed when it was installed, and no longer
        return ""


def fingerprint(*parts: str) -> str:
    """A checksum over texts."""
    return blake2b("\0".join(parts).encode(), digest_size=16).hexdigest()


def checksum(*files: Path) -> str:
    """A checksum over the names and bytes of files."""
    digest = blake2b(digest_size=16)
    for path in files:
        digest.update(path.name.encode())
        with path.open("rb") as file:
            while chunk := file.read(1 << 20):
                digest.update(chunk)
    return digest.hexdigest()

"""What the files in a home were made from, so that a build redoes only what changed."""

from hashlib import blake2b
from pathlib import Path
from typing import Self

from pydantic import BaseModel, ValidationError

_NAME = "build.json"


class SourceRead(BaseModel, frozen=True, extra="forbid"):
    """One source that has been read whole."""

    fingerprint: str
    """Of its settings, its files and the version of medkg."""
    files: dict[str, str]
    """Checksum by file name."""
    rows: dict[str, int]
    """Rows read by the source's own relation, counted by its reader."""


class Manifest(BaseModel, extra="forbid"):
    """``build.json`` of a home."""

    sources: dict[str, SourceRead] = {}
    merged: str | None = None
    """Fingerprint of the merge that made the tables."""

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

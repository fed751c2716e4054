"""A kind of source: its description for users, and its reader."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ingest.sources.writing import ReadResult


def _none(_: object) -> Mapping[str, str]:
    return {}


@dataclass(frozen=True)
class SourceKind:
    """One kind of source."""

    title: str
    licence: str
    citation: str
    needs: tuple[str, ...]
    """Files that a user must have."""
    obtained: str
    """Where a user gets them."""
    files: Callable[[Any], tuple[Path, ...]]
    """Input files of a configured source."""
    read: Callable[..., ReadResult]
    """Read a configured source into a folder: source, folder, progress, resources."""
    tools: Callable[[Any], Mapping[str, str]] = _none
    """Packages of an extra that a configured source is read with, and their versions; raises
    ConfigurationError where one is not installed."""
    relations: tuple[str, ...] = ()
    """Packages whose ``relations.yaml`` map its words, where it is not its own alone."""

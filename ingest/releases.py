"""Which release of a source its files are, as they say themselves."""

import gzip
import re
import zlib
from collections.abc import Iterable
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Final

_HEAD: Final = 20_000
"""Bytes of a file in which it says so, if it does."""

_FILES: Final = 20
"""Of a source that are looked into; the files of larger ones are pages."""

_STATED: Final = re.compile(
    r"^data-version: *(?P<obo>\S+)"  # OBO Flat File Format 1.4
    r"|^#+ *(?:version|mapping_set_version): *(?P<table>\S+)"  # HPO annotations; SSSOM
    r"|\"version\" *: *\"(?P<graph>[^\"\s]*/releases/[^\"\s]+)\"",  # OBO Graphs: the version's IRI
    re.MULTILINE,
)
_OF_ADDRESS: Final = re.compile(r"(?:^|/)releases/(?P<release>[^/\s]+)")
_OWN: Final = Path(__file__).resolve().parent


def stated_release(files: Iterable[Path]) -> str:
    """The release that files of a source say they are of; empty if none says so.

    Several are joined by commas. What medkg brings is of the version of medkg.
    """
    releases: dict[str, None] = {}
    for path in islice(files, _FILES):
        if path.resolve().is_relative_to(_OWN):
            releases.setdefault(f"medkg {version('medkg')}")
        elif stated := _STATED.search(_head(path)):
            text = next(filter(None, stated.groups()))
            address = _OF_ADDRESS.search(text)
            releases.setdefault(address["release"] if address else text)
    return ", ".join(releases)


def _head(path: Path) -> str:
    """The beginning of a file; empty where it cannot be read as text."""
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            return file.read(_HEAD).decode("utf-8", "replace")
    except (OSError, EOFError, zlib.error):
        return ""

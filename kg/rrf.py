"""Rich Release Format: the files that a UMLS release comes in.

UMLS Reference Manual, chapter 3: a row a line, fields ended by ``|``, nothing quotes or
escapes, no header line, UTF-8.
"""

import gzip
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from kg.errors import LinkingError

MRCONSO: Final = (
    "CUI", "LAT", "TS", "LUI", "STT", "SUI", "ISPREF", "AUI", "SAUI", "SCUI", "SDUI", "SAB",
    "TTY", "CODE", "STR", "SRL", "SUPPRESS", "CVF",
)  # fmt: skip
"""Columns of MRCONSO.RRF, in order: the names (atoms) of concepts."""
MRSTY: Final = ("CUI", "TUI", "STN", "STY", "ATUI", "CVF")
"""Columns of MRSTY.RRF: the semantic types of concepts."""
MRREL: Final = (
    "CUI1", "AUI1", "STYPE1", "REL", "CUI2", "AUI2", "STYPE2", "RELA", "RUI", "SRUI", "SAB",
    "SL", "RG", "DIR", "SUPPRESS", "CVF",
)  # fmt: skip
"""Columns of MRREL.RRF: relations. They read from the second concept to the first: CUI2 is
``RELA`` CUI1."""
MRDEF: Final = ("CUI", "AUI", "ATUI", "SATUI", "SAB", "DEF", "SUPPRESS", "CVF")
"""Columns of MRDEF.RRF: definitions."""

AFTER: Final = "after"
"""Column of what follows a row's last ``|``: nothing."""
LONGEST_LINE: Final = 8 * 1024 * 1024
"""Bytes."""
SUPPRESSED: Final = ("O", "E", "Y")
"""Values of SUPPRESS in rows that are obsolete or suppressible."""

_WHERE: Final = (
    "it comes with UMLS (https://www.nlm.nih.gov/research/umls), in the folder META of a release"
)


def release_file(folder: Path, name: str) -> Path:
    """A file of a release, in the folder or in its META, plain or .gz.

    Raises:
        LinkingError: it is in neither.
    """
    for place in (folder, folder / "META"):
        for path in (place / name, place / f"{name}.gz"):
            if path.is_file():
                return path
    raise LinkingError(f"{folder / name}: missing, and no {name}.gz either; {_WHERE}")


def check_first_row(path: Path, columns: Sequence[str]) -> None:
    """Check by its first row that a file has these columns.

    Raises:
        LinkingError: it is empty, cannot be read, or has another number of columns.
    """
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as lines:
            line = lines.readline(LONGEST_LINE).rstrip(b"\r\n")
    except (OSError, EOFError) as e:
        raise LinkingError(f"{path}: cannot be read ({e}); copy it again") from e
    if not line:
        raise LinkingError(f"{path}: the file is empty; {_WHERE}")
    if (columns_found := line.count(b"|")) != len(columns) or not line.endswith(b"|"):
        columns_found += not line.endswith(b"|")
        raise LinkingError(
            f"{path}, row 1: has {columns_found} columns, and {path.name.removesuffix('.gz')} has "
            f"{len(columns)}, each ended by '|'; {_WHERE}"
        )

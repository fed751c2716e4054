"""The rows of a file of a release, and what is wrong with those that are broken."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import ibis

from ingest.sources.formats.delimited import (
    NUMBER,
    RECORD,
    UNREADABLE,
    Dialect,
    Rows,
    delimited_rows,
)
from ingest.sources.parts import Part, Workplace
from ingest.sources.writing import as_quarantine, unreadable
from kg.rrf import AFTER

_CUI: Final = "^C[0-9]{7}$"
_WRITTEN: Final = {
    "CUI": (_CUI, "no CUI"),
    "CUI1": (_CUI, "no CUI1"),
    "CUI2": (_CUI, "no CUI2"),
    "TUI": ("^T[0-9]{3}$", "no TUI"),
    "SUPPRESS": ("^[ENOY]$", "SUPPRESS is none of E, N, O, Y; a '|' may stand in a field"),
}
"""How columns are written, and what to say where one is not; DuckDB passes over empty fields
that follow the last column, so a row with one too many shows by what stands in SUPPRESS."""


class RrfRows:
    """A file's rows: those that are whole, and those that are broken."""

    def __init__(self, rows: Rows, columns: tuple[str, ...], *, filled: str) -> None:
        """Tell them apart.

        Args:
            rows: the file's.
            columns: its columns.
            filled: one that may not be empty.
        """
        self._bad = rows.bad
        table = rows.good.mutate(row=rows.good[NUMBER], filled=rows.good[filled].strip())
        wrong = [
            (~table[name].fill_null("").re_search(pattern), reason)
            for name, (pattern, reason) in _WRITTEN.items()
            if name in columns
        ]
        self._rows = table.mutate(
            broken=ibis.cases(
                (table[AFTER].notnull(), f"more than {len(columns)} columns"),
                *wrong,
                (table.filled.fill_null("") == "", f"no {filled}"),
                else_=ibis.null("string"),
            )
        )
        self.all = table
        """With ``row``, and ``filled`` without the blanks around it."""
        self.readable = self._rows.filter(self._rows.broken.isnull())

    def broken(self, made: Mapping[str, str], workplace: Workplace) -> Part:
        """The broken rows, each in quarantine with its reason."""
        file = made["file"].removesuffix(".gz")
        word = f"{file} {UNREADABLE}"
        broken = self._rows.filter(self._rows.broken.notnull())
        broken = workplace.kept(broken.select("row", "broken", RECORD), f"broken {file}")
        refused = as_quarantine(
            broken,
            {
                **made,
                "row": broken.row,
                "original_relation": word,
                "reason": broken.broken,
                "record": broken[RECORD],
            },
        )
        unsplit = unreadable(self._bad, {**made, "original_relation": word})
        number = sum(table.count().execute() for table in (broken, self._bad))
        return Part((), (refused, unsplit), {word: number} if number else {})


def release_rows(place: Workplace, path: Path, columns: tuple[str, ...]) -> Rows:
    """Read a file of a release.

    Raises:
        SourceError: it is missing, empty, cut off, or not UTF-8.
    """
    dialect = Dialect(delimiter="|", quote="", columns=(*columns, AFTER))
    return delimited_rows(place.engine, path, columns, dialect, place.folder)

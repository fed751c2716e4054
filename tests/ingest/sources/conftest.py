"""Reading a source into a folder, and what it left there."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from ingest import sources
from ingest.assertions import ASSERTION_COLUMNS, QUARANTINE_COLUMNS
from ingest.sources.listing import words
from kg.progress import Silent
from kg.vocabulary import RELATION_TYPES

Row = dict[str, Any]


@dataclass(frozen=True)
class Left:
    """The two tables of a reader, and the rows that it counted."""

    assertions: list[Row]
    quarantine: list[Row]
    rows: dict[str, int]

    def facts(self) -> list[tuple[Any, ...]]:
        """Head, relation and tail (or value) of the assertions without a problem."""
        return [
            (a["head"] or a["head_name"], a["relation"], a["tail"] or a["tail_name"] or a["value"])
            for a in self.assertions
            if a["problem"] is None
        ]

    def reasons(self) -> dict[int, str]:
        """Why rows are in quarantine, by row."""
        return {q["row"]: q["reason"] for q in self.quarantine}

    def unmapped(self, source: sources.Source) -> set[str]:
        """Words that say something without standing in ``relations.yaml`` or the settings."""
        known = {each.word for each in words(source.kind)}
        if not known or source.kind == "pages":  # which knows headings by their pattern
            return set()
        said = {
            a["original_relation"]
            for a in self.assertions
            if a["problem"] is None
            and a["relation"] in RELATION_TYPES
            # a node's word is its category
            and not (source.kind == "kgx" and a["relation"] == "HAS_CUI")
        }
        return said - known - set(getattr(source, "types", ()))

    def accounted(self) -> dict[str, int]:
        """Rows by original relation, from what was written."""
        written = {
            (item["file"], item["row"], item["original_relation"])
            for item in (*self.assertions, *self.quarantine)
        }
        return dict(Counter(original for _, _, original in written))


Read = Callable[[sources.Source], Left]


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


@pytest.fixture
def read(out: Path) -> Read:
    """Read a source; its accounts are checked whatever the test is about."""

    def read_source(source: sources.Source) -> Left:
        result = sources.read(source, out, Silent())
        left = Left(_table(out, "assertions"), _table(out, "quarantine"), result.rows)
        assert left.accounted() == left.rows
        assert left.unmapped(source) == set()
        assert (
            sorted(path.name for path in out.parent.iterdir() if path.name.startswith(".")) == []
        )
        return left

    return read_source


def _table(out: Path, name: str) -> list[Row]:
    table = pq.read_table(out / f"{name}.parquet")
    columns = ASSERTION_COLUMNS if name == "assertions" else QUARANTINE_COLUMNS
    assert table.column_names == [column.name for column in columns]
    rows: list[Row] = table.to_pylist()
    assert all(row[c.name] is not None for row in rows for c in columns if c.required)
    return sorted(rows, key=lambda row: (row["file"], row["row"]))

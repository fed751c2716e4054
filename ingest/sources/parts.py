"""Reads a source by work on tables: part by part, each of which gives two tables."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import ibis
import ibis.expr.types as ir

from cypher.translation import translate
from ingest.sources.engine import Resources, table_engine
from ingest.sources.formats.delimited import UNREADABLE
from ingest.sources.writing import (
    ReadResult,
    as_quarantine,
    counted,
    published,
    unreadable,
    write_tables,
)
from kg.progress import Progress


@dataclass(frozen=True)
class Part:
    """What a file of a source gives, or a part of one."""

    assertions: tuple[ir.Table, ...]
    quarantine: tuple[ir.Table, ...]
    rows: Mapping[str, int]
    """Of the file, by original relation."""

    def __add__(self, more: "Part") -> "Part":
        """What both give."""
        return Part(
            self.assertions + more.assertions,
            self.quarantine + more.quarantine,
            Counter(self.rows) + Counter(more.rows),
        )


@dataclass(frozen=True)
class Workplace:
    """The table engine, and a folder for what is needed only while a source is read."""

    engine: ibis.BaseBackend
    folder: Path

    def kept(self, table: ir.Table, name: str) -> ir.Table:
        """The table as a file, so that it is worked out once and never stands in memory."""
        path = self.folder / f"{name}.parquet"
        self.engine.to_parquet(table, path, compression="lz4_raw")
        return self.engine.read_parquet(path)


def read_parts(  # noqa: PLR0917 -- the last four are those of every reader
    parts: Callable[[Workplace], Iterable[Part]],
    steps: int,
    source: str,
    out: Path,
    progress: Progress,
    resources: Resources,
) -> ReadResult:
    """Write ``assertions.parquet`` and ``quarantine.parquet`` into ``out``.

    Args:
        parts: makes the source's parts, at least one.
        steps: how many they are.
        source: its name.
        out: a folder.
        progress: shown part by part.
        resources: of the table work.

    Raises:
        SourceError: as ``parts`` raises it, or ``out`` cannot be written.
    """
    with (
        published(out, source) as folder,
        progress.step(translate("read {source}", source=source), steps + 1) as advance,
        table_engine(folder / "work", resources) as engine,
    ):
        total = Part((), (), {})
        for part in parts(Workplace(engine, folder / "work")):
            total += part
            advance(1)
        write_tables(engine, total.assertions, total.quarantine, folder)
        advance(1)
    return ReadResult(dict(total.rows))


def rows_of(table: ir.Table, bad: ir.Table, unreadable_as: str = UNREADABLE) -> dict[str, int]:
    """Rows of a file by original relation.

    Args:
        table: its rows with ``original_relation``, before they are joined with others.
        bad: ``Rows.bad`` of the file.
        unreadable_as: the original relation of those.
    """
    counts = counted(table, table.original_relation)
    return counts | counted(bad, ibis.literal(unreadable_as))


def quarantined(
    refused: ir.Table, bad: ir.Table, made: Mapping[str, str], unreadable_as: str = UNREADABLE
) -> ir.Table:
    """The rows with a ``reason``, and those that could not be split into fields.

    Args:
        refused: rows with ``row``, ``original_relation``, ``reason`` and ``record``.
        bad: ``Rows.bad`` of the same file.
        made: ``source`` and ``file``.
        unreadable_as: the original relation of the bad rows.
    """
    fields = ("row", "original_relation", "reason", "record")
    return ibis.union(
        as_quarantine(refused, {**made, **{name: refused[name] for name in fields}}),
        unreadable(bad, {**made, "original_relation": unreadable_as}),
    )


def unread_cells(cells: ir.Table, made: Mapping[str, str]) -> ir.Table:
    """The cells that were left out of the assertions of their rows, for the quarantine.

    Args:
        cells: with ``row``, ``original_relation``, ``reason`` and the ``record`` of the row.
        made: ``source`` and ``file``.
    """
    fields = ("row", "original_relation", "reason", "record")
    return as_quarantine(
        cells, {**made, "stage": "cell", **{name: cells[name] for name in fields}}
    )

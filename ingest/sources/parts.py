"""Puts together what the files of a source give."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import ibis
import ibis.expr.types as ir

from ingest.sources.hpo.part import Part
from ingest.sources.writing import ReadResult, write_tables


def write_parts(engine: ibis.BaseBackend, parts: Sequence[Part], folder: Path) -> ReadResult:
    """Write the tables of all parts as one; their rows are added up by original relation."""
    assertions = ibis.union(*(part.assertions for part in parts))
    quarantine = ibis.union(*(part.quarantine for part in parts))
    write_tables(engine, assertions, quarantine, folder)
    rows: Counter[str] = Counter()
    for part in parts:
        rows.update(part.rows)
    return ReadResult(dict(rows))


def stored(engine: ibis.BaseBackend, table: ir.Table, path: Path) -> ir.Table:
    """The table from a Parquet file: what is used several times is worked out once."""
    engine.to_parquet(table, path)
    return engine.read_parquet(path)

"""Rows for tests of the merge: assertions made in one line, results read back as tuples."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from ingest.assertions import ASSERTION_COLUMNS, QUARANTINE_COLUMNS, Assertion
from ingest.merge import MergeResult
from kg.tables import arrow_table


def fact(
    head: str | None, relation: str, tail: str | None, **other: str | float | None
) -> Assertion:
    """An assertion with types that fit the relation, unless others are given."""
    types: dict[str, Any] = {"head_type": "Disease", "tail_type": "Symptom"} | other
    own = {"file": "f", "row": 1, "original_relation": relation, "head_name": None}
    fields: dict[str, Any] = own | types
    return Assertion(head=head, relation=relation, tail=tail, **fields)


def said(node: str | None, attribute: str, value: str, **other: str | float | None) -> Assertion:
    """An attribute assertion."""
    own = {"file": "f", "row": 1, "original_relation": attribute, "head_type": "Disease"}
    fields: dict[str, Any] = {"head_name": None, **own, **other}
    return Assertion(head=node, relation=attribute, value=value, **fields)


def write_assertions(path: Path, source: str, rows: Sequence[Assertion]) -> Path:
    records = [{"source": source} | row._asdict() for row in rows]
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(arrow_table(ASSERTION_COLUMNS, records), path)
    return path


def write_quarantine(path: Path, source: str, rows: Sequence[tuple[str, int, str]]) -> None:
    """Quarantined rows: file, row number and the source's own relation of each."""
    records = [
        {"source": source, "file": file, "row": row, "original_relation": relation}
        | {"stage": "read", "reason": "bad", "record": "{}"}
        for file, row, relation in rows
    ]
    pq.write_table(arrow_table(QUARANTINE_COLUMNS, records), path)


def rows_of(path: Path, *columns: str) -> list[tuple[Any, ...]]:
    table = pq.read_table(path)
    return [tuple(row[name] for name in columns) for row in table.to_pylist()]


def nodes_of(result: MergeResult, *columns: str) -> list[tuple[Any, ...]]:
    return rows_of(result.tables.nodes, *columns)


def edges_of(result: MergeResult, relation: str, *columns: str) -> list[tuple[Any, ...]]:
    return rows_of(result.tables.edges(relation), *columns)

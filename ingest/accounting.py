"""Exact accounting: no row of a source is lost between the file and the store.

Two equations, each side counted independently:

* rows read = rows that gave assertions + rows quarantined, by source and the
  source's own word for the relation;
* assertions = loaded + merged into another + quarantined, by source and relation.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import duckdb
import ibis.expr.types as ir
import pyarrow.parquet as pq
from pydantic import BaseModel

from ingest.saying import columns, first_source
from ingest.workspace import rows_of
from kg.errors import AccountingError
from kg.tables import GraphTables
from kg.vocabulary import RELATION_TYPES


class RowAccount(BaseModel, frozen=True, extra="forbid"):
    """Account of the rows of one source with one original relation."""

    source: str
    original_relation: str
    read: int
    asserting: int
    quarantined: int

    def closes(self) -> bool:
        """Whether every row is accounted for."""
        return self.read == self.asserting + self.quarantined


class AssertionAccount(BaseModel, frozen=True, extra="forbid"):
    """Account of the assertions of one source with one relation or attribute."""

    source: str
    relation: str
    assertions: int
    loaded: int
    merged: int
    quarantined: int

    def closes(self) -> bool:
        """Whether every assertion is accounted for."""
        return self.assertions == self.loaded + self.merged + self.quarantined


def prove(accounts: Iterable[RowAccount | AssertionAccount]) -> None:
    """Check that every account closes.

    Raises:
        AccountingError: one does not; its text shows the account.
    """
    for account in accounts:
        if not account.closes():
            raise AccountingError(
                f"the accounts do not close, so nothing was loaded: {account}; "
                "this is a fault of medkg, please report it with the configuration"
            )


def prove_loaded(accounts: Iterable[AssertionAccount], edges: dict[str, int], where: str) -> None:
    """Check that ``where`` has as many edges as assertions were loaded.

    Args:
        accounts: of all sources.
        edges: edge count by relation type, none zero.
        where: what was counted, for the message.

    Raises:
        AccountingError: the numbers differ.
    """
    loaded: dict[str, int] = {}
    for account in accounts:
        loaded[account.relation] = loaded.get(account.relation, 0) + account.loaded
    for relation in sorted({*edges, *(loaded.keys() & RELATION_TYPES.keys())}):
        expected, count = loaded.get(relation, 0), edges.get(relation, 0)
        if expected != count:
            raise AccountingError(
                f"{relation}: {expected} assertions were loaded but {where} has {count} edges; "
                "this is a fault of medkg, please report it with the configuration"
            )


def row_accounts(source: str, read: Mapping[str, int], folder: Path) -> list[RowAccount]:
    """Compare the rows that a reader counted with the rows of the two tables that it wrote.

    Args:
        source: its name.
        read: rows by the source's own relation, counted by the reader.
        folder: has ``assertions.parquet`` and ``quarantine.parquet``.
    """
    with duckdb.connect() as con:
        asserting = _rows_by_relation(con, folder / "assertions.parquet")
        refused = folder / "quarantine.parquet"
        quarantined = _rows_by_relation(con, refused, "WHERE stage = 'read'")
    return [
        RowAccount(
            source=source,
            original_relation=relation,
            read=read.get(relation, 0),
            asserting=asserting.get(relation, 0),
            quarantined=quarantined.get(relation, 0),
        )
        for relation in sorted({*read, *asserting, *quarantined})
    ]


Stated = tuple[str, str]
"""A source, and a relation or attribute that it states."""


def by_source(table: ir.Table) -> dict[Stated, int]:
    """Number of rows of a table by ``source`` and ``relation``, in order."""
    counted = table.group_by("source", "relation").agg(n=table.count())
    rows = rows_of(counted.order_by("source", "relation").select("source", "relation", "n"))
    return {(source, relation): count for source, relation, count in rows}


def first_and_again(facts: ir.Table, sources: Sequence[str]) -> dict[Stated, tuple[int, int]]:
    """How many facts each source was first to state, and how often it restated one.

    Args:
        facts: one row each, with ``relation`` and the columns of ``saying``.
        sources: by position.
    """
    facts = facts.mutate(first=first_source(facts, sources))
    counts = dict(zip(sources, columns(sources), strict=True))
    sums = {}
    for position, (source, column) in enumerate(counts.items()):
        sums[f"{source} first"] = (facts["first"] == position).sum()
        sums[f"{source} times"] = facts[column].sum()
    stated: dict[Stated, tuple[int, int]] = {}
    for row in facts.group_by("relation").agg(**sums).to_pyarrow().to_pylist():
        for source in sources:
            first, times = int(row[f"{source} first"]), int(row[f"{source} times"])
            stated[source, row["relation"]] = first, times - first
    return stated


def assertion_accounts(
    assertions: Mapping[Stated, int],
    stated: Mapping[Stated, tuple[int, int]],
    quarantined: Mapping[Stated, int],
) -> list[AssertionAccount]:
    """The accounts of three independent counts."""
    accounts = []
    for key, count in assertions.items():
        loaded, merged = stated.get(key, (0, 0))
        accounts.append(
            AssertionAccount(
                source=key[0],
                relation=key[1],
                assertions=count,
                loaded=loaded,
                merged=merged,
                quarantined=quarantined.get(key, 0),
            )
        )
    return accounts


def _rows_by_relation(
    con: duckdb.DuckDBPyConnection, path: Path, condition: str = ""
) -> dict[str, int]:
    """Distinct rows of a Parquet file of assertions or quarantine, by original relation."""
    query = f"""
        SELECT original_relation, count(*) FROM (
            SELECT DISTINCT original_relation, file, row FROM read_parquet(?) {condition}
        ) GROUP BY ALL
    """  # noqa: S608 -- a condition of our own
    return dict(con.execute(query, [str(path)]).fetchall())


def edge_rows(tables: GraphTables) -> dict[str, int]:
    """Number of rows of each edge file, by relation type."""
    files = sorted((tables.folder / "edges").glob("*.parquet"))
    return {path.stem: pq.read_metadata(path).num_rows for path in files}

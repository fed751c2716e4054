"""The table work on PrimeKG's kg.csv as 'medkg build' does it: read, merge, prove the accounts."""

from pathlib import Path
from typing import Any, Final

import duckdb

from ingest.accounting import edge_rows, prove, prove_loaded, row_accounts
from ingest.merge import MergeConfig, merge
from ingest.sources import PrimeKgSource, read
from kg.tables import GraphTables
from tests.benchmarks.measuring import Timed
from tests.benchmarks.primekg_shaped import write

_SOURCE: Final = "primekg"
_MADE_BY: Final = "medkg benchmark"


def generate(path: str, share: float) -> int:
    """Write a kg.csv of PrimeKG's shape; how many rows."""
    return write(Path(path), share)


def build_tables(file: str, out: str) -> dict[str, Any]:
    """Make ``out/tables`` of a kg.csv; number of edges, checksum, seconds of each step."""
    home = Path(out)
    home.mkdir()
    folder = home / "assertions"
    timed = Timed()
    source = PrimeKgSource(kind="primekg", name=_SOURCE, file=Path(file))
    rows = read(source, folder, timed).rows
    assertions = {_SOURCE: folder / "assertions.parquet"}
    result = merge(MergeConfig(assertions=assertions, made_by=_MADE_BY), home, timed)
    with timed.step("accounts"):
        prove([*row_accounts(_SOURCE, rows, folder), *result.accounts])
        prove_loaded(result.accounts, edge_rows(result.tables), "the graph tables")
    summary = result.summary
    return {
        "edges": sum(summary.edges.values()),
        "nodes": sum(summary.nodes.values()),
        "checksum": summary.checksum,
        "seconds": timed.seconds,
    }


def thin_out(tables: str, out: str, edges: int) -> int:
    """Tables with all nodes and about ``edges`` edges, every relation thinned alike; how many."""
    whole, thin = GraphTables(Path(tables)), GraphTables(Path(out))
    summary = whole.summary()
    per_mille = max(1, round(1000 * edges / sum(summary.edges.values())))
    (thin.folder / "edges").mkdir(parents=True)
    thin.nodes.symlink_to(whole.nodes.absolute())
    kept = {}
    with duckdb.connect() as db:
        for relation in summary.edges:
            part = db.read_parquet(str(whole.edges(relation))).filter(
                f"hash(head, tail) % 1000 < {per_mille}"
            )
            part.order("head, tail").to_parquet(str(thin.edges(relation)))
            if rows := len(db.read_parquet(str(thin.edges(relation)))):
                kept[relation] = rows
    thin.write_summary(summary.model_copy(update={"edges": kept, "checksum": "thinned"}))
    return sum(kept.values())

"""The table work as 'medkg build' does it: read, merge, prove the accounts."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import duckdb
import yaml

from ingest.accounting import edge_rows, prove, prove_loaded, row_accounts
from ingest.merge import MergeConfig, merge
from ingest.sources import HpoSource, KgxSource, PrimeKgSource, Source, read
from kg.tables import GraphTables
from tests.benchmarks import mapped_sources
from tests.benchmarks.measuring import Timed
from tests.benchmarks.primekg_shaped import write

_MADE_BY: Final = "medkg benchmark"


def generate(path: str, share: float) -> int:
    """Write a kg.csv of PrimeKG's shape; how many rows."""
    return write(Path(path), share)


def map_sources(file: str, out: str, rows: int) -> int:
    """Write five tables beside a kg.csv; how many rows in all."""
    return mapped_sources.write(file, out, rows)


def build_tables(file: str, out: str) -> dict[str, Any]:
    """Make ``out/tables`` of a kg.csv."""
    return _build([_primekg(file)], Path(out))


def build_with_hpo(file: str, out: str) -> dict[str, Any]:
    """Make ``out/tables`` of the Human Phenotype Ontology, of which the rules speak, and a kg.csv."""
    return _build([HpoSource(kind="hpo"), _primekg(file)], Path(out))


def build_six(file: str, mapped: str, out: str) -> dict[str, Any]:
    """Make ``out/tables`` of a kg.csv and the tables of ``map_sources``."""
    return _build([_primekg(file), *mapped_sources.sources(Path(mapped))], Path(out))


def build_home(file: str, mapped: str, out: str) -> None:
    """Run ``medkg build`` on the same in the folder ``out``."""
    home = Path(out)
    home.mkdir()
    sources = [_primekg(file), *mapped_sources.sources(Path(mapped))]
    told = {"sources": [source.model_dump(mode="json", exclude_unset=True) for source in sources]}
    (home / "medkg.yaml").write_text(yaml.safe_dump(told), encoding="utf-8")
    medkg = Path(sys.executable).with_name("medkg")
    subprocess.run([medkg, "build", home / "medkg.yaml"], cwd=home, stdout=sys.stderr, check=True)


def build_kgx(nodes: str, edges: Sequence[str], out: str) -> dict[str, Any]:
    """Make ``out/tables`` of a graph in KGX files, of which each file of edges is a source."""
    sources = [
        KgxSource(kind="kgx", name=Path(path).stem, nodes=Path(nodes), edges=Path(path))
        for path in edges
    ]
    return _build(sources, Path(out))


def _primekg(file: str) -> PrimeKgSource:
    return PrimeKgSource(kind="primekg", name="primekg", file=Path(file))


def _build(sources: Sequence[Source], home: Path) -> dict[str, Any]:
    """Number of edges and nodes, checksum, seconds of each step."""
    home.mkdir()
    timed = Timed()
    folders = {source.name: home / "assertions" / source.name for source in sources}
    (home / "assertions").mkdir()
    rows = {source.name: read(source, folders[source.name], timed).rows for source in sources}
    assertions = {name: folder / "assertions.parquet" for name, folder in folders.items()}
    result = merge(MergeConfig(assertions=assertions, made_by=_MADE_BY), home, timed)
    with timed.step("accounts"):
        accounts = [
            each for name in rows for each in row_accounts(name, rows[name], folders[name])
        ]
        prove([*accounts, *result.accounts])
        prove_loaded(result.accounts, edge_rows(result.tables), "the graph tables")
    summary = result.summary
    return {
        "edges": sum(summary.edges.values()),
        "nodes": sum(summary.nodes.values()),
        "rows": sum(sum(counts.values()) for counts in rows.values()),
        "checksum": summary.checksum,
        "seconds": timed.seconds,
        "laps": timed.laps,
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

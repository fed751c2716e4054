"""A graph as KGX files, each edge in two of them, and koza's merge of these."""

import os
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import Any, Final

import duckdb

from ingest.export.kgx import write_kgx
from kg.tables import GraphTables
from kg.vocabulary import RELATION_TYPES
from tests.benchmarks.measuring import Timed

_STEP: Final = re.compile(r"Step \d: (\w+) - ")


def write(tables: str, out: str) -> dict[str, Any]:
    """Write ``nodes.tsv``, ``edges.tsv`` and ``again.tsv``, which has every edge again.

    There an edge of a relation without direction is turned round and has an id of its own,
    as in what states both directions; any other is the same.
    """
    folder = Path(out)
    folder.mkdir()
    with duckdb.connect() as db:
        write_kgx(db, GraphTables(Path(tables)), folder, "tsv", Timed())
    undirected = [name for name, relation in RELATION_TYPES.items() if relation.symmetric]
    with duckdb.connect() as db:
        edges = db.read_csv(
            str(folder / "edges.tsv"), sep="\t", quotechar="", escapechar="", all_varchar=True
        )
        listed = ", ".join(f"'{name}'" for name in undirected)
        edges = edges.project(f"*, medkg_relation in ({listed}) as turned")
        again = edges.project(
            "* exclude (turned) replace ("
            "case when turned then id || '-turned' else id end as id, "
            "case when turned then object else subject end as subject, "
            "case when turned then subject else object end as object)"
        )
        again.write_csv(str(folder / "again.tsv"), sep="\t", quotechar="", escapechar="")
        ((rows, both),) = edges.aggregate("count(*), count(*) filter (turned)").fetchall()
    return {"edges": rows, "turned": both}


def merge_by_koza(program: str, nodes: str, edges: Sequence[str], out: str) -> dict[str, Any]:
    """Seconds of each of koza's steps, and how many edges it arrives at.

    Raises:
        RuntimeError: koza failed.
    """
    folder = Path(out)
    folder.mkdir()
    files = [f"-n{nodes}", *(f"-e{path}" for path in edges)]
    seconds: dict[str, float] = {}
    step, begun = "start", perf_counter()
    with subprocess.Popen(
        [program, "merge", *files, "--skip-normalize", "-o", folder / "graph.duckdb"],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if found := _STEP.match(line):
                seconds[step] = perf_counter() - begun
                step, begun = found[1].lower(), perf_counter()
            told = line
    seconds[step] = perf_counter() - begun
    if process.returncode:
        raise RuntimeError(f"koza ended with code {process.returncode}: {told}")
    with duckdb.connect(folder / "graph.duckdb", read_only=True) as db:
        ((count,),) = db.execute("select count(*) from edges").fetchall()
    return {"edges": count, "seconds": seconds}

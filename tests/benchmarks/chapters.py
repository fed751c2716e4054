"""What is measured: each chapter gives its figures, each beside a rival of the same run."""

import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from tests.benchmarks.figures import Figure, Unit
from tests.benchmarks.latency import some_diseases
from tests.benchmarks.measuring import Measured
from tests.benchmarks.neo4j_server import prepare, running
from tests.benchmarks.run import Run

_MERGED_ONE_BY_ONE: Final = 20_000
_SENT_THROUGH_BOLT: Final = 1_000_000
_SENT_BY_PY2NEO: Final = 100_000
_DISEASES: Final = 1_000


def _tables(run: Run) -> Measured:
    made = run.made("tables")
    return run.once("tables", "table_work:build_tables", file=run.kg_csv, out=made)


def _whole(run: Run) -> Path:
    _tables(run)
    return run.made("tables") / "tables"


def _embedded(run: Run) -> Measured:
    return run.once("embedded", "embedded:load", tables=_whole(run), out=run.made("embedded"))


def _imported(run: Run) -> Measured:
    prepare()
    return run.once(
        "import", "neo4j_server:import_whole", tables=_whole(run), out=run.made("import")
    )


def table_work(run: Run) -> Iterator[Figure]:
    """Read, clean and merge kg.csv.

    Raises:
        RuntimeError: the rival arrives at another number of edges.
    """
    ours = _tables(run)
    theirs = run.once("pandas", "pandas_script:clean", file=run.kg_csv, out=run.made("pandas"))
    if theirs.answer != ours.answer["edges"]:
        raise RuntimeError(f"pandas finds {theirs.answer} edges, medkg {ours.answer['edges']}")
    step, rival = "read, clean and merge kg.csv", "pandas script"
    for what, unit, target, values in (
        ("", Unit.SECONDS, 30, (ours.seconds, theirs.seconds)),
        (", processor", Unit.SECONDS, None, (ours.cpu, theirs.cpu)),
        (", peak memory", Unit.GIGABYTES, 4e9, (ours.peak, theirs.peak)),
    ):
        yield Figure.of(
            step + what,
            unit,
            values[0],
            rival=rival,
            theirs=values[1],
            load=ours.load,
            target=target,
        )


def embedded(run: Run) -> Iterator[Figure]:
    """Load the embedded store and verify it."""
    ours, theirs = _embedded(run), _imported(run)
    naive = run.once(
        "naive",
        "embedded:merge_one_by_one",
        tables=_whole(run),
        out=run.made("naive"),
        edges=_MERGED_ONE_BY_ONE,
    )
    step, rival = "embedded load, verified", "neo4j-admin import"
    for what, unit, target, values in (
        ("", Unit.SECONDS, 30, (ours.seconds, theirs.seconds)),
        (", peak memory", Unit.GIGABYTES, None, (ours.peak, theirs.peak)),
    ):
        yield Figure.of(
            step + what,
            unit,
            values[0],
            rival=rival,
            theirs=values[1],
            load=ours.load,
            target=target,
        )
    yield Figure.of(
        step,
        Unit.SECONDS,
        ours.seconds,
        rival="a MERGE an edge, scaled",
        theirs=ours.answer / naive.answer,
        load=ours.load,
    )


def neo4j(run: Run) -> Iterator[Figure]:
    """Load Neo4j, through Bolt and by the importer."""
    part = run.made("part") / "tables"
    edges = run.once(
        "part",
        "table_work:thin_out",
        tables=_whole(run),
        out=part,
        edges=round(_SENT_THROUGH_BOLT * run.share),
    ).answer
    with running(run.made("server")) as server:
        bolt = run.once("bolt", "neo4j_server:load", tables=part, **server)
        py2neo = run.once(
            "py2neo", "py2neo_bulk:create", tables=part, edges=_SENT_BY_PY2NEO, **server
        )
    rate = edges / bolt.answer["Loading edges"]
    whole = _tables(run).answer["edges"]
    imported = _imported(run)
    yield Figure.of(
        "Neo4j import, its files included",
        Unit.SECONDS,
        imported.seconds,
        rival="medkg through Bolt, scaled",
        theirs=whole / rate,
        load=imported.load,
        target=60,
    )
    yield Figure.of(
        "Neo4j through Bolt, edges",
        Unit.PER_SECOND,
        rate,
        rival="py2neo bulk",
        theirs=py2neo.answer,
        load=bolt.load,
        target=30_000,
    )


def queries(run: Run) -> Iterator[Figure]:
    """Ask a named query of one hop, on both engines."""
    _embedded(run)
    _imported(run)
    diseases = some_diseases(str(_whole(run)), _DISEASES)
    graph = run.made("embedded") / "graph.lbug"
    ours = run.once("ask", "embedded:ask", graph=graph, diseases=diseases)
    theirs = run.once("ask-engine", "embedded:ask_engine", graph=graph, diseases=diseases)
    yield from _latencies("one hop, embedded", ours, "ladybug connection", theirs)
    with running(run.made("import")) as server:
        ours = run.once("ask-neo4j", "neo4j_server:ask", diseases=diseases, **server)
        theirs = run.once("ask-driver", "neo4j_server:ask_driver", diseases=diseases, **server)
    yield from _latencies("one hop, Neo4j", ours, "neo4j driver", theirs)


def _latencies(name: str, ours: Measured, rival: str, theirs: Measured) -> Iterator[Figure]:
    for percentile, mine, others in zip(("p50", "p95"), ours.answer, theirs.answer, strict=True):
        yield Figure.of(
            f"{name}, {percentile}",
            Unit.MILLISECONDS,
            mine,
            rival=rival,
            theirs=others,
            load=ours.load,
        )


def command(run: Run) -> Iterator[Figure]:
    """Start the command line."""
    ours = run.starts("help", [Path(sys.executable).with_name("medkg"), "--help"])
    theirs = run.starts("python", [sys.executable, "-c", "pass"])
    yield Figure.of(
        "medkg --help",
        Unit.SECONDS,
        ours.seconds,
        rival="python -c pass",
        theirs=theirs.seconds,
        load=ours.load,
        target=0.3,
    )


CHAPTERS: Final[Mapping[str, Callable[[Run], Iterator[Figure]]]] = MappingProxyType(
    {each.__name__: each for each in (table_work, embedded, neo4j, queries, command)}
)
"""By name, in the order in which they are measured."""

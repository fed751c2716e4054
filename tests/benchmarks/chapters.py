"""What is measured: each chapter gives its figures, each beside a rival of the same run."""

import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from statistics import fmean
from types import MappingProxyType
from typing import Final

from tests.benchmarks.answering import answering
from tests.benchmarks.callers import CALLERS
from tests.benchmarks.checking import checking
from tests.benchmarks.embedding import embedding
from tests.benchmarks.evaluating import evaluating
from tests.benchmarks.figures import Figure, Unit
from tests.benchmarks.latency import some_diseases
from tests.benchmarks.measuring import Measured
from tests.benchmarks.merging import merging
from tests.benchmarks.neo4j_server import prepare, running
from tests.benchmarks.run import Run
from tests.benchmarks.texts import texts

_MERGED_ONE_BY_ONE: Final = 20_000
_SENT_THROUGH_BOLT: Final = 1_000_000
_SENT_BY_PY2NEO: Final = 100_000
_DISEASES: Final = 1_000
_ASKED_TOGETHER: Final = 2_400
_MENTIONS: Final = 100
"""Of each kind."""
_BY_FUZZYWUZZY: Final = 3
_BY_SCISPACY: Final = 200_000
"""Names at most: its index of a million takes an hour."""
_TEXT: Final = 10_000_000
_TEXT_STEPS: Final = {
    "automaton": "the automaton",
    "exact": "exact names",
    "fuzzy": "misspelt and reordered too, with context",
}
_EQUAL: Final = 1e-9


def _tables(run: Run) -> Measured:
    made = run.made("tables")
    return run.once("tables", "table_work:build_tables", file=run.primekg(), out=made)


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
    theirs = run.once("pandas", "pandas_script:clean", file=run.primekg(), out=run.made("pandas"))
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


def callers(run: Run) -> Iterator[Figure]:
    """Ask from 1, 8 and 32 threads and tasks at once, on both engines."""
    _embedded(run)
    _imported(run)
    given = {"diseases": some_diseases(str(_whole(run)), _DISEASES), "each": _ASKED_TOGETHER}
    graph = run.made("embedded") / "graph.lbug"
    found = run.once("callers", "callers:ask_embedded", graph=graph, **given)
    yield from _together("embedded", found, "ladybug connections", 1.6)
    with running(run.made("import")) as server:
        found = run.once("callers-neo4j", "callers:ask_neo4j", **given, **server)
    yield from _together("Neo4j", found, "one neo4j driver", 3)


def _together(engine: str, found: Measured, rival: str, more: float) -> Iterator[Figure]:
    rates = found.answer
    for at, count in enumerate(CALLERS):
        for way, who in (("store", "threads"), ("tasks", "tasks")):
            target = more * rates[way][0] if count > 1 else 0.8 * rates["engine"][0]
            yield Figure.of(
                f"questions of {count} {who}, {engine}",
                Unit.PER_SECOND,
                rates[way][at],
                rival=f"{rival}, threads",
                theirs=rates["engine"][at],
                load=found.load,
                target=target if way == "store" else None,
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


def linking(run: Run) -> Iterator[Figure]:
    """Link mentions and running text with 130,000 names and with a million."""
    for size, limit in ((130_000, 1e-3), (1_000_000, 5e-3)):
        yield from _mentions(run, round(size * run.share), limit)
    index = run.made(f"index-{round(130_000 * run.share)}")
    names = run.made(f"names-{round(130_000 * run.share)}") / "names.parquet"
    loaded = run.once("link-load", "mentions:load", index=index)
    indexed = run.once(
        f"index-{round(130_000 * run.share)}", "mentions:index", names=names, out=index
    )
    yield Figure.of(
        "open an index of 130,000 names",
        Unit.SECONDS,
        loaded.answer,
        rival="making it",
        theirs=indexed.seconds,
        load=loaded.load,
        target=1,
    )
    run.once("text", "mentions:write_text", out=run.made("text"), size=_TEXT)
    text = run.made("text") / "text.txt"
    ours = run.once("read-text", "mentions:read_text", index=index, text=text)
    theirs = run.once("phrases", "mentions:match_phrases", names=names, text=text)
    for what, target in (("automaton", 20e6), ("exact", None), ("fuzzy", None)):
        yield Figure.of(
            f"running text, {_TEXT_STEPS[what]}",
            Unit.MEGABYTES_PER_SECOND,
            ours.answer[what],
            rival="spaCy's PhraseMatcher",
            theirs=theirs.answer,
            load=ours.load,
            target=target,
        )
    looked = run.once("look-up", "mentions:look_up", index=index)
    for what, target in (("keys", 1e6), ("mentions", None)):
        yield Figure.of(
            f"exact look-ups, {what}",
            Unit.PER_SECOND,
            looked.answer[what],
            rival="a dict of lower-case names",
            theirs=looked.answer["plain"],
            load=looked.load,
            target=target,
        )


def _mentions(run: Run, size: int, limit: float) -> Iterator[Figure]:
    made, index = run.made(f"names-{size}"), run.made(f"index-{size}")
    names, mentions = made / "names.parquet", made / "mentions.json"
    run.once(f"names-{size}", "mentions:make_names", out=made, count=size, mentions=_MENTIONS)
    run.once(f"index-{size}", "mentions:index", names=names, out=index)
    ours = run.once(f"link-{size}", "mentions:link_mentions", index=index, mentions=mentions)
    every = run.once(f"all-{size}", "mentions:compare_with_all", names=names, mentions=mentions)
    fuzzy = run.once(
        f"fuzzywuzzy-{size}",
        "mentions:extract_by_fuzzywuzzy",
        names=names,
        mentions=mentions,
        count=_BY_FUZZYWUZZY,
    )
    rivals = {
        "rapidfuzz process.extractOne": every.answer["seconds"],
        "fuzzywuzzy process.extractOne": fuzzy.answer,
    }
    if size <= _BY_SCISPACY:
        scispacy = run.once(
            f"scispacy-{size}",
            "mentions:generate_by_scispacy",
            names=names,
            mentions=mentions,
            out=run.made(f"scispacy-{size}"),
        )
        rivals["scispaCy CandidateGenerator"] = scispacy.answer
    for rival, theirs in rivals.items():
        yield Figure.of(
            f"a mention, {size:,} names",
            Unit.MILLISECONDS,
            fmean(ours.answer["seconds"].values()),
            rival=rival,
            theirs=theirs,
            load=ours.load,
            target=limit,
        )
    for kind, best in ours.answer["best"].items():
        pairs = list(zip(best, every.answer["best"][kind], strict=True))
        yield Figure.of(
            f"best score as of all {size:,} names, {kind}",
            Unit.SHARE,
            fmean(mine >= other - _EQUAL for mine, other in pairs),
            rival="above the threshold only",
            theirs=fmean(_decides_alike(*pair, ours.answer["threshold"]) for pair in pairs),
            load=ours.load,
            target=0.98,
        )


def _decides_alike(mine: float, other: float, threshold: float) -> bool:
    """Whether both abstain, or both are sure with one score."""
    if max(mine, other) < threshold:
        return True
    return mine >= other - _EQUAL


CHAPTERS: Final[Mapping[str, Callable[[Run], Iterator[Figure]]]] = MappingProxyType(
    {
        each.__name__: each
        for each in (
            table_work,
            merging,
            embedded,
            neo4j,
            queries,
            callers,
            checking,
            embedding,
            command,
            linking,
            answering,
            texts,
            evaluating,
        )
    }
)
"""By name, in the order in which they are measured."""

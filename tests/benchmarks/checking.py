"""What the consistency rules take, and what a differential takes on the graph that they leave."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from tests.benchmarks.figures import Figure, Unit
from tests.benchmarks.measuring import Measured
from tests.benchmarks.neo4j_server import prepare, running
from tests.benchmarks.run import Run

_PATIENTS: Final = 300
_LIMITS: Final = {"symptom.differential": 50e-3, "symptom.best_next_question": 100e-3}
_BOTH: Final = 100e-3


def checking(run: Run) -> Iterator[Figure]:
    """Ask the rules of PrimeKG's shape with the Human Phenotype Ontology, then the differential."""
    made = run.made("hpo-tables")
    run.once("hpo-tables", "table_work:build_with_hpo", file=run.primekg(), out=made)
    tables = made / "tables"
    graph = run.made("hpo-embedded") / "graph.lbug"
    run.once("hpo-embedded", "embedded:load", tables=tables, out=graph.parent)
    prepare()
    run.once("hpo-import", "neo4j_server:import_whole", tables=tables, out=run.made("hpo-import"))
    ours = run.once("rules", "rule_work:ask", graph=graph)
    imported, layer = run.made("hpo-import"), run.made("rules-layer")
    with running(imported) as server:
        theirs = run.once("rules-neo4j", "rule_work:ask", **server)
    whole = run.once("rules-layer", "rule_work:write", graph=graph, tables=tables, out=layer)
    out = run.made("rules-apply")
    applied = run.once("rules-apply", "rule_work:apply", graph=graph, layer=layer, out=out)
    out = run.made("rules-apply-neo4j")
    with running(imported) as server:
        remote = run.once("rules-apply-neo4j", "rule_work:apply", layer=layer, out=out, **server)
    yield from _rules(ours, theirs)
    seconds = sum(ours.answer["seconds"].values())
    for name, took in (
        ("score every symptom", whole.answer["seconds"]["Scoring symptoms"]),
        ("apply the layer, embedded", applied.answer),
        ("apply the layer, Neo4j", remote.answer),
    ):
        yield Figure.of(
            name, Unit.SECONDS, took, rival="the rules, embedded", theirs=seconds, load=whole.load
        )
    yield Figure.of(
        "rules, scores and layer, peak memory",
        Unit.GIGABYTES,
        whole.peak,
        rival="the rules alone",
        theirs=ours.peak,
        load=whole.load,
    )
    yield from _differential(run, tables, run.made("rules-apply") / "graph.lbug")


def _rules(ours: Measured, theirs: Measured) -> Iterator[Figure]:
    seconds, others = (sum(each.answer["seconds"].values()) for each in (ours, theirs))
    name = f"all {len(ours.answer['seconds'])} rules"
    yield Figure.of(
        f"{name}, embedded", Unit.SECONDS, seconds, rival="Neo4j", theirs=others, load=ours.load,
        target=60,
    )  # fmt: skip
    yield Figure.of(
        f"{name}, Neo4j", Unit.SECONDS, others, rival="embedded", theirs=seconds, load=theirs.load,
        target=60,
    )  # fmt: skip
    yield Figure.of(
        f"{name}, peak memory",
        Unit.GIGABYTES,
        ours.peak,
        rival="Neo4j's client",
        theirs=theirs.peak,
        load=ours.load,
        target=2e9,
    )


def _differential(run: Run, tables: Path, graph: Path) -> Iterator[Figure]:
    patients = run.once("patients", "rule_work:some_patients", tables=tables, count=_PATIENTS)
    given = {"patients": patients.answer}
    theirs = run.once("enrich", "rule_work:enrich", **given)
    alone: dict[str, float] = {}
    for query, limit in _LIMITS.items():
        asked = {"query": query, **given}
        for engine, measured in _on_both(run, graph, query, "rule_work:diagnose", asked):
            alone[engine] = alone.get(engine, 0.0) + measured.answer[0]
            yield Figure.of(
                f"{query}, {engine}, p50",
                Unit.MILLISECONDS,
                measured.answer[0],
                rival="PyHPO's enrichment",
                theirs=theirs.answer[0],
                load=measured.load,
                target=limit,
            )
    for engine, measured in _on_both(run, graph, "assess", "rule_work:assess_patients", given):
        yield Figure.of(
            f"both by kg.differential.assess, {engine}, p50",
            Unit.MILLISECONDS,
            measured.answer[0],
            rival="the two queries",
            theirs=alone[engine],
            load=measured.load,
            target=_BOTH,
        )


def _on_both(
    run: Run, graph: Path, name: str, work: str, given: Mapping[str, object]
) -> Iterator[tuple[str, Measured]]:
    """A measurement on each engine."""
    yield "embedded", run.once(name, work, graph=graph, **given)
    with running(run.made("hpo-import")) as server:
        yield "Neo4j", run.once(f"{name}-neo4j", work, **given, **server)

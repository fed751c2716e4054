"""Patients with a rare disease, drawn from the annotations of the Human Phenotype Ontology.

Of a disease with at least three findings a patient has each with the frequency that is stated for
it (one half where none is), six at most. Then, as in a clinic, three in ten are only named by what
they are a kind of, and two more findings have nothing to do with the disease.
"""

import csv
import random
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import duckdb

from kg.discrimination.graph import parents_of
from kg.stores.disk import sql_path
from kg.stores.store import Store
from tests.experiments.diagnosis.cases import Case

SOURCE: Final = "simulated rare"
PATIENTS: Final = 600
_SEED: Final = 17
_LEAST, _MOST = 3, 6
_VAGUE: Final = 0.3
_UNRELATED: Final = 2
_ROOT: Final = "HP:0000118"
_CLASSES: Final = {
    "HP:0040280": 1.0,
    "HP:0040281": 0.895,
    "HP:0040282": 0.545,
    "HP:0040283": 0.17,
    "HP:0040284": 0.025,
    "HP:0040285": 0.0,
}
"""The middle of what HPO's terms of frequency mean."""


def patients(store: Store, home: Path, data: Path) -> Iterator[Case]:
    """Each of another disease; every other one is held out.

    Args:
        store: the graph of ``home``.
        home: of the build, whose merges say which node a disease became.
        data: the public data.
    """
    draw = random.Random(_SEED)  # noqa: S311 - the same patients every time
    diseases = _annotations(data / "hpo" / "phenotype.hpoa")
    known = {str(tail) for _, tail, *_ in store.query("graph.symptom_edges").rows}
    parents = parents_of(store, "Symptom")
    every = sorted({finding for told in diseases.values() for finding in told} & known)
    nodes = _nodes(home)
    ids = sorted(diseases)
    draw.shuffle(ids)
    made = 0
    for disease in ids:
        has = [f for f, often in sorted(diseases[disease].items()) if draw.random() < often]
        has = [finding for finding in has if finding in known]
        draw.shuffle(has)
        if len(has) < _LEAST or made == PATIENTS:
            continue
        named = [_vaguely(finding, parents, draw) for finding in has[:_MOST]]
        present = dict.fromkeys([*named, *draw.sample(every, _UNRELATED)])
        golds = frozenset({nodes.get(disease, disease)})
        yield Case(SOURCE, disease, golds, tuple(present), (), chosen=made % 2 == 0)
        made += 1


def _vaguely(finding: str, parents: Mapping[str, list[str]], draw: random.Random) -> str:
    above = sorted(up for up in parents.get(finding, ()) if up.startswith("HP:") and up != _ROOT)
    return draw.choice(above) if draw.random() < _VAGUE and above else finding


def _annotations(file: Path) -> Mapping[str, dict[str, float]]:
    """By disease, how often its findings are seen."""
    found: dict[str, dict[str, float]] = {}
    with file.open(encoding="utf-8") as lines:
        told = (line for line in lines if not line.startswith("#"))
        for row in csv.DictReader(told, delimiter="\t", quoting=csv.QUOTE_NONE):
            if row["aspect"] == "P" and row["qualifier"] != "NOT":
                often = found.setdefault(row["database_id"], {})
                often.setdefault(row["hpo_id"], _frequency(row["frequency"]))
    return {
        disease: told
        for disease, told in found.items()
        if sum(often > 0 for often in told.values()) >= _LEAST
    }


def _frequency(text: str) -> float:
    if text.endswith("%"):
        return float(text[:-1]) / 100
    seen, slash, examined = text.partition("/")
    if slash:
        return int(seen) / max(int(examined), 1)
    return _CLASSES.get(text, 0.5)


def _nodes(home: Path) -> Mapping[str, str]:
    with duckdb.connect() as db:
        merged = f"select id, node from read_parquet({sql_path(home / 'merges.parquet')})"  # noqa: S608 - a path
        return dict(db.execute(f"{merged} where id is not null").fetchall())

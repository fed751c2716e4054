"""Every portable query on both engines, over a graph that is big enough for sums to differ."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pyarrow.parquet as pq
import pytest

from cypher import Query
from kg.tables import EDGE_COLUMNS, NODE_COLUMNS, GraphTables, TableSummary, arrow_table
from kg.vocabulary import NODE_TYPES, RELATION_TYPES
from tests.cypher.agreement import FINDINGS, OF_RECORDS, PORTABLE, Arguments, compare
from tests.cypher.conftest import Pair, PairOf

SEED = 20261122
SCORING = [q for q in PORTABLE if {"present", "absent"} <= {p.name for p in q.parameters}]
OTHERS = [q for q in PORTABLE if q not in SCORING]


@pytest.fixture(scope="module")
def pair(pair_of: PairOf, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    folder = tmp_path_factory.mktemp("agreement")
    tables = write_random_graph(folder / "tables", Random(SEED))  # noqa: S311 - no secret
    with pair_of(tables, folder) as both:
        yield both


@pytest.fixture(scope="module")
def arguments(pair: Pair) -> Arguments:
    return Arguments(pair.tables, SEED)


@pytest.mark.neo4j
@pytest.mark.parametrize("query", SCORING, ids=lambda query: query.name)
def test_scores_of_1_to_60_findings_are_the_same_bits_on_both_engines(
    query: Query, pair: Pair, arguments: Arguments
) -> None:
    found = compare(query, pair.embedded, pair.neo4j, arguments, 2 * len(FINDINGS))
    assert (found.differing, found.too_large) == ((), 0)
    assert found.with_rows > found.sets / 2


@pytest.mark.neo4j
@pytest.mark.parametrize("query", OTHERS, ids=lambda query: query.name)
def test_both_engines_give_the_same_rows_for_arguments_that_give_some(
    query: Query, pair: Pair, arguments: Arguments
) -> None:
    found = compare(query, pair.embedded, pair.neo4j, arguments, 8)
    assert (found.differing, found.too_large) == ((), 0)
    # what a rule looks for is mostly in names, and runs are in layers; their own tests have graphs
    # with such
    assert found.with_rows or query.severity or OF_RECORDS.search(query.text)


def write_random_graph(folder: Path, random: Random) -> GraphTables:
    """Every type and relation: 300 diseases of 200 findings, 12 things of the other types."""
    many = {"Disease": 300, "Symptom": 200}
    ids = {
        type_: [f"MEDKG:{type_}.{n:03}" for n in range(many.get(type_, 12))]
        for type_ in sorted(NODE_TYPES)
    }
    nodes = [_node(id_, type_, random) for type_ in ids for id_ in ids[type_]]
    edges = {relation: _edges(relation, ids, random) for relation in sorted(RELATION_TYPES)}
    # what a drug is for and causes as well
    of_both = {(row["head"], row["tail"]) for row in edges["HAS_ADVERSE_REACTION"]}
    edges["HAS_ADVERSE_REACTION"] += [
        {**row, "original_relation": "has_adverse_reaction"}
        for row in edges["INDICATED_FOR"][:5]
        if (row["head"], row["tail"]) not in of_both
    ]
    edges["HAS_ADVERSE_REACTION"].sort(key=lambda row: (str(row["head"]), str(row["tail"])))
    (folder / "edges").mkdir(parents=True)
    tables = GraphTables(folder)
    nodes.sort(key=lambda row: str(row["id"]))
    pq.write_table(arrow_table(NODE_COLUMNS, nodes), tables.nodes)
    for relation, rows in edges.items():
        pq.write_table(arrow_table(EDGE_COLUMNS, rows), tables.edges(relation))
    tables.write_summary(
        TableSummary(
            name="medkg",
            checksum=f"random {SEED}",
            nodes={type_: len(found) for type_, found in ids.items()},
            edges={relation: len(rows) for relation, rows in edges.items()},
            made_by="tests/cypher/test_agreement.py",
        )
    )
    return tables


def _node(id_: str, type_: str, random: Random) -> dict[str, object]:
    name = id_.removeprefix("MEDKG:").lower()
    sources = [f"source {n}" for n in range(random.randint(1, 7))]
    row: dict[str, object] = {"id": id_, "type": type_, "name": name, "normal_names": [name]}
    row |= {"sources": sources, "name_zh": f"名{id_[-3:]}" if random.random() < 0.5 else None}
    row |= {"layer": "other" if random.random() < 0.1 else None}
    row |= {"xrefs": [f"LOCAL:{name}", f"LOCAL:{id_[-2:]}"]}
    row |= {"lay_names": [f"lay {name}"] if id_.endswith(("1", "4")) else []}
    return row | ({"cui": f"C0000{id_[-3:]}"} if type_ == "Concept" else {})


def _edges(relation: str, ids: dict[str, list[str]], random: Random) -> list[dict[str, object]]:
    of = RELATION_TYPES[relation]
    domain, range_ = sorted(of.domain), sorted(of.range)
    found: dict[tuple[str, str], dict[str, object]] = {}
    for _ in range({"HAS_SYMPTOM": 3000, "IS_A": 500}.get(relation, 40)):
        type_ = random.choice(domain)
        if relation in {"HAS_SYMPTOM", "IS_A"}:
            type_ = random.choice([t for t in ("Disease", "Symptom") if t in domain])
        other = type_ if of.same_type or relation == "IS_A" else random.choice(range_)
        if relation == "HAS_SYMPTOM":
            other = "Symptom" if random.random() < 0.95 else other
        head, tail = random.choice(ids[type_]), random.choice(ids[other])
        if relation == "IS_A":  # few ways up: each way is a row of *1..30
            at = random.randrange(1, len(ids[type_]))
            head, tail = ids[type_][at], ids[type_][at // random.choice((3, 3, 3, 2))]
        elif of.symmetric:
            head, tail = sorted((head, tail))
        if head != tail:
            found[head, tail] = _edge(head, tail, relation, random)
    return [found[ends] for ends in sorted(found)]


def _edge(head: str, tail: str, relation: str, random: Random) -> dict[str, object]:
    row: dict[str, object] = {"head": head, "tail": tail, "sources": ["source 1"]}
    row |= {"original_relation": relation.lower()}
    if relation == "PREDICTED":
        return row | {"original_relation": "TREATED_BY", "score": random.random(), "method": "m"}
    if relation != "HAS_SYMPTOM":
        return row
    sex, onset = random.choice((None, None, "MALE", "FEMALE")), random.choice((None, "HP:0003621"))
    frequency = random.choice((None, 0.0, 0.025, 0.17, 0.55, 0.895, random.random(), 1.0))
    likelihood = (
        None if random.random() < 0.3 else (frequency or 0.3) * 10 / random.randint(11, 60)
    )
    row |= {"frequency": frequency, "likelihood": likelihood, "sex": sex, "onset": onset}
    return row | {"discrimination": random.random()}

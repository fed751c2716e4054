"""Every portable query on both engines, over a graph that is big enough for sums to differ."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pyarrow.parquet as pq
import pytest

import kg
from cypher import Query
from cypher.statement import Item, Statement
from cypher.tokens import closing
from kg.configuration import Settings
from kg.stores.store import Store
from kg.tables import EDGE_COLUMNS, NODE_COLUMNS, GraphTables, TableSummary, arrow_table
from kg.vocabulary import NODE_TYPES, RELATION_TYPES
from tests.cypher.agreement import FINDINGS, PORTABLE, Arguments, compare

SEED = 20261122
SCORING = [q for q in PORTABLE if {"present", "absent"} <= {p.name for p in q.parameters}]
OTHERS = [q for q in PORTABLE if q not in SCORING]


@dataclass(frozen=True)
class Pair:
    """One graph in both engines."""

    tables: GraphTables
    embedded: Store
    neo4j: Store


@pytest.fixture(scope="module")
def pair(
    fill: Callable[[Store, GraphTables], None],
    neo4j_credentials: Settings,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Pair]:
    folder = tmp_path_factory.mktemp("agreement")
    tables = write_random_graph(folder / "tables", Random(SEED))  # noqa: S311 - no secret
    with (
        kg.connect(str(folder / "graph.lbug")) as embedded,
        kg.connect(None, neo4j_credentials) as neo4j,
    ):
        for store in (embedded, neo4j):
            fill(store, tables)
        yield Pair(tables, embedded, neo4j)


@pytest.mark.neo4j
@pytest.mark.parametrize("query", SCORING, ids=lambda query: query.name)
def test_scores_of_1_to_60_findings_are_the_same_bits_on_both_engines(
    query: Query, pair: Pair
) -> None:
    found = compare(
        query, pair.embedded, pair.neo4j, Arguments(pair.tables, SEED), 2 * len(FINDINGS)
    )
    assert found.differing == ()
    assert found.with_rows > found.sets / 2


@pytest.mark.neo4j
@pytest.mark.parametrize("query", OTHERS, ids=lambda query: query.name)
def test_both_engines_give_the_same_rows_for_arguments_that_give_some(
    query: Query, pair: Pair
) -> None:
    found = compare(query, pair.embedded, pair.neo4j, Arguments(pair.tables, SEED), 8)
    assert found.differing == ()
    # what a rule looks for is mostly in names; its own tests have graphs with such
    assert found.with_rows or query.severity


@pytest.mark.parametrize("query", PORTABLE, ids=lambda query: query.name)
def test_what_is_summed_is_whole_and_what_is_ordered_is_rounded(query: Query) -> None:
    statement = Statement(query.text)
    assert [name for name in _sums(statement) if not _is_whole(statement, name)] == []
    assert [name for name in _order_keys(statement) if _is_computed(statement, name)] == []


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("MATCH (a) RETURN sum(a.frequency) AS x ORDER BY x", False),
        ("MATCH (a) RETURN avg(a.frequency) AS x ORDER BY x", False),
        ("MATCH (a) WITH a.score * 0.5 AS x RETURN sum(x) AS y", False),
        ("MATCH (a) WITH floor(a.score * 8.0 + 0.5) AS x RETURN sum(x) AS y", True),
        ("MATCH (a) RETURN sum(floor(a.score) + a.weight) AS y", False),
        ("MATCH (a) RETURN sum(CASE WHEN a.frequency > 0.5 THEN 1 ELSE 0 END) AS x", True),
        ("MATCH (a) RETURN sum(CASE WHEN a.id = 'x' THEN 1.0 ELSE 0.5 END) AS x", False),
        ("MATCH (a) RETURN log10(a.score) AS x, a.id AS i ORDER BY x DESC, i LIMIT 3", False),
        ("MATCH (a) RETURN floor(log10(a.score) * 8.0) / 8.0 AS x ORDER BY x", True),
        ("MATCH (a) RETURN floor(a.score) / 8.0 + a.weight AS x ORDER BY x", False),
    ],
)
def test_sum_or_order_of_fractions_is_found(text: str, fits: bool) -> None:
    s = Statement(text)
    found = [name for name in _sums(s) if not _is_whole(s, name)]
    assert fits == (not found and not any(_is_computed(s, name) for name in _order_keys(s)))


def _sums(s: Statement) -> list[tuple[int, int]]:
    """Where what each sum() and avg() adds begins and ends."""
    calls = (at for at, t in enumerate(s.stream) if t.text.lower() in {"sum", "avg"})
    return [(at + 2, closing(s.stream, at + 1)) for at in calls if s.is_call(at)]


def _is_whole(s: Statement, place: tuple[int, int]) -> bool:
    """floor(...), CASE with whole numbers alone, or a name that stands for one of them."""
    start, end = place
    if s.token(start - 2).text.lower() == "avg":
        return False
    if s.token(start).text.lower() == "floor":
        return closing(s.stream, start + 1) == end - 1
    if s.token(start).upper == "CASE":
        before = (s.token(at - 1).upper for at in range(start, end))
        given = [s.token(start + n).text for n, w in enumerate(before) if w in {"THEN", "ELSE"}]
        return all(text.isdigit() for text in given)
    items = _items_called(s, s.token(start).text) if end == start + 1 else []
    return any(_is_whole(s, (item.start, item.end)) for item in items)


def _order_keys(s: Statement) -> list[str]:
    return [
        name.removesuffix(" desc")
        for clause in s.clauses
        if clause.keyword == "ORDER"
        for name, _ in s.keys(clause)
    ]


def _is_computed(s: Statement, name: str) -> bool:
    """Whether a name stands for arithmetic that is not rounded at its end."""
    return any(_is_fraction(s, item) for item in _items_called(s, name))


def _is_fraction(s: Statement, item: Item) -> bool:
    end = item.end
    if s.token(item.start).text.lower() == "floor":
        closed = closing(s.stream, item.start + 1)
        scaled = s.token(closed + 1).text == "/" and closed + 3 == end
        return closed + 1 != end and not scaled
    used = {
        s.token(at).text.lower() for at in range(item.start, end) if s.token(at - 1).text != "("
    }
    return bool(used & {"*", "/", "^", "log10", "sqrt", "round", "avg"})


def _items_called(s: Statement, name: str) -> list[Item]:
    return [
        item
        for clause in s.clauses
        if clause.keyword in {"WITH", "RETURN"}
        for item in s.items(clause)
        if item.named and item.alias == name
    ]


def write_random_graph(folder: Path, random: Random) -> GraphTables:
    """Every type and relation: 300 diseases of 200 findings, 12 things of the other types."""
    many = {"Disease": 300, "Symptom": 200}
    ids = {
        type_: [f"MEDKG:{type_}.{n:03}" for n in range(many.get(type_, 12))]
        for type_ in sorted(NODE_TYPES)
    }
    nodes = [_node(id_, type_, random) for type_ in ids for id_ in ids[type_]]
    edges = {relation: _edges(relation, ids, random) for relation in sorted(RELATION_TYPES)}
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

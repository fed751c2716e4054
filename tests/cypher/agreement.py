"""Whether both engines answer the whole catalogue alike on a graph, and how often with rows.

``python -m tests.cypher.agreement TABLES`` loads the graph tables into a Neo4j of its own (from
Docker or Maven artifacts) and into a file, asks every portable query with arguments drawn from the
graph, and lists for each query the argument sets, those that gave rows, those that differ and those
for which an engine had not the time or memory. It ends with 1 if any differs.
``MEDKG_TEST_NEO4J_URI`` and ``MEDKG_TEST_NEO4J_PASSWORD`` name a server instead; **what it holds is
lost**, but where it holds this graph with these layers already.
"""

import json
import os
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

import click
import duckdb
import pyarrow.parquet as pq

import kg
from cypher import Parameter, Query, load_catalogue
from cypher.parser import parse
from cypher.syntax import RelationshipPattern, parts
from kg.configuration import Settings
from kg.errors import QueryTooLargeError
from kg.records import RECORD_TYPES
from kg.stores.planning import Change
from kg.stores.store import Rows, Stamp, Store, Value
from kg.tables import GraphTables
from kg.vocabulary import NODE_TYPES, RELATION_TYPES
from tests.local_server import local_server

OF_RECORDS: Final = re.compile(rf":(?:{'|'.join(RECORD_TYPES)})\b")
"""A pattern of records in a query: they are in layers, and no graph of a test here has any."""
PORTABLE: Final = tuple(query for query in load_catalogue() if len(query.engines) == 2)
FINDINGS: Final = (1, 5, 15, 30, 60)
"""Sizes of lists of findings: what is summed over many shows the order of summation."""

_ODD: Final = ("", "'", "MONDO:0", "发热", "\U0001f9ec", "a) DETACH DELETE n //", "HP:0001945 ")
_POOL: Final = 5000
_OF_A_NAME: Final[Mapping[str, tuple[Value, ...]]] = {
    "limit": (1, 2, 7, 25, 200),
    "most": (1, 7, 200),
    "age": (-1.0, 0.5, 4.0, 15.0, 39.0, 59.0, 60.0),
    "sex": ("unknown", "male", "female"),
    "prior": ("prevalence", "none"),
    "layer": ("check", "cui", "predictions"),
}


@dataclass(frozen=True)
class Agreement:
    """What one query was asked on both engines."""

    query: str
    sets: int
    with_rows: int
    differing: tuple[Mapping[str, Value], ...]
    """Arguments of which the rows are not the same."""
    too_large: int = 0
    """Sets for which an engine ran out of time or memory."""


class Arguments:
    """Draws arguments from a graph, mostly such that there are rows; the same for a seed.

    Args:
        tables: the graph.
        seed: of all draws.
    """

    def __init__(self, tables: GraphTables, seed: int) -> None:
        self._seed = seed
        columns = ["id", "type", "normal_names", "xrefs"]
        nodes = pq.read_table(tables.nodes, columns=columns).to_pydict()
        self._types: dict[str, str] = dict(zip(nodes["id"], nodes["type"], strict=True))
        self._names = [name for names in nodes["normal_names"] for name in names[:1]]
        self._xrefs = [xref for xrefs in nodes["xrefs"] for xref in (xrefs or ())[:1]]
        self._edges = {
            relation: _some_edges(tables.edges(relation))
            for relation in sorted(RELATION_TYPES)
            if tables.edges(relation).is_file()
        }
        self._findings: dict[str, list[str]] = {}
        for head, tail in self._edges.get("HAS_SYMPTOM", ()):
            self._findings.setdefault(head, []).append(tail)
        self._different = len({tail for _, tail in self._edges.get("HAS_SYMPTOM", ())})

    def draw(self, query: Query, number: int) -> dict[str, Value]:
        """The arguments of one question, the ``number``-th of the query."""
        random = Random(f"{self._seed} {query.name} {number}")  # noqa: S311 - a sample, no secret
        patterns = (
            p for p in parts(parse(query.text).clauses) if isinstance(p, RelationshipPattern)
        )
        asked = {type_ for pattern in patterns for type_ in pattern.types}
        relation = random.choice(sorted(asked & {*self._edges}) or sorted(self._edges))
        head, tail = random.choice(self._edges[relation])
        at = _Drawn(relation, head, tail, self._other(random, relation, head, tail))
        return {p.name: self._value(p, random, at, number) for p in query.parameters}

    def _other(self, random: Random, relation: str, head: str, tail: str) -> str:
        """What shares an end with the edge: another head of the tail, another tail of the head."""
        edges = self._edges[relation]
        heads = [one for one, end in edges if end == tail and one != head]
        tails = [end for one, end in edges if one == head and end != tail]
        return random.choice(heads + tails or [tail])

    def _value(self, parameter: Parameter, random: Random, at: "_Drawn", number: int) -> Value:
        name, several = parameter.name, parameter.type == "list of string"
        if name in _OF_A_NAME:
            return random.choice(_OF_A_NAME[name])
        if name in {"present", "absent"}:
            size = FINDINGS[number % len(FINDINGS)]
            return self._patient(
                random, size if name == "present" else random.choice((0, 1, size))
            )
        if name in {"relations", "outgoing", "incoming", "entity_types"}:
            kinds = sorted(NODE_TYPES if name == "entity_types" else self._edges)
            return random.sample(kinds, random.randint(1, len(kinds)))
        if name in {"names", "text", "xrefs"}:
            known = self._xrefs if name == "xrefs" else self._names
            drawn = [
                random.choice((*_ODD, *random.sample(known, min(len(known), 3)))) for _ in range(3)
            ]
            return drawn if several else drawn[0][1:4]
        if random.random() < 0.06:
            odd = random.choice(_ODD)
            return [odd] if several else odd
        return self._several(name, random, at) if several else self._one(name, random, at)

    def _one(self, name: str, random: Random, at: "_Drawn") -> str:
        type_ = self._types[random.choice((at.head, at.tail))]
        said = {"relation": at.relation, "entity_type": type_, "other": at.other}
        said |= {"head": at.head, "one": at.head, "tail": at.tail}
        wanted = [end for end in (at.head, at.tail) if self._types[end] == name.capitalize()]
        return said.get(name) or random.choice(wanted or [at.head, at.tail])

    def _several(self, name: str, random: Random, at: "_Drawn") -> list[str]:
        if name in {"diseases", "among"}:
            chosen = random.sample(sorted(self._findings), min(len(self._findings), 15))
            return chosen if name == "diseases" or random.random() < 0.2 else []
        ends = [end for edges in self._edges.values() for end in random.choice(edges)]
        return [at.head, at.tail, *random.sample(ends, random.randint(0, min(len(ends), 8)))]

    def _patient(self, random: Random, size: int) -> list[str]:
        """Findings of one disease, and any others up to the size."""
        if not size:
            return []
        own = self._findings[random.choice(sorted(self._findings))]
        found = dict.fromkeys(random.sample(own, min(len(own), size)))
        while len(found) < min(size, self._different):
            found[random.choice(self._edges["HAS_SYMPTOM"])[1]] = None
        return list(found)


@dataclass(frozen=True)
class _Drawn:
    """An edge, and another end of it or of one like it."""

    relation: str
    head: str
    tail: str
    other: str


def _some_edges(file: Path) -> list[tuple[str, str]]:
    with duckdb.connect() as db:
        db.execute("SET threads = 1")
        return db.execute(
            "SELECT head, tail FROM read_parquet(?) ORDER BY md5(head || ' ' || tail) LIMIT ?",
            [str(file), _POOL],
        ).fetchall()


def compare(
    query: Query, embedded: Store, neo4j: Store, arguments: Arguments, sets: int
) -> Agreement:
    """Ask both engines; a query without parameters once.

    Raises:
        StoreError: an engine failed, also where the other one answered.
    """
    differing, with_rows, too_large, asked = [], 0, 0, sets if query.parameters else 1
    for number in range(asked):
        given = arguments.draw(query, number)
        try:
            first, second = (store.query(query.name, **given) for store in (embedded, neo4j))
        except QueryTooLargeError:
            too_large += 1
            continue
        with_rows += bool(first.rows)
        if _bits(first) != _bits(second):
            differing.append(given)
    return Agreement(query.name, asked, with_rows, tuple(differing), too_large)


def _bits(rows: Rows) -> str:
    """As text, so that -0.0 is not 0.0, and 1 is not 1.0."""
    return repr((rows.columns, rows.rows))


@contextmanager
def _server() -> Iterator[Settings]:
    """Settings of a Neo4j that may be filled."""
    if uri := os.environ.get("MEDKG_TEST_NEO4J_URI"):
        password = os.environ.get("MEDKG_TEST_NEO4J_PASSWORD", "")
        yield Settings(neo4j_uri=uri, neo4j_username="neo4j", neo4j_password=password)
        return
    with (
        tempfile.TemporaryDirectory() as folder,
        local_server(Path(folder) / "neo4j") as settings,
    ):
        yield settings


def _fill(store: Store, tables: GraphTables, layers: Sequence[GraphTables]) -> None:
    names = tuple(layer.summary().name for layer in layers)
    stamp = store.stamp()
    if stamp and stamp.checksum == tables.summary().checksum and store.applied_layers() == names:
        return
    if stamp != Stamp(tables.summary().checksum):
        store.load(tables)
        store.indexes()
    store.change_layers(Change(layers))


@click.command()
@click.argument("tables", type=click.Path(exists=True, path_type=Path))
@click.option("--layer", "layers", multiple=True, type=click.Path(exists=True, path_type=Path))
@click.option("--sets", default=45, help="Argument sets for each query with parameters.")
@click.option("--seed", default=0, help="Of the arguments.")
@click.option("--only", multiple=True, help="Names of queries; all by default.")
def main(tables: Path, layers: Sequence[Path], sets: int, seed: int, only: Sequence[str]) -> None:
    """Compare both engines over the graph TABLES; a table to stdout, 1 if any answer differs."""
    graph, added = GraphTables(tables), [GraphTables(folder) for folder in layers]
    queries = [query for query in PORTABLE if not only or query.name in only]
    arguments, found = Arguments(graph, seed), []
    with (
        tempfile.TemporaryDirectory() as folder,
        _server() as settings,
        kg.connect(str(Path(folder) / "graph.lbug")) as embedded,
        kg.connect(None, settings) as neo4j,
    ):
        for store in (embedded, neo4j):
            _fill(store, graph, added)
        click.echo("query\tsets\twith rows\tdiffering\ttoo large")
        for query in queries:
            one = compare(query, embedded, neo4j, arguments, sets)
            found.append(one)
            cells = (one.query, one.sets, one.with_rows, len(one.differing), one.too_large)
            click.echo("\t".join(map(str, cells)))
            for given in one.differing:
                click.echo(json.dumps(given, ensure_ascii=False), err=True)
    differing = sum(len(one.differing) for one in found)
    asked, answered = sum(one.sets for one in found), sum(one.with_rows for one in found)
    too_large = sum(one.too_large for one in found)
    click.echo(f"{len(found)} queries\t{asked}\t{answered}\t{differing}\t{too_large}")
    sys.exit(bool(differing))


if __name__ == "__main__":
    main()

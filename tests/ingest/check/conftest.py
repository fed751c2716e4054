"""A store of each engine, and rules of a few lines."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cypher import read_query
from ingest.check.rules import Rule, as_rule
from kg.configuration import Settings
from kg.stores.connection import connect
from kg.stores.store import Store
from tests.kg.stores.conftest import write_tables

RULE = """// Names that are {word}. Here is more on it.
// rule   {severity}
// column head: string, relation: string, tail: string, reason: string, facts: string
// order  head, relation, tail
MATCH (a:Entity)-[r]->(b:Entity)
WHERE {where}
RETURN a.id AS head, type(r) AS relation, b.id AS tail, '{word}' AS reason, b.name AS facts
ORDER BY head, relation, tail
"""

MakeRule = Callable[..., Rule]


@pytest.fixture
def make_rule(tmp_path: Path) -> MakeRule:
    """Writes a rule into the folder ``rules`` and reads it."""

    def make(name: str, where: str, severity: str = "reject") -> Rule:
        folder = tmp_path / "rules"
        folder.mkdir(exist_ok=True)
        path = folder / f"{name}.cypher"
        path.write_text(RULE.format(word=name, where=where, severity=severity), encoding="utf-8")
        return as_rule(read_query(path, folder))

    return make


@pytest.fixture(params=["embedded", pytest.param("neo4j", marks=pytest.mark.neo4j)])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """An empty store of either engine."""
    if request.param == "neo4j":
        settings: Settings = request.getfixturevalue("neo4j_settings")
        opened = connect(settings=settings)
    else:
        opened = connect(str(tmp_path / "graph.lbug"))
    with opened:
        opened.load(write_tables(tmp_path / "empty", nodes=(), edges=(), checksum="empty"))
        yield opened

"""Both engines with the graph of a scenario."""

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from cypher import rewrite
from kg.configuration import Settings
from kg.errors import MedKGError
from kg.stores.answers import plain_rows
from kg.stores.graph_file import GraphFile
from kg.stores.neo4j_errors import Address
from kg.stores.neo4j_session import Neo4jDatabase
from tests.cypher.tck.graphs import CannotHoldError, Edge, Graph, Node, held
from tests.cypher.tck.scenarios import Cell, Scenario

SECONDS: Final = 10.0
_MACROS: Final = (
    "CREATE MACRO type(r) AS label(r)",
    "CREATE MACRO toFloat(x) AS CAST(x AS DOUBLE)",
)

Answer = Sequence[Sequence[Cell]] | str
"""Rows, or an error's message."""


def _answer(ask: Callable[[], Sequence[Sequence[object]]]) -> Answer:
    try:
        return plain_rows(ask())
    except (MedKGError, TypeError) as e:  # a type: a whole node, which no query of medkg returns
        return str(e)


class Engines:
    """A file of the embedded engine, and a Neo4j whose content is lost."""

    def __init__(self, folder: Path, neo4j: Neo4jDatabase) -> None:
        self._folder = folder
        self._neo4j = neo4j
        self._file: GraphFile | None = None
        self._holds: Graph | None = None
        self._made: dict[tuple[str, ...], tuple[Sequence[Node], Sequence[Edge]]] = {}

    def graph(self, scenario: Scenario) -> Graph:
        """What a scenario's statements make, in medkg's form.

        Raises:
            CannotHoldError: it has no place for it, or Neo4j refuses the statements.
        """
        if scenario.setup not in self._made:
            self._made[scenario.setup] = self._make(scenario.setup)
        nodes, edges = self._made[scenario.setup]
        return held(nodes, edges, scenario.query)

    def _make(self, setup: Sequence[str]) -> tuple[Sequence[Node], Sequence[Edge]]:
        """Nodes and relationships as Neo4j makes them."""
        if not setup:
            return [], []
        self._clear()
        try:
            for text in setup:
                self._neo4j.run(text)
        except MedKGError as e:
            raise CannotHoldError("Neo4j refuses the statements that make it") from e
        nodes: Any = self._neo4j.read(
            "MATCH (n) RETURN id(n), labels(n), properties(n) ORDER BY id(n)"
        )[1]
        edges: Any = self._neo4j.read(
            "MATCH (a)-[r]->(b) RETURN id(a), type(r), id(b), properties(r) ORDER BY id(r)"
        )[1]
        return nodes, edges

    def answers(
        self, text: str, arguments: Mapping[str, Cell], graph: Graph
    ) -> tuple[Answer, Answer]:
        """What the embedded engine and Neo4j say to a statement, rewritten as medkg does.

        Raises:
            QueryError: a label stands where medkg takes none.
        """
        rewritten = rewrite(text, graph.labels)
        self._fill(graph)
        assert self._file is not None
        embedded, given = self._file, dict(arguments)
        return (
            _answer(lambda: embedded.rows(rewritten, given, SECONDS)[1]),
            _answer(lambda: self._neo4j.read(rewritten, given, SECONDS)[1]),
        )

    def _fill(self, graph: Graph) -> None:
        if graph == self._holds:
            return
        self.close()
        self._clear()
        shutil.rmtree(self._folder, ignore_errors=True)
        self._folder.mkdir(parents=True)
        self._file = GraphFile(self._folder / "graph.lbug", write=True, timeout=SECONDS)
        for text in (*graph.tables(), *_MACROS):
            self._file.run(text)
        for text, arguments in graph.inserts():
            self._file.run(text, arguments)
            self._neo4j.run(text, arguments)
        self._holds = graph

    def _clear(self) -> None:
        self._neo4j.run("MATCH (n) DETACH DELETE n")
        self._holds = None

    def close(self) -> None:
        """Close the file."""
        if self._file:
            self._file.close()
        self._file = None
        self._holds = None


@contextmanager
def engines(folder: Path, settings: Settings) -> Iterator[Engines]:
    """Both engines, to be filled with one graph after the other."""
    address = Address(str(settings.neo4j_uri), settings.neo4j_username, "neo4j")
    neo4j = Neo4jDatabase(address, settings.neo4j_password)
    pair = Engines(folder, neo4j)
    try:
        yield pair
    finally:
        pair.close()
        neo4j.close()

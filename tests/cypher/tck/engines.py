"""Both engines with the graph of a scenario."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context
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


def _embedded(file: Path, text: str, arguments: Mapping[str, Cell]) -> Answer:
    with GraphFile(file, timeout=SECONDS) as graph:
        return _answer(lambda: graph.rows(text, arguments)[1])


class Engines:
    """Files of the embedded engine, and a Neo4j whose content is lost.

    The embedded engine answers in a process of its own: some statements outside the subset end it.
    """

    def __init__(self, folder: Path, neo4j: Neo4jDatabase) -> None:
        self._folder = folder
        self._neo4j = neo4j
        self._file = folder / "0.lbug"
        self._fills = 0
        self._process: ProcessPoolExecutor | None = None
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
        given = dict(arguments)
        neo4j = _answer(lambda: self._neo4j.read(rewritten, given, SECONDS)[1])
        return self._ask_embedded(rewritten, given), neo4j

    def _ask_embedded(self, text: str, arguments: Mapping[str, Cell]) -> Answer:
        if self._process is None:
            self._process = ProcessPoolExecutor(1, get_context("spawn"))
        try:
            return self._process.submit(_embedded, self._file, text, arguments).result()
        except BrokenProcessPool:
            self.close()
            return "the engine ended its process"

    def _fill(self, graph: Graph) -> None:
        if graph == self._holds:
            return
        self._clear()
        self._fills += 1
        self._file.unlink(missing_ok=True)
        self._file = self._folder / f"{self._fills}.lbug"
        with GraphFile(self._file, write=True) as file:
            for text in (*graph.tables(), *_MACROS):
                file.run(text)
            for text, arguments in graph.inserts():
                file.run(text, arguments)
                self._neo4j.run(text, arguments)
        self._holds = graph

    def _clear(self) -> None:
        self._neo4j.run("MATCH (n) DETACH DELETE n")
        self._holds = None

    def close(self) -> None:
        """End the process."""
        if self._process:
            self._process.shutdown()
        self._process = None


@contextmanager
def engines(folder: Path, settings: Settings) -> Iterator[Engines]:
    """Both engines, to be filled with one graph after the other.

    Args:
        folder: for the embedded engine's files.
        settings: of the Neo4j.
    """
    address = Address(str(settings.neo4j_uri), settings.neo4j_username, "neo4j")
    neo4j = Neo4jDatabase(address, settings.neo4j_password)
    pair = Engines(folder, neo4j)
    try:
        yield pair
    finally:
        pair.close()
        neo4j.close()

"""The embedded store, and its engine without it."""

from pathlib import Path
from time import perf_counter
from typing import Final

import ladybug
import pyarrow.parquet as pq

from cypher import load_catalogue, rewrite
from kg.stores.embedded import EmbeddedStore
from kg.stores.graph_file import MEMORY, GraphFile
from kg.stores.schema import create_schema
from kg.tables import GraphTables
from kg.vocabulary import NODE_TYPES
from tests.benchmarks.latency import QUERY, percentiles

_MERGE: Final = (
    "MATCH (a:Entity {id: $head}) MATCH (b:Entity {id: $tail}) "
    "MERGE (a)-[r:INTERACTS_WITH]->(b) SET r.sources = $sources"
)


def load(tables: str, out: str) -> int:
    """Load and verify as 'medkg build' does; how many edges."""
    with EmbeddedStore(Path(out) / "graph.lbug") as store:
        return sum(store.load(GraphTables(Path(tables))).edges.values())


def merge_one_by_one(tables: str, out: str, edges: int) -> float:
    """Edges a second with a MERGE for each, the nodes being there."""
    source = GraphTables(Path(tables))
    table = pq.read_table(source.edges("INTERACTS_WITH"), columns=["head", "tail", "sources"])
    rows = table.slice(0, edges).to_pylist()
    Path(out).mkdir()
    with GraphFile(Path(out) / "graph.lbug", write=True) as file:
        create_schema(file)
        file.copy_in("Entity", source.nodes)
        begun = perf_counter()
        for row in rows:
            file.run(_MERGE, row)
        return len(rows) / (perf_counter() - begun)


def ask(graph: str, diseases: list[str]) -> list[float]:
    """Percentiles of a named query through the store."""
    with EmbeddedStore(Path(graph)) as store:
        return percentiles(lambda disease: store.query(QUERY, disease=disease), diseases)


def ask_engine(graph: str, diseases: list[str]) -> list[float]:
    """Percentiles of the same statement through the engine's own connection."""
    text = rewrite(load_catalogue().find(QUERY).text, NODE_TYPES)
    database = ladybug.Database(graph, read_only=True, buffer_pool_size=MEMORY)
    connection = ladybug.Connection(database)
    found = percentiles(
        lambda disease: connection.execute(text, {"disease": disease}).get_all(), diseases
    )
    connection.close()
    database.close()
    return found

"""The rival of our load through Bolt: py2neo's bulk functions, on the same server."""

from pathlib import Path
from time import perf_counter
from typing import Any, Final

import pyarrow.parquet as pq
from py2neo import Graph
from py2neo.bulk import create_relationships

from kg.server.layout import USER
from kg.tables import GraphTables

_RELATION: Final = "INTERACTS_WITH"
_BATCH: Final = 10_000


def create(tables: str, uri: str, password: str, edges: int) -> float:
    """Edges a second between nodes that are there, with the properties that medkg writes."""
    table = pq.read_table(GraphTables(Path(tables)).edges(_RELATION)).slice(0, edges)
    graph = Graph(uri.replace("neo4j://", "bolt://"), auth=(USER, password))
    sent: int = table.num_rows
    begun = perf_counter()
    for batch in table.to_batches(_BATCH):
        data = [_relationship(row) for row in batch.to_pylist()]
        transaction = graph.begin()
        create_relationships(
            transaction,
            data,
            _RELATION,
            start_node_key=("Entity", "id"),
            end_node_key=("Entity", "id"),
        )
        graph.commit(transaction)
    return sent / (perf_counter() - begun)


def _relationship(row: dict[str, Any]) -> tuple[str, dict[str, Any], str]:
    head, tail = row.pop("head"), row.pop("tail")
    return head, {name: value for name, value in row.items() if value is not None}, tail

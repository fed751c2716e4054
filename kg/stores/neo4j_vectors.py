"""Vectors of nodes over Bolt, and the index over them."""

from typing import Final

import pyarrow.parquet as pq

from kg.errors import StoreError
from kg.progress import Progress
from kg.stores.neo4j_graph import drop_vector_indexes, ensure_indexes
from kg.stores.neo4j_schema import vector_property
from kg.stores.neo4j_session import Neo4jDatabase
from kg.stores.statements import statement
from kg.tables import GraphTables

_FLOATS_AT_ONCE: Final = 500_000
"""Numbers a transaction; each takes nine bytes on the wire."""

_DELETED_AT_ONCE: Final = 20_000
"""Vectors a transaction."""


def write_vectors(database: Neo4jDatabase, layer: GraphTables, progress: Progress) -> None:
    """Give nodes the vectors of ``layer``, if it has some, and fill the index over them.

    Raises:
        StoreError: the server failed, or lacks one of the nodes.
    """
    told = layer.summary()
    if not told.vectors:
        return
    text = statement("neo4j/write_vectors", property=vector_property(told.space))
    with (
        progress.step("Loading vectors", told.vectors) as advance,
        pq.ParquetFile(layer.vectors) as file,
    ):
        for batch in file.iter_batches(max(1, _FLOATS_AT_ONCE // told.dimensions)):
            ids, vectors = (column.to_pylist() for column in batch.columns)
            rows = [list(row) for row in zip(ids, vectors, strict=True)]
            written = database.run(text, {"rows": rows}).properties_set
            if written != len(rows):
                raise StoreError(
                    f"{layer.vectors}: {len(rows) - written} nodes that have a vector are not in "
                    "the graph, perhaps because something else writes to it; run 'medkg build'"
                )
            advance(len(rows))
    with progress.step("Filling the index of vectors"):
        ensure_indexes(database, {told.space: told.dimensions})


def delete_vectors(database: Neo4jDatabase, space: str, progress: Progress) -> None:
    """Take every node's vector of a space away, a batch a transaction, and drop the index.

    Raises:
        StoreError: the server failed.
    """
    drop_vector_indexes(database, space)
    text = statement("neo4j/delete_vectors", property=vector_property(space))
    with progress.step("Deleting vectors") as advance:
        deleted = -1
        while deleted:
            deleted = database.run(text, {"batch": _DELETED_AT_ONCE}).properties_set
            advance(deleted)

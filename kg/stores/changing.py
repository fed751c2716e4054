"""What a layer does to edges of the build, on graph tables: takes them out and marks them."""

from collections.abc import Mapping
from typing import Final

import duckdb

from kg.stores.disk import sql_path
from kg.stores.inspection import select_columns
from kg.tables import EDGE_COLUMNS, MARK_COLUMNS, GraphTables

_NAMES: Final = tuple(column.name for column in EDGE_COLUMNS)
_MARKS: Final = tuple(column.name for column in MARK_COLUMNS[2:])


def take_out_and_mark(tables: GraphTables, layer: GraphTables) -> None:
    """Take a layer's removed edges out of graph tables, and mark those that it marks.

    Args:
        tables: written anew in place; nobody else's.
        layer: its edges are in the tables.
    """
    summary = layer.summary()
    queries = {}
    for relation in sorted(summary.removed.keys() | summary.marked.keys()):
        query = f"select edge.* from read_parquet({sql_path(tables.edges(relation))}) edge"  # noqa: S608 - a path
        if relation in summary.marked:
            marks = ", ".join(f"coalesce(mark.{name}, edge.{name}) as {name}" for name in _MARKS)
            query = query.replace("edge.*", f"edge.* replace ({marks})", 1)
            query += f" left join read_parquet({sql_path(layer.marks(relation))}) mark using (head, tail)"
        if relation in summary.removed:
            query += (
                f" anti join read_parquet({sql_path(layer.removed(relation))}) using (head, tail)"
            )
        queries[relation] = query
    _rewrite(tables, queries)


def restore(tables: GraphTables, layer: GraphTables) -> None:
    """Undo ``take_out_and_mark``: all is as it was before.

    Args:
        tables: written anew in place; nobody else's.
        layer: which was applied to them.
    """
    summary = layer.summary()
    edges = tables.summary().edges
    queries = {}
    for relation in sorted(summary.removed.keys() | summary.marked.keys()):
        parts = []
        if relation in edges:
            unmarked = ", ".join(f"null as {c}" if c in _MARKS else c for c in _NAMES)
            parts.append(
                f"select {unmarked} from read_parquet({sql_path(tables.edges(relation))})"  # noqa: S608 - a path
            )
        if relation in summary.removed:
            removed = select_columns(layer.removed(relation), EDGE_COLUMNS)
            if relation in edges:
                present = sql_path(tables.edges(relation))
                removed = f"select * from ({removed}) anti join read_parquet({present}) using (head, tail)"  # noqa: S608 - paths and columns
            parts.append(removed)
        queries[relation] = " union all ".join(parts)
    _rewrite(tables, queries)


def _rewrite(tables: GraphTables, queries: Mapping[str, str]) -> None:
    """Put the rows of queries in the place of edge files, and count them anew."""
    edges = dict(tables.summary().edges)
    with duckdb.connect() as db:
        for relation, query in queries.items():
            path = tables.edges(relation)
            rewritten = path.with_suffix(".part")
            ((edges[relation],),) = db.execute(
                f"copy ({query} order by head, tail) to {sql_path(rewritten)} (format parquet)"
            ).fetchall()
            rewritten.replace(path)
    counts = {relation: rows for relation, rows in sorted(edges.items()) if rows}
    tables.write_summary(tables.summary().model_copy(update={"edges": counts}))

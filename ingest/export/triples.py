"""The graph as triples, as PyKEEN reads them: head, relation and tail, tab-separated.

``triples.tsv`` has the facts, ``entities.tsv`` the nodes. What a layer added without a
source's word stands in ``added.tsv``, with its score and the layer, never among the facts.
"""

from pathlib import Path

import duckdb

from ingest.export.growing import TSV, append, literal, one_line
from kg.progress import Progress
from kg.stores.disk import sql_path
from kg.tables import GraphTables


def write_triples(
    db: duckdb.DuckDBPyConnection,
    tables: GraphTables,
    folder: Path,
    progress: Progress,
    *,
    labels: bool,
) -> None:
    """Write the triples and the entities.

    Args:
        db: a connection of this call's own.
        tables: the graph.
        folder: gets the files.
        progress: shown meanwhile.
        labels: name the ends, with the id behind a name that several nodes have.

    Raises:
        TablesError: the tables are not whole.
    """
    relations = list(tables.summary().edges)
    with progress.step("Writing triples", len(relations) + 1) as advance:
        _name_nodes(db, tables.nodes, labels=labels)
        entities = folder / "entities.tsv"
        entities.write_text("id\ttype\tname\tentity\n", encoding="utf-8")
        append(db, "select id, type, name, entity from node order by id", entities, TSV)
        advance(1)
        (folder / "triples.tsv").touch()
        for relation in relations:
            _write(db, _edges(tables.edges(relation), relation), folder)
            advance(1)


def _name_nodes(db: duckdb.DuckDBPyConnection, nodes: Path, *, labels: bool) -> None:
    """The table ``node``: id, type, name, and ``entity``, by which triples call it."""
    db.execute(
        f"create table node as select id, type, {one_line('name')} as name "  # noqa: S608 - a path
        f"from read_parquet({sql_path(nodes)})"
    )
    shared = "case when count(*) over (partition by name) > 1 then name || ' [' || id || ']' else name end"
    named = shared if labels else "id"
    db.execute(f"create or replace table node as select *, {named} as entity from node")  # noqa: S608 - texts of this module


def _edges(path: Path, relation: str) -> str:
    """The edges of a file by the names of their ends, and the order of their ids."""
    return (
        f"(select head.entity as head, {literal(relation)} as relation, tail.entity as tail, "  # noqa: S608 - a path
        "method, score, edge.layer as layer, edge.head as head_id, edge.tail as tail_id "
        f"from read_parquet({sql_path(path)}) edge "
        "join node head on head.id = edge.head join node tail on tail.id = edge.tail)"
    )


def _write(db: duckdb.DuckDBPyConnection, edges: str, folder: Path) -> None:
    order = "order by head_id, tail_id"
    facts = f"select head, relation, tail from {edges} where method is null {order}"  # noqa: S608 - texts of this module
    append(db, facts, folder / "triples.tsv", TSV)
    added = f"from {edges} where method is not null"
    if db.execute(f"select 1 {added} limit 1").fetchone():
        select = f"select head, relation, tail, score, layer {added} {order}"
        append(db, select, folder / "added.tsv", TSV)

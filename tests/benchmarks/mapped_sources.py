"""Five mapped tables beside the PrimeKG-shaped input: a million rows that repeat it, add to it,
and name its diseases by another ontology's ids."""

from pathlib import Path
from typing import Any, Final, NamedTuple

import duckdb

from ingest.sources import TableSource


class _Table(NamedTuple):
    """One table: pairs of nodes of two types of PrimeKG's."""

    name: str
    relation: str
    """Of kg.csv, of which a third of the rows are repeated."""
    head_type: str
    tail_type: str
    head: str
    """SQL that gives the head's CURIE of ``h.id``."""
    tail: str
    """SQL that gives the tail's CURIE of ``t.id``."""
    mapping: dict[str, Any]
    extra: str = ""
    """Further columns, as SQL."""


_MONDO: Final = "'MONDO:' || lpad(h.id, 7, '0')"
_END: Final = {"id": "head_id", "name": "head_name"}
_TAIL: Final = {"id": "tail_id", "name": "tail_name"}


def _edge(head: str, relation: str, tail: str, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - a mapping's fields
    return {
        "head": {**_END, "type": head},
        "relation": relation,
        "tail": {**_TAIL, "type": tail},
        **more,
    }


TABLES: Final = (
    _Table(
        "symptoms", "disease_phenotype_positive", "disease", "effect/phenotype",
        _MONDO, "'HP:' || lpad(t.id, 7, '0')",
        _edge(
            "Disease", "HAS_SYMPTOM", "Symptom",
            frequency={"column": "percent", "unit": "percent"},
            publications={"column": "pmid", "prefix": "PMID"},
        ),
        ", (n * 7) % 100 AS percent, 10000000 + n AS pmid",
    ),
    _Table(
        "indications", "indication", "drug", "disease",
        "'DRUGBANK:' || h.id", "'MONDO:' || lpad(t.id, 7, '0')",
        _edge("Drug", "INDICATED_FOR", "Disease"),
    ),
    _Table(
        "reactions", "drug_effect", "drug", "effect/phenotype",
        "'DRUGBANK:' || h.id", "'HP:' || lpad(t.id, 7, '0')",
        _edge("Drug", "HAS_ADVERSE_REACTION", "Symptom"),
    ),
    _Table(
        "genes", "disease_protein", "gene/protein", "disease",
        "'NCBIGene:' || h.id", "'MONDO:' || lpad(t.id, 7, '0')",
        _edge("Gene", "ASSOCIATED_WITH", "Disease", weight="score"),
        ", (n % 1000) / 1000.0 AS score",
    ),
    _Table(
        "other_ids", "disease_phenotype_positive", "disease", "effect/phenotype",
        "'DOID:' || h.id", "'HP:' || lpad(t.id, 7, '0')",
        _edge("Disease", "HAS_SYMPTOM", "Symptom"),
    ),
)  # fmt: skip
"""The last one says what the first does, of the same names under ids of DOID."""


def write(kg_csv: str, out: str, rows: int) -> int:
    """Write a CSV file of about ``rows`` rows for each table; how many rows in all."""
    folder = Path(out)
    folder.mkdir()
    with duckdb.connect() as con:
        kg = con.read_csv(kg_csv, all_varchar=True, quotechar='"')
        kg.filter("x_source <> 'MONDO_grouped' AND y_source <> 'MONDO_grouped'").project(
            "relation, x_type, x_id, x_name, y_type, y_id"
        ).create("kg")
        con.execute(
            "CREATE TABLE node AS SELECT DISTINCT x_type AS type, x_id AS id, x_name AS name "
            "FROM kg"
        )
        con.execute(
            "CREATE TABLE numbered AS SELECT *, row_number() OVER (PARTITION BY type ORDER BY id) "
            "- 1 AS n FROM node"
        )
        return sum(_write(con, table, folder / f"{table.name}.csv", rows) for table in TABLES)


def sources(folder: Path) -> list[TableSource]:
    """How medkg is told to read them."""
    return [
        TableSource.model_validate(
            {"kind": "table", "name": t.name, "file": folder / f"{t.name}.csv", **t.mapping}
        )
        for t in TABLES
    ]


def _write(con: duckdb.DuckDBPyConnection, table: _Table, path: Path, rows: int) -> int:
    repeated = rows // 3
    heads, tails = (_nodes(con, kind) for kind in (table.head_type, table.tail_type))
    query = f"""
        WITH pairs AS (
            (SELECT x_id AS head, y_id AS tail FROM kg
             WHERE relation = $relation AND x_type = $head AND y_type = $tail
             ORDER BY hash(x_id || y_id) LIMIT {repeated})
            UNION ALL
            SELECT h.id, t.id FROM range({rows - repeated}) AS k(i)
            JOIN numbered h ON h.type = $head AND h.n = (i * 7919) % {heads}
            JOIN numbered t ON t.type = $tail AND t.n = (i * 104729 + i // {heads}) % {tails}
        )
        SELECT {table.head} AS head_id, h.name AS head_name, {table.tail} AS tail_id,
               t.name AS tail_name{table.extra}
        FROM (SELECT *, row_number() OVER (ORDER BY head, tail) AS n FROM pairs) AS p
        JOIN node h ON h.type = $head AND h.id = p.head
        JOIN node t ON t.type = $tail AND t.id = p.tail
    """  # noqa: S608 -- constants of this file
    given = {"relation": table.relation, "head": table.head_type, "tail": table.tail_type}
    made = con.sql(query, params=given)
    made.write_csv(str(path))
    ((count,),) = con.sql(f"SELECT count(*) FROM read_csv('{path}')").fetchall()  # noqa: S608 -- a path of this run
    return int(count)


def _nodes(con: duckdb.DuckDBPyConnection, kind: str) -> int:
    ((count,),) = con.execute("SELECT count(*) FROM node WHERE type = ?", [kind]).fetchall()
    return int(count)

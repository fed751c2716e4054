"""The layer ``check`` as graph tables: edges taken out, edges flagged, symptoms scored.

``removed/`` has the edges of the build that breach a rule of severity ``reject``, as they were,
each with the names of the rules and their reasons; ``marks/`` has the names of the rules of
severity ``warn`` that an edge breaches, and the discrimination and likelihood of symptoms.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from ingest.check.rules import Answer, Breach, rule_name
from kg.discrimination import Scores
from kg.layers import LayerRows, write_layer
from kg.stores.disk import sql_path
from kg.tables import EDGE_COLUMNS, SEPARATOR, GraphTables

LAYER: Final = "check"
"""Its name."""

_SCORED: Final = "HAS_SYMPTOM"
_BREACH: Final = pa.schema(
    [(name, pa.string()) for name in ("rule", "severity", "head", "relation", "tail", "reason")]
)


def write_findings(
    answers: Sequence[Answer], scores: Scores, tables: GraphTables, folder: Path, made_by: str
) -> GraphTables:
    """Write the layer.

    An edge that rules of both severities find is taken out. Edges that are not the build's
    are left as they are.

    Args:
        answers: of all rules.
        scores: of the symptoms that stay.
        tables: of the build.
        folder: empty.
        made_by: goes into the summary.
    """
    removed: dict[str, pa.Table] = {}
    marks: dict[str, pa.Table] = {}
    with duckdb.connect() as db:
        db.register("breach", _breaches(answers))
        db.register("score", _scores(scores))
        for relation in tables.summary().edges:
            edges = f"read_parquet({sql_path(tables.edges(relation))})"
            for rows, query in ((removed, _removed(edges)), (marks, _marked(edges))):
                rows[relation] = db.sql(query, params={"relation": relation}).to_arrow_table()
    return write_layer(folder, LAYER, LayerRows(removed=removed, marks=marks), made_by)


def count_flags(layer: GraphTables) -> dict[str, int]:
    """Edges that the layer flags, by relation."""
    counts = {}
    for relation in layer.summary().marked:
        flags = pq.ParquetFile(layer.marks(relation)).read(["flags"])["flags"]
        counts[relation] = len(flags) - flags.null_count
    return {relation: flags for relation, flags in counts.items() if flags}


def not_built(breaches: Sequence[Breach], tables: GraphTables) -> list[Breach]:
    """The edges that are not in the tables of the build."""
    if not breaches:
        return []
    missing = []
    built = tables.summary().edges
    with duckdb.connect() as db:
        for relation in sorted({breach.relation for breach in breaches}):
            of_relation = [breach for breach in breaches if breach.relation == relation]
            if relation in built:
                columns = {
                    "head": [b.head for b in of_relation],
                    "tail": [b.tail for b in of_relation],
                }
                db.register("ends", pa.table({"place": range(len(of_relation)), **columns}))
                path = sql_path(tables.edges(relation))
                query = f"from ends anti join read_parquet({path}) using (head, tail) select place order by place"
                of_relation = [of_relation[place] for (place,) in db.execute(query).fetchall()]
            missing += of_relation
    return missing


def _breaches(answers: Iterable[Answer]) -> pa.Table:
    rows = [
        (rule_name(answer.rule), answer.rule.severity, *breach[:4])
        for answer in answers
        for breach in answer.breaches
    ]
    columns = zip(*rows, strict=True) if rows else [()] * len(_BREACH)
    return pa.table([pa.array(values, pa.string()) for values in columns], schema=_BREACH)


def _scores(scores: Scores) -> pa.Table:
    return pa.table(
        {
            "head": scores.heads,
            "tail": scores.tails,
            "discrimination": scores.values,
            "likelihood": scores.likelihoods,
        }
    )


def _removed(edges: str) -> str:
    columns = ", ".join(f"edge.{column.name}" for column in EDGE_COLUMNS)
    return f"""
        select {columns}, why.rule, why.reason
        from {edges} edge join (
            select head, tail, string_agg(rule, '{SEPARATOR}' order by rule) as rule,
                   string_agg(distinct reason, '; ' order by reason) as reason
            from breach where relation = $relation and severity = 'reject' group by all
        ) why using (head, tail)
    """  # noqa: S608 - columns and a path


def _marked(edges: str) -> str:
    return f"""
        select edge.head, edge.tail, doubt.flags, told.discrimination, told.likelihood
        from {edges} edge left join (
            select head, tail, string_agg(rule, '{SEPARATOR}' order by rule) as flags
            from breach where relation = $relation and severity = 'warn' group by all
        ) doubt using (head, tail)
        left join (from score where $relation = '{_SCORED}') told using (head, tail)
        anti join (from breach where relation = $relation and severity = 'reject')
            using (head, tail)
        where doubt.flags is not null or told.discrimination is not null
    """  # noqa: S608 - a path

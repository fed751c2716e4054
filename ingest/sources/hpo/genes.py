"""genes_to_phenotype.txt: genes with the diseases and phenotypes they are associated with."""

from collections.abc import Mapping
from typing import Any, Final

import ibis
import ibis.expr.types as ir

from ingest.sources.curies import Curies
from ingest.sources.formats.delimited import NUMBER, RECORD, UNREADABLE, Rows
from ingest.sources.parts import Part, quarantined, rows_of
from ingest.sources.writing import as_assertions

FILE: Final = "genes_to_phenotype.txt"

_UNREADABLE: Final = f"{FILE} {UNREADABLE}"

COLUMNS: Final = ("ncbi_gene_id", "gene_symbol", "hpo_id", "hpo_name", "frequency", "disease_id")


def read(rows: Rows, terms: ir.Table, source: str) -> Part:
    """Assertions from the gene annotations.

    Args:
        rows: of genes_to_phenotype.txt, with ``COLUMNS``.
        terms: every id of a term in use: ``hpo_id, term, term_type, term_name``.
        source: the source's name.
    """
    table = rows.good.select(
        *COLUMNS,
        row=rows.good[NUMBER],
        record=rows.good[RECORD],
        original_relation=ibis.literal(FILE),
    )
    counts = rows_of(table, rows.bad, _UNREADABLE)
    table = table.left_join(terms, "hpo_id", rname="_{name}")
    table = table.mutate(
        reason=_why_no_fact(table), gene=ibis.literal("NCBIGene:") + table.ncbi_gene_id
    )
    made = {"source": source, "file": FILE}
    return Part(
        (_assertions(table.filter(table.reason.isnull()), made),),
        (quarantined(table.filter(table.reason.notnull()), rows.bad, made, _UNREADABLE),),
        counts,
    )


def _why_no_fact(table: ir.Table) -> ir.Value:
    is_symptom = (table.term_type == "Symptom").fill_null(False)
    return ibis.cases(
        (table.ncbi_gene_id.isnull(), ibis.literal("the row names no gene")),
        (
            table.disease_id.isnull() & ~is_symptom,
            ibis.literal("the row names neither a disease nor a phenotype in use"),
        ),
        else_=ibis.null("string"),
    )


def _assertions(facts: ir.Table, made: Mapping[str, str]) -> ir.Table:
    gene_problem, disease_problem = Curies().problems(facts, "gene", "disease_id")

    def associated(chosen: ir.Value, tail: Mapping[str, Any], problem: ir.Value) -> ir.Table:
        columns = {
            **made,
            "row": facts.row,
            "original_relation": facts.original_relation,
            "head": facts.gene,
            "head_type": "Gene",
            "head_name": facts.gene_symbol,
            "relation": "ASSOCIATED_WITH",
            **tail,
            "problem": problem,
        }
        return as_assertions(facts.filter(chosen), columns)

    return ibis.union(
        associated(
            facts.disease_id.notnull(),
            {"tail": facts.disease_id, "tail_type": "Disease"},
            ibis.coalesce(gene_problem, disease_problem),
        ),
        associated(
            facts.term_type == "Symptom",
            {"tail": facts.term, "tail_type": "Symptom", "tail_name": facts.term_name},
            gene_problem,
        ),
    )

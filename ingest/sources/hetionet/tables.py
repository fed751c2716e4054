"""Assertions from the rows of Hetionet's tables, as Ibis expressions."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import ibis
import ibis.expr.types as ir

from ingest.sources.formats.delimited import NUMBER, RECORD, UNREADABLE, Rows
from ingest.sources.hetionet.identifiers import SIDE_EFFECT, TYPES, curie, kind, local, problem
from ingest.sources.pairs import KEY, directions, pair_assertions, why_unmapped
from ingest.sources.parts import Part, quarantined, rows_of
from ingest.sources.relations import RelationMap
from ingest.sources.writing import as_assertions

NODE_COLUMNS: Final = ("id", "name", "kind")
EDGE_COLUMNS: Final = ("source", "metaedge", "target")
BINDING_COLUMNS: Final = ("drugbank_id", "entrez_gene_id", "pubmed_ids", "urls")
"""Of CbG-binding.tsv, those that are read."""


@dataclass(frozen=True)
class File:
    """One of Hetionet's tables."""

    rows: Rows
    source: str
    """The source's name."""
    path: Path
    relations: RelationMap

    @property
    def made(self) -> Mapping[str, str]:
        """The columns ``source`` and ``file``."""
        return {"source": self.source, "file": self.path.name}

    def part(self, table: ir.Table, facts: ir.Table, refused: ir.Table) -> Part:
        """The part of the file.

        Args:
            table: its rows, as they were split into fields.
            facts: assertions.
            refused: rows with the ``reason``.
        """
        word = f"{self.path.name} {UNREADABLE}"
        quarantine = quarantined(refused, self.rows.bad, self.made, word)
        return Part((facts,), (quarantine,), rows_of(table, self.rows.bad, word))


def nodes(file: File) -> Part:
    """The names of the nodes in hetionet-v1.0-nodes.tsv, and the concepts of side effects."""
    rows = file.rows
    word = rows.good["kind"].fill_null("no kind").substr(0, 100)
    table = rows.good.select(
        *NODE_COLUMNS, row=rows.good[NUMBER], record=rows.good[RECORD], original_relation=word
    )
    is_known = table.kind.isin([*file.relations.attributes, SIDE_EFFECT]).fill_null(False)
    named_rows = table.mutate(
        reason=ibis.cases(
            (~is_known, "'" + table.original_relation + "' is no kind of Hetionet's"),
            (
                kind(table.id).fill_null("") != table.kind,
                ibis.literal("the id is of another kind"),
            ),
            (table.name.isnull(), ibis.literal("the node has no name")),
            else_=ibis.null("string"),
        )
    )
    facts = _names(named_rows.filter(named_rows.reason.isnull()), file.made)
    return file.part(table, facts, named_rows.filter(named_rows.reason.notnull()))


def _names(good: ir.Table, made: Mapping[str, str]) -> ir.Table:
    types = [(good.kind == of_kind, ibis.literal(name)) for of_kind, name in TYPES.items()]
    columns = {
        **made,
        "row": good.row,
        "original_relation": good.original_relation,
        "head": curie(good.id),
        "head_type": ibis.cases(*types, else_=ibis.null("string")),
        "head_name": good.name,
        "problem": problem(good.id, good.name),
    }
    concept = {
        "relation": "HAS_CUI",
        "tail": ibis.literal("UMLS:") + local(good.id),
        "tail_type": "Concept",
        "tail_name": good.name,
    }
    named = {"relation": "HAS_NAME", "value": good.name}
    is_effect = good.kind == SIDE_EFFECT
    return ibis.union(
        as_assertions(good.filter(~is_effect), {**columns, **named}),
        as_assertions(good.filter(is_effect), {**columns, **concept}),
    )


def edges(file: File, names: ir.Table) -> Part:
    """The edges in hetionet-v1.0-edges.sif.

    Args:
        file: the table.
        names: ``id`` (Hetionet's) and ``name`` of nodes.
    """
    good = file.rows.good
    table = good.select(
        row=good[NUMBER],
        record=good[RECORD],
        original_relation=good.metaedge.fill_null("no metaedge").substr(0, 100),
        source=good.source,
        target=good.target,
        publications=ibis.null("string"),
    )
    return _pairs(table, names, file)


def bindings(file: File, names: ir.Table) -> Part:
    """The bindings in CbG-binding.tsv with their publications; arguments as those of ``edges``."""
    good = file.rows.good
    articles = good.pubmed_ids.split("|").map(lambda one: ibis.literal("PMID:") + one).join("|")
    both = ibis.array([articles, good.urls]).filter(lambda one: one.notnull()).join("|")
    table = good.select(
        row=good[NUMBER],
        record=good[RECORD],
        original_relation=ibis.literal("CbG"),
        source=ibis.literal("Compound::") + good.drugbank_id.fill_null(""),
        target=ibis.literal("Gene::") + good.entrez_gene_id.fill_null(""),
        publications=both.nullif(""),
    )
    return _pairs(table, names, file)


def _pairs(table: ir.Table, names: ir.Table, file: File) -> Part:
    pairs = table.mutate(
        x_type=kind(table.source).fill_null(""), y_type=kind(table.target).fill_null("")
    )
    meanings = directions(file.relations, TYPES)
    refused = pairs.anti_join(meanings, KEY)
    reason = why_unmapped(refused, file.relations, TYPES)
    mapped = pairs.join(meanings, KEY)
    for end, column in (("x", "source"), ("y", "target")):
        named = names.rename({f"{end}_id": "id", f"{end}_name": "name"})
        mapped = mapped.left_join(named, mapped[column] == named[f"{end}_id"])
    mapped = mapped.mutate(x=curie(mapped.source), y=curie(mapped.target))
    columns = {
        **file.made,
        "publications": mapped.publications,
        "problem": ibis.coalesce(
            problem(mapped.source, mapped.x_name), problem(mapped.target, mapped.y_name)
        ),
    }
    return file.part(table, pair_assertions(mapped, columns), refused.mutate(reason=reason))

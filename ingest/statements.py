"""Statements of sources by which ids are joined: matches of ids, and UMLS concepts."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

import ibis
import ibis.expr.types as ir

from ingest.identity import MINTED_PREFIX, Coded, Match, Rule
from ingest.saying import position
from ingest.workspace import Workspace, rows_of
from kg.vocabulary import NODE_TYPES

EXACT: Final = "HAS_EXACT_MATCH"
CROSS_REFERENCE: Final = "HAS_XREF"
FORMER: Final = "HAS_FORMER_ID"
RULES: Final[Mapping[str, Rule]] = MappingProxyType(
    {
        FORMER: "former id",
        EXACT: "exact match",
        CROSS_REFERENCE: "mutual cross-reference",
    }
)
"""Which rule a statement about two ids belongs to, by attribute."""
MAPPINGS: Final = tuple(RULES)
"""Attributes that give another id; alone they make no node."""

(
    MAIN_NAME,
    NAME_BESIDE_ID,
    BRIDGED_NAME,
    BRIDGED_SYNONYM,
    SYNONYM,
    LAY_SYNONYM,
    RELATED_SYNONYM,
) = range(7)
"""Ranks of a name: the main name in a source, the name beside an id, names in a list of
translations, synonyms."""
NAME_RANKS: Final = MappingProxyType(
    {
        "HAS_NAME": MAIN_NAME,
        "HAS_SYNONYM": SYNONYM,
        "HAS_BRIDGED_NAME": BRIDGED_NAME,
        "HAS_BRIDGED_SYNONYM": BRIDGED_SYNONYM,
        "HAS_LAY_SYNONYM": LAY_SYNONYM,
        "HAS_RELATED_SYNONYM": RELATED_SYNONYM,
    }
)
"""The rank of the names that an attribute gives."""
MAKING_NO_NODE: Final = (*MAPPINGS, "HAS_BRIDGED_NAME", "HAS_BRIDGED_SYNONYM")
"""Attributes that alone make no node."""

_NODE_OF: Final = "IS_NODE_OF"
CONCEPT: Final = "UMLS:"
"""Begins the id of a UMLS concept."""


@dataclass(frozen=True)
class Statements:
    """Tables of one workspace; an end without an id has a key (its name)."""

    matches: ir.Table
    """``id, type, key, relation, value, position, statement``; of cross-references the mutual ones."""
    concepts: ir.Table
    """``id, type, key, cui, position``."""
    graphs: ir.Table
    """``id, graph``: nodes of graphs that were merged already."""
    to_findings: ir.Table
    """``id, relation, value, position, statement``: matches and cross-references that may be between a
    disease and a finding."""

    def matches_of(self, minted: ir.Table) -> list[Match]:
        """The matches of ids; names without an id take their id from ``minted``."""
        matches = _identified(self.matches, minted)
        rows = rows_of(matches.select("id", "relation", "value", "position", "statement"))
        return [Match(id_, RULES[relation], *rest) for id_, relation, *rest in rows]

    def crossed(self) -> list[Match]:
        """The matches and cross-references that may be between a disease and a finding."""
        rows = rows_of(self.to_findings.select("id", "relation", "value", "position", "statement"))
        return [Match(id_, RULES[relation], *rest) for id_, relation, *rest in rows]

    def graphs_of_nodes(self) -> dict[str, set[str]]:
        """Names of the graphs that were merged already, by the ids of their nodes."""
        graphs: dict[str, set[str]] = defaultdict(set)
        for id_, graph in rows_of(self.graphs):
            graphs[id_].add(graph)
        return graphs

    def concepts_of(self, minted: ir.Table) -> dict[str, set[str]]:
        """The UMLS concepts of each id; names without an id take their id from ``minted``."""
        with_id = _identified(self.concepts, minted)
        concepts: dict[str, set[str]] = defaultdict(set)
        for id_, cui in rows_of(with_id.select("id", "cui").distinct()):
            concepts[id_].add(cui)
        return concepts

    def concepts_of_names(self, positions: Sequence[int]) -> dict[tuple[str, str], set[str]]:
        """The UMLS concepts that some sources (by position) give names without an id.

        Returns:
            Concepts by type and name.
        """
        of_names = self.concepts.filter(
            self.concepts.key.notnull() & self.concepts.position.isin(positions)
        )
        concepts: dict[tuple[str, str], set[str]] = defaultdict(set)
        for type_, key, cui in rows_of(of_names.select("type", "key", "cui").distinct()):
            concepts[type_, key].add(cui)
        return concepts

    def coded(self, minted: ir.Table, ends: ir.Table) -> list[Coded]:
        """The ids that share a UMLS concept with an id minted from a name.

        Args:
            minted: ``type, key, id`` of names without an id.
            ends: with ``id, language, name``.
        """
        with_id = _identified(self.concepts, minted)
        by_name = with_id.filter(with_id.id.startswith(f"{MINTED_PREFIX}:"))
        with_id = with_id.semi_join(by_name, "cui")
        each = with_id.group_by("id", "cui").agg(position=with_id.position.min())
        rows = [*rows_of(each.select("id", "cui", "position"))]
        if not rows:
            return []
        reliable = ends.name.notnull() & (ends["rank"] < LAY_SYNONYM)
        named = ends.filter(reliable).semi_join(with_id, "id")
        names: dict[str, set[tuple[str, str]]] = defaultdict(set)
        for id_, language, name in rows_of(named.select("id", "language", "name").distinct()):
            names[id_].add((language, name))
        return [Coded(id_, cui, position, names[id_]) for id_, cui, position in rows]


def find_statements(
    workspace: Workspace, assertions: ir.Table, sources: Sequence[str]
) -> Statements:
    """Collect the statements from assertions without a problem.

    Args:
        workspace: keeps the tables.
        assertions: of all sources.
        sources: by position.
    """
    return Statements(
        workspace.keep("matches", _matches(assertions, sources)),
        workspace.keep("concepts", _concepts(assertions, sources)),
        workspace.keep("graphs", _graphs(assertions)),
        workspace.keep("to_findings", _to_findings(assertions, sources)),
    )


def _matches(assertions: ir.Table, sources: Sequence[str]) -> ir.Table:
    t = assertions.filter(assertions.relation.isin(MAPPINGS))
    rows = _of_heads(t, sources, relation=t.relation, value=t.value, statement=_statement(t))
    grouped = rows.group_by("id", "type", "key", "relation", "value", "position").agg(
        statement=rows.statement.min()
    )
    crossed = grouped.filter((grouped.relation == CROSS_REFERENCE) & grouped.id.notnull())
    back = crossed.select(id="value", value="id").distinct()
    other_matches = grouped.filter(grouped.relation != CROSS_REFERENCE)
    return ibis.union(other_matches, crossed.semi_join(back, ["id", "value"]))


def _to_findings(assertions: ir.Table, sources: Sequence[str]) -> ir.Table:
    """Other ids of diseases in ontologies of findings, and of findings in those of diseases."""
    t = assertions.filter(
        assertions.relation.isin((CROSS_REFERENCE, EXACT)) & assertions["head"].notnull()
    )
    findings, diseases = (NODE_TYPES[name].prefixes for name in ("Symptom", "Disease"))
    prefix = t.value.re_extract("^([^:]+):", 1)
    t = t.filter(
        ((t.head_type == "Disease") & prefix.isin(findings))
        | ((t.head_type == "Symptom") & prefix.isin(diseases))
    )
    rows = _of_heads(t, sources, relation=t.relation, value=t.value, statement=_statement(t))
    rows = rows.group_by("id", "relation", "value", "position").agg(statement=rows.statement.min())
    return rows.order_by("id", "value", "position", "relation")


def _statement(t: ir.Table) -> ir.StringValue:
    """A statement about two ids in the words of its source, with file and row."""
    return ibis.coalesce(t["head"], t.head_name).concat(
        " ", t.original_relation, " ", t.value, " (", t.file, ", row ", t.row.cast(str), ")"
    )


def _concepts(assertions: ir.Table, sources: Sequence[str]) -> ir.Table:
    t = assertions.filter(assertions.relation == "HAS_CUI")
    t = t.filter(ibis.coalesce(t["tail"], "").startswith(CONCEPT))
    return _of_heads(t, sources, cui=t["tail"].replace(CONCEPT, "")).distinct()


def _graphs(assertions: ir.Table) -> ir.Table:
    t = assertions.filter(assertions.relation == _NODE_OF)
    return t.filter(t["head"].notnull()).select(id="head", graph="value").distinct()


def _of_heads(table: ir.Table, sources: Sequence[str], **columns: ir.Value) -> ir.Table:
    """``id, type, key, position`` of the heads, and more columns."""
    return table.select(
        id=table["head"],
        type=table.head_type,
        key=ibis.ifelse(table["head"].isnull(), table.head_name, ibis.null(str)),
        position=position(table.source, sources),
        **columns,
    )


def _identified(table: ir.Table, minted: ir.Table) -> ir.Table:
    """The rows that have an id, given or minted."""
    joined = table.left_join(minted, ["type", "key"], rname="{name}_minted")
    joined = joined.mutate(id=ibis.coalesce(joined.id, joined.id_minted))
    return joined.filter(joined.id.notnull()).drop("type_minted", "key_minted", "id_minted")

"""Makes the node table: names, texts and sources of each node, from all its assertions."""

from collections.abc import Sequence
from typing import Final

import ibis
import ibis.expr.types as ir
import pyarrow as pa

from ingest.identity import MINTED_PREFIX
from ingest.mentions import Mentions
from ingest.picking import in_order, least
from ingest.saying import count_by_source, first_source
from ingest.statements import LAY_SYNONYM, MAPPINGS
from ingest.workspace import Workspace
from kg.tables import NODE_COLUMNS
from kg.vocabulary import ATTRIBUTES

FACT: Final = ("node", "relation", "language", "value")
"""Columns by which attribute assertions state the same fact."""


def node_table(
    workspace: Workspace, mentions: Mentions, attributes: ir.Table, sources: Sequence[str]
) -> ir.Table:
    """Make the table of NODE_COLUMNS, ordered by id.

    Args:
        workspace: keeps intermediate tables.
        mentions: of the nodes to write.
        attributes: FACT and ``position`` (of the first source that states it).
        sources: source names by position.
    """
    names = mentions.names
    preferred = _first_names(names)
    preferred_en, preferred_zh = (_of_language(preferred, language) for language in ("en", "zh"))
    named = _sources(workspace, mentions.nodes, sources)
    named = named.left_join(preferred_en, "node").drop("node_right")
    named = named.left_join(preferred_zh, "node").drop("node_right")
    named = named.mutate(name=ibis.coalesce(named.name_en, named.name_zh, named.node))
    for column, language, chosen in (("synonyms", "en", "name"), ("synonyms_zh", "zh", "name_zh")):
        named = _with_synonyms(named, names, column, language, chosen)
    for column, language in (("lay_names", "en"), ("lay_names_zh", "zh")):
        named = _with_lay_names(named, names, column, language)
    for column, relation in (("definition", "HAS_DEFINITION"), ("text", "HAS_TEXT")):
        named = _with_text(named, attributes, column, relation)
    named = _with_xrefs(named, attributes, mentions.same)
    named = _with_normal_names(named, names, mentions.normal_names)
    is_concept = (named.type == "Concept") & named.node.startswith("UMLS:")
    named = named.mutate(
        id=named.node,
        cui=ibis.ifelse(is_concept, named.node.replace("UMLS:", ""), ibis.null(str)),
        layer=ibis.null(str),
    )
    return named.select(*(column.name for column in NODE_COLUMNS)).order_by("id")


def group_attributes(
    workspace: Workspace, assertions: ir.Table, sources: Sequence[str]
) -> ir.Table:
    """FACT, ``said_by_0`` … by source, and ``position`` of the first source that states it."""
    attributes = assertions.filter(assertions.relation.isin(tuple(ATTRIBUTES))).rename(
        node="head_node"
    )
    grouped = attributes.group_by(FACT).agg(**count_by_source(attributes, sources))
    return workspace.keep("attributes", grouped.mutate(position=first_source(grouped, sources)))


def _first_names(names: ir.Table) -> ir.Table:
    """``node, language, name``: the preferred name of each node in each language."""
    return names.group_by("node", "language").agg(
        name=least(names["rank"], names.position, names.name)
    )


def _of_language(preferred: ir.Table, language: str) -> ir.Table:
    chosen = preferred.filter(preferred.language == language)
    return chosen.select("node", **{f"name_{language}": chosen.name})


def _sources(workspace: Workspace, nodes: ir.Table, sources: Sequence[str]) -> ir.Table:
    """``node, type, sources``, each node once, sources sorted by name."""
    names = ibis.memtable(
        pa.table({"position": pa.array(range(len(sources)), pa.int8()), "source": list(sources)})
    )
    by_source = nodes.join(names, "position")
    return workspace.keep(
        "sourced",
        by_source.group_by("node").agg(
            type=by_source.type.min(), sources=by_source.source.collect(distinct=True).sort()
        ),
    )


def _with_synonyms(
    named: ir.Table, names: ir.Table, column: str, language: str, chosen: str
) -> ir.Table:
    """Add the names in ``language`` other than the chosen one, sorted."""
    all_names = names.filter(names.language == language)
    grouped = all_names.group_by("node").agg(
        all_names=all_names.name.collect(distinct=True).sort()
    )
    joined = named.left_join(grouped, "node").drop("node_right")
    others = joined.all_names.filter(lambda name: name != ibis.coalesce(joined[chosen], ""))
    return joined.mutate(_or_empty(others).name(column)).drop("all_names")


def _with_lay_names(named: ir.Table, names: ir.Table, column: str, language: str) -> ir.Table:
    """Add the names in ``language`` that a source calls everyday words, sorted."""
    lay = names.filter((names.language == language) & (names["rank"] == LAY_SYNONYM))
    grouped = lay.group_by("node").agg(lay=lay.name.collect(distinct=True).sort())
    joined = named.left_join(grouped, "node").drop("node_right")
    return joined.mutate(_or_empty(joined.lay).name(column)).drop("lay")


def _with_text(named: ir.Table, attributes: ir.Table, column: str, relation: str) -> ir.Table:
    """Add the texts of the sources, a line each, in the order of sources."""
    texts = attributes.filter(attributes.relation == relation)
    grouped = texts.group_by("node").agg(
        in_order(texts.position, texts.value).join("\n").name(column)
    )
    return named.left_join(grouped, "node").drop("node_right")


def _with_xrefs(named: ir.Table, attributes: ir.Table, same: ir.Table) -> ir.Table:
    """Add the cross-references of the sources, and the ids that were merged into the node."""
    stated = attributes.filter(attributes.relation.isin(MAPPINGS)).select("node", xref="value")
    merged = same.filter(~same.id.startswith(f"{MINTED_PREFIX}:")).select("node", xref="id")
    both = ibis.union(stated, merged)
    both = both.filter(both.xref != both.node)
    grouped = both.group_by("node").agg(xrefs=both.xref.collect(distinct=True).sort())
    joined = named.left_join(grouped, "node").drop("node_right")
    return joined.mutate(xrefs=_or_empty(joined.xrefs))


def _with_normal_names(named: ir.Table, names: ir.Table, normal: ir.Table) -> ir.Table:
    normalised = names.select("node", "name").join(normal, "name")
    normalised = normalised.filter(normalised.normal != "")
    grouped = normalised.group_by("node").agg(
        normal_names=normalised.normal.collect(distinct=True).sort()
    )
    joined = named.left_join(grouped, "node").drop("node_right")
    return joined.mutate(normal_names=_or_empty(joined.normal_names))


def _or_empty(values: ir.ArrayValue) -> ir.ArrayValue:
    return ibis.coalesce(values, ibis.literal([], "array<string>"))

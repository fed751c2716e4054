"""Edges of large tables, mapped by their word and the types of their two ends.

A table of pairs has ``original_relation``, and of its ends ``x_type`` and ``y_type``
(the source's own words for types), ``x`` and ``y`` (ids or null), ``x_name`` and ``y_name``.
"""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any, Final

import ibis
import ibis.expr.types as ir
import pyarrow as pa

from ingest.sources.relations import Mapped, RelationMap
from ingest.sources.writing import as_assertions
from kg.vocabulary import RELATION_TYPES

KEY: Final = ("original_relation", "x_type", "y_type")


def directions(
    relations: RelationMap, types: Mapping[str, str], *, either_end_first: bool = False
) -> ir.Table:
    """The relation of each word between each two types.

    Args:
        relations: every alternative with both its types.
        types: node types of the graph by the source's words for them.
        either_end_first: an edge between two types may have either direction.

    Returns:
        KEY, ``relation``, ``head_type``, ``tail_type``, and ``inverted``: y is the head.
    """
    rows: dict[tuple[str, str, str], dict[str, object]] = {}
    for word, mapped, inverted in _readings(relations, either_end_first):
        ends = (mapped.tail, mapped.head) if inverted else (mapped.head, mapped.tail)
        meaning = {
            "relation": mapped.relation,
            "head_type": mapped.head,
            "tail_type": mapped.tail,
            "inverted": inverted,
        }
        for x, y in product(types, types):
            if (types[x], types[y]) == ends:
                key = (word, x, y)
                rows.setdefault(key, {**dict(zip(KEY, key, strict=True)), **meaning})
    return ibis.memtable(pa.Table.from_pylist(list(rows.values())))


def _readings(relations: RelationMap, either: bool) -> Iterator[tuple[str, Mapped, bool]]:
    """Each word with its mapped relations, and whether y is the head."""
    for word, alternatives in relations.relations.items():
        for mapped in alternatives:
            yield word, mapped, mapped.inverted
            if either:
                yield word, mapped, not mapped.inverted


def why_unmapped(pairs: ir.Table, relations: RelationMap, types: Mapping[str, str]) -> ir.Value:
    """Why a pair that ``directions`` lacks is quarantined.

    Where the graph's relation would connect the ends, but the source's word does not, the word's
    own ends are named.

    Args:
        pairs: those that are lacking.
        relations: as for ``directions``, as are ``types``.
        types: node types of the graph by the source's words for them.
    """

    def shown(column: str) -> ir.Value:
        return ibis.literal("'") + pairs[column].fill_null("").substr(0, 200) + "'"

    unknown = ibis.literal("the graph has no relation for ") + shown("original_relation")
    unknown = unknown + " between " + shown("x_type") + " and " + shown("y_type")
    word = pairs.original_relation
    cases = [
        (word == name, ibis.literal(reason)) for name, reason in relations.quarantined.items()
    ]
    for name, mapped in (
        (n, mapped) for n, alternatives in relations.relations.items() for mapped in alternatives
    ):
        relation = RELATION_TYPES[mapped.relation]
        heads = [source_type for source_type, type_ in types.items() if type_ in relation.domain]
        tails = [source_type for source_type, type_ in types.items() if type_ in relation.range]
        connects = (pairs.x_type.isin(heads) & pairs.y_type.isin(tails)) | (
            pairs.x_type.isin(tails) & pairs.y_type.isin(heads)
        )
        reason = ibis.literal(
            f"the source's word {name!r} connects {mapped.head} and {mapped.tail}, not "
        )
        cases.append(
            ((word == name) & connects, reason + shown("x_type") + " and " + shown("y_type"))
        )
    return ibis.cases(*cases, else_=unknown)


def pair_assertions(pairs: ir.Table, columns: Mapping[str, Any]) -> ir.Table:
    """One assertion for each pair that was joined with ``directions``.

    Args:
        pairs: a table of pairs with ``row`` and the columns of ``directions``.
        columns: of the assertion, other than those.
    """

    def either(if_inverted: str, if_not: str) -> ir.Value:
        return ibis.ifelse(pairs.inverted, pairs[if_inverted], pairs[if_not])

    ends = {
        "row": pairs.row,
        "original_relation": pairs.original_relation,
        "head": either("y", "x"),
        "head_type": pairs.head_type,
        "head_name": either("y_name", "x_name"),
        "relation": pairs.relation,
        "tail": either("x", "y"),
        "tail_type": pairs.tail_type,
        "tail_name": either("x_name", "y_name"),
    }
    return as_assertions(pairs, {**ends, **columns})

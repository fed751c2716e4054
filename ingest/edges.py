"""Groups the assertions about edges: one edge for a fact, with all that its sources add to it."""

from collections.abc import Iterator, Sequence
from typing import Final

import ibis
import ibis.expr.types as ir

from ingest.saying import count_by_source
from kg.tables import SEPARATOR
from kg.vocabulary import NODE_TYPES, RELATION_TYPES

KEY: Final = ("relation", "head_node", "tail_node")
_SEVERAL: Final = (
    "publications",
    "evidence",
    "frequency_text",
    "onset",
    "sex",
    "original_relation",
)
"""Columns that keep every distinct value, joined."""
_MEAN: Final = ("frequency", "weight")
_DECIMALS: Final = 6
"""Means are rounded, so that the order of summation cannot show."""


def directed(assertions: ir.Table) -> ir.Table:
    """Put the smaller id at the head of symmetric relations."""
    symmetric = tuple(r.name for r in RELATION_TYPES.values() if r.symmetric)
    swap = assertions.relation.isin(symmetric) & (assertions.head_node > assertions.tail_node)
    return assertions.mutate(
        head_node=ibis.ifelse(swap, assertions.tail_node, assertions.head_node),
        tail_node=ibis.ifelse(swap, assertions.head_node, assertions.tail_node),
    )


def group(con: ibis.BaseBackend, assertions: ir.Table, sources: Sequence[str]) -> ir.Table:
    """One row a fact: KEY, the evidence columns, and the columns of ``saying``.

    Distinct values are rare to differ within one edge, and collecting them is
    dear: so the smallest and largest value are taken of all edges, and the
    whole set only of the edges where these are not the same.
    """
    counts = count_by_source(assertions, sources)
    used = _used(assertions)
    several = [name for name in _SEVERAL if name in used]
    facts = con.create_table(
        "facts",
        assertions.group_by(KEY).agg(
            **counts,
            **{name: assertions[name].mean().round(_DECIMALS) for name in _MEAN if name in used},
            **{f"{name}_low": assertions[name].min() for name in several},
            **{f"{name}_high": assertions[name].max() for name in several},
        ),
        temp=True,
    )
    varied = facts.filter(
        ibis.or_(*(facts[f"{name}_low"] != facts[f"{name}_high"] for name in several))
    )
    rest = assertions.semi_join(varied, KEY)
    sets = con.create_table(
        "varied",
        rest.group_by(KEY).agg(**{name: _joined(rest[name]) for name in several}),
        temp=True,
    )
    joined = facts.left_join(sets, KEY, rname="{name}_set")
    columns: dict[str, ir.Value] = {
        name: ibis.coalesce(joined[name], joined[f"{name}_low"]) for name in several
    }
    columns |= {name: joined[name] for name in _MEAN if name in used}
    for name in (*_SEVERAL, *_MEAN):
        columns.setdefault(name, ibis.null("float64" if name in _MEAN else str))
    return joined.select(*KEY, *counts, **columns)


def _used(assertions: ir.Table) -> set[str]:
    """Evidence columns that any assertion fills."""
    filled = assertions.agg(
        **{name: assertions[name].notnull().any() for name in (*_SEVERAL, *_MEAN)}
    ).to_pyarrow()
    return {name for name in filled.column_names if filled[name][0].as_py()}


def _joined(column: ir.Column) -> ir.StringValue:
    """All values of a group, each once, sorted; a value may itself hold several."""
    values = column.collect().map(lambda value: value.split(SEPARATOR)).flatten()
    return values.unique().sort().join(SEPARATOR)


def misplaced(facts: ir.Table, nodes: ir.Table) -> ir.Table:
    """The facts whose ends have types that the relation does not connect.

    Args:
        facts: with KEY.
        nodes: ``node, type``, each node once.

    Returns:
        ``relation, head_node, tail_node, head_type, tail_type``.
    """
    heads = nodes.rename(head_node="node", head_type="type")
    tails = nodes.rename(tail_node="node", tail_type="type")
    typed = facts.select(*KEY).left_join(heads, "head_node").drop("head_node_right")
    typed = typed.left_join(tails, "tail_node").drop("tail_node_right")
    allowed = ibis.memtable(list(_allowed()), columns=["relation", "head_type", "tail_type"])
    return typed.anti_join(allowed, ["relation", "head_type", "tail_type"])


def ends(facts: ir.Table) -> ir.Table:
    """``node`` of every head and tail."""
    return ibis.union(facts.select(node="head_node"), facts.select(node="tail_node"))


def _allowed() -> Iterator[tuple[str, str, str]]:
    for relation in RELATION_TYPES.values():
        for head in NODE_TYPES:
            for tail in NODE_TYPES:
                fits = head in relation.domain and tail in relation.range
                if fits and (head == tail or not relation.same_type):
                    yield relation.name, head, tail

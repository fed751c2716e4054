"""Groups the assertions about edges: one edge for a fact, with all that its sources add to it."""

import math
from collections.abc import Iterator, Sequence
from typing import Final

import ibis
import ibis.expr.types as ir

from ingest.saying import columns as said_by
from ingest.saying import count_by_source, source_names
from ingest.workspace import Workspace, number_of
from kg.tables import EDGE_COLUMNS, SEPARATOR, Column, Kind
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


def group(workspace: Workspace, assertions: ir.Table, sources: Sequence[str]) -> ir.Table:
    """One row a fact: KEY, the evidence columns, and the columns of ``saying``.

    Texts are rare to differ within one edge, and to collect them is dear while to
    group by them is cheap: so assertions are grouped with their texts, and only
    the edges of which several rows are left are grouped again.
    """
    used = _used(assertions)
    texts = [name for name in _SEVERAL if name in used]
    means = [name for name in _MEAN if name in used]
    worded = workspace.keep(
        "worded",
        assertions.group_by(*KEY, *texts).agg(
            **count_by_source(assertions, sources),
            **{f"{name}_sum": assertions[name].sum() for name in means},
            **{f"{name}_count": assertions[name].count() for name in means},
        ),
    )
    facts = _one_row_each(workspace, worded, texts)
    columns: dict[str, ir.Value] = {name: facts[name] for name in texts}
    columns |= {
        name: (facts[f"{name}_sum"] / facts[f"{name}_count"]).round(_DECIMALS) for name in means
    }
    for name in (*_SEVERAL, *_MEAN):
        columns.setdefault(name, ibis.null("float64" if name in _MEAN else str))
    return facts.select(*KEY, *said_by(sources), **columns)


def _one_row_each(workspace: Workspace, worded: ir.Table, texts: Sequence[str]) -> ir.Table:
    """Put together the rows of facts that have several: texts joined, numbers added."""
    several = worded.group_by(KEY).having(worded.count() > 1).agg()
    varied = workspace.keep("varied", several)
    if not number_of(varied):
        return worded
    rest = worded.semi_join(varied, KEY)
    numbers = [name for name in worded.columns if name not in (*KEY, *texts)]
    joined = rest.group_by(KEY).agg(
        **{name: _joined(rest[name]) for name in texts},
        **{name: rest[name].sum() for name in numbers},
    )
    alone = worded.anti_join(varied, KEY)
    return workspace.keep("facts", ibis.union(alone, joined))


def _used(assertions: ir.Table) -> set[str]:
    """Evidence columns that any assertion fills."""
    filled = assertions.agg(
        **{name: assertions[name].notnull().any() for name in (*_SEVERAL, *_MEAN)}
    ).to_pyarrow()
    return {name for name in filled.column_names if filled[name][0].as_py()}


_SEPARATOR: Final = f"[{SEPARATOR}]"
"""As a regular expression, which is all that Spark splits by."""


def _joined(column: ir.Column) -> ir.StringValue:
    """All values of a group, each once, sorted; a value may itself hold several."""
    values = column.collect().map(lambda value: value.re_split(_SEPARATOR)).flatten()
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


def edge_table(facts: ir.Table, relation: str, sources: Sequence[str]) -> ir.Table:
    """EDGE_COLUMNS of one relation type, ordered by head and tail."""
    own = facts.filter(facts.relation == relation)
    own = own.mutate(
        head=own.head_node,
        tail=own.tail_node,
        sources=source_names(own, sources),
        method=ibis.null(str),
        score=ibis.null("float64"),
        flags=ibis.null(str),
        discrimination=ibis.null("float64"),
        layer=ibis.null(str),
    )
    return own.select(**{c.name: _declared(own[c.name], c) for c in EDGE_COLUMNS}).order_by(
        "head", "tail"
    )


def _declared(values: ir.Column, column: Column) -> ir.Value:
    """A column as it is declared: an engine may not find out that no value is missing.

    Files say whether a column can have missing values, and what an engine knows of that
    depends on the other relations that it works on; equal rows shall give equal bytes.
    """
    if column.required or column.kind is Kind.STRINGS:
        return values
    return values.nullif("\0" if column.kind is Kind.STRING else math.nan)


def _allowed() -> Iterator[tuple[str, str, str]]:
    for relation in RELATION_TYPES.values():
        for head in NODE_TYPES:
            for tail in NODE_TYPES:
                fits = head in relation.domain and tail in relation.range
                if fits and (head == tail or not relation.same_type):
                    yield relation.name, head, tail

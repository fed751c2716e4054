"""Groups the assertions about edges: one edge for each fact, with the evidence of its sources."""

import functools
import math
import operator
from collections.abc import Iterator, Sequence
from typing import Final, Literal

import ibis
import ibis.expr.types as ir
import pyarrow as pa
from pydantic import BaseModel

from ingest.identity import CloseMatch
from ingest.picking import least
from ingest.saying import columns as source_counts
from ingest.saying import count_by_source, first_source, source_names
from ingest.workspace import Workspace, number_of
from kg.tables import EDGE_COLUMNS, SEPARATOR, Column, Kind
from kg.vocabulary import NODE_TYPES, RELATION_TYPES

KEY: Final = ("relation", "head_node", "tail_node")
_SEVERAL: Final = (
    "publications",
    "evidence",
    "frequency_text",
    "weight_text",
    "onset",
    "sex",
    "original_relation",
)
"""Columns that keep every distinct value, joined."""
_NUMBERS: Final = {"frequency": "frequency_text", "weight": "weight_text"}
"""Columns with one number, and those that keep the numbers as written."""
_DECIMALS: Final = 6
_SMALL: Final = 1e-3
_SMALLEST: Final = 1e-9
_FINER: Final = 1e9
"""Means and sums are rounded, so that they do not depend on the order of summation; small ones
keep more decimals."""

_MAX_EXACT_INTEGER: Final = 1e15
"""Below it every integer is exact in a float and written with all its digits."""

Combination = Literal["mean", "max", "min", "sum", "first"]
"""How the numbers of several records become one; ``first`` takes that of the first source, the
largest if it has several."""


class Combine(BaseModel, frozen=True, extra="forbid"):
    """How an edge gets one number where several records have one."""

    frequency: Literal["mean", "max", "min", "first"] = "mean"
    """Fractions, of which no sum makes sense."""
    weight: Combination = "max"
    """Counts and scores of different kinds: a mean would be no source's number."""


CLOSE_MATCH: Final = "CLOSE_MATCH"
"""The relation that the merge itself adds to those that sources state."""


def close_matches(
    assertions: ir.Table, close: Sequence[CloseMatch], sources: Sequence[str]
) -> ir.Table:
    """Close matches as assertions of the sources that state them.

    Args:
        assertions: resolved ones, whose columns the result has.
        close: by the ids of nodes.
        sources: by position.
    """
    rows = [
        {
            "source": sources[at],
            "file": "",
            "row": 0,
            "original_relation": each.rule,
            "head": each.disease,
            "head_type": "Disease",
            "relation": CLOSE_MATCH,
            "tail": each.finding,
            "tail_type": "Symptom",
            "language": "en",
            "evidence": each.evidence.replace(SEPARATOR, " "),
            "head_node": each.disease,
            "tail_node": each.finding,
        }
        for each in close
        for at in sorted({*each.positions})
    ]
    schema = assertions.schema().to_pyarrow()
    return ibis.memtable(pa.Table.from_pylist(rows, schema)).select(assertions.columns)


def directed(assertions: ir.Table) -> ir.Table:
    """Put the smaller id at the head of symmetric relations."""
    symmetric = tuple(r.name for r in RELATION_TYPES.values() if r.symmetric)
    swap = assertions.relation.isin(symmetric) & (assertions.head_node > assertions.tail_node)
    return assertions.mutate(
        head_node=ibis.ifelse(swap, assertions.tail_node, assertions.head_node),
        tail_node=ibis.ifelse(swap, assertions.head_node, assertions.tail_node),
    )


def group(
    workspace: Workspace, assertions: ir.Table, sources: Sequence[str], combine: Combine
) -> ir.Table:
    """One row for each fact: KEY, the evidence columns, and the columns of ``saying``.

    Texts rarely differ within one edge. Collecting them is slow, grouping by them is fast: so
    assertions are grouped by fact, texts and numbers, and only facts with several rows left
    are grouped again.
    """
    used = _used(assertions)
    numbers = [name for name in _NUMBERS if name in used]
    assertions = assertions.mutate(
        **{_NUMBERS[name]: _as_written(assertions, name) for name in numbers}
    )
    texts = [name for name in _SEVERAL if name in used | {_NUMBERS[name] for name in numbers}]
    worded = workspace.keep(
        "worded",
        assertions.group_by(*KEY, *texts, *numbers).agg(**count_by_source(assertions, sources)),
    )
    facts = _one_row_each(workspace, worded, texts, numbers, sources, combine)
    columns: dict[str, ir.Value] = {name: facts[name] for name in (*texts, *numbers)}
    for name in (*_SEVERAL, *_NUMBERS):
        columns.setdefault(name, ibis.null("float64" if name in _NUMBERS else str))
    return facts.select(*KEY, *source_counts(sources), **columns)


def _as_written(assertions: ir.Table, number: str) -> ir.StringValue:
    """The number as the source wrote it, else the number itself in the fewest characters."""
    value = assertions[number]
    is_integer = (value % 1 == 0) & (value.abs() < _MAX_EXACT_INTEGER)
    text = value.cast(str).lower().re_replace(r"\.0+(e|$)", r"\1").re_replace("e([+-]?)0+", r"e\1")
    plain = ibis.ifelse(is_integer.fill_null(False), value.try_cast("int64").cast(str), text)
    return ibis.coalesce(assertions[_NUMBERS[number]], plain)


def _one_row_each(  # noqa: PLR0917 -- the arguments of group
    workspace: Workspace,
    worded: ir.Table,
    texts: Sequence[str],
    numbers: Sequence[str],
    sources: Sequence[str],
    combine: Combine,
) -> ir.Table:
    """Combine the rows of facts that have several: texts joined, numbers combined."""
    counts = source_counts(sources)
    several = worded.group_by(KEY).having(worded.count() > 1).agg()
    varied = workspace.keep("varied", several)
    if not number_of(varied):
        return _alone(worded, numbers, sources, combine)
    rest = worded.semi_join(varied, KEY)
    combined = {name: _combined(rest, name, getattr(combine, name), sources) for name in numbers}
    joined = rest.group_by(KEY).agg(
        **{name: _joined(rest[name]) for name in texts},
        **combined,
        **{name: rest[name].sum() for name in counts},
    )
    alone = _alone(worded.anti_join(varied, KEY), numbers, sources, combine)
    return workspace.keep("facts", ibis.union(alone.select(joined.columns), joined))


def _alone(
    facts: ir.Table, numbers: Sequence[str], sources: Sequence[str], combine: Combine
) -> ir.Table:
    """Facts whose records have equal texts and numbers."""
    return facts.mutate(
        **{
            name: _rounded(facts[name] * _records(facts, sources))
            if getattr(combine, name) == "sum"
            else _rounded(facts[name])
            if getattr(combine, name) == "mean"
            else facts[name]
            for name in numbers
        }
    )


def _rounded(value: ir.FloatingValue) -> ir.FloatingValue:
    """Rounded to 6 decimals, below 1e-3 to 15 decimals, below 1e-9 not at all."""
    finer = (value * _FINER).round(_DECIMALS) / _FINER
    return ibis.cases(
        (value.abs() >= _SMALL, value.round(_DECIMALS)),
        (value.abs() >= _SMALLEST, finer),
        else_=value,
    )


def _records(facts: ir.Table, sources: Sequence[str]) -> ir.IntegerValue:
    return functools.reduce(operator.add, (facts[name] for name in source_counts(sources)))


def _combined(
    rows: ir.Table, name: str, how: Combination, sources: Sequence[str]
) -> ir.FloatingValue:
    """One number of the rows of a fact; null where none has one."""
    value, records = rows[name], _records(rows, sources)
    match how:
        case "mean":
            count = records.sum(where=value.notnull())
            return _rounded(_sum(value * records) / count)
        case "sum":
            return _rounded(_sum(value * records))
        case "max":
            return value.max()
        case "min":
            return value.min()
        case "first":
            filled = value.fill_null(0.0)
            first = least(
                value.isnull().cast("int8"), first_source(rows, sources), -filled, filled
            )
            return ibis.ifelse(value.notnull().any(), first, ibis.null("float64"))


def _sum(value: ir.FloatingValue) -> ir.FloatingValue:
    """The sum in the order of the values: in another order its last digit may be another one."""
    total: ir.FloatingValue = value.collect().sort().sums()
    return total


def _used(assertions: ir.Table) -> set[str]:
    """Evidence columns that any assertion fills."""
    filled = assertions.agg(
        **{name: assertions[name].notnull().any() for name in (*_SEVERAL, *_NUMBERS)}
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
    edges = facts.filter(facts.relation == relation)
    edges = edges.mutate(
        head=edges.head_node,
        tail=edges.tail_node,
        sources=source_names(edges, sources),
        method=ibis.null(str),
        score=ibis.null("float64"),
        flags=ibis.null(str),
        discrimination=ibis.null("float64"),
        likelihood=ibis.null("float64"),
        layer=ibis.null(str),
    )
    return edges.select(**{c.name: _declared(edges[c.name], c) for c in EDGE_COLUMNS}).order_by(
        "head", "tail"
    )


def _declared(values: ir.Column, column: Column) -> ir.Value:
    """A column with its declared nullability, and no -0.0, which the engines order otherwise.

    Parquet files say whether a column can have missing values, and an engine derives that from
    all relations that it works on; this way equal rows give equal bytes.
    """
    if column.required or column.kind is Kind.STRINGS:
        return values
    return values.nullif("\0") if column.kind is Kind.STRING else (values + 0.0).nullif(math.nan)


def _allowed() -> Iterator[tuple[str, str, str]]:
    for relation in RELATION_TYPES.values():
        for head in NODE_TYPES:
            for tail in NODE_TYPES:
                fits = head in relation.domain and tail in relation.range
                if fits and (head == tail or not relation.same_type):
                    yield relation.name, head, tail

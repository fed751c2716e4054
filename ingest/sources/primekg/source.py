"""PrimeKG: kg.csv, 12 columns, every edge twice (Chandak et al., Scientific Data 2023).

Both rows of an edge give the same assertion, which the merge then counts once;
``relations`` says how heads are told from tails. A grouped disease
(``10079_16781_16207``) exists in no ontology: it has a name and no id, and one
HAS_XREF assertion for each member, given by the first row that mentions it.
"""

from collections.abc import Mapping as MappingOf
from pathlib import Path
from typing import Final, Literal

import ibis
import ibis.expr.types as ir
import pyarrow as pa
from pydantic import BaseModel, Field

from ingest.sources.engine import DEFAULT_RESOURCES, Resources, table_engine
from ingest.sources.formats.delimited import (
    NUMBER,
    UNREADABLE,
    Dialect,
    delimited_rows,
)
from ingest.sources.kind import SourceKind
from ingest.sources.primekg.relations import GROUPED, IDENTIFIERS, MAPPINGS, TYPES
from ingest.sources.writing import (
    ReadResult,
    as_assertions,
    as_json,
    as_quarantine,
    counted,
    published,
    unreadable,
    write_tables,
)
from kg.progress import Progress
from kg.vocabulary import RELATION_TYPES

COLUMNS: Final = (
    *("relation", "display_relation"),
    *("x_index", "x_id", "x_type", "x_name", "x_source"),
    *("y_index", "y_id", "y_type", "y_name", "y_source"),
)

_HIERARCHIES: Final = tuple(m for m in MAPPINGS if m.name == "IS_A")
_LOST_DIRECTION: Final = (
    "a hierarchy's direction can be told only by the order of the rows as PrimeKG publishes "
    "them, all edges first and then all of them turned round; this file has another order"
)
_KIND: Final = ("relation", "display_relation", "x_type", "y_type")


class PrimeKgSource(BaseModel, frozen=True, extra="forbid"):
    """PrimeKG as downloaded."""

    kind: Literal["primekg"]
    name: str = Field(default="primekg", pattern=r"^[a-z0-9][a-z0-9_-]*$")
    """Names the source in the graph."""
    file: Path
    """``kg.csv``, plain or .gz."""


def files(source: PrimeKgSource) -> tuple[Path, ...]:
    """The input files."""
    return (source.file,)


def read(
    source: PrimeKgSource, out: Path, progress: Progress, resources: Resources = DEFAULT_RESOURCES
) -> ReadResult:
    """Write ``assertions.parquet`` and ``quarantine.parquet`` into ``out``.

    Raises:
        SourceError: the file cannot be read as PrimeKG, or ``out`` not be written.
    """
    with (
        published(out, source.name) as folder,
        progress.step(f"read {source.name}", 2) as advance,
        table_engine(folder / "work", resources) as engine,
    ):
        rows = delimited_rows(engine, source.file, COLUMNS, Dialect(), folder / "work")
        advance(1)
        made = {"source": source.name, "file": source.file.name}
        edges = rows.good.select(*COLUMNS, row=rows.good[NUMBER])
        edges = edges.mutate(original_relation=_original_relation(edges))
        rows_read = counted(edges, edges.original_relation)
        rows_read |= counted(rows.bad, ibis.literal(UNREADABLE))
        mapped, unmapped = _mapped(edges)
        quarantine = ibis.union(
            _quarantine(unmapped, made),
            unreadable(rows.bad, {**made, "original_relation": UNREADABLE}),
        )
        assertions = ibis.union(_facts(mapped, made), _members(mapped, made))
        write_tables(engine, assertions, quarantine, folder)
        advance(1)
    return ReadResult(rows_read)


def _mapped(edges: ir.Table) -> tuple[ir.Table, ir.Table]:
    """Rows with what their relation says, and those that say nothing with the ``reason``."""
    directions = _directions()
    if _in_published_order(edges):
        unmapped = edges.anti_join(directions, _KIND)
        return edges.join(directions, _KIND), unmapped.mutate(reason=_why_unmapped(unmapped))
    told = directions.filter(~directions.hierarchy)
    unmapped = edges.anti_join(told, _KIND)
    lost = unmapped.relation.fill_null("").isin([m.relation for m in _HIERARCHIES])
    reason = ibis.ifelse(lost, ibis.literal(_LOST_DIRECTION), _why_unmapped(unmapped))
    return edges.join(told, _KIND), unmapped.mutate(reason=reason)


def _original_relation(rows: ir.Table) -> ir.Value:
    relation = rows.relation.fill_null("no relation")
    display = rows.display_relation.fill_null(relation)
    return ibis.ifelse(relation == display, relation, relation + " " + display)


def _in_published_order(edges: ir.Table) -> bool:
    """Whether edges whose types tell their direction stand all forward, then all backward."""
    typed = pa.Table.from_pylist(
        [
            {"relation": m.relation, "first": m.head}
            for m in MAPPINGS
            if m.head_stands_first and m.head != m.tail
        ]
    )
    known = edges.join(ibis.memtable(typed).distinct(), "relation")
    forward = known.x_type == known.first
    ends = known.agg(last=known.row.max(where=forward), first=known.row.min(where=~forward))
    (end,) = ends.to_pyarrow().to_pylist()
    return end["last"] is None or end["first"] is None or end["last"] < end["first"]


def _directions() -> ir.Table:
    """Every mapping, once for either order of its two types."""
    rows: dict[tuple[str, ...], dict[str, object]] = {}
    for m in MAPPINGS:
        for x, y in ((m.head, m.tail), (m.tail, m.head)):
            key = (m.relation, m.display_relation, x, y)
            rows.setdefault(
                key,
                {
                    **dict(zip(_KIND, key, strict=True)),
                    "name": m.name,
                    "head_type": TYPES[m.head],
                    "tail_type": TYPES[m.tail],
                    "turned": x != m.head,
                    "symmetric": m.head == m.tail and RELATION_TYPES[m.name].symmetric,
                    "hierarchy": m.name == "IS_A",
                    "child_first": bool(m.head_stands_first),
                },
            )
    return ibis.memtable(pa.Table.from_pylist(list(rows.values())))


def _facts(mapped: ir.Table, made: MappingOf[str, str]) -> ir.Table:
    first = _first_rows(mapped.filter(mapped.hierarchy))
    plain = mapped.filter(~mapped.hierarchy)
    turned = ibis.ifelse(plain.symmetric, _curie(plain, "x") > _curie(plain, "y"), plain.turned)
    # the first row of a pair has the original direction, its other row has not
    child_is_x = (first.x_here == first.x_of_first) == first.child_first
    return ibis.union(
        _assertions(plain.mutate(turned=turned), made),
        _assertions(first.mutate(turned=~child_is_x), made),
    )


def _first_rows(pairs: ir.Table) -> ir.Table:
    """Add ``x_of_first``, the x of the first row that has the same two ends, and ``x_here``."""
    # an empty id is a problem of the assertion, not a reason to lose the row here
    pairs = pairs.mutate(x_here=pairs.x_id.fill_null(""), y_here=pairs.y_id.fill_null(""))
    pairs = pairs.mutate(
        lower=ibis.least(pairs.x_here, pairs.y_here),
        upper=ibis.greatest(pairs.x_here, pairs.y_here),
    )
    keys = ["relation", "lower", "upper"]
    firsts = pairs.group_by(keys).agg(x_of_first=pairs.x_here.argmin(pairs.row))
    return pairs.join(firsts, keys)


def _assertions(edges: ir.Table, made: MappingOf[str, str]) -> ir.Table:
    sides = edges.mutate(
        x_curie=_curie(edges, "x"),
        y_curie=_curie(edges, "y"),
        problem=ibis.coalesce(_problem(edges, "x"), _problem(edges, "y")),
    )

    def either(if_turned: str, if_not: str) -> ir.Value:
        return ibis.ifelse(sides.turned, sides[if_turned], sides[if_not])

    return as_assertions(
        sides,
        {
            **made,
            "row": sides.row,
            "original_relation": sides.original_relation,
            "head": either("y_curie", "x_curie"),
            "head_type": sides.head_type,
            "head_name": either("y_name", "x_name"),
            "relation": sides.name,
            "tail": either("x_curie", "y_curie"),
            "tail_type": sides.tail_type,
            "tail_name": either("x_name", "y_name"),
            "problem": sides.problem,
        },
    )


def _curie(edges: ir.Table, side: str) -> ir.Value:
    """Null for a group; for an unknown source the id as written, which is then a problem."""
    source, local = edges[f"{side}_source"], edges[f"{side}_id"]
    cases = [(source == GROUPED, ibis.null("string"))]
    for name, ids in IDENTIFIERS.items():
        # lpad would cut a longer id; _problem refuses it
        padded = local.lpad(ids.digits, "0") if ids.digits else local
        cases.append((source == name, ibis.literal(f"{ids.prefix}:") + padded))
    return ibis.cases(*cases, else_=local)


def _problem(edges: ir.Table, side: str) -> ir.Value:
    source, local = edges[f"{side}_source"], edges[f"{side}_id"].fill_null("")
    shown = ibis.literal("'") + local.substr(0, 200) + "' is not an id of "
    cases = []
    for name, ids in {GROUPED: None, **IDENTIFIERS}.items():
        pattern = ids.pattern if ids else "[0-9]{1,7}(_[0-9]{1,7})+"
        cases.append((source == name, ~local.re_search(f"^(?:{pattern})$")))
    malformed = ibis.cases(*cases, else_=ibis.literal(True))
    return ibis.ifelse(malformed, shown + source.fill_null("a source"), ibis.null("string"))


def _members(mapped: ir.Table, made: MappingOf[str, str]) -> ir.Table:
    """HAS_XREF assertions: each group's members, in the first row that has the group."""
    sides = [
        mapped.filter(mapped[f"{side}_source"] == GROUPED).select(
            "row",
            "original_relation",
            group=mapped[f"{side}_id"],
            group_name=mapped[f"{side}_name"],
        )
        for side in "xy"
    ]
    groups = ibis.union(*sides)
    groups = groups.group_by("group", "group_name").agg(
        row=groups.row.min(), original_relation=groups.original_relation.argmin(groups.row)
    )
    members = groups.mutate(member=groups.group.split("_")).unnest("member")
    malformed = ~members.member.re_search(f"^(?:{IDENTIFIERS['MONDO'].pattern})$")
    told = ibis.literal("'") + members.member.substr(0, 200) + "' is not an id of MONDO"
    return as_assertions(
        members,
        {
            **made,
            "row": members.row,
            "original_relation": members.original_relation,
            "head_type": "Disease",
            "head_name": members.group_name,
            "relation": "HAS_XREF",
            "value": ibis.literal("MONDO:") + members.member.lpad(7, "0"),
            "problem": ibis.ifelse(malformed, told, ibis.null("string")),
        },
    )


def _why_unmapped(edges: ir.Table) -> ir.Value:
    def shown(column: str) -> ir.Value:
        return ibis.literal("'") + edges[column].fill_null("").substr(0, 200) + "'"

    return (
        ibis.literal("PrimeKG has no relation ")
        + shown("relation")
        + ", "
        + shown("display_relation")
        + " between "
        + shown("x_type")
        + " and "
        + shown("y_type")
    )


def _quarantine(unmapped: ir.Table, made: MappingOf[str, str]) -> ir.Table:
    return as_quarantine(
        unmapped,
        {
            **made,
            "row": unmapped.row,
            "original_relation": unmapped.original_relation,
            "reason": unmapped.reason,
            "record": as_json(unmapped, COLUMNS),
        },
    )


KIND: Final = SourceKind(
    title="PrimeKG, a knowledge graph for precision medicine",
    licence="CC0 1.0 for the compilation; its 20 sources keep their own terms",
    citation=(
        "Chandak, Huang, Zitnik. Building a knowledge graph to enable precision "
        "medicine. Scientific Data 2023;10:67"
    ),
    needs=("kg.csv",),
    obtained="Harvard Dataverse, data set doi:10.7910/DVN/IXA7BM",
    files=files,
    read=read,
)

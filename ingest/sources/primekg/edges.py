"""kg.csv: 12 columns, every edge twice.

Both rows of an edge give the same assertion, which the merge then counts once. Hierarchies
(``parent-child`` between nodes of one type) lose their direction by this; but PrimeKG is
made as all edges in the direction of their origin first, then all of them turned round, so
the first row of a pair has the original direction. A grouped disease
(``10079_16781_16207``) exists in no ontology: it has a name and no id, and one HAS_XREF
assertion for each member, given by the first row that mentions it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import ibis
import ibis.expr.types as ir

from ingest.sources.formats.delimited import NUMBER, Rows
from ingest.sources.pairs import KEY, directions, pair_assertions, why_unmapped
from ingest.sources.parts import Part, quarantined, rows_of
from ingest.sources.primekg.identifiers import GROUPED, curie, group_members, problem
from ingest.sources.relations import RelationMap
from ingest.sources.writing import as_assertions, as_json
from kg.vocabulary import RELATION_TYPES

COLUMNS: Final = (
    *("relation", "display_relation"),
    *("x_index", "x_id", "x_type", "x_name", "x_source"),
    *("y_index", "y_id", "y_type", "y_name", "y_source"),
)

_EITHER_END_FIRST: Final = ("disease_phenotype_positive", "disease_phenotype_negative")
"""Relations whose edges do not all begin with the same type before they are turned round."""

_LOST_DIRECTION: Final = (
    "a hierarchy's direction can be told only by the order of the rows as PrimeKG publishes "
    "them, all edges first and then all of them turned round; this file has another order"
)
_UNKNOWN_DIRECTION: Final = "which end is the parent is not told where an edge stands only once"


@dataclass(frozen=True)
class EdgeFile:
    """How the edges of a file are to be read."""

    made: Mapping[str, str]
    """``source`` and ``file``."""
    relations: RelationMap
    types: Mapping[str, str]
    """Node types of the graph by the file's."""
    twice: bool = True
    """Every edge stands there twice, in PrimeKG's order; else once, with no order in it."""


def edge_part(rows: Rows, file: EdgeFile) -> Part:
    """Assertions from the edges.

    Args:
        rows: with ``COLUMNS``, but for the indexes, and ``publications`` if there are any.
        file: how they are to be read.
    """
    good = rows.good
    used = [name for name in good.columns if name in (*COLUMNS, "publications")]
    edges = good.select(*used, row=good[NUMBER]).mutate(original_relation=_original_relation(good))
    mapped, unmapped = _mapped(edges, file)
    columns = [name for name in COLUMNS if name in unmapped.columns]
    refused = unmapped.mutate(record=as_json(unmapped, columns))
    return Part(
        (_facts(mapped, file), _members(mapped, file.made)),
        (quarantined(refused, rows.bad, file.made),),
        rows_of(edges, rows.bad),
    )


def _original_relation(rows: ir.Table) -> ir.Value:
    relation = rows.relation.fill_null("no relation")
    display = rows.display_relation.fill_null(relation)
    return ibis.ifelse(relation == display, relation, relation + " " + display)


def _mapped(edges: ir.Table, file: EdgeFile) -> tuple[ir.Table, ir.Table]:
    """Rows with their relation, and rows that cannot be used with the ``reason``."""
    meanings = directions(file.relations, file.types, either_end_first=True)
    meanings = meanings.mutate(
        hierarchy=meanings.relation == "IS_A",
        symmetric=meanings.relation.isin([r.name for r in RELATION_TYPES.values() if r.symmetric])
        & (meanings.head_type == meanings.tail_type),
    ).rename(meant="relation")
    if file.twice and _in_published_order(edges, meanings):
        unmapped = edges.anti_join(meanings, KEY)
        reason = why_unmapped(unmapped, file.relations, file.types)
        return edges.join(meanings, KEY), unmapped.mutate(reason=reason)
    without_hierarchies = meanings.filter(~meanings.hierarchy)
    unmapped = edges.anti_join(without_hierarchies, KEY)
    is_hierarchy = unmapped.original_relation.isin(
        [
            word
            for word, (mapped, *_) in file.relations.relations.items()
            if mapped.relation == "IS_A"
        ]
    )
    no_direction = ibis.literal(_LOST_DIRECTION if file.twice else _UNKNOWN_DIRECTION)
    reason = ibis.ifelse(
        is_hierarchy, no_direction, why_unmapped(unmapped, file.relations, file.types)
    )
    return edges.join(without_hierarchies, KEY), unmapped.mutate(reason=reason)


def _in_published_order(edges: ir.Table, meanings: ir.Table) -> bool:
    """Whether edges with a direction by their types are first all forward, then all backward."""
    typed = meanings.filter((meanings.head_type != meanings.tail_type) & ~meanings.inverted)
    firsts = typed.select("original_relation", first_type="x_type")
    rows = edges.filter(edges.relation.notin(_EITHER_END_FIRST)).join(firsts, "original_relation")
    forward = rows.x_type == rows.first_type
    ends = rows.agg(last=rows.row.max(where=forward), first=rows.row.min(where=~forward))
    (end,) = ends.to_pyarrow().to_pylist()
    return end["last"] is None or end["first"] is None or end["last"] < end["first"]


def _facts(mapped: ir.Table, file: EdgeFile) -> ir.Table:
    plain = mapped.filter(~mapped.hierarchy)
    swapped = _curie(plain, "x") > _curie(plain, "y")
    facts = _assertions(
        plain.mutate(inverted=ibis.ifelse(plain.symmetric, swapped, plain.inverted)), file
    )
    if not file.twice:
        return facts
    first = _first_rows(mapped.filter(mapped.hierarchy))
    # the first row of a pair has the original direction, its other row has not
    inverted = ibis.ifelse(first.x_here == first.x_of_first, first.inverted, ~first.inverted)
    return ibis.union(facts, _assertions(first.mutate(inverted=inverted), file))


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


def _assertions(edges: ir.Table, file: EdgeFile) -> ir.Table:
    wrong = [problem(edges[f"{side}_source"], edges[f"{side}_id"]) for side in "xy"]
    sides = edges.mutate(x=_curie(edges, "x"), y=_curie(edges, "y"), problem=ibis.coalesce(*wrong))
    sides = sides.mutate(relation=sides.meant)
    columns = {**file.made, "problem": sides.problem}
    if "publications" in sides.columns:
        columns["publications"] = sides.publications
    return pair_assertions(sides, columns)


def _curie(edges: ir.Table, side: str) -> ir.Value:
    return curie(edges[f"{side}_source"], edges[f"{side}_id"])


def _members(mapped: ir.Table, made: Mapping[str, str]) -> ir.Table:
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
    members = group_members(groups)
    return as_assertions(
        members,
        {
            **made,
            "row": members.row,
            "original_relation": members.original_relation,
            "head_type": "Disease",
            "head_name": members.group_name,
            "relation": "HAS_XREF",
            "value": members["value"],
            "problem": members.problem,
        },
    )

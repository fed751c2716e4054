"""Whom the assertions speak of: every id and name of them, resolved to one node each."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import ibis
import ibis.expr.types as ir
import pyarrow as pa

from ingest.identity import Candidate, Merged, Refused, mint, same_nodes
from kg.vocabulary import ATTRIBUTES, NODE_TYPES

_OWN_NAME, _NAME_BESIDE_ID, SYNONYM = range(3)
"""Ranks of a name: what a source calls the node, what it writes beside the id, another name."""


@dataclass(frozen=True)
class Mentions:
    """The nodes behind the mentions; tables of one connection."""

    minted: ir.Table
    """``type, key, id``: an id for each name (key) that came without one, minted or linked."""
    own_names: ir.Table
    """``id, type, names``: the preferred names, one a language, by which ids are compared."""
    same: ir.Table
    """``id, node``: ids that became part of another node."""
    nodes: ir.Table
    """``node, type, position``: a row for each source (its position) that mentions the node."""
    names: ir.Table
    """``node, language, name, rank, position``: every name of every node."""
    merged: list[Merged]
    refused: list[Refused]
    types_in_conflict: int
    """Ids that sources file under different types; the earliest source decides."""

    def only(self, con: ibis.BaseBackend, *standing: ir.Table) -> Self:
        """The mentions of the nodes in ``standing`` (tables of one column, ``node``)."""
        nodes = ibis.union(*standing, distinct=True)
        return replace(
            self,
            nodes=con.create_table("standing", self.nodes.semi_join(nodes, "node"), temp=True),
            names=self.names.semi_join(nodes, "node"),
        )

    def types(self) -> ir.Table:
        """``node, type``, each node once."""
        return self.nodes.select("node", "type").distinct()

    def resolve(self, assertions: ir.Table) -> ir.Table:
        """Add ``head_node`` and ``tail_node``: null where the end has no id and no usable name."""
        for end in ("head", "tail"):
            assertions = self._resolve(assertions, end)
        return assertions

    def _resolve(self, table: ir.Table, end: str) -> ir.Table:
        node = table[end]
        drop = []
        # Joins over millions of rows that would find nothing are left out.
        if not _is_empty(self.minted):
            minted = self.minted.rename(of_type="type", of_key="key", minted_id="id")
            key = ibis.ifelse(node.isnull(), table[f"{end}_name"], ibis.null(str))
            table = table.left_join(
                minted, [key == minted.of_key, table[f"{end}_type"] == minted.of_type]
            )
            node = ibis.coalesce(table[end], table.minted_id)
            drop += ["of_type", "of_key", "minted_id"]
        if self.merged:
            same = self.same.rename(same_id="id", same_node="node")
            table = table.mutate(own_id=node).left_join(same, same.same_id == node)
            node = ibis.coalesce(table.same_node, table.own_id)
            drop += ["own_id", "same_id", "same_node"]
        return table.mutate(node.name(f"{end}_node")).drop(*drop)


def find_ends(con: ibis.BaseBackend, assertions: ir.Table, sources: Sequence[str]) -> ir.Table:
    """Every id and name at an end of an assertion, each once.

    Args:
        con: makes the table.
        assertions: those without a problem.
        sources: in their order; a name or type of an earlier one goes before a later one's.

    Returns:
        ``id, type, key, name, language, rank, position``: ``key`` is the name that stands
        for a missing id, ``position`` that of the source.
    """
    ends = _ends(assertions)
    position = case(ends.source, {source: at for at, source in enumerate(sources)})
    table = ends.mutate(position=position.cast("int8")).drop("source")
    return con.create_table("ends", table, temp=True)


def identify(con: ibis.BaseBackend, ends: ir.Table, stage: str = "") -> Mentions:
    """Resolve whom ``ends`` speak of.

    Args:
        con: makes the tables.
        ends: as ``find_ends`` gives them; one with a key may have an id by now, the same
            for all that have this key and type.
        stage: goes into the names of the tables, of which a connection has one each.
    """

    def keep(name: str, table: ir.Table) -> ir.Table:
        return con.create_table(f"{stage}{name}", table, temp=True)

    minted = keep("minted", _mint(ends))
    ends = keep("identified_ends", _identified(ends, minted))
    typed, conflicts = _types(ends)
    typed = keep("typed", typed)
    own_names = _own_names(ends, typed)
    merged, refused = same_nodes(
        Candidate(id_, kind, tuple(names)) for id_, kind, names in rows_of(own_names)
    )
    same = keep("same", strings({"id": [m.id for m in merged], "node": [m.node for m in merged]}))

    def to_nodes(table: ir.Table) -> ir.Table:
        joined = table.left_join(same, same.id == table.id, rname="{name}_same")
        return joined.mutate(node=ibis.coalesce(joined.node, joined.id))

    typed_ends = ends.select("id", "position").distinct().join(typed, "id")
    return Mentions(
        minted=minted,
        own_names=own_names,
        same=same,
        nodes=keep(
            "mentioned", to_nodes(typed_ends).select("node", "type", "position").distinct()
        ),
        names=keep(
            "names",
            to_nodes(ends.filter(ends.name.notnull()))
            .select("node", "language", "name", "rank", "position")
            .distinct(),
        ),
        merged=merged,
        refused=refused,
        types_in_conflict=conflicts,
    )


def _ends(assertions: ir.Table) -> ir.Table:
    """Distinct ``id, type, key, name, language, rank, source``; an end without id has a key."""
    is_attribute = assertions.relation.isin(tuple(ATTRIBUTES))
    edges = assertions.filter(~is_attribute)
    heads = _distinct(edges, id="head", type="head_type", name="head_name")
    tails = _distinct(edges, id="tail", type="tail_type", name="tail_name")
    beside = ibis.union(heads, tails)
    beside = beside.mutate(key=beside.name, rank=ibis.literal(_NAME_BESIDE_ID, "int8"))
    given = _distinct(
        assertions.filter(is_attribute),
        id="head",
        type="head_type",
        key="head_name",
        relation="relation",
        name="value",
    )
    ranks = {"HAS_NAME": _OWN_NAME, "HAS_SYNONYM": SYNONYM}
    given = given.mutate(
        rank=ibis.coalesce(case(given.relation, ranks), SYNONYM).cast("int8"),
        name=ibis.ifelse(given.relation.isin(tuple(ranks)), given.name, ibis.null(str)),
    )
    columns = ("id", "type", "key", "name", "language", "rank", "source")
    ends = ibis.union(beside.select(columns), given.select(columns), distinct=True)
    return ends.mutate(key=ibis.ifelse(ends.id.isnull(), ends.key, ibis.null(str)))


def _distinct(table: ir.Table, **columns: str) -> ir.Table:
    """Some columns under other names, with language and source, each combination once."""
    return (
        table.select(**{name: table[column] for name, column in columns.items()},
                     language=table.language, source=table.source)
        .distinct()
    )  # fmt: skip


def _mint(ends: ir.Table) -> ir.Table:
    """Ids for the keys that were given none; a name that normalises to nothing gets none."""
    keyed = ends.filter(ends.key.notnull()).select("type", "key", "id").distinct()
    ids = {(kind, key): given or mint(kind, key) for kind, key, given in rows_of(keyed)}
    types, keys = zip(*ids, strict=True) if ids else ((), ())
    return strings({"type": types, "key": keys, "id": list(ids.values())})


def _identified(ends: ir.Table, minted: ir.Table) -> ir.Table:
    joined = ends.left_join(minted, ["type", "key"], rname="{name}_minted")
    joined = joined.mutate(id=ibis.coalesce(joined.id, joined.id_minted))
    return joined.filter(joined.id.notnull()).drop("type_minted", "key_minted", "id_minted", "key")


def _types(ends: ir.Table) -> tuple[ir.Table, int]:
    """``id, type``, and how many ids had a choice: the earliest source decides, then precedence."""
    precedence = case(ends.type, {name: i for i, name in enumerate(NODE_TYPES)})
    typed = ends.group_by("id").agg(
        type=ends.type.first(order_by=[ends.position, precedence]), choices=ends.type.nunique()
    )
    conflicts = int(typed.filter(typed.choices > 1).count().execute())
    return typed.drop("choices"), conflicts


def _own_names(ends: ir.Table, typed: ir.Table) -> ir.Table:
    """Each id with its type and its preferred name in each language, ordered by id."""
    named = ends.filter(ends.name.notnull() & (ends["rank"] < SYNONYM))
    own = named.group_by("id", "language").agg(
        name=named.name.first(order_by=[named["rank"], named.position, named.name])
    )
    names = own.group_by("id").agg(names=own.name.collect(order_by=own.language))
    return typed.join(names, "id").order_by("id").select("id", "type", "names")


def case(column: ir.Column, positions: dict[str, int]) -> ir.IntegerValue:
    """The number that ``positions`` gives each value; null for any other."""
    return column.cases(*positions.items())


def _is_empty(table: ir.Table) -> bool:
    return int(table.count().execute()) == 0


def rows_of(table: ir.Table) -> Iterable[tuple[Any, ...]]:
    """The rows of a table, as tuples."""
    for batch in table.to_pyarrow().to_batches():
        yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)


def strings(columns: dict[str, Sequence[str | None]]) -> ir.Table:
    """A table of strings."""
    return ibis.memtable(
        pa.table({name: pa.array(values, pa.string()) for name, values in columns.items()})
    )

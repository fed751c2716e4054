"""The nodes that assertions mention: every id and name, resolved to one node each."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final, Self

import ibis
import ibis.expr.types as ir

from ingest.identity import MINTED_PREFIX, Candidate, Identity, Merged, NameRule, mint
from ingest.joining import same_nodes
from ingest.names import EXACT, LAY, PREFERRED, TRANSLATED, Name
from ingest.picking import least
from ingest.saying import position
from ingest.statements import (
    BRIDGED_NAME,
    BRIDGED_SYNONYM,
    LAY_SYNONYM,
    MAIN_NAME,
    MAKING_NO_NODE,
    NAME_BESIDE_ID,
    NAME_RANKS,
    RELATED_SYNONYM,
    SYNONYM,
    Statements,
)
from ingest.workspace import Workspace, number_of, rows_of, strings
from kg.linking.symbols import is_symbol
from kg.text import normalise
from kg.vocabulary import ATTRIBUTES, NODE_TYPES

_LEVELS: Final = MappingProxyType(
    {
        MAIN_NAME: EXACT,
        NAME_BESIDE_ID: EXACT,
        BRIDGED_NAME: TRANSLATED,
        BRIDGED_SYNONYM: TRANSLATED,
        SYNONYM: EXACT,
        LAY_SYNONYM: LAY,
    }
)
"""Level of a name by its rank, where it is not the preferred name."""


@dataclass(frozen=True)
class Mentions:
    """The nodes behind the mentions; tables of one workspace."""

    minted: ir.Table
    """``type, key, id``: an id for each name (key) that came without one, minted or linked."""
    written: ir.Table
    """``type, key, position``: the names without an id, and the sources that have them."""
    preferred_names: ir.Table
    """``id, type, mentioned, language, name, position``: every id with its preferred name in each
    language; null where it has none."""
    typed: ir.Table
    """``id, type, mentioned``: every id; not mentioned where only mappings have it."""
    same: ir.Table
    """``id, node``: ids that became part of another node."""
    nodes: ir.Table
    """``node, type, position``: a row for each source (its position) that mentions the node."""
    names: ir.Table
    """``node, language, name, rank, position``: every name of every node."""
    normal_names: ir.Table
    """``name, normal``: each of these as ``kg.text.normalise`` leaves it."""
    names_of_others: ir.Table
    """``node, language, name``: aliases of names without an id that are main names of another
    node, and so not taken as names of their own node."""
    identity: Identity
    types_in_conflict: int
    """Ids that sources file under different types; the earliest source decides."""

    def without(self, workspace: Workspace, nodes: ir.Table) -> Self:
        """The mentions without some nodes (a table of one column, ``node``)."""
        return replace(
            self,
            nodes=workspace.keep("standing", self.nodes.anti_join(nodes, "node")),
            names=self.names.anti_join(nodes, "node"),
        )

    def types(self) -> ir.Table:
        """``node, type``, each node once."""
        return self.nodes.select("node", "type").distinct()

    def joined_names(self, sources: Sequence[str]) -> list[Merged]:
        """Names without an id that share a node with another id or name; by id and name.

        Args:
            sources: by position.
        """
        names = self.minted.filter(self.minted.id.notnull())
        names = names.mutate(spellings=names.id.count().over(group_by=names.id))
        names = names.left_join(self.same, names.id == self.same.id, rname="{name}_same")
        names = names.mutate(node=ibis.coalesce(names.node, names.id))
        written = self.written.join(names, ["type", "key"])
        rows = rows_of(
            written.group_by("id", "type", "key", "node", "spellings").agg(
                positions=written.position.collect(distinct=True).sort()
            )
        )
        joined = []
        for id_, type_, name, node, spellings, positions in rows:
            is_linked = id_ != mint(type_, name)
            if is_linked or spellings > 1 or node != id_:
                rule: NameRule = "link" if is_linked else "spelling"
                writers = tuple(sources[position] for position in positions)
                joined.append(Merged(id_, node, rule, normalise(name), writers, type_, name))
        return sorted(joined, key=lambda each: (each.id, each.name or ""))

    def resolve(self, assertions: ir.Table) -> ir.Table:
        """Add ``head_node`` and ``tail_node``: null where the end has no id and no usable name."""
        for end in ("head", "tail"):
            assertions = self._resolve(assertions, end)
        return assertions

    def _resolve(self, table: ir.Table, end: str) -> ir.Table:
        node = table[end]
        drop = []
        # no joins over millions of rows where they would match nothing
        if number_of(self.minted):
            minted = self.minted.rename(of_type="type", of_key="key", minted_id="id")
            key = ibis.ifelse(node.isnull(), table[f"{end}_name"], ibis.null(str))
            table = table.left_join(
                minted, [key == minted.of_key, table[f"{end}_type"] == minted.of_type]
            )
            node = ibis.coalesce(table[end], table.minted_id)
            drop += ["of_type", "of_key", "minted_id"]
        if self.identity.nodes:
            same = self.same.rename(same_id="id", same_node="node")
            table = table.mutate(own_id=node).left_join(same, same.same_id == node)
            node = ibis.coalesce(table.same_node, table.own_id)
            drop += ["own_id", "same_id", "same_node"]
        return table.mutate(node.name(f"{end}_node")).drop(*drop)


def find_ends(assertions: ir.Table) -> ir.Table:
    """Every id and name at an end of an assertion, each once for a relation.

    Args:
        assertions: those without a problem.

    Returns:
        ``id, type, key, name, language, rank, relation, source``: ``key`` is the name
        that stands for a missing id.
    """
    is_attribute = assertions.relation.isin(tuple(ATTRIBUTES))
    edges = assertions.filter(~is_attribute)
    heads = _distinct(edges, id="head", type="head_type", name="head_name")
    tails = _distinct(edges, id="tail", type="tail_type", name="tail_name")
    edge_ends = ibis.union(heads, tails)
    edge_ends = edge_ends.mutate(key=edge_ends.name, rank=ibis.literal(NAME_BESIDE_ID, "int8"))
    attributes = _distinct(
        assertions.filter(is_attribute), id="head", type="head_type", key="head_name", name="value"
    )
    attributes = attributes.mutate(
        rank=ibis.coalesce(attributes.relation.cases(*NAME_RANKS.items()), SYNONYM).cast("int8"),
        name=ibis.ifelse(
            attributes.relation.isin(tuple(NAME_RANKS)), attributes.name, ibis.null(str)
        ),
    )
    columns = ("id", "type", "key", "name", "language", "rank", "relation", "source")
    ends = ibis.union(edge_ends.select(columns), attributes.select(columns), distinct=True)
    return ends.mutate(key=ibis.ifelse(ends.id.isnull(), ends.key, ibis.null(str)))


def with_positions(ends: ir.Table, sources: Sequence[str]) -> ir.Table:
    """The ends with the ``position`` of their source instead of its name.

    A name or type of an earlier one goes before a later one's.
    """
    return ends.mutate(position=position(ends.source, sources)).drop("source")


def identify(
    workspace: Workspace, ends: ir.Table, statements: Statements, sources: Sequence[str]
) -> Mentions:
    """Resolve ``ends`` to nodes.

    Args:
        workspace: keeps the tables.
        ends: of ``find_ends``, with positions; all ends with one key and type have the same
            id (of a link) or none.
        statements: of the same assertions.
        sources: by position.
    """
    minted = workspace.keep("minted", _mint(ends))
    keyed = ends.filter(ends.key.notnull())
    written = workspace.keep("written", keyed.select("type", "key", "position").distinct())
    ends = workspace.keep("identified_ends", _identified(ends, minted))
    typed, conflicts = _types(ends)
    typed = workspace.keep("typed", typed)
    preferred_names = workspace.keep("own_names", _preferred_names(ends, typed))
    named = workspace.keep("named_ids", _named(ends))
    normal = workspace.keep("normal_names", _normal_names(named))
    identity = same_nodes(
        _candidates(typed, named.join(normal, "name"), ends, statements.concepts_of(minted)),
        sources,
        statements.matches_of(minted),
        statements.coded(minted, ends),
        crossed=statements.crossed(),
        graphs=statements.graphs_of_nodes(),
    )
    ids, nodes = zip(*sorted(identity.nodes.items()), strict=True) if identity.nodes else ((), ())
    same = workspace.keep("same", strings({"id": ids, "node": nodes}))
    typed = workspace.keep("retyped", _retyped(typed, identity.retyped))

    def to_nodes(table: ir.Table) -> ir.Table:
        joined = table.left_join(same, same.id == table.id, rname="{name}_same")
        return joined.mutate(node=ibis.coalesce(joined.node, joined.id))

    mentioned = to_nodes(ends.select("id", "position").distinct().join(typed, "id"))
    nodes_mentioned = to_nodes(typed.filter(typed.mentioned)).select("node").distinct()
    names = to_nodes(ends.filter(ends.name.notnull()))
    # a minted id that was merged into a node gives it no preferred name
    joined = names.id.startswith(f"{MINTED_PREFIX}:") & (names.id != names.node)
    names = names.mutate(
        rank=ibis.ifelse(joined, ibis.greatest(names["rank"], BRIDGED_SYNONYM), names["rank"])
    )
    names = workspace.keep("all_names", names)
    names_of_others = workspace.keep("others_names", _names_of_others(names, normal, typed))
    names = names.anti_join(names_of_others, ["node", "language", "name"])
    return Mentions(
        minted=minted,
        written=written,
        preferred_names=preferred_names,
        typed=typed,
        same=same,
        nodes=workspace.keep(
            "mentioned",
            mentioned.select("node", "type", "position")
            .distinct()
            .semi_join(nodes_mentioned, "node"),
        ),
        names=workspace.keep(
            "names", names.select("node", "language", "name", "rank", "position").distinct()
        ),
        normal_names=normal,
        names_of_others=names_of_others,
        identity=identity,
        types_in_conflict=conflicts,
    )


def _names_of_others(names: ir.Table, normal: ir.Table, typed: ir.Table) -> ir.Table:
    """``node, language, name``: aliases of names without an id that are another node's name.

    Args:
        names: ``id, node, language, name, rank``.
        normal: ``name, normal``.
        typed: ``id, type`` of all nodes.
    """
    named = names.join(normal, "name").join(typed.select(node="id", type="type"), "node")
    is_condition = named.type.isin(("Disease", "Symptom"))
    named = named.mutate(
        kind=ibis.ifelse(is_condition, "Disease", named.type),
        is_alias=(named["rank"] >= SYNONYM) & named.id.startswith(f"{MINTED_PREFIX}:"),
    )
    aliases = named.group_by("node", "kind", "language", "name", "normal").having(
        named.is_alias.all()
    )
    aliases = aliases.agg()
    main_names = named.filter(~named.is_alias & (named["rank"] < LAY_SYNONYM))
    main_names = main_names.select("kind", "language", "normal", owner="node").distinct()
    named_otherwise = named.filter(~named.is_alias).select("node").distinct()
    aliases = aliases.semi_join(named_otherwise, "node")
    both = aliases.join(main_names, ["kind", "language", "normal"])
    return both.filter(both.owner != both.node).select("node", "language", "name").distinct()


def _distinct(table: ir.Table, **columns: str) -> ir.Table:
    """Some columns under other names, with language, relation and source; each row once."""
    same = ("language", "relation", "source")
    named = {name: table[column] for name, column in columns.items()}
    return table.select(**named, **{name: table[name] for name in same}).distinct()


def _mint(ends: ir.Table) -> ir.Table:
    """Ids for the keys without one; a name that normalises to nothing gets none."""
    keyed = ends.filter(ends.key.notnull()).select("type", "key", "id").distinct()
    ids = {(type_, key): linked or mint(type_, key) for type_, key, linked in rows_of(keyed)}
    types, keys = zip(*ids, strict=True) if ids else ((), ())
    return strings({"type": types, "key": keys, "id": list(ids.values())})


def _identified(ends: ir.Table, minted: ir.Table) -> ir.Table:
    joined = ends.left_join(minted, ["type", "key"], rname="{name}_minted")
    joined = joined.mutate(id=ibis.coalesce(joined.id, joined.id_minted))
    return joined.filter(joined.id.notnull()).drop("type_minted", "key_minted", "id_minted")


def _types(ends: ir.Table) -> tuple[ir.Table, int]:
    """``id, type, mentioned``, and the number of ids with several types.

    A source that only maps an id decides nothing where another mentions it; then the
    earliest source decides, then precedence.
    """
    is_mapping = ends.relation.isin(MAKING_NO_NODE)
    precedence = ends.type.cases(*((name, at) for at, name in enumerate(NODE_TYPES)))
    typed = ends.group_by("id").agg(
        type=least(is_mapping.cast("int8"), ends.position, precedence, ends.type),
        mentioned=(~is_mapping).any(),
        choices=ends.type.nunique(),
    )
    conflicts = number_of(typed.filter(typed.choices > 1))
    return typed.drop("choices"), conflicts


def _retyped(typed: ir.Table, types: Mapping[str, str]) -> ir.Table:
    """The ids with the types of their nodes."""
    if not types:
        return typed
    ids, node_types = zip(*sorted(types.items()), strict=True)
    joined = typed.left_join(strings({"id": ids, "now": node_types}), "id").drop("id_right")
    return joined.mutate(type=ibis.coalesce(joined.now, joined.type)).drop("now")


def _named(ends: ir.Table) -> ir.Table:
    """``id, language, name, rank, position``: every name of every id at its best rank.

    A name of a list of translations has a row of its own, besides that of other sources.
    """
    named = ends.filter(ends.name.notnull())
    listed = named["rank"].isin((BRIDGED_NAME, BRIDGED_SYNONYM))
    named = named.mutate(listed=listed)
    return named.group_by("id", "language", "name", "listed").agg(
        rank=named["rank"].min(), position=least(named["rank"], named.position)
    )


def _normal_names(named: ir.Table) -> ir.Table:
    """``name, normal``: each name as ``kg.text.normalise`` leaves it."""
    names = named.select("name").distinct().order_by("name").to_pyarrow()["name"].to_pylist()
    return strings({"name": names, "normal": [*map(normalise, names)]})


def _preferred_names(ends: ir.Table, typed: ir.Table) -> ir.Table:
    """Each id with its type and its preferred name in each language."""
    named = ends.filter(ends.name.notnull() & (ends["rank"] < BRIDGED_NAME))
    preferred = named.group_by("id", "language").agg(
        name=least(named["rank"], named.position, named.name),
        position=least(named["rank"], named.position),
    )
    joined = typed.left_join(preferred, "id", rname="{name}_named")
    return joined.select("id", "type", "mentioned", "language", "name", "position")


def _candidates(
    typed: ir.Table, named: ir.Table, ends: ir.Table, concepts: Mapping[str, Collection[str]]
) -> list[Candidate]:
    """Every id with all names by which it may be known.

    Args:
        typed: ``id, type, mentioned``.
        named: ``id, language, name, rank, position, normal``.
        ends: as for ``identify``, identified.
        concepts: the UMLS concepts of ids.
    """
    names: dict[str, list[Name]] = defaultdict(list)
    reliable = named.filter((named["rank"] < RELATED_SYNONYM) & (named.normal != ""))
    columns = ("id", "language", "rank", "position", "name", "normal")
    last = None
    for id_, language, rank, at, text, normal in rows_of(
        reliable.order_by(columns).select(columns)
    ):
        preferred = rank < BRIDGED_NAME and last != (id_, language)
        last = id_, language
        if rank == NAME_BESIDE_ID and not preferred and language == "en":
            continue  # the name that tables of facts write beside an id is often only a part of it
        level = PREFERRED if preferred else _LEVELS[rank]
        is_main = preferred or rank in {BRIDGED_NAME, BRIDGED_SYNONYM}
        names[id_].append(Name(level, language, normal, at, is_main, is_symbol(text)))
    entries: dict[str, set[int]] = defaultdict(set)
    entry_rows = ends.filter((ends["rank"] == MAIN_NAME) & ends.id.startswith(MINTED_PREFIX))
    for id_, at in rows_of(entry_rows.select("id", "position").distinct()):
        entries[id_].add(at)
    return [
        Candidate(
            id_,
            type_,
            tuple(names[id_]),
            mentioned,
            frozenset(entries.get(id_, ())),
            frozenset(concepts.get(id_, ())),
        )
        for id_, type_, mentioned in rows_of(typed)
    ]

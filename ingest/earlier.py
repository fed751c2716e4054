"""The result of an earlier merge, and which of its edges a new one can take over.

The edges of a relation depend only on its assertions, on the nodes of their ends, and on the
types of these nodes. If none of these changed, the edges are the same.
"""

import os
import shutil
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import ibis
import ibis.expr.types as ir

from ingest.accounting import AssertionAccount, Stated
from ingest.home import identities_file
from ingest.mentions import Mentions
from ingest.workspace import Workspace, number_of, rows_of
from kg.tables import GraphTables


@dataclass(frozen=True)
class Earlier:
    """An earlier merge whose files are complete."""

    home: Path
    sources: Mapping[str, str]
    """Fingerprint of what each source's assertions were made from, in the order of sources."""
    accounts: Sequence[AssertionAccount]

    @property
    def tables(self) -> GraphTables:
        """Its graph tables."""
        return GraphTables(self.home / "tables")

    def take_over(self, relations: Collection[str], tables: GraphTables) -> dict[str, int]:
        """Put its edges of some relations into ``tables``; the number of edges by relation."""
        counts = self.tables.summary().edges
        counts_taken_over = {
            relation: counts[relation] for relation in counts if relation in relations
        }
        for relation in counts_taken_over:
            source, target = self.tables.edges(relation), tables.edges(relation)
            try:
                os.link(source, target)
            except OSError:  # a file system without links
                shutil.copyfile(source, target)
        return counts_taken_over

    def first_and_again(self, relations: Collection[str]) -> dict[Stated, tuple[int, int]]:
        """How many facts each source was first to state, and how often it restated one."""
        return {
            (each.source, each.relation): (each.loaded, each.merged)
            for each in self.accounts
            if each.relation in relations
        }


def identities(mentions: Mentions) -> ir.Table:
    """``id`` or ``type, key`` of every end, with ``node`` and ``node_type``, in order."""
    typed = mentions.typed.select("id", "type")
    same = mentions.same
    nodes = typed.left_join(same, same.id == typed.id, rname="{name}_same")
    nodes = nodes.select("id", node=ibis.coalesce(nodes.node, nodes.id), node_type=nodes.type)
    minted = mentions.minted.filter(mentions.minted.id.notnull())
    keyed = minted.join(nodes, "id").select("type", "key", "node", "node_type")
    nothing = ibis.null(str)
    columns = ("id", "type", "key", "node", "node_type")
    both = ibis.union(
        nodes.mutate(type=nothing, key=nothing).select(columns),
        keyed.mutate(id=nothing).select(columns),
    )
    return both.order_by(columns)


def changed_relations(
    workspace: Workspace,
    earlier: Earlier,
    *,
    sources: Mapping[str, str],
    stated: Iterable[Stated],
    ends: ir.Table,
    now: ir.Table,
) -> set[str]:
    """The relations whose edges have to be made again.

    Args:
        workspace: keeps tables.
        earlier: the merge before.
        sources: fingerprints of the sources now, in their order.
        stated: source and relation of all assertions now.
        ends: of ``find_ends``, of all sources now.
        now: ``identities`` now.
    """
    before = _by_relation((each.source, each.relation) for each in earlier.accounts)
    after = _by_relation(stated)
    changed = {
        relation
        for relation in {*before, *after}
        if _fingerprints(before[relation], earlier.sources)
        != _fingerprints(after[relation], sources)
    }
    return changed | _with_changed_ends(workspace, earlier, ends, now)


def _by_relation(stated: Iterable[tuple[str, str]]) -> dict[str, set[str]]:
    sources: dict[str, set[str]] = defaultdict(set)
    for source, relation in stated:
        sources[relation].add(source)
    return sources


def _fingerprints(stating: set[str], sources: Mapping[str, str]) -> list[tuple[str, str]]:
    return [(name, made_from) for name, made_from in sources.items() if name in stating]


def _with_changed_ends(
    workspace: Workspace, earlier: Earlier, ends: ir.Table, now: ir.Table
) -> set[str]:
    """Relations with ends that are now another node, or one of another type."""
    was = workspace.read([identities_file(earlier.home)])
    other = workspace.keep(
        "other_identities", ibis.union(now.difference(was), was.difference(now)).distinct()
    )
    if not number_of(other):
        return set()
    ids = other.filter(other.id.notnull()).select("id").distinct()
    keys = other.filter(other.key.notnull()).select("type", "key").distinct()
    by_id = ends.semi_join(ids, "id").select("relation")
    by_key = ends.semi_join(keys, ["type", "key"]).select("relation")
    return {relation for (relation,) in rows_of(ibis.union(by_id, by_key, distinct=True))}

"""Merges the assertions of all sources into graph tables, with an account of every one.

An assertion is *loaded* when it is the first, by the order of sources, to state
its fact; *merged* when the fact was stated before; *quarantined* when it
cannot be used. A fact is an edge (relation, head, tail) or an attribute value
(node, relation, language, value).

Edges of relations that did not change since an earlier merge are taken over from it.
"""

import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import ibis
import ibis.expr.types as ir
from pydantic import BaseModel, Field

from ingest import edges
from ingest.accounting import (
    AssertionAccount,
    Stated,
    assertion_accounts,
    by_source,
    first_and_again,
)
from ingest.decisions import write_decisions
from ingest.earlier import (
    Earlier,
    changed_relations,
    identities,
)
from ingest.home import LINKS, identities_file, misplaced_file
from ingest.identity import Merged, Refused
from ingest.linking import link
from ingest.links import Link, with_final_nodes, write
from ingest.manifest import checksum
from ingest.mentions import Mentions, identify, with_positions
from ingest.nodes import group_attributes, node_table
from ingest.problems import NAME_OF_OTHER, ORDER, UNNAMED, recorded
from ingest.sources.engine import Resources
from ingest.spark import SparkWorkspace
from ingest.statements import MAKING_NO_NODE, find_statements
from ingest.surveys import survey, usable
from ingest.workspace import Workspace, number_of, rows_of
from kg.progress import Advance, Progress
from kg.tables import GraphTables, TableSummary
from kg.vocabulary import ATTRIBUTES, RELATION_TYPES

_STEPS: Final = 6


@dataclass(frozen=True)
class SourceAssertions:
    """The assertions of one source."""

    file: Path
    """Parquet with ASSERTION_COLUMNS."""
    made_from: str = ""
    """A fingerprint of all that the file depends on; equal fingerprints mean equal rows."""
    survey: Path | None = None
    """Folder that keeps what a merge computes from the file, as long as the file is unchanged."""


class MergeConfig(BaseModel, frozen=True, extra="forbid"):
    """What to merge, and with which resources."""

    assertions: Mapping[str, Path | SourceAssertions] = Field(min_length=1)
    """By source; an earlier source wins a conflict."""
    text_born: frozenset[str] = frozenset()
    """Sources whose names without an id are linked with the nodes of the other sources."""
    combine: edges.Combine = edges.Combine()
    """How the numbers of several records are combined."""
    made_by: str
    """Goes into ``tables.json``."""
    threads: int | None = None
    memory: str = "3GB"
    """Memory of the table engine before it spills to disk."""
    spark: str | None = None
    """Address of a Spark to use instead of DuckDB; the tables are the same."""
    earlier: Earlier | None = None
    """A merge to take edges over from; it was made by this version of medkg."""

    def sources_in_order(self) -> Iterator[tuple[str, SourceAssertions]]:
        """Name and assertions of each source, in order."""
        for name, each in self.assertions.items():
            yield name, SourceAssertions(each) if isinstance(each, Path) else each


@dataclass(frozen=True)
class MergeResult:
    """The tables of a merge, and an account of its assertions."""

    tables: GraphTables
    summary: TableSummary
    accounts: list[AssertionAccount]
    quarantine: Path
    merged: list[Merged]
    refused: list[Refused]
    types_in_conflict: int
    """Ids that sources file under different types; the earliest source decided."""
    links: list[Link]
    """Every text-born name without an id, by source, type and name."""
    taken_over: tuple[str, ...]
    """Relations whose edges are those of the earlier merge."""


def merge(config: MergeConfig, out: Path, progress: Progress) -> MergeResult:
    """Write ``tables/``, ``quarantine.parquet``, ``merges.parquet`` and ``refusals.parquet``.

    Where sources are text-born, ``links.parquet`` too; and a folder for the next merge. All
    goes into the empty folder ``out``.
    """
    work = out / "work"
    try:
        with (
            _workspace(config, work) as workspace,
            progress.step("merge", _STEPS) as advance,
        ):
            return _Merge(workspace, config, out).result(progress, advance)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _workspace(config: MergeConfig, work: Path) -> AbstractContextManager[Workspace]:
    if config.spark is None:
        return Workspace.opened(work, Resources(config.threads, config.memory))
    return SparkWorkspace.on(config.spark, work, config.memory)


@dataclass(frozen=True)
class _Facts:
    """Facts of the usable assertions; edges only of relations that are made anew."""

    attributes: ir.Table
    edges: ir.Table
    edge_counts: dict[str, int]
    """By relation, of all relations."""


class _Merge:
    """One merge; its methods are its steps."""

    def __init__(self, workspace: Workspace, config: MergeConfig, out: Path) -> None:
        self.workspace = workspace
        self.config = config
        self.out = out
        self.tables = GraphTables(out / "tables")
        self.sources = tuple(config.assertions)
        self.surveys = [
            survey(workspace, each.file, each.survey or out / "work" / "surveys" / name)
            for name, each in config.sources_in_order()
        ]

    def result(self, progress: Progress, advance: Advance) -> MergeResult:
        assertions = usable(self.workspace, self.surveys)
        counts = by_source(self.workspace.read([each.assertions for each in self.surveys]))
        mentions, links = self.identify(assertions, progress)
        for each in mentions.identity.close:
            for position in {*each.positions}:
                stated = self.sources[position], edges.CLOSE_MATCH
                counts[stated] = counts.get(stated, 0) + 1
        advance(1)
        taken_over = self.unchanged(counts, mentions)
        is_attribute = assertions.relation.isin(tuple(ATTRIBUTES))
        resolved_attributes = mentions.resolve(assertions.filter(is_attribute))
        attributes = group_attributes(self.workspace, resolved_attributes, self.sources)
        advance(1)
        remade = tuple(relation for relation in RELATION_TYPES if relation not in taken_over)
        grouped = self.edges(
            mentions, assertions.filter(assertions.relation.isin(remade)), taken_over
        )
        facts = _Facts(attributes, grouped, self.write_edges(grouped, taken_over))
        advance(1)
        mentions = self.standing(mentions, facts)
        facts = self.write_quarantine(mentions, facts, resolved_attributes)
        advance(1)
        summary = self.write_nodes(mentions, facts)
        merged = self.merged(mentions, links)
        write_decisions(merged, mentions.identity.refused, self.out)
        if self.config.text_born:
            write(links, self.out / LINKS)
        advance(1)
        accounts = self.accounts(counts, facts, taken_over)
        advance(1)
        return MergeResult(
            self.tables,
            summary,
            accounts,
            self.quarantine,
            merged,
            mentions.identity.refused,
            mentions.types_in_conflict,
            links,
            tuple(sorted(taken_over)),
        )

    @property
    def quarantine(self) -> Path:
        return self.out / "quarantine.parquet"

    def ends(self) -> ir.Table:
        return self.workspace.read([each.ends for each in self.surveys])

    def identify(self, assertions: ir.Table, progress: Progress) -> tuple[Mentions, list[Link]]:
        """The nodes that the assertions mention, after text-born names were linked."""
        statements = find_statements(self.workspace, assertions, self.sources)
        ends = self.workspace.keep("ends", with_positions(self.ends(), self.sources))
        text_born, links = self.config.text_born, list[Link]()
        if text_born:
            ends, links = link(
                self.workspace,
                ends,
                statements,
                self.sources,
                text_born=text_born,
                progress=progress,
            )
        mentions = identify(self.workspace, ends, statements, self.sources)
        return mentions, with_final_nodes(links, mentions.identity.nodes)

    def merged(self, mentions: Mentions, links: Sequence[Link]) -> list[Merged]:
        """Every id and every name that was merged into a node, with the reason."""
        methods = {(each.type, each.name): f"{each.method}: {each.matched}" for each in links}
        names = [
            replace(each, evidence=methods.get((each.type or "", each.name or ""), each.evidence))
            if each.rule == "link"
            else each
            for each in mentions.joined_names(self.sources)
        ]
        return sorted(
            [*mentions.identity.merged, *names], key=lambda each: (each.id, each.name or "")
        )

    def unchanged(self, counts: Mapping[Stated, int], mentions: Mentions) -> frozenset[str]:
        """The relations whose edges are the same as in the earlier merge."""
        identities_file(self.out).parent.mkdir()
        now = self.workspace.keep("identities", identities(mentions))
        self.workspace.write(now.order_by(now.columns), identities_file(self.out))
        earlier = self.config.earlier
        if earlier is None:
            return frozenset()
        changed = changed_relations(
            self.workspace,
            earlier,
            sources={name: each.made_from for name, each in self.config.sources_in_order()},
            stated=counts,
            ends=self.ends(),
            now=now,
        )
        stated = {relation for _, relation in counts} & RELATION_TYPES.keys()
        return frozenset(stated - changed - {edges.CLOSE_MATCH})

    def edges(
        self, mentions: Mentions, assertions: ir.Table, taken_over: frozenset[str]
    ) -> ir.Table:
        """The facts whose ends fit their relations; the others are written as misplaced."""
        resolved = mentions.resolve(assertions)
        if close := mentions.identity.close:
            close_match_rows = edges.close_matches(resolved, close, self.sources)
            resolved = ibis.union(resolved, close_match_rows)
        directed = edges.directed(resolved)
        grouped = edges.group(self.workspace, directed, self.sources, self.config.combine)
        misplaced = self.workspace.keep("misplaced", edges.misplaced(grouped, mentions.types()))
        records = _misplaced(directed, misplaced)
        if self.config.earlier is not None:
            before = self.workspace.read([misplaced_file(self.config.earlier.home)])
            records = ibis.union(before.filter(before.relation.isin(tuple(taken_over))), records)
        records = self.workspace.keep("misplaced_records", records)
        self.workspace.write(records.order_by(*ORDER), misplaced_file(self.out))
        if not number_of(misplaced):
            return grouped
        return self.workspace.keep("placed", grouped.anti_join(misplaced, edges.KEY))

    def write_edges(self, grouped: ir.Table, taken_over: frozenset[str]) -> dict[str, int]:
        """Write each relation's edges, or take them over; their number by relation."""
        (self.tables.folder / "edges").mkdir(parents=True)
        counts = _counts(grouped, "relation")
        for relation in counts:
            table = edges.edge_table(grouped, relation, self.sources)
            self.workspace.write(table, self.tables.edges(relation))
        if self.config.earlier is not None:
            counts |= self.config.earlier.take_over(taken_over, self.tables)
        return dict(sorted(counts.items()))

    def standing(self, mentions: Mentions, facts: _Facts) -> Mentions:
        """The mentions without nodes that are left with no edge and no attribute.

        Mappings do not count as attributes here.
        """
        misplaced = self.workspace.read([misplaced_file(self.out)])
        if not number_of(misplaced):
            return mentions
        at_risk = ibis.union(
            misplaced.select(node="head_node"), misplaced.select(node="tail_node"), distinct=True
        )
        with_nodes = facts.attributes.filter(facts.attributes.relation.notin(MAKING_NO_NODE))
        standing = [with_nodes.select("node")]
        if facts.edge_counts:
            files = [self.tables.edges(relation) for relation in facts.edge_counts]
            table = self.workspace.read(files)
            standing += [table.select(node="head"), table.select(node="tail")]
        without_facts = at_risk
        for nodes in standing:
            without_facts = without_facts.anti_join(nodes, "node")
        return mentions.without(self.workspace, self.workspace.keep("fallen", without_facts))

    def write_quarantine(self, mentions: Mentions, facts: _Facts, stated: ir.Table) -> _Facts:
        """Write what cannot be used; return the facts without attributes of missing nodes."""
        broken = self.workspace.read([each.broken for each in self.surveys])
        misplaced = self.workspace.read([misplaced_file(self.out)])
        parts = [broken, misplaced.select(broken.columns)]
        nodes = mentions.types()
        attributes = self.workspace.keep(
            "standing_attributes", facts.attributes.semi_join(nodes, "node")
        )
        if number_of(attributes) != number_of(facts.attributes):
            unnamed = stated.anti_join(nodes, stated.head_node == nodes.node)
            parts.append(recorded(unnamed, ibis.literal(UNNAMED)).select(broken.columns))
        names_of_others = mentions.names_of_others.mutate(relation=ibis.literal("HAS_SYNONYM"))
        names_of_others = names_of_others.rename(value="name")
        if number_of(names_of_others):
            key = ["node", "language", "relation", "value"]
            attributes = self.workspace.keep(
                "own_attributes", attributes.anti_join(names_of_others, key)
            )
            quarantined = stated.rename(node="head_node").semi_join(names_of_others, key)
            quarantined = quarantined.semi_join(nodes, "node")
            parts.append(recorded(quarantined, ibis.literal(NAME_OF_OTHER)).select(broken.columns))
        self.workspace.write(ibis.union(*parts).order_by(*ORDER), self.quarantine)
        return replace(facts, attributes=attributes)

    def write_nodes(self, mentions: Mentions, facts: _Facts) -> TableSummary:
        """Write nodes, then the summary."""
        nodes = node_table(self.workspace, mentions, facts.attributes, self.sources)
        self.workspace.write(nodes, self.tables.nodes)
        files = [self.tables.nodes, *map(self.tables.edges, facts.edge_counts)]
        summary = TableSummary(
            name="medkg",
            checksum=checksum(*files),
            nodes=_counts(mentions.types(), "type"),
            edges=facts.edge_counts,
            combined=self.config.combine.model_dump(),
            made_by=self.config.made_by,
        )
        self.tables.write_summary(summary)
        return summary

    def accounts(
        self, counts: Mapping[Stated, int], facts: _Facts, taken_over: frozenset[str]
    ) -> list[AssertionAccount]:
        """Count assertions as read, in the facts, and in quarantine, each independently."""
        stated = first_and_again(facts.attributes, self.sources)
        stated |= first_and_again(facts.edges, self.sources)
        if self.config.earlier is not None:
            stated |= self.config.earlier.first_and_again(taken_over)
        quarantined = by_source(self.workspace.read([self.quarantine]))
        return assertion_accounts(counts, stated, quarantined)


def _misplaced(assertions: ir.Table, misplaced: ir.Table) -> ir.Table:
    """The records of assertions whose ends do not fit, and the nodes of their ends."""
    wrong = assertions.drop("head_type", "tail_type", "problem").join(misplaced, edges.KEY)
    reason = ibis.literal("ends that the relation does not connect (").concat(
        ibis.coalesce(wrong.head_type, "?"), " ", wrong.relation, " ",
        ibis.coalesce(wrong.tail_type, "?"), ")",
    )  # fmt: skip
    return recorded(wrong, reason, "head_node", "tail_node")


def _counts(table: ir.Table, column: str) -> dict[str, int]:
    rows = table.group_by(column).agg(n=table.count()).order_by(column)
    return dict(rows_of(rows.select(column, "n")))

"""Merges the assertions of all sources into graph tables, accounting for every one.

An assertion is *loaded* when it is the first, by the order of sources, to state
its fact; *merged* when the fact was stated already; *quarantined* when it
cannot stand. A fact is an edge (relation, head, tail) or an attribute value
(node, relation, language, value).
"""

import shutil
from dataclasses import dataclass
from pathlib import Path

import ibis
import ibis.expr.types as ir
from pydantic import BaseModel, Field

from ingest import edges
from ingest.accounting import AssertionAccount
from ingest.identity import Merged, Refused
from ingest.linking import link
from ingest.links import Link, settled, write
from ingest.manifest import checksum
from ingest.mentions import Mentions, find_ends, identify
from ingest.nodes import group_attributes, node_table
from ingest.saying import columns, first_source, source_names
from kg.progress import Progress
from kg.tables import EDGE_COLUMNS, GraphTables, TableSummary
from kg.vocabulary import ATTRIBUTES, NODE_TYPES, RELATION_TYPES

_STEPS = 6
_LONGEST = 2_000
"""Characters of an id or a name; Neo4j indexes 8,000 bytes."""
_ORDER = ("source", "file", "row", "original_relation", "reason", "record")


class MergeConfig(BaseModel, frozen=True, extra="forbid"):
    """What to merge, and with how much."""

    assertions: dict[str, Path] = Field(min_length=1)
    """Parquet files with ASSERTION_COLUMNS by source; an earlier source wins a conflict."""
    text_born: frozenset[str] = frozenset()
    """Sources whose names without an id are linked with what the others know."""
    made_by: str
    """Goes into ``tables.json``."""
    threads: int | None = None
    memory: str = "3GB"
    """What DuckDB may hold before it spills to disk."""


@dataclass(frozen=True)
class MergeResult:
    """What became of the assertions."""

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


def merge(config: MergeConfig, out: Path, progress: Progress) -> MergeResult:
    """Write ``tables/`` and ``quarantine.parquet`` into the empty folder ``out``.

    Where sources are text-born, ``links.parquet`` too.
    """
    spill = out / "spill"
    options = {} if config.threads is None else {"threads": config.threads}
    con = ibis.duckdb.connect(memory_limit=config.memory, temp_directory=str(spill), **options)
    try:
        return _merge(con, config, out, progress)
    finally:
        con.disconnect()
        shutil.rmtree(spill, ignore_errors=True)


def _merge(
    con: ibis.BaseBackend, config: MergeConfig, out: Path, progress: Progress
) -> MergeResult:
    sources = tuple(config.assertions)
    assertions = con.read_parquet([str(path) for path in config.assertions.values()])
    with progress.step("merge", _STEPS) as advance:
        usable, broken = _sorted_out(con, assertions)
        mentions, links = _identified(con, usable, config, progress)
        advance(1)
        usable = mentions.resolve(usable)
        attributes = group_attributes(con, usable, sources)
        advance(1)
        said = edges.directed(usable.filter(usable.relation.notin(tuple(ATTRIBUTES))))
        grouped = edges.group(con, said, sources)
        misplaced = con.create_table(
            "misplaced", edges.misplaced(grouped, mentions.types()), temp=True
        )
        if _number_of(misplaced):
            grouped = con.create_table(
                "placed", grouped.anti_join(misplaced, edges.KEY), temp=True
            )
            mentions = mentions.only(con, edges.ends(grouped), attributes.select("node"))
        facts = _Facts(sources, attributes, grouped)
        advance(1)
        quarantine = out / "quarantine.parquet"
        con.to_parquet(_quarantined(broken, said, misplaced), quarantine)
        if config.text_born:
            write(links, out / "links.parquet")
        advance(1)
        tables = GraphTables(out / "tables")
        summary = _write(con, tables, mentions, facts, config.made_by)
        advance(1)
        accounts = _accounts(assertions, facts, con.read_parquet(quarantine))
        advance(1)
    return MergeResult(
        tables,
        summary,
        accounts,
        quarantine,
        mentions.merged,
        mentions.refused,
        mentions.types_in_conflict,
        links,
    )


def _identified(
    con: ibis.BaseBackend, usable: ir.Table, config: MergeConfig, progress: Progress
) -> tuple[Mentions, list[Link]]:
    """Whom the assertions speak of, after text-born names were linked."""
    sources = tuple(config.assertions)
    ends = find_ends(con, usable, sources)
    if not config.text_born:
        return identify(con, ends), []
    ends, links = link(con, ends, sources, config.text_born, progress)
    mentions = identify(con, ends)
    return mentions, settled(links, mentions.merged)


@dataclass(frozen=True)
class _Facts:
    """What all usable assertions come to."""

    sources: tuple[str, ...]
    attributes: ir.Table
    edges: ir.Table


def _sorted_out(con: ibis.BaseBackend, assertions: ir.Table) -> tuple[ir.Table, ir.Table]:
    """The assertions without a problem, and those with one."""
    judged = _judged(assertions)
    broken = con.create_table("broken", judged.filter(judged.problem.notnull()), temp=True)
    # A filter over millions of rows, at every use of them, that would drop nothing is left out.
    usable = judged.filter(judged.problem.isnull()) if _number_of(broken) else assertions
    return usable, broken


def _judged(assertions: ir.Table) -> ir.Table:
    """Give a problem to what no merge can use; readers find most before."""
    t = assertions
    is_attribute = t.relation.isin(tuple(ATTRIBUTES))
    is_edge = t.relation.isin(tuple(RELATION_TYPES))

    def nobody(end: str) -> ir.BooleanValue:
        return t[end].isnull() & ~_names_something(t[f"{end}_name"])

    def too_long(*names: str) -> ir.BooleanValue:
        return ibis.or_(*(t[name].length().fill_null(0) > _LONGEST for name in names))

    is_name = t.relation.isin(("HAS_NAME", "HAS_SYNONYM", "HAS_XREF"))
    problem = ibis.cases(
        (t.problem.notnull(), t.problem),
        (
            too_long("head", "head_name", "tail", "tail_name") | (is_name & too_long("value")),
            ibis.literal(f"an id or a name is longer than {_LONGEST:,} characters"),
        ),
        (~is_attribute & ~is_edge, ibis.literal("not a relation of the vocabulary")),
        (t.head_type.notin(tuple(NODE_TYPES)), ibis.literal("head type not in the vocabulary")),
        (nobody("head"), ibis.literal("the head has neither an id nor a name")),
        (is_attribute & t.value.isnull(), ibis.literal("an attribute without a value")),
        (is_attribute, ibis.null(str)),
        (
            ibis.coalesce(t.tail_type, "").notin(tuple(NODE_TYPES)),
            ibis.literal("tail type not in the vocabulary"),
        ),
        (nobody("tail"), ibis.literal("the tail has neither an id nor a name")),
    )
    return t.mutate(problem=problem)


def _names_something(name: ir.StringValue) -> ir.BooleanValue:
    """Whether a name has a letter or a digit of any script, so that an id can be minted."""
    return ibis.coalesce(name, "").re_search(r"[\p{L}\p{N}]")


def _quarantined(broken: ir.Table, said: ir.Table, misplaced: ir.Table) -> ir.Table:
    """QUARANTINE_COLUMNS of the assertions that cannot stand."""
    wrong = said.drop("head_type", "tail_type", "problem").join(misplaced, edges.KEY)
    if not _number_of(misplaced):
        return _record(broken, broken.problem).order_by(*_ORDER)
    reason = ibis.literal("ends that the relation does not connect (").concat(
        ibis.coalesce(wrong.head_type, "?"), " ", wrong.relation, " ",
        ibis.coalesce(wrong.tail_type, "?"), ")",
    )  # fmt: skip
    return ibis.union(_record(broken, broken.problem), _record(wrong, reason)).order_by(*_ORDER)


def _record(table: ir.Table, reason: ir.StringValue) -> ir.Table:
    fields = ("head", "head_name", "relation", "tail", "tail_name", "value")
    record = ibis.struct({name: table[name] for name in fields}).cast("json").cast(str)
    columns = {
        "source": table.source,
        "file": table.file,
        "row": table.row,
        "original_relation": table.original_relation,
        "stage": ibis.literal("merge"),
        "reason": reason,
        "record": record,
        "relation": table.relation,
    }
    return table.select(**columns)


def _write(
    con: ibis.BaseBackend, tables: GraphTables, mentions: Mentions, facts: _Facts, made_by: str
) -> TableSummary:
    """Write nodes, then each relation's edges, then the summary."""
    (tables.folder / "edges").mkdir(parents=True)
    con.to_parquet(
        node_table(con, mentions, facts.attributes, facts.sources),
        tables.nodes,
    )
    counts = _counts(facts.edges, "relation")
    for relation in counts:
        con.to_parquet(_edge_table(facts, relation), tables.edges(relation))
    summary = TableSummary(
        name="medkg",
        checksum=checksum(tables.nodes, *map(tables.edges, counts)),
        nodes=_counts(mentions.types(), "type"),
        edges=counts,
        made_by=made_by,
    )
    tables.write_summary(summary)
    return summary


def _edge_table(facts: _Facts, relation: str) -> ir.Table:
    """EDGE_COLUMNS of one relation type, ordered by head and tail."""
    own = facts.edges.filter(facts.edges.relation == relation)
    own = own.mutate(
        head=own.head_node,
        tail=own.tail_node,
        sources=source_names(own, facts.sources),
        method=ibis.null(str),
        score=ibis.null("float64"),
        layer=ibis.null(str),
    )
    return own.select(*(column.name for column in EDGE_COLUMNS)).order_by("head", "tail")


def _number_of(table: ir.Table) -> int:
    return int(table.count().execute())


def _counts(table: ir.Table, column: str) -> dict[str, int]:
    rows = table.group_by(column).agg(n=table.count()).order_by(column).to_pyarrow().to_pylist()
    return {row[column]: row["n"] for row in rows}


def _accounts(assertions: ir.Table, facts: _Facts, quarantine: ir.Table) -> list[AssertionAccount]:
    """Count what was read, what is in the facts and what is in quarantine, each by itself."""
    loaded, merged = _stated(facts)
    quarantined = _by_source(quarantine)
    return [
        AssertionAccount(
            source=source,
            relation=relation,
            assertions=count,
            loaded=loaded.get((source, relation), 0),
            merged=merged.get((source, relation), 0),
            quarantined=quarantined.get((source, relation), 0),
        )
        for (source, relation), count in _by_source(assertions).items()
    ]


def _stated(facts: _Facts) -> tuple[dict[tuple[str, str], int], dict[tuple[str, str], int]]:
    """How many facts each source was the first to state, and how often it restated one."""
    loaded: dict[tuple[str, str], int] = {}
    merged: dict[tuple[str, str], int] = {}
    for kind in (facts.attributes, facts.edges):
        stated = kind.mutate(first=first_source(kind, facts.sources))
        for at, column in enumerate(columns(facts.sources)):
            counted = stated.group_by("relation").agg(
                times=stated[column].sum(), first=(stated["first"] == at).sum()
            )
            for row in counted.to_pyarrow().to_pylist():
                key = facts.sources[at], row["relation"]
                loaded[key] = int(row["first"])
                merged[key] = int(row["times"]) - int(row["first"])
    return loaded, merged


def _by_source(table: ir.Table) -> dict[tuple[str, str], int]:
    counted = table.group_by("source", "relation").agg(n=table.count())
    rows = counted.order_by("source", "relation").to_pyarrow().to_pylist()
    return {(row["source"], row["relation"]): row["n"] for row in rows}

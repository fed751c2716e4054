"""Contradictions that are put into a real graph, to see whether the rules find them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import yaml

from kg.stores.disk import sql_path
from kg.tables import GraphTables
from kg.text import normalise
from kg.vocabulary import RELATION_TYPES

FOLDER: Final = Path(__file__).with_name("planted")

_SOURCE: Final = "planted"

Edge = tuple[str, str, str]
"""Head, relation, tail."""


class PlantedEdge(NamedTuple):
    """An edge, its ends by name in the files and by id in a graph."""

    head: str
    relation: str
    tail: str
    columns: Mapping[str, object] = MappingProxyType({})
    """Set on the edge, as EDGE_COLUMNS name them."""

    @property
    def edge(self) -> Edge:
        """Head, relation, tail."""
        return self[:3]


@dataclass(frozen=True)
class Planted:
    """A contradiction that one rule is to find."""

    rule: str
    edges: tuple[PlantedEdge, ...]
    """One of them is to be found."""
    unseen: bool
    """Written when the rule was done, which was not changed after it was tried."""

    def __str__(self) -> str:
        return "; ".join(" ".join(each.edge) for each in self.edges)


def read_planted() -> list[Planted]:
    """All of the files, in their order."""
    return [
        Planted(rule, tuple(PlantedEdge(*edge) for edge in _edges(item)), ".unseen" in path.name)
        for path in sorted(FOLDER.glob("*.yaml"))
        for rule, items in yaml.safe_load(path.read_text(encoding="utf-8")).items()
        for item in items
    ]


def _edges(item: list[Any]) -> list[list[Any]]:
    """One edge, or several that contradict each other."""
    return item if isinstance(item[0], list) else [item]


class Names:
    """The nodes of a graph by their names."""

    def __init__(self, tables: GraphTables, planted: Sequence[Planted]) -> None:
        """Look up the names that the planted edges have."""
        asked = {
            normalise(name)
            for each in planted
            for edge in each.edges
            for name in (edge.head, edge.tail)
        }
        with duckdb.connect() as db:
            db.register("asked", pa.table({"name": sorted(asked)}))
            rows = db.execute(
                "select name, id, type from (select id, type, unnest(normal_names) as name "  # noqa: S608 - a path
                f"from read_parquet({sql_path(tables.nodes)})) join asked using (name) order by all"
            ).fetchall()
        self._nodes: dict[str, list[tuple[str, str]]] = {}
        for name, id_, type_ in rows:
            self._nodes.setdefault(name, []).append((id_, type_))

    def edge(self, named: PlantedEdge) -> PlantedEdge:
        """The edge between ids, each of a type that the relation allows.

        Raises:
            LookupError: the graph has no such name, or not of such a type.
        """
        allowed = RELATION_TYPES[named.relation]
        is_of_finding = named.relation in {"HAS_SYMPTOM", "LACKS_SYMPTOM"}
        heads = self._of(named.head, allowed.domain, last="Symptom")
        tails = self._of(named.tail, allowed.range, last="Disease" if is_of_finding else "Symptom")
        if not (heads and tails):
            missing = named.tail if heads else named.head
            raise LookupError(f"{missing!r} is no name of what {named.relation} allows")
        if named.head == named.tail:
            heads = tails = [id_ for id_ in heads if id_ in tails]
        return named._replace(head=heads[0], tail=tails[0])

    def _of(self, name: str, types: frozenset[str], last: str) -> list[str]:
        """The nodes of a name, of one type last: a disease may be a finding as well."""
        found = [each for each in self._nodes.get(normalise(name), []) if each[1] in types]
        return [id_ for id_, type_ in sorted(found, key=lambda each: each[1] == last)]


def plant(tables: GraphTables, edges: Sequence[PlantedEdge], folder: Path) -> GraphTables:
    """Graph tables with further edges, in the place of those that they have between the same ends."""
    grown = GraphTables(folder)
    (folder / "edges").mkdir(parents=True)
    grown.nodes.symlink_to(tables.nodes.absolute())
    counts = dict(tables.summary().edges)
    for relation in sorted(counts.keys() | {each.relation for each in edges}):
        new = {(each.head, each.tail): each for each in edges if each.relation == relation}
        counts[relation] = _write(tables, relation, new, grown.edges(relation))
    summary = tables.summary().model_copy(update={"edges": counts, "checksum": "planted"})
    grown.write_summary(summary)
    return grown


def _write(
    tables: GraphTables, relation: str, new: Mapping[tuple[str, str], PlantedEdge], out: Path
) -> int:
    before = tables.edges(relation)
    if not new:
        out.symlink_to(before.absolute())
        return tables.summary().edges[relation]
    schema = pq.read_schema(next(tables.folder.glob("edges/*.parquet")))
    rows = [
        {"head": head, "tail": tail, "sources": [_SOURCE], **each.columns}
        for (head, tail), each in new.items()
    ]
    table = pa.Table.from_pylist(rows, schema)
    if before.is_file():
        there = pq.read_table(before)
        ends = zip(there["head"].to_pylist(), there["tail"].to_pylist(), strict=True)
        table = pa.concat_tables([there.filter(pa.array([e not in new for e in ends])), table])
    pq.write_table(table.sort_by([("head", "ascending"), ("tail", "ascending")]), out)
    return int(table.num_rows)

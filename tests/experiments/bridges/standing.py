"""Where the names of Chinese lists stand in a graph, and what became one that is not."""

import csv
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Final, Literal, NamedTuple

import duckdb

from ingest.home import identities_file
from kg.errors import BuildError
from kg.text import normalise
from kg.text.words import HAN

CHINESE_SOURCES: Final = ("zh-disease-csv", "zh-dictionary", "zh-ragqna", "medical-json", "cmekg")
"""Sources that know things by their Chinese names alone."""

_STATED_DIFFERENT: Final = ("DIFFERENTIATED_FROM", "IS_A", "LACKS_SYMPTOM", "RESEMBLES")
"""Relations that nothing has to itself: who says them says that the two are different."""

Part = Literal["goal", "list", "unread"]
"""The commonest names that the goal counts; those read for the lists below them; a sample of the
names below these, which no list has."""


_HAN: Final = re.compile(f"[{HAN}]")


class Standing(Enum):
    """Where a name stands; the value says it on the page."""

    ON_IT = "on its counterpart"
    CLOSE = "on a close match of it"
    OTHER = "on another node of an ontology"
    ALONE = "on a node of its own"
    NOWHERE = "not in the graph"


@dataclass(frozen=True)
class Reading:
    """A Chinese name as it was read."""

    rank: int
    """By edges, from 1."""
    edges: int
    """Distinct edges of the Chinese sources that the name had when it was ranked."""
    name: str
    part: Part
    counterparts: tuple[str, ...]
    """Ids of ontology terms that mean exactly this, one as well as the other; empty if there
    is none."""

    def has(self, prefix: str) -> bool:
        """Whether a counterpart is of an ontology, by its prefix."""
        return any(each.startswith(f"{prefix}:") for each in self.counterparts)


class Namesake(NamedTuple):
    """A node of its own that goes by a name of a finding of HPO."""

    name: str
    term: str
    is_preferred: bool
    """It is the preferred name of the finding of HPO, not a synonym."""
    edges: int
    """HAS_SYMPTOM edges that lead to the finding of HPO."""


class OneNode(NamedTuple):
    """Two things of a source's statement that are one node."""

    relation: str
    head: str
    tail: str
    node: str


def readings(name: Literal["symptoms", "diseases"]) -> tuple[Reading, ...]:
    """The names beside this module that were read, by rank."""
    path = Path(__file__).with_name(f"{name}.tsv")
    with path.open(encoding="utf-8", newline="") as file:
        return tuple(
            Reading(
                rank=int(row["rank"]),
                edges=int(row["edges"]),
                name=row["name_zh"],
                part=_part(row["part"]),
                counterparts=tuple(filter(None, row["id"].split("|"))),
            )
            for row in csv.DictReader(file, delimiter="\t")
        )


def _part(text: str) -> Part:
    for part in ("goal", "list", "unread"):
        if text == part:
            return part
    raise ValueError(f"a name is read for the goal, a list or unread, not for {text!r}")


class BuiltGraph:
    """The files of a build of the graph of everything; nothing is written to them."""

    def __init__(self, home: Path) -> None:
        """Read who became which node.

        Raises:
            BuildError: no build of this medkg has been made in ``home``.
        """
        if not identities_file(home).is_file():
            raise BuildError(
                f"{home}: no build of this medkg has been made here; run 'medkg build'"
            )
        self._edges = home / "tables" / "edges"
        self._sql = duckdb.connect()
        self._sql.execute("SET threads = 2")
        nodes = home / "tables" / "nodes.parquet"
        self._sql.execute("CREATE TEMP TABLE node AS FROM read_parquet(?)", [str(nodes)])
        self._sql.execute(
            """CREATE TEMP TABLE became AS
            SELECT DISTINCT id, type, key, node FROM read_parquet(?)""",
            [str(identities_file(home))],
        )
        self._sql.execute(
            """CREATE TEMP TABLE said AS
            SELECT a.source, a.relation, a.head, a.head_type, a.head_name,
                a.tail, a.tail_type, a.tail_name, a.value,
                coalesce(h.node, hn.node) AS head_node, coalesce(t.node, tn.node) AS tail_node
            FROM read_parquet(?) AS a
            LEFT JOIN became AS h ON h.key IS NULL AND h.id = a.head
            LEFT JOIN became AS hn
                ON a.head IS NULL AND hn.key = a.head_name AND hn.type = a.head_type
            LEFT JOIN became AS t ON t.key IS NULL AND t.id = a.tail
            LEFT JOIN became AS tn
                ON a.tail IS NULL AND tn.key = a.tail_name AND tn.type = a.tail_type""",
            [str(home / "assertions" / "*" / "assertions.parquet")],
        )

    def standings(
        self, read: Iterable[Reading], role: Literal["symptom", "disease"]
    ) -> dict[Reading, Standing]:
        """Where names stand: as what HAS_SYMPTOM leads to, or as diseases."""
        nodes = self._nodes_by_name(role)
        canonical = dict(self._sql.sql("SELECT id, node FROM became WHERE key IS NULL").fetchall())
        close = self._close_matches()
        found: dict[Reading, Standing] = {}
        for each in read:
            node = nodes.get(normalise(each.name))
            meant = {canonical.get(id_, id_) for id_ in each.counterparts}
            if node is None:
                found[each] = Standing.NOWHERE
            elif node in meant:
                found[each] = Standing.ON_IT
            elif not close[node].isdisjoint(meant):
                found[each] = Standing.CLOSE
            else:
                found[each] = Standing.ALONE if _is_minted(node) else Standing.OTHER
        return found

    def _nodes_by_name(self, role: Literal["symptom", "disease"]) -> Mapping[str, str]:
        """The node of each Chinese name, by its normal form; that of most rows if it has several."""
        rows = self._sql.execute(
            """SELECT name, node, count(*) FROM (
                SELECT tail_name, tail_node FROM said
                WHERE if($symptoms, relation = 'HAS_SYMPTOM', tail_type = 'Disease')
                UNION ALL
                SELECT head_name, head_node FROM said WHERE NOT $symptoms AND head_type = 'Disease'
            ) AS ends (name, node)
            WHERE name IS NOT NULL AND node IS NOT NULL GROUP BY ALL""",
            {"symptoms": role == "symptom"},
        ).fetchall()
        counts: dict[str, Counter[str]] = defaultdict(Counter)
        for name, node, rows_of in rows:
            counts[normalise(name)][node] += rows_of
        return {
            name: min(nodes, key=lambda node: (-nodes[node], node))
            for name, nodes in counts.items()
        }

    def _close_matches(self) -> Mapping[str, set[str]]:
        close: dict[str, set[str]] = defaultdict(set)
        path = self._edges / "CLOSE_MATCH.parquet"
        if path.is_file():
            query = "SELECT head, tail FROM read_parquet(?)"
            for head, tail in self._sql.execute(query, [str(path)]).fetchall():
                close[head].add(tail)
                close[tail].add(head)
        return close

    def symptom_edges(self) -> tuple[int, int]:
        """HAS_SYMPTOM edges of the Chinese sources: on an ontology's node, and all."""
        counts = self._sql.execute(
            """SELECT count(*) FILTER (NOT starts_with(tail, 'MEDKG:')), count(*)
            FROM read_parquet(?) WHERE list_has_any(sources, ?)""",
            [str(self._edges / "HAS_SYMPTOM.parquet"), list(CHINESE_SOURCES)],
        ).fetchone()
        return counts or (0, 0)

    def english_namesakes(self) -> list[Namesake]:
        """Findings and diseases of their own that go by a name of a finding of HPO in English.

        Ordered by the HAS_SYMPTOM edges that lead to the finding of HPO, the most first.
        """
        edges = dict(
            self._sql.execute(
                "SELECT tail, count(*) FROM read_parquet(?) GROUP BY tail",
                [str(self._edges / "HAS_SYMPTOM.parquet")],
            ).fetchall()
        )
        nodes = self._sql.sql(
            """SELECT id, name, normal_names FROM node
            WHERE type IN ('Disease', 'Symptom')
                AND (starts_with(id, 'HP:') OR starts_with(id, 'MEDKG:')) ORDER BY id"""
        ).fetchall()
        terms: dict[str, str] = {}
        preferred: dict[str, str] = {}
        for id_, name, normal_names in nodes:
            if not _is_minted(id_):
                preferred.setdefault(normalise(name), id_)
                for normal in normal_names:
                    terms.setdefault(normal, id_)
        found = [
            Namesake(name, term, normalise(name) in preferred, edges.get(term, 0))
            for id_, name, _ in nodes
            if _is_minted(id_)
            and not _HAN.search(name)
            and (term := preferred.get(normalise(name)) or terms.get(normalise(name)))
        ]
        return sorted(found, key=lambda each: (not each.is_preferred, -each.edges, each.name))

    def joined_though_different(self) -> list[OneNode]:
        """Two things that a source says to be different, as one node; and as mapped apart.

        A mapping source that gives two of its terms different ids of one ontology says that they
        are different.
        """
        stated = [each for each in self._joined() if each.relation in _STATED_DIFFERENT]
        mapped = self._sql.sql(
            """WITH mapped AS (
                SELECT DISTINCT source, head, value, split_part(value, ':', 1) AS ontology,
                    split_part(head, ':', 1) AS own, head_node
                FROM said WHERE relation = 'HAS_EXACT_MATCH' AND head IS NOT NULL)
            SELECT DISTINCT 'HAS_EXACT_MATCH', one.head, other.head, one.head_node
            FROM mapped AS one JOIN mapped AS other USING (source, ontology, own, head_node)
            WHERE one.head < other.head AND one.value <> other.value
                AND NOT EXISTS (FROM mapped AS too WHERE too.source = one.source
                    AND too.head = one.head AND too.value = other.value)
            ORDER BY ALL"""
        ).fetchall()
        return stated + [OneNode(*each) for each in mapped]

    def joined_though_related(self) -> list[OneNode]:
        """Two names between which a source has another relation, such as COMPLICATED_BY, as one
        node. Not all of them are wrong: lists name a disease and its other name in one row.
        """
        return [each for each in self._joined() if each.relation not in _STATED_DIFFERENT]

    def _joined(self) -> list[OneNode]:
        rows = self._sql.sql(
            """SELECT DISTINCT relation, head, tail, node FROM (
                SELECT relation, coalesce(head, head_name) AS head,
                    coalesce(tail, tail_name) AS tail, head_node AS node
                FROM said WHERE head_node = tail_node)
            WHERE head <> tail ORDER BY ALL"""
        ).fetchall()
        return [OneNode(*each) for each in rows]


def _is_minted(node: str) -> bool:
    return node.startswith("MEDKG:")

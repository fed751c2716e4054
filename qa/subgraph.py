"""The subgraph of a question (joint-reasoning paper, section 3.3.5): what the graph says of its things."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, NamedTuple, cast

from kg.stores.store import Store, Value
from kg.text.phrases import is_chinese
from qa.intent import Gap

QUERY: Final = "entity.subgraph"

WITHOUT_RELATION: Final = tuple(
    Gap(relation, "tail")
    for relation in (
        "IS_A",
        "HAS_SYMPTOM",
        "CAUSED_BY",
        "HAS_RISK_FACTOR",
        "COMPLICATED_BY",
        "DIAGNOSED_BY",
        "TREATED_BY",
        "PREVENTED_BY",
        "OCCURS_IN",
        "IN_CLASS",
        "INDICATED_FOR",
        "HAS_ADVERSE_REACTION",
        "CONTRAINDICATED_FOR",
    )
)
"""Asked for where a question names a disease or drug and no relation: its clinical picture."""

_UNSCORED: Final = 0.1
"""Weight of a fact without a discriminative score, and the least of the others."""


@dataclass(frozen=True)
class Node:
    """A node of a subgraph."""

    id: str
    name: str
    name_zh: str
    """Empty where it has none."""
    type: str

    def label(self, *, chinese: bool) -> str | None:
        """Its name in a language; None where it has none."""
        named_in_chinese = not self.name.isascii() and is_chinese(self.name)
        if chinese:
            return self.name_zh or (self.name if named_in_chinese else None)
        return None if named_in_chinese else self.name


@dataclass(frozen=True)
class Edge:
    """A fact of a subgraph."""

    head: str
    relation: str
    tail: str
    sources: tuple[str, ...]
    """Who says so."""
    discrimination: float | None = None
    """Of a symptom: how well it tells the disease from others, in [0, 1]; None: not known."""


class Fact(NamedTuple):
    """What a subgraph connects with the things that are asked about."""

    names: tuple[str, ...]
    """In each language that it has a name in."""
    weight: float
    """Its discriminative score (``kg.discrimination``); .1 where it has none, and at least."""


@dataclass(frozen=True)
class Subgraph:
    """What a question's things are connected with by the relations that it asks for."""

    nodes: tuple[Node, ...]
    """The things themselves, in the question's order, then what they are connected with, the most
    frequent first; each once."""
    edges: tuple[Edge, ...]
    """None: nothing of the kind is said of them."""
    arguments: dict[str, Value]
    """Of ``entity.subgraph``; its rows are the edges, but for those between two things."""

    @property
    def is_asked_by_query(self) -> bool:
        """Whether ``medkg query entity.subgraph`` gives these edges again."""
        return bool(self.edges) and any(self.arguments[end] for end in ("outgoing", "incoming"))

    def text(self, *, chinese: bool = False) -> str:
        """The subgraph-text of the paper: the labels of all nodes in one language.

        A node without a name in that language is left out; a name that two nodes have stands once.
        """
        labels = (node.label(chinese=chinese) for node in self.nodes)
        return " ".join(dict.fromkeys(label for label in labels if label))

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The nodes that its edges connect with the things asked about, in their order."""
        weights: dict[str, float] = {}
        for edge in self.edges:
            for end in (edge.head, edge.tail):
                weights[end] = max(weights.get(end, _UNSCORED), edge.discrimination or 0.0)
        entities = self.arguments.get("entities")
        entity_ids = set(entities) if isinstance(entities, list) else set()
        facts = {
            tuple(filter(None, dict.fromkeys((node.name, node.name_zh)))): weights[node.id]
            for node in self.nodes
            if node.id in weights and node.id not in entity_ids
        }
        return tuple(Fact(names, weight) for names, weight in facts.items() if names)


def subgraph(
    store: Store, entities: Sequence[str], gaps: Iterable[Gap], without: Collection[str] = ()
) -> Subgraph:
    """The subgraph of a question, by one named query.

    Args:
        store: the graph.
        entities: ids of what the question speaks of, in its order; also of the findings that
            they are, and the diseases.
        gaps: the relations that it asks for, with the end that is sought. A gap whose relation
            is sought asks how the entities are connected, whatever the relation. None:
            ``WITHOUT_RELATION``.
        without: sources that do not count; a fact that no other has is left out.

    Raises:
        StoreError: the store failed.
    """
    gaps_asked = tuple(gaps) or WITHOUT_RELATION
    relations_and_ends = {
        (gap.relation, gap.sought) for gap in gaps_asked if gap.relation is not None
    }
    arguments: dict[str, Value] = {
        "entities": list(dict.fromkeys(entities)),
        "outgoing": sorted(
            str(relation) for relation, sought in relations_and_ends if sought == "tail"
        ),
        "incoming": sorted(
            str(relation) for relation, sought in relations_and_ends if sought == "head"
        ),
    }
    nodes = {node.id: node for node in _things(store, entities)}
    facts: dict[tuple[str, str, str], list[str]] = {}
    scores: dict[tuple[str, str, str], float] = {}
    for row in store.query(QUERY, **arguments).dicts():
        source, neighbour = str(row["source"]), _node(row, "other")
        if source not in without:
            nodes.setdefault(neighbour.id, neighbour)
            ends = (str(row["entity_id"]), neighbour.id)
            head, tail = ends if row["sought"] == "tail" else ends[::-1]
            fact = (head, str(row["relation"]), tail)
            facts.setdefault(fact, []).append(source)
            if row["discrimination"] is not None:
                scores[fact] = float(cast("float", row["discrimination"]))
    for first, second in (
        _pairs(entities) if any(gap.relation is None for gap in gaps_asked) else ()
    ):
        for row in store.query("entity.statements", one=first, other=second).dicts():
            fact = (str(row["head_id"]), str(row["relation"]), str(row["tail_id"]))
            sources = [each for each in cast("list[str]", row["sources"]) if each not in without]
            if sources:
                facts[fact] = sources
    edges = tuple(Edge(*fact, tuple(sources), scores.get(fact)) for fact, sources in facts.items())
    return Subgraph(tuple(nodes.values()), edges, arguments)


def _things(store: Store, entities: Sequence[str]) -> list[Node]:
    """The entities that the graph has, in the given order."""
    rows = store.query("entity.labels", entities=list(entities)).dicts()
    node_of = {node.id: node for node in (_node(row, "entity") for row in rows)}
    return [node_of[id_] for id_ in dict.fromkeys(entities) if id_ in node_of]


def _node(row: Mapping[str, Value], end: str) -> Node:
    cells = (row[f"{end}_{part}"] for part in ("id", "name", "name_zh", "type"))
    return Node(*(str(cell or "") for cell in cells))


def _pairs(entities: Sequence[str]) -> Iterator[tuple[str, str]]:
    return combinations(dict.fromkeys(entities), 2)

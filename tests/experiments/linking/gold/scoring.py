"""What a linker finds in the case texts, against what was read there."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from kg.discrimination.graph import parents_of
from kg.linking import Mention
from kg.linking.measures import Share
from kg.stores.store import Store
from tests.experiments.linking.gold.findings import Finding, Polarity, overlap
from tests.experiments.linking.gold.texts import Text

TYPES: Final = ("Symptom", "Disease")
"""Links with nodes of other types are no findings."""

Link = Callable[[str], Sequence[Mention]]


class Nodes:
    """What a node of the graph stands for."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._same: dict[str, frozenset[str]] = {}
        self._near: dict[str, set[str]] = {}
        for child, parents in parents_of(store, *TYPES).items():
            for parent in parents:
                self._near.setdefault(child, set()).add(parent)
                self._near.setdefault(parent, set()).add(child)

    def same(self, node: str) -> frozenset[str]:
        """Its id, those of its cross-references, and of what CLOSE_MATCH connects it with.

        Raises:
            StoreError: the store failed.
        """
        if node not in self._same:
            given = {"relations": ["CLOSE_MATCH"]}
            tails = self._store.query("entity.tails", head=node, **given).rows
            heads = self._store.query("entity.heads", tail=node, **given).rows
            each = [node, *(str(row[1]) for row in (*tails, *heads))]
            self._same[node] = frozenset(id_ for one in each for id_ in (one, *self._xrefs(one)))
        return self._same[node]

    def near(self, node: str) -> frozenset[str]:
        """The same of what is one IS_A step away too."""
        others = self._near.get(node, set())
        return self.same(node).union(*(self.same(other) for other in others))

    def _xrefs(self, node: str) -> list[str]:
        found = self._store.query("entity.by_id", entity=node)
        at = found.columns.index("xrefs")
        return [str(xref) for row in found.rows for xref in row[at] or ()]  # type: ignore[union-attr]  # a list column


@dataclass(frozen=True)
class Linked:
    """A mention that was linked with a symptom or disease."""

    start: int
    end: int
    entity: str
    name: str
    namesakes: tuple[str, ...]
    """Ids of the candidates that were as good, its own among them."""
    polarity: Polarity
    right: bool
    """Of a finding there the entity is a right one."""
    near: bool
    """Or a step away."""
    namesake: bool
    """Or of its name: as good a candidate as what was linked."""
    told: bool
    """It counts: it is right, or meets nothing that counts neither way."""


@dataclass(frozen=True)
class Found:
    """A finding that counts, and how it was found."""

    finding: Finding
    exact: bool
    """A link that overlaps it is right."""
    near: bool
    """Or its node is one IS_A step from a right one."""
    by: Linked | None
    """The first link that is right for it, else the first with a namesake of a right node."""


@dataclass(frozen=True)
class Scored:
    """A text: each finding of it that counts, and each link."""

    text: Text
    found: tuple[Found, ...]
    linked: tuple[Linked, ...]


def score(
    texts: Iterable[Text],
    contents: Mapping[str, str],
    findings: Mapping[str, Sequence[Finding]],
    link: Link,
    nodes: Nodes,
) -> Iterator[Scored]:
    """Link each text and compare.

    Raises:
        StoreError: the store failed.
    """
    for text in texts:
        there = findings[text.key]
        said = contents[text.key]
        mentions = [m for m in link(said) if m.entity is not None and m.entity.type in TYPES]
        linked = tuple(_linked(mention, there, nodes) for mention in mentions)
        found = tuple(_found(finding, linked, nodes) for finding in there if finding.counts)
        yield Scored(text, found, linked)


def _linked(mention: Mention, there: Sequence[Finding], nodes: Nodes) -> Linked:
    entity = mention.entity
    assert entity is not None
    met = [finding for finding in there if overlap(finding, mention.start, mention.end)]
    accepted = frozenset(id_ for finding in met for id_ in finding.ids if finding.counts)
    right = bool(accepted & nodes.same(entity.id))
    namesakes = tuple(c.id for c in mention.candidates if c.score == entity.score)
    return Linked(
        mention.start,
        mention.end,
        entity.id,
        entity.name,
        namesakes,
        "family" if mention.family else "absent" if mention.negated else "present",
        right,
        right or bool(accepted & nodes.near(entity.id)),
        right or any(accepted & nodes.same(each) for each in namesakes),
        right or all(finding.counts for finding in met),
    )


def _found(finding: Finding, linked: Sequence[Linked], nodes: Nodes) -> Found:
    met = [each for each in linked if overlap(finding, each.start, each.end)]
    right = [each for each in met if finding.ids & nodes.same(each.entity)]
    near = any(finding.ids & nodes.near(each.entity) for each in met)
    named = [each for each in met if any(finding.ids & nodes.same(n) for n in each.namesakes)]
    return Found(finding, bool(right), near, next(iter(right + named), None))


@dataclass(frozen=True)
class Figures:
    """Counts of a group of texts or findings."""

    recall: Share
    """Of the findings that have a node, those found: a link that overlaps them is right."""
    recall_near: Share
    """The same where a node one IS_A step away will do."""
    recall_namesake: Share
    """The same where a namesake will do."""
    precision: Share
    """Of the links that count, those that are right."""
    precision_near: Share
    precision_namesake: Share
    polarity: Share
    """Of the findings that were found, if only by a namesake, those with the right polarity."""


def figures(scored: Iterable[Scored], kind: str | None = None) -> Figures:
    """The figures of texts; with ``kind`` those of such findings alone, without precision."""
    some = list(scored)
    found = [f for s in some for f in s.found if kind is None or f.finding.kind == kind]
    linked = [each for s in some for each in s.linked if each.told and kind is None]
    hits = [(f.finding, f.by) for f in found if f.by is not None]
    return Figures(
        Share(right=sum(f.exact for f in found), of=len(found)),
        Share(right=sum(f.near for f in found), of=len(found)),
        Share(right=len(hits), of=len(found)),
        Share(right=sum(each.right for each in linked), of=len(linked)),
        Share(right=sum(each.near for each in linked), of=len(linked)),
        Share(right=sum(each.namesake for each in linked), of=len(linked)),
        Share(right=sum(f.polarity == by.polarity for f, by in hits), of=len(hits)),
    )

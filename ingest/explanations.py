"""Explanations of nodes and edges: what they hold, and the tables that show it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from pydantic import BaseModel

from cypher.translation import spoken, title, translate
from kg.tables import SEPARATOR
from kg.vocabulary import ATTRIBUTES

_MAX_ROWS: Final = 5


class Section(NamedTuple):
    """A table of an explanation."""

    title: str
    columns: tuple[str, ...]
    rows: list[tuple[object, ...]]


class Record(BaseModel, frozen=True):
    """One assertion, and the record of the source that it is from."""

    source: str
    file: str
    row: int
    original_relation: str
    head: str
    """The id in the source, else the name."""
    relation: str
    tail: str
    """The same, or the value of an attribute."""
    numbers: str | None = None
    """Frequency and weight as the source writes them."""
    references: str | None = None
    """Where the source read it."""
    quarantined: str | None = None
    """Why it is in quarantine; None if it is not."""


class End(NamedTuple):
    """One end of an assertion."""

    id: str | None
    type: str | None
    name: str | None


class AssertionRow(NamedTuple):
    """One row of ``assertions.parquet``; frequency and weight as the source writes them."""

    source: str
    file: str
    row: int
    original_relation: str
    head: End
    relation: str
    tail: End
    value: str | None
    frequency: str | None
    weight: str | None
    references: str | None

    @property
    def quarantine_key(self) -> tuple[object, ...]:
        """What identifies it in the quarantine."""
        return (
            *self[:4],
            *(self.head.id, self.head.name, self.relation),
            *(self.tail.id, self.tail.name, self.value),
        )

    def record(self, quarantined: str | None) -> Record:
        """The record to show, with the reason of its quarantine."""
        numbers = (("frequency", self.frequency), ("weight", self.weight))
        return Record(
            source=self.source,
            file=self.file,
            row=self.row,
            original_relation=self.original_relation,
            head=self.head.id or self.head.name or "",
            relation=self.relation,
            tail=self.tail.id or self.tail.name or self.value or "",
            numbers=", ".join(f"{name} {number}" for name, number in numbers if number) or None,
            references=self.references and self.references.replace(SEPARATOR, "; "),
            quarantined=quarantined,
        )


class NodeRef(BaseModel, frozen=True):
    """A node by its id and names."""

    id: str
    type: str
    name: str
    name_zh: str | None = None


class MergedId(BaseModel, frozen=True):
    """An id that became part of a node, or a name that shares it."""

    id: str
    node: str
    rule: str
    evidence: str
    sources: tuple[str, ...]
    name: str | None = None
    """Of a name that came without an id; ``id`` is the one it got."""


class RefusedMerge(BaseModel, frozen=True):
    """A reason to merge that was refused."""

    rule: str
    reason: str
    conflict: str
    ids: tuple[str, ...]
    evidence: str
    sources: tuple[str, ...]


class LinkedName(BaseModel, frozen=True):
    """A text-born name that was linked with the node."""

    source: str
    name: str
    method: str
    matched: str | None
    score: float | None


class NodeExplanation(BaseModel, frozen=True):
    """Where a node comes from."""

    node: NodeRef
    sources: tuple[str, ...]
    layer: str | None
    """The layer that added it; None if the build did."""
    types: dict[str, tuple[str, ...]]
    """The types that sources give it, each with these sources; the node has one of them."""
    merged: tuple[MergedId, ...]
    refused: tuple[RefusedMerge, ...]
    links: tuple[LinkedName, ...]
    records: tuple[Record, ...]
    """In the order of sources, files and rows."""
    caveats: tuple[str, ...] = ()
    """Why this may not be true of the graph."""

    def sections(self) -> Iterator[Section]:
        """The tables to show."""
        node = self.node
        origin = ", ".join(self.sources)
        if self.layer:
            origin = translate("layer {name}", name=self.layer)
        columns = ("id", "type", "name", "from")
        yield Section("Node", columns, [(*_fields(node), origin)])
        if len(self.types) > 1:
            rows = _types(self.types, node)
            yield Section("Types that sources give it", ("type", "sources", ""), rows)
        yield from _decisions(self.merged, self.refused)
        if self.links:
            yield _linked(self.links)
        attributes = [each for each in self.records if each.relation in ATTRIBUTES]
        if attributes:
            yield Section("Records of its names and attributes", *_listed(attributes))
        edges = [each for each in self.records if each.relation not in ATTRIBUTES]
        if edges:
            yield Section("Records of its edges", *_counted(edges))


class Rejection(BaseModel, frozen=True):
    """Why a layer takes an edge out of the graph."""

    layer: str
    rule: str
    """Names of rules, joined with ``|``."""
    reason: str


class EdgeExplanation(BaseModel, frozen=True):
    """Where an edge comes from."""

    head: NodeRef
    relation: str
    tail: NodeRef
    properties: dict[str, object]
    """Properties of the edge that are set, by EDGE_COLUMNS, with those that layers add."""
    combined: dict[str, str]
    """How a number was combined from those of several records (mean, max …), by property."""
    rejected: tuple[Rejection, ...]
    """Why it is not in the graph though sources state it."""
    merged: tuple[MergedId, ...]
    """Ids and names in the records that were merged into the ends."""
    records: tuple[Record, ...]
    caveats: tuple[str, ...] = ()
    """Why this may not be true of the graph."""

    @property
    def layer(self) -> object:
        """The layer that made it; None for what the build made."""
        return self.properties.get("layer")

    def sections(self) -> Iterator[Section]:
        """The tables to show."""
        heading = "{relation} (added by layer {layer}; no source states it)"
        yield Section(
            translate(heading, relation=self.relation, layer=self.layer)
            if self.layer
            else self.relation,
            ("end", "id", "type", "name"),
            [
                (title("columns", "head"), *_fields(self.head)),
                (title("columns", "tail"), *_fields(self.tail)),
            ],
        )
        if self.rejected:
            rows = [(each.layer, each.rule, translate(each.reason)) for each in self.rejected]
            heading = "Taken out of the graph"
            if self.caveats:
                heading = "Taken out of the graph, where the layer is applied"
            yield Section(translate(heading), ("layer", "rule", "reason"), [*rows])
        properties = {
            title("columns", name): translate(
                "{value} ({how} of the records)", value=value, how=self.combined[name]
            )
            if name in self.combined
            else value.replace(SEPARATOR, "; ")
            if isinstance(value, str)
            else value
            for name, value in self.properties.items()
        }
        yield Section("Properties", ("property", "value"), [*properties.items()])
        yield from _decisions(self.merged, ())
        if self.records:
            yield Section("Records", *_listed(self.records))


def _fields(node: NodeRef) -> tuple[str, str, str]:
    name = (spoken().code == "zh" and node.name_zh) or node.name
    return node.id, title("types", node.type), name


def _types(types: Mapping[str, tuple[str, ...]], node: NodeRef) -> list[tuple[object, ...]]:
    return [
        (title("types", type_), sources, translate("decided") if type_ == node.type else "")
        for type_, sources in types.items()
    ]


def _linked(links: Iterable[LinkedName]) -> Section:
    return Section(
        "Text-born names linked with it",
        ("name", "source", "method", "matched name", "score"),
        [(each.name, each.source, each.method, each.matched, each.score) for each in links],
    )


def _decisions(merged: Sequence[MergedId], refused: Sequence[RefusedMerge]) -> Iterator[Section]:
    if merged:
        yield Section(
            "Ids and names that were merged",
            ("id or name", "node", "rule", "evidence", "sources"),
            [(m.name or m.id, m.node, translate(m.rule), m.evidence, m.sources) for m in merged],
        )
    if refused:
        yield Section(
            "Merges that were refused",
            ("ids", "rule", "refused because of", "conflict", "evidence", "sources"),
            [
                (r.ids, translate(r.rule), translate(r.reason), r.conflict, r.evidence, r.sources)
                for r in refused
            ],
        )


def _listed(records: Sequence[Record]) -> tuple[tuple[str, ...], list[tuple[object, ...]]]:
    columns = ("source", "file", "row", "original relation", "head", "relation", "tail or value")
    optional = ("numbers", "references", "quarantined")
    filled = [name for name in optional if any(getattr(record, name) for record in records)]
    names = ("source", "file", "row", "original_relation", "head", "relation", "tail", *filled)
    rows = [tuple(getattr(record, name) for name in names) for record in records]
    return (*columns, *filled), rows


def _counted(records: Iterable[Record]) -> tuple[tuple[str, ...], list[tuple[object, ...]]]:
    groups: dict[tuple[object, ...], list[int]] = {}
    for r in records:
        key = r.source, r.file, r.original_relation, r.relation, r.quarantined
        groups.setdefault(key, []).append(r.row)
    columns = ("relation", "source", "file", "original relation", "records", "rows", "quarantined")
    rows: list[tuple[object, ...]] = [
        (relation, source, file, word, len(rows), _first_rows(rows), reason)
        for (source, file, word, relation, reason), rows in sorted(
            groups.items(), key=lambda item: (str(item[0][3]), str(item[0]))
        )
    ]
    return _without_empty(columns, rows)


def _first_rows(rows: Sequence[int]) -> str:
    first = sorted(set(rows))
    return ", ".join(map(str, first[:_MAX_ROWS])) + (", …" if len(first) > _MAX_ROWS else "")


def _without_empty(
    columns: tuple[str, ...], rows: list[tuple[object, ...]]
) -> tuple[tuple[str, ...], list[tuple[object, ...]]]:
    """Drop the last column if it is empty."""
    if any(row[-1] is not None for row in rows):
        return columns, rows
    return columns[:-1], [row[:-1] for row in rows]

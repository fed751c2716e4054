"""Where the nodes and edges of a subgraph stand in a drawing.

The things that a question is about stand in the middle, what they are connected with at their
sides, by relation; in a narrow drawing they stand above it. The same subgraph gives the same
drawing.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, Literal, NamedTuple
from unicodedata import east_asian_width

from qa.subgraph import Edge, Node, Subgraph

MOST: Final = 40
"""Nodes that are drawn."""

WIDE: Final = 760
NARROW: Final = 360
"""Pixels."""

_ROW: Final = 26
"""Pixels from one label to the next."""
_LETTER: Final = 7.0
"""Pixels of a letter, about; a Chinese character has twice as many."""
_MARGIN: Final = 8
_GAP: Final = 14
"""From a node to its label."""
_REACH: Final = 165
"""From the middle of a wide drawing to the nodes at its sides."""
_INDENT: Final = 46
"""Of the nodes of a narrow drawing."""
_THING: Final = 190
"""The label of a thing in a wide drawing is so long at most."""
_FEW: Final = 8
"""So many nodes stand at one side."""

Anchor = Literal["start", "middle", "end"]
"""Which point of a label stands at its place, as SVG's ``text-anchor`` has it."""


class Label(NamedTuple):
    """A text in a drawing."""

    x: float
    y: float
    anchor: Anchor
    text: str

    @property
    def width(self) -> float:
        """Pixels, about."""
        return _width(self.text)


@dataclass(frozen=True)
class Spot:
    """A node in a drawing."""

    node: Node
    x: float
    y: float
    label: Label
    is_thing: bool
    """Whether the question is about it."""


@dataclass(frozen=True)
class Line:
    """An edge in a drawing."""

    edge: Edge
    path: str
    """As SVG's ``d`` has it."""
    group: int
    """Number of its relation, from 0."""


@dataclass(frozen=True)
class Drawing:
    """A subgraph as it is drawn; all numbers are pixels."""

    width: int
    height: int
    spots: tuple[Spot, ...]
    lines: tuple[Line, ...]
    titles: tuple[tuple[Label, int], ...]
    """What each group of nodes is to the things, with the number of its relation."""


@dataclass(frozen=True)
class Excerpt:
    """What of a subgraph is drawn and listed."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    more_nodes: int
    more_edges: int


def excerpt_of(
    subgraph: Subgraph, things: Iterable[str], stated_edges: Iterable[Edge], most: int = MOST
) -> Excerpt:
    """The nodes that are drawn: the things, what the answer states of them, then the others.

    Args:
        subgraph: the subgraph.
        things: ids of what the question is about.
        stated_edges: the edges that the answer states.
        most: nodes at most.
    """
    node_of = {node.id: node for node in subgraph.nodes}
    ordered = [
        *things,
        *(end for edge in stated_edges for end in (edge.head, edge.tail)),
        *node_of,
    ]
    nodes = list(islice((each for each in dict.fromkeys(ordered) if each in node_of), most))
    edges = tuple(edge for edge in subgraph.edges if {edge.head, edge.tail} <= {*nodes})
    connected = {end for edge in edges for end in (edge.head, edge.tail)}
    return Excerpt(
        tuple(node_of[each] for each in nodes if each in connected),
        edges,
        len({end for edge in subgraph.edges for end in (edge.head, edge.tail)} - connected),
        len(subgraph.edges) - len(edges),
    )


def draw(
    excerpt: Excerpt,
    things: Sequence[str],
    names: Mapping[str, str],
    titles: Mapping[str, str],
    *,
    narrow: bool = False,
) -> Drawing:
    """Place what is shown of a subgraph.

    Args:
        excerpt: the nodes and edges.
        things: ids of what the question is about.
        names: what nodes are called, by id.
        titles: what relations are called.
        narrow: for a narrow screen.
    """
    inner = set(things) or {node.id for node in excerpt.nodes[:1]}
    for edge in excerpt.edges:
        if {edge.head, edge.tail} <= inner:
            inner.remove(edge.tail)  # of two things that are connected one stands at the side
    middle = [node for node in excerpt.nodes if node.id in inner]
    relations = list(dict.fromkeys(edge.relation for edge in excerpt.edges))
    groups: dict[str, list[Node]] = {relation: [] for relation in relations}
    placed = set(inner)
    node_of = {node.id: node for node in excerpt.nodes}
    for edge in sorted(excerpt.edges, key=lambda edge: not {edge.head, edge.tail} & inner):
        for end in (edge.head, edge.tail):
            if end not in placed:
                placed.add(end)
                groups[edge.relation].append(node_of[end])
    rows: list[Node | int] = []
    for group, relation in enumerate(relations):
        rows += [group, *groups[relation]] if groups[relation] else []
    make = _Narrow if narrow else _Wide
    plan = make(middle, rows, names, [titles[relation] for relation in relations])
    spots = plan.spots()
    spot_of = {spot.node.id: spot for spot in spots}
    lines = tuple(
        Line(
            edge, plan.path(spot_of[edge.head], spot_of[edge.tail]), relations.index(edge.relation)
        )
        for edge in excerpt.edges
    )
    return Drawing(plan.width, plan.height, tuple(spots), lines, tuple(plan.headings))


class _Narrow:
    """The things one below the other, and all that they are connected with below them."""

    width = NARROW

    def __init__(
        self,
        middle: Sequence[Node],
        rows: Sequence[Node | int],
        names: Mapping[str, str],
        titles: Sequence[str],
    ) -> None:
        self._middle, self._rows, self._names, self._titles = middle, rows, names, titles
        self.height = _ROW * (len(middle) + len(rows)) + 2 * _MARGIN
        self.headings: list[tuple[Label, int]] = []

    def spots(self) -> list[Spot]:
        spots = []
        for row_number, node in enumerate(self._middle):
            spots.append(self._spot(node, _MARGIN + 6, row_number, is_thing=True))
        for row_number, row in enumerate(self._rows, len(self._middle)):
            if isinstance(row, int):
                label = Label(_INDENT - 6, _y(row_number), "start", self._titles[row])
                self.headings.append((label, row))
            else:
                spots.append(self._spot(row, _INDENT, row_number, is_thing=False))
        return spots

    def _spot(self, node: Node, x: float, row: int, *, is_thing: bool) -> Spot:
        room = self.width - x - _GAP - _MARGIN
        text = fitted(self._names[node.id], room)
        return Spot(node, x, _y(row), Label(x + _GAP, _y(row), "start", text), is_thing)

    def path(self, head: Spot, tail: Spot) -> str:
        upper, lower = sorted((head, tail), key=lambda spot: spot.y)
        if upper.x == lower.x:
            return (
                f"M{upper.x:g} {upper.y:g}C-14 {upper.y:g} -14 {lower.y:g} {lower.x:g} {lower.y:g}"
            )
        return f"M{upper.x:g} {upper.y:g}C{upper.x:g} {lower.y:g} {upper.x:g} {lower.y:g} {lower.x:g} {lower.y:g}"


class _Wide:
    """The things in the middle, the others left and right of them."""

    width = WIDE

    def __init__(
        self,
        middle: Sequence[Node],
        rows: Sequence[Node | int],
        names: Mapping[str, str],
        titles: Sequence[str],
    ) -> None:
        self._middle, self._names, self._titles = middle, names, titles
        self._right, self._left = _halves(rows)
        self._most = max(len(self._right), len(self._left), 2 * len(middle))
        self.height = _ROW * self._most + 2 * _MARGIN
        self.headings: list[tuple[Label, int]] = []

    def spots(self) -> list[Spot]:
        x = self.width / 2
        spots = []
        for number, node in enumerate(self._middle):
            y = self.height / 2 + _ROW * 2 * (number - (len(self._middle) - 1) / 2)
            label = Label(x, y, "middle", fitted(self._names[node.id], _THING))
            spots.append(Spot(node, x, y, label, is_thing=True))
        return [*spots, *self._side(self._left, -1), *self._side(self._right, 1)]

    def _side(self, rows: Sequence[Node | int], side: Literal[-1, 1]) -> list[Spot]:
        spots = []
        x = self.width / 2 + side * _REACH
        anchor: Anchor = "start" if side > 0 else "end"
        room = self.width / 2 - _REACH - _GAP - _MARGIN
        rows_above = (self._most - len(rows)) / 2
        for row_number, row in enumerate(rows):
            y = _y(rows_above + row_number)
            if isinstance(row, int):
                self.headings.append((Label(x - 6 * side, y, anchor, self._titles[row]), row))
            else:
                text = fitted(self._names[row.id], room)
                spots.append(Spot(row, x, y, Label(x + _GAP * side, y, anchor, text), False))
        return spots

    def path(self, head: Spot, tail: Spot) -> str:
        inner, outer = sorted((head, tail), key=lambda spot: not spot.is_thing)
        if inner.x == outer.x:
            bow = inner.x + (_THING if inner.is_thing else _INDENT) * 0.8
            return f"M{inner.x:g} {inner.y:g}C{bow:g} {inner.y:g} {bow:g} {outer.y:g} {outer.x:g} {outer.y:g}"
        middle = (inner.x + outer.x) / 2
        return f"M{inner.x:g} {inner.y:g}C{middle:g} {inner.y:g} {middle:g} {outer.y:g} {outer.x:g} {outer.y:g}"


def _halves(rows: Sequence[Node | int]) -> tuple[list[Node | int], list[Node | int]]:
    """Rows for two sides; a group that is cut has its title on both."""
    if len(rows) <= _FEW:
        return list(rows), []
    right_size = (len(rows) + 1) // 2
    if isinstance(rows[right_size - 1], int):
        right_size -= 1
    right, left = list(rows[:right_size]), list(rows[right_size:])
    if not isinstance(left[0], int):
        left.insert(0, next(row for row in reversed(right) if isinstance(row, int)))
    return right, left


def _y(row: float) -> float:
    return _MARGIN + _ROW * (row + 0.5)


def fitted(text: str, pixels: float) -> str:
    """A text, or so much of it as fits into a width, with an ellipsis."""
    if _width(text) <= pixels:
        return text
    room, beginning = pixels - _LETTER, ""
    for letter in text:
        room -= _width(letter)
        if room < 0:
            break
        beginning += letter
    return f"{beginning.rstrip()}…"


def _width(text: str) -> float:
    return sum(_LETTER * (1 + (east_asian_width(letter) in "WF")) for letter in text)

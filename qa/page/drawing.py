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
class Shown:
    """What of a subgraph is drawn and listed."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    more_nodes: int
    more_edges: int


def shown(of: Subgraph, things: Iterable[str], stated: Iterable[Edge], most: int = MOST) -> Shown:
    """The nodes that are drawn: the things, what the answer states of them, then the others.

    Args:
        of: the subgraph.
        things: ids of what the question is about.
        stated: the edges that the answer states.
        most: nodes at most.
    """
    known = {node.id: node for node in of.nodes}
    first = [*things, *(end for edge in stated for end in (edge.head, edge.tail)), *known]
    nodes = list(islice((each for each in dict.fromkeys(first) if each in known), most))
    edges = tuple(edge for edge in of.edges if {edge.head, edge.tail} <= {*nodes})
    met = {end for edge in edges for end in (edge.head, edge.tail)}
    return Shown(
        tuple(known[each] for each in nodes if each in met),
        edges,
        len({end for edge in of.edges for end in (edge.head, edge.tail)} - met),
        len(of.edges) - len(edges),
    )


def draw(
    of: Shown,
    things: Sequence[str],
    called: Mapping[str, str],
    titles: Mapping[str, str],
    *,
    narrow: bool = False,
) -> Drawing:
    """Place what is shown of a subgraph.

    Args:
        of: the nodes and edges.
        things: ids of what the question is about.
        called: what nodes are called, by id.
        titles: what relations are called.
        narrow: for a narrow screen.
    """
    inner = set(things) or {node.id for node in of.nodes[:1]}
    for edge in of.edges:
        if {edge.head, edge.tail} <= inner:
            inner.remove(edge.tail)  # of two things that are connected one stands at the side
    middle = [node for node in of.nodes if node.id in inner]
    relations = list(dict.fromkeys(edge.relation for edge in of.edges))
    groups: dict[str, list[Node]] = {relation: [] for relation in relations}
    placed = set(inner)
    by_id = {node.id: node for node in of.nodes}
    for edge in sorted(of.edges, key=lambda edge: not {edge.head, edge.tail} & inner):
        for end in (edge.head, edge.tail):
            if end not in placed:
                placed.add(end)
                groups[edge.relation].append(by_id[end])
    rows: list[Node | int] = []
    for number, relation in enumerate(relations):
        rows += [number, *groups[relation]] if groups[relation] else []
    make = _Narrow if narrow else _Wide
    plan = make(middle, rows, called, [titles[relation] for relation in relations])
    spots = plan.spots()
    at = {spot.node.id: spot for spot in spots}
    lines = tuple(
        Line(edge, plan.path(at[edge.head], at[edge.tail]), relations.index(edge.relation))
        for edge in of.edges
    )
    return Drawing(plan.width, plan.height, tuple(spots), lines, tuple(plan.headings))


class _Narrow:
    """The things one below the other, and all that they are connected with below them."""

    width = NARROW

    def __init__(
        self,
        middle: Sequence[Node],
        rows: Sequence[Node | int],
        called: Mapping[str, str],
        titles: Sequence[str],
    ) -> None:
        self._middle, self._rows, self._called, self._titles = middle, rows, called, titles
        self.height = _ROW * (len(middle) + len(rows)) + 2 * _MARGIN
        self.headings: list[tuple[Label, int]] = []

    def spots(self) -> list[Spot]:
        drawn = []
        for at, node in enumerate(self._middle):
            drawn.append(self._spot(node, _MARGIN + 6, at, is_thing=True))
        for at, row in enumerate(self._rows, len(self._middle)):
            if isinstance(row, int):
                label = Label(_INDENT - 6, _y(at), "start", self._titles[row])
                self.headings.append((label, row))
            else:
                drawn.append(self._spot(row, _INDENT, at, is_thing=False))
        return drawn

    def _spot(self, node: Node, x: float, row: int, *, is_thing: bool) -> Spot:
        room = self.width - x - _GAP - _MARGIN
        text = fitted(self._called[node.id], room)
        return Spot(node, x, _y(row), Label(x + _GAP, _y(row), "start", text), is_thing)

    def path(self, head: Spot, tail: Spot) -> str:
        one, two = sorted((head, tail), key=lambda spot: spot.y)
        if one.x == two.x:
            return f"M{one.x:g} {one.y:g}C-14 {one.y:g} -14 {two.y:g} {two.x:g} {two.y:g}"
        return f"M{one.x:g} {one.y:g}C{one.x:g} {two.y:g} {one.x:g} {two.y:g} {two.x:g} {two.y:g}"


class _Wide:
    """The things in the middle, the others left and right of them."""

    width = WIDE

    def __init__(
        self,
        middle: Sequence[Node],
        rows: Sequence[Node | int],
        called: Mapping[str, str],
        titles: Sequence[str],
    ) -> None:
        self._middle, self._called, self._titles = middle, called, titles
        self._right, self._left = _halves(rows)
        self._most = max(len(self._right), len(self._left), 2 * len(middle))
        self.height = _ROW * self._most + 2 * _MARGIN
        self.headings: list[tuple[Label, int]] = []

    def spots(self) -> list[Spot]:
        x = self.width / 2
        drawn = []
        for at, node in enumerate(self._middle):
            y = self.height / 2 + _ROW * 2 * (at - (len(self._middle) - 1) / 2)
            label = Label(x, y, "middle", fitted(self._called[node.id], _THING))
            drawn.append(Spot(node, x, y, label, is_thing=True))
        return [*drawn, *self._side(self._left, -1), *self._side(self._right, 1)]

    def _side(self, rows: Sequence[Node | int], side: Literal[-1, 1]) -> list[Spot]:
        drawn = []
        x = self.width / 2 + side * _REACH
        anchor: Anchor = "start" if side > 0 else "end"
        room = self.width / 2 - _REACH - _GAP - _MARGIN
        above = (self._most - len(rows)) / 2
        for at, row in enumerate(rows):
            y = _y(above + at)
            if isinstance(row, int):
                self.headings.append((Label(x - 6 * side, y, anchor, self._titles[row]), row))
            else:
                text = fitted(self._called[row.id], room)
                drawn.append(Spot(row, x, y, Label(x + _GAP * side, y, anchor, text), False))
        return drawn

    def path(self, head: Spot, tail: Spot) -> str:
        one, two = sorted((head, tail), key=lambda spot: not spot.is_thing)
        if one.x == two.x:
            bow = one.x + (_THING if one.is_thing else _INDENT) * 0.8
            return f"M{one.x:g} {one.y:g}C{bow:g} {one.y:g} {bow:g} {two.y:g} {two.x:g} {two.y:g}"
        half = (one.x + two.x) / 2
        return f"M{one.x:g} {one.y:g}C{half:g} {one.y:g} {half:g} {two.y:g} {two.x:g} {two.y:g}"


def _halves(rows: Sequence[Node | int]) -> tuple[list[Node | int], list[Node | int]]:
    """Rows for two sides; a group that is cut has its title on both."""
    if len(rows) <= _FEW:
        return list(rows), []
    cut = (len(rows) + 1) // 2
    if isinstance(rows[cut - 1], int):
        cut -= 1
    first, second = list(rows[:cut]), list(rows[cut:])
    if not isinstance(second[0], int):
        second.insert(0, next(row for row in reversed(first) if isinstance(row, int)))
    return first, second


def _y(row: float) -> float:
    return _MARGIN + _ROW * (row + 0.5)


def fitted(text: str, pixels: float) -> str:
    """A text, or so much of it as fits into a width, with an ellipsis."""
    if _width(text) <= pixels:
        return text
    room, kept = pixels - _LETTER, ""
    for letter in text:
        room -= _width(letter)
        if room < 0:
            break
        kept += letter
    return f"{kept.rstrip()}…"


def _width(text: str) -> float:
    return sum(_LETTER * (1 + (east_asian_width(letter) in "WF")) for letter in text)

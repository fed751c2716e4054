"""Where the nodes of a subgraph stand."""

from itertools import combinations

import pytest

from qa.page.drawing import NARROW, WIDE, Drawing, Label, draw, excerpt_of, fitted
from qa.subgraph import Edge, Node, Subgraph

GOUT = Node("D:1", "gout", "", "Disease")
FEVER = Node("S:1", "fever", "", "Symptom")
DRUG = Node("C:1", "a drug with a name that is far too long for the drawing", "", "Drug")
EDGES = (
    Edge("D:1", "HAS_SYMPTOM", "S:1", ("a",)),
    Edge("C:1", "INDICATED_FOR", "D:1", ("a",)),
)


def subgraph(*edges: Edge, nodes: tuple[Node, ...] = (GOUT, FEVER, DRUG)) -> Subgraph:
    return Subgraph(nodes, edges, {})


def many(count: int) -> Subgraph:
    nodes = tuple(Node(f"S:{at}", f"symptom {at}", "", "Symptom") for at in range(count))
    edges = (Edge("D:1", "HAS_SYMPTOM", node.id, ("a",)) for node in nodes)
    return subgraph(*edges, nodes=(GOUT, *nodes))


def drawn(of: Subgraph, things: list[str], *, narrow: bool = False) -> Drawing:
    names = {node.id: node.name for node in of.nodes}
    titles = {edge.relation: edge.relation.lower() for edge in of.edges}
    return draw(excerpt_of(of, things, ()), things, names, titles, narrow=narrow)


def spans(drawing: Drawing) -> list[tuple[float, float, float]]:
    """Left and right end and height of every text."""
    labels = [spot.label for spot in drawing.spots] + [label for label, _ in drawing.titles]
    return [(_left(label), _left(label) + label.width, label.y) for label in labels]


def _left(label: Label) -> float:
    return label.x - {"start": 0.0, "middle": 0.5, "end": 1.0}[label.anchor] * label.width


def test_things_stand_in_the_middle_and_what_is_said_of_them_beside_them_by_relation() -> None:
    drawing = drawn(subgraph(*EDGES), ["D:1"])
    assert [(spot.node.name, spot.x, spot.is_thing) for spot in drawing.spots] == [
        ("gout", WIDE / 2, True),
        ("fever", 545, False),
        (DRUG.name, 545, False),
    ]
    assert [(label.text, group) for label, group in drawing.titles] == [
        ("has_symptom", 0),
        ("indicated_for", 1),
    ]
    assert [(line.edge, line.group) for line in drawing.lines] == [(EDGES[0], 0), (EDGES[1], 1)]


def test_of_two_things_that_are_connected_one_stands_at_the_side() -> None:
    drawing = drawn(subgraph(*EDGES), ["C:1", "D:1"])
    assert [(spot.node.id, spot.is_thing) for spot in drawing.spots] == [
        ("C:1", True),
        ("S:1", False),
        ("D:1", False),
    ]
    assert [label.text for label, _ in drawing.titles] == ["has_symptom", "indicated_for"]
    beside = {spot.node.id: spot.label.y for spot in drawing.spots}
    assert beside["S:1"] < drawing.titles[1][0].y < beside["D:1"]


@pytest.mark.parametrize("narrow", [False, True])
@pytest.mark.parametrize("count", [1, 7, 8, 9, 20, 39])
def test_no_text_meets_another_or_leaves_the_drawing(count: int, *, narrow: bool) -> None:
    drawing = drawn(many(count), ["D:1"], narrow=narrow)
    assert drawing.width == (NARROW if narrow else WIDE)
    for (left, right, y), (other_left, other_right, other_y) in combinations(spans(drawing), 2):
        assert right <= other_left or other_right <= left or abs(y - other_y) >= 20
    for left, right, y in spans(drawing):
        assert 0 <= left < right <= drawing.width
        assert 10 <= y <= drawing.height - 10


def test_same_subgraph_gives_the_same_drawing() -> None:
    assert drawn(many(30), ["D:1"]) == drawn(many(30), ["D:1"])


def test_at_most_forty_nodes_are_shown_things_and_what_is_stated_first() -> None:
    of = many(60)
    found = excerpt_of(of, ["D:1"], [of.edges[59]])
    assert [node.id for node in found.nodes][:3] == ["D:1", "S:59", "S:0"]
    assert (len(found.nodes), len(found.edges)) == (40, 39)
    assert (found.more_nodes, found.more_edges) == (21, 21)


def test_thing_that_nothing_is_said_of_is_not_shown() -> None:
    found = excerpt_of(subgraph(EDGES[0]), ["D:1", "C:1"], ())
    assert [node.id for node in found.nodes] == ["D:1", "S:1"]


@pytest.mark.parametrize(
    ("text", "pixels", "fits"),
    [
        ("gout", 28, "gout"),
        ("gout", 27, "go…"),
        ("痛风性关节炎", 84, "痛风性关节炎"),
        ("痛风性关节炎", 50, "痛风性…"),
        ("a long name", 28, "a l…"),
        ("", 0, ""),
    ],
)
def test_text_that_is_too_long_ends_in_an_ellipsis(text: str, pixels: float, fits: str) -> None:
    assert fitted(text, pixels) == fits

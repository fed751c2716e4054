"""Counts the disease-centred view of the graph beside the paper that defines it.

MedKGEval (section 3, Table 1) takes all diseases, the symptoms and drugs next to
them, and of the drugs their indications, contraindications, precautions, adverse
reactions and interactions. The paper does not say whether it counts facts or the
different things that they name, so both are counted here.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

from pydantic import BaseModel, TypeAdapter

from kg.stores.store import Store


class ViewCount(BaseModel, frozen=True, extra="forbid"):
    """One line of the view."""

    category: str
    facts: int | None
    """Edges of the category; None for what is a node."""
    things: int | None
    """Different nodes that they name; None for all relations together."""
    paper: int | None
    """The figure of Table 1 of the paper; None if it has none."""


class _Category(NamedTuple):
    name: str
    relation: str
    paper: int | None
    tail_types: frozenset[str] = frozenset()
    """Only these; none: all."""


_CATEGORIES: Final = (
    _Category("symptoms", "HAS_SYMPTOM", 32_248),
    _Category("indications", "INDICATED_FOR", 54_203),
    _Category("treatments with a drug", "TREATED_BY", None, frozenset({"Drug"})),
    _Category("contraindications", "CONTRAINDICATED_FOR", None),
    _Category("precautions", "HAS_PRECAUTION", 26_414),
    _Category("adverse reactions", "HAS_ADVERSE_REACTION", 165_976),
    _Category("interactions", "INTERACTS_WITH", None),
    _Category("complications", "COMPLICATED_BY", 31_924),
)


class _Facts(NamedTuple):
    """A row of ``graph.disease_centred``."""

    relation: str
    head_type: str
    tail_type: str
    facts: int
    heads: int
    tails: int


def disease_view(store: Store) -> tuple[ViewCount, ...]:
    """Count the view in a loaded graph.

    Raises:
        StoreError: the store failed.
    """
    facts = TypeAdapter(list[_Facts]).validate_python(store.query("graph.disease_centred").rows)
    counts = TypeAdapter(list[tuple[str, int]])
    nodes = dict(counts.validate_python(store.query("graph.node_counts").rows))
    [drugs] = TypeAdapter(tuple[int]).validate_python(store.query("graph.disease_drugs").rows[0])
    return (
        ViewCount(
            category="relations", facts=sum(f.facts for f in facts), things=None, paper=651_463
        ),
        ViewCount(category="diseases", facts=None, things=nodes.get("Disease", 0), paper=15_898),
        ViewCount(category="drugs", facts=None, things=drugs, paper=15_164),
        *(_count(category, facts) for category in _CATEGORIES),
    )


def _count(category: _Category, facts: Iterable[_Facts]) -> ViewCount:
    of_category = [
        each
        for each in facts
        if each.relation == category.relation
        and (not category.tail_types or each.tail_type in category.tail_types)
    ]
    return ViewCount(
        category=category.name,
        facts=sum(each.facts for each in of_category),
        things=sum(
            each.tails for each in of_category
        ),  # a node has one type, so none counts twice
        paper=category.paper,
    )

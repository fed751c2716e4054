"""Outcomes of linking text-born names: the rows of ``links.parquet``, and their counts."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final, Literal

import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import BaseModel

Outcome = Literal["linked", "contradicted", "ambiguous", "unsure", "unknown"]
"""The outcomes other than linked: contradicted, the name comes with a UMLS concept and the node
has only others; ambiguous, several nodes have the name; unsure, the most similar name is not
similar enough; unknown, no name is similar."""

LINK_SCHEMA: Final = pa.schema(
    [
        ("source", pa.string()),
        ("type", pa.string()),
        ("name", pa.string()),
        ("outcome", pa.string()),
        ("method", pa.string()),
        ("id", pa.string()),
        ("matched", pa.string()),
        ("score", pa.float64()),
    ]
)
"""Columns of ``links.parquet``, a row for each name of a source; as the fields of ``Link``."""

_EXAMPLES: Final = 3


@dataclass(frozen=True)
class Link:
    """The outcome for one text-born name of one source."""

    source: str
    type: str
    name: str
    outcome: Outcome
    method: str | None
    """How the name was matched, a ``kg.linking.mention.Method``; None if it is not linked."""
    id: str | None
    """The node; the best candidate if the name is not linked."""
    matched: str | None
    """The name of that node that was matched."""
    score: float | None
    """Similarity of the two names, in [0, 1]."""


def with_final_nodes(links: Iterable[Link], nodes: Mapping[str, str]) -> list[Link]:
    """The links with the ids of the nodes after all sources were merged."""
    return [replace(each, id=nodes.get(each.id or "", each.id)) for each in links]


def write(links: Sequence[Link], path: Path) -> None:
    """Write ``links.parquet``."""
    pq.write_table(pa.Table.from_pylist([asdict(each) for each in links], LINK_SCHEMA), path)


class LinkCount(BaseModel, frozen=True, extra="forbid"):
    """Number of names of one source with one outcome."""

    source: str
    outcome: Outcome
    method: str | None
    names: int
    examples: tuple[tuple[str, str | None], ...]
    """A few names with the matched names: the least similar linked ones, the most similar others."""

    def shown(self) -> tuple[str, ...]:
        """The examples, each as one text."""
        doubt = "" if self.outcome == "linked" else "?"
        return tuple(
            name if like in (None, name) else f"{name} → {like}{doubt}"
            for name, like in self.examples
        )


def count_links(links: Iterable[Link]) -> tuple[LinkCount, ...]:
    """Count names by source, outcome and method; linked ones first, frequent ones first."""
    groups: dict[tuple[str, Outcome, str | None], list[Link]] = {}
    for each in links:
        groups.setdefault((each.source, each.outcome, each.method), []).append(each)
    counts = [
        LinkCount(
            source=source,
            outcome=outcome,
            method=method,
            names=len(group),
            examples=_borderline(group),
        )
        for (source, outcome, method), group in groups.items()
    ]
    return tuple(
        sorted(counts, key=lambda c: (c.source, c.outcome != "linked", -c.names, c.outcome))
    )


def _borderline(links: Iterable[Link]) -> tuple[tuple[str, str | None], ...]:
    """The names that were closest to another outcome."""

    def certainty(each: Link) -> tuple[float, str]:
        score = each.score or 0.0
        return (score if each.outcome == "linked" else -score), each.name

    return tuple((each.name, each.matched) for each in sorted(links, key=certainty)[:_EXAMPLES])

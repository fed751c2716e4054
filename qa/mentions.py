"""Finds what a question speaks of: the longest of its word runs that the graph knows by name."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, cast

from kg.stores.store import Store
from kg.text import normalise

_LONGEST_WORDS: Final = 10
_LONGEST_HAN: Final = 16
_TOKEN: Final = re.compile(r"[㐀-鿿]|[^\s㐀-鿿]+")
"""A Han character or a run of anything else between white space."""
_POSSESSIVE: Final = re.compile(r"['\u2019]s[?.!,]*$")


@dataclass(frozen=True)
class Mention:
    """A stretch of the question and an entity that goes by it."""

    start: int
    end: int
    """Offsets into the question; ``question[start:end]`` is the mention."""
    id: str
    type: str
    name: str


def find_mentions(question: str, store: Store) -> list[Mention]:
    """All mentions that are not part of a longer one, in their order.

    A stretch that several entities go by gives a mention for each of them. A
    gene goes by its symbol as it is written (WAS is a gene, was is not).
    """
    spans = list(_spans(question))
    if not spans:
        return []
    rows = store.query("entity.find", names=sorted({normal for _, _, normal in spans})).dicts()
    by_name: dict[object, list[Mention]] = {}
    for row in rows:
        entity = Mention(
            0, 0, str(row["entity_id"]), str(row["entity_type"]), str(row["entity_name"])
        )
        for normal in cast("list[str]", row["normal_names"]):
            by_name.setdefault(normal, []).append(entity)
    found = [
        Mention(start, end, entity.id, entity.type, entity.name)
        for start, end, normal in spans
        for entity in by_name.get(normal, ())
        if entity.type != "Gene" or question[start:end].strip("?!.,;:") == entity.name
    ]
    longest = [m for m in found if not any(_inside(m, other) for other in found)]
    return sorted(longest, key=lambda m: (m.start, m.id))


def _inside(mention: Mention, other: Mention) -> bool:
    contained = other.start <= mention.start and mention.end <= other.end
    return contained and mention.end - mention.start < other.end - other.start


def _spans(question: str) -> Iterator[tuple[int, int, str]]:
    """Start, end and normalised text of every run of tokens that may be a name."""
    tokens = [(match.start(), match.end()) for match in _TOKEN.finditer(question)]
    for first, (start, _) in enumerate(tokens):
        han = "㐀" <= question[start] <= "鿿"
        for _, end in tokens[first : first + (_LONGEST_HAN if han else _LONGEST_WORDS)]:
            normal = normalise(_POSSESSIVE.sub("", question[start:end]))
            if normal:
                yield start, end, normal

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
_POSSESSIVE: Final = re.compile(r"(?:['\u2019]s|(?<=s)['\u2019])[?.!,]*$")
_PLURAL: Final = re.compile(r"(?<=[a-z]{2})(ies|(?<=[sxz])es|(?<=[cs]h)es|(?<![isu])s)$")
"""Ending of a normalised text that may be of several: allergies, strokes, not diabetes or virus."""


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
    gene goes by its symbol as it is written (WAS is a gene, was is not). A stretch
    that is nobody's name may be the plural of one.
    """
    spans = list(_spans(question))
    if not spans:
        return []
    rows = store.query(
        "entity.find", names=sorted({form for *_, forms in spans for form in forms})
    ).dicts()
    by_name: dict[object, list[Mention]] = {}
    for row in rows:
        entity = Mention(
            0, 0, str(row["entity_id"]), str(row["entity_type"]), str(row["entity_name"])
        )
        for normal in cast("list[str]", row["normal_names"]):
            by_name.setdefault(normal, []).append(entity)
    found = [
        Mention(start, end, entity.id, entity.type, entity.name)
        for start, end, forms in spans
        for entity in next((by_name[form] for form in forms if form in by_name), ())
        if entity.type != "Gene" or question[start:end].strip("?!.,;:") == entity.name
    ]
    longest = [m for m in found if not any(_inside(m, other) for other in found)]
    return sorted(longest, key=lambda m: (m.start, m.id))


def _inside(mention: Mention, other: Mention) -> bool:
    contained = other.start <= mention.start and mention.end <= other.end
    return contained and mention.end - mention.start < other.end - other.start


def _spans(question: str) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Start, end and normalised forms of every run of tokens that may be a name."""
    tokens = [(match.start(), match.end()) for match in _TOKEN.finditer(question)]
    for first, (start, _) in enumerate(tokens):
        han = "㐀" <= question[start] <= "鿿"
        for _, end in tokens[first : first + (_LONGEST_HAN if han else _LONGEST_WORDS)]:
            normal = normalise(_POSSESSIVE.sub("", question[start:end]))
            if normal:
                yield start, end, _forms(normal)


def _forms(normal: str) -> tuple[str, ...]:
    """The text, and its singular if it looks like a plural."""
    singular = _PLURAL.sub(lambda ending: "y" if ending[0] == "ies" else "", normal)
    return (normal,) if singular == normal else (normal, singular)

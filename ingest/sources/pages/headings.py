"""The word in ``relations.yaml`` for the heading of a section."""

import re
from collections.abc import Iterable
from typing import Final

from ingest.sources.relations import Mapped, RelationMap
from kg.text import normalise

DISEASE: Final = "{disease}"
_EDGES: Final = re.compile(r"^(?:the|your|possible|common|general) | (?:section|information)$")
_NUMBER: Final = re.compile(r"^(?:\d{1,2}|[一二三四五六七八九十]{1,2})[.、\s]+")


class Headings:
    """Finds a heading's word."""

    def __init__(self, relations: RelationMap) -> None:
        self.relations = relations
        self._words = {_key(word): word for word in relations.words()}

    def knows(self, heading: str, names: Iterable[str] = ()) -> bool:
        """Whether the map has a word for a heading."""
        return self.word(heading, names) in self._words.values()

    def word(self, heading: str, names: Iterable[str] = ()) -> str:
        """The map's word for a heading; the heading itself if there is none.

        Args:
            heading: as it is written.
            names: of the page's disease, which may stand in it.
        """
        plain = normalise(_NUMBER.sub("", heading))
        forms = [plain, *(_with_gap(plain, normalise(name)) for name in names)]
        forms += [_EDGES.sub("", form) for form in forms]
        forms += [form.replace(DISEASE, "").strip() for form in forms if DISEASE in form]
        known = (self._words.get(form) for form in forms)
        return next(filter(None, known), heading)

    def mapped(self, word: str) -> tuple[Mapped, ...]:
        """What phrases under a heading are to the disease; nothing for a heading of text only."""
        return self.relations.relations.get(word, ())


def _key(word: str) -> str:
    """A word of the map as headings are compared, its gap kept."""
    before, gap, after = word.partition(DISEASE)
    return " ".join(filter(None, (normalise(before), gap, normalise(after))))


def _with_gap(heading: str, name: str) -> str:
    return f" {heading} ".replace(f" {name} ", f" {DISEASE} ").strip() if name else heading

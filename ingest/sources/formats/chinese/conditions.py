"""Whether a condition is a disease or a symptom, where a source names it in several places.

One source lists a condition among the symptoms of one disease, among the
complications of another, and has an entry of its own for it. It is one thing,
so it has one type: Disease if it has an entry, else Symptom if it is anywhere
listed as one, else what the place says.
"""

from collections.abc import Iterable
from typing import Final

from kg.text import normalise

TYPES: Final = ("Disease", "Symptom")


class Conditions:
    """The names of one source's diseases and symptoms."""

    def __init__(self, diseases: Iterable[str], symptoms: Iterable[str]) -> None:
        self._diseases = {normalise(name) for name in diseases}
        self._symptoms = {normalise(name) for name in symptoms}
        self._known: dict[str, str | None] = {}

    def type_of(self, name: str, place: str) -> str:
        """The type of a condition that is mentioned in a ``place`` for this type."""
        if name not in self._known:  # most names come often, and each is looked up once
            self._known[name] = self._filed_as(normalise(name))
        return self._known[name] or place

    def is_disease(self, name: str) -> bool:
        """Whether the source has an entry for it as a disease."""
        return self.type_of(name, "") == "Disease"

    def _filed_as(self, normal: str) -> str | None:
        if normal in self._diseases:
            return "Disease"
        return "Symptom" if normal in self._symptoms else None

"""The drugs of the list that medkg brings, found by their English names.

A brand is found only with a capital letter.
"""

import csv
import re
from collections.abc import Collection, Iterator, Mapping
from importlib.resources import files
from typing import Final, NamedTuple, Self

_WORD: Final = re.compile(r"[a-z0-9]+(?:[-'][a-z0-9]+)*")


class Drug(NamedTuple):
    """A drug of the list."""

    id: str | None
    name: str
    """Its INN, or what it is usually called."""
    name_zh: str


class DrugNames:
    """Finds drugs in English text."""

    def __init__(self, drugs: Mapping[str, Drug], brands: Collection[str] = ()) -> None:
        """Of drugs by their names; ``brands`` are those of the names that are no common words."""
        self._drugs = {_key(name): drug for name, drug in drugs.items()}
        self._brands = set(map(_key, brands))
        self._longest = max((len(name.split()) for name in self._drugs), default=0)

    @classmethod
    def of_list(cls) -> Self:
        """Of medkg's list; the first line of a drug there is what it is called."""
        listed = files("ingest.sources").joinpath("bridge", "lists", "drugs.tsv")
        rows = csv.DictReader(listed.read_text(encoding="utf-8").splitlines(), delimiter="\t")
        known: dict[str, Drug] = {}
        drugs: dict[str, Drug] = {}
        brands = []
        for row in rows:
            key = row["id"] or row["name_zh"]
            own = Drug(row["id"] or None, row["name_en"], row["name_zh"])
            drug = known.setdefault(key, own)
            if row["name_en"]:
                drugs.setdefault(row["name_en"], drug)
                if row["kind"] == "brand":
                    brands.append(row["name_en"])
        return cls(drugs, brands)

    def named(self, name: str) -> Drug | None:
        """The drug that goes by a name."""
        return self._drugs.get(_key(name))

    def parts(self, names: str) -> tuple[Drug, ...]:
        """The drugs whose names, with blanks between them, are the whole of a text; else none."""
        drugs, at = [], 0
        for start, end, drug in self.found(names):
            if names[at:start].strip():
                return ()
            drugs.append(drug)
            at = end
        return () if names[at:].strip() else tuple(drugs)

    def found(self, text: str) -> Iterator[tuple[int, int, Drug]]:
        """Start and end of each name in a text, the longest that begins first, and its drug."""
        words = list(_WORD.finditer(text.lower()))
        at = 0
        while at < len(words):
            for count in range(min(self._longest, len(words) - at), 0, -1):
                name = " ".join(word[0] for word in words[at : at + count])
                start = words[at].start()
                if name in self._brands and not text[start].isupper():
                    continue
                if drug := self._drugs.get(name):
                    yield start, words[at + count - 1].end(), drug
                    at += count
                    break
            else:
                at += 1


def _key(name: str) -> str:
    return " ".join(_WORD.findall(name.lower()))

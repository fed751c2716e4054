"""The drugs of the list that medkg brings, found by their English names: INN, USAN, aliases, salts.

Brands are left out: labels have thousands that are in no list, and some are ordinary words.
"""

import csv
import re
from collections.abc import Iterator
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

    def __init__(self, drugs: dict[str, Drug]) -> None:
        """Of drugs by their names; upper and lower case are one."""
        self._drugs = {" ".join(_WORD.findall(name.lower())): d for name, d in drugs.items()}
        self._longest = max((len(name.split()) for name in self._drugs), default=0)

    @classmethod
    def of_list(cls) -> Self:
        """Of medkg's list; the first line of a drug there is what it is called."""
        listed = files("ingest.sources").joinpath("bridge", "lists", "drugs.tsv")
        rows = csv.DictReader(listed.read_text(encoding="utf-8").splitlines(), delimiter="\t")
        known: dict[str, Drug] = {}
        drugs: dict[str, Drug] = {}
        for row in rows:
            key = row["id"] or row["name_zh"]
            own = Drug(row["id"] or None, row["name_en"], row["name_zh"])
            drug = known.setdefault(key, own)
            if row["name_en"] and row["kind"] != "brand":
                drugs[row["name_en"]] = drug
        return cls(drugs)

    def named(self, name: str) -> Drug | None:
        """The drug that goes by a name."""
        return self._drugs.get(" ".join(_WORD.findall(name.lower())))

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
                if drug := self._drugs.get(name):
                    yield words[at].start(), words[at + count - 1].end(), drug
                    at += count
                    break
            else:
                at += 1

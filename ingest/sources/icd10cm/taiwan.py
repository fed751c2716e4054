"""Words of Taiwan in the words of the mainland, in Simplified characters.

OpenCC's dictionary of words (``tw2sp``) is made for general texts. What medicine says otherwise is a
reviewed list beside this file, which goes first, the longest word first: words that OpenCC
does not know, and words that must stay since it takes them for another thing (遠端 is distal, not
remote).
"""

import csv
import re
from importlib.resources import files
from typing import Final

import opencc

COLUMNS: Final = ("taiwan", "mainland", "example")
"""Of the list: a word in Traditional characters, the mainland's in Simplified ones, and a code of
ICD-10-CM in whose title it stands."""


def reviewed_words() -> dict[str, str]:
    """The list: words of the mainland by words of Taiwan."""
    text = (files("ingest.sources.icd10cm") / "taiwan.tsv").read_text(encoding="utf-8")
    rows = csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    return {row["taiwan"]: row["mainland"] for row in rows}


class Taiwan:
    """Says names of Taiwan in Simplified characters."""

    def __init__(self) -> None:
        self._words = reviewed_words()
        longest_first = sorted(self._words, key=lambda word: (-len(word), word))
        self._word = re.compile("(" + "|".join(map(re.escape, longest_first)) + ")")
        self._characters = opencc.OpenCC("tw2s")
        self._phrases = opencc.OpenCC("tw2sp")

    def names(self, name: str) -> tuple[str, ...]:
        """A name in its own words, and in those of the mainland where they differ."""
        told = "".join(
            self._words[part] if part in self._words else self._phrases.convert(part)
            for part in self._word.split(name)
        )
        return tuple(dict.fromkeys((self._characters.convert(name), told)))

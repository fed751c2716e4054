"""Words of Taiwan in the words of the mainland, in Simplified characters.

OpenCC's dictionary of words (``tw2sp``) is made for general texts. What medicine says otherwise is a
reviewed list beside this file, which goes first, the longest word first: words that OpenCC
does not know, and words that must stay since it takes them for another thing (遠端 is distal, not
remote).
"""

import csv
import re
from importlib.resources import files
from typing import Final, NamedTuple

import opencc

COLUMNS: Final = ("taiwan", "mainland", "example", "misread")
"""Of the list: a word in Traditional characters, the mainland's in Simplified ones, a code of
ICD-10-CM that is called so, and ``yes`` where the mainland takes Taiwan's word for another
thing: 氣喘 is asthma, and on the mainland panting."""


class Word(NamedTuple):
    """What the mainland says for a word of Taiwan."""

    mainland: str
    misread: bool


def reviewed_words() -> dict[str, Word]:
    """The list, by words of Taiwan."""
    text = (files("ingest.sources.icd10cm") / "taiwan.tsv").read_text(encoding="utf-8")
    rows = csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    return {row["taiwan"]: Word(row["mainland"], row["misread"] == "yes") for row in rows}


class Taiwan:
    """Says names of Taiwan in Simplified characters."""

    def __init__(self) -> None:
        self._words = reviewed_words()
        longest_first = sorted(self._words, key=lambda word: (-len(word), word))
        self._word = re.compile("(" + "|".join(map(re.escape, longest_first)) + ")")
        self._characters = opencc.OpenCC("tw2s")
        self._phrases = opencc.OpenCC("tw2sp")

    def names(self, name: str) -> tuple[str, ...]:
        """A name in its own words, unless they are misread, and in those of the mainland."""
        parts = self._word.split(name)
        translations = [self._words[part] for part in parts if part in self._words]
        translated = "".join(
            self._words[part].mainland if part in self._words else self._phrases.convert(part)
            for part in parts
        )
        if any(word.misread for word in translations):
            return (translated,)
        return tuple(dict.fromkeys((self._characters.convert(name), translated)))

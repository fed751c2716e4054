"""Text as the graph compares it."""

import re
import unicodedata

_BETWEEN_WORDS = re.compile(r"[\s\-\u2010-\u2015_/,;:\u00b7\u3001]+")
"""White space, hyphens and dashes, slashes, commas (NFKC has made full-width ones plain)."""
_MARKS = re.compile(
    r"[\"'`\u00b4\u2018\u2019\u201c\u201d()\[\]{}<>\u3010\u3011\u300a\u300b!?.\u3002*^~]+"
)
"""Quotes, brackets and full stops."""


def normalise(text: str) -> str:
    """The form in which two spellings of one name are equal; empty if nothing is left.

    Unicode NFKC (full-width to ASCII), case folded, hyphens, slashes, commas and
    white space to one space, quotes, brackets and full stops gone.
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    return _BETWEEN_WORDS.sub(" ", _MARKS.sub("", folded)).strip()

"""Where the sentences of an English or Chinese text begin and end."""

import re
from collections.abc import Iterator
from typing import Final

_POSSIBLE_END: Final = re.compile(r"[.!?]+|[。！？；;…]+|\n\s*")
_AFTER_MARK: Final = re.compile(r"[\"')\]\u201d]{0,3}(?:\s|$)")
_ABBREVIATION: Final = re.compile(
    r"\b(?:dr|mr|mrs|ms|st|vs|approx|e\.?g|i\.?e|[a-z]\.[a-z]|pt|hx|fam|etc)$", re.IGNORECASE
)
_BEFORE_NUMBER: Final = re.compile(r"\b(?:no|fig)$", re.IGNORECASE)
_NUMBER: Final = re.compile(r"\s*\d")
_LETTER: Final = re.compile(r"\b[A-Z]$")
_LOWER_CASE: Final = re.compile(r"\s+[a-z]")
_MAX_ABBREVIATION: Final = 8
_MARKS: Final = frozenset(".!?。！？；;…\"')]\u201d")


def ends(text: str, start: int = 0, end: int | None = None) -> Iterator[int]:
    """Where sentences of ``text[start:end]`` end, without the last, ascending: before the mark.

    Abbreviations (Dr., e.g., No. 5, E. coli) end no sentence; a semicolon does, and so does a
    line end, unless the next line begins in lower case.
    """
    end = len(text) if end is None else end
    for mark in _POSSIBLE_END.finditer(text, start, end):
        if _does_end(text, mark, end):
            yield mark.start()


def sentences(text: str, start: int = 0, end: int | None = None) -> list[tuple[int, int]]:
    """Start and end of every sentence of ``text[start:end]``, without the blanks around it.

    Offsets are in code points of ``text``. The mark that ends a sentence belongs to it.
    """
    end = len(text) if end is None else end
    spans = []
    for stop in (*ends(text, start, end), end):
        after = stop
        while after < end and text[after] in _MARKS:
            after += 1
        sentence = text[start:after]
        if sentence.strip():
            first = start + len(sentence) - len(sentence.lstrip())
            spans.append((first, start + len(sentence.rstrip())))
        start = max(start, after)
    return spans


def _does_end(text: str, mark: re.Match[str], end: int) -> bool:
    if mark[0][0] == "\n":
        next_line = text[mark.end() : mark.end() + 1]
        return not (next_line.islower() and mark[0].count("\n") == 1)
    if mark[0][0] not in ".!?":
        return True
    if _AFTER_MARK.match(text, mark.end(), end) is None:
        return False
    return mark[0] != "." or not _abbreviates(text, mark, end)


def _abbreviates(text: str, dot: re.Match[str], end: int) -> bool:
    """Whether a full stop belongs to an abbreviation."""
    before = text[max(0, dot.start() - _MAX_ABBREVIATION) : dot.start()]
    if _ABBREVIATION.search(before):
        return True
    if _BEFORE_NUMBER.search(before):
        return _NUMBER.match(text, dot.end(), end) is not None
    return (
        _LETTER.search(before) is not None and _LOWER_CASE.match(text, dot.end(), end) is not None
    )

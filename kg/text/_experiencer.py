"""Which mentions a text ascribes to somebody who is not the patient."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Final, NamedTuple

from kg.text._marks import Layout, Lexicon, Mark
from kg.text._people import (
    EXPERIENCER,
    FEMALE,
    HEADING,
    MACROS,
    MALE,
    OTHER_HEADING,
    PRESENT,
)

_LEXICON: Final = Lexicon(EXPERIENCER, MACROS)
_PRESENT: Final = re.compile(PRESENT)
_HEADING: Final = re.compile(HEADING)
_OTHER_HEADING: Final = re.compile(OTHER_HEADING)
_ITS_OWN_START: Final = re.compile(
    r"(?:history|hx) of|\bthere (?:is|are|was)|[:：;；]|[有无]|否认|\bno\b|\bany\b|\b(?:has|have|had)\b"
)
"""Where the list begins that a relative at its end is said to have."""
_BARE_WORDS: Final = 4
_FOLLOWS_AS_HEADING: Final = re.compile(r"\s?[：:]|中|有|无|里")
_MALE: Final = re.compile(rf"\b(?:{'|'.join(MALE)})\b")
_FEMALE: Final = re.compile(rf"\b(?:{'|'.join(FEMALE)})\b")
_LONGEST_LIST: Final = 120
_PRONOUNS: Final = ("he", "she", "they")
_SPEAKERS: Final = ("my ", "your ")


def of_others(layout: Layout, spans: Sequence[tuple[int, int]]) -> list[bool]:
    """Whether each of the mentions is that of another person than the patient."""
    marks = _LEXICON.scan(layout.folded, spans)
    scopes = sorted([*_sections(layout), *_forward(layout, marks), *_backward(layout, marks)])
    starts = [start for start, _ in scopes]
    reach = list(accumulate((end for _, end in scopes), max))
    return [
        (at := bisect_right(starts, start)) > 0 and reach[at - 1] > start for start, _ in spans
    ]


def _sections(layout: Layout) -> Iterator[tuple[int, int]]:
    """Sections "Family history:"."""
    headings = [m.end() for m in _HEADING.finditer(layout.folded)]
    if not headings:
        return
    others = [m.start() for m in _OTHER_HEADING.finditer(layout.text)]
    for heading in headings:
        after = bisect_left(others, heading)
        yield heading, others[after] if after < len(others) else len(layout.text)


def _gender(folded: str, mark: Mark) -> str:
    phrase = folded[mark.start : mark.end]
    male, female = _MALE.search(phrase), _FEMALE.search(phrase)
    if bool(male) == bool(female):
        return "they"
    return "he" if male else "she"


class _Relative(NamedTuple):
    """Of whom a sentence speaks."""

    start: int
    """Where what is said of them starts."""
    gender: str
    """he, she, or they where it is not known."""
    by_speaker: bool
    """Called "my" or "your" mother: then the patient is not "she"."""


def _forward(layout: Layout, marks: Sequence[Mark]) -> Iterator[tuple[int, int]]:
    """From a relative to the end of the sentence, or to where it speaks of the patient again."""
    folded, open_, last = layout.folded, None, None
    for mark in marks:
        if open_ and mark.start > layout.sentence_end(open_.start):
            yield open_.start, layout.sentence_end(open_.start)
            open_ = None
        if relative := _relative(folded, mark, last):
            if open_:
                yield open_.start, mark.start
            open_ = last = relative
        elif open_ and _is_patient(folded, mark, open_):
            yield open_.start, mark.start
            open_ = None
        if mark.kind == "patient":
            last = None
    if open_:
        yield open_.start, layout.sentence_end(open_.start)


def _relative(folded: str, mark: Mark, last: _Relative | None) -> _Relative | None:
    """The relative whom a mark names, or means by "he" ("How is your dad? He has gout")."""
    if mark.kind in _PRONOUNS:
        is_last = last is not None and last.by_speaker and last.gender == mark.kind
        return _Relative(mark.end, mark.kind, by_speaker=True) if is_last else None
    is_heading = mark.kind == "history" and _FOLLOWS_AS_HEADING.match(folded, mark.end)
    if mark.kind not in ("kin", "both") and not is_heading:
        return None
    by_speaker = folded.endswith(_SPEAKERS, 0, mark.start)
    return _Relative(mark.end, _gender(folded, mark), by_speaker)


def _is_patient(folded: str, mark: Mark, relative: _Relative) -> bool:
    if mark.kind not in _PRONOUNS:
        return mark.kind == "patient"
    if relative.by_speaker or "they" in (mark.kind, relative.gender):
        return False
    return mark.kind != relative.gender or _PRESENT.match(folded, mark.end) is not None


def _backward(layout: Layout, marks: Sequence[Mark]) -> Iterator[tuple[int, int]]:
    """What stands before "in her mother" or 家族史."""
    patient = 0
    for mark in marks:
        if mark.kind in ("both", "history"):
            start = max(layout.sentence_start(mark.start), patient, mark.start - _LONGEST_LIST)
            for own in _ITS_OWN_START.finditer(layout.folded, start, mark.start):
                start = own.end()
            yield _list_start(layout.folded, start, mark.start), mark.start
        if mark.kind in ("kin", "both", "patient"):
            patient = mark.end


def _list_start(folded: str, start: int, end: int) -> int:
    """Where the list begins that ends at ``end``: "asthma, diabetes and gout" has three members.

    Without "and" the last member stands alone ("has asthma, diabetes in mother").
    """
    *members, last = re.split(r"([,\uff0c])", folded[start:end])
    joined = re.search(r"\b(?:and|or)\b|&|/", last) is not None
    begin = end - len(last)
    while joined and members:
        comma, member = members.pop(), members.pop()
        if len(member.split()) > _BARE_WORDS:
            break
        begin -= len(comma) + len(member)
    return begin

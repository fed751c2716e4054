"""Which mentions a text denies."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final

from kg.text._cues import ASKS, ASKS_OPENLY, BOTH_WAYS, MACROS, NEGATION, NO, SPEAKER
from kg.text._marks import Layout, Lexicon, Mark

_LEXICON: Final = Lexicon(NEGATION, MACROS)
_FORWARD_WORDS: Final = 8
"""A cue reaches so many words into each member of a list."""
_BACKWARD_WORDS: Final = 8
_NEAR_WORDS: Final = 3
_BEFORE_KINDS: Final = ("pre", "near", "touch")
_LAST_CUES: Final = 8
_HAN: Final = "\u3400-\u9fff"
_SEPARATOR: Final = re.compile(r"[,，、/]|\b(?:and|or|nor)\b|[和及或与]")
_COMMA_WALL: Final = re.compile(rf"，|(?<=[{_HAN}]),|,(?=\s?[{_HAN}])|\s[-\u2013\u2014]{{1,2}}\s")
"""A comma between Chinese clauses, a dash between English ones."""
_LIST_TO_HISTORY: Final = re.compile(
    rf"(?:[，,]\s?[{_HAN}、]{{1,16}}){{1,8}}?(?:史|等[{_HAN}]{{0,6}}|的(?:症状|情况|现象|表现))(?=[，,。；;、.\s]|$)"
)
_BARE_LIST: Final = re.compile(rf"(?:[，,]\s?[{_HAN}]{{1,7}}){{1,12}}(?=[，,。；;.\s]|$)")
_NEW_SUBJECT: Final = re.compile(
    r"\s{1,3}(?:(?:is|are|was|were|has been|have been) (?!(?:also )?(?:noted|seen|heard|present|appreciated|detected"
    r"|reported|found|identified|observed|felt|palpated|elicited|visualized|evident))|has |have |had )"
)
"""A verb after a mention beyond a comma: it is the subject of another clause."""
_ENDS_CLAUSE: Final = re.compile(r"(?:明显)?(?:异常|不适)?(?:[\s，。；、,.;)）]|$)")
_QUESTION: Final = re.compile(r"[?？]+|[.。]?(?=[ \t]{0,3}\n)")
_ANSWER_NO: Final = re.compile(rf"\s{{0,3}}{SPEAKER}?{NO}")
_TURN_NO: Final = re.compile(rf"\s{{0,4}}{SPEAKER}{NO}")
_ASKS: Final = re.compile(ASKS)
_ASKS_OPENLY: Final = re.compile(ASKS_OPENLY, re.DOTALL)
_KNOWN: Final = re.compile(
    r"\b(?:the|your|this|that|these|those|my|his|her)\s(?:[a-z]{1,14}\s)?$|除了?$"
)
_KNOWN_TIME: Final = re.compile(r"(?:的时候|时(?!不)|之?前|之?后|以来|期间|这段)")
"""What a question takes for granted ("does the pain wake you?", 发热前有没有受凉)."""
_LONGEST_QUESTION: Final = 400
_LONGEST_ANSWER: Final = 200
_MOST_QUESTIONS: Final = 4
"""Asked in a row, before one "no" denies them."""
_BEFORE: Final = 24
_PLURAL: Final = "post_all"
_ONE: Final = "post_one"


class _Reading:
    """The cues of a text and how far they reach."""

    def __init__(self, layout: Layout, spans: Sequence[tuple[int, int]]) -> None:
        self.layout = layout
        self.folded = layout.folded
        self.marks = _LEXICON.scan(layout.folded, spans)
        self._scopes: dict[Mark, int] = {}

    @cached_property
    def separators(self) -> list[int]:
        return [m.start() for m in _SEPARATOR.finditer(self.folded)]

    @cached_property
    def commas(self) -> list[int]:
        return [m.start() for m in _COMMA_WALL.finditer(self.folded)]

    @cached_property
    def _opening(self) -> list[int]:
        return [m.start() for m in re.finditer("[(（]", self.folded)]

    @cached_property
    def _closing(self) -> list[int]:
        return [m.start() for m in re.finditer("[)）]", self.folded)]

    @cached_property
    def _breaks(self) -> list[int]:
        """Where a scope ends whatever cue it is, but for commas."""
        ends = [mark.start for mark in self.marks if mark.kind == "end"]
        return sorted([*ends, *self.layout.ends])

    @cached_property
    def _overlong(self) -> list[int]:
        """Where members of lists become too long to be members."""
        last = len(self.folded)
        after = [*self.separators[1:], last] if self.separators else []
        limits = (self.layout.words_after(at + 1, _FORWARD_WORDS) for at in self.separators)
        return [limit for limit, end in zip(limits, after, strict=True) if limit < end]

    def _next(self, places: Sequence[int], at: int) -> int:
        found = bisect_left(places, at)
        return places[found] if found < len(places) else len(self.folded)

    def forward(self, mark: Mark) -> int:
        """Where the scope of a cue ends that stands before what it denies."""
        first = self._next(self.separators, mark.end)
        near = self.layout.words_after(mark.end, _FORWARD_WORDS)
        end = self._next(self._breaks, mark.end)
        if near < first:
            return min(end, near)
        end = min(end, self._next(self._overlong, first))
        comma = self._next(self.commas, mark.end)
        if comma < end:
            end = max(comma, min(end, self._beyond(mark, comma)))
        return self._inside_parenthesis(mark, end)

    def _beyond(self, mark: Mark, comma: int) -> int:
        """The end of a Chinese list whose members stand between commas."""
        listing = _LIST_TO_HISTORY.match(self.folded, comma)
        if not listing and self.folded.startswith("否认", mark.start):
            listing = _BARE_LIST.match(self.folded, comma)
        return listing.end() if listing else comma

    def _inside_parenthesis(self, mark: Mark, end: int) -> int:
        closing = self._next(self._closing, mark.end)
        return closing if closing < min(end, self._next(self._opening, mark.end)) else end

    def near(self, mark: Mark) -> int:
        """Where the scope of a cue ends that denies only what follows it at once."""
        if mark.kind == "touch":
            return mark.end + 1
        limit = self.layout.words_after(mark.end, _NEAR_WORDS)
        places = (self._breaks, self.separators, self.commas)
        return min(limit, *(self._next(place, mark.end) for place in places))

    def backward(self, mark: Mark) -> int:
        """Where the scope of a cue starts that stands after what it denies."""
        start = max(
            self.layout.words_before(mark.start, _BACKWARD_WORDS),
            self.layout.sentence_start(mark.start),
            self._previous(self._walls, mark.start),
            self._previous(self.commas, mark.start),
        )
        if mark.kind == _PLURAL:
            return start
        members = self.folded[start : mark.start]
        if mark.kind == _ONE:
            return start + max(members.rfind(","), members.rfind(" and "), 0)
        return start + max(members.rfind(","), 0)

    @cached_property
    def _walls(self) -> list[int]:
        return [mark.start for mark in self.marks if not mark.kind.startswith("post")]

    def _previous(self, places: Sequence[int], at: int) -> int:
        found = bisect_left(places, at)
        return places[found - 1] if found else 0

    @cached_property
    def _before(self) -> list[Mark]:
        """The cues that stand before what they deny."""
        return [mark for mark in self.marks if mark.kind in _BEFORE_KINDS]

    @cached_property
    def _before_ends(self) -> list[int]:
        return [mark.end for mark in self._before]

    def denied_before(self, start: int) -> Mark | None:
        """The cue before an offset whose scope it is in.

        Of the last few cues only: a scope that reaches past them does not occur, and
        so a heap of cues costs no more than its mentions do.
        """
        at = bisect_right(self._before_ends, start)
        return next(
            (
                mark
                for mark in self._before[max(0, at - _LAST_CUES) : at]
                if self._end(mark) > start
            ),
            None,
        )

    def _end(self, mark: Mark) -> int:
        if mark not in self._scopes:
            self._scopes[mark] = self.forward(mark) if mark.kind == "pre" else self.near(mark)
        return self._scopes[mark]

    def after(self) -> tuple[list[int], list[int]]:
        """Starts of the cues that stand after, and where their scopes start."""
        marks = [mark for mark in self.marks if self._stands_after(mark)]
        return [mark.start for mark in marks], [self.backward(mark) for mark in marks]

    def _stands_after(self, mark: Mark) -> bool:
        if mark.kind.startswith("post"):
            return True
        if self.folded[mark.start : mark.end] not in BOTH_WAYS:
            return False
        return _ENDS_CLAUSE.match(self.folded, mark.end) is not None

    def refused(self) -> Iterator[tuple[int, int]]:
        """Questions that are answered with no."""
        for mark in _QUESTION.finditer(self.folded):
            has_mark = mark[0][:1] in ("?", "？")
            answer = _ANSWER_NO if has_mark else _TURN_NO
            if answer.match(self.folded, mark.end()):
                yield from self._asked(mark.start(), has_mark=has_mark)

    def _asked(self, end: int, *, has_mark: bool) -> Iterator[tuple[int, int]]:
        """The question that ends at an offset, and the questions just before it."""
        for _ in range(_MOST_QUESTIONS):
            start = max(self.layout.sentence_start(end), end - _LONGEST_QUESTION)
            if not has_mark and not _ASKS.search(self.folded, start, end):
                return
            if not _ASKS_OPENLY.search(self.folded[start:end]):
                yield start, end
            if self.folded[start : start + 1] not in ("?", "？"):
                return
            end, has_mark = start, True


def negated(layout: Layout, spans: Sequence[tuple[int, int]]) -> list[bool]:
    """Whether the text denies each of the mentions."""
    reading = _Reading(layout, spans)
    after, refused = reading.after(), sorted(set(reading.refused()))
    denied = [_denied_before(reading, span) or _denied_after(span, *after) for span in spans]
    said_again = _denied_in_answer_by_name(layout, spans, denied)
    return [
        first or again or _refused(layout.folded, span, refused)
        for span, first, again in zip(spans, denied, said_again, strict=True)
    ]


def _denied_before(reading: _Reading, span: tuple[int, int]) -> bool:
    start, end = span
    cue = reading.denied_before(start)
    if cue is None:
        return False
    between = reading.folded[max(cue.end, start - _LONGEST_QUESTION) : start]
    in_list = "," in between or " and " in between
    subject = _NEW_SUBJECT.match(reading.folded, end)
    return not (in_list and " or " not in between and subject)


def _denied_after(span: tuple[int, int], starts: Sequence[int], scopes: Sequence[int]) -> bool:
    at = bisect_left(starts, span[1])
    return at < len(starts) and scopes[at] <= span[0]


def _refused(folded: str, span: tuple[int, int], refused: Sequence[tuple[int, int]]) -> bool:
    """Whether a mention is asked for and the answer is no."""
    at = bisect_right(refused, (span[0], len(folded))) - 1
    if at < 0 or span[1] > refused[at][1]:
        return False
    known = _KNOWN.search(folded[max(0, span[0] - _BEFORE) : span[0]])
    return not known and not _KNOWN_TIME.match(folded, span[1])


def _denied_in_answer_by_name(
    layout: Layout, spans: Sequence[tuple[int, int]], denied: Sequence[bool]
) -> list[bool]:
    """Whether a mention is asked for and the answer denies it by its name ("Any cough? No cough")."""
    found = [False] * len(spans)
    later: dict[str, int] = {}
    for at in sorted(range(len(spans)), key=lambda at: spans[at], reverse=True):
        start, end = spans[at]
        name = layout.folded[start:end]
        again = later.get(name)
        if again is not None and spans[again][0] - end < _LONGEST_ANSWER:
            asked = layout.folded[(stop := layout.sentence_end(start)) : stop + 1] in ("?", "？")
            found[at] = asked and denied[again] and stop < spans[again][0]
        later[name] = at
    return found

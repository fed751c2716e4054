"""Whether a text denies a mention, and whether it speaks of somebody other than the patient.

The method is that of NegEx and ConText: cue phrases before or after a mention,
phrases that only look like cues, and phrases that end a cue's scope. The cue lists
(English and Chinese) are medkg's own.

Chapman et al. (2001), "A simple algorithm for identifying negated findings and
diseases in discharge summaries", J Biomed Inform 34:301-310.
Harkema et al. (2009), "ConText: an algorithm for determining negation, experiencer,
and temporal status from clinical reports", J Biomed Inform 42:839-851.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final, NamedTuple

from kg.text._cues import Cue, CueLexicon, SegmentedText
from kg.text._experiencer import are_about_others
from kg.text._negation_cues import (
    NEGATION,
    NEGATION_MACROS,
    NEGATIVE_ANSWER,
    OPEN_QUESTION,
    PRE_OR_POST,
    SPEAKER,
    YES_NO_QUESTION,
)

_LEXICON: Final = CueLexicon(NEGATION, NEGATION_MACROS)
_FORWARD_WORDS: Final = 8
"""Words that a cue reaches into each member of the list after it."""
_BACKWARD_WORDS: Final = 8
_NEAR_WORDS: Final = 3
_PRE_CATEGORIES: Final = ("pre", "pre_near", "pre_adjacent")
_MAX_CUES_TRIED: Final = 8
_HAN: Final = "\u3400-\u9fff"
_SEPARATOR: Final = re.compile(r"[,，、/]|\b(?:and|or|nor)\b|[和及或与]")
_CLAUSE_COMMA: Final = re.compile(
    rf"，|(?<=[{_HAN}]),|,(?=\s?[{_HAN}])|\s[-\u2013\u2014]{{1,2}}\s|\.{{2,}}|…"
    rf"|(?<=[{_HAN}])[ \u3000]{{2,}}(?=[{_HAN}])"
)
"""A comma or blanks between Chinese clauses, a dash between English ones, dots between either."""
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
_QUESTION_END: Final = re.compile(r"[?？]+|[.。]?(?=[ \t]{0,3}\n)")
_ANSWER_NO: Final = re.compile(rf"\s{{0,6}}{SPEAKER}?{NEGATIVE_ANSWER}")
_TURN_NO: Final = re.compile(rf"\s{{0,6}}{SPEAKER}{NEGATIVE_ANSWER}")
_GOES_ON: Final = re.compile(r"[ \t]*不")
"""Goes on after a question that the same speaker asked: 要住院么？不想住."""
_ONLY: Final = re.compile(
    rf"[?？]\s{{0,6}}{SPEAKER}\s{{0,3}}(?:(?:no|nope|um|uh|well)[,.]?\s)?(?:just|only)\s(?:(?:a|some|the|my|this)\s)?"
)
"""A question, and the beginning of an answer that names what there is instead."""
_YES_NO_QUESTION: Final = re.compile(YES_NO_QUESTION)
_OPEN_QUESTION: Final = re.compile(OPEN_QUESTION, re.DOTALL)
_PRESUPPOSED: Final = re.compile(
    r"(?<!any of )\b(?:the|your|this|that|these|those|my|his|her)\s(?:[a-z]{1,14}\s)?$"
    r"|\b(?:take|taking|taken|using|use|tried|try) (?:[a-z]{1,14}\s){1,2}for\s(?:[a-z]{1,14}\s)?$|除了?[\u3400-\u9fff]{0,3}$"
    r"|(?:导致|引起|造成|诱发|加重|缓解|减轻)(?:了|您|你|的|或者?|和)*(?:加重|缓解|减轻)?$"
)
_PRESUPPOSED_AFTER: Final = re.compile(
    r"(?:的时候|时(?!不)|之?前|之?后|以来|期间|这段|的?(?:原因|因素)|之?以?外"
    r"|(?:有没有|有没(?!有)|有无)(?!\s{0,2}[?？，,。]|$)|与|跟)"
)
"""What a question presupposes ("does the pain wake you?", "taking anything for it?", 发热前有没有受凉, 引起咳嗽的原因)."""
_LIKE_THIS: Final = re.compile(r"\s(?:like (?:this|that|these|it)|this (?:bad|severe|long))\b")
"""After what is there, only not before: "never had headaches like this"."""
_NOT_THERE: Final = re.compile(
    r"(?:倒|都|也|是|就|还|这个|方面|的|病){0,3}(?:没有过?|无)(?=[，。；、！,.;!\s]|$)"
)
"""Directly after what is not there: 糖尿病没有."""
_LISTED: Final = frozenset(("、", "和", "或", "及", "跟"))
_ASKS: Final = ("医", "大夫", "护士")
"""Who says 发烧没有 without a question mark asks."""
_REST_DENIED: Final = re.compile(
    r"(?:别的|其他|其它|其余|另外)(?:的|症状|情况|问题|什么|病|毛病|不舒服|不适|地方){0,3}"
    r"(?:都|也|就|倒|还|又|好像|基本){0,3}(?:没有?|无|不)(?=[\u4e00-\u9fff]{0,3}(?:[，。,.;；！!\s]|$))"
    r"|\b(?:none of the (?:others?|rest)|not the (?:others?|rest)|no to (?:the|all the) (?:others?|rest)"
    r"|(?:but|and) nothing else|other than that,? (?:no\b|nothing|none)|that's (?:all|it|about it)(?=[.,!\n]|$))"
)
"""In an answer it denies what was asked and is not named in it: 有点恶心，别的没有."""
_NEGATIONS: Final = ("不", "没", "没有")
_ADDRESSED: Final = re.compile(r"[，,]\s?(?:您|你|他|她)[有还是出]")
"""Begins a question, after words that only lead to it."""
_LONGEST_QUESTION: Final = 400
_LONGEST_ANSWER: Final = 200
_MAX_QUESTIONS: Final = 4
"""The most questions in a row that one "no" denies."""
_LOOKBEHIND: Final = 24
_ENDING: Final = re.compile(r"(?<=[a-z]{4})(?:ing|ed|es|s|e)$")
_HYPHENS: Final = ("-", "\u2010", "\u2011")


class Context(NamedTuple):
    """The context of a mention."""

    negated: bool
    """The text denies it: it is not there, not the case or not taken."""
    family: bool
    """It is about a relative, or anybody else who is not the patient."""


def contexts(text: str, spans: Sequence[tuple[int, int]]) -> list[Context]:
    """The context of each mention, in the order given.

    Cues inside a mention do not count. Time is linear in the text.

    Args:
        text: any text, one sentence or a whole note or dialogue.
        spans: start and end of each mention, in code points; any order, may overlap.
    """
    if not spans:
        return []
    segmented = SegmentedText.of(text)
    pairs = zip(_are_negated(segmented, spans), are_about_others(segmented, spans), strict=True)
    return [Context(*pair) for pair in pairs]


def _are_negated(text: SegmentedText, spans: Sequence[tuple[int, int]]) -> list[bool]:
    """Whether the text denies each of the mentions."""
    scopes = _Scopes(text, spans)
    questions = sorted({*scopes.denied_questions(), *_narrowed_questions(text, spans)})
    by_cue = [scopes.is_after_cue(span) or scopes.is_before_cue(span) for span in spans]
    there = _not_there(text.folded, spans)
    by_cue = [cue or after for cue, after in zip(by_cue, there, strict=True)]
    by_repetition = _denied_by_repetition(text, spans, by_cue)
    return [
        cue
        or repetition
        or _is_in_question(text.folded, span, questions)
        or _is_denied_in_answer(text, span)
        for span, cue, repetition in zip(spans, by_cue, by_repetition, strict=True)
    ]


class _Scopes:
    """The cues of a text and how far they reach."""

    def __init__(self, text: SegmentedText, spans: Sequence[tuple[int, int]]) -> None:
        self._text = text
        self._folded = text.folded
        self._cues = _LEXICON.find(text.folded, spans)
        self._ends: dict[Cue, int] = {}

    @cached_property
    def _separators(self) -> list[int]:
        return [m.start() for m in _SEPARATOR.finditer(self._folded)]

    @cached_property
    def _commas(self) -> list[int]:
        return [m.start() for m in _CLAUSE_COMMA.finditer(self._folded)]

    @cached_property
    def _opening_parentheses(self) -> list[int]:
        return [m.start() for m in re.finditer("[(（]", self._folded)]

    @cached_property
    def _closing_parentheses(self) -> list[int]:
        return [m.start() for m in re.finditer("[)）]", self._folded)]

    @cached_property
    def _terminations(self) -> list[int]:
        """Where every scope ends, apart from commas."""
        ends = [cue.start for cue in self._cues if cue.category == "termination"]
        return sorted([*ends, *self._text.ends])

    @cached_property
    def _overlong_members(self) -> list[int]:
        """Where list members become too long to count as members."""
        last = len(self._folded)
        after = [*self._separators[1:], last] if self._separators else []
        limits = (self._text.words_after(at + 1, _FORWARD_WORDS) for at in self._separators)
        return [limit for limit, end in zip(limits, after, strict=True) if limit < end]

    @cached_property
    def _other_cue_starts(self) -> list[int]:
        return [cue.start for cue in self._cues if not cue.category.startswith("post")]

    @cached_property
    def _pre(self) -> list[Cue]:
        """The cues that stand before what they negate."""
        return [
            cue
            for cue in self._cues
            if cue.category in _PRE_CATEGORIES and not _is_alternative(self._folded, cue)
        ]

    @cached_property
    def _pre_ends(self) -> list[int]:
        return [cue.end for cue in self._pre]

    @cached_property
    def _post(self) -> list[Cue]:
        """The cues that stand after what they negate."""
        return [
            cue
            for cue in self._cues
            if cue.category.startswith("post")
            or (
                self._folded[cue.start : cue.end] in PRE_OR_POST
                and _ENDS_CLAUSE.match(self._folded, cue.end)
            )
        ]

    @cached_property
    def _post_scopes(self) -> tuple[list[int], list[int]]:
        """Starts of the cues that stand after, and of their scopes."""
        return [cue.start for cue in self._post], [self._scope_start(cue) for cue in self._post]

    def _next(self, places: Sequence[int], at: int) -> int:
        place = bisect_left(places, at)
        return places[place] if place < len(places) else len(self._folded)

    def _previous(self, places: Sequence[int], at: int) -> int:
        place = bisect_left(places, at)
        return places[place - 1] if place else 0

    def _scope_end(self, cue: Cue) -> int:
        """Where the scope ends of a cue that stands before what it negates."""
        if cue not in self._ends:
            self._ends[cue] = self._list_end(cue) if cue.category == "pre" else self._near_end(cue)
        return self._ends[cue]

    def _list_end(self, cue: Cue) -> int:
        first = self._next(self._separators, cue.end)
        near = self._text.words_after(cue.end, _FORWARD_WORDS)
        end = self._next(self._terminations, cue.end)
        comma = self._next(self._commas, cue.end)
        if near < first:
            return min(end, near, comma)
        end = min(end, self._next(self._overlong_members, first))
        if comma < end:
            end = max(comma, min(end, self._chinese_list_end(cue, comma)))
        closing = self._next(self._closing_parentheses, cue.end)
        opening = self._next(self._opening_parentheses, cue.end)
        return closing if closing < min(end, opening) else end

    def _chinese_list_end(self, cue: Cue, comma: int) -> int:
        """The end of a Chinese list whose members are separated by commas."""
        listing = _LIST_TO_HISTORY.match(self._folded, comma)
        if not listing and self._folded.startswith("否认", cue.start):
            listing = _BARE_LIST.match(self._folded, comma)
        return listing.end() if listing else comma

    def _near_end(self, cue: Cue) -> int:
        if cue.category == "pre_adjacent":
            return cue.end + 1 + self._folded.startswith(_HYPHENS, cue.end)
        limit = self._text.words_after(cue.end, _NEAR_WORDS)
        places = (self._terminations, self._separators, self._commas)
        return min(limit, *(self._next(place, cue.end) for place in places))

    def _scope_start(self, cue: Cue) -> int:
        """Where the scope starts of a cue that stands after what it negates."""
        start = max(
            self._text.words_before(cue.start, _BACKWARD_WORDS),
            self._text.sentence_start(cue.start),
            self._previous(self._other_cue_starts, cue.start),
            self._previous(self._commas, cue.start),
        )
        if cue.category == "post_all":
            return start
        members = self._folded[start : cue.start]
        last_and = members.rfind(" and ") if cue.category == "post_one" else 0
        return start + max(members.rfind(","), last_and, 0)

    def is_after_cue(self, span: tuple[int, int]) -> bool:
        """Whether a cue before a mention negates it.

        Only the last few cues are tried, so that the time for a mention does not grow with the
        number of cues; no scope reaches past them.
        """
        start, end = span
        last = bisect_right(self._pre_ends, start)
        cues = self._pre[max(0, last - _MAX_CUES_TRIED) : last]
        cue = next((cue for cue in cues if self._scope_end(cue) > start), None)
        if cue is None or _LIKE_THIS.match(self._folded, end):
            return False
        between = self._folded[max(cue.end, start - _LONGEST_QUESTION) : start]
        in_list = "," in between or " and " in between
        return not (in_list and " or " not in between and _NEW_SUBJECT.match(self._folded, end))

    def is_before_cue(self, span: tuple[int, int]) -> bool:
        """Whether a cue after a mention negates it."""
        starts, scopes = self._post_scopes
        at = bisect_left(starts, span[1])
        return at < len(starts) and scopes[at] <= span[0]

    def denied_questions(self) -> Iterator[tuple[int, int]]:
        """The questions that are answered with no."""
        for mark in _QUESTION_END.finditer(self._folded):
            has_mark = mark[0][:1] in ("?", "？")
            answer = (_ANSWER_NO if has_mark else _TURN_NO).match(self._folded, mark.end())
            if answer and not _GOES_ON.match(answer[0]):
                yield from self._questions_before(mark.start(), has_mark=has_mark)

    def _questions_before(self, end: int, *, has_mark: bool) -> Iterator[tuple[int, int]]:
        """The question that ends at an offset, and the questions just before it."""
        for _ in range(_MAX_QUESTIONS):
            start = max(self._text.sentence_start(end), end - _LONGEST_QUESTION)
            for lead in _ADDRESSED.finditer(self._folded, start, end):
                start = lead.end()
            if not has_mark and not _YES_NO_QUESTION.search(self._folded, start, end):
                return
            if not _OPEN_QUESTION.search(self._folded[start:end]):
                yield start, end
            if self._folded[start : start + 1] not in ("?", "？"):
                return
            end, has_mark = start, True


def _is_alternative(folded: str, cue: Cue) -> bool:
    """Whether a cue only makes a question, between a word and the same again: 怕不怕光."""
    is_between = cue.end - cue.start == 1 and cue.start > 0 and cue.end < len(folded)
    return is_between and folded[cue.start - 1] == folded[cue.end] and folded[cue.end] > "\u3400"


def _not_there(folded: str, spans: Sequence[tuple[int, int]]) -> list[bool]:
    """Which mentions are denied directly behind them, or behind a list that they are of."""
    denied = [False] * len(spans)
    following: tuple[int, bool] | None = None
    for index in sorted(range(len(spans)), key=lambda index: spans[index], reverse=True):
        start, end = spans[index]
        if found := _NOT_THERE.match(folded, end):
            line = folded[folded.rfind("\n", 0, start) + 1 : start]
            ends_line = folded[found.end() : found.end() + 1] in ("", "\n")
            denied[index] = not (ends_line and line.startswith(_ASKS))
        elif following is not None and folded[end : following[0]] in _LISTED:
            denied[index] = following[1]
        following = start, denied[index]
    return denied


def _is_denied_in_answer(text: SegmentedText, span: tuple[int, int]) -> bool:
    """Whether a question asks about a mention, and the next turn denies it in other words.

    As in 皮肤发黄吗？皮肤没发黄, or in "Any fever or cough? A cough, but nothing else".
    """
    folded, (start, end) = text.folded, span
    stop = text.sentence_end(start)
    if folded[stop : stop + 1] not in ("?", "？"):
        return False
    turn = folded.find("\n", stop) + 1
    line_end = folded.find("\n", turn)
    answer = folded[turn : line_end if line_end >= 0 else len(folded)][:_LONGEST_ANSWER]
    if not turn or answer.rstrip().endswith(("?", "？")):
        return False
    name = folded[start:end]
    if _denies(answer, name):
        return True
    asked = folded[max(text.sentence_start(start), stop - _LONGEST_QUESTION) : stop].lstrip("?？")
    return (
        _REST_DENIED.search(answer) is not None
        and _stem(name) not in answer
        and not _OPEN_QUESTION.search(asked)
        and not _PRESUPPOSED.search(folded[max(0, start - _LOOKBEHIND) : start])
        and not _PRESUPPOSED_AFTER.match(folded, end)
    )


def _denies(answer: str, name: str) -> bool:
    """Whether a Chinese answer has a name with "not" in it, or only its verb: 头不痛, 不咳."""
    if name[-1] < "\u3400" or not {"无", "没", "不", "未"}.isdisjoint(name) or name in answer:
        return False
    parted = (name[:at] + no + name[at:] for at in range(1, len(name)) for no in _NEGATIONS)
    if any(each in answer for each in parted):
        return True
    verbs = re.escape(name[0]) + re.escape(name[-1])
    return (
        re.search(rf"(?:^|[:：，,。\s])[都也倒又就]?[不没](?:怎么)?[{verbs}](?!是)", answer)
        is not None
    )


def _is_in_question(
    folded: str, span: tuple[int, int], questions: Sequence[tuple[int, int]]
) -> bool:
    """Whether one of these questions asks about a mention."""
    at = bisect_right(questions, (span[0], len(folded))) - 1
    if at < 0 or span[1] > questions[at][1]:
        return False
    before = folded[max(0, span[0] - _LOOKBEHIND) : span[0]]
    return not _PRESUPPOSED.search(before) and not _PRESUPPOSED_AFTER.match(folded, span[1])


def _narrowed_questions(
    text: SegmentedText, spans: Sequence[tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    """The questions answered with what there is instead: "Any cough or chills? Just a fever"."""
    ordered = sorted(spans)
    starts = [start for start, _ in ordered]
    for answer in _ONLY.finditer(text.folded):
        instead = bisect_left(starts, answer.end())
        if instead < len(starts) and starts[instead] == answer.end():
            start = max(text.sentence_start(answer.start()), answer.start() - _LONGEST_QUESTION)
            stop = min(text.sentence_end(answer.end()), answer.end() + _LONGEST_ANSWER)
            said = text.folded[answer.end() : stop]
            asked = ordered[bisect_left(starts, start) : instead]
            if not any(_stem(text.folded[slice(*span)]) in said for span in asked):
                yield start, answer.start()


def _stem(name: str) -> str:
    """A name without the ending that a question and its answer may differ in."""
    return _ENDING.sub("", name)


def _denied_by_repetition(
    text: SegmentedText, spans: Sequence[tuple[int, int]], negated: Sequence[bool]
) -> list[bool]:
    """Whether a question asks about each mention, and the answer repeats and denies it.

    As in "Any cough? No cough".
    """
    denied = [False] * len(spans)
    next_of_name: dict[str, int] = {}
    for index in sorted(range(len(spans)), key=lambda index: spans[index], reverse=True):
        start, end = spans[index]
        name = _stem(text.folded[start:end])
        answer = next_of_name.get(name)
        if answer is not None and spans[answer][0] - end < _LONGEST_ANSWER:
            stop = text.sentence_end(start)
            is_question = text.folded[stop : stop + 1] in ("?", "？")
            is_denied = negated[answer] or denied[answer]
            if is_question and is_denied and stop < spans[answer][0]:
                first = max(text.sentence_start(start), stop - _LONGEST_QUESTION)
                asked = text.folded[first:stop]
                denied[index] = not _OPEN_QUESTION.search(asked.lstrip("?？"))
        next_of_name[name] = index
    return denied

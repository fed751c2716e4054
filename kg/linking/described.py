"""Finds findings that a text describes in words that are not their names.

``descriptions.yaml`` has those words: a complaint of a place of the body ("leg is
swollen", "swelling and redness of the knee", 腿肿了; ``kg.linking.complaints``) is HPO's term of
that place; adjectives, verbs and everyday phrases ("lethargic", "vomited", "gained 10 pounds",
吃不下) are the term that they mean. Words are compared by their linking keys, so plurals and
spellings are one.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Final, NamedTuple

from kg.linking.complaints import MODIFIERS, Complaints, Described
from kg.linking.mention import NO_FINDING, Term
from kg.shipped import shipped_table
from kg.text.canonical import canonical_words
from kg.text.words import surfaces

_ANY: Final = "~"
_NUMBER: Final = "#"
_GRADE: Final = "@grade"
"""A strength below normal on the Medical Research Council's scale of 0 to 5: 3/5, 4+/5."""
_MAX_WORDS_BETWEEN: Final = 4
"""The most words between two words of a phrase."""
_LINKING_VERBS: Final = """
is are was were feel feels felt look looks looked get gets got became become been seem seems has have had
remains remained appears appeared be being
"""
_GROUPS: Final[Mapping[str, frozenset[str]]] = {
    "@in": frozenset(("in", "of", "to", "at", "on", "over", "around", "along", "down")),
    "@is": frozenset(_LINKING_VERBS.split()),
    "@who": frozenset(["i", "you", "he", "she", "they", "it", "we", "one", "patient"]),
    "@mass": frozenset(("pound", "lb", "kg", "kilogram", "kilo", "斤", "公斤")),
}
"""Groups of words, any of which may stand in a place of a phrase."""
_SENTENCE_BREAKS: Final = frozenset(".,;!?()[]\n，。；！？（）、")
_MUSCLE_GRADE: Final = re.compile(r"[0-4][+-]?/5")
_END_OF_PHRASE: Final = ""
_OPEN_TOKENS: Final[Mapping[str, frozenset[str]]] = {
    _END_OF_PHRASE: frozenset(),
    _ANY: frozenset(),
    _NUMBER: frozenset(),
    _GRADE: frozenset(),
    **_GROUPS,
}
"""Tokens after a first word that stand for others, and which; empty: for any."""
_NUMBER_WORDS: Final = """
two three four five six seven eight nine ten fifteen twenty thirty forty fifty several
一 二 两 三 四 五 六 七 八 九 十 几 多 好几
"""
_NUMBERS: Final = frozenset(_NUMBER_WORDS.split())


class _Phrase(NamedTuple):
    tokens: tuple[str, ...]
    term: Term
    denied: bool


@dataclass
class _Phrases:
    """All phrases, and the grammar of complaints."""

    complaints: Complaints
    by_start: dict[str, dict[str, list[_Phrase]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(list))
    )
    """By their first word and what follows it."""

    def add(self, phrase: str, finding: Term, *, denied: bool = False) -> None:
        tokens = _tokens(phrase)
        second = tokens[1] if len(tokens) > 1 else _END_OF_PHRASE
        self.by_start[tokens[0]][second].append(_Phrase(tuple(tokens), finding, denied))

    def at(self, words: Sequence[str], at: int) -> Iterator[_Phrase]:
        """The phrases that may begin at a word."""
        is_grade = words[at].endswith("/5") and _matches(words[at], _GRADE)
        starting = self.by_start.get(_GRADE if is_grade else words[at])
        if starting is None:
            return
        following = words[at + 1] if at + 1 < len(words) else ""
        yield from starting.get(following, ())
        for second, may_be in _OPEN_TOKENS.items():
            if second in starting and (not may_be or following in may_be):
                yield from starting[second]


def find_descriptions(
    words: Sequence[str], gaps: Sequence[str] | None = None
) -> Iterator[Described]:
    """The findings in a text's words, the longest at each place, in their order.

    Args:
        words: linking keys, as ``kg.text.canonical.canonical_words`` gives them.
        gaps: what stands before each word in the text; None: a space.
    """
    phrases = _phrases(
        latin=any(word.isascii() for word in words), han=not all(word.isascii() for word in words)
    )
    gaps = [" "] * len(words) if gaps is None else gaps
    free = 0
    for at, word in enumerate(words):
        if at < free:
            continue
        matches = (
            [
                Described(at, end, *phrase.term, phrase.denied)
                for phrase in phrases.at(words, at)
                if (end := _match_end(words, gaps, at, phrase.tokens))
            ]
            if word in phrases.by_start or word.endswith("/5")
            else []
        )
        longest = max(matches, key=lambda description: description.end, default=None)
        if word in phrases.complaints.starts:
            complaints = phrases.complaints.at(words, gaps, at)
            if complaints and (longest is None or complaints[-1].end > longest.end):
                yield from complaints
                free = complaints[-1].end
                continue
        if longest is not None:
            yield longest
            free = longest.end


def _match_end(words: Sequence[str], gaps: Sequence[str], at: int, tokens: Sequence[str]) -> int:
    """The end of a phrase that begins at a word; 0 if it does not match, or a sentence ends in it."""
    place = at
    for number, token in enumerate(tokens):
        if token == _ANY:
            following = tokens[number + 1]
            for _ in range(_MAX_WORDS_BETWEEN):
                if place >= len(words) or _matches(words[place], following):
                    break
                if words[place] not in MODIFIERS:
                    return 0
                place += 1
        elif place < len(words) and _matches(words[place], token):
            place += 1
        else:
            return 0
    for gap in gaps[at + 1 : place]:
        if gap and gap != " " and not _SENTENCE_BREAKS.isdisjoint(gap):
            return 0
    return place


def _matches(word: str, token: str) -> bool:
    if token == _NUMBER:
        return word[0].isdigit() or word in _NUMBERS
    if token == _GRADE:
        return _MUSCLE_GRADE.fullmatch(word) is not None
    group = _GROUPS.get(token)
    return word == token if group is None else word in group


@cache
def _phrases(*, latin: bool, han: bool) -> _Phrases:
    """The package's table, read once for each script: half of the phrases are in either.

    Args:
        latin: with the phrases that are all in Latin letters.
        han: with the others.
    """
    read = shipped_table(__package__, "descriptions.yaml")
    phrases = _Phrases(Complaints(read, _GROUPS["@is"]))

    def add(written: Sequence[str], finding: Term, *, denied: bool = False) -> None:
        for phrase in written:
            if latin if phrase.isascii() else han:
                phrases.add(phrase, finding, denied=denied)

    add(read["nothing"], NO_FINDING)  # first, since the first of phrases of a length is taken
    for denied, rows in ((False, read["phrases"]), (True, read["denied"])):
        for written, row in rows.items():
            finding = Term.parse(written)
            add([*row.get("en", ()), *row.get("zh", ())], finding, denied=denied)
    return phrases


def _tokens(phrase: str) -> list[str]:
    """A phrase as keys of its words, with ``~`` and what stands for one of several words."""
    tokens: list[str] = []
    for part in phrase.replace(_ANY, f" {_ANY} ").replace(_NUMBER, f" {_NUMBER} ").split():
        special = part in (_ANY, _NUMBER) or part.startswith("@")
        tokens += [part] if special else [key for key in canonical_words(surfaces(part)) if key]
    return tokens

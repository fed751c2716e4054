"""Finds cue phrases in a text, and where its sentences and words begin and end.

What negation and the experiencer have in common: their tables of cues differ, the way in
which cues are matched does not.
"""

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from kg.text.sentences import ends

_TOKEN: Final = re.compile(r"[a-z0-9]+(?:'t)?|[^\W_]|[:(\uff1a\uff08]")
"""Where a cue may begin: an English word (don't, n't), any other letter, or a punctuation mark."""
_BLANK: Final = r"(?:\s{1,3})"
_WORD: Final = re.compile(r"[a-z0-9']+|[\u3400-\u9fff]{1,3}|[^\W_]+")
"""One word of a scope; up to three Han characters count as one."""
_TRADITIONAL: Final = tuple(
    zip(
        "無沒認陰發現見觸聞並爾從過僅單論緩為該驗檢測異說訴稱補紹媽爺嬸親屬祖兒個歲們還嗎對當傳遺淨",
        "无没认阴发现见触闻并尔从过仅单论缓为该验检测异说诉称补绍妈爷婶亲属祖儿个岁们还吗对当传遗净",
        strict=True,
    )
)
"""The Traditional characters of cues, with their Simplified forms."""


def _folding_table() -> dict[int, int]:
    table = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}
    for wide in range(0xFF01, 0xFF5F):
        plain = chr(wide - 0xFEE0)
        if plain.isalnum():
            table[wide] = ord(plain.lower())
    table[ord("\r")] = ord(" ")  # of a line's end in Windows
    table |= dict.fromkeys(map(ord, "\u2018\u2019\u02bc\uff07\u00b4`"), ord("'"))
    table |= {ord(traditional): ord(simplified) for traditional, simplified in _TRADITIONAL}
    return table


_FOLDING: Final = _folding_table()


def fold(text: str) -> str:
    """The text in lower case, half-width and Simplified, as cues are written; offsets stay."""
    return text.translate(_FOLDING)


class Cue(NamedTuple):
    """One occurrence of a cue phrase; offsets in code points."""

    start: int
    end: int
    category: str


class CueLexicon:
    """A table of cue phrases, ready to be matched.

    At each position the longest phrase wins, and nothing is matched inside it: so a
    pseudo-cue ("not only") hides the cue that it begins with.
    """

    def __init__(self, table: Mapping[str, str], macros: Mapping[str, str]) -> None:
        """Compile a table.

        Args:
            table: for each category its phrases, one a line: a regular expression whose first
                word is plain (or several, ``a|b``), whose blanks match any white space, and
                in which ``{name}`` stands for a macro. Han phrases stand on lines that begin
                with ``zh``, separated by blanks. Of equally long phrases the one of the
                category listed first wins.
            macros: regular expressions by name.
        """
        self._macros = macros
        self._sources: dict[str, list[tuple[str, str]]] = defaultdict(list)
        """Regular expressions and their categories, by first word."""
        self._patterns: dict[str, list[tuple[re.Pattern[str], str]]] = {}
        """Compiled when their first word is first met: a process meets few of them."""
        self._literals: dict[str, dict[str, str]] = defaultdict(dict)
        """Han phrases and their categories, by first character."""
        for category, lines in table.items():
            for line in filter(None, map(str.strip, lines.splitlines())):
                self._add(category, line)
        self._lengths = {
            first: sorted({len(phrase) for phrase in phrases}, reverse=True)
            for first, phrases in self._literals.items()
        }

    def _add(self, category: str, line: str) -> None:
        if line.startswith("zh "):
            for phrase in line.split()[1:]:
                if re.escape(phrase) == phrase:
                    self._literals[phrase[0]].setdefault(phrase, category)
                else:
                    self._sources[phrase[0]].append((phrase, category))
            return
        first_words, blank, rest = line.partition(" ")
        if rest and not rest.startswith(("?", "{")):
            rest = f"(?:{rest})"
        tail = self._expand(blank + rest).replace(" ", _BLANK)
        for first in self._expand(first_words).split("|"):
            self._sources[first].append((f"{re.escape(first)}{tail}(?![a-z0-9])", category))

    def _expand(self, phrase: str) -> str:
        for name, macro in self._macros.items():
            if macro.startswith("(?: "):  # it brings its own blank
                phrase = phrase.replace(f" {{{name}}}", macro)
            phrase = phrase.replace(f"{{{name}}}", macro)
        return phrase

    def patterns(self, first: str) -> list[tuple[re.Pattern[str], str]]:
        """The phrases with this first word that are regular expressions, and their categories."""
        patterns = self._patterns.get(first)
        if patterns is None:
            patterns = [
                (re.compile(source), category) for source, category in self._sources.get(first, ())
            ]
            self._patterns[first] = patterns
        return patterns

    @property
    def first_words(self) -> set[str]:
        """The words and characters that phrases begin with."""
        return self._sources.keys() | self._literals.keys()

    def find(self, folded: str, spans: Sequence[tuple[int, int]] = ()) -> list[Cue]:
        """The cues in a text, in its order, none overlapping another or a mention.

        Args:
            folded: the text as ``fold`` returns it.
            spans: the mentions; the "no" of "no-reflow phenomenon" is no cue, while
                the whole mention "family history" is one.
        """
        mentions = _Mentions(spans)
        cues, free = [], 0
        for token in _TOKEN.finditer(folded):
            first, at = token[0], token.start()
            if at < free or not (first in self._sources or first in self._literals):
                continue
            if mentions.start_at(at) in (None, at) and (
                longest := self._longest(folded, at, first, mentions)
            ):
                free, category = longest
                cues.append(Cue(at, free, category))
        return cues

    def _longest(
        self, folded: str, at: int, first: str, mentions: "_Mentions"
    ) -> tuple[int, str] | None:
        """End and category of the longest cue that begins at an offset."""
        candidates = []
        for pattern, category in self.patterns(first):
            match = pattern.match(folded, at)
            if match and mentions.are_cut(at, match.end()):
                cut = mentions.start_at(match.end() - 1)
                match = pattern.match(folded, at, cut) if cut is not None and cut > at else None
            if match and match.end():
                candidates.append((match.end(), category))
        for length in self._lengths.get(first, ()):
            literal = self._literals[first].get(folded[at : at + length])
            if literal and not mentions.are_cut(at, at + length):
                candidates.append((at + length, literal))
                break
        return max(candidates, key=lambda candidate: candidate[0], default=None)


class _Mentions:
    """The stretches of a text that are mentions; overlapping ones count as one."""

    def __init__(self, spans: Sequence[tuple[int, int]]) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        for start, end in sorted(spans):
            if self._ends and start < self._ends[-1]:
                self._ends[-1] = max(end, self._ends[-1])
            else:
                self._starts.append(start)
                self._ends.append(end)

    def start_at(self, at: int) -> int | None:
        """Start of the mention that covers an offset; None if none does."""
        before = bisect_right(self._starts, at) - 1
        return self._starts[before] if before >= 0 and at < self._ends[before] else None

    def are_cut(self, start: int, end: int) -> bool:
        """Whether a phrase ends inside a mention that it does not cover."""
        last = self.start_at(end - 1)
        return last is not None and (last < start or self.start_at(end) == last)


@dataclass(frozen=True)
class SegmentedText:
    """A text with its sentences and words."""

    text: str
    folded: str

    @classmethod
    def of(cls, text: str) -> "SegmentedText":
        """Fold a text."""
        return cls(text, fold(text))

    @cached_property
    def ends(self) -> list[int]:
        """Where sentences end, ascending; the last one is the end of the text."""
        return [*ends(self.text), len(self.text)]

    @cached_property
    def words(self) -> list[int]:
        """Where words start."""
        return [m.start() for m in _WORD.finditer(self.folded)]

    def sentence_end(self, at: int) -> int:
        """End of the sentence that an offset is in."""
        return self.ends[min(bisect_left(self.ends, at), len(self.ends) - 1)]

    def sentence_start(self, at: int) -> int:
        """Start of the sentence that an offset is in."""
        before = bisect_left(self.ends, at)
        return self.ends[before - 1] if before else 0

    def words_after(self, at: int, count: int) -> int:
        """Start of the word after the next ``count`` words; the end of the text if there is none."""
        place = bisect_left(self.words, at) + count
        return self.words[place] if place < len(self.words) else len(self.text)

    def words_before(self, at: int, count: int) -> int:
        """Start of the ``count``-th word before an offset; 0 if there is none."""
        place = bisect_left(self.words, at) - count
        return self.words[place] if place >= 0 else 0

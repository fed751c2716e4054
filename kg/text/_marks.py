"""Finds the phrases of a cue table in a text, and where its sentences and clauses end."""

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from kg.text._cues import TRADITIONAL
from kg.text.sentences import ends

_TOKEN: Final = re.compile(r"[a-z0-9]+(?:'t)?|[^\W_]|[:(\uff1a\uff08]")
"""Where a phrase may begin: an English word (don't, n't), any other letter, or a mark."""
_BLANK: Final = r"(?:\s{1,3})"
_WORD: Final = re.compile(r"[a-z0-9']+|[\u3400-\u9fff]{1,3}|[^\W_]+")
"""What counts as one word of a scope: up to three Han characters are as long as one."""


def _folding() -> dict[int, int]:
    table = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}
    for wide in range(0xFF01, 0xFF5F):
        plain = chr(wide - 0xFEE0)
        if plain.isalnum():
            table[wide] = ord(plain.lower())
    table |= dict.fromkeys(map(ord, "\u2018\u2019\u02bc\uff07\u00b4`"), ord("'"))
    table |= {ord(old): ord(new) for old, new in TRADITIONAL}
    return table


_FOLDING: Final = _folding()


def fold(text: str) -> str:
    """The text in small plain letters, Simplified where cues are; every offset stays."""
    return text.translate(_FOLDING)


class Mark(NamedTuple):
    """One phrase of a cue table in a text."""

    start: int
    end: int
    kind: str


class Lexicon:
    """A cue table, ready to be looked for.

    At each place the longest phrase counts, and nothing is looked for inside it: so a
    pseudo-cue ("not only") hides the cue that it begins with.
    """

    def __init__(self, table: Mapping[str, str], macros: Mapping[str, str]) -> None:
        """Compile a table.

        Args:
            table: for each kind its phrases, one a line: a regular expression whose first
                word is plain (or several, ``a|b``), whose blanks match any white space, and
                in which ``{name}`` stands for a macro. Han phrases stand on lines that begin
                with ``zh``, separated by blanks. Of two equally long phrases at one place
                that of the earlier kind counts.
            macros: regular expressions by name.
        """
        self._macros = macros
        self._sources: dict[str, list[tuple[str, str]]] = defaultdict(list)
        self._patterns: dict[str, list[tuple[re.Pattern[str], str]]] = {}
        """Compiled when their first word is first met: a process meets few of them."""
        self._literals: dict[str, dict[str, str]] = defaultdict(dict)
        for kind, lines in table.items():
            for line in filter(None, map(str.strip, lines.splitlines())):
                self._add(kind, line)
        self._lengths = {
            head: sorted({len(phrase) for phrase in phrases}, reverse=True)
            for head, phrases in self._literals.items()
        }

    def _add(self, kind: str, line: str) -> None:
        if line.startswith("zh "):
            for phrase in line.split()[1:]:
                self._add_han(kind, phrase)
            return
        heads, blank, rest = line.partition(" ")
        if rest and not rest.startswith(("?", "{")):
            rest = f"(?:{rest})"
        tail = self._expand(blank + rest).replace(" ", _BLANK)
        for head in self._expand(heads).split("|"):
            self._sources[head].append((f"{re.escape(head)}{tail}(?![a-z0-9])", kind))

    def _add_han(self, kind: str, phrase: str) -> None:
        if re.escape(phrase) == phrase:
            self._literals[phrase[0]].setdefault(phrase, kind)
        else:
            self._sources[phrase[0]].append((phrase, kind))

    def _expand(self, phrase: str) -> str:
        for name, macro in self._macros.items():
            if macro.startswith("(?: "):  # it brings its own blank
                phrase = phrase.replace(f" {{{name}}}", macro)
            phrase = phrase.replace(f"{{{name}}}", macro)
        return phrase

    def phrases(self, head: str) -> list[tuple[re.Pattern[str], str]]:
        """The phrases that begin with a word and are more than plain Han, with their kinds."""
        patterns = self._patterns.get(head)
        if patterns is None:
            patterns = [(re.compile(source), kind) for source, kind in self._sources.get(head, ())]
            self._patterns[head] = patterns
        return patterns

    @property
    def heads(self) -> set[str]:
        """The words and characters with which phrases begin."""
        return self._sources.keys() | self._literals.keys()

    def scan(self, folded: str, spans: Sequence[tuple[int, int]] = ()) -> list[Mark]:
        """The phrases in a text, in their order, none overlapping another or a mention.

        Args:
            folded: what ``fold`` made of the text.
            spans: the mentions; "no" of "no-reflow phenomenon" is no cue, while
                all of "family history" is one.
        """
        mentions = _Mentions(spans)
        marks, free = [], 0
        for token in _TOKEN.finditer(folded):
            head, at = token[0], token.start()
            if at < free or not (head in self._sources or head in self._literals):
                continue
            if mentions.around(at) in (None, at):
                found = self._longest(folded, at, head, mentions)
                if found:
                    free, kind = found
                    marks.append(Mark(at, free, kind))
        return marks

    def _longest(
        self, folded: str, at: int, head: str, mentions: "_Mentions"
    ) -> tuple[int, str] | None:
        found = [
            (end, kind)
            for pattern, kind in self.phrases(head)
            if (end := _end(pattern, folded, at, mentions))
        ]
        for length in self._lengths.get(head, ()):
            kind = self._literals[head].get(folded[at : at + length])
            if kind and not mentions.are_cut(at, at + length):
                found.append((at + length, kind))
                break
        return max(found, key=lambda f: f[0], default=None)


class _Mentions:
    """The stretches of a text that are mentions; those that overlap are one."""

    def __init__(self, spans: Sequence[tuple[int, int]]) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        for start, end in sorted(spans):
            if self._ends and start < self._ends[-1]:
                self._ends[-1] = max(end, self._ends[-1])
            else:
                self._starts.append(start)
                self._ends.append(end)

    def around(self, at: int) -> int | None:
        """Start of the mention to which the character at an offset belongs."""
        before = bisect_right(self._starts, at) - 1
        return self._starts[before] if before >= 0 and at < self._ends[before] else None

    def are_cut(self, start: int, end: int) -> bool:
        """Whether a phrase ends inside a mention that it does not cover."""
        last = self.around(end - 1)
        return last is not None and (last < start or self.around(end) == last)


def _end(pattern: re.Pattern[str], folded: str, at: int, mentions: _Mentions) -> int:
    """Where a phrase ends that begins at an offset and cuts no mention; 0 if there is none."""
    found = pattern.match(folded, at)
    if found and mentions.are_cut(at, found.end()):
        cut = mentions.around(found.end() - 1)
        found = pattern.match(folded, at, cut) if cut is not None and cut > at else None
    return found.end() if found else 0


@dataclass(frozen=True)
class Layout:
    """Sentences and words of a text."""

    text: str
    folded: str

    @classmethod
    def of(cls, text: str) -> "Layout":
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
        """Where the sentence ends in which an offset is."""
        return self.ends[min(bisect_left(self.ends, at), len(self.ends) - 1)]

    def sentence_start(self, at: int) -> int:
        """Where the sentence starts in which an offset is."""
        before = bisect_left(self.ends, at)
        return self.ends[before - 1] if before else 0

    def words_after(self, at: int, count: int) -> int:
        """Where the word after the next ``count`` words starts; the end if there is none."""
        place = bisect_left(self.words, at) + count
        return self.words[place] if place < len(self.words) else len(self.text)

    def words_before(self, at: int, count: int) -> int:
        """Where the ``count``-th word before an offset starts; 0 if there is none."""
        place = bisect_left(self.words, at) - count
        return self.words[place] if place >= 0 else 0

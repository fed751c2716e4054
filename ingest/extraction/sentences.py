"""Relations between the mentions of one sentence, by the cues between them."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

from ingest.extraction.cues import Cues, Frame
from kg.linking.mention import Candidate, Mention
from kg.text.words import HAN, surfaces

NEARNESS: Final = 0.95
"""Factor of the confidence for each word between cue and mention."""

_ADJECTIVES: Final = 2
"""Words before a member of a list that are not part of its name, at most."""
_JOINT: Final = re.compile(r"[,、，/]|\b(?:and|or)\b|&|和|与|及|或", re.IGNORECASE)
_NO_JOINT: Final = re.compile(r"[,、，/()（）&]|\b(?:and|or|also)\b|和|与|及|或", re.IGNORECASE)
_HAN: Final = re.compile(f"[{HAN}]")
_Reached = tuple[Mention, int]
"""A mention, and the number of words between it and a cue."""
_NEGATED_WORDS: Final = 3
_EDGE_WORDS: Final = 2


@dataclass(frozen=True)
class Extraction:
    """A relation between two mentions of a text."""

    relation: str
    head: Candidate
    tail: Candidate
    confidence: float
    start: int
    """Of the sentence, in code points."""
    end: int
    cue: str
    """The words of the cue, or the field and type of question."""


@dataclass(frozen=True)
class Sentence:
    """A sentence with the mentions in it."""

    text: str
    """The whole text that the sentence is part of."""
    start: int
    end: int
    mentions: Sequence[Mention]
    """The linked ones in the sentence, in their order."""

    def extractions(self, cues: Cues, dropped: Counter[str]) -> Iterator[Extraction]:
        """The relations that it states.

        Args:
            cues: the table.
            dropped: counts pairs that match a cue and are not used, by reason.
        """
        text = self.text[self.start : self.end]
        if len(self.mentions) < 2:  # noqa: PLR2004 -- the ends of a relation
            return
        on_one_patient = cues.matches("persons", text)
        for frame in cues.frames:
            weight = frame.weight * (frame.case if on_one_patient else 1)
            for cue in frame.between.finditer(self.text, self.start, self.end):
                for first, second, words in self._pairs(frame, cue, cues):
                    if reason := self._refusal(frame, cue, first, second, cues):
                        dropped[reason] += 1
                    elif not weight:
                        dropped["said of one patient"] += 1
                    else:
                        yield self._extraction(
                            frame, (first, second), weight * NEARNESS**words, cue[0]
                        )

    def _extraction(
        self, frame: Frame, ends: tuple[Mention, Mention], worth: float, cue: str
    ) -> Extraction:
        first, second = (end.candidates[0] for end in ends)
        head, tail = (first, second) if frame.head_first else (second, first)
        confidence = head.score * tail.score * worth
        return Extraction(frame.relation, head, tail, confidence, self.start, self.end, cue)

    def _pairs(
        self, frame: Frame, cue: re.Match[str], cues: Cues
    ) -> Iterator[tuple[Mention, Mention, int]]:
        """Every pair of mentions around a cue, and the number of words between them and it."""
        left = self._before(frame, cue.start(), cues)
        right = self._after(frame, cue.end(), cues)
        pairs: Iterable[tuple[_Reached, _Reached]] = product(left, right)
        if len(right) > 1 and cues.matches("pairwise", self.text[self.start : self.end]):
            pairs = zip(reversed(left), right, strict=False)
        for (first, words_before), (second, words_after) in pairs:
            if first.candidates[0].id != second.candidates[0].id:
                yield first, second, words_before + words_after

    def _before(self, frame: Frame, end: int, cues: Cues) -> list[_Reached]:
        """The nearest mention before a cue, and those in one list with it."""
        chain: list[_Reached] = []
        at, words = end, 0
        for mention in reversed([m for m in self.mentions if m.end <= end]):
            gap = self.text[mention.end : at]
            if not self._continues(gap, frame, bool(chain)) or cues.matches("walls", gap):
                break
            if not chain and (_is_cut_off(gap, cues) or self._is_part(frame, mention, cues)):
                break
            words += _words(gap)
            if mention.candidates[0].type not in frame.firsts:
                break
            chain.append((mention, words))
            at = mention.start
        return chain if self._is_after(frame.before, at) else []

    def _after(self, frame: Frame, start: int, cues: Cues) -> list[_Reached]:
        chain: list[_Reached] = []
        at, words = start, 0
        for mention in (m for m in self.mentions if m.start >= start):
            gap = self.text[at : mention.start]
            blocked = cues.matches("walls", gap) or cues.matches("turns", gap)
            if blocked or not self._continues(gap, frame, bool(chain)):
                break
            words += _words(gap)
            if mention.candidates[0].type not in frame.seconds:
                break
            chain.append((mention, words))
            at = mention.end
        return chain if self._is_before(frame.after, at) else []

    def _continues(self, gap: str, frame: Frame, is_list: bool) -> bool:
        if not is_list:
            return _words(gap) <= frame.reach
        return bool(_JOINT.search(gap)) and _words(_NO_JOINT.sub(" ", gap)) <= _ADJECTIVES

    def _is_part(self, frame: Frame, mention: Mention, cues: Cues) -> bool:
        """Whether a mention only qualifies another word: lymphoma in "chemotherapy for lymphoma"."""
        before = self.text[self.start : mention.start]
        return frame.before is None and cues.matches("not_itself", before)

    def _is_after(self, pattern: re.Pattern[str] | None, at: int) -> bool:
        """Whether the words of a frame before its first mention end where the mention starts."""
        if pattern is None:
            return True
        ends = (match.end() for match in pattern.finditer(self.text, self.start, at))
        return any(_words(self.text[end:at]) <= _EDGE_WORDS for end in ends)

    def _is_before(self, pattern: re.Pattern[str] | None, at: int) -> bool:
        if pattern is None:
            return True
        first = pattern.search(self.text, at, self.end)
        return first is not None and _words(self.text[at : first.start()]) <= _EDGE_WORDS

    def _refusal(
        self, frame: Frame, cue: re.Match[str], first: Mention, second: Mention, cues: Cues
    ) -> str | None:
        if first.family or second.family:
            return "said of a relative"
        if not frame.negative and (first.negated or second.negated):
            return "denied"
        before = self.text[max(first.end, self.start) : cue.start()]
        near = " ".join(surfaces(before)[-_NEGATED_WORDS:])
        after = self.text[cue.end() : second.start]
        if cues.matches("negators", near) or cues.matches("negators", after):
            return "denied"
        return None


def _is_cut_off(gap: str, cues: Cues) -> bool:
    """Whether the text between a mention and a cue separates the two."""
    if cues.matches("breaks", gap):
        return True
    relative = cues.finder("relatives").search(gap)
    return relative is not None and _words(gap[: relative.start()]) > 0


def _words(text: str) -> int:
    """Words of a text; two Han characters are as long as one."""
    words = surfaces(text)
    han = sum(map(bool, map(_HAN.match, words)))
    return len(words) - han + (han + 1) // 2

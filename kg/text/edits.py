"""A text with stretches replaced, and the offsets of the original that they came from."""

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple, Self


class Edit(NamedTuple):
    """The replacement of one stretch; offsets in code points of the original."""

    start: int
    end: int
    to: str
    rule: str
    """Name of the rule that made the edit."""


@dataclass(frozen=True)
class Edited:
    """The text after its edits."""

    text: str
    edits: tuple[Edit, ...]
    """Those that were applied, in order."""
    _starts: tuple[int, ...]
    """Where each replacement starts in ``text``."""

    @classmethod
    def of(cls, original: str, edits: Iterable[Edit]) -> Self:
        """Apply the edits; of overlapping ones the first, of those with the same start the longest."""
        applied: list[Edit] = []
        parts: list[str] = []
        starts: list[int] = []
        position = length = 0
        for edit in sorted(edits, key=lambda edit: (edit.start, -edit.end)):
            if edit.start < position:
                continue
            unchanged = original[position : edit.start]
            starts.append(length + len(unchanged))
            parts += (unchanged, edit.to)
            length += len(unchanged) + len(edit.to)
            position = edit.end
            applied.append(edit)
        return cls("".join((*parts, original[position:])), tuple(applied), tuple(starts))

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """Where ``text[start:end]`` is in the original; a partly covered replacement counts whole."""
        first, last = self._before(start), self._before(end - 1)
        return self._origin(first, start, end=False), self._origin(last, end, end=True)

    def rules(self, start: int, end: int) -> tuple[str, ...]:
        """The rules of the edits within or partly within ``text[start:end]``, each once, in order."""
        rules = (
            edit.rule
            for edit, at in zip(self.edits, self._starts, strict=True)
            if at < end and start < at + len(edit.to)
        )
        return tuple(dict.fromkeys(rules))

    def _before(self, at: int) -> int:
        return bisect_right(self._starts, at) - 1

    def _origin(self, number: int, offset: int, *, end: bool) -> int:
        if number < 0:
            return offset
        edit, past_end = (
            self.edits[number],
            offset - self._starts[number] - len(self.edits[number].to),
        )
        if past_end > 0 or (past_end == 0 and not end):
            return edit.end + past_end
        return edit.end if end else edit.start

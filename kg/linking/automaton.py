"""Finds the names of a dictionary in running text, the longest at each place.

An Aho-Corasick automaton over words, not letters: every word that occurs in a
name has a code, one character, and a name is the string of its words' codes. So
a match begins and ends where words do, a name is four characters long instead of
thirty, and the automaton is small enough to be made whenever an index is loaded.

Half a second for a quarter of a million names is still long for whoever asks one question. So the
first words are looked up stretch by stretch in the sorted keys, which finds the same.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final, NamedTuple

from ahocorasick_rs import AhoCorasick, Implementation, MatchKind

from kg.text.canonical import join
from kg.text.words import HAN

_HAN: Final = re.compile(f"[{HAN}]")
_UNKNOWN: Final = "\x01"
"""Code of every word that occurs in no name."""
_FIRST: Final = 2
_SURROGATES: Final = range(0xD800, 0xE000)
_CODES: Final = 0x110000 - _FIRST - len(_SURROGATES)
_FEW: Final = 500
"""Words that are looked up without an automaton, all texts together."""


class Match(NamedTuple):
    """A key of the dictionary in a list of words."""

    start: int
    end: int
    """``words[start:end]`` are the key's words."""
    key: int
    """Position of the key in the dictionary."""


class Automaton:
    """A dictionary of keys as ``kg.text.canonical`` makes them; threads may share it."""

    def __init__(
        self,
        keys: Sequence[str],
        vocabulary: Sequence[str],
        patterns: Sequence[str],
        longest: int,
    ) -> None:
        """Make the automaton from what ``encode`` gave.

        Args:
            keys: canonical keys, ascending.
            vocabulary: the words of the keys.
            patterns: for each key the codes of its words; empty for a key not looked for.
            longest: words of the longest key that is looked for.
        """
        self._keys = keys
        self._patterns = patterns
        self._longest = longest
        self._codes = {word: _code(number) for number, word in enumerate(vocabulary)}
        self._found_in = 0
        """Words that were looked up so far."""

    def knows(self, word: str) -> bool:
        """Whether any name has the word."""
        return word in self._codes

    def encode(self, words: Sequence[str]) -> str:
        """The words' codes, one character a word."""
        code = self._codes.get
        return "".join([code(word, _UNKNOWN) for word in words])

    def find(self, words: Sequence[str]) -> Iterator[Match]:
        """The keys in canonical words, leftmost first, the longest at each place."""
        self._found_in += len(words)
        encoded = self.encode(words)
        # Beyond the millionth, words share codes.
        if len(self._codes) <= _CODES:
            few = self._found_in <= _FEW
            yield from self._looked_up(words, encoded) if few else self._matches(encoded)
            return
        for match in self._matches(encoded):
            if join(words[match.start : match.end]) == self._keys[match.key]:
                yield match

    def scan(self, encoded: str) -> list[tuple[int, int, int]]:
        """Number of the pattern, start and end of every match in ``encode``'s result."""
        return self._automaton.find_matches_as_indexes(encoded)

    def _matches(self, encoded: str) -> Iterator[Match]:
        for number, start, end in self.scan(encoded):
            yield Match(start, end, self._used[number])

    def _looked_up(self, words: Sequence[str], encoded: str) -> Iterator[Match]:
        """The same, by looking up every stretch of known words."""
        start = 0
        while start < len(encoded):
            stretch = encoded[start : start + self._longest].partition(_UNKNOWN)[0]
            for end in range(start + len(stretch), start, -1):
                key = join(words[start:end])
                at = bisect_left(self._keys, key)
                is_key = at < len(self._keys) and self._keys[at] == key
                if is_key and self._patterns[at] == encoded[start:end]:
                    yield Match(start, end, at)
                    start = end
                    break
            else:
                start += 1

    @cached_property
    def _used(self) -> list[int]:
        """Positions of the keys that are looked for."""
        return [at for at, pattern in enumerate(self._patterns) if pattern]

    @cached_property
    def _automaton(self) -> AhoCorasick:
        return AhoCorasick(
            [self._patterns[at] for at in self._used],
            matchkind=MatchKind.LeftmostLongest,
            implementation=Implementation.ContiguousNFA,
            store_patterns=False,
        )


def encode(keys: Sequence[list[str]]) -> tuple[list[str], list[str]]:
    """The vocabulary of keys given as their words, and each key's pattern.

    A key that would be met everywhere and mean nothing (a number, a sign, a letter, a single
    Han character) has an empty pattern.
    """
    numbers: dict[str, int] = {}
    patterns = []
    for words in keys:
        codes = [_code(numbers.setdefault(word, len(numbers))) for word in words]
        patterns.append("".join(codes) if _is_searchable(words) else "")
    return list(numbers), patterns


def is_han(word: str) -> bool:
    """Whether a word is a Han character."""
    return _HAN.match(word) is not None


def _is_searchable(words: list[str]) -> bool:
    if len(words) == 1:
        return len(words[0]) > 1 and _has_letter(words[0]) and not is_han(words[0])
    return any(map(_has_letter, words))


def _has_letter(word: str) -> bool:
    return any(map(str.isalpha, word))


def _code(number: int) -> str:
    point = _FIRST + number % _CODES
    return chr(point if point < _SURROGATES.start else point + len(_SURROGATES))

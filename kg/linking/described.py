"""Findings that a text describes, where no name of the finding has its words.

``descriptions.yaml`` has what they are said with: a complaint of a place of the body ("leg is
swollen", "swelling and redness of the knee", 腿肿了) is HPO's term of that place; adjectives,
verbs and everyday phrases ("lethargic", "vomited", "gained 10 pounds", 吃不下) are the term that
they mean. Words are compared by their linking keys, so plurals and spellings are one.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, Final, NamedTuple

import yaml

from kg.text.canonical import canonical_words
from kg.text.words import surfaces

_ANY: Final = "~"
_NUMBER: Final = "#"
_MOST: Final = 4
"""Words that stand between two words of a phrase at most."""
_ENGLISH: Final = """
a about all almost an and/or another approximately around at bad bilateral both completely distal
entire extremely feeling few getting her his inner intense just kind left little lower lot lots
mid mild moderate more most much my of our outer over pretty proximal quite rather really right
severe side significant slight so some somewhat that the their there these this those too upper very
whole your more than
"""
_CHINESE: Final = "有点些很特别比较老总是都也还又一直开始非常感觉得突然剧烈明显经稍微时常特持续的右左双两侧边下上里多几次好不过"
_MODIFIERS: Final = frozenset(_ENGLISH.split()) | frozenset(_CHINESE) - frozenset("不好")
_GROUPS: Final[Mapping[str, frozenset[str]]] = {
    "@in": frozenset(("in", "of", "to", "at", "on", "over", "around", "along", "down")),
    "@is": frozenset(
        [
            "is",
            "are",
            "was",
            "were",
            "feel",
            "feels",
            "felt",
            "look",
            "looks",
            "looked",
            "get",
            "gets",
            "got",
            "became",
            "become",
            "been",
            "seem",
            "seems",
            "has",
            "have",
            "had",
            "remains",
            "remained",
            "appears",
            "appeared",
            "be",
            "being",
        ]
    ),
    "@and": frozenset(("and", "or", "nor", "和", "及", "与", "或")),
    "@not": frozenset(("not", "never", "no", "longer")),
    "@mass": frozenset(("pound", "lb", "kg", "kilogram", "kilo", "斤", "公斤")),
}
"""What one word of a phrase may be."""
_NOTHING: Final = ""
_OPEN: Final[Mapping[str, frozenset[str]]] = {
    _NOTHING: frozenset(),
    _ANY: frozenset(),
    _NUMBER: frozenset(),
    "@also": _GROUPS["@in"] | _GROUPS["@and"],
    **_GROUPS,
}
"""What may follow a first word without being a word, and the words that it may be; none: any."""
_NUMBERS: Final = frozenset(
    [
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "fifteen",
        "twenty",
        "thirty",
        "forty",
        "fifty",
        "several",
    ]
)


class Described(NamedTuple):
    """Words that mean a finding: ``words[start:end]`` of the text."""

    start: int
    end: int
    id: str
    """The finding in HPO; empty where nothing is meant."""
    label: str
    """What HPO calls it."""


class _Phrase(NamedTuple):
    tokens: tuple[str, ...]
    term: tuple[str, str]
    shown: int
    """Words at its end that are the mention; 0 for all. Cues of negation must not be inside."""


@dataclass
class _Phrases:
    """All phrases, and the words that they are made of."""

    by_start: dict[str, dict[str, list[_Phrase]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(list))
    )
    """By their first word and what follows it."""
    kinds: set[str] = field(default_factory=set)
    """Nouns of complaints."""
    sites: set[tuple[str, ...]] = field(default_factory=set)

    def add(self, tokens: Sequence[str], term: tuple[str, str], shown: int = 0) -> None:
        second = tokens[1] if len(tokens) > 1 else _NOTHING
        self.by_start[tokens[0]][second].append(_Phrase(tuple(tokens), term, shown))

    def at(self, words: Sequence[str], at: int) -> Iterator[_Phrase]:
        """The phrases that may begin at a word."""
        starting = self.by_start.get(words[at])
        if starting is None:
            return
        following = words[at + 1] if at + 1 < len(words) else ""
        yield from starting.get(following, ())
        for second in starting.keys() & _OPEN.keys():
            if not _OPEN[second] or following in _OPEN[second]:
                yield from starting[second]


def described(words: Sequence[str]) -> Iterator[Described]:
    """The findings in a text's words, the longest at each place, in their order.

    Args:
        words: linking keys, as ``kg.text.canonical.canonical_words`` gives them.
    """
    phrases = _phrases()
    free = 0
    for at, word in enumerate(words):
        if at < free or word not in phrases.by_start:
            continue
        found = [
            (end, phrase)
            for phrase in phrases.at(words, at)
            if (end := _end(words, at, phrase.tokens, phrases))
        ]
        if found:
            end, phrase = max(found, key=lambda each: each[0])
            start = end - phrase.shown if phrase.shown else at
            free = end
            yield Described(start, end, *phrase.term)


def _end(words: Sequence[str], at: int, tokens: Sequence[str], phrases: _Phrases) -> int:
    """Where a phrase ends that begins at a word; 0 where it does not."""
    place = at
    for number, token in enumerate(tokens):
        if token == _ANY:
            following = tokens[number + 1]
            for _ in range(_MOST):
                if place >= len(words) or _is(words[place], following):
                    break
                if words[place] not in _MODIFIERS:
                    return 0
                place += 1
        elif token == "@also":  # noqa: S105 -- "and redness" between a complaint and its place
            if (
                place + 1 < len(words)
                and words[place] in _GROUPS["@and"]
                and words[place + 1] in phrases.kinds
            ):
                place += 2
        elif place < len(words) and _is(words[place], token):
            place += 1
        else:
            return 0
    return place


def _is(word: str, token: str) -> bool:
    if token == _NUMBER:
        return word[0].isdigit() or word in _NUMBERS
    group = _GROUPS.get(token)
    return word == token if group is None else word in group


@cache
def _phrases() -> _Phrases:
    """The table of the package, made ready; once."""
    read = yaml.safe_load((files(__package__) / "descriptions.yaml").read_text("utf-8"))
    phrases = _Phrases()
    kinds = {name: _Kind.of(row) for name, row in read["findings"].items()}
    phrases.kinds = {noun[0] for kind in kinds.values() for noun in kind.nouns}
    for site in read["sites"]:
        for name in kinds.keys() & site.keys():
            _add_site(phrases, site, kinds[name], _term(site[name]))
    for term, said in read["phrases"].items():
        for phrase in (*said.get("en", ()), *said.get("zh", ())):
            phrases.add(_tokens(phrase), _term(term))
    for phrase in read["nothing"]:
        phrases.add(_tokens(phrase), ("", ""))
    return phrases


class _Kind(NamedTuple):
    """A kind of complaint, its words as keys."""

    nouns: list[list[str]]
    adjectives: list[list[str]]
    verbs: list[list[str]]
    chinese: list[list[str]]

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> "_Kind":
        return cls(
            *(
                [_tokens(word) for word in row[column]]
                for column in ("nouns", "adjectives", "verbs", "zh")
            )
        )


def _add_site(
    phrases: _Phrases, row: Mapping[str, Any], kind: _Kind, term: tuple[str, str]
) -> None:
    for site in map(_tokens, row["en"]):
        for noun in kind.nouns:
            phrases.add([*noun, "@also", "@in", _ANY, *site], term)
            phrases.add([*site, *noun], term)
        for adjective in kind.adjectives:
            phrases.add([*adjective, *site], term)
            phrases.add([*site, "@is", _ANY, *adjective], term)
            phrases.add([*site, "@is", "@not", _ANY, *adjective], term, len(adjective))
        for verb in kind.verbs:
            phrases.add([*site, _ANY, *verb], term)
    for site in map(_tokens, row["zh"]):
        for predicate in kind.chinese:
            phrases.add([*site, _ANY, *predicate], term)


def _tokens(phrase: str) -> list[str]:
    """A phrase as keys of its words, with ``~`` and what stands for one of several words."""
    tokens: list[str] = []
    for part in phrase.replace(_ANY, f" {_ANY} ").split():
        special = part in (_ANY, _NUMBER) or part.startswith("@")
        tokens += [part] if special else [key for key in canonical_words(surfaces(part)) if key]
    return tokens


def _term(term: str) -> tuple[str, str]:
    id_, _, label = term.partition(" ")
    return id_, label

"""Finds the question, among those that texts answer, that somebody asks in other words.

Texts of one category answer one question each, which is written down in several wordings. What is
asked is compared with these as ``qa.examples`` does it: with those about the things that it names,
whose names count for nothing then; and with all that share words with it and name these things.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, pairwise
from math import log
from typing import Final

from kg.text.phrases import is_chinese
from kg.text.spelling import simplified_text
from qa.clauses import clauses, content
from qa.corpus import QUESTIONS
from qa.examples import Examples, features
from qa.index import Filter, Hit, Index
from qa.passages import Thing
from qa.populations import are_alike
from qa.question import Part
from qa.rouge import tokens
from qa.selection import padded

_LEAST_LIKE: Final = 0.2
"""Likeness at least of a question that is taken for the one that is asked."""
_LEAST_LIKE_A_LIST: Final = 0.45
"""The same where what is asked is a list that the graph has, such as symptoms."""
_LETTERS: Final = 4
"""Of a word by which names are told apart, at least."""
_STEM: Final = 6
"""Letters that forms of a word share: intolerance, intolerant."""
_OF_MANY_NAMES: Final = frozenset(
    {"disease", "disorder", "syndrome", "infection", "acute", "chronic"}
)
_LEAST_ALIKE: Final = 0.135
"""Of likeness and the share of the words that both have, the product at least."""
_LEAST_ALIKE_OF_NOTHING: Final = 0.26
"""The same where what is asked names nothing."""
_NUMBER: Final = re.compile(r"\d+(?:[.,/]\d+)*")
_AMOUNT: Final = re.compile(
    r"\bhow (?:long|soon|often|many|much|far)\b|\bwhen\b|多久|多长时间|几[天次周年岁]|几个|多少|什么时候|啥时候",
    re.IGNORECASE,
)
"""Asks for a time or an amount, which is no answer to whether something is so."""
_TRIED: Final = 4
"""Of the likest, those that are looked at."""
_MUST_BE_NAMED: Final = frozenset({"Disease", "Drug"})
"""Types of what a question is about whenever it names it: not findings, places or foods."""
_POOL: Final = 40
"""Texts that are compared, at most: the best by BM25."""


@dataclass(frozen=True)
class KnownQuestion:
    """A question that a text answers, and how like it is what was asked."""

    hit: Hit
    likeness: float
    """In [0, 1]."""
    wording: str
    """The one that is most like it, as its text has it."""


@dataclass(frozen=True)
class KnownQuestions:
    """The questions that the texts of an index answer."""

    index: Index
    without: Filter = field(default_factory=dict)
    """Metadata of texts that do not count."""

    def nearest(self, asked: str, language: str, about: Sequence[Thing]) -> KnownQuestion | None:
        """The question that is most like what is asked; None where no text answers any like it.

        Args:
            asked: a question, or a part of one.
            language: of texts.
            about: what it names, without people.

        Raises:
            RetrievalError: the index cannot be searched.
        """
        text = simplified_text(asked)
        must_be_named = [thing for thing in about if thing.types & _MUST_BE_NAMED] or about
        best: KnownQuestion | None = None
        for things in ((), about) if about else ((),):
            hits = self._search(asked, language, things)
            hits = [hit for hit in hits if all(_is_named(thing, hit) for thing in must_be_named)]
            vocabulary = _Vocabulary(hits, must_be_named)
            for known in _by_likeness(text, hits, things):
                if best and known.likeness <= best.likeness:
                    break
                alike = known.likeness * vocabulary.shared(text, known.hit)
                least = _LEAST_ALIKE if about else _LEAST_ALIKE_OF_NOTHING
                if alike >= least and _asks_the_same(known, text, about):
                    best = known
                    break
        return best

    def _search(self, asked: str, language: str, about: Sequence[Thing]) -> list[Hit]:
        where: dict[str, str | Sequence[str]] = {"language": language, "category": QUESTIONS}
        if about:
            where["disease"] = sorted(set().union(*(thing.ids for thing in about)))
        if not where.keys() <= self.index.metadata_keys:
            return []
        return self.index.search(asked, _POOL, where=where, without=self.without)


def least_likeness(part: Part, about: Sequence[Thing]) -> float:
    """How like a known question must be to a part, to answer it: more so if it asks for a list."""
    lists = [reading for reading in part.readings if not reading.whether]
    wants_yes_or_no = any(clause.asks_whether for clause in clauses(part.text))
    is_list = lists and not (part.is_general or part.problem or wants_yes_or_no)
    is_name = any(padded(part.text) in thing.names for thing in about)
    return _LEAST_LIKE_A_LIST if is_list or is_name else _LEAST_LIKE


def _by_likeness(
    text: str, hits: Sequence[Hit], about: Sequence[Thing]
) -> Iterator[KnownQuestion]:
    """The hits by how like their wordings are to a text, in which names of the things do not count."""
    names = _names(about)
    bag = partial(features, words=2, characters=2)
    written: dict[str, dict[str, str]] = {}
    for at, hit in enumerate(hits):
        lines = {_without(names, wording): wording for wording in _wordings(hit)}
        if compared := {line: wording for line, wording in lines.items() if bag(line)}:
            written[str(at)] = compared
    if not written:
        return
    examples = Examples({at: [*lines] for at, lines in written.items()}, bag)
    for like in examples.ranked(_without(names, text), _TRIED):
        if like.score:
            wording = written[like.group][like.example]
            yield KnownQuestion(hits[int(like.group)], like.score, wording)


def _names(about: Sequence[Thing]) -> list[str]:
    """Those of all things, the longest first."""
    return sorted((name for thing in about for name in thing.names), key=len, reverse=True)


def _is_named(thing: Thing, hit: Hit) -> bool:
    """Whether a text is of a thing, or its question names it."""
    if hit.record.metadata.get("disease") in thing.ids:
        return True
    return any(name in padded(each) for each in _wordings(hit) for name in thing.names)


class _Vocabulary:
    """The words of known questions that neither name the things nor stand in any question, by their rarity.

    "fly" in "is it ok to fly with a cold".
    """

    def __init__(self, hits: Sequence[Hit], about: Sequence[Thing]) -> None:
        self._names = _names(about)
        self._lines = {hit.record.id: [self._bag(each) for each in _wordings(hit)] for hit in hits}
        lines = [line for of_hit in self._lines.values() for line in of_hit]
        self._counts = Counter(chain.from_iterable(lines))
        self._total = len(lines)

    def shared(self, text: str, hit: Hit) -> float:
        """What a text and the wording of a hit that is most like it share, as F1 of the shares of either.

        A text without any such word asks by the words that any question has ("how often should I get
        a mammogram"), so that all words but names count, each alike.
        """
        own = self._bag(text)
        if not own:
            own = self._words(text)
            return max(
                2 * len(own & line) / (len(own) + len(line) or 1)
                for line in map(self._words, _wordings(hit))
            )
        return max(
            2 * self._weight(own & line) / (self._weight(own) + self._weight(line) or 1)
            for line in self._lines[hit.record.id]
        )

    def _bag(self, question: str) -> set[str]:
        words = content(_NUMBER.sub(" ", _without(self._names, question)))
        return features(words, words=1, characters=1)

    def _words(self, question: str) -> set[str]:
        words = _NUMBER.sub(" ", _without(self._names, question))
        return features(words, words=1, characters=1)

    def _weight(self, words: set[str]) -> float:
        return sum(log(1 + self._total / max(1, self._counts[each])) for each in words)


def _asks_the_same(known: KnownQuestion, text: str, about: Sequence[Thing]) -> bool:
    """Whether a known question has no number, people or name of its thing that what is asked has not.

    Nor asks for a time or an amount where that is not asked.
    """
    numbers = set(_NUMBER.findall(known.wording))
    return (
        numbers <= {*_NUMBER.findall(text)}
        and (not _AMOUNT.search(known.wording) or _AMOUNT.search(text) is not None)
        and are_alike(text, _wordings(known.hit))
        and not _is_of_another(known, text, about)
    )


def _is_of_another(known: KnownQuestion, text: str, about: Sequence[Thing]) -> bool:
    """Whether a known question names what its text is of, and what is asked does not."""
    metadata = known.hit.record.metadata
    if any(metadata.get("disease") in thing.ids for thing in about):
        return False
    own = tokens(metadata["title"])
    wording, asked = padded(known.wording), padded(text)
    if is_chinese(metadata["title"]):
        own = ["".join(two) for two in pairwise(own)]
        wording, asked = wording.replace(" ", ""), asked.replace(" ", "")
        return any(each in wording and each not in asked for each in own)
    own = [word[:_STEM] for word in own if len(word) >= _LETTERS and word not in _OF_MANY_NAMES]
    return any(f" {word}" in wording and f" {word}" not in asked for word in own)


def _wordings(hit: Hit) -> list[str]:
    metadata = hit.record.metadata
    lines = (metadata.get("heading", ""), *metadata.get("wordings", "").splitlines())
    return [simplified_text(line) for line in lines if line.strip()]


def _without(names: Sequence[str], text: str) -> str:
    """The tokens of a text without those of names."""
    said = padded(text)
    for name in names:
        said = said.replace(name, " ")
    return said.replace(" ", "") if is_chinese(text) else said

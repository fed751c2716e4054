"""Finds the passages that answer a part of a question: those about its things, with words that ask for what it asks."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Final

from cypher.translation import ENGLISH, title
from kg.linking import Linker
from kg.stores.store import Store
from kg.text.phrases import is_chinese
from qa.clauses import content
from qa.corpus import QUESTIONS
from qa.index import Filter, Hit, Index, Mode
from qa.intent import Kind
from qa.kin import all_names_of
from qa.populations import PEOPLE
from qa.question import Part, Question
from qa.selection import kind_of_hit, padded
from qa.subjects import Subject, find_subjects

CONTEXTS: Final = 5
"""Passages that a candidate is made of each (paper, section 3.3.4)."""
POOL: Final = 50
"""Passages that are looked at for those about the question's subject."""
_SYNONYMS: Final = 8
"""Names of its subjects that a question is searched with, the shortest."""
_SAYS_NOTHING: Final = re.compile(
    r"provides the following list of signs and symptoms|Approximate number of patients \(when available\)"
    r"|The frequency of a sign or symptom is usually listed|The first number of the fraction is how many people|Much of this information comes from Orphanet|\bThese resources (address|from)\b|\bGenetic Testing Registry:|\bGene Review: Gene Review"
)
"""A text that names resources or stands beside a table: what it says itself answers nothing."""
_LETTERS: Final = 4
"""Of a word by which texts are told apart, at least."""
_UNDECIDED_KINDS: Final[tuple[Kind, ...]] = ("about", "other")
"""Of a heading that asks nothing in particular."""


_FIELD: Final = 50
"""Characters below which a section is a field of a table, which says nothing but what it is called,
unless it is a sentence."""
_SENTENCE: Final = 8
"""Characters of a sentence of Chinese at least: 无特发人群。 is a field."""
_END_OF_SENTENCE: Final = ("。", "！", "？")


@dataclass(frozen=True)
class Thing:
    """What a passage may be about: a disease, and what it is as a finding."""

    ids: frozenset[str]
    names: frozenset[str]
    """All of its names and synonyms, as tokens with a blank around each."""
    types: frozenset[str] = frozenset()
    """Node types, as which the question may name it."""


def things_of(store: Store, subjects: Sequence[Subject]) -> list[Thing]:
    """The subjects by their places in the question: those of one place are one thing."""
    places: dict[tuple[int, int], list[Subject]] = {}
    for subject in subjects:
        places.setdefault((subject.start, subject.end), []).append(subject)
    return [_thing(store, of_place) for of_place in places.values()]


def _thing(store: Store, subjects: Sequence[Subject]) -> Thing:
    """What all of the subjects are."""
    names = {name for s in subjects for name in (s.name, *all_names_of(store, s.id))}
    return Thing(
        frozenset(s.id for s in subjects),
        frozenset(filter(str.strip, map(padded, names))),
        frozenset(s.type for s in subjects),
    )


def names_all(sentence: str, about: Sequence[Thing]) -> bool:
    """Whether a sentence has a name of each of the things."""
    text = padded(sentence)
    return all(any(name in text for name in thing.names) for thing in about)


@dataclass(frozen=True)
class PassageFinder:
    """The texts of an index, searched for what is about some things."""

    index: Index
    linker: Linker
    """Of the graph's names."""
    mode: Mode = "bm25"
    without: Filter = field(default_factory=dict)
    """Metadata of passages that are not found."""

    def find(
        self,
        query: str,
        language: str,
        about: Sequence[Thing],
        words: Sequence[re.Pattern[str]],
        kind: Kind | None,
        *,
        unread: Collection[str] = (),
    ) -> list[Hit]:
        """The best hits in a language that are of the things and have words that ask.

        What treats people who may not take everything is quoted from what speaks of them alone.
        Those whose heading asks the same come alone, and of these those whose heading has words that
        ask or names those people; without one, those whose heading asks nothing that a question can
        ask: a text on how to prevent asthma does not say what causes it. Where the question's own
        words find none, it is searched with all names of the things. Where a question asks in words
        that are not understood, the hit that has most of them comes alone, whatever its heading asks;
        of as many one that tells of the thing in general. Without a kind any heading counts.
        """
        names = {name for thing in about for name in thing.names}
        more = sorted(name for name in names if is_chinese(name) == (language != ENGLISH))
        if language != ENGLISH:  # of which a name is a word, and its characters are none
            more = [name.replace(" ", "") for name in more]
        with_names = " ".join([query, *sorted(more, key=len)[:_SYNONYMS]])
        ids = sorted(set().union(*(thing.ids for thing in about)))
        own = self._search(with_names, {"language": language, "disease": ids})
        for text in (query, with_names):
            first: dict[str, Hit] = {}
            for hit in (*own, *self._search(text, {"language": language})):
                if self._asks_so(hit, words):
                    first.setdefault(hit.record.metadata["document"], hit)
            about_things = [hit for hit in first.values() if self._is_of(hit, about)]
            hit_kinds = [kind_of_hit(hit) for hit in about_things]
            if nearest := _nearest(about_things, hit_kinds, unread):
                return [nearest]
            if kind is None and about_things:
                return about_things[:CONTEXTS]
            for accepted in (kind,), _UNDECIDED_KINDS:
                chosen = [
                    hit
                    for hit, hit_kind in zip(about_things, hit_kinds, strict=True)
                    if hit_kind in accepted
                ]
                asked = [hit for hit in chosen if _has_asking_heading(hit, words)]
                if chosen:
                    return (asked or chosen)[:CONTEXTS]
        return []

    def _search(self, text: str, where: Filter) -> list[Hit]:
        if not where.keys() <= self.index.metadata_keys:
            return []
        without = without_known_questions(self.index, self.without)
        return self.index.search(text, POOL, mode=self.mode, where=where, without=without)

    @staticmethod
    def _asks_so(hit: Hit, words: Sequence[re.Pattern[str]]) -> bool:
        """Whether a hit has words that ask, and speaks of the people that are asked about."""
        people = [each for each in words if each in PEOPLE]
        asking = [each for each in words if each not in PEOPLE]
        said, known = hit.record.content, hit.record.metadata
        names = (known.get("title", ""), known.get("heading", ""))
        own = said.removeprefix(names[0]).strip().removeprefix(names[1])
        if _SAYS_NOTHING.search(said) or (is_chinese(said) and is_field(own.strip())):
            return False
        of_them = bool(people) and all(each.search(names[1]) for each in people)
        asks = not asking or of_them or any(each.search(said) for each in asking)
        return asks and all(each.search(said) for each in people)

    def _is_of(self, hit: Hit, about: Sequence[Thing]) -> bool:
        """Whether a document is of the things: by id, by its title, or by all that its title names.

        So a text on pulmonary hypertension is none on hypertension. One on a thing names all others.
        """
        title, disease = hit.record.metadata.get("title", ""), hit.record.metadata.get("disease")
        own_title = padded(title)
        text = own_title + _joined(own_title) + padded(hit.record.content)
        if not all(
            disease in thing.ids
            or any(name in text or _joined(name) in text for name in thing.names)
            for thing in about
        ):
            return False
        if any(disease in thing.ids or own_title in thing.names for thing in about):
            return True
        if any(_joined(own_title) == _joined(name) for thing in about for name in thing.names):
            return True  # Pinkeye
        if not any(name in own_title for thing in about for name in thing.names):
            return False
        named: dict[tuple[int, int], set[str]] = {}
        for subject in find_subjects(title, self.linker):
            named.setdefault((subject.start, subject.end), set()).add(subject.id)
        return all(any(ids & thing.ids for thing in about) for ids in named.values())


def _has_asking_heading(hit: Hit, words: Sequence[re.Pattern[str]]) -> bool:
    """Whether the heading of a hit has words that ask, or names the people who are asked about."""
    heading = hit.record.metadata.get("heading", "")
    people = [each for each in words if each in PEOPLE]
    return any(each.search(heading) for each in people or words)


def without_known_questions(index: Index, without: Filter) -> Filter:
    """A filter that leaves out texts which answer one question each, too: they answer no other."""
    if "category" not in index.metadata_keys:
        return without
    own = without.get("category", ())
    return {**without, "category": [QUESTIONS, *([own] if isinstance(own, str) else own)]}


def is_field(text: str) -> bool:
    """Whether a Chinese text is a field of a table, which says nothing but what it is called."""
    is_sentence = len(text) >= _SENTENCE and text.endswith(_END_OF_SENTENCE)
    return len(text) < _FIELD and not is_sentence


def unread_words(part: Part) -> frozenset[str]:
    """The words of a part that neither ask for what is known nor name what it is about."""
    named = {word for s in part.subjects for word in padded(part.text[s.start : s.end]).split()}
    words = {word for word in content(part.text).lower().split() if word.isalpha()}
    return frozenset(word for word in words - named if len(word) >= _LETTERS)


def _nearest(hits: Sequence[Hit], kinds: Sequence[Kind], words: Collection[str]) -> Hit | None:
    """The hit with most of some words, of as many one that tells in general; None if none has any."""
    said = [sum(f" {word}" in padded(hit.record.content) for word in words) for hit in hits]
    most = max(said, default=0)
    ranks = [at for at, number in enumerate(said) if number == most > 0]
    ranks.sort(key=lambda at: (kinds[at] != "about", kinds[at] not in _UNDECIDED_KINDS))
    return hits[ranks[0]] if ranks else None


def _joined(tokens: str) -> str:
    """Tokens without the blanks between them."""
    return f" {tokens.replace(' ', '')} "


def query_of(question: Question, part: Part) -> str:
    """What is searched for: the question, or its part, with the names that it leaves out.

    Where its words are but like those of an intent, with what that is called, too.
    """
    text = question.text if len(question.parts) == 1 else part.text
    own = padded(text)
    names = dict.fromkeys(subject.name for subject in part.subjects)
    words = [text, title("headings", part.read_as)] if part.read_as else [text]
    return " ".join([*words, *(name for name in names if padded(name) not in own)])

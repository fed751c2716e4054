"""What a question speaks of, and which intents fit it."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Final, NamedTuple

import opencc

from cypher.translation import title, translate
from kg.linking import Linker
from kg.text.spelling import is_word, simplified_text, singular
from kg.text.words import HAN
from qa.intent import Intent

_ENDING: Final = re.compile(r"[a-z]*", re.IGNORECASE)
_GENERIC_NOUNS: Final = re.compile(
    r"diseases?|disorders?|conditions?|illness(es)?|syndromes?|drugs?|medic(ines?|ations?)|people"
    r"|patients?|foods?|related|relation(ship)?|疾?病|药物?|食物",
    re.IGNORECASE,
)
"""Words that say what is sought, and that the graph has as names of things too."""
_NEAREST: Final = 3
_NEAR: Final = 0.75
"""Score from which a name is near to what was written."""
_COMMON: Final = 0.5
"""Weight of a word of everyday language beside one that nobody knows."""
_WORD_BEFORE: Final = re.compile(r"\b([A-Za-z][A-Za-z-]{3,}) $")
_HAN: Final = re.compile(f"[{HAN}]")


@dataclass(frozen=True)
class Subject:
    """An entity that a question speaks of."""

    start: int
    """Where in the question as it was read; one place may speak of several entities of that name.
    -1: in the question before."""
    end: int
    id: str
    type: str
    name: str
    score: float = 1.0
    """How like its name the words are, in [0, 1]."""


class Fit(NamedTuple):
    """An intent whose words a question has, and a way to give it its subjects."""

    intent: Intent
    subjects: dict[str, Subject]
    """By parameter of the intent."""


def find_subjects(question: str, linker: Linker) -> list[Subject]:
    """Everything that goes by the names in a question, in their order."""
    return [
        Subject(
            mention.start,
            mention.end,
            candidate.id,
            candidate.type,
            candidate.name,
            candidate.score,
        )
        for mention in linker.link(question)
        for candidate in mention.candidates
        if candidate.score == mention.candidates[0].score
    ]


def read_question(question: str, linker: Linker) -> tuple[str, list[Subject]]:
    """A question as the words of the intents are written, and what it speaks of.

    A Traditional one becomes Simplified, character by character; in the mainland's words (OpenCC,
    tw2sp: 愛滋病 is 艾滋病) where more is found by these.

    Returns:
        The question, and its subjects by their places in it.
    """
    simplified = simplified_text(question).replace("甚么", "什么")
    subjects = find_subjects(simplified, linker)
    if simplified == question:
        return question, subjects
    mainland = opencc.OpenCC("tw2sp").convert(question).replace("甚么", "什么")
    more = find_subjects(mainland, linker) if mainland != simplified else []
    if len({subject.start for subject in more}) > len({subject.start for subject in subjects}):
        return mainland, more
    return simplified, subjects


def named(subjects: Iterable[Subject], linker: Linker) -> str:
    """Their names and ids, for an answer or a message in the language that is spoken."""
    entities = list(subjects)
    names = linker.index.spoken_names(entities)
    each = (translate("{name} ({id})", name=names[s.id], id=s.id) for s in entities)
    return translate(" and ").join(each)


def named_with_types(subjects: Iterable[Subject], linker: Linker) -> str:
    """Their names, types and ids, each once."""
    entities = list(subjects)
    names = linker.index.spoken_names(entities)
    said = "{name} ({type}, {id})"
    each = {
        translate(said, name=names[s.id], type=title("types", s.type), id=s.id) for s in entities
    }
    return translate(", ").join(sorted(each))


def nearest_names(text: str, linker: Linker) -> list[str]:
    """The names and ids that words which name nothing may mean; none where none is near."""
    near = [each for each in linker.candidates(text, _NEAREST) if each.score >= _NEAR]
    known = linker.index.spoken_names(near)
    return [translate("{name} ({id})", name=known[each.id], id=each.id) for each in near]


def unknown_name(question: str, subject: Subject, linker: Linker) -> str:
    """The longer name that a name is part of and that nobody knows: "zorblax fever"; else empty.

    A word beside the name that stands in no dictionary and in no name of the graph makes another
    name of it.
    """
    before = _WORD_BEFORE.search(question, 0, subject.start)
    if before is None or before.end() != subject.start:
        return ""
    word = before[1].casefold()
    if word in linker.index.known or singular(word) in linker.index.known or is_word(word):
        return ""
    return question[before.start() : subject.end]


def share_of_names(subjects: Iterable[Subject], unexplained: str) -> float:
    """Of the letters of a question's content words the share in names, in [0, 1].

    Args:
        subjects: what it names.
        unexplained: its other words, those that ask left out. An English word that is in a
            dictionary and a Chinese character count half.
    """
    places = {(s.start, s.end): s.score for s in subjects if s.start >= 0}
    named = sum((end - start) * score for (start, end), score in places.items())
    other = sum(
        len(word) * (_COMMON if _HAN.search(word) or is_word(word) else 1.0)
        for word in unexplained.split()
    )
    return named / (named + other) if named else 0.0


def fits(question: str, subjects: Sequence[Subject], intents: Iterable[Intent]) -> list[Fit]:
    """The intents that a question may have, the likeliest first.

    Those without words count only where no other fits; where one warns, only such do.
    """
    fitting = [
        Fit(intent, assignment)
        for intent in intents
        if intent.words.search(question)
        for assignment in _assignments(intent, subjects)
    ]
    with_words = [fit for fit in fitting if fit.intent.words.pattern] or fitting
    return [fit for fit in with_words if fit.intent.warns] or with_words


def without_relation_words(
    question: str, subjects: list[Subject], intents: Iterable[Intent]
) -> list[Subject]:
    """Leave out what is named by but the word that asks ("treatment", "symptoms", "disease")."""
    words = {
        (match.start(), match.end())
        for intent in intents
        if intent.words.pattern
        for match in intent.words.finditer(question)
    }
    return [
        subject
        for subject in subjects
        if not _GENERIC_NOUNS.fullmatch(question, subject.start, subject.end)
        and not any(
            start == subject.start <= end <= subject.end
            and _ENDING.fullmatch(question, end, subject.end)
            for start, end in words
        )
    ]


def _assignments(intent: Intent, subjects: Sequence[Subject]) -> Iterator[dict[str, Subject]]:
    """Every way to give each parameter of a query a subject of its own, preferred types first."""
    types = list(intent.subjects.values())
    orders = [
        order
        for order in permutations(subjects, len(types))
        if len({m.id for m in order}) == len({m.start for m in order}) == len(order)
        and all(m.type in allowed for m, allowed in zip(order, types, strict=True))
    ]
    orders.sort(key=lambda order: [t.index(m.type) for m, t in zip(order, types, strict=True)])
    for order in orders:
        yield dict(zip(intent.subjects, order, strict=True))

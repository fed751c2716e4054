"""What a question speaks of, and which intents fit it."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import permutations
from typing import Final, NamedTuple

from cypher.translation import title, translate
from kg.linking import Linker
from kg.text.spelling import simplified_text
from qa.intent import Intent

_ENDING: Final = re.compile(r"[a-z]*", re.IGNORECASE)
_GENERIC_NOUNS: Final = re.compile(
    r"diseases?|disorders?|conditions?|illness(es)?|syndromes?|drugs?|medic(ines?|ations?)|people"
    r"|patients?|foods?|related|relation(ship)?|疾?病|药物?|食物",
    re.IGNORECASE,
)
"""Words that say what is sought, and that the graph has as names of things too."""


@dataclass(frozen=True)
class Subject:
    """An entity that a question speaks of."""

    start: int
    """Where in the question; one place may speak of several entities of that name."""
    end: int
    id: str
    type: str
    name: str


class Fit(NamedTuple):
    """An intent whose words a question has, and a way to give it its subjects."""

    intent: Intent
    subjects: dict[str, Subject]
    """By parameter of the intent."""


def simplified_question(question: str) -> str:
    """A question as the words of the intents are written: in Simplified Chinese; as long as before."""
    return simplified_text(question).replace("甚么", "什么")


def find_subjects(question: str, linker: Linker) -> list[Subject]:
    """Everything that goes by the names in a question, in their order."""
    return [
        Subject(mention.start, mention.end, candidate.id, candidate.type, candidate.name)
        for mention in linker.link(question)
        for candidate in mention.candidates
        if candidate.score == mention.candidates[0].score
    ]


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


def fits(question: str, subjects: list[Subject], intents: Iterable[Intent]) -> list[Fit]:
    """The intents that a question may have, the likeliest first.

    Those without words count only where no other fits; where one warns, only such do.
    """
    words = simplified_question(question)
    fitting = [
        Fit(intent, assignment)
        for intent in intents
        if intent.words.search(words)
        for assignment in _assignments(intent, subjects)
    ]
    with_words = [fit for fit in fitting if fit.intent.words.pattern] or fitting
    return [fit for fit in with_words if fit.intent.warns] or with_words


def without_relation_words(
    question: str, subjects: list[Subject], intents: Iterable[Intent]
) -> list[Subject]:
    """Leave out what is named by but the word that asks ("treatment", "symptoms", "disease")."""
    question = simplified_question(question)
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


def _assignments(intent: Intent, subjects: list[Subject]) -> Iterator[dict[str, Subject]]:
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

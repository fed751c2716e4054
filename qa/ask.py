"""Answers a question from the graph: mention to entity, words to query, query to facts."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations
from textwrap import shorten
from typing import Final

from kg.errors import QuestionError
from kg.linking import Linker
from kg.stores.store import Rows, Store, Value
from qa.intents import INTENTS, Intent

_SHOWN: Final = 80
"""So much of a question stands in a message."""


@dataclass(frozen=True)
class Subject:
    """An entity that a question speaks of."""

    start: int
    """Where in the question; one place may speak of several entities of that name."""
    id: str
    type: str
    name: str


@dataclass(frozen=True)
class Answer:
    """The facts that answer a question, and how they were found."""

    question: str
    subjects: tuple[Subject, ...]
    """What the query was asked about."""
    query: str
    """Name in the catalogue; ``medkg query`` runs it again."""
    arguments: dict[str, Value]
    says: str
    """What the rows are, e.g. ``symptoms``."""
    rows: Rows


def ask(question: str, store: Store, linker: Linker) -> Answer:
    """Answer a question in English or Chinese by one query of the catalogue.

    Args:
        question: as a person would ask.
        store: the graph.
        linker: of that graph's names; finds what the question speaks of.

    Raises:
        QuestionError: it names nothing that the graph knows, or nothing that the
            query for its words is about.
        StoreError: the store failed.
    """
    subjects = find_subjects(question, linker)
    if not subjects:
        raise QuestionError(
            f"{shorten(question, _SHOWN)!r} names nothing that the graph knows; use a name as the graph has it "
            "('medkg queries' lists other ways to ask)"
        )
    fitting = [
        (intent, about)
        for intent in INTENTS
        if intent.words.search(question)
        for about in _assignments(intent, subjects)
    ]
    asked = [fit for fit in fitting if fit[0].words.pattern] or fitting
    asked = [fit for fit in asked if fit[0].warns] or asked
    for intent, about in asked:
        rows = store.query(intent.query, **{name: subject.id for name, subject in about.items()})
        if rows.rows:
            return _answer(question, intent, about, rows)
    raise QuestionError(_no_facts(question, asked, subjects))


def find_subjects(question: str, linker: Linker) -> list[Subject]:
    """Everything that goes by the names in a question, in their order."""
    return [
        Subject(mention.start, candidate.id, candidate.type, candidate.name)
        for mention in linker.link(question)
        for candidate in mention.candidates
        if candidate.score == mention.candidates[0].score
    ]


def _assignments(intent: Intent, subjects: list[Subject]) -> Iterator[dict[str, Subject]]:
    """Every way to give each parameter of a query a subject of its own, preferred types first."""
    types = list(intent.subjects.values())
    ways = [
        way
        for way in permutations(subjects, len(types))
        if len({m.id for m in way}) == len({m.start for m in way}) == len(way)
        and all(m.type in allowed for m, allowed in zip(way, types, strict=True))
    ]
    ways.sort(key=lambda way: [t.index(m.type) for m, t in zip(way, types, strict=True)])
    for way in ways:
        yield dict(zip(intent.subjects, way, strict=True))


def _answer(question: str, intent: Intent, about: dict[str, Subject], rows: Rows) -> Answer:
    return Answer(
        question=question,
        subjects=tuple(about.values()),
        query=intent.query,
        arguments={name: subject.id for name, subject in about.items()},
        says=intent.says,
        rows=rows,
    )


def _no_facts(
    question: str, asked: list[tuple[Intent, dict[str, Subject]]], subjects: list[Subject]
) -> str:
    if asked:
        intent, about = asked[0]
        names = " and ".join(f"{m.name} ({m.id})" for m in about.values())
        return (
            f"the graph has no {intent.says} of {names}; 'medkg query entity.neighbours "
            f"entity={next(iter(about.values())).id}' shows what it has"
        )
    known = ", ".join(sorted({f"{m.name} ({m.type}, {m.id})" for m in subjects}))
    return (
        f"{shorten(question, _SHOWN)!r} speaks of {known}, about which no query fits these words; "
        "'medkg queries' lists the ways to ask"
    )

"""Answers a question from the graph: mention to entity, words to query, query to facts."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations
from textwrap import shorten
from typing import Final

from kg.errors import QuestionError
from kg.stores.store import Rows, Store, Value
from qa.intents import INTENTS, Intent
from qa.mentions import Mention, find_mentions

_SHOWN: Final = 80
"""So much of a question stands in a message."""


@dataclass(frozen=True)
class Answer:
    """The facts that answer a question, and how they were found."""

    question: str
    mentions: tuple[Mention, ...]
    """What the query was asked about."""
    query: str
    """Name in the catalogue; ``medkg query`` runs it again."""
    arguments: dict[str, Value]
    says: str
    """What the rows are, e.g. ``symptoms``."""
    rows: Rows


def ask(question: str, store: Store) -> Answer:
    """Answer a question in English or Chinese by one query of the catalogue.

    Raises:
        QuestionError: it names nothing that the graph knows, or nothing that the
            query for its words is about.
        StoreError: the store failed.
    """
    mentions = find_mentions(question, store)
    if not mentions:
        raise QuestionError(
            f"{shorten(question, _SHOWN)!r} names nothing that the graph knows; use a name as the graph has it "
            "('medkg queries' lists other ways to ask)"
        )
    fitting = [
        (intent, about)
        for intent in INTENTS
        if intent.words.search(question)
        for about in _assignments(intent, mentions)
    ]
    asked = [fit for fit in fitting if fit[0].words.pattern] or fitting
    asked = [fit for fit in asked if fit[0].warns] or asked
    for intent, about in asked:
        rows = store.query(intent.query, **{name: m.id for name, m in about.items()})
        if rows.rows:
            return _answer(question, intent, about, rows)
    raise QuestionError(_no_facts(question, asked, mentions))


def _assignments(intent: Intent, mentions: list[Mention]) -> Iterator[dict[str, Mention]]:
    """Every way to give each parameter of a query a mention of its own, preferred types first."""
    types = list(intent.mentions.values())
    ways = [
        way
        for way in permutations(mentions, len(types))
        if len({m.id for m in way}) == len({m.start for m in way}) == len(way)
        and all(m.type in allowed for m, allowed in zip(way, types, strict=True))
    ]
    ways.sort(key=lambda way: [t.index(m.type) for m, t in zip(way, types, strict=True)])
    for way in ways:
        yield dict(zip(intent.mentions, way, strict=True))


def _answer(question: str, intent: Intent, about: dict[str, Mention], rows: Rows) -> Answer:
    return Answer(
        question=question,
        mentions=tuple(about.values()),
        query=intent.query,
        arguments={name: mention.id for name, mention in about.items()},
        says=intent.says,
        rows=rows,
    )


def _no_facts(
    question: str, asked: list[tuple[Intent, dict[str, Mention]]], mentions: list[Mention]
) -> str:
    if asked:
        intent, about = asked[0]
        names = " and ".join(f"{m.name} ({m.id})" for m in about.values())
        return (
            f"the graph has no {intent.says} of {names}; 'medkg query entity.neighbours "
            f"entity={next(iter(about.values())).id}' shows what it has"
        )
    known = ", ".join(sorted({f"{m.name} ({m.type}, {m.id})" for m in mentions}))
    return (
        f"{shorten(question, _SHOWN)!r} speaks of {known}, about which no query fits these words; "
        "'medkg queries' lists the ways to ask"
    )
